"""The thresholds by turn and by columns: which one counts when, and that equal ones are the player `threshold`."""

from __future__ import annotations

from functools import cache
from types import ModuleType

import pytest

from experiments.simulate import Request, make_plan
from strategies import simple, threshold_by_columns, threshold_by_turn
from tests.support.player_questions import Player, assert_compiled_answers_are_the_plain_ones, at_discard, at_draw
from tests.support.strategy_runs import Rows, play

TEN_POINTS = "5C 6C 7C 8D 8H 8S AC 2D 3S 4H KS"
"""Throwing the king leaves ace, two, three and four."""
GIN = "5C 6C 7C 8D 8H 8S TC JC QC KC KS"
BOTH = pytest.mark.parametrize("module", [threshold_by_turn, threshold_by_columns], ids=lambda m: m.STRATEGY.name)


@cache
def by_turn() -> Player:
    """Return a player who knocks at 9, at 6 from his 6th turn on and at 3 from his 9th."""
    return Player(threshold_by_turn, early=9, middle=6, late=3)


@cache
def by_columns() -> Player:
    """Return a player who knocks at 8, and at two points less for each column opened."""
    return Player(threshold_by_columns, open0=8, open1=6, open2=4, open3=2)


def highest_knock(player: Player, **fields: object) -> int:
    """Return the most deadwood, in points, the player knocks with; he must knock with all that is less."""
    knocks = [player.knocks(at_discard(TEN_POINTS, **{**fields, "deadwood": points})) for points in range(11)]
    assert knocks == sorted(knocks, reverse=True)
    return sum(knocks) - 1


# --- by turn


@pytest.mark.parametrize(
    ("own_turn", "points"), [(1, 9), (2, 9), (5, 9), (6, 6), (7, 6), (8, 6), (9, 3), (10, 3), (25, 3)]
)
@pytest.mark.parametrize("plays_first", [True, False])
def test_turns_up_to_the_fifth_are_early_to_the_eighth_middle_and_then_late_by_own_turns(
    own_turn: int, points: int, plays_first: bool
) -> None:
    # The view counts the turns of both: the first player has the odd ones.
    assert highest_knock(by_turn(), turn=2 * own_turn - plays_first) == points


def test_middle_from_and_late_from_move_the_stretches() -> None:
    player = Player(threshold_by_turn, early=9, middle=6, late=3, middle_from=2, late_from=4)
    assert [highest_knock(player, turn=2 * own) for own in range(1, 6)] == [9, 6, 6, 3, 3]


@pytest.mark.parametrize("late_from", [3, 4, 5])
def test_there_is_no_middle_where_late_from_comes_no_later_than_middle_from(late_from: int) -> None:
    player = Player(threshold_by_turn, early=9, middle=6, late=3, middle_from=5, late_from=late_from)
    assert [highest_knock(player, turn=2 * own) for own in range(1, 7)] == [
        9 if own < late_from else 3 for own in range(1, 7)
    ]


@pytest.mark.parametrize("dealer", [0, 1])
def test_threshold_by_turn_does_not_depend_on_the_sheet_or_on_who_deals(dealer: int) -> None:
    sheet: dict[str, object] = {"my_boxes": [3, 2, 1], "their_boxes": [0, 0, 0], "my_points": [90, 50, 10]}
    assert highest_knock(by_turn(), turn=11, is_dealer=dealer, **sheet) == 6


def test_by_turn_knocks_at_once_for_eight_turns_and_then_for_gin_only_by_default() -> None:
    player = Player(threshold_by_turn)
    assert [highest_knock(player, turn=2 * own) for own in (1, 5, 6, 8, 9, 20)] == [10, 10, 10, 10, 0, 0]


# --- by columns


@pytest.mark.parametrize("closed", [0, -1], ids=["open", "closed since"])
@pytest.mark.parametrize(
    ("boxes", "points"),
    [
        ([0, 0, 0], 8),
        ([1, 0, 0], 6),
        ([4, 0, 0], 6),
        ([2, 1, 0], 4),
        ([5, 4, 0], 4),
        ([3, 2, 1], 2),
        ([0, 1, 0], 6),  # column 1 was closed before this side could enter it
        ([0, 2, 1], 4),
    ],
)
def test_columns_with_an_entry_count_however_many_wins_they_hold_closed_or_not(
    boxes: list[int], points: int, closed: int
) -> None:
    needs = [closed if box else 1 for box in boxes]
    assert highest_knock(by_columns(), my_boxes=boxes, my_needs=needs) == points


def test_entry_of_no_points_opens_a_column() -> None:
    assert highest_knock(by_columns(), my_boxes=[1, 0, 0], my_points=[0, 0, 0]) == 6


