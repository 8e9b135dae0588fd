"""What several players ask of their cards: neighbours, unseen cards, what is loose in the best spreads.

All are helpers: they run compiled inside a strategy, and as plain Python. Masks are 52-bit hands (np.uint64), cards
0..51 (suit * 13 + rank, ace low).
"""

from __future__ import annotations

import numpy as np

from sim.api import (
    FULL_DECK,
    RANK_COLUMN,
    TurnView,
    bit,
    deadwood,
    helper,
    lowest,
    next_sets,
    points,
    popcount,
    run_cards,
    set_ranks,
    trailing_zeros,
)

NO_CARDS = np.uint64(0)
DECK = np.uint64(FULL_DECK)


def _suited(card: int, reach: int) -> int:
    """Return the other cards of the suit at most `reach` ranks away, as a mask."""
    rank, first = card % 13, card - card % 13
    near = range(max(0, rank - reach), min(12, rank + reach) + 1)
    return sum(1 << first + r for r in near if r != rank)


def _alike(card: int) -> int:
    """Return the other three cards of the rank, as a mask."""
    return sum(1 << suit * 13 + card % 13 for suit in range(4) if suit != card // 13)


ALIKE = np.array([_alike(card) for card in range(52)], np.uint64)
"""For each card the three others of its rank (mask)."""
TOUCHING = np.array([_suited(card, 1) for card in range(52)], np.uint64)
"""For each card those of its suit one rank away (mask)."""
SUITED_NEAR = np.array([_suited(card, 2) for card in range(52)], np.uint64)
"""For each card those of its suit one or two ranks away (mask)."""
ADJOINERS = ALIKE | SUITED_NEAR
"""For each card those that could share a meld of three with it: its rank, and its suit within two ranks (mask)."""


@helper
def pip(card: int) -> int:
    """Return the deadwood points of a card."""
    return min(card % 13 + 1, 10)


@helper
def barred_card(view: TurnView) -> np.uint64:
    """Return the upcard just taken, which may not be thrown, as a mask; no card if there is none."""
    return bit(view.barred) if view.barred >= 0 else NO_CARDS


@helper
def unseen_cards(view: TurnView) -> np.uint64:
    """Return the cards a player cannot place: not his own, not in the pile, not known in the opponent's hand."""
    return DECK & ~(view.hand | view.pile | view.taken)


@helper
def in_a_meld(hand: np.uint64, card: np.uint64) -> bool:
    """Tell whether a card of a hand (a mask of one card) is in some meld of it, whatever else that would break."""
    return bool(run_cards(hand) & card or (set_ranks(hand) * RANK_COLUMN) & card)


@helper
def spread_of(hand: np.uint64) -> np.uint64:
    """Return the melded cards of the first least-deadwood spread of a hand, in the solver's order of set choices."""
    least, ranks, sets = deadwood(hand), set_ranks(hand), NO_CARDS
    while True:
        runs = run_cards(hand & ~sets)
        if points(hand & ~(sets | runs)) == least:
            return sets | runs
        sets = next_sets(hand, ranks, sets)


@helper
def ever_loose(hand: np.uint64) -> np.uint64:
    """Return the cards that are deadwood in at least one least-deadwood spread of a hand."""
    least, ranks, sets, loose = deadwood(hand), set_ranks(hand), NO_CARDS, NO_CARDS
    while True:
        left = hand & ~(sets | run_cards(hand & ~sets))
        if points(left) == least:
            loose |= left
        sets = next_sets(hand, ranks, sets)
        if sets == NO_CARDS:
            return loose


@helper
def danger(view: TurnView, card: int) -> int:
    """Return how welcome a card would be to the opponent, by its adjoiners (the measure of jdh8's HeuristicBot).

    Twice those he is known to hold, once those unseen, less twice those he threw or declined.
    """
    near = ADJOINERS[card]
    cool = view.thrown | view.declined
    return 2 * popcount(near & view.taken) + popcount(near & unseen_cards(view)) - 2 * popcount(near & cool)


@helper
def least_useful(view: TurnView, cards: np.uint64) -> int:
    """Return the card of a mask, at least one, that the opponent has least use for; of equals the dearest."""
    best, lowest_danger = -1, 0
    while cards:
        bit_of_card = lowest(cards)
        cards ^= bit_of_card
        card = trailing_zeros(bit_of_card)
        here = danger(view, card)
        if best < 0 or here < lowest_danger or (here == lowest_danger and pip(card) > pip(best)):
            best, lowest_danger = card, here
    return best


@helper
def loose_cards(hand: np.uint64) -> np.uint64:
    """Return the cards outside the first least-deadwood spread of a hand, without discarding.

    That spread is plain to see, and the only one, as long as no card is in both a run and a set.
    """
    runs, sets = run_cards(hand), hand & (set_ranks(hand) * RANK_COLUMN)
    melded = spread_of(hand) if runs & sets else runs | sets
    return hand & ~melded


@helper
def highest_rank(cards: np.uint64) -> int:
    """Return the card of the highest rank (kings first, aces last), the first in hand order of several; 0..51.

    `cards` is a mask of at least one card.
    """
    top, best = -1, 0
    while cards:
        card = trailing_zeros(cards)
        cards ^= lowest(cards)
        if card % 13 > top:
            top, best = card % 13, card
    return best


@helper
def race(view: TurnView) -> tuple[int, int]:
    """Return own and the opponent's points in the race that published single-game players look at.

    That is the first column open to both: the only column of an ordinary game. When none is open to both (columns
    may close by player) there is no race, and both have 0.
    """
    for column in range(3):
        if view.my_needs[column] >= 0 and view.their_needs[column] >= 0:
            return int(view.my_points[column]), int(view.their_points[column])
    return 0, 0


@helper
def own_turn(view: TurnView) -> int:
    """Return the number of a player's own turn in this deal, from 1; in the opening offer 1."""
    return (view.turn + 1) // 2


@helper
def score_lead(view: TurnView) -> int:
    """Return own points less the opponent's in the `race`."""
    mine, theirs = race(view)
    return mine - theirs


@helper
def shifted_limit(base: int, awareness: int, mine: int, theirs: int, to_go: int) -> int:
    """Return a knock limit in points, not below 0, raised by a lead and lowered by a deficit.

    base + awareness * (mine - theirs) / to_go, divided towards zero (the formula of jdh8's HeuristicBot); `to_go` is
    what the leader still needs, at least 1.
    """
    shift = awareness * abs(mine - theirs) // max(1, to_go)
    return max(0, base + (shift if mine > theirs else -shift))
