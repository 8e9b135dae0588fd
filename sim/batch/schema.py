"""The Parquet form of the results: one flat column for each declared field, side and sheet column.

A field with shape ``("column", "side")`` becomes ``column1_points_a``, ``column1_points_b`` and so on. Dictionary
columns come first: what side A, side B (and side C) play.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from sim.rows import DEAL_FIELDS, MATCH_FIELDS, N_COLUMNS, TRIO_FIELDS, Field

SCHEMA_VERSION = 2
"""Raised when a reader of today would misread a file; new nullable columns do not raise it."""

_ARROW = {"u1": pa.uint8(), "u2": pa.uint16(), "u4": pa.uint32(), "i4": pa.int32()}
_STRATEGY = pa.dictionary(pa.int8(), pa.string())


@dataclass(frozen=True)
class Table:
    """One kind of result file: its fields, and how many sides they are of."""

    fields: tuple[Field, ...]
    sides: int


TABLES = {"matches": Table(MATCH_FIELDS, 2), "deals": Table(DEAL_FIELDS, 2), "trios": Table(TRIO_FIELDS, 3)}
"""The result files of a run: a row for each match of two sides, each deal, each three-handed match."""
SIDE_LETTERS = "abc"


@dataclass(frozen=True)
class FlatColumn:
    """One column of a file: which entry of which declared field it holds."""

    name: str
    field: Field
    index: tuple[int, ...]


@cache
def flat_columns(table: Table) -> tuple[FlatColumn, ...]:
    """Return the file columns of a table's fields, in file order."""
    return tuple(column for field in table.fields for column in field_columns(field, table.sides))


def field_columns(field: Field, sides: int) -> Iterator[FlatColumn]:
    """Yield the file columns of one field, for so many sides."""
    for index in product(*map(range, _dims(field, sides))):
        yield FlatColumn(_flat_name(field, index), field, index)


def _dims(field: Field, sides: int) -> list[int]:
    return [{"column": N_COLUMNS, "side": sides}[dim] for dim in field.shape]


def _flat_name(field: Field, index: tuple[int, ...]) -> str:
    where = dict(zip(field.shape, index, strict=True))
    name = field.name
    if "column" in where:
        name = name.replace("column", f"column{where['column'] + 1}", 1)
    return name + (f"_{SIDE_LETTERS[where['side']]}" if "side" in where else "")


def arrow_schema(table: str, metadata: Mapping[str, str] | None = None) -> pa.Schema:
    """Return the Parquet schema of a table of `TABLES`, with key-value metadata."""
    declared = TABLES[table]
    columns = [pa.field(f"strategy_{letter}", _STRATEGY, False) for letter in SIDE_LETTERS[: declared.sides]]
    columns += [pa.field(c.name, _ARROW[c.field.dtype], c.field.null is not None) for c in flat_columns(declared)]
    return pa.schema(columns, metadata=dict(metadata or {}))


Fields = Mapping[str, npt.NDArray[Any]]
"""Rows field by field: arrays of shape (n_rows, ...), in which a column of the file is one piece of memory."""
GATHERED_BYTES = 1 << 20
"""As much of the rows stays in the processor's cache while one column after the other is picked out of them."""


def by_field(table: str, rows: npt.NDArray[Any]) -> Fields:
    """Return kernel records, shape (n_rows,), field by field, without the sides that the table does not have."""
    declared = TABLES[table]
    found = {field.name: np.empty((*_dims(field, declared.sides), len(rows)), field.dtype) for field in declared.fields}
    plain, step = np.asarray(rows), GATHERED_BYTES // rows.itemsize  # a recarray is slow to slice
    for first in range(0, len(rows), step):
        some = plain[first : first + step]
        for column in flat_columns(declared):
            where: Any = (..., *column.index)
            found[column.field.name][column.index][first : first + step] = some[column.field.name][where]
    return {name: np.moveaxis(values, -1, 0) for name, values in found.items()}


def arrow_table(table: str, fields: Fields, sides: tuple[str, ...], metadata: Mapping[str, str]) -> pa.Table:
    """Turn the rows of `by_field` into the Arrow table that a part file holds; `sides` are who played."""
    columns = [_constant(spec, len(fields["pair"])) for spec in sides]
    for column in flat_columns(TABLES[table]):
        where: Any = (..., *column.index)
        columns.append(_arrow_column(column, fields[column.field.name][where]))
    return pa.Table.from_arrays(columns, schema=arrow_schema(table, metadata))


# Both functions below build from buffers: pa.array imports pandas where it is installed (0.2 s a start).
def _constant(text: str, rows: int) -> pa.DictionaryArray:
    data = text.encode()
    offsets = pa.py_buffer(np.array([0, len(data)], np.int32))
    words = pa.Array.from_buffers(pa.string(), 1, [None, offsets, pa.py_buffer(data)])
    codes = pa.Array.from_buffers(pa.int8(), rows, [None, pa.py_buffer(np.zeros(rows, np.int8))])
    return pa.DictionaryArray.from_arrays(codes, words)


def _arrow_column(column: FlatColumn, values: npt.NDArray[Any]) -> pa.Array:
    valid = None
    if column.field.null is not None:
        valid = pa.py_buffer(np.packbits(values != column.field.null, bitorder="little"))
    return pa.Array.from_buffers(_ARROW[column.field.dtype], len(values), [valid, pa.py_buffer(values)])


@dataclass(frozen=True)
class ColumnDoc:
    """What a reader is told of some columns that belong together: their names in order, and what is said of all.

    `type` is Arrow's name, or ``dictionary`` for names of players; `unit` may be empty.
    """

    names: tuple[str, ...]
    type: str
    null: bool
    unit: str
    meaning: str


def column_docs(table: str) -> Iterator[ColumnDoc]:
    """Yield the columns of a table of `TABLES`, in file order: who plays, then an entry for each declared field."""
    declared = TABLES[table]
    letters = SIDE_LETTERS[: declared.sides]
    sides = " and ".join(f"side {letter.upper()}" for letter in letters)
    yield ColumnDoc(tuple(f"strategy_{c}" for c in letters), "dictionary", False, "", f"what {sides} play")
    for field in declared.fields:
        names = tuple(column.name for column in field_columns(field, declared.sides))
        yield ColumnDoc(names, str(_ARROW[field.dtype]), field.null is not None, field.unit, field.doc)
