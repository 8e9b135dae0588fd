"""Heuristic: melds as greedy does, throws what helps the opponent least, and knocks by the score.

Takes the upcard if the best hand after throwing another card has strictly less deadwood. Of the discards that leave
least deadwood it throws the least dangerous, then the dearest, then the first in hand order. The danger of a card
counts the cards it could meld with (its rank, and its suit within two ranks): 2 for each the opponent is known to
hold, 1 for each unseen, and 2 off for each that he threw or declined. Uses no chance.

Knocks at a threshold that moves with the score: knock_threshold, plus score_awareness times the lead divided by what
the leader still misses to the target, in whole points towards zero, between 0 and the limit. So it knocks early when
ahead and plays for gin when behind. Gin it always takes, big gin too where the rules allow it.

Where the source is silent or speaks of a single game: the score is that of the first column open to both; a card that
the opponent threw and later took back counts both as held and as thrown. Deadwood comes before danger whatever the
weight, so safety_weight is only a switch: 1 or 0.

Source: HeuristicBot of jdh8/gin-rummy-engine. Published under the rules of the preset eaai: 59.8% [59.0, 60.6] of
games against simple, 62.2% [61.4, 62.9] against gold.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

from sim.api import Param, Strategy, TurnView, helper, lowest, trailing_zeros
from strategies.greedy import take_upcard
from strategies.tools import danger, pip, race, shifted_limit

NO_WORTH = 1_000  # more than any card is worth


class Params(NamedTuple):
    """When to knock, and whether to throw safely."""

    knock_threshold: Annotated[
        int, Param(0, 10, "points", "knock with this much deadwood or less at an even score")
    ] = 4
    safety_weight: Annotated[int, Param(0, 1, "", "1 throws the safest of equal cards, 0 the dearest")] = 1
    score_awareness: Annotated[int, Param(0, 100, "points", "added when as far ahead as the target is away")] = 40


def choose_discard(view: TurnView, p: Params) -> int:
    """Throw the safest card that leaves least deadwood."""
    left, best, least = view.best_discards, 0, NO_WORTH
    while left:
        card = trailing_zeros(left)
        left ^= lowest(left)
        # Pips are at most ten: danger decides first, then the dearer card; the first in hand order stays.
        worth = 16 * p.safety_weight * danger(view, card) - pip(card)
        if worth < least:
            least, best = worth, card
    return best


def should_knock(view: TurnView, p: Params) -> bool:
    """Knock at the threshold that the score calls for, and with gin."""
    return view.deadwood <= _threshold(view, p)


@helper
def _threshold(view: TurnView, p: Params) -> int:
    """Return the deadwood to knock with at this score, in points, 0 to the limit."""
    mine, theirs = race(view)
    to_go = view.target - max(mine, theirs)
    return min(shifted_limit(p.knock_threshold, p.score_awareness, mine, theirs, to_go), view.knock_limit)


STRATEGY = Strategy(
    name="heuristic",
    summary="greedy melding, safe discards, a knock threshold that moves with the score",
    source="jdh8/gin-rummy-engine, HeuristicBot",
    take_upcard=take_upcard,
    choose_discard=choose_discard,
    should_knock=should_knock,
    params=Params,
)
