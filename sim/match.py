"""The kernels of one match and of a block of duplicate pairs.

A pair plays the same card streams twice: in leg 0 side A has seat 0, in leg 1 seat 1. (Three-handed matches play them
six times, in every order of the three.) `block_kernel()` is compiled once for all pairings and all rules: the players
come in as first-class functions of an explicit type, and who plays whom in a deal is decided at its start.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import from_dtype, types

from sim import sheet as sheets
from sim.bits import Mask, Number
from sim.deal import MAX_PLAYERS, PLAYERS, Players, play_deal
from sim.decisions import BoundStrategy
from sim.jit import entry, kernel
from sim.records import records
from sim.rows import (
    DEAL_ROW,
    ENDLESS,
    FINISHED,
    ILLEGAL,
    MATCH_ROW,
    MAX_SIDES,
    MOVE_BYTES,
    N_COLUMNS,
    NOBODY,
    OUT_OF_ROWS,
    PLAYING,
    STALEMATE,
    Ending,
)
from sim.rules import OF_THREE, OFF, RULE_CODES, Rules
from sim.seating import SEATINGS, first_dealer, name_sides, seat_next, seated, side_of, take_seats, win_of
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

    Views are of shape (MAX_PLAYERS,), holdings (2,), decks (KEPT_DECKS,), the rest (1,). Moves are uint8 of shape
    (rows, MOVE_BYTES), a row for each deal kept; (0, MOVE_BYTES) when nobody asks for them.
    """

    views: Any
    holdings: Any
    rules: Any
    table: Any
    sheet: Any
    decks: Any
    moves: Any


class DealLog(NamedTuple):
    """Where deal rows and moves go: the arrays, the rows in use, and whether rows are kept or overwritten."""

    rows: Any
    moves: Any
    used: Number
    keep: Any


def new_desk(rules: Rules, seed: int, params: tuple[tuple[float, ...], ...]) -> DeskArrays:
    """Return a desk for one pairing: `params` are the strategy parameters of each player, in their order."""
    views = new_views(MAX_PLAYERS)
    codes = rules.codes()
    for player, view in enumerate(views):
        values = params[player % len(params)]
        view.params[: len(values)] = values
        view.target = codes[0].target
        view.gin_bonus = codes[0].gin_bonus
        view.undercut_bonus = codes[0].undercut_bonus
        view.big_gin_bonus = -1 if codes[0].big_gin == OFF else codes[0].big_gin
    moves = np.zeros((0, MOVE_BYTES), np.uint8)
    return DeskArrays(views, records(2, HOLDING), codes, records(1, TABLE), new_sheet(), new_decks(seed), moves)


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
    table.deal = table.net = table.dead = 0
    take_seats(rules, table)
    table.dealer = first_dealer(rules, table, seed)
    row.pair, row.leg, row.first_dealer = table.pair, table.leg, table.seated[table.dealer]
    row.deals_played = row.walls = row.turn_caps = 0
    for side in range(MAX_SIDES):
        row.deals_won[side] = row.deal_points[side] = row.gins[side] = row.big_gins[side] = 0
        row.knocks[side] = row.undercuts[side] = 0


@kernel
def _show_sheets(desk: Desk) -> None:
    """Show both players of a deal what stands on the sheet, each from his side."""
    rules, table, sheet = desk.rules, desk.table, desk.sheet
    for place in range(2):
        side, mine, theirs = side_of(rules, table.seated[place]), desk.views[place], desk.views[1 - place]
        for column in range(N_COLUMNS):
            needs = sheets.wins_needed(sheet, rules, column, side) if column < rules.columns else -1
            mine.my_points[column] = theirs.their_points[column] = sheet.points[column, side]
            mine.my_boxes[column] = theirs.their_boxes[column] = sheet.boxes[column, side]
            mine.my_needs[column] = theirs.their_needs[column] = needs


@kernel
def _end_match(desk: Desk, row: Any) -> None:
    rules, sheet = desk.rules, desk.sheet
    row.match_winner = sheets.match_winner(sheet, rules)
    row.settlement = 0
    for column in range(N_COLUMNS):
        row.column_winner[column] = sheet.winner[column]
        row.column_closed[column] = sheet.closed[column]
        row.settlement += sheet.settled[column]
        for side in range(MAX_SIDES):
            row.column_points[column, side] = sheet.points[column, side]
            row.column_boxes[column, side] = sheet.boxes[column, side]
            row.column_opened[column, side] = sheet.opened[column, side]


