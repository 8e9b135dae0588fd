"""The game in plain Python: one deal and one match with lists and sets, checking the 52 cards at every step.

The slow twin of the deal and match kernels. It follows docs/rules.md sentence by sentence. The deal itself is
in `reference_deal`, what players see in `reference_records`; `reference_partners` and `reference_three` play the
matches of four and of three players.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from sim.rules import Rules
from tests.support.naive_sheet import NaiveSheet, Side
from tests.support.reference_deal import Deal
from tests.support.reference_records import (
    NO_DEADWOOD,
    DealLog,
    DeckOf,
    IllegalMove,
    MatchNoise,
    Noise,
    Player,
    Seen,
    SheetInfo,
    no_noise,
)

__all__ = [
    "NO_DEADWOOD",
    "Deal",
    "DealLog",
    "IllegalMove",
    "MatchLog",
    "Player",
    "Seen",
    "SheetInfo",
    "next_dealer",
    "play_deal",
    "play_match",
    "sheet_info_at",
    "sheet_info_of",
]


def sheet_info_of(sheet: NaiveSheet, leg: int = 0) -> SheetInfo:
    """Return what the seats of a match of two sides see of its sheet in one leg, padded to three columns."""
    return sheet_info_at(sheet, (leg, 1 - leg))


def sheet_info_at(sheet: NaiveSheet, sides: Sequence[Side]) -> SheetInfo:
    """Return what two seats see of a sheet, padded to three columns: `sides` are those of seats 0 and 1."""
    padding = [0] * (3 - sheet.rules.columns)
    return SheetInfo(
        points=[sheet.totals[side] + padding for side in sides],
        boxes=[sheet.boxes[side] + padding for side in sides],
        needs=[sheet.needs(side) + [-1] * len(padding) for side in sides],
    )


def play_deal(
    cards: Sequence[int],
    dealer_seat: int,
    rules: Rules,
    players: Sequence[Player],
    sheet_info: SheetInfo | None = None,
    noise: Noise = lambda seat, decision: 0,
) -> DealLog:
    """Play one deal with the players by seat; without `sheet_info` they see an empty sheet.

    Raises `IllegalMove` at the first discard the rules forbid.
    """
    info = sheet_info if sheet_info is not None else sheet_info_of(NaiveSheet(rules))
    return Deal(cards, dealer_seat, rules, players, info, noise).play()


@dataclass
class MatchLog:
    """A match and its sheet; all but the last list have an item for each deal.

    `seats` are the sides of seats 0 and 1. `entered` are the columns, from 1, that a win entered with the deal was
    entered in, and `entered_by` is whose win it was. `closed_at` is by column: the index of the deal that closed it.
    """

    sheet: NaiveSheet
    deals: list[DealLog] = field(default_factory=list)
    dealer_seats: list[int] = field(default_factory=list)
    seats: list[tuple[Side, Side]] = field(default_factory=list)
    entered: list[list[int]] = field(default_factory=list)
    entered_by: list[Side | None] = field(default_factory=list)
    closed_at: list[int | None] = field(default_factory=lambda: [None] * 3)

    def add(self, deal: DealLog, dealer_seat: int, seats: tuple[Side, Side]) -> None:
        """Note a deal, with nothing entered."""
        self.deals.append(deal)
        self.dealer_seats.append(dealer_seat)
        self.seats.append(seats)
        self.entered.append([])
        self.entered_by.append(None)

    def enter(self, side: Side, points: int) -> None:
        """Enter a win on the sheet and note it with the last deal."""
        open_before = [winner is None for winner in self.sheet.closed_by]
        self.entered[-1] = self.sheet.enter(side, points)
        self.entered_by[-1] = side
        for column, was_open in enumerate(open_before):
            if was_open and self.sheet.closed_by[column] is not None:
                self.closed_at[column] = len(self.deals) - 1


def play_match(
    deck_of: DeckOf,
    first_dealer_seat: int,
    leg: int,
    rules: Rules,
    players: Sequence[Player],
    noise: MatchNoise = no_noise,
) -> MatchLog:
    """Play deals until the sheet is full: `players` by side, seat = side xor leg.

    A dead deal uses up its deal index.
    """
    match, dealer_seat = MatchLog(NaiveSheet(rules)), first_dealer_seat
    seats = (leg, 1 - leg)
    by_seat = [players[side] for side in seats]
    while not match.sheet.is_over:
        index = len(match.deals)
        info = sheet_info_at(match.sheet, seats)
        deal = play_deal(deck_of(index), dealer_seat, rules, by_seat, info, partial(noise, index))
        match.add(deal, dealer_seat, seats)
        if deal.scorer_seat is not None:
            match.enter(seats[deal.scorer_seat], deal.points)
        dealer_seat = next_dealer(rules, dealer_seat, deal.scorer_seat)
    return match


def next_dealer(rules: Rules, dealer_seat: int, scorer_seat: int | None) -> int:
    """Return the seat that deals next: the same one after a dead deal."""
    if scorer_seat is None:
        return dealer_seat
    choices = {"winner": scorer_seat, "loser": 1 - scorer_seat, "alternate": 1 - dealer_seat}
    return choices[rules.next_dealer]
