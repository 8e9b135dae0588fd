"""MARJJ: throws what leaves the best hands to hope for and helps the opponent least, and plays for gin.

Takes the upcard if it is melded in the least-deadwood spread of the eleven cards and lowers the deadwood. Throws, of
the dear loose cards, the one with the least sum of three: the deadwood it leaves; the mean of the seven best deadwoods
one draw can then lead to, weighed 18 at first and a tenth less with each turn of one's own; and a danger, of use to
the opponent's known cards and of safety where cards he would need are in the pile or in one's own hand. Knocks short
of gin in its first three turns only.

Unclear in the source, and how it is decided here. The spread that decides a draw is, of the least-deadwood ones, that
to which single cards in neither hand nor pile could lay off fewest points, the first found if equal. Past ace and king
nothing is available; a queen, as in the source by mistake, has no available king either. Points for cards that are
gone and for cards the opponent holds are added up. A knock is decided after the discard in the source: so it knocks if
the card it would throw leaves little enough. Gin is never missed. The spread of a knock and layoffs are the engine's.
It wins some 77% of games against simple (published 79.2, from 77.1 to 81.2) and 73% against heuristic (published 70.8,
from 70.0 to 71.6, for a port of another host; knocking in the first two turns only, ours wins 71.3%).

Source: MARJJ v5 of Ahmed et al. (Penn State Harrisburg, AAAI-21, doi 10.1609/aaai.v35i17.17820), published after their
player had won the EAAI 2021 Gin Rummy challenge. The paper has 20 for 18 and six cards for seven.
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
    dearest,
    helper,
    lowest,
    next_sets,
    pick,
    points,
    popcount,
    ranks_of,
    run_cards,
    set_ranks,
    trailing_zeros,
)
from strategies.draws import (
    NO_LIMIT,
    least_after_draws,
    leaving,
    mean_value,
    one_down,
    one_up,
)
from strategies.tools import (
    ALIKE,
    DECK,
    NO_CARDS,
    barred_card,
    ever_loose,
    in_a_meld,
    own_turn,
    pip,
    unseen_cards,
)

NO_SCORE = 1e9
TWO_BELOW, BELOW, ABOVE, TWO_ABOVE = 1, 2, 8, 16
"""The neighbours of a card in its suit, as bits of a window of five; the card itself is 4."""
SUIT_MASK, WINDOW_MASK, EDGE_BITS = np.uint64(0x1FFF), np.uint64(0b11111), np.uint64(2)
EDGES = np.uint64(0b11 << 15 | 0b11)
"""Two places below the ace and two above the king, in a suit moved up by two."""
QUEEN = 11


def _makes_run(window: int) -> bool:
    """Tell whether the neighbours in a window and the card itself hold a run of three."""
    return any(window & pair == pair for pair in (TWO_BELOW | BELOW, BELOW | ABOVE, ABOVE | TWO_ABOVE))


def _is_blocked(gone: int) -> bool:
    """Tell whether a neighbour and one on the other side are gone, so that no run can hold the card."""
    return bool((gone & BELOW and gone & (ABOVE | TWO_ABOVE)) or (gone & ABOVE and gone & (BELOW | TWO_BELOW)))


def _by_distance(window: int, near: int, far: int) -> int:
    """Return `near` for each neighbour in a window and `far` for each card two ranks away."""
    return near * sum(window & b > 0 for b in (BELOW, ABOVE)) + far * sum(
        window & b > 0 for b in (TWO_BELOW, TWO_ABOVE)
    )


GONE_DANGER = np.array([-10 if _is_blocked(w) else _by_distance(w, -5, -3) for w in range(32)])
"""Danger by the window of cards that the opponent can no longer get."""
HELD_DANGER = np.array([20 if _makes_run(w) else _by_distance(w, 5, 3) for w in range(32)])
"""Danger by the window of cards that the opponent is known to hold."""


class Params(NamedTuple):
    """What a discard is worth, and when to knock."""

    hope: Annotated[float, Param(0, 40, "points a point", "weight of the hands one draw can lead to, at first")] = 18
    fading: Annotated[float, Param(0, 1, "", "what is left of that weight from one own turn to the next")] = 0.9
    draws: Annotated[int, Param(1, 8, "cards", "how many of the best draws are hoped for")] = 7
    cheaper: Annotated[int, Param(0, 9, "points", "how much cheaper than the dearest loose card a discard may be")] = 5
    worse: Annotated[int, Param(0, 100, "points", "how much more deadwood than the least a discard may leave")] = 5
    caution: Annotated[float, Param(0, 10, "", "weight of the danger of a discard")] = 1
    knock_turns: Annotated[int, Param(0, 100, "own turns", "how long it knocks short of gin")] = 3
    knock_at: Annotated[int, Param(0, 10, "points", "the deadwood it then knocks with, or less")] = 10


def take_upcard(view: TurnView, p: Params) -> bool:
    """Take the upcard if it lowers deadwood and is melded in the spread that is hardest to lay off on."""
    card = bit(view.upcard)
    eleven = view.hand | card
    if not in_a_meld(eleven, card) or after_discard(eleven, card)[0] >= view.deadwood:
        return False
    return bool(_hardest_spread(eleven, DECK & ~(eleven | view.pile)) & card)


def choose_discard(view: TurnView, p: Params) -> int:
    """Throw the card of the best score; with a knock one of those within the limit, with gin one that leaves none."""
    if view.deadwood == 0:
        return pick(view.best_discards, view.noise)
    return _choice(view, p, view.knock_limit if view.knocking else NO_LIMIT)


def should_knock(view: TurnView, p: Params) -> bool:
    """Knock with gin; in the first turns also if the card to be thrown leaves little."""
    if view.deadwood == 0:
        return True
    if own_turn(view) > p.knock_turns or view.deadwood > p.knock_at:
        return False
    left = deadwood(view.hand ^ bit(_choice(view, p, NO_LIMIT)))
    return left <= min(p.knock_at, view.knock_limit)


@helper
def _choice(view: TurnView, p: Params, limit: int) -> int:
    """Return the card to throw among those that leave at most so much deadwood."""
    sheds = leaving(view.hand, _candidates(view, p), limit)
    return pick(_best_scored(view, p, sheds) if sheds else view.best_discards, view.noise)


@helper
def _hardest_spread(hand: np.uint64, others: np.uint64) -> np.uint64:
    """Return the melded cards of the least-deadwood spread on which fewest points of the other cards lay off."""
    least, ranks, sets = deadwood(hand), set_ranks(hand), NO_CARDS
    melded, fewest = NO_CARDS, 999
    while True:
        runs = run_cards(hand & ~sets)
        if points(hand & ~(sets | runs)) == least:
            fits = one_up(runs) | one_down(runs) | ranks_of(sets) * RANK_COLUMN
            exposed = points(fits & others)
            if exposed < fewest:
                melded, fewest = sets | runs, exposed
        sets = next_sets(hand, ranks, sets)
        if sets == NO_CARDS:
            return melded


@helper
def _candidates(view: TurnView, p: Params) -> np.uint64:
    """Return the dear loose cards that leave little deadwood, or every legal discard if no card is loose."""
    barred = barred_card(view)
    loose = ever_loose(np.uint64(view.hand)) & ~barred
    if loose == NO_CARDS:
        return view.hand & ~barred
    dear = _dear(loose, p.cheaper)
    return leaving(view.hand, dear, _least_left(view.hand, dear) + p.worse)


@helper
def _dear(loose: np.uint64, cheaper: int) -> np.uint64:
    """Return those of some cards that are worth at most so much less than the dearest."""
    floor, dear, left = dearest(loose)[0] - cheaper, NO_CARDS, loose
    while left:
        card = lowest(left)
        left ^= card
        if pip(trailing_zeros(card)) >= floor:
            dear |= card
    return dear


@helper
def _least_left(hand: int, cards: np.uint64) -> int:
    """Return the least deadwood that throwing one of the cards leaves."""
    least, left = 999, cards
    while left:
        card = lowest(left)
        left ^= card
        least = min(least, deadwood(hand ^ card))
    return least


@helper
def _best_scored(view: TurnView, p: Params, sheds: np.uint64) -> np.uint64:
    """Return the cards of the least score among some discards."""
    if popcount(sheds) == 1:
        return sheds
    hope, unseen = p.hope, unseen_cards(view)
    for _ in range(1, own_turn(view)):  # by hand: compiled powers are rounded otherwise than those of plain Python
        hope *= p.fading
    draws = min(p.draws, popcount(unseen))
    best, lowest_score, left = NO_CARDS, NO_SCORE, sheds
    while left:
        card = lowest(left)
        left ^= card
        ten = view.hand ^ card
        future = mean_value(least_after_draws(ten, unseen), draws)
        score = deadwood(ten) + hope * future + p.caution * danger(view, trailing_zeros(card))
        if score < lowest_score:
            best, lowest_score = NO_CARDS, score
        if score == lowest_score:
            best |= card
    return best


@helper
def danger(view: TurnView, card: int) -> int:
    """Return how much use a card may be to the opponent; below zero where cards he would need are gone."""
    gone = view.hand | view.pile
    beside = _window(gone, card, EDGES)
    if card % 13 == QUEEN:
        beside |= ABOVE
    run = GONE_DANGER[beside] + HELD_DANGER[_window(view.taken, card, NO_CARDS)]
    return run + _set_danger(popcount(ALIKE[card] & gone) + 1, popcount(ALIKE[card] & view.taken))


@helper
def _window(cards: int, card: int, edges: np.uint64) -> np.int64:
    """Return which of the two cards on either side of a card are in a mask, as a window."""
    suit = (cards >> np.uint64(card - card % 13)) & SUIT_MASK
    return np.int64(((suit << EDGE_BITS | edges) >> np.uint64(card % 13)) & WINDOW_MASK)


@helper
def _set_danger(gone: int, held: int) -> int:
    """Return the danger from the rank: of its four cards so many are gone, this one too, and so many the opponent's."""
    danger = -10 if gone >= 3 else -4 if gone == 2 else 0
    if held >= 2:
        return danger + 20
    return danger + 4 if gone == 1 else danger


STRATEGY = Strategy(
    name="marjj",
    summary="keeps the best hands to hope for, gives little away, plays for gin",
    source="MARJJ v5, Ahmed et al., AAAI-21",
    take_upcard=take_upcard,
    choose_discard=choose_discard,
    should_knock=should_knock,
    params=Params,
)
