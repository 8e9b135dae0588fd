"""What happens after a knock: the knocker's spread, and the defender's joint best of melding and laying off.

A spread is two masks: the cards in sets and the cards in runs. Given the sets, the runs are forced (see
`sim.melds`), and so is the best layoff once the defender has chosen his own sets: a block of touching cards counts
nothing when it is a run of its own or touches a run of the knocker; a fourth card goes on a set if it is of no use
in its suit. So both players' choices are a loop over set choices.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sim.bits import U0, U1, Mask, Number, lowest, trailing_zeros
from sim.jit import kernel
from sim.melds import (
    ALL_CARDS,
    RANK_COLUMN,
    TEXT_RANK,
    clashing_ranks,
    next_sets,
    points,
    ranks_of,
    run_cards,
    set_ranks,
)

KINGS = RANK_COLUMN << np.uint64(12)
NOT_ACES, NOT_KINGS = ALL_CARDS & ~RANK_COLUMN, ALL_CARDS & ~KINGS


@kernel
def chained(cards: Mask, runs: Mask) -> Mask:
    """Return those of the cards that can be laid off on the runs, one after the other at either end."""
    reach = runs
    while True:
        grown = reach | (((reach & NOT_KINGS) << U1 | (reach & NOT_ACES) >> U1) & cards)
        if grown == reach:
            return reach & cards
        reach = grown


@kernel
def open_to_sets(sets: Mask) -> Mask:
    """Return the fourth cards that the sets of three among `sets` would take."""
    return (ranks_of(sets) * RANK_COLUMN) & ~sets


@kernel
def left_over(cards: Mask, sets: Mask, runs: Mask) -> Mask:
    """Return the cards the defender cannot get rid of, his own sets being put aside already."""
    return cards & ~(run_cards(cards) | chained(cards, runs) | open_to_sets(sets))


@kernel
def defend(defender: Mask, sets: Mask, runs: Mask) -> tuple[Number, Mask]:
    """Return the defender's least deadwood after layoffs on a spread, and the cards he keeps in sets of his own."""
    ranks = set_ranks(defender)
    if ranks == U0:
        return points(left_over(defender, sets, runs)), U0
    best, kept = 999, U0
    own = next_sets(defender, ranks, U0)
    while True:
        left = points(left_over(defender & ~own, sets, runs))
        if left < best:
            best, kept = left, own
        if own == U0:
            return best, kept
        own = next_sets(defender, ranks, own)


@kernel
def choose_spread(hand: Mask, known: Mask, others: Mask) -> tuple[Mask, Mask]:
    """Return the spread (sets, runs) a knocker lays, decided from what he can see.

    Among his least-deadwood spreads: least points that the cards `known` to be in the defender's hand could lay
    off, then least that the `others` could, chains included, then least spread text. `others` are all cards outside
    his hand and the discard pile that are not known.
    """
    runs = run_cards(hand)
    ranks = set_ranks(hand)
    sets = hand & (ranks * RANK_COLUMN)
    if sets & runs == U0:
        return sets, runs
    clashing = clashing_ranks(hand, ranks, runs)
    free = hand & ((ranks ^ clashing) * RANK_COLUMN)
    best, rank = U0, (999, 999, 999)
    chosen = U0
    while True:
        sets = chosen | free
        rest = hand & ~sets
        runs = run_cards(rest)
        deadwood = points(rest & ~runs)
        if deadwood <= rank[0]:
            here = (deadwood, *_exposure(sets, runs, known, others))
            if here < rank or (here == rank and _reads_before(hand, sets, best)):
                best, rank = sets, here
        chosen = next_sets(hand, clashing, chosen)
        if chosen == U0:
            return best, run_cards(hand & ~best)


@kernel
def _exposure(sets: Mask, runs: Mask, known: Mask, others: Mask) -> tuple[Number, Number]:
    """Return the points that the known cards, and the others helped by the known, could lay off on a spread."""
    fourth = open_to_sets(sets)
    both = known | others
    return points(chained(known, runs) | fourth & known), points((chained(both, runs) | fourth) & others)


@kernel
def _reads_before(hand: Mask, sets: Mask, other_sets: Mask) -> bool:
    """Tell whether the spread with `sets` comes before that with `other_sets` in text order."""
    mine, theirs = melds_of(hand, sets), melds_of(hand, other_sets)
    for place in range(mine.size):
        if place == theirs.size or mine[place] != theirs[place]:
            return place < theirs.size and _meld_reads_before(mine[place], theirs[place])
    return mine.size < theirs.size


@kernel
def melds_of(hand: Mask, sets: Mask) -> npt.NDArray[np.uint64]:
    """Return the melds of the spread of `hand` with these sets, sorted by their text: uint64 of shape (n_melds,)."""
    melds = np.zeros(4, np.uint64)
    runs = run_cards(hand & ~sets)
    count = 0
    while sets | runs:
        if sets:
            meld = sets & (lowest(ranks_of(sets)) * RANK_COLUMN)
        else:
            first = lowest(runs)
            meld = first | chained(runs, first)
        sets, runs = sets & ~meld, runs & ~meld
        place = count
        while place > 0 and _meld_reads_before(meld, melds[place - 1]):
            melds[place] = melds[place - 1]
            place -= 1
        melds[place] = meld
        count += 1
    return melds[:count]


@kernel
def _meld_reads_before(meld: Mask, other: Mask) -> bool:
    """Tell whether a meld's text, cards in card-index order, comes before another's."""
    while meld and other:
        card, rival = trailing_zeros(meld), trailing_zeros(other)
        if card != rival:
            mine, theirs = TEXT_RANK[card % 13], TEXT_RANK[rival % 13]
            return mine < theirs or (mine == theirs and card < rival)
        meld ^= lowest(meld)
        other ^= lowest(other)
    return meld == U0 and other != U0
