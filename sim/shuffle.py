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
import numpy.typing as npt

from sim.bits import U0, U1, Mask, Number, multiply_high
from sim.cards import N_CARDS
from sim.jit import kernel
from sim.melds import deadwood
from sim.records import records
from sim.rng import DECK_CARDS, philox, seat_keys

UPCARD_PLACE, STOCK = 20, 21
"""Where in the card stream the upcard lies and the stock begins."""

BATCH_ENDS = (9, 19, 30, 43, 52)
"""Cards dealt once each random word is used up: so many that their product stays far below 2^64."""
BATCH_WAYS = tuple(
    np.uint64(math.perm(N_CARDS - start, end - start))
    for start, end in zip((0, *BATCH_ENDS[:-1]), BATCH_ENDS, strict=True)
)
DEALT_AT_ONCE = 3
"""Batches shuffled at the start of a deal: 30 cards, both hands, the upcard and nine of the stock."""
KEPT_DECKS = 32
"""Decks a desk keeps, so that leg 1 of a pair finds those of leg 0."""

DECK = np.dtype(
    [
        ("seed", np.uint64),
        ("pair", np.int64),
        ("deal", np.int64),
        ("cards", np.uint8, (N_CARDS,)),  # the stream, final as far as `shuffled`
        ("shuffled", np.int64),
        ("hands", np.uint64, (2,)),  # the ten cards of each seat
        ("deadwood", np.int64, (2,)),  # of the ten cards of each seat
        ("noise_keys", np.uint64, (2,)),  # of each seat
    ]
)
"""Everything about a deal that chance decides: a function of (seed, pair, deal), the same in both legs."""


def new_decks(seed: int) -> npt.NDArray[Any]:
    """Return the decks of a desk, shape (KEPT_DECKS,), none shuffled yet."""
    decks = records(KEPT_DECKS, DECK)
    decks["seed"] = seed
    decks["pair"] = decks["deal"] = -1
    return decks


@kernel
def prepare(deck: Any, pair: Number, deal: Number) -> None:
    """Shuffle and deal into a deck record, unless it holds this very deal already."""
    if deck.pair == pair and deck.deal == deal:
        return
    deck.pair, deck.deal = pair, deal
    for card in range(N_CARDS):
        deck.cards[card] = card
    words = philox(U0, np.uint64(deal), np.uint64(pair), DECK_CARDS, deck.seed)
    for batch in range(DEALT_AT_ONCE):
        _shuffle_batch(deck, words[batch], batch)
    deck.shuffled = BATCH_ENDS[DEALT_AT_ONCE - 1]
    deck.noise_keys[0], deck.noise_keys[1] = seat_keys(deck.seed, pair, deal)
    for seat in range(2):
        hand = _hand_at(deck.cards, 10 * seat)
        deck.hands[seat] = hand
        deck.deadwood[seat] = deadwood(hand)


@kernel
def card_at(deck: Any, place: Number) -> Number:
    """Return the card at a place of the stream, shuffling further if need be."""
    while place >= deck.shuffled:
        _shuffle_further(deck)
    return np.int64(deck.cards[place])


@kernel
def _shuffle_further(deck: Any) -> None:
    batch = DEALT_AT_ONCE
    while BATCH_ENDS[batch] <= deck.shuffled:
        batch += 1
    block = np.uint64(batch // 4)
    words = philox(block, np.uint64(deck.deal), np.uint64(deck.pair), DECK_CARDS, deck.seed)
    _shuffle_batch(deck, words[batch % 4], batch)
    deck.shuffled = BATCH_ENDS[batch]


@kernel
def _shuffle_batch(deck: Any, word: Mask, batch: Number) -> None:
    """Draw the cards of one batch from one word: the high half of word times n picks, the low half goes on."""
    word = _fair_word(deck, word, batch)
    cards = deck.cards
    first = BATCH_ENDS[batch - 1] if batch else 0
    for place in range(first, BATCH_ENDS[batch]):
        choices = np.uint64(N_CARDS - place)
        pick = place + np.int64(multiply_high(word, choices))
        word *= choices
        cards[place], cards[pick] = cards[pick], cards[place]


@kernel
def _fair_word(deck: Any, word: Mask, batch: Number) -> Mask:
    """Return the word, or a replacement if it is one of the few that would make some orders likelier."""
    ways = BATCH_WAYS[batch]
    if word * ways >= ways:
        return word
    unfair = (U0 - ways) % ways
    block = np.uint64(2 + batch // 4)  # blocks 0 and 1 hold the first words of the five batches
    while word * ways < unfair:
        words = philox(block, np.uint64(deck.deal), np.uint64(deck.pair), DECK_CARDS, deck.seed)
        word = words[batch % 4]
        block += np.uint64(2)
    return word


@kernel
def _hand_at(cards: Any, start: Number) -> Mask:
    """Return the ten cards of the stream from `start` on, as a hand mask."""
    hand = U0
    for place in range(start, start + 10):
        hand |= U1 << np.uint64(cards[place])
    return hand
