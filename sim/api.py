"""The facade: what a strategy author, a notebook or a script imports from the simulator.

Strategies import only this module. Its solver functions (`deadwood`, `after_discard`, `points`, `run_cards`, ...)
work on 52-bit hand masks both in plain Python and inside compiled strategies.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from sim.bits import bit, lowest, pick, popcount, trailing_zeros
from sim.cards import FULL_DECK, NO_CARD, PIPS, format_card, format_hand, parse_card, parse_hand
from sim.decisions import (
    BoundStrategy,
    Layer,
    NoParams,
    Param,
    Side,
    Strategy,
    StrategySpec,
    Wrapper,
    bind_layers,
    bind_strategy,
    param_kinds,
)
from sim.hints import did_you_mean
from sim.jit import player_code as helper
from sim.melds import (
    RANK_COLUMN,
    after_discard,
    deadwood,
    deadwood_of_each,
    dearest,
    next_sets,
    points,
    ranks_of,
    run_cards,
    set_ranks,
)
from sim.solve import best_discard, best_spreads
from sim.view import TurnView, make_view

__all__ = [
    "FULL_DECK",
    "NO_CARD",
    "PIPS",
    "RANK_COLUMN",
    "BoundStrategy",
    "Layer",
    "NoParams",
    "Param",
    "Side",
    "Strategy",
    "StrategySpec",
    "TurnView",
    "Wrapper",
    "after_discard",
    "best_discard",
    "best_spreads",
    "bind_layers",
    "bind_strategy",
    "bit",
    "deadwood",
    "deadwood_many",
    "dearest",
    "did_you_mean",
    "format_card",
    "format_hand",
    "helper",
    "lowest",
    "make_view",
    "next_sets",
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


def deadwood_many(hands: npt.ArrayLike) -> npt.NDArray[np.uint8]:
    """Return the least deadwood of many hands of up to 11 cards: uint64 of shape (n,) in, uint8 of shape (n,) out.

    Raises ValueError for anything but whole numbers from 0.
    """
    given = np.asarray(hands)
    if given.size and (given.dtype.kind not in "ui" or (given.dtype.kind == "i" and (given < 0).any())):
        raise ValueError(f"hands are card masks, whole numbers from 0; got an array of {given.dtype}")
    masks = np.ascontiguousarray(given, np.uint64)
    out = np.empty(masks.shape, np.uint8)
    deadwood_of_each(masks, out)
    return out
