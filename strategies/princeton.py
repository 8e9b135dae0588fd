"""Princeton: weighs what a card could still meld against the deadwood it costs.

Draws as simple: takes the upcard if some meld of the eleven cards contains it. Throws the card c with the least

    alpha * W(c) + (1 - alpha) * deadwood of the ten cards left without c

and knocks as soon as the hand that leaves may knock. W(c) goes through the other cards of the hand that could share a
meld of three with c: each third card that would complete it counts 1 - q^4 if it is still to be had, where q is the
chance that the opponent holds it; and a card that lies in a meld already gets 2 more. The published player asks a
random forest for q. This is the scripted version, with the uniform guess: 1 for a card the opponent took from the
pile, and for an unseen card (cards he still hides) / (unseen cards).

Where the description leaves a choice: the 2 is given once a card, not once a partner (with alpha = 1 that wins 18.8 %
against simple under the eaai preset, the other 25 %; published 16 %). `fading` plays alpha = 1 - sqrt(round / 10), the
last state of the repository; the round is the own turn, and alpha is 0 from the tenth on. Equal scores are settled at
random, as in simple. Added here: it takes back a card it has thrown in the same deal only if that lowers its deadwood;
else a few of ten thousand deals between two such players would not end.

How strong it is against simple under the eaai preset (±0.6), and published against a heuristic baseline (300 games a
point, ±6): alpha 0.16 57.8 % and 57.0 %, fading 60.8 % and 61 %, alpha 0 50.0 % and 49.7 %. Only alpha 0.40, 57.6 %
here, is published lower, at 46 %. With `scale=4`, that is W four times as large, the whole published sweep comes out
(57.2, 57.0, 46.4, 18.8 % for alpha 0.16, 0.20, 0.40, 1; published 57.0, 56.7, 46, 16 %), but fading falls to 55 %: the
sweep seems to have been made with a larger W than the one described.

Source: Hein, Jiang, Thiyageswaran and Guerzhoy, AAAI-21 (AnthonyHein/GinRummyEAAI-Python).
"""

from __future__ import annotations

from math import sqrt
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
    popcount,
    run_cards,
    set_ranks,
    trailing_zeros,
)
from strategies.groups import (
    RUN_MATES,
    Mask,
)
from strategies.tools import (
    ALIKE,
    NO_CARDS,
    barred_card,
    in_a_meld,
    own_turn,
    unseen_cards,
)


class Params(NamedTuple):
    """How much hope counts against deadwood."""

    alpha: Annotated[float, Param(0, 1, "share", "weight of W, what a card could meld; deadwood has the rest")] = 0.16
    fading: Annotated[bool, Param(0, 1, "", "alpha falls from turn to turn, 1 - sqrt(turn / 10)")] = False
    melded: Annotated[float, Param(0, 20, "cards", "added to W of a card that lies in a meld")] = 2.0
    scale: Annotated[float, Param(0, 10, "points a card", "what one card of W is worth in deadwood")] = 1.0


THROWN = 0  # word of memory: the cards it has thrown in this deal (mask)
FADED = 10  # own turns after which a fading alpha is 0
HAND_CARDS = 10
ANY = 999  # more deadwood than eleven cards can have, in points
MORE_THAN_ANY_SCORE = 1e9


def take_upcard(view: TurnView, p: Params) -> bool:
    """Take the upcard if it melds with cards in hand; back what it has thrown only to lower its deadwood."""
    card = bit(view.upcard)
    if view.memory[THROWN] & card:
        return after_discard(view.hand | card, card)[0] < view.deadwood
    return in_a_meld(view.hand | card, card)


def choose_discard(view: TurnView, p: Params) -> int:
    """Throw the card of least score, at random among equals; with a knock, of the cards that allow it."""
    card = pick(_least_scores(view, p, view.knock_limit if view.knocking else ANY), view.noise)
    view.memory[THROWN] |= bit(card)
    return card


def should_knock(view: TurnView, p: Params) -> bool:
    """Knock at once, if the card it would throw allows it."""
    card = pick(_least_scores(view, p, ANY), view.noise)
    return deadwood(view.hand ^ bit(card)) <= view.knock_limit


@helper
def _least_scores(view: TurnView, p: Params, limit: int) -> np.uint64:
    """Return the cards of least score, of those that may be thrown and leave at most `limit` points."""
    unseen, alpha, to_be_had = unseen_cards(view), _alpha(view, p), _to_be_had(view)
    melds = run_cards(view.hand) | (set_ranks(view.hand) * RANK_COLUMN)
    least, cards = MORE_THAN_ANY_SCORE, NO_CARDS
    left = view.hand & ~barred_card(view)
    while left:
        card = lowest(left)
        left ^= card
        after = deadwood(view.hand ^ card)
        if after > limit:
            continue
        hope = to_be_had * _third_cards(view.hand, unseen, trailing_zeros(card)) + (p.melded if melds & card else 0.0)
        score = alpha * p.scale * hope + (1.0 - alpha) * after
        if score <= least:
            cards = card if score < least else cards | card
            least = score
    return cards


@helper
def _alpha(view: TurnView, p: Params) -> float:
    """Return the share of hope in the score."""
    return max(0.0, 1.0 - sqrt(own_turn(view) / FADED)) if p.fading else p.alpha


@helper
def _to_be_had(view: TurnView) -> float:
    """Return what an unseen card counts: 1 less the fourth power of the chance that the opponent holds it."""
    chance = (HAND_CARDS - popcount(view.taken)) / max(1, popcount(unseen_cards(view)))
    return 1.0 - (chance * chance) * (chance * chance)


@helper
def _third_cards(hand: Mask, unseen: np.uint64, card: int) -> int:
    """Return how many unseen cards complete a meld of three with a card and a partner, added up over its partners."""
    count = popcount(ALIKE[card] & hand) * popcount(ALIKE[card] & unseen)
    for place in range(3):
        mates = RUN_MATES[card, place]
        count += popcount(mates & hand) * popcount(mates & unseen)
    return count


STRATEGY = Strategy(
    name="princeton",
    summary="weighs what a card could still meld against the deadwood it costs",
    source="Hein et al., AAAI-21",
    take_upcard=take_upcard,
    choose_discard=choose_discard,
    should_knock=should_knock,
    params=Params,
)
