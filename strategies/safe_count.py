"""Safe count: holds so little that even a gin of the opponent closes no column against it.

Wraps another player. In every open column that an opponent's win would now enter he needs some points; a gin brings
him this side's deadwood and the bonus (doubled when the deal counts double). The least of those needs, less one and
less the bonus, is the safe count. While this side holds more than it, and holding so little is possible at all, it
throws the dearest card that leaves least deadwood, takes a low upcard that lowers its deadwood, and knocks when it may;
else, and which card goes with a knock, the player inside decides. Of partners it looks at its own table only.

Source: the project's own proposal, after advice of RummyTalk on keeping under the count.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

from sim.api import Param, TurnView, Wrapper, after_discard, bit, dearest, helper, pick
from strategies.tools import pip

NO_COUNT = 999  # no column is in danger


class Params(NamedTuple):
    """Which cards count as low."""

    low: Annotated[int, Param(1, 10, "points", "take an upcard of at most so many points if deadwood falls")] = 4


def take_upcard(view: TurnView, p: Params, answer: bool) -> bool:
    """Take low cards while in danger."""
    if not answer and _in_danger(view) and pip(view.upcard) <= p.low:
        card = bit(view.upcard)
        return bool(after_discard(view.hand | card, card)[0] < view.deadwood)
    return answer


def choose_discard(view: TurnView, p: Params, answer: int) -> int:
    """Throw the dearest of the cards that leave least deadwood while in danger."""
    if _in_danger(view) and not view.knocking:
        return int(pick(dearest(view.best_discards)[1], view.noise))
    return answer


def should_knock(view: TurnView, p: Params, answer: bool) -> bool:
    """End the deal while in danger."""
    return answer or _in_danger(view)


@helper
def safe_count(view: TurnView) -> int:
    """Return the most deadwood with which no gin of the opponent closes a column; negative if any does."""
    least = NO_COUNT
    for column in range(3):
        if view.their_needs[column] == 0:
            need = view.target - view.their_points[column]
            # So many points of a single deal, before doubling, that the column just stays open.
            safe = (need - 1) // view.multiplier - view.gin_bonus
            least = min(least, safe)
    return least


@helper
def _in_danger(view: TurnView) -> bool:
    """Tell whether a gin of the opponent would close a column, and holding less could prevent it."""
    safe = safe_count(view)
    return view.deadwood > safe >= 0


WRAPPER = Wrapper(
    name="safe-count",
    summary="keeps its deadwood so low that a gin closes no column",
    source="this project, after RummyTalk",
    take_upcard=take_upcard,
    choose_discard=choose_discard,
    should_knock=should_knock,
    params=Params,
)
