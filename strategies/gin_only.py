"""Gin-only: plays as Simple and never knocks short of gin.

Source: the "stubborn" player of SIGRA (Goldman et al., AAAI-21); Simple-T with T = 0.
"""

from __future__ import annotations

from sim.api import NoParams, Strategy, TurnView
from strategies.simple import choose_discard, take_upcard


def should_knock(view: TurnView, p: NoParams) -> bool:
    """Knock with gin alone."""
    return view.deadwood == 0


STRATEGY = Strategy(
    name="gin-only",
    summary="plays as simple, never knocks short of gin",
    source="SIGRA, Goldman et al., AAAI-21",
    take_upcard=take_upcard,
    choose_discard=choose_discard,
    should_knock=should_knock,
)
