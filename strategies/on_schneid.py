"""On schneid: gets on score in a hurry, and keeps a blank opponent off it.

Wraps another player. While a win would give this side its first entry in an open column, it knocks as soon as it may.
While the opponent is still blank in `k` or more open columns in which this side has points and leads, it also knocks
at `knock_at` or less, and of the discards that leave least deadwood it throws the one the opponent has least use for.
Else, and which card goes with a knock, the player inside decides.

Source: the project's own proposal, after advice of RummyTalk on being "on the schneid" (blank).
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from sim.api import Param, TurnView, Wrapper, helper
from strategies.tools import least_useful


class Params(NamedTuple):
    """When the opponent counts as being kept off."""

    k: Annotated[int, Param(1, 3, "columns", "the opponent is blank in so many open columns that this side leads")] = 2
    knock_at: Annotated[int, Param(0, 10, "points", "knock with this or less while keeping him off")] = 10


def take_upcard(view: TurnView, p: Params, answer: bool) -> bool:
    """Draw as the player inside does."""
    return answer


def choose_discard(view: TurnView, p: Params, answer: int) -> int:
    """Throw what the opponent has least use for while he is kept off."""
    if _keeps_off(view, p.k) and not view.knocking:
        return least_useful(view, np.uint64(view.best_discards))
    return answer


def should_knock(view: TurnView, p: Params, answer: bool) -> bool:
    """Knock at once to get on score, or to end the deal while he is kept off."""
    if _would_open(view):
        return True
    return answer or (_keeps_off(view, p.k) and view.deadwood <= p.knock_at)


@helper
def _would_open(view: TurnView) -> bool:
    """Tell whether a win now would be the first entry in some open column."""
    count = 0
    for column in range(3):
        count += view.my_needs[column] == 0 and view.my_boxes[column] == 0
    return count > 0


@helper
def _keeps_off(view: TurnView, columns: int) -> bool:
    """Tell whether the opponent is blank in so many open columns in which this side has points."""
    count = 0
    for column in range(3):
        is_open = view.their_needs[column] >= 0
        if is_open and view.their_boxes[column] == 0 and view.my_points[column] > 0:
            count += 1
    return count >= columns


WRAPPER = Wrapper(
    name="on-schneid",
    summary="knocks at once to get on score, keeps a blank opponent off",
    source="this project, after RummyTalk",
    take_upcard=take_upcard,
    choose_discard=choose_discard,
    should_knock=should_knock,
    params=Params,
)
