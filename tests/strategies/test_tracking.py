"""TrackingBot: what it holds dangerous, the order of its discards and its falling limit, in positions built by hand."""

from __future__ import annotations

from typing import Any

import pytest

from sim.api import parse_hand
from strategies import tracking
from tests.support.player_questions import (
    Player,
    assert_compiled_answers_are_the_plain_ones,
    at_discard,
    at_draw,
)

PLAYER = Player(tracking)


def all_thrown(view: Any) -> set[str]:
    """Return every card that may be thrown in a position, by chance."""
    thrown = set()
    for place in range(16):
        view.noise = place << 60
        thrown.add(PLAYER.throws(view))
    return thrown


# --- the draw


@pytest.mark.parametrize(
    ("upcard", "takes"),
    [("7S", True), ("4S", True), ("JH", True), ("9H", True), ("TH", False), ("8S", False), ("QC", False)],
)
def test_takes_what_extends_a_meld_or_a_partial_group(upcard: str, takes: bool) -> None:
    assert PLAYER.takes(at_draw("7C 7D 7H AS 2S 3S QH KH 9C 9S", upcard)) == takes


def test_leaves_what_goes_with_a_loose_card() -> None:
    assert not PLAYER.takes(at_draw("7C 7D 7H AS 2S 3S QH KH 9C JD", "JC"))


# --- the discard

LOOSE = "KC JD 9H 7S 5C 3D AH QS TC 8D 6H"


def test_throws_the_loose_card_of_highest_rank() -> None:
    assert all_thrown(at_discard(LOOSE)) == {"KC"}


@pytest.mark.parametrize(
    ("taken", "thrown"),
    [
        ("KD", "QS"),  # the same rank
        ("QC", "JD"),  # next to the king in suit, and the queen's rank
        ("QD", "KC"),  # next in suit to the jack only, but the queen's rank: nothing to the king
        ("KD QD", "TC"),
        ("AC", "KC"),  # an ace is not next to a king
    ],
)
def test_throws_nothing_next_to_what_the_opponent_took(taken: str, thrown: str) -> None:
    assert all_thrown(at_discard(LOOSE, taken=parse_hand(taken))) == {thrown}


def test_what_the_opponent_took_stays_dangerous_after_he_has_thrown_it() -> None:
    view = at_discard(LOOSE, taken=parse_hand("KD"))
    assert PLAYER.throws(view) == "QS"
    view.taken = 0
    assert PLAYER.throws(view) == "QS"


GROUPS = "4C 5C 6C 7C 9S 9D 9H JD QD KH 2H"
"""A run that can spare 4C and 7C, a set, a partial run, two loose cards."""


@pytest.mark.parametrize(
    ("taken", "thrown"),
    [
        ("", "KH"),
        ("KS", "2H"),
        ("KS 2S", "QD"),
        ("KS 2S QS", "JD"),
        ("KS 2S QS JS", "7C"),
        ("KS 2S QS JS 7H", "4C"),
        ("KS 2S QS JS 7H 3C", "KH"),
    ],
)
def test_order_of_discards_is_loose_then_partial_then_spare_then_dangerous(taken: str, thrown: str) -> None:
    assert all_thrown(at_discard(GROUPS, taken=parse_hand(taken))) == {thrown}


def test_equals_are_settled_by_chance() -> None:
    assert all_thrown(at_discard("4C 5C 6C 7C 9S 9D 9H KD KH 2H AS", "2H")) == {"AS"}
    assert all_thrown(at_discard("4C 5C 6C 7C 8C 9S 9D 9H KD KH AS", "AS")) == {"KD", "KH"}


def test_never_throws_the_upcard_it_has_just_taken() -> None:
    assert all_thrown(at_discard(LOOSE, "KC")) == {"QS"}
    assert all_thrown(at_discard(LOOSE, "KC", taken=parse_hand("QC JC TH 9C 8C 7C 6C 5D 3C AC"))) == {"QS"}


# --- the knock


def knocks_with(points: int, **fields: object) -> bool:
    """Tell whether it knocks with so much deadwood; the rest of its hand is melded."""
    view = at_discard(LOOSE, **fields)
    view.deadwood = points
    return PLAYER.knocks(view)


def most(pile: int, taken: int, **fields: object) -> int:
    """Return the most deadwood it knocks with: so many cards in the pile, so many taken by the opponent."""
    seen = {"pile": (1 << pile) - 1, "taken": (1 << taken) - 1 << 26, **fields}
    allowed = [points for points in range(11) if knocks_with(points, **seen)]
    assert allowed == list(range(len(allowed)))
    return len(allowed) - 1


@pytest.mark.parametrize(
    ("pile", "taken", "limit"),
    [
        (1, 0, 10),
        (3, 0, 10),
        (5, 0, 10),
        (6, 0, 9),
        (9, 0, 8),
        (3, 3, 8),
        (4, 4, 7),
        (15, 0, 6),
        (15, 6, 2),
        (20, 8, 2),
    ],
)
def test_knock_limit_falls_with_the_pile_and_twice_with_what_the_opponent_took(
    pile: int, taken: int, limit: int
) -> None:
    assert most(pile, taken) == limit


def test_cards_taken_and_thrown_again_count_for_the_limit() -> None:
    view = at_discard(LOOSE, taken=parse_hand("KD QD JH"))
    PLAYER.throws(view)
    view.taken, view.deadwood = 0, 10
    assert not PLAYER.knocks(view)  # 11 - 2 * 3 / 3
    view.deadwood = 9
    assert PLAYER.knocks(view)


def test_whole_limit_holds_with_fewer_than_five_cards_in_stock() -> None:
    assert most(20, 8, stock_cards=4) == 10
    assert most(20, 8, stock_cards=5) == 2


def test_knocks_with_a_card_that_leaves_least_deadwood() -> None:
    view = at_discard("4C 5C 6C 9S 9D 9H KH KS KD JD 2H", taken=parse_hand("JC JS"), knocking=1)
    assert all_thrown(view) == {"JD"}


def test_compiled_answers_equal_the_plain_ones() -> None:
    assert_compiled_answers_are_the_plain_ones(tracking)
