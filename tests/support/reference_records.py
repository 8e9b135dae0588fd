"""The records of the reference engine: what a player sees and is asked, what a deal leaves behind."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

NO_DEADWOOD = -1
"""Stands for the deadwood of a knocker and a defender where nobody knocked."""
Move = tuple[int, str, int]
"""Seat, kind (pass, take, draw, discard, knock, big_gin) and card; `NO_CARD` with big gin."""
Noise = Callable[[int, int], int]
"""Seat and decision number, counted per seat from 0 in each deal, to that decision's random number."""
MatchNoise = Callable[[int, int, int], int]
"""The same in a match: the deal index comes before seat and decision number."""
DeckOf = Callable[[int], Sequence[int]]
"""Deal index to the card stream: seat 0's ten, seat 1's ten, the upcard, the stock in drawing order."""


def no_noise(deal: int, seat: int, decision: int) -> int:
    """Return zero: for players who use no chance."""
    return 0


class IllegalMove(Exception):
    """A discard the rules forbid: who tried it, the kind and card, and why it is refused."""

    def __init__(self, seat: int, move: tuple[str, int], why: str) -> None:
        super().__init__(seat, move, why)
        self.seat, self.move, self.why = seat, move, why


class SheetInfo(NamedTuple):
    """What the seats see of the sheet, by seat and column; always three columns (needs -1: closed)."""

    points: list[list[int]]
    boxes: list[list[int]]
    needs: list[list[int]]


@dataclass(frozen=True)
class Seen:
    """All that a player may know when asked; cards as 52-bit masks, flags as 0 or 1. See `Deal.see`."""

    hand: int
    upcard: int  # top of the pile when the turn began, taken since or not
    drawn: int  # the card just drawn; NO_CARD before the draw
    barred: int  # the upcard just taken, or NO_CARD
    deadwood: int  # of the ten cards; after the draw, after the best legal discard
    best_discards: int  # every legal discard that leaves `deadwood`; 0 before the draw
    stock_cards: int
    turn: int  # 1 + completed turns of both players
    offer: int  # 1 while the first upcard is on offer
    knocking: int  # 1 for the discard of a knock
    pile: int
    taken: int  # what the opponent took from the pile and still holds
    declined: int  # upcards the opponent could have taken and did not
    thrown: int  # every card the opponent has discarded
    knock_limit: int
    multiplier: int
    is_dealer: int
    noise: int
    memory: list[int]
    my_points: list[int]
    their_points: list[int]
    my_boxes: list[int]
    their_boxes: list[int]
    my_needs: list[int]
    their_needs: list[int]
    target: int
    gin_bonus: int
    undercut_bonus: int
    big_gin_bonus: int  # -1: off


class Player(Protocol):
    """Someone who can be asked the three questions of the game."""

    def take_upcard(self, seen: Seen) -> bool: ...
    def choose_discard(self, seen: Seen) -> int: ...
    def should_knock(self, seen: Seen) -> bool: ...


@dataclass
class DealLog:
    """One finished deal; `turns` counts completed turns, that of the knock included."""

    ending: str
    scorer_seat: int | None
    knocker_seat: int | None
    points: int
    turns: int
    stock_left: int
    knocker_deadwood: int
    defender_deadwood_before: int
    defender_deadwood_after: int
    initial_deadwood: list[int]
    knock_limit: int
    multiplier: int
    moves: list[Move]
