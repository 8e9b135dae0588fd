"""SIGRA: weighs a hand by its deadwood, by how near its loose cards are to melds, and by what the opponent may need.

A hand is worth, the less the better, its deadwood less two sums. The first is over its loose cards: the points of the
card times the share of the unseen cards that would meld it together with another card of the hand. The second is over
all its cards: the points of the card times the chance that the opponent waits for it, that is, holds the two other
cards of a meld of three of which at least one is known; an unknown one counts as one in so many unseen cards. A rank
that the opponent has thrown or declined is not expected to be a set of his. Takes the upcard if the best hand after
that is worth more than the mean of the best hands after drawing each of the unseen cards, and throws what leaves the
best hand. Stubborn, it knocks with gin alone; else when the card it would throw leaves 10 or less.

Unclear in the source, and how it is decided here. Both sums go through melds of three cards only, as every longer meld
of a card holds one of three. Loose are the cards outside the first least-deadwood spread. The value of a hand is that
of the moment: a card just thrown, or drawn in thought, is no longer unseen. Gin is never missed. Equal discards are
settled at random. Which of the two knocks is the published default is not said. Stubborn, it wins more where gin and
undercut pay 25 (75% against 59% of games with simple), less in Hollywood (49% against 61%). No results are published.

Source: SIGRA, Goldman et al., AAAI-21, doi 10.1609/aaai.v35i17.17826 (cudy789/gin-rummy-SIGRA).
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from sim.api import (
    RANK_COLUMN,
    Param,
    Strategy,
    TurnView,
    after_discard,
    bit,
    deadwood,
    helper,
    lowest,
    pick,
    points,
    popcount,
    ranks_of,
)
from strategies.draws import (
    NO_LIMIT,
    ONE_SUIT,
    THREE_SUITS,
    TWO_SUITS,
    leaving,
    one_down,
    one_up,
)
from strategies.tools import DECK, NO_CARDS, barred_card, loose_cards, unseen_cards

KNOCK_AT = 10  # deadwood points
NO_VALUE = 1e9
MOST_MELDS = 6
"""Melds of three cards that hold a given card: three runs and three sets."""


class Params(NamedTuple):
    """What a hand is worth, and when to knock."""

    hope: Annotated[float, Param(0, 5, "points a point", "weight of the points that one draw could meld")] = 0.85
    fear: Annotated[float, Param(0, 5, "points a point", "weight of the points the opponent may be waiting for")] = 1
    stubborn: Annotated[bool, Param(0, 1, "", "knock with gin alone; else with 10 or less")] = True


class Table(NamedTuple):
    """What a player knows of the cards he does not hold (masks)."""

    unseen: np.uint64
    taken: np.uint64
    in_sets: np.uint64
    """The cards of the ranks that may be sets of the opponent."""


def take_upcard(view: TurnView, p: Params) -> bool:
    """Take the upcard if that is worth more than a card from the stock."""
    return _upcard_is_better(view, p)


def choose_discard(view: TurnView, p: Params) -> int:
    """Throw what leaves the best hand; with a knock among the cards within the limit, with gin for gin."""
    if view.deadwood == 0:
        return pick(view.best_discards, view.noise)
    return _choice(view, p, view.knock_limit if view.knocking else NO_LIMIT)


def should_knock(view: TurnView, p: Params) -> bool:
    """Knock with gin; unless stubborn, also if the card to be thrown leaves 10 or less."""
    if view.deadwood == 0 or p.stubborn:
        return view.deadwood == 0
    return deadwood(view.hand ^ bit(_choice(view, p, NO_LIMIT))) <= min(KNOCK_AT, view.knock_limit)


@helper
def _beside(cards: np.uint64) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    """Return the cards that have one of some cards two below, one below, one above, two above in their suit (masks)."""
    below, above = one_up(cards), one_down(cards)
    return one_up(below), below, above, one_down(above)


@helper
def _alike(cards: np.uint64) -> tuple[np.uint64, np.uint64, np.uint64]:
    """Return the cards that have one of some cards in their rank one, two, three suits further on (masks)."""
    return (
        (cards << ONE_SUIT | cards >> THREE_SUITS) & DECK,
        (cards << TWO_SUITS | cards >> TWO_SUITS) & DECK,
        (cards << THREE_SUITS | cards >> ONE_SUIT) & DECK,
    )


@helper
def _points_by_meld(cards: np.uint64, in_sets: np.uint64, ones: np.uint64, others: np.uint64) -> int:
    """Return the points of some cards, each once for every meld of it that one of `ones` and one of `others` fill.

    Only those also among `in_sets` are looked for in sets.
    """
    a, b, c, d = _beside(ones)
    e, f, g, h = _beside(others)
    runs = points(cards & (a & f | b & e)) + points(cards & (b & g | c & f)) + points(cards & (c & h | d & g))
    i, j, k = _alike(ones)
    m, n, o = _alike(others)
    cards &= in_sets
    return runs + points(cards & (i & n | j & m)) + points(cards & (i & o | k & m)) + points(cards & (j & o | k & n))


@helper
def _hoped(hand: np.uint64, loose: np.uint64, unseen: np.uint64, hope: float) -> float:
    """Return the worth of the points among the loose cards of a hand that one unseen card would meld."""
    return hope * _points_by_meld(loose, DECK, hand, unseen) / popcount(unseen)


@helper
def _feared(cards: np.uint64, table: Table, fear: float) -> float:
    """Return the worth of the points among some own cards that the opponent may be waiting for."""
    if table.taken == NO_CARDS:
        return 0.0
    sure = _points_by_meld(cards, table.in_sets, table.taken, table.taken)
    return fear * (sure + _points_by_meld(cards, table.in_sets, table.taken, table.unseen) / popcount(table.unseen))


@helper
def hand_value(hand: np.uint64, table: Table, p: Params) -> float:
    """Return the value of a hand, the less the better."""
    loose = loose_cards(hand)
    return points(loose) - _hoped(hand, loose, table.unseen, p.hope) - _feared(hand, table, p.fear)


@helper
def _best_hand(eleven: np.uint64, sheds: np.uint64, table: Table, p: Params) -> tuple[float, np.uint64]:
    """Return the value of the best hand after one of some discards, and the discards that leave it."""
    fear = _feared(eleven, table, p.fear)
    # No card counts in more than so many melds: what a hand is worth at most, by its deadwood.
    share = 1 - p.hope * MOST_MELDS / popcount(table.unseen)
    best, value = NO_CARDS, NO_VALUE
    first = after_discard(eleven, eleven & ~sheds)[1]
    left, later = first, sheds & ~first
    while left:
        card = lowest(left)
        left ^= card
        ten = eleven ^ card
        loose = loose_cards(ten)
        kept = fear - _feared(card, table, p.fear)
        if points(loose) * share - kept <= value:
            here = points(loose) - _hoped(ten, loose, table.unseen, p.hope) - kept
            if here < value:
                best, value = NO_CARDS, here
            if here == value:
                best |= card
        if left == NO_CARDS:
            left, later = later, NO_CARDS
    return value, best


@helper
def _upcard_is_better(view: TurnView, p: Params) -> bool:
    """Tell whether the best hand with the upcard is worth more than the mean of the best ones from the stock."""
    hand, card = np.uint64(view.hand), bit(view.upcard)
    table = _table(view)
    taking = _best_hand(hand | card, hand, table, p)[0]
    # On average over the draws, to throw the card drawn is worth as much as the hand now: the stock is no worse.
    if taking >= hand_value(hand, table, p):
        return False
    if taking < _mean_at_most(hand, table, p):
        return True
    left, total, count = table.unseen, 0.0, popcount(table.unseen)
    while left:
        drawn = lowest(left)
        left ^= drawn
        total += _best_hand(hand | drawn, hand | drawn, Table(table.unseen ^ drawn, table.taken, table.in_sets), p)[0]
    return taking < total / count


@helper
def _mean_at_most(hand: np.uint64, table: Table, p: Params) -> float:
    """Return what the best hands after drawing each unseen card are worth on average at most, by their deadwood."""
    left, total, count = table.unseen, 0, popcount(table.unseen)
    while left:
        drawn = lowest(left)
        left ^= drawn
        total += after_discard(hand | drawn, NO_CARDS)[0]
    fear = _feared(hand, table, p.fear) + _feared(table.unseen, table, p.fear) / (count - 1)
    return total / count * (1 - p.hope * MOST_MELDS / (count - 1)) - fear


@helper
def _table(view: TurnView) -> Table:
    """Return what a player knows of the cards he does not hold."""
    refused = ranks_of(np.uint64(view.thrown | view.declined)) * RANK_COLUMN
    return Table(unseen_cards(view), np.uint64(view.taken), DECK & ~refused)


@helper
def _choice(view: TurnView, p: Params, limit: int) -> int:
    """Return the card to throw among those that leave at most so much deadwood."""
    sheds = leaving(view.hand, view.hand & ~barred_card(view), limit)
    if sheds == NO_CARDS:
        sheds = np.uint64(view.best_discards)
    return pick(_best_hand(np.uint64(view.hand), sheds, _table(view), p)[1], view.noise)


STRATEGY = Strategy(
    name="sigra",
    summary="weighs hands by what may yet meld and what the opponent waits for",
    source="SIGRA, Goldman et al., AAAI-21",
    take_upcard=take_upcard,
    choose_discard=choose_discard,
    should_knock=should_knock,
    params=Params,
)
