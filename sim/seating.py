"""Who sits at the table in a deal, who deals, and what the deal brings to the sheet: two, partners, or three.

Players of a match are numbered 0.. in the order of their sides; in partnership play A1, B1, A2, B2, so that table t
seats players 2t and 2t + 1 and a player's side is his number's last bit. In a deal there are only the two sides of a
table, 0 and 1; here they become sides of the match. Sources: docs/rules.md.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.bits import U0, U1, Mask, Number
from sim.deal import Players
from sim.jit import kernel, pasted
from sim.rng import FIRST_DEALER, philox
from sim.rows import NOBODY
from sim.rules import DEALER_A, DEALER_B, DEALER_BY_CUT, LOSER_DEALS, OF_PARTNERS, OF_THREE, WINNER_DEALS
from sim.table import Desk

SEATINGS = np.array([(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)])
"""For each leg of a three-handed match: who begins in seat 0, who in seat 1, and who waits."""


@kernel
def take_seats(rules: Any, table: Any) -> None:
    """Seat the players of the first deal."""
    table.swap, table.seated[0], table.seated[1], table.waiting = table.leg, 0, 1, 2
    if rules.form == OF_THREE:
        order = SEATINGS[table.leg]
        table.swap, table.seated[0], table.seated[1], table.waiting = 0, order[0], order[1], order[2]


@kernel
def first_dealer(rules: Any, table: Any, seed: Mask) -> Number:
    """Return the side of the table that deals first. By chance it is the same seat in all legs of a pair."""
    if rules.first_dealer == DEALER_A or rules.first_dealer == DEALER_B:
        return rules.first_dealer - DEALER_A
    block = U0
    while True:
        word, cut_0, cut_1, _ = philox(block, U0, np.uint64(table.pair), FIRST_DEALER, seed)
        if rules.first_dealer != DEALER_BY_CUT:
            return np.int64(word & U1) ^ table.swap
        rank_0, rank_1 = cut_0 % np.uint64(13), cut_1 % np.uint64(13)
        if rank_0 != rank_1:
            return np.int64(rank_1 < rank_0) ^ table.swap
        block += U1


@kernel
def _next_dealer(rules: Any, dealer: Number, scorer: Number) -> Number:
    if rules.next_dealer == WINNER_DEALS:
        return scorer
    return 1 - scorer if rules.next_dealer == LOSER_DEALS else 1 - dealer


@kernel
def side_of(rules: Any, player: Number) -> Number:
    """Return the side that a player of the match belongs to."""
    return player & 1 if rules.form == OF_PARTNERS else player


@pasted
def seated(players: Any, desk: Desk) -> tuple[Players, Desk]:
    """Return the two players of a deal and their desk, of those of the match."""
    one, two = desk.table.seated[0], desk.table.seated[1]
    pair = Players(
        (players.take_upcard[one], players.take_upcard[two]),
        (players.choose_discard[one], players.choose_discard[two]),
        (players.should_knock[one], players.should_knock[two]),
    )
    return pair, Desk((desk.views[one], desk.views[two]), desk.holdings, desk.rules, desk.table, desk.sheet)


@kernel
def name_sides(row: Any, table: Any) -> None:
    """Turn the sides of the table in a deal row (but for `initial_deadwood`) into those of a three-handed match."""
    row.dealer = table.seated[row.dealer]
    if row.scorer != NOBODY:
        row.scorer, row.knocker = table.seated[row.scorer], table.seated[row.knocker]


@kernel
def win_of(table: Any, rules: Any, row: Any) -> tuple[Number, Number]:
    """Return what a deal brings to the sheet: the side of the table that wins, or NOBODY, and the points.

    Partners enter the net of both tables of a round, after the second (003).
    """
    if rules.form != OF_PARTNERS:
        return np.int64(row.scorer), np.int64(row.points)
    points = np.int64(row.points)
    table.net += points if row.scorer == 0 else -points
    if table.deal % 2 == 0 or table.net == 0:
        return NOBODY, 0
    net = table.net
    table.net = 0
    return np.int64(net < 0), abs(net)


@kernel
def seat_next(table: Any, rules: Any, winner: Number) -> None:
    """Say who deals next, and in three-handed play who comes in for the loser; else who sits at the next table."""
    if rules.form == OF_PARTNERS:
        next_table = (table.deal + 1) % 2
        table.seated[0], table.seated[1] = 2 * next_table, 2 * next_table + 1
    if winner == NOBODY:
        return
    table.dealer = _next_dealer(rules, table.dealer, winner)
    if rules.form == OF_THREE:
        table.seated[1 - winner], table.waiting = table.waiting, table.seated[1 - winner]
