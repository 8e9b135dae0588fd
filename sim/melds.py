"""The deadwood solver: exact minimum deadwood, best spreads and best discards of 1 to 11 cards.

How it works. Once it is decided which cards go into sets, the best runs are forced: every maximal block of three
or more touching cards of a suit is one run. So the solver only has to go through the *set choices*. Runs of all
four suits come from three shifts of the whole hand mask. A rank of three or more whose cards fit no run can be
melded at no cost; only the ranks that clash with a run (at most three) are tried both ways, a four of a kind also
as each of its threes.

Eleven cards: the best discard under one set choice is its dearest loose card. The least over all set choices is
exact; the best eleven-card spread alone is not (shared case: ``3C 5C 2D 6D 4H 5H 6H 3S 4S 5S 6S``, throw 6D).
"""

from __future__ import annotations

import numpy as np
from numba import types

from sim.bits import U0, U1, Mask, Number, Words, leading_zeros, lowest, popcount
from sim.cards import RANKS
from sim.jit import entry, kernel

SUIT_BITS = 13
SUIT_MASK = np.uint64(0x1FFF)
ALL_CARDS = np.uint64((1 << 52) - 1)
RANK_COLUMN = np.uint64(sum(1 << 13 * suit for suit in range(4)))
"""The four aces: times a 13-bit rank mask it gives all cards of those ranks."""


def _in_all_suits(ranks: list[int]) -> np.uint64:
    return np.uint64(sum(1 << rank for rank in ranks) * int(RANK_COLUMN))


RUN_STARTS = _in_all_suits(list(range(11)))
"""Ace to jack: the cards from which a run of three can start upwards inside a suit."""
TEN = 9
TENS = _in_all_suits([9, 10, 11, 12])
"""All cards worth ten points, from the rank TEN up."""
# Bit k of the deadwood points (1..10) of a card, for all cards at once.
POINT_BITS = [_in_all_suits([r for r in range(13) if min(r + 1, 10) >> k & 1]) for k in range(4)]
POINTS_1, POINTS_2, POINTS_4, POINTS_8 = POINT_BITS
TEXT_RANK = tuple(sorted(RANKS).index(rank) for rank in RANKS)
"""Place of each rank in text order, where digits come before letters: 2 .. 9 A J K Q T."""
S1, S2, S13, S26, S39 = (np.uint64(n) for n in (1, 2, 13, 26, 39))


@kernel
def points(cards: Mask) -> Number:
    """Add up the deadwood points of all cards of a mask."""
    return (
        popcount(cards & POINTS_1)
        + 2 * popcount(cards & POINTS_2)
        + 4 * popcount(cards & POINTS_4)
        + 8 * popcount(cards & POINTS_8)
    )


@kernel
def run_cards(cards: Mask) -> Mask:
    """Return the cards of a mask that lie in some run: in three or more touching cards of a suit."""
    starts = cards & (cards >> S1) & (cards >> S2) & RUN_STARTS
    return starts | (starts << S1) | (starts << S2)


@kernel
def set_ranks(cards: Mask) -> Mask:
    """Return the ranks of which the mask holds three or four cards, as a 13-bit mask."""
    c, d = cards & SUIT_MASK, (cards >> S13) & SUIT_MASK
    h, s = (cards >> S26) & SUIT_MASK, cards >> S39
    return ((c & d) & (h | s)) | ((h & s) & (c | d))


@kernel
def ranks_of(cards: Mask) -> Mask:
    """Return the ranks that occur in a mask, as a 13-bit mask."""
    return (cards | (cards >> S13) | (cards >> S26) | (cards >> S39)) & SUIT_MASK


@kernel
def next_sets(hand: Mask, ranks: Mask, sets: Mask) -> Mask:
    """Return the set choice after `sets`, or 0 when all have been seen; 0 (no set) is the first.

    `ranks` is a 13-bit mask of ranks held three or four times. Each is skipped, then melded whole, then, for four
    of a kind, melded without each of its cards in turn.
    """
    while ranks:
        rank = lowest(ranks)
        cards = hand & (rank * RANK_COLUMN)
        melded = _next_set(cards, sets & cards)
        sets = (sets & ~cards) | melded
        if melded:
            return sets
        ranks ^= rank
    return U0


@kernel
def _next_set(cards: Mask, melded: Mask) -> Mask:
    if melded == U0:
        return cards
    if popcount(cards) == 3:
        return U0
    left_out = cards & ~melded
    higher = cards & ~(left_out | (left_out - U1)) if left_out else cards
    return cards & ~lowest(higher) if higher else U0


@kernel
def clashing_ranks(hand: Mask, ranks: Mask, runs: Mask) -> Mask:
    """Return those of the ranks held three times or more that have a card in some run."""
    return ranks_of(hand & (ranks * RANK_COLUMN) & runs)


