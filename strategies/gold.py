"""Gold: exact melds, greedy to the letter; throws what hurts most, knocks as soon as it may.

Takes the upcard if the best hand after throwing another card has strictly less deadwood. Throws the card that leaves
least; among several the dearest, then the first in hand order (C D H S, ace to king). Knocks at once, and then throws
the first card in hand order that leaves least, dear or not: that is all in which it differs from greedy. Uses no
chance.

The source knows no big gin; here it goes big gin where the rules allow it. Its "lowest card" is read as the first in
hand order.

Source: the "gold standard" agent of Nikelroid/adversarial-coevolution (arXiv 2607.06854). Published under the rules
of the preset eaai: loses to heuristic, 37.8% to 62.2% [61.4, 62.9] of games.
"""

from __future__ import annotations

from sim.api import NoParams, Strategy, TurnView, dearest, trailing_zeros
from strategies.greedy import take_upcard


def choose_discard(view: TurnView, p: NoParams) -> int:
    """Throw the dearest card that leaves least deadwood; with a knock the first one."""
    cards = view.best_discards if view.knocking else dearest(view.best_discards)[1]
    return trailing_zeros(cards)


def should_knock(view: TurnView, p: NoParams) -> bool:
    """Knock at once."""
    return True


STRATEGY = Strategy(
    name="gold",
    summary="greedy with exact melds; with a knock it throws the first best card",
    source="Nikelroid/adversarial-coevolution, gold standard agent",
    take_upcard=take_upcard,
    choose_discard=choose_discard,
    should_knock=should_knock,
)
