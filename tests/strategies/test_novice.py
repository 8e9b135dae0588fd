"""Novice: a coin for the draw, any of the best discards, any discard that allows the knock."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from strategies import novice
from tests.support.player_questions import (
    Player,
    assert_compiled_answers_are_the_plain_ones,
    at_discard,
    at_draw,
)

PLAYER = Player(novice)
THREE_MELDS_LESS_ONE = "5C 6C 7C 9D 9H 9S 2D 2S 4D KH AC"
GIN = "AC 2C 3C 4C 5D 5H 5S 9H TH JH QH"
CALLS = 1_200


def thrown(view: Any) -> Counter[str]:
    """Count what it throws under many random words."""
    found: Counter[str] = Counter()
    for noise in np.random.default_rng(1).integers(2**64, size=CALLS, dtype=np.uint64):
        view.noise = noise
        found[PLAYER.throws(view)] += 1
    return found


def assert_equally_likely(found: Counter[str], cards: str) -> None:
    expected = CALLS / len(cards.split())
    assert set(found) == set(cards.split())
    assert all(abs(count - expected) < 5 * expected**0.5 for count in found.values())


@pytest.mark.parametrize("upcard", ["8C", "KD"], ids=["would meld", "would not"])
def test_draws_by_a_coin_whatever_the_upcard(upcard: str) -> None:
    view = at_draw("5C 6C 7C 9D 9H 9S 2D 2S 4D KH", upcard)
    taken = 0
    for noise in np.random.default_rng(2).integers(2**64, size=CALLS, dtype=np.uint64):
        view.noise = noise
        taken += PLAYER.takes(view)
    assert abs(taken - CALLS / 2) < 5 * (CALLS / 4) ** 0.5


def test_throws_any_of_the_cards_that_leave_least() -> None:
    assert_equally_likely(thrown(at_discard("5C 6C 7C TD JS QH KS 8H 3S 2D AC")), "TD JS QH KS")


def test_knocks_whenever_it_may() -> None:
    assert PLAYER.knocks(at_discard(THREE_MELDS_LESS_ONE))
    assert PLAYER.knocks(at_discard(GIN))


def test_knocks_with_any_discard_that_allows_it_not_only_the_best() -> None:
    # 2D 2S 3D 3H AC come to 11, so any of them may go; of the other hand the king must.
    assert_equally_likely(thrown(at_discard("5C 6C 7C 9D 9H 9S 2D 2S 3D 3H AC", knocking=1)), "2D 2S 3D 3H AC")
    assert_equally_likely(thrown(at_discard(THREE_MELDS_LESS_ONE, knocking=1)), "KH")


def test_never_knocks_with_the_card_it_has_just_taken() -> None:
    found = thrown(at_discard("5C 6C 7C 9D 9H 9S 2D 2S 3D 3H AC", "3D", knocking=1))
    assert_equally_likely(found, "2D 2S 3H AC")


def test_throws_for_gin_when_there_is_gin() -> None:
    assert_equally_likely(thrown(at_discard("AC 2C 3C 4C 5D 5H 5S 9H TH JH QH", knocking=1)), "AC 4C 9H QH")


def test_compiled_answers_equal_the_plain_ones() -> None:
    assert_compiled_answers_are_the_plain_ones(novice)
