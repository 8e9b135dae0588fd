"""Score shift: sets the knock limit by the score over all open columns; ahead it knocks sooner, behind it waits.

Wraps another player and replaces its knocking by the formula of the player `heuristic`, taken over all columns open to
both together: knock with T or less, T = knock_threshold + score_awareness * (mine - theirs) / (points still to go),
whole numbers rounded towards zero, between 0 and the limit. Gin is always knocked. Column 3 counts `third_weight`
times.

Source: the project's own proposal, after the knock formula of jdh8's HeuristicBot.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

from sim.api import Param, TurnView, Wrapper, helper
from strategies.tools import shifted_limit


class Params(NamedTuple):
    """The formula's constants."""

    knock_threshold: Annotated[int, Param(0, 10, "points", "knock with this or less when the score is even")] = 4
    score_awareness: Annotated[int, Param(0, 200, "points", "what a lead of all that is still to go adds")] = 40
    third_weight: Annotated[int, Param(0, 5, "times", "how often column 3 counts (2 if it settles double)")] = 1


def take_upcard(view: TurnView, p: Params, answer: bool) -> bool:
    """Draw as the player inside does."""
    return answer


def choose_discard(view: TurnView, p: Params, answer: int) -> int:
    """Throw as the player inside does."""
    return answer


def should_knock(view: TurnView, p: Params, answer: bool) -> bool:
    """Knock with the shifted limit or less."""
    return view.deadwood == 0 or view.deadwood <= _shifted_limit(view, p)


@helper
def _shifted_limit(view: TurnView, p: Params) -> int:
    """Return the deadwood to knock with, 0 to the limit."""
    mine, theirs, target = 0, 0, 0
    for column in range(3):
        if view.my_needs[column] >= 0 and view.their_needs[column] >= 0:
            weight = p.third_weight if column == 2 else 1
            mine += weight * view.my_points[column]
            theirs += weight * view.their_points[column]
            target += weight * view.target
    limit = shifted_limit(p.knock_threshold, p.score_awareness, mine, theirs, target - max(mine, theirs))
    return min(limit, view.knock_limit)


WRAPPER = Wrapper(
    name="score-shift",
    summary="knocks by the score over all open columns",
    source="this project, after jdh8's HeuristicBot",
    take_upcard=take_upcard,
    choose_discard=choose_discard,
    should_knock=should_knock,
    params=Params,
)
