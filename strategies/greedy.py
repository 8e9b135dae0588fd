"""Greedy: takes the upcard only if that lowers its deadwood, throws what hurts most, knocks as soon as it may.

Among discards that leave the same deadwood it throws the dearest, then the first in hand order (C D H S, ace to
king). Goes big gin where the rules allow it. Uses no chance.

Source: the knowledge-free core of jdh8/gin-rummy.
"""

from __future__ import annotations

from sim.api import NoParams, Strategy, TurnView, after_discard, bit, dearest, trailing_zeros


def take_upcard(view: TurnView, p: NoParams) -> bool:
    """Take the upcard if the best hand after throwing another card is strictly better."""
    card = bit(view.upcard)
    return after_discard(view.hand | card, card)[0] < view.deadwood


def choose_discard(view: TurnView, p: NoParams) -> int:
    """Throw the dearest card that leaves least deadwood."""
    return trailing_zeros(dearest(view.best_discards)[1])


def should_knock(view: TurnView, p: NoParams) -> bool:
    """Knock at once."""
    return True


STRATEGY = Strategy(
    name="greedy",
    summary="takes only what lowers deadwood, throws the dearest, knocks at once",
    source="jdh8/gin-rummy",
    take_upcard=take_upcard,
    choose_discard=choose_discard,
    should_knock=should_knock,
)