@kernel
def _play_on(players: Any, desk: Desk, decks: Any, row: Any, log: DealLog) -> tuple[Number, Number]:
    """Play deals between the two who are seated, until others sit down (PLAYING) or the match ends, however it does.

    Two-handed that is the whole match. Returns how it ended and the number of deal rows in use.
    """
    rules, table, sheet = desk.rules, desk.table, desk.sheet
    deal_rows, moves, used, keep = log
    while not sheets.is_over(sheet, rules):
        if used == deal_rows.size:
            return OUT_OF_ROWS, used
        _show_sheets(desk)
        deal_row = deal_rows[used]
        deck = decks[table.deal % KEPT_DECKS]
        prepare(deck, table.pair, table.deal)
        if play_deal(players, desk, deck, deal_row) == ILLEGAL:
            return ILLEGAL, used
        winner, points = win_of(table, rules, deal_row)
        deal_row.columns_entered = 0
        table.dead += 1
        if winner != NOBODY:
            table.dead = 0
            side = side_of(rules, table.seated[winner])
            deal_row.columns_entered = sheets.enter(sheet, rules, side, points, table.deal)
        if table.dead == MAX_DEAD_DEALS:
            return STALEMATE, used
        if table.deal == MAX_DEALS:
            return ENDLESS, used
        if rules.form == OF_THREE:
            name_sides(deal_row, table)
        for place in range(moves.shape[1] if moves.size else 0):
            moves[used, place] = table.moves[place]
        _tally(row, deal_row)
        seat_next(table, rules, winner)
        table.deal += 1
        used += keep
        if rules.form:
            return PLAYING, used
    return FINISHED, used


@kernel
def play_match(players: Any, desk: Desk, decks: Any, row: Any, log: DealLog) -> tuple[Number, Number]:
    """Play the match that the table names (pair, leg) and fill `row`, a MATCH_ROW.

    Returns how it ended and the number of deal rows in use.
    """
    _start_match(desk, decks[0].seed, row)
    state, used = PLAYING, log.used
    while state == PLAYING:
        two, seat = seated(players, desk)
        state, used = _play_on(two, seat, decks, row, DealLog(log.rows, log.moves, used, log.keep))
    if state == FINISHED:
        _end_match(desk, row)
    return state, used


@kernel
def play_block(
    players: Any, arrays: DeskArrays, first_pair: Number, match_rows: Any, deal_rows: Any, keep: bool
) -> tuple[Number, Number, Number]:
    """Play duplicate pairs from `first_pair` on, as many as `match_rows` has room for.

    `match_rows` is MATCH_ROW of shape (legs * pairs,), legs side by side; `deal_rows` is DEAL_ROW of shape (room,), of
    which only the first is used, as scratch, unless deals are kept. Returns how it ended, the pairs finished and the
    deal rows they used. A pair that does not fit the room is not counted: call again from there with more.
    """
    # Records are bare pointers; arrays handed from function to function would be reference-counted at every call.
    views = (arrays.views[0], arrays.views[1], arrays.views[2], arrays.views[3])
    holdings = (arrays.holdings[0], arrays.holdings[1])
    desk = Desk(views, holdings, arrays.rules[0], arrays.table[0], arrays.sheet[0])
    legs = len(SEATINGS) if desk.rules.form == OF_THREE else 2
    used = 0
    for done in range(match_rows.size // legs):
        start = used
        for leg in range(legs):
            desk.table.pair, desk.table.leg = first_pair + done, leg
            log = DealLog(deal_rows, arrays.moves, used, keep)
            state, used = play_match(players, desk, arrays.decks, match_rows[legs * done + leg], log)
            if state != FINISHED:
                return state, done, start
    return FINISHED, match_rows.size // legs, used


def _rows(dtype: np.dtype[Any]) -> types.Array:
    return types.Array(from_dtype(dtype), 1, "C")


_RECORDS = [_rows(dtype) for dtype in (TURN_VIEW, HOLDING, RULE_CODES, TABLE, SHEET, DECK)]
DESK = types.NamedTuple([*_RECORDS, types.Array(types.uint8, 2, "C")], DeskArrays)
BLOCK = types.UniTuple(types.int64, 3)(PLAYERS, DESK, types.int64, _rows(MATCH_ROW), _rows(DEAL_ROW), types.boolean)


@cache
def block_kernel() -> Any:
    """Return `play_block`, compiled or loaded from the disk cache at the first call (some seconds when cold)."""
    return entry(BLOCK)(play_block.py_func if hasattr(play_block, "py_func") else play_block)


def line_up(*players: BoundStrategy) -> Players:
    """Return the decisions of two to four players as the kernel takes them; the first ones fill up the rest."""
    filled = [players[place % len(players)] for place in range(MAX_PLAYERS)]
    return Players(*(tuple(getattr(player, kind) for player in filled) for kind in Players._fields))
