"""What a match and a deal leave behind: the result columns, declared once.

From this declaration come the record types the kernels write (`MATCH_ROW`, `DEAL_ROW`), the Parquet schema
(`sim.batch.schema`) and docs/results.md. Sides are 0 = A, 1 = B and, in three-handed play, 2 = C; in a file they are
the suffixes ``_a``, ``_b`` and ``_c``.
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
"""In `match_winner` of two sides: neither won the match."""
TIE_OF_THREE = 3
"""In `match_winner` of three-handed play: nobody won the match."""
N_COLUMNS = 3
MAX_SIDES = 3
"""Sides that the record of a match has room for; only three-handed play uses the third."""


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

    def record_field(self, sides: int) -> tuple[str, str, tuple[int, ...]]:
        """Return the field of the kernels' record, with room for so many sides: name, dtype, shape."""
        return self.name, self.dtype, tuple({"column": N_COLUMNS, "side": sides}[dim] for dim in self.shape)


SIDE_DOC = "0 = side A, 1 = side B"
MAX_TURNS = 200
"""The highest turn cap: no deal has more turns."""

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


TRIO_FIELDS = (
    Field("pair", "u4", "card stream: the same cards played in all six seatings", "index"),
    Field("leg", "u1", "0..5: the seating, which sides play the first deal in seats 0 and 1 and which one waits"),
    Field("first_dealer", "u1", "side that deals first; 0, 1, 2 = side A, B, C", "side"),
    Field("deals_played", "u2", "deals of the match, dead ones included", "deals"),
    Field("match_winner", "u1", "side that won the match; 0, 1, 2 = side A, B, C, 3 = tie", "side"),
    Field("deals_won", "u2", "deals this side scored", "deals", ("side",)),
    Field("column_winner", "u1", "side that won the column; 0, 1, 2 = side A, B, C", "side", ("column",), NOBODY),
)
"""What is kept of a three-handed match: who won what. The fields are those of `MATCH_FIELDS`, for three sides."""


def _record(fields: tuple[Field, ...], sides: int) -> np.dtype[np.void]:
    return np.dtype([f.record_field(sides) for f in fields])


MATCH_ROW = _record(MATCH_FIELDS, MAX_SIDES)
DEAL_ROW = _record(DEAL_FIELDS, 2)

TOOK, KNOCKED, CARD_BITS = 64, 128, 63
"""In a move: the upcard was taken, not the top of the stock; the player knocked; the bits that hold the card thrown.

A move is one turn in a byte; `CARD_BITS` in place of a card means that no card was thrown, which is big gin.
"""
MOVE_BYTES = MAX_TURNS + 1
FIRST_MOVER = MAX_TURNS
"""The moves of a deal: a byte a turn in order, and in the last byte the side of the table that made the first."""
