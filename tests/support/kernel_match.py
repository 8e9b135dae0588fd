"""Playing matches with the compiled kernels, and the same matches with the reference engine.

Players are named in the order of the rules: A, B; in partnership A1, B1, A2, B2; three-handed A, B, C.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from sim.cards import N_CARDS
from sim.decisions import BoundStrategy
from sim.match import block_kernel, line_up, new_desk
from sim.rng import noise, seat_keys
from sim.rows import DEAL_ROW, FINISHED, MATCH_ROW, MAX_TURNS
from sim.rules import PARTNERSHIP, THREE_HANDED, TWO_HANDED, Rules
from sim.shuffle import card_at, new_decks, prepare
from sim.view import make_view
from strategies.registry import bind, parse_spec
from tests.support.reference_engine import MatchLog, Seen, play_match
from tests.support.reference_partners import play_partners
from tests.support.reference_three import play_three, seating

ROOM = 40_000
"""Deal rows for the pairs that take long, on top of `DEALS_A_LEG` for each leg."""
DEALS_A_LEG = 30
PLAY = {TWO_HANDED: play_match, PARTNERSHIP: play_partners, THREE_HANDED: play_three}
"""The reference match of each form of play."""


class Rows(NamedTuple):
    """The rows of a block of pairs: MATCH_ROW of shape (legs * pairs,), DEAL_ROW of shape (deals,), and moves.

    Moves are uint8 of shape (deals, MAX_TURNS), one byte for each turn as `sim.rows` writes it; of shape
    (0, MAX_TURNS) when they were not kept.
    """

    matches: npt.NDArray[Any]
    deals: npt.NDArray[Any]
    moves: npt.NDArray[np.uint8]


@cache
def bound(text: str) -> BoundStrategy:
    """Return a strategy of the project, or of a file, ready to play."""
    return bind(parse_spec(text))


def kernel_rows(a: str, b: str, rules: Rules, seed: int, pairs: int, first_pair: int = 0) -> Rows:
    """Play a block of duplicate pairs of two players with the kernel, without keeping moves."""
    return kernel_block((a, b), rules, seed, range(first_pair, first_pair + pairs), keep_moves=False)


def kernel_block(players: Sequence[str], rules: Rules, seed: int, pairs: range, *, keep_moves: bool = True) -> Rows:
    """Play a block of pairs, each in all its legs, with the kernel."""
    strategies = [bound(player) for player in players]
    matches = np.zeros(rules.legs * len(pairs), MATCH_ROW)
    deals = np.zeros(len(matches) * DEALS_A_LEG + ROOM, DEAL_ROW)
    moves = np.zeros((len(deals) if keep_moves else 0, MAX_TURNS), np.uint8)
    desk = new_desk(rules, seed, tuple(strategy.params for strategy in strategies))._replace(moves=moves)
    state, done, used = block_kernel()(line_up(*strategies), desk, pairs.start, matches, deals, True)
    assert (state, done) == (FINISHED, len(pairs))
    return Rows(matches, deals[:used], moves[:used])


def deck_of(seed: int, pair: int, deal: int) -> list[int]:
    """Return the whole card stream of a deal."""
    deck = new_decks(seed)[0]
    with np.errstate(over="ignore"):
        prepare(deck, pair, deal)
        return [int(card_at(deck, place)) for place in range(N_CARDS)]


@lru_cache(maxsize=8)  # asked again at each decision of a deal
def _noise_keys(seed: int, pair: int, deal: int) -> tuple[np.uint64, np.uint64]:
    """Return the noise keys of seats 0 and 1 in one deal."""
    with np.errstate(over="ignore"):
        seat0, seat1 = seat_keys(np.uint64(seed), pair, deal)
    return np.uint64(seat0), np.uint64(seat1)


class StrategyPlayer:
    """A strategy as a player of the reference engine: its compiled decisions, asked with a view of what is seen."""

    def __init__(self, strategy: BoundStrategy) -> None:
        self._strategy = strategy
        view: Any = make_view()
        view.params[: len(strategy.params)] = strategy.params
        self._view = view

    def _ask(self, decision: str, seen: Seen) -> int:
        for name, value in vars(seen).items():  # all the view has, so nothing of an earlier question is left in it
            self._view[name] = value
        answer = getattr(self._strategy, decision)(self._view)
        seen.memory[:] = self._view.memory.tolist()
        return int(answer)

    def take_upcard(self, seen: Seen) -> bool:
        """Ask the strategy."""
        return bool(self._ask("take_upcard", seen))

    def choose_discard(self, seen: Seen) -> int:
        """Ask the strategy."""
        return self._ask("choose_discard", seen)

    def should_knock(self, seen: Seen) -> bool:
        """Ask the strategy."""
        return bool(self._ask("should_knock", seen))


def reference_match(a: str, b: str, rules: Rules, seed: int, row: Any) -> MatchLog:
    """Play the match of two players of a MATCH_ROW again with the reference engine."""
    return reference_match_of((a, b), rules, seed, row)


def reference_match_of(players: Sequence[str], rules: Rules, seed: int, row: Any) -> MatchLog:
    """Play the match of a MATCH_ROW (its pair, leg and first dealer) again with the reference engine."""
    pair, leg = int(row["pair"]), int(row["leg"])

    def noise_of(deal: int, seat: int, decision: int) -> int:
        with np.errstate(over="ignore"):
            return int(noise(_noise_keys(seed, pair, deal)[seat], decision))

    return PLAY[rules.form](
        lambda deal: deck_of(seed, pair, deal),
        first_dealer_seat(rules, row),
        leg,
        rules,
        [StrategyPlayer(bound(player)) for player in players],
        noise_of,
    )


def first_dealer_seat(rules: Rules, row: Any) -> int:
    """Return the seat, 0 or 1, of the side that a MATCH_ROW names as first dealer."""
    leg, side = int(row["leg"]), int(row["first_dealer"])
    return seating(leg)[:2].index(side) if rules.form == THREE_HANDED else side ^ leg
