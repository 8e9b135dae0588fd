"""What a match and a deal leave behind: the result columns, declared once.

From this declaration come the record types the kernels write (`MATCH_ROW`, `DEAL_ROW`), the Parquet schema
(`sim.batch.schema`) and docs/results.md. Sides are 0 = A, 1 = B; in a file they are the suffixes ``_a`` and ``_b``.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np

NOBODY = 255
"""In a column that names a side: no side (nobody won, knocked or scored)."""
NEVER = 65535
"""In a column that names a deal index: it never happened in this match."""
TIE = 2
"""In `match_winner`: neither side won the match."""
N_COLUMNS = 3


class Ending(IntEnum):
    """How a deal ends."""

    KNOCK = 0
    GIN = 1
    BIG_GIN = 2
    UNDERCUT = 3
    WALL = 4
    TURN_CAP = 5


PLAYING, SCORED, DEAD, ILLEGAL, FINISHED, STALEMATE, ENDLESS, OUT_OF_ROWS = range(8)
"""What a turn, a deal, a match or a block has come to.

A turn goes on (PLAYING); a deal is SCORED or DEAD; a move was ILLEGAL; a match or block is FINISHED, a STALEMATE (too
many dead deals in a row), ENDLESS (too many deals), or needs more room for its rows (OUT_OF_ROWS).
"""


@dataclass(frozen=True)
class Field:
    """One result column, or a family of them: one for each side, sheet column, or both.

    `null` is the number that means "no value"; it is written as a null in files.
    """

    name: str
    dtype: str
    doc: str
    unit: str = ""
    shape: tuple[str, ...] = ()
    null: int | None = None

    def record_field(self) -> tuple[str, str, tuple[int, ...]]:
        """Return the field of the kernels' record: name, dtype, shape."""
        return self.name, self.dtype, tuple({"column": N_COLUMNS, "side": 2}[dim] for dim in self.shape)


SIDE_DOC = "0 = side A, 1 = side B"

MATCH_FIELDS = (
    Field("pair", "u4", "duplicate pair: the same cards played twice with the seats swapped", "index"),
    Field("leg", "u1", "0 or 1: in leg 0 side A has seat 0, in leg 1 seat 1"),
    Field("first_dealer", "u1", f"side that deals first; {SIDE_DOC}", "side"),
    Field("deals_played", "u2", "deals of the match, dead ones included", "deals"),
    Field("match_winner", "u1", f"side that won the match; {SIDE_DOC}, 2 = tie", "side"),
    Field("deals_won", "u2", "deals this side scored", "deals", ("side",)),
    Field("deal_points", "u4", "points of the deals this side scored, each counted once", "points", ("side",)),
    Field("gins", "u2", "deals this side ended with gin", "deals", ("side",)),
    Field("big_gins", "u2", "deals this side ended with big gin", "deals", ("side",)),
    Field("knocks", "u2", "deals this side knocked in, short of gin, undercut or not", "deals", ("side",)),
    Field("undercuts", "u2", "deals this side scored by undercutting the other", "deals", ("side",)),
    Field("walls", "u2", "deals dead at the wall (two cards left in stock)", "deals"),
    Field("turn_caps", "u2", "deals dead at the turn cap", "deals"),
    Field("column_winner", "u1", f"side that won the column; {SIDE_DOC}", "side", ("column",), NOBODY),
    Field("column_points", "u2", "points of this side in the column", "points", ("column", "side")),
    Field("column_boxes", "u2", "wins (boxes) of this side in the column", "boxes", ("column", "side")),
    Field(
        "column_opened",
        "u2",
        "index, from 0, of the deal that gave this side its first entry in the column",
        "deal index",
        ("column", "side"),
        NEVER,
    ),
    Field(
        "column_closed",
        "u2",
        "index, from 0, of the deal that closed the column",
        "deal index",
        ("column",),
        NEVER,
    ),
    Field("settlement", "i4", "settled points of all columns, won minus lost, from side A's view", "points"),
)

DEAL_FIELDS = (
    Field("pair", "u4", "duplicate pair", "index"),
    Field("leg", "u1", "0 or 1: in leg 0 side A has seat 0, in leg 1 seat 1"),
    Field("deal", "u2", "index of the deal in its match, from 0, dead ones counted", "deal index"),
    Field("dealer", "u1", f"side that dealt; {SIDE_DOC}", "side"),
    Field("ending", "u1", "0 knock, 1 gin, 2 big gin, 3 undercut, 4 wall, 5 turn cap"),
    Field("scorer", "u1", f"side that scored; {SIDE_DOC}", "side", null=NOBODY),
    Field("knocker", "u1", f"side that knocked or went gin; {SIDE_DOC}", "side", null=NOBODY),
    Field("points", "u2", "points scored, bonuses and doubling included; 0 if dead", "points"),
    Field("turns", "u1", "turns completed by both sides, the knocking turn included", "turns"),
    Field("stock_left", "u1", "cards left in stock at the end", "cards"),
    Field("knocker_deadwood", "u1", "knocker's deadwood", "points", null=NOBODY),
    Field("defender_deadwood_before", "u1", "defender's deadwood before layoffs", "points", null=NOBODY),
    Field("defender_deadwood_after", "u1", "defender's deadwood after layoffs", "points", null=NOBODY),
    Field("initial_deadwood", "u1", "deadwood of the ten cards dealt to this side", "points", ("side",)),
    Field("knock_limit", "u1", "most deadwood one could knock with in this deal", "points"),
    Field(
        "columns_entered",
        "u1",
        "columns the points were entered in: 1 + 2 + 4 for columns 1, 2, 3",
        "bit mask",
    ),
)


def _record(fields: tuple[Field, ...]) -> np.dtype[np.void]:
    return np.dtype([f.record_field() for f in fields])


MATCH_ROW = _record(MATCH_FIELDS)
DEAL_ROW = _record(DEAL_FIELDS)