def test_columns_of_the_opponent_do_not_count() -> None:
    assert highest_knock(by_columns(), my_boxes=[1, 0, 0], their_boxes=[3, 2, 1], their_points=[50, 40, 30]) == 6


@pytest.mark.parametrize("turn", [1, 2, 17, 60])
def test_threshold_by_columns_does_not_depend_on_the_turn(turn: int) -> None:
    assert highest_knock(by_columns(), my_boxes=[2, 1, 0], turn=turn) == 4


def test_by_columns_knocks_at_four_until_the_first_deal_is_won_and_then_for_gin_only_by_default() -> None:
    player = Player(threshold_by_columns)
    found = [highest_knock(player, my_boxes=boxes) for boxes in ([0, 0, 0], [1, 0, 0], [2, 1, 0], [3, 2, 1])]
    assert found == [4, 0, 0, 0]


# --- both


def alike(module: ModuleType, points: int) -> dict[str, object]:
    """Return parameters that make all thresholds of a player the same."""
    return {name: points for name in module.Params._fields if not name.endswith("_from")}


def spec_of(module: ModuleType, settings: dict[str, object]) -> str:
    """Return the player with these parameters as one writes it."""
    return f"{module.STRATEGY.name}:" + ",".join(f"{name}={value}" for name, value in settings.items())


@BOTH
def test_gin_is_knocked_whatever_the_thresholds(module: ModuleType) -> None:
    player = Player(module, **alike(module, 0))
    for turn, boxes in ((1, [0, 0, 0]), (13, [1, 0, 0]), (18, [2, 1, 0]), (30, [3, 2, 1])):
        assert player.knocks(at_discard(GIN, turn=turn, my_boxes=boxes))
        assert not player.knocks(at_discard(TEN_POINTS, turn=turn, my_boxes=boxes))


@BOTH
@pytest.mark.parametrize(("upcard", "takes"), [("8C", True), ("3D", False), ("9C", False)])
def test_takes_only_an_upcard_that_melds_as_simple_does(module: ModuleType, upcard: str, takes: bool) -> None:
    view = at_draw("5C 6C 7C TD TH QS AC 2D 3S 8H", upcard)
    assert (Player(module).takes(view), Player(simple).takes(view)) == (takes, takes)


@BOTH
def test_throws_by_chance_one_of_the_cards_that_leave_least_as_simple_does(module: ModuleType) -> None:
    views = [at_discard("5C 6C 7C TD QH JS KS 8H 3S 2D AC", noise=place << 60) for place in range(16)]
    thrown = [Player(module).throws(view) for view in views]
    for view in views:
        view.memory[:] = 0
    assert thrown == [Player(simple).throws(view) for view in views]
    assert set(thrown) == {"TD", "QH", "JS", "KS"}


@BOTH
def test_compiled_answers_are_the_plain_ones(module: ModuleType) -> None:
    assert_compiled_answers_are_the_plain_ones(module, 300)


# --- with equal thresholds


@cache
def rows(player: str, rules: str, seed: int) -> Rows:
    """Play 15 pairs against a player who knocks at once."""
    return play(make_plan(Request([player, "simple"], pairs=15, rules=rules, seed=seed, detail="deals")))


@pytest.mark.parametrize("rules", ["hollywood", "gin"])
@pytest.mark.parametrize("points", [0, 4, 7, 10])
@BOTH
def test_equal_thresholds_give_the_rows_of_threshold_byte_by_byte(module: ModuleType, points: int, rules: str) -> None:
    for seed in (1, 7, 2026):
        expected = rows(f"threshold:knock_at={points}", rules, seed)
        assert len(expected.deals) > 100
        assert rows(spec_of(module, alike(module, points)), rules, seed).digest() == expected.digest()


@BOTH
def test_each_threshold_alone_changes_the_rows(module: ModuleType) -> None:
    """Rows equal to those of `threshold` would hide a player that looks at one threshold only."""
    equal = alike(module, 5)
    for name in equal:
        spec = spec_of(module, equal | {name: 0})
        assert rows(spec, "hollywood", 7).digest() != rows("threshold:knock_at=5", "hollywood", 7).digest(), name


def test_under_one_column_open2_and_open3_are_never_met() -> None:
    expected = rows("threshold-by-columns:open0=6,open1=3,open2=0,open3=0", "gin", 7)
    assert rows("threshold-by-columns:open0=6,open1=3,open2=10,open3=10", "gin", 7).digest() == expected.digest()
    assert rows("threshold-by-columns:open0=6,open1=4,open2=0,open3=0", "gin", 7).digest() != expected.digest()
