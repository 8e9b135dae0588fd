"""The answer to a query as a table in a terminal, as CSV or as JSON, and the tables that can be asked."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from itertools import islice
from typing import Any

from analysis.query import Answer
from cli.texts.words import LINE_WIDTH, bold, cut_middle, dim, wrapped
from sim.batch.schema import ColumnDoc

MOST_ROWS = 40
MOST_OF_CELL = 30
NAMES = 28


def csv_lines(answer: Answer) -> Iterator[str]:
    """Yield a line of headings and one a row, as they come; an empty field is a null."""
    yield _csv_line(answer.columns)
    for row in answer.rows:
        yield _csv_line(["" if value is None else value for value in row])


def _csv_line(values: Sequence[Any]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(values)
    return line.getvalue()


def json_lines(answer: Answer) -> Iterator[str]:
    """Yield a JSON array of objects, one a line, as they come; what JSON has no number for (infinity) is null.

    Raises ValueError when two columns have one name, since an object would keep only one of them.
    """
    twice = [name for name in answer.columns if answer.columns.count(name) > 1]
    if twice:
        raise ValueError(f'two columns are called "{twice[0]}": name one otherwise with AS')
    before = "["
    for row in answer.rows:
        yield before + json.dumps(dict(zip(answer.columns, map(_plain, row), strict=True)), allow_nan=False)
        before = ","
    yield "[]" if before == "[" else "]"


def _plain(value: Any) -> Any:
    """Return a value as JSON has it: whole decimals as whole numbers, times as text."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, (list, tuple)):
        return [_plain(entry) for entry in value]
    if isinstance(value, dict):
        return {str(key): _plain(entry) for key, entry in value.items()}
    if isinstance(value, (date, datetime, time)):
        return value.isoformat()
    return value if isinstance(value, (str, int, float, bool, type(None))) else str(value)


def table_lines(answer: Answer, width: int = LINE_WIDTH) -> list[str]:
    """Return the first `MOST_ROWS` rows under their headings, or one value a line if that is wider than `width`.

    The last line says how many rows there are.
    """
    rows = [[_cell(value) for value in row] for row in islice(answer.rows, MOST_ROWS)]
    more = sum(1 for _ in answer.rows)
    widths = [max(map(len, column)) for column in zip(answer.columns, *rows, strict=True)]
    fits = sum(widths) + 2 * (len(widths) - 1) <= width
    lines = list(_side_by_side(answer, rows, widths) if fits else _one_below_the_other(answer.columns, rows))
    return [*lines, dim(_counted(len(rows), more))]


def _cell(value: Any) -> str:
    """Write a value: fractions with six digits, nothing for a null."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.6g}"
    return cut_middle(str(value), MOST_OF_CELL) if isinstance(value, str) else str(value)


def _side_by_side(answer: Answer, rows: list[list[str]], widths: list[int]) -> Iterator[str]:
    """Yield headings and rows; text stands left, numbers right."""
    left = ["VARCHAR" in kind.upper() or "STRING" in kind.upper() for kind in answer.types]
    yield bold(_line(answer.columns, widths, left))
    for row in rows:
        yield _line(row, widths, left)


def _line(cells: Sequence[str], widths: Sequence[int], left: Sequence[bool]) -> str:
    padded = [
        cell.ljust(room) if is_left else cell.rjust(room)
        for cell, room, is_left in zip(cells, widths, left, strict=True)
    ]
    return "  ".join(padded).rstrip()


def _one_below_the_other(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield a block a row with a line a column: for answers wider than the terminal."""
    room = min(NAMES, max(map(len, columns)))
    for number, row in enumerate(rows, start=1):
        yield bold(f"row {number}")
        for name, cell in zip(columns, row, strict=True):
            yield f"  {cut_middle(name, NAMES):<{room}}  {cell}".rstrip()


def _counted(shown: int, more: int) -> str:
    if more:
        return f"({shown} of {shown + more:,} rows; --format csv prints all)"
    return f"({shown} row{'' if shown == 1 else 's'})"


def schema_lines(tables: dict[str, list[ColumnDoc]], also: str) -> Iterator[str]:
    """Yield the tables of a run: their columns with type, unit and meaning; `also` is said at the end."""
    for name, docs in tables.items():
        yield bold(name)
        for doc in docs:
            names = ", ".join(doc.names) if len(doc.names) < 3 else f"{doc.names[0]} .. {doc.names[-1]}"
            unit = f", {doc.unit}" if doc.unit else ""
            yield f"  {names}  " + dim(f"{doc.type}{unit}{', may be null' if doc.null else ''}")
            yield from wrapped(doc.meaning, "      ", "      ")
        yield ""
    yield from wrapped(also)


SCHEMA_COLUMNS = ["table", "column", "type", "null", "unit", "meaning"]


def schema_rows(tables: dict[str, list[ColumnDoc]]) -> Iterator[tuple[Any, ...]]:
    """Yield a row a column: `SCHEMA_COLUMNS`."""
    for table, docs in tables.items():
        for doc in docs:
            for name in doc.names:
                yield table, name, doc.type, doc.null, doc.unit, doc.meaning
