"""By the sheet: knocks at another deadwood while the sheet stands in a certain way, else as the player inside.

Wraps another player, for the tips that say when to knock. `when` chooses the situation:

1. the opponent has entries in more columns than this side;
2. the opponent's next win enters every column that is still open to him;
3. a column has closed to this side.

Source: the advice of source 003, as `experiments.tips.claims` states it.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

from sim.api import Param, TurnView, Wrapper, helper


class Params(NamedTuple):
    """When, and what to knock with then."""

    when: Annotated[int, Param(1, 3, "", "1 he has more columns, 2 he enters all, 3 a column has closed")] = 1
    knock_at: Annotated[int, Param(0, 10, "points", "knock with this or less then")] = 10


def take_upcard(view: TurnView, p: Params, answer: bool) -> bool:  # noqa: ARG001  every decision takes all three
    """Draw as the player inside does."""
    return answer


def choose_discard(view: TurnView, p: Params, answer: int) -> int:  # noqa: ARG001  the same
    """Throw as the player inside does."""
    return answer


def should_knock(view: TurnView, p: Params, answer: bool) -> bool:
    """Knock at `knock_at` or less in the situation, else as the player inside."""
    if _is_situation(view, p.when):
        return view.deadwood <= p.knock_at
    return answer


@helper
def _is_situation(view: TurnView, when: int) -> bool:
    """Tell whether the sheet stands as `when` says."""
    lead, shut_out, closed = 0, 0, 0
    for column in range(3):
        lead += (view.their_boxes[column] > 0) - (view.my_boxes[column] > 0)
        shut_out += view.their_needs[column] > 0
        closed += view.my_needs[column] < 0
    if when == 1:
        return lead > 0
    return shut_out == 0 if when == 2 else closed > 0


WRAPPER = Wrapper(
    name="by-sheet",
    summary="knocks at another deadwood while the sheet stands in a certain way",
    source="source 003, for hollywood tips",
    take_upcard=take_upcard,
    choose_discard=choose_discard,
    should_knock=should_knock,
    params=Params,
)
