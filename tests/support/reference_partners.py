"""A partnership match in plain Python: two sides of two players, at two tables, on one sheet.

The slow twin of the match kernel for four players, after the section "Partnership" of docs/rules.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from sim.rules import Rules
from tests.support.naive_sheet import NaiveSheet
from tests.support.reference_engine import MatchLog, next_dealer, play_deal, sheet_info_of
from tests.support.reference_records import DealLog, DeckOf, MatchNoise, Player, no_noise


def play_partners(
    deck_of: DeckOf,
    first_dealer_seat: int,
    leg: int,
    rules: Rules,
    players: Sequence[Player],
    noise: MatchNoise = no_noise,
) -> MatchLog:
    """Play rounds until the sheet is full: `players` are A1, B1, A2, B2; seat = side xor leg at both tables."""
    match, dealer_seat = MatchLog(NaiveSheet(rules)), first_dealer_seat
    a1, b1, a2, b2 = players
    seats = (0, 1) if leg == 0 else (1, 0)
    tables = [[a1, b1], [a2, b2]] if leg == 0 else [[b1, a1], [b2, a2]]
    while not match.sheet.is_over:
        # Taken before either deal: the first table's is not yet on the sheet that the second one sees.
        info = sheet_info_of(match.sheet, leg)
        nets = [0, 0]  # points of each seat in this round
        for by_seat in tables:
            index = len(match.deals)
            deal = play_deal(deck_of(index), dealer_seat, rules, by_seat, info, partial(noise, index))
            match.add(deal, dealer_seat, seats)
            _count(deal, nets)
        winner_seat = _round_winner(nets)
        if winner_seat is not None:
            match.enter(seats[winner_seat], nets[winner_seat] - nets[1 - winner_seat])
        dealer_seat = next_dealer(rules, dealer_seat, winner_seat)
    return match


def _count(deal: DealLog, nets: list[int]) -> None:
    """Add a deal's points to those of the seat that scored them."""
    if deal.scorer_seat is not None:
        nets[deal.scorer_seat] += deal.points


def _round_winner(nets: list[int]) -> int | None:
    """Return the seat with more points in the two deals of a round, or None when they are equal."""
    if nets[0] == nets[1]:
        return None
    return 0 if nets[0] > nets[1] else 1
