"""Threshold: plays as Simple and knocks at a chosen deadwood or less.

Source: Simple-T; the same idea as svetrie/Gin-Rummy-Strategies (aggressive 10, balanced 5, cautious 0).
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

from sim.api import Param, Strategy, TurnView
from strategies.simple import choose_discard, take_upcard


class Params(NamedTuple):
    """When to knock."""

    knock_at: Annotated[int, Param(0, 10, "points", "knock with this much deadwood or less")] = 5


def should_knock(view: TurnView, p: Params) -> bool:
    """Knock at the threshold or below."""
    return view.deadwood <= p.knock_at


STRATEGY = Strategy(
    name="threshold",
    summary="plays as simple, knocks at a chosen deadwood or less",
    source="svetrie/Gin-Rummy-Strategies",
    take_upcard=take_upcard,
    choose_discard=choose_discard,
    should_knock=should_knock,
    params=Params,
)
