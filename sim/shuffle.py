"""The card stream of a deal: a Fisher-Yates shuffle that is dealt as far as it is needed.

Cards 0-9 go to seat 0, 10-19 to seat 1, 20 is the upcard, 21-51 the stock in drawing order: the stream belongs to
the seats, whoever deals. Five random words shuffle the deck, several cards from each word (exact:
a word that would bias the draw is replaced; Brackett-Rozinsky and Lemire, "Batched ranged random integer
generation", 2024).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from sim.bits import multiply_high
from sim.jit import kernel
from sim.rng import DECK, philox

UPCARD_PLACE, STOCK = 20, 21
"""Where in the card stream the upcard lies and the stock begins."""
N_CARDS = 52

BATCH_ENDS = (9, 19, 30, 43, 52)
"""Cards dealt once each random word is used up: so many that their product stays far below 2^64."""
BATCH_WAYS = tuple(
    np.uint64(math.perm(N_CARDS - start, end - start))
    for start, end in zip((0, *BATCH_ENDS[:-1]), BATCH_ENDS, strict=True)
)
DEALT_AT_ONCE = 3
"""Batches shuffled at the start of a deal: 30 cards, both hands, the upcard and nine of the stock."""


@kernel
def start_deck(cards: Any, seed: Any, pair: Any, deal: Any) -> Any:
    """Begin the card stream of one deal and return the number of cards shuffled so far.

    `cards`, uint8 of shape (52,), is overwritten; its first cards are final, the rest still in order.
    """
    for card in range(N_CARDS):
        cards[card] = card
    words = philox(np.uint64(0), np.uint64(deal), np.uint64(pair), DECK, seed)
    for batch in range(DEALT_AT_ONCE):
        _shuffle_batch(cards, words[batch], batch, (seed, pair, deal))
    return BATCH_ENDS[DEALT_AT_ONCE - 1]


@kernel
def shuffle_further(cards: Any, shuffled: Any, stream: Any) -> Any:
    """Shuffle the next batch of a deck begun with `start_deck`; return the number of cards shuffled now.

    `stream` is (seed, pair, deal).
    """
    seed, pair, deal = stream
    batch = DEALT_AT_ONCE
    while BATCH_ENDS[batch] <= shuffled:
        batch += 1
    words = philox(np.uint64(batch // 4), np.uint64(deal), np.uint64(pair), DECK, seed)
    _shuffle_batch(cards, words[batch % 4], batch, stream)
    return BATCH_ENDS[batch]


@kernel
def _shuffle_batch(cards: Any, word: Any, batch: Any, stream: Any) -> None:
    """Draw the cards of one batch from one word: the high half of word times n picks, the low half goes on."""
    word = _fair_word(word, batch, stream)
    first = BATCH_ENDS[batch - 1] if batch else 0
    for place in range(first, BATCH_ENDS[batch]):
        choices = np.uint64(N_CARDS - place)
        pick = place + np.int64(multiply_high(word, choices))
        word *= choices
        cards[place], cards[pick] = cards[pick], cards[place]


@kernel
def _fair_word(word: Any, batch: Any, stream: Any) -> Any:
    """Return the word, or a replacement if it is one of the few that would make some orders likelier."""
    ways = BATCH_WAYS[batch]
    if word * ways >= ways:
        return word
    unfair = (np.uint64(0) - ways) % ways
    seed, pair, deal = stream
    block = np.uint64(2 + batch // 4)  # blocks 0 and 1 hold the first words of the five batches
    while word * ways < unfair:
        word = philox(block, np.uint64(deal), np.uint64(pair), DECK, seed)[batch % 4]
        block += np.uint64(2)
    return word


@kernel
def hand_at(cards: Any, start: Any) -> Any:
    """Return the ten cards of the stream from `start` on, as a hand mask."""
    hand = np.uint64(0)
    for place in range(start, start + 10):
        hand |= np.uint64(1) << np.uint64(cards[place])
    return hand
