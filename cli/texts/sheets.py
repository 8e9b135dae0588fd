"""A score sheet as players write it, for the terminal and as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cli.texts.words import cut_middle, wrapped

if TYPE_CHECKING:
    from sim.evening import Line, Scored, Settlement

LABEL_WIDTH, ENTRY_WIDTH = 17, 13


@dataclass(frozen=True)
class SheetLine:
    """One line of a sheet: its label, and what stands in each column for each side, or a remark instead."""

    label: str
    cells: list[list[str]]
    remark: str = ""


def grid_text(names: Sequence[str], lines: Sequence[SheetLine]) -> list[str]:
    """Write lines of a sheet under a heading with columns and names, at most 80 characters wide."""
    width = 6 if len(names) == 2 else 5
    columns = range(len(lines[0].cells))
    block = (width + 1) * len(names) + 1
    shown = [cut_middle(name, width) for name in names]
    heads = "".join(f"{f'Column {column + 1}':^{block}}" for column in columns)
    head = SheetLine("deal", [shown for _ in columns])
    return [" " * (LABEL_WIDTH + 2) + heads.rstrip(), *(_line_text(line, width) for line in [head, *lines])]


def _line_text(line: SheetLine, width: int) -> str:
    cells = "".join("".join(f"{cell:>{width}} " for cell in column) + " " for column in line.cells)
    return f"  {line.label:<{LABEL_WIDTH}}{line.remark or cells}".rstrip()


def sheet_text(scored: Scored) -> str:
    """Write a sheet: running totals deal by deal, totals, boxes, how each column was settled, and how things stand."""
    lines = [*entry_lines(scored), *total_lines(scored)]
    return "\n".join([*grid_text(scored.evening.names, lines), *standing_lines(scored)])


def sheet_markdown(scored: Scored) -> str:
    """Write the same as a Markdown table and a list."""
    names, columns = scored.evening.names, range(scored.rules.columns)
    heads = ["deal", *(f"{name}, column {column + 1}" for column in columns for name in names)]
    rules = ["---", *("---:" for _ in heads[1:])]
    rows = [[line.label, *(cell for column in line.cells for cell in column)] for line in _marked_lines(scored)]
    table = [f"| {' | '.join(_cell_text(cell) for cell in row)} |" for row in [heads, rules, *rows]]
    return "\n".join([*table, "", *(f"- {_cell_text(text)}" for text in standing(scored))])


def _cell_text(text: str) -> str:
    return text.replace("|", "\\|")


def _marked_lines(scored: Scored) -> Iterator[SheetLine]:
    for line in [*entry_lines(scored), *total_lines(scored)]:
        remark = f" ({line.remark})" if line.remark else ""
        yield SheetLine(" ".join(line.label.split()) + remark, line.cells)


def entry_lines(scored: Scored) -> list[SheetLine]:
    """Return a line for each deal of an evening."""
    return [_entry_line(scored, number) for number in range(len(scored.entered))]


def total_lines(scored: Scored) -> list[SheetLine]:
    """Return the totals and the wins of each column."""
    return [
        SheetLine(label, [[str(points) for points in column[: scored.rules.sides]] for column in cells])
        for label, cells in (
            ("total", scored.sheet[0].points[: scored.rules.columns]),
            ("wins (boxes)", scored.sheet[0].boxes[: scored.rules.columns]),
        )
    ]


def _entry_line(scored: Scored, number: int) -> SheetLine:
    line, entered = scored.evening.lines[number], scored.entered[number]
    label = "void" if line.side is None else _entry_text(scored.evening.names[line.side], line)
    cells = [[""] * scored.rules.sides for _ in range(scored.rules.columns)]
    if line.side is not None:
        for column, cell in enumerate(cells):
            cell[line.side] = _cell(scored, number, column, line.side)
    remark = "rejected: the match was over" if isinstance(entered, str) else ""
    return SheetLine(f"{number + 1:>2}  {label:<{ENTRY_WIDTH}}", cells, remark)


def _entry_text(name: str, line: Line) -> str:
    """Write who scored what, with the label where there is room for it."""
    full = " ".join(filter(None, (name, line.label, str(line.points))))
    return full if len(full) <= ENTRY_WIDTH else f"{cut_middle(name, 8)} {line.points}"


def _cell(scored: Scored, number: int, column: int, side: int) -> str:
    """Return the running total if the deal entered the column; ``.`` not open yet, ``--`` closed; ``=`` closes it."""
    before = scored.sheets_after[number - 1]["points"][column] if number else [0] * scored.rules.sides
    target = scored.rules.target
    was_closed = before[side] >= target or (scored.rules.closing == "column" and max(before) >= target)
    entered = scored.entered[number]
    if isinstance(entered, list) and column + 1 in entered:
        total = int(scored.sheets_after[number]["points"][column, side])
        return f"={total}" if total >= target else str(total)
    return "--" if was_closed else "."


def standing_lines(scored: Scored) -> list[str]:
    """Return how things stand as indented lines of at most 80 characters."""
    return [line for text in standing(scored) for line in wrapped(text, "  ", "    ")]


def standing(scored: Scored) -> list[str]:
    """Say how each won column was settled, what it comes to, and who won or what a next win would enter."""
    names, settled = scored.evening.names, scored.settlements()
    told = [_column_text(scored, won) for won in settled if won]
    nets = [won.net if won.winner == 0 else -won.net for won in settled if won and won.net is not None]
    if len(nets) > 1:
        told.append(_total_text(names, sum(nets)))
    if scored.over:
        won = scored.winner < scored.rules.sides
        return [*told, f"{names[scored.winner]} wins the match." if won else "The match is tied."]
    if not told:
        told.append(f"Nobody has {scored.rules.target} yet.")
    coming = [_next_win(scored, side) for side in range(scored.rules.sides)]
    return [*told, " ".join(coming)] if len(coming) == 2 else [*told, *coming]


def _total_text(names: Sequence[str], net: int) -> str:
    if net == 0:
        return "Settled in all: nothing, they come out even."
    return f"Settled in all: {names[net < 0]} is {abs(net)} points ahead."


def _column_text(scored: Scored, won: Settlement) -> str:
    wins = f"{scored.evening.names[won.winner]} wins column {won.column + 1}"
    shutout = ", a shutout" if won.shutout else ""
    if won.net is None:
        return f"{wins}{shutout}."
    terms = "".join(f"; {term}" for term in _settlement_terms(scored, won))
    if not terms:
        return f"{wins} by {won.net} points{shutout}."
    mine, theirs = won.stood(scored, "points")
    return f"{wins} by {won.net}{shutout}: {mine} - {theirs}{terms}."


def _settlement_terms(scored: Scored, won: Settlement) -> Iterator[str]:
    """Yield what a settlement holds beside the totals: game bonus, boxes, doublings."""
    rules = scored.rules
    if rules.game_bonus:
        yield f"game {rules.game_bonus}"
    if rules.box_bonus:
        mine, theirs = won.stood(scored, "boxes")
        yield f"boxes {mine} - {theirs} x {rules.box_bonus}"
    doublings = (rules.shutout_doubles and won.shutout) + (rules.third_column_doubled and won.column == 2)
    if doublings:
        yield f"all x {2**doublings}"


def _next_win(scored: Scored, side: int) -> str:
    enters = [str(c + 1) for c in range(scored.rules.columns) if scored.needs(c, side) == 0]
    where = "all three" if len(enters) == 3 else " and ".join(enters) or "nothing"
    return f"{scored.evening.names[side]}'s next win enters {where}."
