"""Scoring a real evening: the deals of a match as people write them down, entered on a Hollywood sheet.

A line is ``A 10``, ``B undercut 15``, ``Alex gin 31`` or ``void``; the number is the points entered, bonus included,
and a word between name and number only labels. ``#`` starts a comment. Nothing is scored until every line is clean.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numba import from_dtype, types

from sim import sheet as sheets
from sim.bits import Number, Records
from sim.jit import entry
from sim.rows import NEVER, NOBODY, TIE
from sim.rules import MAX_POINTS, RULE_CODES, Rules
from sim.sheet import SHEET, new_sheet

SIDES = "AB"
VOID = "void"
REJECTED = "rejected"

_SHEETS = types.Array(from_dtype(SHEET), 1, "C")
_RULES = types.Array(from_dtype(RULE_CODES), 1, "C")
_NUMBER = types.int64


@entry(_NUMBER(_SHEETS, _RULES, _NUMBER, _NUMBER, _NUMBER))
def _enter(sheet: Records, rules: Records, side: Number, points: Number, deal: Number) -> Number:
    return sheets.enter(sheet[0], rules[0], side, points, deal)


@entry(types.Tuple((types.boolean, _NUMBER))(_SHEETS, _RULES))
def _verdict(sheet: Records, rules: Records) -> tuple[Any, Number]:
    """Tell whether the match is over, and who won it (NOBODY if it is not)."""
    over = sheets.is_over(sheet[0], rules[0])
    return over, sheets.match_winner(sheet[0], rules[0]) if over else NOBODY


@entry(_NUMBER(_SHEETS, _RULES, _NUMBER, _NUMBER))
def _wins_needed(sheet: Records, rules: Records, column: Number, side: Number) -> Number:
    return sheets.wins_needed(sheet[0], rules[0], column, side)


class ScoreError(ValueError):
    """A line that cannot be read; the message names its number and what is allowed."""


@dataclass(frozen=True)
class Line:
    """One deal of an evening: who scored (0 = A, 1 = B, None for a void deal), the label and the points."""

    side: int | None
    label: str
    points: int


@dataclass(frozen=True)
class Evening:
    """The deals of a match, clean, and the two names in the order of sides A and B."""

    names: tuple[str, str]
    lines: tuple[Line, ...]


def read_evening(text_lines: Iterable[str]) -> Evening:
    """Read the deals of a match. Raises `ScoreError` for the first line that is not clean."""
    names: list[str] = []
    lines = []
    for number, text in enumerate(text_lines, start=1):
        words = text.partition("#")[0].replace(",", " ").split()
        if words:
            lines.append(_read_line(words, names, f'line {number}, "{text.strip()}"'))
    if set(names) <= set(SIDES):
        return Evening(("A", "B"), tuple(_swap(line) if names[:1] == ["B"] else line for line in lines))
    names += ["B"] * (2 - len(names))
    return Evening((names[0], names[1]), tuple(lines))


def _swap(line: Line) -> Line:
    return line if line.side is None else Line(1 - line.side, line.label, line.points)


def _read_line(words: list[str], names: list[str], where: str) -> Line:
    if [word.lower() for word in words] == [VOID]:
        return Line(None, VOID, 0)
    if len(words) < 2 or not re.fullmatch(r"[0-9]{1,6}", words[-1]):
        raise ScoreError(f"{where}: a line is a name and the points entered, such as A 10 or B undercut 15, or void")
    name, points = words[0], int(words[-1])
    if points > MAX_POINTS:
        raise ScoreError(f"{where}: {points} points; at most {MAX_POINTS} are allowed")
    if name.lower() == VOID:
        raise ScoreError(f"{where}: a void deal has no points")
    if name not in names:
        if len(names) == 2:
            raise ScoreError(f'{where}: "{name}" is a third name; this sheet is kept for {names[0]} and {names[1]}')
        names.append(name)
    return Line(names.index(name), " ".join(words[1:-1]), points)


@dataclass
class Scored:
    """A sheet with its evening entered.

    `entered`: for each line the columns (from 1) it entered, or ``"rejected"`` once the match was over. `totals_after`:
    the running totals after each line, shape (column, side).
    """

    evening: Evening
    rules: Rules
    sheet: Any
    entered: list[list[int] | str] = field(default_factory=list)
    totals_after: list[Any] = field(default_factory=list)
    winner: int = NOBODY
    over: bool = False

    def needs(self, column: int, side: int) -> int:
        """Return the wins a side needs before a win enters a column (from 0); -1 if it is closed."""
        return int(_wins_needed(self.sheet, self.rules.codes(), column, side))

    def document(self) -> dict[str, Any]:
        """Return the sheet as `hollywood score --json` prints it."""
        sheet, columns = self.sheet[0], range(self.rules.columns)
        by_side = {
            name: {SIDES[side]: [int(sheet[field_][c, side]) for c in columns] for side in range(2)}
            for name, field_ in (("totals", "points"), ("boxes", "boxes"))
        }
        winners = [int(sheet.winner[c]) for c in columns]
        return {
            "totals": by_side["totals"],
            "entered": self.entered,
            "closed_by": [None if w == NOBODY else SIDES[w] for w in winners],
            "boxes": by_side["boxes"],
            "settlement": [None if w == NOBODY else self._settlement(c, w) for c, w in enumerate(winners)],
            "match_winner": {NOBODY: None, TIE: "tie"}.get(self.winner, SIDES[self.winner % 2]),
            "names": dict(zip(SIDES, self.evening.names, strict=True)),
        }

    def _settlement(self, column: int, winner: int) -> dict[str, Any]:
        sheet = self.sheet[0]
        net = int(sheet.settled[column])
        opened = int(sheet.opened[column, 1 - winner])
        shutout = opened == NEVER or opened > int(sheet.closed[column])
        return {"winner": SIDES[winner], "net": net if winner == 0 else -net, "shutout": shutout}


def score_evening(evening: Evening, rules: Rules) -> Scored:
    """Enter an evening on a blank sheet under the rules; lines after the end of the match are marked rejected."""
    scored = Scored(evening, rules, new_sheet())
    codes = rules.codes()
    for deal, line in enumerate(evening.lines):
        if scored.over:
            scored.entered.append(REJECTED)
        elif line.side is None:
            scored.entered.append([])
        else:
            mask = _enter(scored.sheet, codes, line.side, line.points, deal)
            scored.entered.append([column + 1 for column in range(rules.columns) if mask >> column & 1])
            scored.over, scored.winner = _verdict(scored.sheet, codes)
        scored.totals_after.append(np.array(scored.sheet[0].points))
    return scored
