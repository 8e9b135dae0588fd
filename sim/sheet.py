"""The score sheet: three columns (or one), entered, opened and closed as the Hollywood staircase says.

One record (`SHEET`) holds the sheet of a match; `enter` writes a win on it. Sides are 0 = A, 1 = B and, in
three-handed play only, 2 = C; columns are 0, 1, 2 here and 1, 2, 3 to people. Sources: docs/rules.md.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from sim.bits import Number
from sim.jit import kernel
from sim.records import records
from sim.rows import MAX_SIDES, N_COLUMNS, NEVER, NOBODY, TIE, TIE_OF_THREE
from sim.rules import BY_FIRST_COLUMN, BY_PLAYER, BY_TOTAL, OF_THREE, STRICT

_BOTH = (N_COLUMNS, MAX_SIDES)

SHEET = np.dtype(
    [
        ("points", np.int64, _BOTH),  # running totals, (column, side)
        ("boxes", np.int64, _BOTH),  # wins entered, (column, side)
        ("opened", np.int64, _BOTH),  # deal index of the first entry, NEVER if none
        ("closed", np.int64, (N_COLUMNS,)),  # deal index at which somebody reached the target, NEVER if none
        ("winner", np.int64, (N_COLUMNS,)),  # side that won the column, NOBODY if open
        ("settled", np.int64, (N_COLUMNS,)),  # settlement of a won column of two sides, positive for side A
        ("wins", np.int64, (MAX_SIDES,)),  # wins of each side that count
    ]
)


def new_sheet() -> npt.NDArray[Any]:
    """Return a blank sheet, shape (1,), usable compiled or not."""
    sheet = records(1, SHEET)
    clear(sheet[0])
    return sheet


@kernel
def clear(sheet: Any) -> None:
    """Wipe the sheet for a new match."""
    for column in range(N_COLUMNS):
        sheet.closed[column] = NEVER
        sheet.winner[column] = NOBODY
        sheet.settled[column] = 0
        for side in range(MAX_SIDES):
            sheet.points[column, side] = sheet.boxes[column, side] = 0
            sheet.opened[column, side] = NEVER
    for side in range(MAX_SIDES):
        sheet.wins[side] = 0


@kernel
def is_closed(sheet: Any, rules: Any, column: Number, side: Number) -> bool:
    """Tell whether a column takes no more entries of a side."""
    if rules.closing == BY_PLAYER:
        return sheet.points[column, side] >= rules.target
    return sheet.winner[column] != NOBODY


@kernel
def wins_needed(sheet: Any, rules: Any, column: Number, side: Number) -> Number:
    """Return how many wins a side still needs before a win enters a column; 0 = the next does, -1 = closed."""
    if is_closed(sheet, rules, column, side):
        return -1
    if rules.carry == STRICT:
        return max(0, column - sheet.wins[side])
    if sheet.boxes[column, side]:
        return 0
    blank = 0
    for earlier in range(column):
        if not is_closed(sheet, rules, earlier, side) and not sheet.boxes[earlier, side]:
            blank += 1
    return blank


@kernel
def enter(sheet: Any, rules: Any, side: Number, points: Number, deal: Number) -> Number:
    """Write a scored deal on the sheet; return the columns it entered as a bit mask (1 + 2 + 4).

    Carry: every open column where the side has an entry, and the lowest open one where it has none, so that no win
    is lost (001). Strict: the nth win goes to columns 1..n as far as they are open (000).
    """
    if points == 0 and not rules.count_zero_wins:
        return 0
    entered = 0
    for column in range(rules.columns):
        if wins_needed(sheet, rules, column, side) == 0:
            entered |= 1 << column
    sheet.wins[side] += 1
    for column in range(rules.columns):
        if entered >> column & 1:
            _enter_column(sheet, rules, column, (side, points, deal))
    return entered


@kernel
def _enter_column(sheet: Any, rules: Any, column: Number, win: tuple[Number, Number, Number]) -> None:
    side, points, deal = win
    if sheet.boxes[column, side] == 0:
        sheet.opened[column, side] = deal
    sheet.boxes[column, side] += 1
    sheet.points[column, side] += points
    if sheet.winner[column] == NOBODY and sheet.points[column, side] >= rules.target:
        sheet.winner[column] = side
        sheet.closed[column] = deal
        if rules.form == OF_THREE:
            return
        net = settlement(sheet, rules, column, side)
        sheet.settled[column] = net if side == 0 else -net


@kernel
def settlement(sheet: Any, rules: Any, column: Number, winner: Number) -> Number:
    """Return what a column pays its winner as it stands: totals, game bonus and boxes, doubled as the rules say."""
    loser = 1 - winner
    net = sheet.points[column, winner] - sheet.points[column, loser] + rules.game_bonus
    net += rules.box_bonus * (sheet.boxes[column, winner] - sheet.boxes[column, loser])
    if rules.shutout_doubles and sheet.boxes[column, loser] == 0:
        net *= 2
    if rules.third_column_doubled and column == N_COLUMNS - 1:
        net *= 2
    return net


@kernel
def is_over(sheet: Any, rules: Any) -> bool:
    """Tell whether the match is over: every column finished, or the first one if the rules say so."""
    for column in range(rules.columns):
        finished = is_closed(sheet, rules, column, 0) and is_closed(sheet, rules, column, 1)
        if rules.form == OF_THREE:
            finished = finished and is_closed(sheet, rules, column, 2)
        if rules.match_winner == BY_FIRST_COLUMN:
            if sheet.winner[column] != NOBODY:
                return True
        elif not finished:
            return False
    return rules.match_winner != BY_FIRST_COLUMN


@kernel
def match_winner(sheet: Any, rules: Any) -> Number:
    """Return the side that won a match that is over, TIE or TIE_OF_THREE."""
    if rules.form == OF_THREE:
        return _best_of_three(sheet, rules)
    lead = 0
    for column in range(rules.columns):
        if rules.match_winner == BY_FIRST_COLUMN:
            lead += sheet.points[column, 0] - sheet.points[column, 1]
        elif rules.match_winner == BY_TOTAL:
            lead += sheet.settled[column]
        else:
            lead += 1 - 2 * sheet.winner[column]
    return TIE if lead == 0 else (0 if lead > 0 else 1)


@kernel
def _best_of_three(sheet: Any, rules: Any) -> Number:
    """Return the one of three sides with most columns, or most points over all columns as the rules say."""
    best, winner = -1, TIE_OF_THREE
    for side in range(MAX_SIDES):
        count = 0
        for column in range(rules.columns):
            if rules.match_winner == BY_FIRST_COLUMN:
                count += sheet.points[column, side]
            else:
                count += sheet.winner[column] == side
        if count == best:
            winner = TIE_OF_THREE
        elif count > best:
            best, winner = count, side
    return winner
