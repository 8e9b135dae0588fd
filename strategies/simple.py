"""EAAI Simple: melds what it can, throws what hurts most, knocks as soon as it may.

Takes the upcard if some meld of the eleven cards contains it, without asking whether deadwood falls. Throws, at
random, one of the cards that leave least deadwood; but never repeats a pair {drawn, discarded} it has used in this
deal, which keeps two such players from trading cards for ever. Knocks at 10 or less, gin included.

Source: SimpleGinRummyPlayer of the EAAI 2021 Gin Rummy challenge (T. Neller), the yardstick of its literature. There
the discard is chosen before the knock; here the knock comes first, so a discard with a knock may repeat a pair.
"""

from __future__ import annotations

import numpy as np

from sim.api import (
    RANK_COLUMN,
    NoParams,
    Strategy,
    TurnView,
    after_discard,
    bit,
    helper,
    lowest,
    pick,
    popcount,
    run_cards,
    trailing_zeros,
)

PAIRS_A_WORD = 5
PAIR_BITS = np.uint64(12)
PAIR_MASK = np.uint64((1 << 12) - 1)
NO_CARDS = np.uint64(0)
KNOCK_AT = 10  # deadwood points
# Words of memory: cards thrown so far (mask), pairs noted, and five pairs of 12 bits in each of the other six.
THROWN, NOTED, FIRST_PAIRS, MEMORY_WORDS = 0, 1, 2, 8


def take_upcard(view: TurnView, p: NoParams) -> bool:
    """Take the upcard if it melds with cards in hand."""
    card = bit(view.upcard)
    eleven = view.hand | card
    alike = RANK_COLUMN << np.uint64(view.upcard % 13)
    return bool(run_cards(eleven) & card or popcount(eleven & alike) >= 3)


def choose_discard(view: TurnView, p: NoParams) -> int:
    """Throw one of the cards that leave least deadwood, at random, without repeating a pair."""
    best = view.best_discards
    # A pair can only repeat when a card comes back that was thrown before.
    if view.memory[THROWN] & bit(view.drawn) and not view.knocking:
        best = _unused(view, best)
    card = pick(best, view.noise)
    _remember(view, card)
    return card


def should_knock(view: TurnView, p: NoParams) -> bool:
    """Knock at once."""
    return view.deadwood <= KNOCK_AT


@helper
def _pair(drawn: int, thrown: int) -> np.uint64:
    """Return a pair of cards, in either order, as one number of 12 bits."""
    return np.uint64(min(drawn, thrown) * 64 + max(drawn, thrown))


@helper
def _remember(view: TurnView, card: int) -> None:
    """Note the pair of this turn, over the oldest one when memory is full (30 turns)."""
    place = np.int64(view.memory[NOTED]) % (PAIRS_A_WORD * (MEMORY_WORDS - FIRST_PAIRS))
    word = FIRST_PAIRS + place // PAIRS_A_WORD
    shift = np.uint64(place % PAIRS_A_WORD) * PAIR_BITS
    view.memory[word] &= ~(PAIR_MASK << shift)
    view.memory[word] |= _pair(view.drawn, card) << shift
    view.memory[NOTED] += np.uint64(1)
    view.memory[THROWN] |= bit(card)


@helper
def _is_noted(view: TurnView, pair: np.uint64) -> bool:
    """Tell whether a pair was used before in this deal."""
    for word in range(FIRST_PAIRS, MEMORY_WORDS):
        pairs = view.memory[word]
        while pairs:
            if pairs & PAIR_MASK == pair:
                return True
            pairs >>= PAIR_BITS
    return False


@helper
def _unused(view: TurnView, best: int) -> int:
    """Return the discards that leave least deadwood among those that repeat no pair; `best` if all would."""
    barred = bit(view.barred) if view.barred >= 0 else NO_CARDS
    allowed = NO_CARDS
    left = view.hand & ~barred
    while left:
        card = lowest(left)
        left ^= card
        if not _is_noted(view, _pair(view.drawn, trailing_zeros(card))):
            allowed |= card
    if not allowed:
        return best
    return after_discard(view.hand, view.hand & ~allowed)[1]


STRATEGY = Strategy(
    name="simple",
    summary="melds what it can, throws what hurts most, knocks as soon as it may",
    source="EAAI 2021 Gin Rummy challenge, SimpleGinRummyPlayer",
    take_upcard=take_upcard,
    choose_discard=choose_discard,
    should_knock=should_knock,
)
