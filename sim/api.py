"""The facade: what a strategy author, a notebook or a script imports from the simulator.

Strategies import only this module. Its solver functions (`deadwood`, `after_discard`, `points`, `run_cards`, ...)
work on 52-bit hand masks both in plain Python and inside compiled strategies.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import types

from sim.bits import Mask, bit, lowest, pick, popcount, trailing_zeros
from sim.cards import FULL_DECK, NO_CARD, PIPS, format_card, format_hand, parse_card, parse_hand
from sim.decisions import BoundStrategy, NoParams, Param, Strategy, StrategySpec, bind_strategy, param_kinds
from sim.jit import entry
from sim.jit import kernel as helper
from sim.melds import RANK_COLUMN, after_discard, deadwood, dearest, points, ranks_of, run_cards, set_ranks
from sim.solve import best_discard, best_spreads
from sim.view import TurnView, make_view

__all__ = [
    "FULL_DECK",
    "NO_CARD",
    "PIPS",
    "RANK_COLUMN",
    "BoundStrategy",
    "NoParams",
    "Param",
    "Strategy",
    "StrategySpec",
    "TurnView",
    "after_discard",
    "best_discard",
    "best_spreads",
    "bind_strategy",
    "bit",
    "deadwood",
    "deadwood_many",
    "dearest",
    "format_card",
    "format_hand",
    "helper",
    "lowest",
    "make_view",
    "param_kinds",
    "parse_card",
    "parse_hand",
    "pick",
    "points",
    "popcount",
    "ranks_of",
    "run_cards",
    "set_ranks",
    "trailing_zeros",
]


@entry(types.void(types.Array(types.uint64, 1, "C", readonly=True), types.Array(types.uint8, 1, "C")))
def _deadwood_many(hands: Mask, out: Mask) -> None:
    for place in range(hands.size):
        out[place] = deadwood(hands[place])


def deadwood_many(hands: npt.ArrayLike) -> npt.NDArray[np.uint8]:
    """Return the least deadwood of many hands of up to 11 cards: uint64 of shape (n,) in, uint8 of shape (n,) out."""
    masks = np.ascontiguousarray(hands, np.uint64)
    out = np.empty(masks.shape, np.uint8)
    _deadwood_many(masks, out)
    return out
