"""Gold: greedy to the letter but for the card it knocks with, in positions built by hand."""

from __future__ import annotations

import pytest

from strategies import gold, greedy
from tests.support.player_questions import (
    Player,
    answers,
    assert_compiled_answers_are_the_plain_ones,
    at_discard,
    at_draw,
)
from tests.support.strategy_positions import positions

LOOSE = "5C 6C KD QH JS 9D 8H 3S 2D AH"
PLAYER = Player(gold)


@pytest.mark.parametrize(
    ("upcard", "takes"),
    [("7C", True), ("AC", True), ("TC", False), ("JC", False)],
    ids=["completes a meld", "lower than a loose card", "ten for a ten", "jack for a ten"],
)
def test_takes_the_upcard_only_if_deadwood_falls_without_throwing_it_back(upcard: str, takes: bool) -> None:
    assert PLAYER.takes(at_draw(LOOSE, upcard)) == takes


def test_throws_the_card_that_leaves_least() -> None:
    assert PLAYER.throws(at_discard("5C 6C 7C 8D 7H 3S 2D AC 2H 4S 4H")) == "8D"


def test_throws_the_dearest_of_several_that_leave_least() -> None:
    # With gin in hand either end of both runs of four may go: AC and 4C, 5D and 8D.
    assert PLAYER.throws(at_discard("AC 2C 3C 4C 5D 6D 7D 8D TD TH TS")) == "8D"


def test_throws_the_first_in_hand_order_of_equally_dear_cards() -> None:
    assert PLAYER.throws(at_discard("5C 6C 7C TS JH QD KD 8H 3S 2D AC")) == "QD"


def test_knocks_whenever_it_may() -> None:
    assert PLAYER.knocks(at_discard("5C 6C 7C 9D 9H 9S 2D 2S 4D KH AC"))


def test_knocks_with_the_first_best_card_dear_or_not() -> None:
    assert PLAYER.throws(at_discard("AC 2C 3C 4C 5D 6D 7D 8D TD TH TS", knocking=1)) == "AC"


def test_differs_from_greedy_in_nothing_but_knock_discards() -> None:
    count, differing = 2_000, 0
    ours, theirs = (answers(str(module.__file__), count) for module in (gold, greedy))
    for (decision, view), mine, other in zip(positions(count), ours, theirs, strict=True):
        if decision == "choose_discard" and view.knocking:
            differing += mine != other
            assert int(view.best_discards) >> mine.answer & 1
        else:
            assert mine == other
    assert differing > 0


def test_compiled_answers_equal_the_plain_ones() -> None:
    assert_compiled_answers_are_the_plain_ones(gold)
