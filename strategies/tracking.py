"""TrackingBot: throws nothing next to what the opponent has picked up, and knocks lower as the deal goes on.

Sorts its hand as ginbot does, and takes the upcard only if it joins a meld or a partial group. Dangerous are the cards
of a rank with, or next in suit to, a card the opponent took from the pile. It throws the card of highest rank that is
not dangerous: a loose one, else one of a partial group, else one that a meld of more than three can spare. If all of
these are dangerous it goes by the least of (14 - rank) + 14 * class + 14 * danger, the classes 0, 1 and 2 in that
order: the same order again, as no rank makes up for a class. Knocks with 11 - (cards in the discard pile + 2 * cards
the opponent took) / 3 points or less, divided without rest, at least 2; with fewer than five cards in stock, as soon as
it may.

Where the description leaves a choice: every card the opponent ever took counts, also those he threw again later (a
word of memory keeps them); the pile is counted before the own discard; equals are settled at random; with a knock it
throws a card that leaves least deadwood.

Source: TrackingBot of ichabod801/t_games. No published figures.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from sim.api import RANK_COLUMN, Param, Strategy, TurnView, bit, helper, lowest, pick, popcount, ranks_of
from strategies.groups import (
    Mask,
    joiners,
    ranks_alike,
    sorted_hand,
    spare_melded,
    touching,
)
from strategies.tools import barred_card


class Params(NamedTuple):
    """When to knock."""

    start: Annotated[int, Param(0, 40, "points", "knock with this less what has happened since, or less")] = 11
    floor: Annotated[int, Param(0, 10, "points", "always knock with this or less")] = 2
    late: Annotated[int, Param(0, 32, "cards", "with fewer cards in stock, knock as soon as allowed")] = 5


TOOK = 0  # word of memory: every card the opponent took from the pile in this deal (mask)


def take_upcard(view: TurnView, p: Params) -> bool:
    """Take the upcard if it joins a meld or a partial group."""
    return bool(joiners(view.hand) & bit(view.upcard))


def choose_discard(view: TurnView, p: Params) -> int:
    """Throw the highest harmless card of the least useful group; with a knock, one that leaves least deadwood."""
    view.memory[TOOK] |= view.taken
    if view.knocking:
        return pick(view.best_discards, view.noise)
    allowed, took = ~barred_card(view), view.memory[TOOK]
    safe = allowed & ~(touching(took) | ranks_alike(took))
    cards = _least_useful(view.hand, safe) or _least_useful(view.hand, allowed) or view.best_discards
    return pick(_highest(cards), view.noise)


def should_knock(view: TurnView, p: Params) -> bool:
    """Knock at a limit that falls with every card thrown, and faster when the opponent takes them."""
    if view.stock_cards < p.late:
        return True
    happened = popcount(view.pile) + 2 * popcount(view.memory[TOOK] | view.taken)
    return view.deadwood <= max(p.floor, p.start - happened // 3)


@helper
def _least_useful(hand: Mask, allowed: np.uint64) -> np.uint64:
    """Return the allowed cards of the least useful group that has any."""
    sets, runs, partial, loose = sorted_hand(hand)
    return loose & allowed or partial & allowed or spare_melded(sets, runs) & allowed


@helper
def _highest(cards: Mask) -> np.uint64:
    """Return the cards of highest rank in a mask."""
    ranks = ranks_of(cards)
    while ranks != lowest(ranks):
        ranks ^= lowest(ranks)
    return cards & (ranks * RANK_COLUMN)


STRATEGY = Strategy(
    name="tracking",
    summary="throws nothing near what the opponent took, knocks ever lower",
    source="ichabod801/t_games",
    take_upcard=take_upcard,
    choose_discard=choose_discard,
    should_knock=should_knock,
    params=Params,
)
