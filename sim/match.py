"""The kernels of one match and of a block of duplicate pairs.

A pair plays the same card streams twice: in leg 0 side A has seat 0, in leg 1 seat 1. `block_kernel()` is compiled
once for all pairings: the players come in as first-class functions of an explicit type.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import from_dtype, types

from sim import sheet as sheets
from sim.bits import U0, U1, Mask, Number
from sim.deal import PLAYERS, Players, play_deal
from sim.decisions import BoundStrategy
from sim.jit import entry, kernel, records
from sim.rng import FIRST_DEALER, philox
from sim.rows import (
    DEAD,
    DEAL_ROW,
    ENDLESS,
    FINISHED,
    ILLEGAL,
    MATCH_ROW,
    N_COLUMNS,
    NOBODY,
    OUT_OF_ROWS,
    SCORED,
    STALEMATE,
    Ending,
)
from sim.rules import (
    DEALER_A,
    DEALER_B,
    DEALER_BY_CUT,
    LOSER_DEALS,
    OFF,
    RULE_CODES,
    WINNER_DEALS,
    Rules,
)
from sim.sheet import SHEET, new_sheet
from sim.shuffle import DECK, KEPT_DECKS, new_decks, prepare
from sim.table import HOLDING, TABLE, Desk
from sim.view import TURN_VIEW, new_views

MAX_DEAD_DEALS = 10_000
"""A match with so many dead deals in a row is given up as a stalemate: these players never score."""
MAX_DEALS = 65_000
"""A match of so many deals is given up as endless: the results count deals in 16 bits."""


class DeskArrays(NamedTuple):
    """The memory of a desk, as Python holds it: arrays of records.

    Views and holdings are of shape (2,), decks (KEPT_DECKS,), the rest (1,).
    """

    views: Any
    holdings: Any
    rules: Any
    table: Any
    sheet: Any
    decks: Any


class DealLog(NamedTuple):
    """Where deal rows go: the array, the number in use, and whether rows are kept or overwritten."""

    rows: Any
    used: Number
    keep: Any


def new_desk(rules: Rules, seed: int, params: tuple[tuple[float, ...], tuple[float, ...]]) -> DeskArrays:
    """Return a desk for one pairing: `params` are the strategy parameters of side A and side B, in their order."""
    views = new_views()
    codes = rules.codes()
    for view, values in zip(views, params, strict=True):
        view.params[: len(values)] = values
        view.target = codes[0].target
        view.gin_bonus = codes[0].gin_bonus
        view.undercut_bonus = codes[0].undercut_bonus
        view.big_gin_bonus = -1 if codes[0].big_gin == OFF else codes[0].big_gin
    return DeskArrays(views, records(2, HOLDING), codes, records(1, TABLE), new_sheet(), new_decks(seed))


@kernel
def first_dealer(rules: Any, table: Any, seed: Mask) -> Number:
    """Return the side that deals first. By chance it is the same seat in both legs of a pair."""
    if rules.first_dealer == DEALER_A or rules.first_dealer == DEALER_B:
        return rules.first_dealer - DEALER_A
    block = U0
    while True:
        word, cut_0, cut_1, _ = philox(block, U0, np.uint64(table.pair), FIRST_DEALER, seed)
        if rules.first_dealer != DEALER_BY_CUT:
            return np.int64(word & U1) ^ table.leg
        rank_0, rank_1 = cut_0 % np.uint64(13), cut_1 % np.uint64(13)
        if rank_0 != rank_1:
            return np.int64(rank_1 < rank_0) ^ table.leg
        block += U1


@kernel
def _next_dealer(rules: Any, dealer: Number, scorer: Number) -> Number:
    if rules.next_dealer == WINNER_DEALS:
        return scorer
    return 1 - scorer if rules.next_dealer == LOSER_DEALS else 1 - dealer


@kernel
def _show_sheet(view: Any, sheet: Any, rules: Any, side: Number) -> None:
    """Write into a view what its player reads off the sheet before a deal."""
    other = 1 - side
    for column in range(N_COLUMNS):
        view.my_points[column] = sheet.points[column, side]
        view.their_points[column] = sheet.points[column, other]
        view.my_boxes[column] = sheet.boxes[column, side]
        view.their_boxes[column] = sheet.boxes[column, other]
        on_sheet = column < rules.columns
        view.my_needs[column] = sheets.wins_needed(sheet, rules, column, side) if on_sheet else -1
        view.their_needs[column] = sheets.wins_needed(sheet, rules, column, other) if on_sheet else -1


@kernel
def _tally(row: Any, deal_row: Any) -> None:
    """Count one deal in the row of its match."""
    ending, scorer, knocker = deal_row.ending, deal_row.scorer, deal_row.knocker
    row.deals_played += 1
    if scorer == NOBODY:
        row.walls += ending == Ending.WALL
        row.turn_caps += ending == Ending.TURN_CAP
        return
    row.deals_won[scorer] += 1
    row.deal_points[scorer] += deal_row.points
    row.gins[knocker] += ending == Ending.GIN
    row.big_gins[knocker] += ending == Ending.BIG_GIN
    row.knocks[knocker] += ending == Ending.KNOCK or ending == Ending.UNDERCUT
    row.undercuts[scorer] += ending == Ending.UNDERCUT


@kernel
def _start_match(desk: Desk, seed: Mask, row: Any) -> None:
    rules, table = desk.rules, desk.table
    sheets.clear(desk.sheet)
    table.deal = 0
    table.dealer = first_dealer(rules, table, seed)
    row.pair, row.leg, row.first_dealer = table.pair, table.leg, table.dealer
    row.deals_played = row.walls = row.turn_caps = 0
    for side in range(2):
        row.deals_won[side] = row.deal_points[side] = row.gins[side] = row.big_gins[side] = 0
        row.knocks[side] = row.undercuts[side] = 0
        _show_sheet(desk.views[side], desk.sheet, rules, side)


@kernel
def _end_match(desk: Desk, row: Any) -> None:
    rules, sheet = desk.rules, desk.sheet
    row.match_winner = sheets.match_winner(sheet, rules)
    row.settlement = 0
    for column in range(N_COLUMNS):
        row.column_winner[column] = sheet.winner[column]
        row.column_closed[column] = sheet.closed[column]
        row.settlement += sheet.settled[column]
        for side in range(2):
            row.column_points[column, side] = sheet.points[column, side]
            row.column_boxes[column, side] = sheet.boxes[column, side]
            row.column_opened[column, side] = sheet.opened[column, side]


@kernel
def play_match(players: Any, desk: Desk, decks: Any, row: Any, log: DealLog) -> tuple[Number, Number]:
    """Play the match that the table names (pair, leg) and fill `row`, a MATCH_ROW.

    Returns how it ended and the number of deal rows in use.
    """
    rules, table, sheet = desk.rules, desk.table, desk.sheet
    deal_rows, used, keep = log
    dead_in_a_row = 0
    _start_match(desk, decks[0].seed, row)
    while not sheets.is_over(sheet, rules):
        if used == deal_rows.size:
            return OUT_OF_ROWS, used
        deal_row = deal_rows[used]
        deck = decks[table.deal % KEPT_DECKS]
        prepare(deck, table.pair, table.deal)
        state = play_deal(players, desk, deck, deal_row)
        if state == ILLEGAL:
            return ILLEGAL, used
        entered = 0
        dead_in_a_row = dead_in_a_row + 1 if state == DEAD else 0
        if state == SCORED:
            side = np.int64(deal_row.scorer)
            entered = sheets.enter(sheet, rules, side, np.int64(deal_row.points), table.deal)
            table.dealer = _next_dealer(rules, table.dealer, side)
            for seer in range(2):
                _show_sheet(desk.views[seer], sheet, rules, seer)
        elif dead_in_a_row == MAX_DEAD_DEALS:
            return STALEMATE, used
        if table.deal == MAX_DEALS:
            return ENDLESS, used
        deal_row.columns_entered = entered
        _tally(row, deal_row)
        table.deal += 1
        used += keep
    _end_match(desk, row)
    return FINISHED, used


@kernel
def play_block(
    players: Any, arrays: DeskArrays, first_pair: Number, match_rows: Any, deal_rows: Any, keep: bool
) -> tuple[Number, Number, Number]:
    """Play duplicate pairs from `first_pair` on, as many as `match_rows` has room for.

    `match_rows` is MATCH_ROW of shape (2 * pairs,), legs side by side; `deal_rows` is DEAL_ROW of shape (room,), of
    which only the first is used, as scratch, unless deals are kept. Returns how it ended, the pairs finished and the
    deal rows they used. A pair that does not fit the room is not counted: call again from there with more.
    """
    # Records are bare pointers; arrays handed from function to function would be reference-counted at every call.
    views = (arrays.views[0], arrays.views[1])
    holdings = (arrays.holdings[0], arrays.holdings[1])
    desk = Desk(views, holdings, arrays.rules[0], arrays.table[0], arrays.sheet[0])
    used = 0
    for done in range(match_rows.size // 2):
        start = used
        for leg in range(2):
            desk.table.pair, desk.table.leg = first_pair + done, leg
            log = DealLog(deal_rows, used, keep)
            state, used = play_match(players, desk, arrays.decks, match_rows[2 * done + leg], log)
            if state != FINISHED:
                return state, done, start
    return FINISHED, match_rows.size // 2, used


def _rows(dtype: np.dtype[Any]) -> types.Array:
    return types.Array(from_dtype(dtype), 1, "C")


DESK = types.NamedTuple([_rows(dtype) for dtype in (TURN_VIEW, HOLDING, RULE_CODES, TABLE, SHEET, DECK)], DeskArrays)
BLOCK = types.UniTuple(types.int64, 3)(PLAYERS, DESK, types.int64, _rows(MATCH_ROW), _rows(DEAL_ROW), types.boolean)


@cache
def block_kernel() -> Any:
    """Return `play_block`, compiled or loaded from the disk cache at the first call (some seconds when cold)."""
    return entry(BLOCK)(play_block.py_func if hasattr(play_block, "py_func") else play_block)


def pair_up(a: BoundStrategy, b: BoundStrategy) -> Players:
    """Return the decisions of side A and side B as the kernel takes them."""
    return Players(
        (a.take_upcard, b.take_upcard), (a.choose_discard, b.choose_discard), (a.should_knock, b.should_knock)
    )
