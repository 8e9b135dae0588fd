"""A three-handed match in plain Python: two play a deal, the third waits and comes in for the loser.

The slow twin of the match kernel for three players, after the section "Three-handed" of docs/rules.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from sim.rules import Rules
from tests.support.naive_sheet import NaiveSheet, Side
from tests.support.reference_engine import MatchLog, next_dealer, play_deal, sheet_info_at
from tests.support.reference_records import DeckOf, MatchNoise, Player, no_noise

SEATINGS = ("ABC", "ACB", "BAC", "BCA", "CAB", "CBA")
"""How the players begin in legs 0 to 5: who has seat 0, who has seat 1, who waits."""


def seating(leg: int) -> tuple[Side, Side, Side]:
    """Return the sides that begin a leg in seat 0, in seat 1 and waiting."""
    seat0, seat1, waiting = ("ABC".index(name) for name in SEATINGS[leg])
    return seat0, seat1, waiting


def play_three(
    deck_of: DeckOf,
    first_dealer_seat: int,
    leg: int,
    rules: Rules,
    players: Sequence[Player],
    noise: MatchNoise = no_noise,
) -> MatchLog:
    """Play deals until the three sheets are full: `players` are A, B, C."""
    match, dealer_seat = MatchLog(NaiveSheet(rules)), first_dealer_seat
    *seats, waiting = seating(leg)
    while not match.sheet.is_over:
        index = len(match.deals)
        info = sheet_info_at(match.sheet, seats)
        by_seat = [players[side] for side in seats]
        deal = play_deal(deck_of(index), dealer_seat, rules, by_seat, info, partial(noise, index))
        match.add(deal, dealer_seat, (seats[0], seats[1]))
        if deal.scorer_seat is not None:
            match.enter(seats[deal.scorer_seat], deal.points)
            loser_seat = 1 - deal.scorer_seat
            seats[loser_seat], waiting = waiting, seats[loser_seat]
        # Of the seats, not of the players: the loser's seat is that of the player who has come in for him.
        dealer_seat = next_dealer(rules, dealer_seat, deal.scorer_seat)
    return match
