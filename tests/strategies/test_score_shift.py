"""Score shift: a knock limit from the score over all open columns, against the formula worked out in fractions."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from typing import Any

import pytest

from strategies import heuristic
from strategies.score_shift import Params, choose_discard, should_knock, take_upcard
from tests.support.player_questions import Player, at_discard
from tests.support.wrapper_files import questions

GIN = "AC 2C 3C 4C 5D 6D 7D 8D TD TH TS"
DEFAULT = Params()
ALONE: dict[str, object] = {"my_needs": [0, -1, -1], "their_needs": [0, -1, -1]}
"""The needs of a sheet of one column: those off the sheet are closed."""


def limit_of(p: Params = DEFAULT, answer: bool = False, /, **fields: object) -> int:
    """Return the most deadwood it knocks with."""
    limit = int(str(fields.get("knock_limit", 10)))
    found = [bool(should_knock(at_discard(GIN, **{**fields, "deadwood": d}), p, answer)) for d in range(limit + 1)]
    assert sorted(found, reverse=True) == found
    return sum(found) - 1


def naive(p: Params, mine: list[int], theirs: list[int], needs: list[int], target: int, limit: int = 10) -> int:
    weights = [0 if need < 0 else weight for need, weight in zip(needs, (1, 1, p.third_weight), strict=True)]
    ours, his = (sum(w * n for w, n in zip(weights, points, strict=True)) for points in (mine, theirs))
    to_go = max(1, target * sum(weights) - max(ours, his))
    shifted = p.knock_threshold + math.trunc(Fraction(p.score_awareness * (ours - his), to_go))
    return max(0, min(limit, shifted))


def test_knocks_at_the_threshold_when_the_score_is_even() -> None:
    assert limit_of() == 4
    assert limit_of(my_points=[60, 20, 0], their_points=[20, 60, 0]) == 4
    assert limit_of(Params(knock_threshold=7)) == 7


def test_ahead_it_knocks_sooner_and_behind_it_waits() -> None:
    assert limit_of(my_points=[30, 0, 0]) == 8  # 4 + 1200 // 270
    assert limit_of(their_points=[15, 0, 0]) == 2  # 4 - 600 / 285 towards zero


@pytest.mark.parametrize(("lead", "limit"), [(6, 4), (7, 4), (8, 5)])
def test_shift_is_rounded_towards_zero_on_either_side(lead: int, limit: int) -> None:
    # 40 * 7 / 293 is just below 1, 40 * 8 / 292 just above.
    assert limit_of(my_points=[lead, 0, 0]) == limit
    assert limit_of(their_points=[lead, 0, 0]) == 8 - limit


def test_score_is_that_of_all_open_columns_together() -> None:
    for mine in ([30, 0, 0], [0, 30, 0], [10, 10, 10]):
        assert limit_of(my_points=mine) == 8


@pytest.mark.parametrize("closed", [0, 1, 2])
def test_closed_columns_do_not_count(closed: int) -> None:
    needs = [-1 if column == closed else 0 for column in range(3)]
    points = [100 if column == closed else 10 for column in range(3)]
    level = [10, 10, 10]
    fields: dict[str, object] = {"my_needs": needs, "their_needs": needs}
    assert limit_of(my_points=points, their_points=level, **fields) == 4
    assert limit_of(my_points=level, their_points=points, **fields) == 4


def test_open_columns_that_the_next_win_does_not_enter_count() -> None:
    assert limit_of(my_points=[10, 0, 0], my_needs=[0, 1, 2]) == 4 + 400 // 290


def test_third_column_counts_third_weight_times() -> None:
    points: dict[str, object] = {"my_points": [0, 0, 20]}
    assert [limit_of(Params(third_weight=w), **points) for w in (0, 1, 2)] == [4, 4 + 800 // 280, 4 + 1600 // 360]


def test_with_a_third_weight_of_zero_and_only_that_column_open_the_score_is_even() -> None:
    fields: dict[str, object] = {"my_needs": [-1, -1, 0], "their_needs": [-1, -1, 0], "my_points": [100, 0, 90]}
    assert limit_of(Params(third_weight=0), **fields) == 4


def test_limit_is_between_zero_and_that_of_the_deal() -> None:
    assert limit_of(my_points=[90, 90, 90]) == 10
    assert limit_of(my_points=[90, 90, 90], knock_limit=6) == 6
    assert not should_knock(at_discard(GIN, my_points=[90, 90, 90], knock_limit=6, deadwood=7), DEFAULT, True)
    assert limit_of(their_points=[90, 90, 90]) == 0


def test_gin_is_always_knocked() -> None:
    for points in ([0, 0, 0], [99, 99, 99]):
        assert limit_of(Params(knock_threshold=0), their_points=points) == 0
    assert limit_of(their_points=[99, 99, 99], knock_limit=0) == 0


def test_knocking_of_the_player_inside_is_replaced() -> None:
    for points in ([0, 0, 0], [40, 0, 0]):
        assert limit_of(DEFAULT, True, my_points=points) == limit_of(DEFAULT, False, my_points=points)


def test_draw_and_discard_are_those_of_the_player_inside() -> None:
    for decision, view in questions(100):
        if decision == "take_upcard":
            assert [take_upcard(view, DEFAULT, answer) for answer in (False, True)] == [False, True]
        elif decision == "choose_discard":
            assert choose_discard(view, DEFAULT, 17) == 17


def test_on_a_sheet_of_one_column_the_limit_is_that_of_heuristic() -> None:
    player, dice = Player(heuristic), random.Random(1)
    for _ in range(60):
        points: dict[str, object] = {name: [dice.randint(0, 99), 0, 0] for name in ("my_points", "their_points")}
        asked: list[Any] = [at_discard(GIN, **{**ALONE, **points, "deadwood": d}) for d in range(11)]
        assert limit_of(**ALONE, **points) == sum(player.knocks(view) for view in asked) - 1


def test_limit_equals_the_formula_in_fractions_under_any_sheet() -> None:
    dice = random.Random(2)
    for _ in range(300):
        p = Params(dice.randint(0, 10), dice.choice([0, 1, 40, 200]), dice.randint(0, 5))
        mine, theirs = ([dice.choice([0, dice.randint(0, 140)]) for _ in range(3)] for _ in range(2))
        needs, target = [dice.randint(-1, 2) for _ in range(3)], dice.choice([100, 150])
        limit = dice.choice([10, 10, 3, 0])
        fields: dict[str, object] = {"my_points": mine, "their_points": theirs, "my_needs": needs, "target": target}
        found = limit_of(p, **fields, their_needs=needs, knock_limit=limit)
        assert found == naive(p, mine, theirs, needs, target, limit)


def test_constants_are_those_of_heuristic() -> None:
    his = heuristic.Params()
    assert (DEFAULT.knock_threshold, DEFAULT.score_awareness) == (his.knock_threshold, his.score_awareness)
