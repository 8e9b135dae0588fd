"""Scripted deals on the compiled kernels: card streams stacked by hand, and players who follow a script.

A desk whose deck already holds deal n of pair 0 does not shuffle it, so a test lays out the cards of up to 32 deals.
The players are real strategies. Who they are is in their parameters: card masks, which a float holds exactly.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from sim.bits import U0, bit, trailing_zeros
from sim.cards import FULL_DECK, N_CARDS, format_card, parse_hand
from sim.decisions import BoundStrategy, Strategy, bind_strategy
from sim.jit import player_code
from sim.match import DeskArrays, block_kernel, line_up, new_desk
from sim.melds import deadwood
from sim.records import records
from sim.rows import CARD_BITS, DEAL_ROW, FINISHED, ILLEGAL, KNOCKED, MATCH_ROW, MAX_TURNS, OUT_OF_ROWS, TOOK
from sim.rules import Rules
from sim.shuffle import KEPT_DECKS
from sim.view import TurnView

OFFER, DRAW, KNOCK, DISCARD = QUESTIONS = "offer", "draw", "knock", "discard"
"""What a player is asked: to take the first upcard; the upcard or the stock; to knock; to throw a card."""
ASKED, ANSWERS_TO, DECLINED, SEEN = range(4)
"""Words of a scripted player's memory: questions asked in this deal, which (4 bits each, the first 16), what the other
had declined when the first upcard was offered, and a checksum of all that he saw."""


class ScriptParams(NamedTuple):
    """A script as numbers: see `Script`."""

    takes: int = 0
    throws: int = 0
    knocks_with: int = FULL_DECK
    knock_at: int = N_CARDS
    limit: int = -1
    multiplier: int = -1


@dataclass(frozen=True)
class Script:
    """How to play: cards as text.

    Takes only these upcards; throws these while he holds one, else what he drew (or, knocking or barred from that, the
    first of the best); knocks as soon as he may with one of these in hand, with at most `knock_at` cards in stock and,
    where they are given, with this knock limit and multiplier in view.
    """

    takes: str = ""
    throws: str = ""
    knocks_with: str | None = None
    knock_at: int = N_CARDS
    limit: int = -1
    multiplier: int = -1

    @property
    def params(self) -> tuple[float, ...]:
        """The parameters of the strategy that follows this script."""
        with_ = FULL_DECK if self.knocks_with is None else parse_hand(self.knocks_with)
        numbers = parse_hand(self.takes), parse_hand(self.throws), with_, self.knock_at, self.limit, self.multiplier
        return tuple(float(number) for number in numbers)


DECK_TEXT = " ".join(format_card(card) for card in range(N_CARDS))
KNOCKS = Script()
NEVER_KNOCKS = Script(knocks_with="")
TRADER = Script(takes=DECK_TEXT, knocks_with="")


@player_code
def _note(view: Any, question: int) -> None:
    asked = view.memory[ASKED]
    if asked < 16:
        view.memory[ANSWERS_TO] |= np.uint64(question) << (np.uint64(4) * asked)
    view.memory[ASKED] = asked + np.uint64(1)
    digest = view.memory[SEEN]
    for cards in (view.hand, view.best_discards, view.pile, view.taken, view.declined, view.thrown):
        digest = (digest ^ cards) * np.uint64(0x9E3779B97F4A7C15)
    for number in (view.upcard, view.drawn, view.barred, view.deadwood, view.stock_cards, view.turn, view.offer):
        digest = (digest ^ np.uint64(number)) * np.uint64(0x9E3779B97F4A7C15)
    view.memory[SEEN] = digest


def _take(view: TurnView, p: ScriptParams) -> bool:
    if view.offer:
        view.memory[DECLINED] = view.declined
    _note(view, 0 if view.offer else 1)
    return bool((bit(view.upcard) & np.uint64(p.takes)) != U0)


def _knock(view: TurnView, p: ScriptParams) -> bool:
    _note(view, 2)
    if p.limit >= 0 and view.knock_limit != p.limit:
        return False
    if p.multiplier >= 0 and view.multiplier != p.multiplier:
        return False
    return bool(view.stock_cards <= p.knock_at and (view.hand & np.uint64(p.knocks_with)) != U0)


def _discard(view: TurnView, p: ScriptParams) -> int:
    _note(view, 3)
    wanted = view.hand & np.uint64(p.throws)
    if wanted:
        return int(trailing_zeros(wanted))
    if view.knocking or view.barred >= 0:
        return int(trailing_zeros(view.best_discards))
    return view.drawn


@cache
def scripted_player() -> BoundStrategy:
    """Return the strategy that follows a script, compiled or from the disk cache."""
    sha = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:16]
    strategy = Strategy("scripted", "follows a script", "this file", _take, _discard, _knock, ScriptParams)
    return bind_strategy(strategy, sha, {})


class Move(NamedTuple):
    """One turn: whether the upcard was taken, the card thrown (none at big gin), whether the player knocked."""

    took: bool
    thrown: str | None
    knocked: bool


class Played(NamedTuple):
    """What was played: MATCH_ROW rows, one for each leg; DEAL_ROW rows; moves (deals, MAX_TURNS); and the desk."""

    matches: Any
    deals: Any
    moves: Any
    desk: DeskArrays

    def turns(self, deal: int = 0) -> list[Move]:
        """Return the turns of a deal in order."""
        return [_move(byte) for byte in self.moves[deal][: self.deals[deal]["turns"]].tolist()]

    def entered(self) -> list[list[int]]:
        """Return for each deal the columns, from 1, that its points entered."""
        return [[c + 1 for c in range(3) if mask >> c & 1] for mask in self.deals["columns_entered"].tolist()]

    def totals(self, side: int) -> list[int]:
        """Return the running totals of a side on the sheet, column by column."""
        return [int(points) for points in self.desk.sheet[0].points[:, side]]

    def boxes(self, side: int) -> list[int]:
        """Return the boxes of a side on the sheet, column by column."""
        return [int(boxes) for boxes in self.desk.sheet[0].boxes[:, side]]

    def questions(self, player: int) -> list[str]:
        """Return what a player was asked in the last deal, the first 16 questions."""
        memory = self.desk.views[player].memory
        return [QUESTIONS[int(memory[ANSWERS_TO]) >> 4 * n & 15] for n in range(min(16, int(memory[ASKED])))]


def _move(byte: int) -> Move:
    card = byte & CARD_BITS
    return Move(bool(byte & TOOK), None if card == CARD_BITS else format_card(card), bool(byte & KNOCKED))


def stack(desk: DeskArrays, streams: Iterable[Sequence[int]]) -> None:
    """Lay out the card streams of deals 0, 1, ... of pair 0."""
    for deal, stream in enumerate(streams):
        if deal == KEPT_DECKS or sorted(stream) != list(range(N_CARDS)):
            raise ValueError(f"deal {deal} cannot be stacked: at most {KEPT_DECKS} deals of all 52 cards")
        record = desk.decks[deal]
        record.pair, record.deal, record.cards, record.shuffled = 0, deal, stream, N_CARDS
        for seat in range(2):
            hand = np.uint64(sum(1 << card for card in stream[10 * seat : 10 * seat + 10]))
            record.hands[seat], record.deadwood[seat] = hand, deadwood(hand)


def _play(streams: Sequence[Sequence[int]], scripts: Sequence[Script], rules: Rules, room: int) -> tuple[int, Played]:
    desk = new_desk(rules, 0, tuple(script.params for script in scripts))
    desk = desk._replace(moves=np.zeros((room, MAX_TURNS), np.uint8))
    stack(desk, streams)
    players = line_up(*[scripted_player()] * len(scripts))
    matches, deals = records(rules.legs, MATCH_ROW), records(room, DEAL_ROW)
    state, _, used = block_kernel()(players, desk, 0, matches, deals, True)
    return state, Played(matches, deals if state == OUT_OF_ROWS else deals[:used], desk.moves, desk)


def play_deals(streams: Sequence[Sequence[int]], scripts: Sequence[Script], rules: Rules) -> Played:
    """Play the stacked deals and no more, from leg 0 on: the kernel stops where there is no room for another row.

    The sheet is as the last deal leaves it, unless that ended the match: then see its row in `matches`.
    """
    state, played = _play(streams, scripts, rules, len(streams))
    assert state == OUT_OF_ROWS
    return played


def play_legs(streams: Sequence[Sequence[int]], scripts: Sequence[Script], rules: Rules) -> Played:
    """Play whole matches, all legs of pair 0; the stacked deals must be enough for each."""
    state, played = _play(streams, scripts, rules, rules.legs * KEPT_DECKS)
    assert state == FINISHED
    assert played.matches["deals_played"].max() <= len(streams)
    return played


def play_refused(streams: Sequence[Sequence[int]], scripts: Sequence[Script], rules: Rules) -> Any:
    """Play until a move is illegal; return the desk as it was left."""
    state, played = _play(streams, scripts, rules, rules.legs * KEPT_DECKS)
    assert state == ILLEGAL
    return played.desk
