"""Safe count: the count itself against a naive sheet, and what it changes, in positions built by hand."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest

from sim.api import parse_card
from sim.presets import preset_rules
from sim.rules import Rules
from strategies.safe_count import NO_COUNT, Params, choose_discard, safe_count, should_knock, take_upcard
from tests.support.naive_sheet import NaiveSheet
from tests.support.player_questions import at_discard, at_draw
from tests.support.wrapper_files import questions

FOUR_TENS = "5C 6C 7C TD QH JS KS 8H 3S 2D AC"
"""TD, QH, JS and KS leave least: 8 + 3 + 2 + 1 and three tens."""
LOOSE = "5C 6C KD QH JS 9D 8H 3S 2D AH"
DEFAULT = Params()
DANGER: dict[str, object] = {
    "gin_bonus": 25,
    "their_points": [65, 0, 0],
    "their_needs": [0, 1, 2],
    "their_boxes": [1, 0, 0],
}
"""The opponent needs 35 points in column 1: with gin's 25 he gets them from ten or more. Safe count 9."""


# --- the count


def count(**fields: object) -> int:
    return int(safe_count(at_discard(FOUR_TENS, **{**DANGER, **fields})))


def test_safe_count_is_the_need_less_one_and_less_the_bonus() -> None:
    assert count() == 100 - 65 - 1 - 25


def test_safe_count_is_the_least_of_the_columns_that_a_win_would_now_enter() -> None:
    points: dict[str, object] = {"their_points": [20, 40, 70]}
    assert count(**points, their_needs=[0, 0, 0]) == 4
    assert count(**points, their_needs=[0, 0, 1]) == 34
    assert count(**points, their_needs=[0, 1, 2]) == 54


@pytest.mark.parametrize("needs", [[-1, -1, -1], [-1, 1, 2]], ids=["all closed", "none enterable"])
def test_without_a_column_that_his_win_enters_nothing_is_in_danger(needs: list[int]) -> None:
    assert count(their_needs=needs, their_points=[120, 99, 99]) == NO_COUNT


def test_column_whose_target_is_reached_does_not_count() -> None:
    assert count(their_points=[100, 10, 0], their_needs=[-1, 0, 1]) == 64


def test_columns_off_the_sheet_do_not_count() -> None:
    assert count(their_needs=[0, -1, -1], target=100) == 9


@pytest.mark.parametrize(("points", "safe"), [(40, 4), (41, 4), (42, 3), (50, -1)])
def test_gin_brings_twice_as_much_when_the_deal_counts_double(points: int, safe: int) -> None:
    assert count(their_points=[points, 0, 0], multiplier=2) == safe


def test_safe_count_is_negative_when_any_gin_closes_a_column() -> None:
    assert count(their_points=[75, 0, 0]) == -1
    assert count(their_points=[74, 0, 0]) == 0


SHEETS = {
    "hollywood": preset_rules("hollywood"),
    "one column": preset_rules("eaai"),
    "by player": preset_rules("hollywood-003"),
    "strict carry": preset_rules("hollywood", {"carry": "strict"}),
    "other numbers": preset_rules("hollywood-oklahoma", {"target": 60, "gin_bonus": 20}),
}


@pytest.mark.parametrize("rules", SHEETS.values(), ids=SHEETS)
def test_gin_of_the_opponent_closes_a_column_just_when_more_than_the_safe_count_is_held(rules: Rules) -> None:
    dice, closing = random.Random(4), 0
    for _ in range(150):
        sheet = _some_sheet(rules, dice)
        multiplier = dice.randint(1, 2)
        safe = safe_count(_view_of(sheet, multiplier))
        for held in range(0, 99):
            closes = _gin_closes(sheet, (held + rules.gin_bonus) * multiplier)
            assert closes == (held > safe)
            closing += closes
    assert closing > 1_000


def _some_sheet(rules: Rules, dice: random.Random) -> NaiveSheet:
    """Return the sheet of a match that goes on, after some wins of both sides."""
    sheet = NaiveSheet(rules)
    for _ in range(dice.randint(0, 12)):
        tried = copy.deepcopy(sheet)
        tried.enter(dice.randint(0, 1), dice.randint(1, 45))
        if tried.is_over:
            break
        sheet = tried
    return sheet


def _view_of(sheet: NaiveSheet, multiplier: int) -> Any:
    """Return what side 0 sees of a sheet."""
    off = 3 - sheet.rules.columns
    return at_discard(
        FOUR_TENS,
        their_points=[*sheet.totals[1], *[0] * off],
        their_needs=[*sheet.needs(1), *[-1] * off],
        target=sheet.rules.target,
        gin_bonus=sheet.rules.gin_bonus,
        multiplier=multiplier,
    )


