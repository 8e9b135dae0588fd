"""GinBot: how it sorts its hand, what it draws and throws, in positions built by hand."""

from __future__ import annotations

from typing import Any

import pytest

from sim.api import format_hand
from strategies import ginbot
from tests.support.player_questions import (
    Player,
    assert_compiled_answers_are_the_plain_ones,
    at_discard,
    at_draw,
)
from tests.support.strategy_positions import positions

PLAYER = Player(ginbot)


def all_thrown(view: Any) -> set[str]:
    """Return every card that may be thrown in a position, by chance."""
    thrown = set()
    for place in range(16):
        view.noise = place << 60
        thrown.add(PLAYER.throws(view))
    return thrown


def cards(text: str) -> set[str]:
    return set(text.split())


# --- the draw

HAND = "7C 7D 7H AS 2S 3S QH KH 9C 9S"
"""A set, a run, a partial run and a pair; nothing loose."""


@pytest.mark.parametrize(
    ("upcard", "takes"),
    [
        ("7S", True),
        ("4S", True),
        ("JH", True),
        ("9H", True),
        ("TH", False),
        ("8S", False),
        ("QC", False),
        ("AC", False),
    ],
)
def test_takes_what_extends_a_meld_or_a_partial_group(upcard: str, takes: bool) -> None:
    assert PLAYER.takes(at_draw(HAND, upcard)) == takes


@pytest.mark.parametrize("upcard", ["JC", "TD", "9D"], ids=["a pair", "a neighbour", "a pair of the other"])
def test_takes_what_goes_with_a_loose_card_while_more_than_one_is_loose(upcard: str) -> None:
    assert PLAYER.takes(at_draw("7C 7D 7H AS 2S 3S QH KH 9C JD", upcard))
    assert not PLAYER.takes(at_draw("7C 7D 7H AS 2S 3S 4S KH KC JD", upcard))


def test_leaves_what_goes_with_no_loose_card() -> None:
    assert not PLAYER.takes(at_draw("7C 7D 7H AS 2S 3S QH KH 9C JD", "5D"))


# --- the discard


def test_throws_the_dearest_loose_card_at_random_among_equals() -> None:
    assert all_thrown(at_discard("KC JD 9H 7S 5C 3D AH QS TC 8D 6H")) == cards("KC JD QS TC")
    assert all_thrown(at_discard("7C 7D 7H AS 2S 3S QH KH 9C 9S 5D")) == {"5D"}


def test_throws_the_dearest_of_partial_groups_when_nothing_else_is_loose() -> None:
    assert all_thrown(at_discard("7C 7D 7H AS 2S 3S 4S QH KH 9C 9S")) == cards("QH KH")
    assert all_thrown(at_discard("7C 7D 7H AS 2S 3S QH KH 9C 9S 5D", "5D")) == cards("QH KH")


def test_throws_the_dearest_card_a_long_meld_can_spare_when_all_are_melded() -> None:
    assert all_thrown(at_discard("7C 7D 7H 7S AS 2S 3S 4S 9C 9D 9H")) == cards("7C 7D 7H 7S")
    assert all_thrown(at_discard("7C 7D 7H AS 2S 3S 4S 9C 9D 9H KC", "KC")) == {"4S"}


def test_takes_no_notice_of_the_opponent() -> None:
    for decision, view in positions(300):
        if decision == "choose_discard":
            thrown = PLAYER.throws(view)
            blind = at_discard(format_hand(int(view.hand)), knocking=view.knocking, noise=view.noise)
            blind.barred, blind.best_discards = view.barred, view.best_discards
            assert thrown == PLAYER.throws(blind)


# --- the knock


def test_knocks_as_soon_as_it_may_with_a_best_discard() -> None:
    assert PLAYER.knocks(at_discard("7C 7D 7H AS 2S 3S 9C 9S 9D KS KH"))
    # The pair of kings is a partial group and 6H is loose, but only a king may go.
    assert all_thrown(at_discard("7C 7D 7H AS 2S 3S 9C 9S 9D KS 6H", knocking=1)) == {"KS"}


def test_compiled_answers_equal_the_plain_ones() -> None:
    assert_compiled_answers_are_the_plain_ones(ginbot)
