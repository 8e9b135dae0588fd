"""Hands to time the solver on: random ones, and the eleven cards met at the discard in play."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import numpy.typing as npt

from sim.bits import bit, trailing_zeros
from sim.melds import after_discard
from sim.shuffle import KEPT_DECKS, STOCK, card_at, new_decks, prepare

Hands = npt.NDArray[np.uint64]


def random_hands(count: int, cards: int, seed: int = 1) -> Hands:
    """Return random hands of so many cards, uint64 of shape (count,)."""
    rng = np.random.default_rng(seed)
    deck = np.tile(np.arange(52, dtype=np.uint64), (count, 1))
    held = rng.permuted(deck, axis=1)[:, :cards]
    return np.left_shift(np.uint64(1), held).sum(axis=1, dtype=np.uint64)


def hands_in_play(count: int, seed: int = 1) -> Hands:
    """Return the eleven-card hands of two players who draw from stock and throw what hurts most, to the tenth turn."""
    hands = np.zeros(count, np.uint64)
    _play_for_hands(new_decks(seed), hands)
    return hands


@numba.njit
def _play_for_hands(decks: Any, hands: Any) -> None:
    found, deal = 0, 0
    while True:
        deck = decks[deal % KEPT_DECKS]
        prepare(deck, 0, deal)
        deal += 1
        holding = (deck.hands[0], deck.hands[1])
        for turn in range(20):
            hand = holding[turn % 2] | bit(card_at(deck, STOCK + turn))
            if found == hands.size:
                return
            hands[found] = hand
            found += 1
            left, best = after_discard(hand, np.uint64(0))
            if left <= 5:
                break
            hand ^= bit(trailing_zeros(best))
            holding = (hand, holding[1]) if turn % 2 == 0 else (holding[0], hand)