def _gin_closes(sheet: NaiveSheet, points: int) -> bool:
    """Tell whether a win of side 1 closes a column to it that was open."""
    after = copy.deepcopy(sheet)
    after.enter(1, points)
    return any(sheet.is_open(1, column) and not after.is_open(1, column) for column in range(sheet.rules.columns))


# --- what it changes


def knocks(answer: bool, **fields: object) -> bool:
    return bool(should_knock(at_discard(FOUR_TENS, **{**DANGER, **fields}), DEFAULT, answer))


def test_knocks_when_it_may_while_it_holds_more_than_the_safe_count() -> None:
    assert [knocks(False, deadwood=d) for d in (8, 9, 10)] == [False, False, True]


def test_knock_of_the_player_inside_stays() -> None:
    assert [knocks(True, deadwood=d) for d in (0, 9, 10)] == [True, True, True]


@pytest.mark.parametrize("answer", [False, True])
def test_player_inside_decides_when_no_deadwood_would_be_safe(answer: bool) -> None:
    hopeless: dict[str, object] = {"their_points": [80, 0, 0]}
    assert knocks(answer, deadwood=10, **hopeless) == answer
    assert thrown("AC", **hopeless) == [parse_card("AC")]


def thrown(answer: str, **fields: object) -> list[int]:
    """Return the cards it throws under different chances."""
    asked = [at_discard(FOUR_TENS, **{**DANGER, **fields, "noise": noise << 61}) for noise in range(8)]
    return sorted({int(choose_discard(view, DEFAULT, parse_card(answer))) for view in asked})


def test_throws_the_dearest_card_that_leaves_least_and_one_of_them_by_chance() -> None:
    found = thrown("AC")
    assert set(found) <= {parse_card(card) for card in ("TD", "QH", "JS", "KS")}
    assert len(found) > 1


def test_of_cards_that_leave_as_little_throws_the_dearest() -> None:
    # Each of the four tens and the king leaves a meld; the four of the run costs less.
    view = at_discard("AC 2C 3C 4C 5D 6D 7D 8D TD TH TS", **DANGER)
    best = {card for card in range(52) if int(view.best_discards) >> card & 1}
    view.deadwood = 30  # as if in danger
    card = int(choose_discard(view, DEFAULT, -1))
    assert card == max(best, key=lambda c: min(c % 13 + 1, 10))


def test_discard_is_that_of_the_player_inside_when_safe_and_with_a_knock() -> None:
    assert thrown("AC", deadwood=9) == [parse_card("AC")]
    assert thrown("AC", knocking=1) == [parse_card("AC")]


def takes(upcard: str, answer: bool = False, p: Params = DEFAULT, /, **fields: object) -> bool:
    return bool(take_upcard(at_draw(LOOSE, upcard, **{**DANGER, **fields}), p, answer))


@pytest.mark.parametrize(("upcard", "taken"), [("AC", True), ("4H", True), ("5H", False), ("7C", False)])
def test_takes_an_upcard_of_at_most_low_points_that_lowers_its_deadwood(upcard: str, taken: bool) -> None:
    assert takes(upcard) == taken
    assert takes(upcard, False, Params(low=10))


def test_does_not_take_a_low_card_that_does_not_lower_its_deadwood() -> None:
    all_low = "AC 2C 3C AD 2D 3D AH 2H 3H AS"
    view = at_draw(all_low, "4S", **{**DANGER, "their_points": [74, 0, 0], "deadwood": 1})
    assert [bool(take_upcard(view, DEFAULT, answer)) for answer in (False, True)] == [False, True]


def test_draws_as_the_player_inside_when_safe() -> None:
    safe: dict[str, object] = {"their_points": [0, 0, 0]}
    assert [takes("AC", answer, **safe) for answer in (False, True)] == [False, True]


def test_upcard_that_the_player_inside_takes_is_taken() -> None:
    assert takes("KC", True)


def test_discard_under_any_sheet_is_a_best_one_or_that_of_the_player_inside() -> None:
    own = 0
    for decision, view in questions(500):
        if decision == "choose_discard":
            view.gin_bonus = 5
            card = int(choose_discard(view, DEFAULT, -1))
            own += card >= 0
            assert card == -1 or int(view.best_discards) >> card & 1
    assert own > 20
