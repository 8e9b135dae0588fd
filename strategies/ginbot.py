"""GinBot: sorts its hand into groups and keeps whatever belongs to one.

Sorts its hand into runs, sets, partial groups and loose cards, runs first; a run is broken for a set when that leaves
fewer points. Takes the upcard if it extends a meld or a partial group, or makes a partial group with a loose card while
more than one card is loose. Throws the dearest loose card; without any, the dearest card of a partial group; without
any, the dearest that a meld of more than three can spare. Knocks as soon as it may. It never looks at what the
opponent does.

Where the description leaves a choice: a partial run is two cards that touch in suit, a partial set a pair of what then
remains; equals are settled at random; with a knock it throws a card that leaves least deadwood.

Source: the easy bot of ichabod801/t_games. No published figures.
"""

from __future__ import annotations

from sim.api import NoParams, Strategy, TurnView, bit, dearest, pick, popcount
from strategies.groups import (
    joiners,
    ranks_alike,
    sorted_hand,
    spare_melded,
    touching,
)
from strategies.tools import barred_card


def take_upcard(view: TurnView, p: NoParams) -> bool:
    """Take the upcard if it joins a group, or makes one with a loose card of several."""
    card = bit(view.upcard)
    if joiners(view.hand) & card:
        return True
    loose = sorted_hand(view.hand)[3]
    return bool(popcount(loose) > 1 and (touching(loose) | ranks_alike(loose)) & card)


def choose_discard(view: TurnView, p: NoParams) -> int:
    """Throw the dearest card of the least useful group; with a knock, a card that leaves least deadwood."""
    if view.knocking:
        return pick(view.best_discards, view.noise)
    sets, runs, partial, loose = sorted_hand(view.hand)
    allowed = ~barred_card(view)
    cards = loose & allowed or partial & allowed or spare_melded(sets, runs) & allowed or view.best_discards
    return pick(dearest(cards)[1], view.noise)


def should_knock(view: TurnView, p: NoParams) -> bool:
    """Knock at once."""
    return True


STRATEGY = Strategy(
    name="ginbot",
    summary="keeps every group of cards, throws the dearest loose card, knocks at once",
    source="ichabod801/t_games",
    take_upcard=take_upcard,
    choose_discard=choose_discard,
    should_knock=should_knock,
)
