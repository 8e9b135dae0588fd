"""Hands sorted into groups, cards drawn at random, and a simple layoff.

All are helpers: they run compiled inside a strategy, and as plain Python. Masks are 52-bit hands (np.uint64), cards
0..51 (suit * 13 + rank, ace low). A hand sorted into groups is melds, then partial groups (two cards that touch in
suit, pairs), then loose cards.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from sim.api import (
    RANK_COLUMN,
    bit,
    deadwood,
    helper,
    lowest,
    next_sets,
    pick,
    points,
    popcount,
    ranks_of,
    run_cards,
    set_ranks,
)
from strategies.tools import NO_CARDS

Mask: TypeAlias = "int | np.uint64"
"""What a type checker may see in place of a mask: fields of a view are ints to it."""


def _run_mates(card: int) -> list[int]:
    """Return the other two cards of each run of three with a card, as masks; 0 where the suit has no such run."""
    rank = card % 13
    firsts = [first if 0 <= first <= 10 else None for first in (rank - 2, rank - 1, rank)]
    return [0 if first is None else (7 << card - rank + first) ^ (1 << card) for first in firsts]


RUN_MATES = np.array([_run_mates(card) for card in range(52)], np.uint64)
"""For each card the pairs that make a run of three with it, shape (52, 3) (masks, 0: no such run)."""

SUIT = np.uint64((1 << 13) - 1)
NO_ACES = ~RANK_COLUMN
NO_KINGS = ~(RANK_COLUMN << np.uint64(12))
ONE = np.uint64(1)
SHIFTS = np.uint64(13), np.uint64(7), np.uint64(17)


@helper
def touching(cards: Mask) -> np.uint64:
    """Return the cards one rank above or below some card of a mask, in its suit."""
    return ((cards & NO_KINGS) << ONE) | ((cards & NO_ACES) >> ONE)


@helper
def ranks_alike(cards: Mask) -> np.uint64:
    """Return all cards of the ranks that occur in a mask."""
    return ranks_of(cards) * RANK_COLUMN


@helper
def paired(cards: Mask) -> np.uint64:
    """Return the cards of a mask that share their rank with another of it."""
    c, d = cards & SUIT, (cards >> np.uint64(13)) & SUIT
    h, s = (cards >> np.uint64(26)) & SUIT, cards >> np.uint64(39)
    return cards & (((c & d) | (h & s) | ((c | d) & (h | s))) * RANK_COLUMN)


@helper
def melded_sets(hand: Mask) -> np.uint64:
    """Return the cards in sets of the spread a player lays who looks for runs first.

    Runs come before sets; a run gives way to a set only where that leaves fewer points. The runs are those of the
    other cards.
    """
    others = hand & ~run_cards(hand)
    sets, least = others & (set_ranks(others) * RANK_COLUMN), deadwood(hand)
    if points(others & ~sets) == least:
        return sets
    ranks = set_ranks(hand)
    sets = next_sets(hand, ranks, NO_CARDS)
    while sets:
        rest = hand & ~sets
        if points(rest & ~run_cards(rest)) == least:
            break
        sets = next_sets(hand, ranks, sets)
    return sets


@helper
def loose_cards(hand: Mask) -> np.uint64:
    """Return the cards outside the melds of a hand, in the spread of `melded_sets`."""
    sets = melded_sets(hand)
    return hand & ~(sets | run_cards(hand & ~sets))


@helper
def sorted_hand(hand: Mask) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    """Return the cards of a hand in sets, in runs, in partial groups, and the loose ones."""
    sets = melded_sets(hand)
    runs = run_cards(hand & ~sets)
    rest = hand & ~(sets | runs)
    partial = rest & touching(rest)
    partial |= paired(rest & ~partial)
    return sets, runs, partial, rest & ~partial


@helper
def joiners(hand: Mask) -> np.uint64:
    """Return the cards that would extend a meld or a partial group of a hand."""
    sets, runs, partial, _ = sorted_hand(hand)
    pairs = partial & ~touching(partial)
    return (ranks_alike(sets | pairs) | touching(runs | (partial & ~pairs))) & ~hand


@helper
def spare_melded(sets: Mask, runs: Mask) -> np.uint64:
    """Return the cards of melds longer than three that may go without breaking their meld."""
    four = (sets & SUIT) & (sets >> np.uint64(13)) & (sets >> np.uint64(26)) & (sets >> np.uint64(39))
    spare, left = sets & (four * RANK_COLUMN), runs
    while left:
        card = lowest(left)
        left ^= card
        if run_cards(runs ^ card) == runs ^ card:
            spare |= card
    return spare


@helper
def next_noise(word: np.uint64) -> np.uint64:
    """Return the random word after one that is not 0 (Marsaglia's xorshift)."""
    word ^= word << SHIFTS[0]
    word ^= word >> SHIFTS[1]
    return word ^ (word << SHIFTS[2])


@helper
def some_cards(cards: Mask, count: int, noise: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Return so many random cards of a mask (all if it has no more), and the noise for the next draw.

    `noise` is a random word that is not 0.
    """
    chosen = NO_CARDS
    for _ in range(min(count, popcount(cards))):
        noise = next_noise(noise)
        chosen |= bit(pick(cards & ~chosen, noise))
    return chosen, noise


@helper
def after_layoff(hand: Mask, sets: Mask, runs: Mask) -> int:
    """Return the deadwood of a defender who melds first and then lays off what fits the knocker's sets and runs.

    Mostly the engine's joint optimum, never less: he breaks no meld of his own to lay off more.
    """
    loose = loose_cards(hand)
    laid = touching(runs) & loose
    while laid:
        loose ^= laid
        laid = touching(laid) & loose
    return points(loose & ~ranks_alike(sets))
