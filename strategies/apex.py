"""Apex: takes what may be of use later, throws near-useless cards, and samples the opponent's hand before it knocks.

Takes the upcard if it joins a meld; or is an ace or a two; or lowers deadwood by 4; or, before the own turn 6, makes a
triangle (a pair and a suited neighbour that share a card) at no cost in deadwood; or, before turn 10 and worth at most
3 points, makes a pair or a suited neighbour at no cost; or, at a cost of at most 2, keeps from the opponent a card that
two or more of the cards he is known to hold adjoin (same rank, or within two ranks in suit).

Throws an unmelded card: of the three with the highest 100 * pip - 30 * near - 15 * safety, and 20 more if the opponent
declined the card, the one that leaves least deadwood, then the dearest. near is what the card has beside it in hand: 4
for two cards of its rank or 2 for one, 5 for two suited neighbours or 2 for one, 1 for a suited card two ranks away;
half of it from turn 8 on. safety is the number of melds of three with the card that the opponent may hold, their other
two cards being neither in the own hand nor in the pile.

Knocks with gin; with 8 cards or fewer in stock; not, with a score 22 or more apart, two loose cards or fewer and before
turn 12; with 5 points or less; up to turn 3 and from turn 13 on; not with two loose cards or fewer; else if the mean of
25 sampled opponent hands brings more than -3 points; else if behind.

Where the description leaves a choice: turns are own turns; the score is that of the first column open to both; of equal
spreads the one with more runs is meant; the loose cards counted are those left after the discard; a triangle or a pair
is made with unmelded cards. A sampled hand is the cards the opponent is known to hold and unseen ones at random; he
melds first, then lays off what fits the knocker's melds, outwards from the ends of runs. The mean counts what the deal
would score, undercuts negative, without the doubling of spades. safety is as Heisenbot, of the same project, counts it.
With a knock it throws the dearest card that leaves least deadwood. Added here: it takes back a card it has thrown in
the same deal only if that lowers its deadwood. Two such players would else trade aces and twos for ever (in 10 % of
their deals of straight gin); against simple it makes no difference.

Source: "Gin Paradise" heuristics (apex.py there; secondary). Published only against players of its own: 53-54 % v
Nexus.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from sim.api import (
    Param,
    Strategy,
    TurnView,
    after_discard,
    bit,
    deadwood,
    dearest,
    helper,
    popcount,
    run_cards,
    trailing_zeros,
)
from strategies.groups import (
    RUN_MATES,
    Mask,
    after_layoff,
    loose_cards,
    melded_sets,
    ranks_alike,
    some_cards,
    touching,
)
from strategies.tools import (
    ADJOINERS,
    ALIKE,
    DECK,
    SUITED_NEAR,
    TOUCHING,
    barred_card,
    in_a_meld,
    own_turn,
    pip,
    score_lead,
    unseen_cards,
)


class Params(NamedTuple):
    """When to knock."""

    wide_gap: Annotated[int, Param(0, 500, "points", "with a score so far apart, wait while two cards are loose")] = 22
    low: Annotated[int, Param(0, 10, "points", "knock with this much deadwood or less")] = 5
    early: Annotated[int, Param(0, 50, "own turns", "knock at once up to this turn")] = 3
    late: Annotated[int, Param(1, 50, "own turns", "knock at once from this turn on")] = 13
    short_stock: Annotated[int, Param(0, 31, "cards", "knock at once with so few cards in stock")] = 8
    samples: Annotated[int, Param(1, 200, "hands", "opponent hands sampled before a knock")] = 25
    worth: Annotated[float, Param(-100, 100, "points", "knock if the samples bring more than this on average")] = -3.0


TRIANGLES_UNTIL, PARTIALS_UNTIL, HALF_FROM, WAITS_UNTIL = 6, 10, 8, 12  # own turns; UNTIL excludes the turn named
TWO = 1  # rank
MUCH_SAVED, DEFENCE_COST = 4, 2  # points
THROWN = 0  # word of memory: the cards it has thrown in this deal (mask)
HAND_CARDS = 10
FEW_LOOSE = 2  # cards
SCORE_ABOVE_ALL = 1000  # makes every score of a discard positive
CARD_BITS = 64  # a score and a card make one number: score * 64 + card


def take_upcard(view: TurnView, p: Params) -> bool:
    """Take the upcard if it melds, is low, saves deadwood, may grow into a meld, or is one the opponent can use."""
    card = view.upcard
    eleven = view.hand | bit(card)
    cost = after_discard(eleven, bit(card))[0] - view.deadwood
    if view.memory[THROWN] & bit(card):
        return cost < 0
    if cost <= -MUCH_SAVED or card % 13 <= TWO or in_a_meld(eleven, bit(card)):
        return True
    if cost <= DEFENCE_COST and popcount(ADJOINERS[card] & view.taken) >= 2:
        return True
    return cost <= 0 and _may_grow(card, loose_cards(view.hand), own_turn(view))


def choose_discard(view: TurnView, p: Params) -> int:
    """Throw, of the three least useful unmelded cards, the one that leaves least deadwood."""
    cards = loose_cards(view.hand) & ~barred_card(view)
    card = _dearest_best(view)
    if cards and not view.knocking:
        card = _least_left(view.hand, _three_least_useful(view, cards))
    view.memory[THROWN] |= bit(card)
    return card


def should_knock(view: TurnView, p: Params) -> bool:
    """Go down the list of reasons to knock and to wait."""
    if view.deadwood == 0 or view.stock_cards <= p.short_stock:
        return True
    ten = view.hand & ~bit(_dearest_best(view))
    few, turn, lead = popcount(loose_cards(ten)) <= FEW_LOOSE, own_turn(view), score_lead(view)
    if few and abs(lead) >= p.wide_gap and turn < WAITS_UNTIL:
        return False
    if view.deadwood <= p.low or turn <= p.early or turn >= p.late:
        return True
    return not few and (_sampled_points(view, ten, p.samples) > p.worth or lead < 0)


@helper
def _may_grow(card: int, loose: np.uint64, turn: int) -> bool:
    """Tell whether a card makes a triangle with two loose cards, or, a low one, a partial meld with one."""
    pairs, neighbours = ALIKE[card] & loose, TOUCHING[card] & loose
    if turn < PARTIALS_UNTIL and pip(card) <= 3 and pairs | neighbours:
        return True
    corner = pairs and neighbours
    side = touching(pairs) & loose or ranks_alike(neighbours) & loose & ~neighbours
    return bool(turn < TRIANGLES_UNTIL and (corner or side))


@helper
def _dearest_best(view: TurnView) -> int:
    """Return the first of the dearest cards that leave least deadwood."""
    return trailing_zeros(dearest(view.best_discards)[1])


@helper
def _least_left(hand: Mask, entries: tuple[int, int, int]) -> int:
    """Return, of up to three cards as score * 64 + card, the one that leaves least deadwood, then the dearest."""
    thrown, least = -1, 0
    for entry in entries:
        card = entry % CARD_BITS
        left = deadwood(hand & ~bit(card)) * CARD_BITS - pip(card)
        if entry and (thrown < 0 or left < least):
            thrown, least = card, left
    return thrown


@helper
def _three_least_useful(view: TurnView, cards: Mask) -> tuple[int, int, int]:
    """Return the three cards of highest score as score * 64 + card; 0 where there are no more."""
    avail = DECK & ~(view.hand | view.pile)
    weight = 15 if own_turn(view) >= HALF_FROM else 30
    first = second = third = 0
    while cards:
        card = trailing_zeros(cards)
        cards ^= bit(card)
        score = 100 * pip(card) - weight * _near(view.hand, card) - 15 * _dangers(avail, card)
        score += 20 if view.declined & bit(card) else 0
        entry = (score + SCORE_ABOVE_ALL) * CARD_BITS + card
        if entry > first:
            first, second, third = entry, first, second
        elif entry > second:
            second, third = entry, second
        elif entry > third:
            third = entry
    return first, second, third


@helper
def _near(hand: Mask, card: int) -> int:
    """Return how near a card is to a meld: more for cards of its rank, suited neighbours, a suited gap."""
    alike, beside = popcount(ALIKE[card] & hand), popcount(TOUCHING[card] & hand)
    gap = bool(SUITED_NEAR[card] & ~TOUCHING[card] & hand)
    return 2 * min(alike, 2) + (5 if beside == 2 else 2 * beside) + gap


@helper
def _dangers(avail: np.uint64, card: int) -> int:
    """Return how many melds of three with a card have their other two among the cards the opponent may hold."""
    alike = popcount(ALIKE[card] & avail)
    count = alike * (alike - 1) // 2
    for place in range(3):
        mates = RUN_MATES[card, place]
        count += bool(mates) and mates & avail == mates
    return count


@helper
def _sampled_points(view: TurnView, ten: np.uint64, samples: int) -> float:
    """Return what a knock with ten cards brings on average over sampled opponent hands, in points."""
    sets = melded_sets(ten)
    runs, noise = run_cards(ten & ~sets), view.noise | np.uint64(1)
    unseen, hidden = unseen_cards(view), HAND_CARDS - popcount(view.taken)
    total = 0
    for _ in range(samples):
        others, noise = some_cards(unseen, hidden, noise)
        lead = after_layoff(view.taken | others, sets, runs) - view.deadwood
        total += lead if lead > 0 else lead - view.undercut_bonus
    return total / samples


STRATEGY = Strategy(
    name="apex",
    summary="takes what may grow, throws the least useful, samples before it knocks",
    source="Gin Paradise",
    take_upcard=take_upcard,
    choose_discard=choose_discard,
    should_knock=should_knock,
    params=Params,
)
