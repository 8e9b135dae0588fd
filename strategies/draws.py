"""What one more card could do for a hand: the cards that would meld, and the best hands after a draw; and spreads.

All are helpers, as those of `strategies.tools`. Masks are 52-bit hands (np.uint64), cards 0..51 (suit * 13 + rank, ace
low).
"""

from __future__ import annotations

import numpy as np

from sim.api import (
    RANK_COLUMN,
    after_discard,
    deadwood,
    helper,
    lowest,
    next_sets,
    points,
    popcount,
    run_cards,
    set_ranks,
)
from strategies.tools import DECK, NO_CARDS

NO_LIMIT = 999
"""More deadwood than any hand holds."""
ONE = np.uint64(1)
NOT_ACES = DECK & ~RANK_COLUMN
NOT_KINGS = DECK & ~(RANK_COLUMN << np.uint64(12))
ONE_SUIT, TWO_SUITS, THREE_SUITS = np.uint64(13), np.uint64(26), np.uint64(39)
RANK_RANGE = np.uint64(0x1FFF)
LANE_BITS = np.uint64(8)
LANE_TOPS, LANE_ONES = np.uint64(0x8080808080808080), np.uint64(0x0101010101010101)
NO_VALUES = np.uint64(0x7F7F7F7F7F7F7F7F)
"""Eight lanes of a word, each holding 127: more than any deadwood."""
EVEN_LANES = np.uint64(0x00FF00FF00FF00FF)
SUM_BITS = np.uint64(0xFFFF)
PIP_RANKS = 10
"""The ranks ace to ten have points of their own; jacks, queens and kings count as tens."""
TENS = RANK_COLUMN << np.uint64(9) | RANK_COLUMN << np.uint64(10) | RANK_COLUMN << np.uint64(11) | ~NOT_KINGS & DECK


@helper
def one_up(cards: np.uint64) -> np.uint64:
    """Return the cards one rank above those of a mask, in their suits (mask)."""
    return (cards & NOT_KINGS) << ONE


@helper
def one_down(cards: np.uint64) -> np.uint64:
    """Return the cards one rank below those of a mask, in their suits (mask)."""
    return (cards & NOT_ACES) >> ONE


@helper
def sets_and_runs(hand: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Return the cards in sets and those in runs of the first least-deadwood spread of a hand, as `spread_of` does."""
    ranks, runs = set_ranks(hand), run_cards(hand)
    sets = hand & (ranks * RANK_COLUMN)
    if sets & runs == NO_CARDS:
        return sets, runs
    least, sets = deadwood(hand), NO_CARDS
    while points(hand & ~(sets | runs)) != least:
        sets = next_sets(hand, ranks, sets)
        runs = run_cards(hand & ~sets)
    return sets, runs


@helper
def leaving(hand: int, cards: np.uint64, limit: int) -> np.uint64:
    """Return those of some cards of a hand that leave at most so much deadwood when thrown."""
    if limit >= NO_LIMIT:
        return cards
    kept, left = NO_CARDS, cards
    while left:
        card = lowest(left)
        left ^= card
        if deadwood(hand ^ card) <= limit:
            kept |= card
    return kept


@helper
def pair_ranks(hand: np.uint64) -> np.uint64:
    """Return the ranks of which a hand holds two or more, marked at the clubs (mask)."""
    c, d, h, s = hand, hand >> ONE_SUIT, hand >> TWO_SUITS, hand >> THREE_SUITS
    return (c & d | h & s | (c | d) & (h | s)) & RANK_RANGE


@helper
def would_meld(hand: np.uint64) -> np.uint64:
    """Return every card that is in some meld once it is added to a hand (mask; its own cards do not count)."""
    above, below = one_up(hand), one_down(hand)
    runs = above & one_up(above) | above & below | below & one_down(below)
    return runs | pair_ranks(hand) * RANK_COLUMN


@helper
def add_value(least: np.uint64, value: int) -> np.uint64:
    """Return the eight least of up to eight values and one more (0..127): bytes of a word, the least in the lowest."""
    at_least = ((least | LANE_TOPS) - np.uint64(value) * LANE_ONES) & LANE_TOPS
    if at_least == NO_CARDS:
        return least
    lower = (lowest(at_least) >> np.uint64(7)) - ONE  # all lanes that hold less
    first = lowest(at_least) >> np.uint64(7)
    return (least & lower) | first * np.uint64(value) | ((least & ~lower) << LANE_BITS)


@helper
def mean_value(least: np.uint64, count: int) -> float:
    """Return the mean of the `count` (1..8) lowest bytes of a word."""
    kept = least << np.uint64(64 - 8 * count)
    pairs = (kept & EVEN_LANES) + ((kept >> LANE_BITS) & EVEN_LANES)
    halves = pairs + (pairs >> np.uint64(32))
    return np.int64((halves + (halves >> np.uint64(16))) & SUM_BITS) / count


@helper
def least_after_draws(hand: np.uint64, unseen: np.uint64) -> np.uint64:
    """Return the eight least deadwoods of ten cards after drawing one of the unseen cards and throwing any card.

    A card that joins no meld adds its points to the best nine cards, or is thrown again: so only the cards that would
    meld are solved one by one. Eight bytes of a word as in `add_value`, 127 where there are fewer unseen cards.
    """
    joining = would_meld(hand) & unseen
    least, left = NO_VALUES, joining
    while left:
        card = lowest(left)
        left ^= card
        least = add_value(least, after_discard(hand | card, NO_CARDS)[0])
    now, nine = deadwood(hand), after_discard(hand, NO_CARDS)[0]
    others = unseen & ~joining
    for rank in range(PIP_RANKS):
        value = min(now, nine + rank + 1)
        for _ in range(popcount(others & (TENS if rank == PIP_RANKS - 1 else RANK_COLUMN << np.uint64(rank)))):
            before = least
            least = add_value(least, value)
            if least == before:
                return least
    return least
