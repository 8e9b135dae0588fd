"""Finding the rows of one pair in a run folder, and putting rows just played beside them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from sim.batch.part_lines import files_of, read_lines
from sim.batch.schema import SIDE_LETTERS, arrow_table, by_field
from sim.batch.store import StoreError

StoredRow = dict[str, Any]
"""One row of a result file: values by column name, None for null."""


def stored_rows(path: Path, names: Sequence[str], pair: int) -> dict[str, list[StoredRow]]:
    """Return what a run folder holds of a pair, by table; nothing if the pair is in no finished part.

    `names` are the sides as text. Raises `StoreError` when a listed file cannot be read, and
    `sim.batch.part_lines.LinesError`.
    """
    return {table: _rows_of(path / file, pair) for table, file in files_with(path, names, pair).items()}


def files_with(path: Path, names: Sequence[str], pair: int) -> dict[str, str]:
    """Return the files of a run folder that hold a pair, by table and relative to it; raises as `stored_rows`."""
    for line in read_lines(path):
        sides = [line[letter] for letter in SIDE_LETTERS if letter in line]
        if sides == list(names) and 0 <= pair - line["first_pair"] < line["pairs"]:
            return {table: entry["file"] for table, entry in files_of(line).items()}
    return {}


def _rows_of(file: Path, pair: int) -> list[StoredRow]:
    import pyarrow.parquet as pq

    try:
        rows: list[StoredRow] = pq.read_table(file, filters=[("pair", "=", pair)]).to_pylist()
    except (OSError, ValueError) as error:
        raise StoreError(f"{file} cannot be read: {str(error).splitlines()[0]}") from error
    return rows


def as_stored(table: str, rows: npt.NDArray[np.void], names: Sequence[str]) -> list[StoredRow]:
    """Return rows just played, shape (n,), as a file of that table would give them back."""
    read_back: list[StoredRow] = arrow_table(table, by_field(table, rows), tuple(names), {}).to_pylist()
    return read_back


def first_difference(stored: list[StoredRow], played: list[StoredRow]) -> str | None:
    """Say in words where rows just played differ from stored ones, or None if they are equal."""
    if len(stored) != len(played):
        return f"{len(stored)} rows are stored, {len(played)} were played"
    for before, now in zip(stored, played, strict=True):
        for name, value in before.items():
            if now.get(name, value) != value:
                place = ", ".join(f"{key} {before[key]}" for key in ("pair", "leg", "deal") if key in before)
                return f"{place}: {name} is stored as {value} and played as {now[name]}"
    return None
