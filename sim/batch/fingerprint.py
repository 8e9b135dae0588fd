"""The engine fingerprint: a checksum of what a few thousand fixed deals come to under two minimal policies.

Two engines with the same fingerprint deal, solve, lay off and score alike. The policies are written here, not taken
from `strategies`, so that no change to a player can change it.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from sim.bits import bit, trailing_zeros
from sim.decisions import NoParams, Strategy, bind_strategy
from sim.match import block_kernel, line_up, new_desk
from sim.melds import after_discard
from sim.records import records
from sim.rows import DEAL_ROW, FINISHED, MATCH_ROW
from sim.rules import Rules
from sim.view import TurnView

PAIRS = 64
SEED = 2026
DIGITS = 16


def _never(view: TurnView, p: NoParams) -> bool:
    return False


def _always(view: TurnView, p: NoParams) -> bool:
    return True


def _improves(view: TurnView, p: NoParams) -> bool:
    card = bit(view.upcard)
    return after_discard(view.hand | card, card)[0] < view.deadwood


def _throw_first(view: TurnView, p: NoParams) -> int:
    return trailing_zeros(view.best_discards)


def _has_five(view: TurnView, p: NoParams) -> bool:
    return view.deadwood <= 5


STOCK_DRAWER = Strategy("stock-drawer", "fingerprint policy", "this file", _never, _throw_first, _always)
IMPROVER = Strategy("improver", "fingerprint policy", "this file", _improves, _throw_first, _has_five)


@cache
def engine_fingerprint() -> str:
    """Return the fingerprint of this engine, 16 hex digits (about 10 ms once compiled)."""
    source = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:DIGITS]
    a, b = (bind_strategy(policy, source, {}) for policy in (STOCK_DRAWER, IMPROVER))
    matches, deals = records(2 * PAIRS, MATCH_ROW), records(2 * PAIRS * 200, DEAL_ROW)
    desk = new_desk(Rules(), SEED, (a.params, b.params))
    state, _, used = block_kernel()(line_up(a, b), desk, 0, matches, deals, True)
    assert state == FINISHED
    return hashlib.sha256(matches.tobytes() + deals[:used].tobytes()).hexdigest()[:DIGITS]
