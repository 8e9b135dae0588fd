"""The game in plain Python: one deal and one match with lists and sets, checking the 52 cards at every step.

The slow twin of the deal and match kernels. It follows docs/rules.md sentence by sentence. The deal itself is
in `reference_deal`, what players see in `reference_records`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from sim.rules import Rules
from tests.support.naive_sheet import NaiveSheet
from tests.support.reference_deal import Deal
from tests.support.reference_records import (
    NO_DEADWOOD,
    DealLog,
    IllegalMove,
    Noise,
    Player,
    Seen,
    SheetInfo,
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
    "sheet_info_of",
]


def sheet_info_of(sheet: NaiveSheet, leg: int = 0) -> SheetInfo:
    """Return what the seats see of a sheet in one leg, padded to three columns."""
    sides = [seat ^ leg for seat in (0, 1)]
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
    """One finished match: its deals with their dealers and the columns each entered, and the sheet."""

    sheet: NaiveSheet
    deals: list[DealLog] = field(default_factory=list)
    dealer_seats: list[int] = field(default_factory=list)
    entered: list[list[int]] = field(default_factory=list)


def play_match(
    deck_of: Callable[[int], Sequence[int]],
    first_dealer_seat: int,
    leg: int,
    rules: Rules,
    players: Sequence[Player],
    noise: Callable[[int, int, int], int] = lambda deal_index, seat, decision: 0,
) -> MatchLog:
    """Play deals until the sheet is full: `players` by side, seat = side xor leg.

    A dead deal uses up its deal index. `noise` takes the deal index before seat and decision number.
    """
    match, dealer_seat = MatchLog(NaiveSheet(rules)), first_dealer_seat
    by_seat = [players[seat ^ leg] for seat in (0, 1)]
    while not match.sheet.is_over:
        index = len(match.deals)
        info, deal_noise = sheet_info_of(match.sheet, leg), partial(noise, index)
        deal = play_deal(deck_of(index), dealer_seat, rules, by_seat, info, deal_noise)
        match.deals.append(deal)
        match.dealer_seats.append(dealer_seat)
        if deal.scorer_seat is None:
            match.entered.append([])
        else:
            match.entered.append(match.sheet.enter(deal.scorer_seat ^ leg, deal.points))
        dealer_seat = next_dealer(rules, dealer_seat, deal.scorer_seat)
    return match


def next_dealer(rules: Rules, dealer_seat: int, scorer_seat: int | None) -> int:
    """Return the seat that deals next: the same one after a dead deal."""
    if scorer_seat is None:
        return dealer_seat
    choices = {"winner": scorer_seat, "loser": 1 - scorer_seat, "alternate": 1 - dealer_seat}
    return choices[rules.next_dealer]
