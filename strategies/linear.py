"""Linear: throws what leaves the hand with the best score that a linear regression foretells.

Draws as simple. Of the loose cards it throws the one that leaves the best forecast of the score of the deal: 7.104 less
0.963 a point of deadwood, 13.52 more with one to ten points left and 39.97 more with none, 0.117 more a meld, and 0.264
more a hit, an unseen card that would be in some meld of the hand. Chance decides between equals. Knocks with gin alone
(LM5_Knock, the default); with knock_at=10 as soon as the card it throws leaves ten or less (LM5).

Unclear in the source, and how it is decided here. What its "hitscore" is it does not say, and gives it a minus. If it
counts hits, that player shuns hands that may meld and wins 43% of games against simple, knocking as soon as it can,
where 56.8 to 58.9% is published: so it must be something that is better the less it is, and a hit counts as a plus.
That player wins 56.8% and, with gin alone, some 73%, as published adjusted for hands (56.8 and 72.9%; before that
LM5_Knock has 62.0%). Loose are the cards outside the first least-deadwood spread; touching runs are one meld. The
other players of the source, of 52 cards and their pairs (LMGeo), are left out: their coefficients are not in the
description.

Source: SGP_LM5 and SGP_LM5_Knock of Truong et al. (DePauw University), sangttruong/ginrummy.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from sim.api import Param, Strategy, TurnView, bit, deadwood, helper, lowest, pick, points, popcount, ranks_of
from strategies.draws import (
    NO_LIMIT,
    leaving,
    one_up,
    sets_and_runs,
    would_meld,
)
from strategies.simple import take_upcard
from strategies.tools import NO_CARDS, barred_card, unseen_cards

BASE = 7.104
"""The constant of the regression, in points."""
LOW = 10
"""The most deadwood that counts as low: what one may knock with in the deals of the regression."""
NO_FORECAST = -1e9


class Params(NamedTuple):
    """When to knock, and the coefficients of the forecast."""

    knock_at: Annotated[int, Param(0, 10, "points", "knock with this much deadwood or less; 0 is gin alone")] = 0
    by_point: Annotated[float, Param(-10, 10, "points", "forecast for each point of deadwood")] = -0.963
    if_low: Annotated[float, Param(-100, 100, "points", "forecast for one to ten points of deadwood")] = 13.52
    if_gin: Annotated[float, Param(-100, 100, "points", "forecast for no deadwood")] = 39.97
    by_meld: Annotated[float, Param(-10, 10, "points", "forecast for each meld")] = 0.117
    by_hit: Annotated[float, Param(-10, 10, "points", "forecast for each unseen card that would meld")] = 0.264


def choose_discard(view: TurnView, p: Params) -> int:
    """Throw the loose card of the best forecast; with a knock one of those within the limit, with gin one for gin."""
    if view.deadwood == 0:
        return pick(view.best_discards, view.noise)
    return _choice(view, p, view.knock_limit if view.knocking else NO_LIMIT)


def should_knock(view: TurnView, p: Params) -> bool:
    """Knock with gin; short of it if the card to be thrown leaves little enough."""
    if view.deadwood == 0 or view.deadwood > p.knock_at:
        return view.deadwood == 0
    return deadwood(view.hand ^ bit(_choice(view, p, NO_LIMIT))) <= min(p.knock_at, view.knock_limit)


@helper
def forecast(hand: np.uint64, unseen: np.uint64, p: Params) -> float:
    """Return the forecast of the score of a deal, in points, from ten cards and those unseen."""
    sets, runs = sets_and_runs(hand)
    left = points(hand & ~(sets | runs))
    melds = popcount(ranks_of(sets)) + popcount(runs & ~one_up(runs))
    hits = popcount(would_meld(hand) & unseen)
    score = BASE + p.by_point * left + p.by_meld * melds + p.by_hit * hits
    if left == 0:
        return score + p.if_gin
    return score + p.if_low if left <= LOW else score


@helper
def _choice(view: TurnView, p: Params, limit: int) -> int:
    """Return the card to throw among the loose ones that leave at most so much deadwood."""
    hand, legal, unseen = np.uint64(view.hand), view.hand & ~barred_card(view), unseen_cards(view)
    sets, runs = sets_and_runs(hand)
    loose = legal & ~(sets | runs)
    left, best, highest = leaving(view.hand, loose if loose else legal, limit), NO_CARDS, NO_FORECAST
    while left:
        card = lowest(left)
        left ^= card
        here = forecast(hand ^ card, unseen, p)
        if here > highest:
            best, highest = NO_CARDS, here
        if here == highest:
            best |= card
    return pick(best if best else view.best_discards, view.noise)


STRATEGY = Strategy(
    name="linear",
    summary="throws what a linear regression of the score of a deal likes best",
    source="LM5_Knock, Truong et al.",
    take_upcard=take_upcard,
    choose_discard=choose_discard,
    should_knock=should_knock,
    params=Params,
)
