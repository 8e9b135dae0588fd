"""Watcher: a player for tests whose every answer depends on everything it sees and has ever seen in a deal.

Two engines that show it different views soon play different moves.

Source: this project.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.api import NoParams, Strategy, TurnView, helper, pick

FACTOR = np.uint64(0x9E3779B97F4A7C15)
SHIFT = np.uint64(29)
LOW_BITS = np.uint64(3)


def take_upcard(view: TurnView, p: NoParams) -> bool:
    """Take the upcard one time in four."""
    return bool(_watch(view) & LOW_BITS == 0)


def choose_discard(view: TurnView, p: NoParams) -> int:
    """Throw any of the cards that leave least deadwood."""
    return int(pick(view.best_discards, _watch(view)))


def should_knock(view: TurnView, p: NoParams) -> bool:
    """Knock three times in four."""
    return bool(_watch(view) & LOW_BITS != 0)


@helper
def _watch(view: TurnView) -> Any:
    """Stir the whole view into what was seen before in this deal, remember that and return it."""
    seen = view.memory[0]
    for cards in (view.hand, view.best_discards, view.pile, view.taken, view.declined, view.thrown, view.noise):
        seen = _stir(seen, cards)
    for number in (view.upcard, view.drawn, view.barred, view.deadwood, view.stock_cards, view.turn, view.offer):
        seen = _stir(seen, np.uint64(number))
    for number in (view.knocking, view.knock_limit, view.multiplier, view.is_dealer, view.target, view.gin_bonus):
        seen = _stir(seen, np.uint64(number))
    for number in (view.undercut_bonus, view.big_gin_bonus):
        seen = _stir(seen, np.uint64(number))
    for column in range(3):
        for number in (view.my_points[column], view.my_boxes[column], view.my_needs[column]):
            seen = _stir(seen, np.uint64(number))
        for number in (view.their_points[column], view.their_boxes[column], view.their_needs[column]):
            seen = _stir(seen, np.uint64(number))
    view.memory[0] = seen
    return seen


@helper
def _stir(seen: Any, word: Any) -> Any:
    """Return a 64-bit number that depends on every bit of both."""
    mixed = (seen ^ word) * FACTOR
    return mixed ^ (mixed >> SHIFT)


STRATEGY = Strategy(
    name="watcher",
    summary="lets every answer depend on everything it sees",
    source="this project",
    take_upcard=take_upcard,
    choose_discard=choose_discard,
    should_knock=should_knock,
)
