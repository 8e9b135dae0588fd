"""A match followed move by move: the kernels play it again from its seed, and each deal is told from what they note.

`replay_pair` plays all legs of a pair; a `MatchStory` is one of them. Sides are those of the match; in partnership
play a `DealStory` also names the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import from_dtype, types

from sim.bits import Number, Records
from sim.cards import FULL_DECK, N_CARDS
from sim.decisions import BoundStrategy
from sim.evening import SIDES
from sim.follow import Follower
from sim.jit import entry
from sim.match import block_kernel, line_up, new_desk
from sim.records import records
from sim.rows import (
    DEAL_ROW,
    FINISHED,
    FIRST_MOVER,
    ILLEGAL,
    MATCH_ROW,
    MOVE_BYTES,
    NOBODY,
    OUT_OF_ROWS,
    Ending,
)
from sim.rules import PARTNERSHIP, THREE_HANDED, Rules
from sim.seating import SEATINGS
from sim.shuffle import DECK, UPCARD_PLACE, card_at, new_decks, prepare
from sim.solve import Laydown, lay_down
from sim.story import DealStory, MatchStory
from sim.table import SPADES
from sim.trouble import offence_text, unfinished_text

FIRST_ROOM = 256
"""Deals a pair has room for at first; doubled until they fit."""


@entry(types.void(types.Array(from_dtype(DECK), 1, "C"), types.int64, types.int64))
def deal_out(decks: Records, pair: Number, deal: Number) -> None:
    """Shuffle a deal to its last card into the first of some decks."""
    prepare(decks[0], pair, deal)
    card_at(decks[0], N_CARDS - 1)


@dataclass(frozen=True)
class _Played:
    """What the kernels left of a pair: the desk, all rows and moves, and why they stopped if they did not finish."""

    desk: Any
    matches: Any
    deals: Any
    moves: npt.NDArray[np.uint8]
    trouble: str | None


def replay_pair(rules: Rules, seed: int, pair: int, players: Sequence[BoundStrategy]) -> list[MatchStory]:
    """Play a pair again and tell each of its matches; the last one ends where a player broke the rules, if one did.

    `players` are in the order of the kernels: by table, and at each table by side.
    """
    played = _play(rules, seed, pair, players)
    table, stories, start = played.desk.table[0], [], 0
    for leg in range(rules.legs if played.trouble is None else int(table.leg) + 1):
        broken = played.trouble is not None and leg == table.leg
        count = int(table.deal) if broken else int(played.matches[leg].deals_played)
        teller = _Teller(rules, seed, pair, leg)
        deals = [teller.tell(played.deals[i], played.moves[i]) for i in range(start, start + count)]
        if broken:
            deals.append(teller.break_off(played))
        stories.append(MatchStory(pair, leg, rules, tuple(deals), None if broken else played.matches[leg]))
        start += count
    return stories


def _play(rules: Rules, seed: int, pair: int, players: Sequence[BoundStrategy]) -> _Played:
    room = FIRST_ROOM
    while True:
        matches, deals = records(rules.legs, MATCH_ROW), records(room, DEAL_ROW)
        moves = np.zeros((room, MOVE_BYTES), np.uint8)
        desk = new_desk(rules, seed, tuple(player.params for player in players))._replace(moves=moves)
        try:
            state = block_kernel()(line_up(*players), desk, pair, matches, deals, True)[0]
        except Exception as error:  # a strategy's own
            return _Played(desk, matches, deals, moves, f"a strategy raised {type(error).__name__}: {error}")
        if state == FINISHED:
            return _Played(desk, matches, deals, moves, None)
        if state != OUT_OF_ROWS:
            trouble = offence_text(desk.table[0]) if state == ILLEGAL else unfinished_text(state)
            return _Played(desk, matches, deals, moves, trouble)
        room *= 2


class _Teller:
    """Tells the deals of one match in order."""

    def __init__(self, rules: Rules, seed: int, pair: int, leg: int) -> None:
        self._rules, self._pair, self._leg = rules, pair, leg
        self._decks = new_decks(seed)
        self._swap = 0 if rules.form == THREE_HANDED else leg
        order = SEATINGS[leg].tolist() if rules.form == THREE_HANDED else [0, 1, NOBODY]
        self._sides, self._waiting = order[:2], order[2]
        self._net = 0
        self._deal = 0

    def tell(self, row: Any, moves: npt.NDArray[np.uint8]) -> DealStory:
        """Tell a finished deal."""
        first, turns = int(moves[FIRST_MOVER]), moves[: int(row.turns)].tolist()
        story = self._story(int(row.dealer), (first, turns), row, int(row.knock_limit))
        self._deal += 1
        if row.scorer != NOBODY and self._rules.form == THREE_HANDED:
            loser = 1 - self._sides.index(int(row.scorer))
            self._sides[loser], self._waiting = self._waiting, self._sides[loser]
        return story

    def break_off(self, played: _Played) -> DealStory:
        """Tell the deal in which the players were stopped, as far as it went."""
        table = played.desk.table[0]
        moves = int(table.moves[FIRST_MOVER]), table.moves[: int(table.turns)].tolist()
        dealer = self._sides[int(table.dealer)]
        number = str(self._deal % 2 + 1) if self._rules.form == PARTNERSHIP else ""
        who = f"{SIDES[self._sides[int(table.offender)]]}{number}: " if table.offence else ""
        return replace(self._story(dealer, moves, None, int(table.limit)), trouble=f"{who}{played.trouble}")

    def _story(self, dealer: int, moves: tuple[int, list[int]], row: Any, limit: int) -> DealStory:
        stream = self._stream()
        seats = (self._swap, 1 - self._swap)
        hands = [_mask(stream[10 * seat : 10 * seat + 10]) for seat in seats]
        follower = Follower(self._sides, hands, stream, self._sides.index(dealer))
        passed, turns = follower.follow(*moves)
        doubles = self._rules.spade_doubles and stream[UPCARD_PLACE] // 13 == SPADES
        return DealStory(
            deal=self._deal,
            table=self._deal % self._rules.tables,
            dealer=dealer,
            sides=(self._sides[0], self._sides[1]),
            seats=seats,
            hands=(hands[0], hands[1]),
            stream=stream,
            passed=passed,
            turns=turns,
            knock_limit=limit,
            multiplier=2 if doubles else 1,
            row=None if row is None else row.copy(),
            laydown=None if row is None else self._laydown(row, follower),
            win=None if row is None else self._win(row),
        )

    def _stream(self) -> tuple[int, ...]:
        """Return the 52 cards of this deal: seat 0's ten, seat 1's ten, the upcard, the stock in drawing order."""
        deal_out(self._decks, self._pair, self._deal)
        return tuple(self._decks[0].cards.tolist())

    def _laydown(self, row: Any, follower: Follower) -> Laydown | None:
        if row.knocker == NOBODY or row.ending == Ending.BIG_GIN:
            return None
        knocker = self._sides.index(int(row.knocker))
        mine, theirs = follower.hands[knocker], follower.hands[1 - knocker]
        known = follower.known[1 - knocker]
        return lay_down(mine, theirs, known, FULL_DECK & ~(mine | follower.pile | known))

    def _win(self, row: Any) -> tuple[int, int] | None:
        """Return what a deal brings to the sheet; of partners the net of both tables, after the second (003)."""
        scorer, points = int(row.scorer), int(row.points)
        if self._rules.form != PARTNERSHIP:
            return None if scorer == NOBODY else (scorer, points)
        self._net += points if scorer == 0 else -points
        if self._deal % 2 == 0 or self._net == 0:
            return None
        net, self._net = self._net, 0
        return int(net < 0), abs(net)


def _mask(cards: Sequence[int]) -> int:
    return sum(1 << card for card in cards)