@kernel
def _deadwood_clashing(hand: Mask, ranks: Mask, runs: Mask) -> Number:
    clashing = clashing_ranks(hand, ranks, runs)
    hand = hand & ~((ranks ^ clashing) * RANK_COLUMN)
    best = points(hand & ~runs)
    sets = next_sets(hand, clashing, U0)
    while sets:
        rest = hand & ~sets
        best = min(best, points(rest & ~run_cards(rest)))
        sets = next_sets(hand, clashing, sets)
    return best


@entry(types.int64(types.uint64))
def deadwood(hand: Mask) -> Number:
    """Return the least deadwood of a hand of up to 11 cards, in points, without discarding."""
    runs = run_cards(hand)
    ranks = set_ranks(hand)
    if ranks == U0:
        return points(hand & ~runs)
    sets = hand & (ranks * RANK_COLUMN)
    if sets & runs == U0:
        return points(hand & ~(runs | sets))
    return _deadwood_clashing(hand, ranks, runs)


@kernel
def dearest(loose: Mask) -> tuple[Number, Mask]:
    """Return the points of the dearest of some loose cards, at least one, and all cards worth as much."""
    rank = 63 - leading_zeros(ranks_of(loose))
    alike = TENS if rank >= TEN else RANK_COLUMN << np.uint64(rank)
    return min(rank + 1, 10), loose & alike


@kernel
def _discards_one_by_one(hand: Mask, barred: Mask) -> tuple[Number, Mask]:
    """Try every discard: for the rare hands whose best discard comes out of a meld."""
    best, cards = 999, U0
    left = hand & ~barred
    while left:
        card = lowest(left)
        left ^= card
        after = deadwood(hand ^ card)
        if after < best:
            best, cards = after, U0
        if after == best:
            cards |= card
    return best, cards


@kernel
def _throw_loose(loose: Mask, barred: Mask) -> tuple[Number, Mask]:
    """Return what is left of loose cards after throwing one of the dearest that may go, and these (0: none may)."""
    free = loose & ~barred
    if free == U0:
        return points(loose), U0
    saved, cards = dearest(free)
    return points(loose) - saved, cards


@kernel
def _discards_clashing(hand: Mask, barred: Mask, ranks: Mask, runs: Mask) -> tuple[Number, Mask]:
    """Go through the set choices for the ranks that clash with runs; cards are 0 if the best comes out of a meld."""
    best, cards = _throw_loose(hand & ~runs, barred)
    from_meld = cards == U0
    sets = next_sets(hand, ranks, U0)
    while sets:
        rest = hand & ~sets
        after, spare = _throw_loose(rest & ~run_cards(rest), barred)
        if after < best:
            best, cards, from_meld = after, spare, spare == U0
        elif after == best:
            cards |= spare
            from_meld |= spare == U0
        sets = next_sets(hand, ranks, sets)
    return best, U0 if from_meld else cards


@entry(types.Tuple((types.int64, types.uint64))(types.uint64, types.uint64))
def after_discard(hand: Mask, barred: Mask) -> tuple[Number, Mask]:
    """Return the least deadwood of eleven cards after one discard, and the mask of all cards that leave it.

    `barred` is a mask of cards that may not be thrown (the upcard just taken), 0 for none.
    """
    runs = run_cards(hand)
    ranks = set_ranks(hand)
    sets = hand & (ranks * RANK_COLUMN)
    if sets & runs == U0:
        left, cards = _throw_loose(hand & ~(runs | sets), barred)
    else:
        clashing = clashing_ranks(hand, ranks, runs)
        free_sets = sets & ~(clashing * RANK_COLUMN)
        left, cards = _discards_clashing(hand ^ free_sets, barred, clashing, runs)
    return (left, cards) if cards else _discards_one_by_one(hand, barred)


CLASHING = np.uint8(255)
"""Stands in for the deadwood of a hand that the first pass leaves to the second; no hand has as much."""


@entry(types.void(types.Array(types.uint64, 1, "C", readonly=True), types.Array(types.uint8, 1, "C")))
def deadwood_of_each(hands: Words, out: Words) -> None:
    """Write the least deadwood of each hand, uint64 of shape (n,), into `out`, uint8 of the same shape.

    The first pass has no branch, so the compiler works at eight hands at a time; it is right for every hand in which
    no set clashes with a run. The second pass solves the others.
    """
    for place in range(hands.size):
        hand = hands[place]
        runs = run_cards(hand)
        sets = hand & (set_ranks(hand) * RANK_COLUMN)
        left = np.uint8(points(hand & ~(runs | sets)))
        out[place] = CLASHING if sets & runs else left
    for place in range(hands.size):
        if out[place] == CLASHING:
            out[place] = deadwood(hands[place])
