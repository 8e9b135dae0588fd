"""Threshold by turn: plays as Simple and knocks at a deadwood that depends on how long the deal has lasted.

Own turns before `middle_from` are early, from there to before `late_from` middle, from `late_from` on late; where
`late_from` comes no later than `middle_from` there is no middle. A turn passed in the opening offer does not count.
With the same threshold three times it is `threshold`, move by move.

The defaults: players of this kind who knock with 10 are undercut 3% of the time up to turn 5, 9% in turns 6 to 8, 16%
from turn 9 on, those who knock with 1 to 5 never more than 2%. So it knocks at once up to turn 8. Late it plays for
gin, which does a little better than waiting for 5 under `hollywood` and clearly under `hollywood-003`, where an
undercut pays 25.

Source: the project's own proposal; the defaults from its own runs (10,000 and 60,000 duplicate pairs).
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

from sim.api import Param, Strategy, TurnView, helper
from strategies.simple import choose_discard, take_upcard
from strategies.tools import own_turn


class Params(NamedTuple):
    """When to knock, and when the deal counts as what."""

    early: Annotated[int, Param(0, 10, "points", "knock with this or less in an early turn")] = 10
    middle: Annotated[int, Param(0, 10, "points", "knock with this or less in a middle turn")] = 10
    late: Annotated[int, Param(0, 10, "points", "knock with this or less in a late turn")] = 0
    middle_from: Annotated[int, Param(1, 50, "own turns", "the first middle turn")] = 6
    late_from: Annotated[int, Param(1, 50, "own turns", "the first late turn")] = 9


def should_knock(view: TurnView, p: Params) -> bool:
    """Knock at the threshold of this turn or below."""
    return view.deadwood <= _knock_at(own_turn(view), p)


@helper
def _knock_at(turn: int, p: Params) -> int:
    """Return the most deadwood, in points, to knock with in an own turn."""
    if turn >= p.late_from:
        return p.late
    return p.middle if turn >= p.middle_from else p.early


STRATEGY = Strategy(
    name="threshold-by-turn",
    summary="plays as simple, knocks at a deadwood that depends on the turn",
    source="this project",
    take_upcard=take_upcard,
    choose_discard=choose_discard,
    should_knock=should_knock,
    params=Params,
)
