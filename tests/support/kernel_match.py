"""Playing matches with the compiled kernels, and the same matches with the reference engine."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from sim.cards import N_CARDS
from sim.decisions import BoundStrategy
from sim.match import block_kernel, new_desk, pair_up
from sim.rng import noise, seat_keys
from sim.rows import DEAL_ROW, FINISHED, MATCH_ROW
from sim.rules import Rules
from sim.shuffle import card_at, new_decks, prepare
from sim.view import make_view
from strategies.registry import bind, parse_spec
from tests.support.reference_engine import MatchLog, Seen, play_match


class Rows(NamedTuple):
    """The rows of a block of pairs: MATCH_ROW of shape (2 * pairs,) and DEAL_ROW of shape (deals,)."""

    matches: npt.NDArray[Any]
    deals: npt.NDArray[Any]


def bound(text: str) -> BoundStrategy:
    """Return a strategy of the project, ready to play."""
    return bind(parse_spec(text))


def kernel_rows(a: str, b: str, rules: Rules, seed: int, pairs: int, first_pair: int = 0) -> Rows:
    """Play a block of duplicate pairs with the kernel."""
    players = bound(a), bound(b)
    desk = new_desk(rules, seed, (players[0].params, players[1].params))
    matches = np.zeros(2 * pairs, MATCH_ROW)
    deals = np.zeros(pairs * 60 + 40_000, DEAL_ROW)
    state, done, used = block_kernel()(pair_up(*players), desk, first_pair, matches, deals, True)
    assert (state, done) == (FINISHED, pairs)
    return Rows(matches, deals[:used])


def deck_of(seed: int, pair: int, deal: int) -> list[int]:
    """Return the whole card stream of a deal."""
    deck = new_decks(seed)[0]
    with np.errstate(over="ignore"):
        prepare(deck, pair, deal)
        return [int(card_at(deck, place)) for place in range(N_CARDS)]


class StrategyPlayer:
    """A strategy as a player of the reference engine: its compiled decisions, asked with a view of what is seen."""

    def __init__(self, strategy: BoundStrategy) -> None:
        self._strategy = strategy

    def _ask(self, decision: str, seen: Seen) -> int:
        view: Any = make_view(**vars(seen))
        view.params[: len(self._strategy.params)] = self._strategy.params
        answer = getattr(self._strategy, decision)(view)
        seen.memory[:] = [int(word) for word in view.memory]
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
    """Play the match of a MATCH_ROW (its pair, leg and first dealer) again with the reference engine."""
    pair, leg = int(row["pair"]), int(row["leg"])

    def noise_of(deal: int, seat: int, decision: int) -> int:
        with np.errstate(over="ignore"):
            keys = seat_keys(np.uint64(seed), pair, deal)
            return int(noise(np.uint64(keys[seat]), decision))

    return play_match(
        lambda deal: deck_of(seed, pair, deal),
        int(row["first_dealer"]) ^ leg,
        leg,
        rules,
        [StrategyPlayer(bound(a)), StrategyPlayer(bound(b))],
        noise_of,
    )
