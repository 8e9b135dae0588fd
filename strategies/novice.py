"""Novice: draws by tossing a coin, throws one of the best cards, knocks as soon as it may, and not with its best hand.

Throws, at random, one of the cards that leave least deadwood. Knocks at once: with gin if there is gin, else with any
discard that leaves no more than the limit, the best ones no likelier than the others.

Not modelled: the source's deal of eleven cards to the first player, and its lack of an undercut bonus.

Source: the novice rule agent of RLCard (datamllab/rlcard). No win rates were published.
"""

from __future__ import annotations

import numpy as np

from sim.api import NoParams, Strategy, TurnView, deadwood, helper, lowest, pick
from strategies.tools import NO_CARDS, barred_card

COIN = np.uint64(1)


def take_upcard(view: TurnView, p: NoParams) -> bool:
    """Toss a coin."""
    return bool(view.noise & COIN)


def choose_discard(view: TurnView, p: NoParams) -> int:
    """Throw one of the best cards, at random; with a knock short of gin, any card that allows it."""
    if view.knocking and view.deadwood > 0:
        return pick(_knock_discards(view), view.noise)
    return pick(view.best_discards, view.noise)


def should_knock(view: TurnView, p: NoParams) -> bool:
    """Knock at once."""
    return True


@helper
def _knock_discards(view: TurnView) -> np.uint64:
    """Return all discards that leave no more than the knock limit (mask)."""
    left, found = view.hand & ~barred_card(view), NO_CARDS
    while left:
        card = lowest(left)
        left ^= card
        if deadwood(view.hand ^ card) <= view.knock_limit:
            found |= card
    return found


STRATEGY = Strategy(
    name="novice",
    summary="draws at random, throws a best card, knocks at once with any discard",
    source="RLCard, novice rule agent",
    take_upcard=take_upcard,
    choose_discard=choose_discard,
    should_knock=should_knock,
)
