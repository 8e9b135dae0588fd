"""On schneid: when it hurries to get on score and when it keeps the opponent off, in positions built by hand."""

from __future__ import annotations

from typing import Any

import pytest

from sim.api import bit, parse_card
from strategies import heuristic
from strategies.on_schneid import Params, choose_discard, should_knock, take_upcard
from tests.support.player_questions import Player, at_discard
from tests.support.wrapper_files import questions

FOUR_TENS = "5C 6C 7C TD QH JS KS 8H 3S 2D AC"
"""TD, QH, JS and KS leave least. With all else unseen their dangers are 7, 6, 6 and 4."""
ON_SCORE: dict[str, object] = {"my_boxes": [1, 1, 1], "my_needs": [0, 0, 0], "their_boxes": [1, 1, 1]}
"""Both sides have an entry in every column."""
LEADS: dict[str, object] = {**ON_SCORE, "my_points": [40, 30, 20], "their_boxes": [0, 0, 0]}
"""This side is on score everywhere; the opponent is blank, and may enter column 1 next."""
DEFAULT = Params()


def knocks(fields: dict[str, object], answer: bool = False, deadwood: int = 10, p: Params = DEFAULT) -> bool:
    return bool(should_knock(at_discard(FOUR_TENS, **{**fields, "deadwood": deadwood}), p, answer))


def thrown(fields: dict[str, object], answer: str = "TD", p: Params = DEFAULT) -> int:
    return int(choose_discard(at_discard(FOUR_TENS, **fields), p, parse_card(answer)))


# --- getting on score


@pytest.mark.parametrize("column", [0, 1, 2])
def test_knocks_as_soon_as_it_may_while_a_win_would_be_its_first_entry_in_an_open_column(column: int) -> None:
    boxes = [int(other != column) for other in range(3)]
    assert knocks({**ON_SCORE, "my_boxes": boxes})


@pytest.mark.parametrize("answer", [False, True])
@pytest.mark.parametrize("needs", [-1, 1, 2], ids=["closed", "after one more win", "after two"])
def test_player_inside_decides_when_the_next_win_does_not_enter_the_blank_column(needs: int, answer: bool) -> None:
    assert knocks({**ON_SCORE, "my_boxes": [1, 1, 0], "my_needs": [0, 0, needs]}, answer) == answer


@pytest.mark.parametrize("answer", [False, True])
def test_player_inside_decides_once_this_side_is_on_score_and_so_is_the_opponent(answer: bool) -> None:
    assert knocks(ON_SCORE, answer) == answer


def test_entry_of_no_points_is_an_entry_too() -> None:
    assert not knocks({**ON_SCORE, "my_points": [0, 0, 0]})


@pytest.mark.parametrize(("boxes", "hurries"), [(0, True), (1, False)])
def test_columns_off_the_sheet_are_no_columns_to_get_on_score_in(boxes: int, hurries: bool) -> None:
    alone: dict[str, object] = {"my_boxes": [boxes, 0, 0], "my_needs": [0, -1, -1], "their_needs": [0, -1, -1]}
    assert knocks({**alone, "their_boxes": [1, 0, 0]}) == hurries


# --- keeping the opponent off


def keeping(blank: int) -> dict[str, object]:
    """Return a sheet on which this side leads everywhere and the opponent is blank in the last columns."""
    boxes = [0 if column >= 3 - blank else 1 for column in range(3)]
    return {**LEADS, "their_boxes": boxes, "their_points": [5 * box for box in boxes], "their_needs": [0, 0, 1]}


@pytest.mark.parametrize("k", [1, 2, 3])
@pytest.mark.parametrize("blank", [0, 1, 2, 3])
def test_keeps_off_an_opponent_who_is_blank_in_k_or_more_columns(blank: int, k: int) -> None:
    assert knocks(keeping(blank), p=Params(k=k)) == (blank >= k)
    assert (thrown(keeping(blank), p=Params(k=k)) == parse_card("KS")) == (blank >= k)


def test_two_columns_are_what_counts_by_default() -> None:
    assert (Params().k, Params().knock_at) == (2, 10)


@pytest.mark.parametrize("knock_at", [0, 4, 10])
@pytest.mark.parametrize("answer", [False, True])
def test_knocks_at_knock_at_or_less_while_keeping_off_and_else_as_the_player_inside(
    knock_at: int, answer: bool
) -> None:
    found = [knocks(LEADS, answer, points, Params(knock_at=knock_at)) for points in range(11)]
    assert found == [answer or points <= knock_at for points in range(11)]


NOT_KEPT_OFF: dict[str, dict[str, object]] = {
    "closed to the opponent": {"their_needs": [-1, -1, 1]},
    "without points of this side": {"my_points": [40, 0, 0]},
    "with a box of no points": {"their_boxes": [1, 1, 0]},
    "off the sheet": {"my_points": [40, 0, 0], "my_needs": [0, -1, -1], "their_needs": [0, -1, -1]},
}


@pytest.mark.parametrize("fields", NOT_KEPT_OFF.values(), ids=NOT_KEPT_OFF)
def test_columns_of_this_kind_do_not_count_as_kept_off(fields: dict[str, object]) -> None:
    assert not knocks({**LEADS, **fields})
    assert thrown({**LEADS, **fields}) == parse_card("TD")
    assert knocks({**LEADS, **fields}, p=Params(k=1))


def test_columns_the_opponent_cannot_enter_yet_count_as_kept_off() -> None:
    assert knocks({**LEADS, "their_needs": [0, 1, 2]}, p=Params(k=3))


# --- the discard


def test_throws_of_the_best_discards_what_the_opponent_has_least_use_for() -> None:
    assert thrown(LEADS) == parse_card("KS")
    held: dict[str, object] = {"taken": bit(parse_card("KC")) | bit(parse_card("KD"))}
    # As the player heuristic, whose measure of danger this is.
    assert thrown({**LEADS, **held}) == parse_card(Player(heuristic).throws(at_discard(FOUR_TENS, **held)))


def test_never_throws_the_upcard_just_taken() -> None:
    hand = at_discard(FOUR_TENS, "KS", **LEADS)
    assert choose_discard(hand, DEFAULT, parse_card("TD")) != parse_card("KS")


def test_discard_with_a_knock_is_that_of_the_player_inside() -> None:
    assert thrown({**LEADS, "knocking": 1}) == parse_card("TD")


def test_discard_is_that_of_the_player_inside_when_nobody_is_kept_off() -> None:
    assert thrown(ON_SCORE) == parse_card("TD")
    assert thrown({**ON_SCORE, "my_boxes": [0, 0, 0], "my_points": [0, 0, 0]}) == parse_card("TD")


@pytest.mark.parametrize("answer", [False, True])
def test_draws_as_the_player_inside(answer: bool) -> None:
    for _, view in _asked("take_upcard"):
        assert take_upcard(view, DEFAULT, answer) == answer


def test_discard_under_any_sheet_is_a_best_one_or_that_of_the_player_inside() -> None:
    own = 0
    for _, view in _asked("choose_discard"):
        card = choose_discard(view, Params(k=1), -1)
        own += card >= 0
        assert card == -1 or int(view.best_discards) >> int(card) & 1
    assert own > 20


def _asked(decision: str) -> list[tuple[str, Any]]:
    return [question for question in questions(300) if question[0] == decision]
