"""Scoring a real evening: the deals of a match as people write them down, entered on a Hollywood sheet.

A line is ``A 10``, ``B undercut 15``, ``Alex gin 31`` or ``void``; the number is the points entered, bonus included,
and a word between name and number only labels. ``#`` starts a comment. Nothing is scored until every line is clean.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from numba import from_dtype, types

from sim import sheet as sheets
from sim.bits import Number, Records
from sim.jit import entry
from sim.rows import NOBODY
from sim.rules import MAX_POINTS, RULE_CODES, Rules
from sim.sheet import SHEET, new_sheet

SIDES = "ABC"
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
    """One entry of an evening: who scored (0 = A, 1 = B, 2 = C, None for a void deal), the label and the points."""

    side: int | None
    label: str
    points: int


@dataclass(frozen=True)
class Evening:
    """The entries of a match, clean, and the two or three names in the order of their sides."""

    names: tuple[str, ...]
    lines: tuple[Line, ...]


def read_evening(text_lines: Iterable[str], sides: int = 2) -> Evening:
    """Read the deals of a match between two sides, or three. Raises `ScoreError` for the first line not clean.

    Sides are in the order in which they first score, unless their names are the letters A, B and C.
    """
    reader = _Reader(sides)
    lines = [line for number, text in enumerate(text_lines, start=1) for line in reader.read(number, text)]
    names, letters = reader.names, SIDES[:sides]
    if set(names) <= set(letters):
        order = [letters.index(name) for name in names]
        return Evening(tuple(letters), tuple(_renumbered(line, order) for line in lines))
    spare = [letter for letter in letters if letter not in names]
    return Evening((*names, *spare[len(spare) - sides + len(names) :]), tuple(lines))


def _renumbered(line: Line, order: list[int]) -> Line:
    return line if line.side is None else Line(order[line.side], line.label, line.points)


class _Reader:
    """Reads line after line, and learns the names as they come."""

    def __init__(self, sides: int) -> None:
        self.names: list[str] = []
        self._sides = sides

    def read(self, number: int, text: str) -> Iterator[Line]:
        """Yield the entry of one line of text, or nothing if there is none on it."""
        words = text.partition("#")[0].replace(",", " ").split()
        if words:
            yield self._entry(words, f'line {number}, "{text.strip()}"')

    def _entry(self, words: list[str], where: str) -> Line:
        if [word.lower() for word in words] == [VOID]:
            return Line(None, VOID, 0)
        if len(words) < 2 or not re.fullmatch(r"[0-9]{1,6}", words[-1]):
            raise ScoreError(
                f"{where}: a line is a name and the points entered, such as A 10 or B undercut 15, or void"
            )
        if any(word.isdecimal() for word in words[1:-1]):
            raise ScoreError(f"{where}: two numbers; a line holds one entry, a name and the points entered")
        name, points = words[0], int(words[-1])
        if points > MAX_POINTS:
            raise ScoreError(f"{where}: {points} points; at most {MAX_POINTS} are allowed")
        if name.lower() == VOID:
            raise ScoreError(f"{where}: a void deal has no points")
        if name not in self.names:
            self._meet(name, where)
        return Line(self.names.index(name), " ".join(words[1:-1]), points)

    def _meet(self, name: str, where: str) -> None:
        if len(self.names) == self._sides:
            kept = " and ".join(self.names) if self._sides == 2 else ", ".join(self.names)
            which = {2: "third", 3: "fourth"}[self._sides]
            raise ScoreError(f'{where}: "{name}" is a {which} name; this sheet is kept for {kept}')
        self.names.append(name)


@dataclass
class Scored:
    """A sheet with its evening entered.

    `entered`: for each line the columns (from 1) it entered, or ``"rejected"`` once the match was over. `sheets_after`:
    the sheet (a `sim.sheet.SHEET` record) after each line.
    """

    evening: Evening
    rules: Rules
    sheet: Any
    entered: list[list[int] | str] = field(default_factory=list)
    sheets_after: list[Any] = field(default_factory=list)
    winner: int = NOBODY
    over: bool = False

    def needs(self, column: int, side: int) -> int:
        """Return the wins a side needs before a win enters a column (from 0); -1 if it is closed."""
        return int(_wins_needed(self.sheet, self.rules.codes(), column, side))

    def settlements(self) -> list[Settlement | None]:
        """Return what each column came to, None for one that nobody has won."""
        return [self._settlement(column) for column in range(self.rules.columns)]

    def _settlement(self, column: int) -> Settlement | None:
        """Tell a won column as it stood when it was won."""
        sheet = self.sheet[0]
        winner, closed, net = (int(field[column]) for field in (sheet.winner, sheet.closed, sheet.settled))
        if winner == NOBODY:
            return None
        others = [side for side in range(self.rules.sides) if side != winner]
        return Settlement(
            column=column,
            winner=winner,
            others=tuple(others),
            closed=closed,
            net=None if len(others) > 1 else net if winner == 0 else -net,
            shutout=all(int(sheet.opened[column, side]) > closed for side in others),
        )

    def document(self) -> dict[str, Any]:
        """Return the sheet as `hollywood score --json` prints it."""
        sheet, columns, letters = self.sheet[0], range(self.rules.columns), SIDES[: self.rules.sides]
        by_side = {
            name: {letter: [int(sheet[field_][c, side]) for c in columns] for side, letter in enumerate(letters)}
            for name, field_ in (("totals", "points"), ("boxes", "boxes"))
        }
        settled = self.settlements()
        return {
            "totals": by_side["totals"],
            "entered": self.entered,
            "closed_by": [None if won is None else letters[won.winner] for won in settled],
            "boxes": by_side["boxes"],
            "settlement": [None if won is None else won.document() for won in settled],
            "match_winner": self._winner_text(),
            "names": dict(zip(letters, self.evening.names, strict=True)),
        }

    def _winner_text(self) -> str | None:
        if not self.over:
            return None
        return SIDES[self.winner] if self.winner < self.rules.sides else "tie"


@dataclass(frozen=True)
class Settlement:
    """A won column (from 0): who won it against whom, with which entry (from 0), and what it pays.

    `net` is in points, None in three-handed play, where nothing is settled.
    """

    column: int
    winner: int
    others: tuple[int, ...]
    closed: int
    net: int | None
    shutout: bool

    def stood(self, scored: Scored, field: str) -> tuple[int, ...]:
        """Return the ``points`` or ``boxes`` of the column when it was won, the winner's first."""
        then = scored.sheets_after[self.closed][field][self.column]
        return tuple(int(then[side]) for side in (self.winner, *self.others))

    def document(self) -> dict[str, Any]:
        """Return the settlement as `hollywood score --json` prints it."""
        return {"winner": SIDES[self.winner], "net": self.net, "shutout": self.shutout}


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
        scored.sheets_after.append(scored.sheet[0].copy())
    return scored
