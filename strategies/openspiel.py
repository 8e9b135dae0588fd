"""OpenSpiel: takes what melds or lets it knock, throws its highest loose card, knocks as soon as it may.

It solves the eleven cards first, melds as much as it can of them, and takes the upcard if it lies in a meld then, or
if one discard leaves no more than the knock limit. It throws the highest rank outside those melds: a king before a
ten although both cost ten points, and not always the card that leaves least deadwood. With all eleven melded it
throws one that keeps gin. Uses no chance.

Where the source is silent: of several equal spreads the first in the solver's order is meant; of two cards of a rank
the first in hand order (C D H S) goes. When the highest loose card may not be thrown, or leaves too much for a knock
already called, the next one does, at last one that leaves least deadwood.

Not modelled. The source never lays off; here the engine lays off for everyone, optimally, so as defender
this player loses less and undercuts more often. The source may knock on the upcard, or pass, with two cards left in
stock; here the deal is dead then.

Source: SimpleGinRummyBot of OpenSpiel (google-deepmind/open_spiel). No win rates were published.
"""

from __future__ import annotations

import numpy as np

from sim.api import NoParams, Strategy, TurnView, after_discard, bit, deadwood, helper, trailing_zeros
from strategies.tools import NO_CARDS, barred_card, highest_rank, loose_cards


def take_upcard(view: TurnView, p: NoParams) -> bool:
    """Take the upcard if it lies in a meld of the best spread of all eleven, or if they allow a knock."""
    card = bit(view.upcard)
    eleven = view.hand | card
    return bool(not loose_cards(eleven) & card or after_discard(eleven, NO_CARDS)[0] <= view.knock_limit)


def choose_discard(view: TurnView, p: NoParams) -> int:
    """Throw the highest loose card that may go."""
    loose = loose_cards(np.uint64(view.hand)) & ~barred_card(view)
    while loose:
        card = highest_rank(loose)
        if _may_go(view, card):
            return card
        loose ^= bit(card)
    return trailing_zeros(view.best_discards)


def should_knock(view: TurnView, p: NoParams) -> bool:
    """Knock at once."""
    return True


@helper
def _may_go(view: TurnView, card: int) -> bool:
    """Tell whether a card may be thrown: always, but with a knock only if it leaves no more than the limit."""
    return not view.knocking or deadwood(view.hand ^ bit(card)) <= view.knock_limit


STRATEGY = Strategy(
    name="openspiel",
    summary="takes what melds or lets it knock, throws its highest loose card",
    source="OpenSpiel, SimpleGinRummyBot",
    take_upcard=take_upcard,
    choose_discard=choose_discard,
    should_knock=should_knock,
)
