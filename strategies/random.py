"""Random: draws and throws at random, knocks as soon as it may. A sanity floor.

Source: the random baseline of every engine; knocking whenever legal is the usual variant.
"""

from __future__ import annotations

import numpy as np

from sim.api import NoParams, Strategy, TurnView, bit, pick

COIN = np.uint64(1)


def take_upcard(view: TurnView, p: NoParams) -> bool:
    """Toss a coin."""
    return bool(view.noise & COIN)


def choose_discard(view: TurnView, p: NoParams) -> int:
    """Throw any card that may be thrown; with a knock, one that leaves least deadwood."""
    if view.knocking:
        return pick(view.best_discards, view.noise)
    if view.barred >= 0:
        return pick(view.hand & ~bit(view.barred), view.noise)
    return pick(view.hand, view.noise)


def should_knock(view: TurnView, p: NoParams) -> bool:
    """Knock at once."""
    return True


STRATEGY = Strategy(
    name="random",
    summary="draws and throws at random, knocks as soon as it may",
    source="the random baseline of every engine",
    take_upcard=take_upcard,
    choose_discard=choose_discard,
    should_knock=should_knock,
)
