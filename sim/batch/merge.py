"""Merging the files of consecutive parts of a pairing into one, and reading such a file part by part.

The merged file has the rows of the parts in their order and the metadata of the first, but for the pairs; its line
keeps of each part what its own line said (`sim.batch.part_lines.pieces`).
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from sim.batch import plan as plans
from sim.batch.part_lines import MERGED, PartLine, files_of, pieces
from sim.batch.schema import SIDE_LETTERS, TABLES
from sim.batch.store import ROW_GROUP, StoreError, parquet_options, part_file, replacing

PARTS_A_FILE = 32
"""Parts whose files become one at most: a million match rows, perhaps 15 million deal rows."""


def file_of(table: str, line: PartLine) -> str:
    """Return the path, inside its run folder, of the file that a line must have for a table."""
    if MERGED not in line:
        return part_file(table, line["part"])
    numbers = [piece["part"] for piece in line[MERGED]]
    return f"{table}/parts-{numbers[0]:06d}-{numbers[-1]:06d}.parquet"


def bundles(lines: Sequence[PartLine]) -> list[list[PartLine]]:
    """Return which lines become one, in the order given: consecutive ones of a pairing, `PARTS_A_FILE` parts at most.

    A part that is not whole stays by itself, because a longer run has another in its place.
    """
    open_ones: dict[tuple[Any, ...], list[PartLine]] = {}
    found: list[list[PartLine]] = []
    for line in lines:
        sides = tuple(line.get(letter) for letter in SIDE_LETTERS)
        bundle = open_ones.get(sides)
        if bundle is None or not _fits(bundle, line):
            bundle = open_ones[sides] = []
            found.append(bundle)
        bundle.append(line)
    return found


def _fits(bundle: Sequence[PartLine], line: PartLine) -> bool:
    last = bundle[-1]
    parts = [piece for one in (*bundle, line) for piece in pieces(one)]
    whole = all(piece["pairs"] == plans.PART_PAIRS for piece in parts)
    follows = line["first_pair"] == last["first_pair"] + last["pairs"]
    return whole and follows and len(parts) <= PARTS_A_FILE and files_of(line).keys() == files_of(last).keys()


def merge(path: Path, bundle: Sequence[PartLine]) -> PartLine:
    """Merge the files of these lines and return the line of them all; neither they nor parts.jsonl are touched.

    What was written is read back and compared with what it was made of. Raises `StoreError` when a file is not as its
    line says, or cannot be read or written.
    """
    first = bundle[0]
    line: PartLine = {name: first[name] for name in ("part", *SIDE_LETTERS, "first_pair") if name in first}
    line |= {name: sum(one[name] for one in bundle) for name in ("pairs", "deals_played")}
    line |= {"seconds": round(sum(one["seconds"] for one in bundle), 3)}
    line[MERGED] = [piece for one in bundle for piece in _kept(one)]
    return line | {table: _merge_table(path, table, bundle, line) for table in files_of(first)}


def _kept(line: PartLine) -> list[PartLine]:
    """Return what a merged line keeps of the parts of one of its lines."""
    if MERGED in line:
        return list(line[MERGED])
    files = files_of(line)
    piece = {name: value for name, value in line.items() if name not in (*files, *SIDE_LETTERS)}
    return [piece | {"rows": {table: entry["rows"] for table, entry in files.items()}}]


def _merge_table(path: Path, table: str, bundle: Sequence[PartLine], line: PartLine) -> dict[str, Any]:
    name = file_of(table, line)
    try:
        with replacing(path / name) as temporary:
            _write(temporary, _as_written(path, table, bundle), line)
            _compare(path / name, pq.ParquetFile(temporary), _as_written(path, table, bundle))
            with temporary.open("rb") as handle:
                sha256 = hashlib.file_digest(handle, "sha256").hexdigest()
            size = temporary.stat().st_size
    except OSError as error:
        raise StoreError(f"{path / name} cannot be written: {error.strerror or error}") from error
    return {"file": name, "rows": sum(one[table]["rows"] for one in bundle), "bytes": size, "sha256": sha256}


def _as_written(path: Path, table: str, bundle: Sequence[PartLine]) -> Iterator[pa.Table]:
    """Yield the rows of each line's file, which must have the sha256 and the rows that it was written with."""
    for line in bundle:
        file, entry = path / line[table]["file"], line[table]
        try:
            content = file.read_bytes()
            if hashlib.sha256(content).hexdigest() != entry["sha256"]:
                raise StoreError(f"{file}: is not as it was written (another sha256)")
            rows = pq.read_table(io.BytesIO(content))
        except (OSError, pa.ArrowException) as error:
            raise StoreError(f"{file} cannot be read: {str(error).splitlines()[0]}") from error
        if rows.num_rows != entry["rows"]:
            raise StoreError(f"{file}: has {rows.num_rows:,} rows, its line says {entry['rows']:,}")
        yield rows


def _write(file: Path, tables: Iterator[pa.Table], line: PartLine) -> None:
    """Write tables below one another, in row groups of `ROW_GROUP` rows."""
    first = next(tables)
    metadata = {**first.schema.metadata, b"first_pair": b"%d" % line["first_pair"], b"pairs": b"%d" % line["pairs"]}
    schema = first.schema.with_metadata(metadata)
    with pq.ParquetWriter(file, schema, **parquet_options(schema.names)) as writer:
        held = first
        for table in tables:
            held = pa.concat_tables([held, table])
            while held.num_rows >= ROW_GROUP:
                writer.write_table(_with(schema, held.slice(0, ROW_GROUP)), ROW_GROUP)
                held = held.slice(ROW_GROUP)
        if held.num_rows:
            writer.write_table(_with(schema, held), ROW_GROUP)


def _with(schema: pa.Schema, table: pa.Table) -> pa.Table:
    return table.replace_schema_metadata(schema.metadata).combine_chunks()


def _compare(file: Path, written: pq.ParquetFile, tables: Iterable[pa.Table]) -> None:
    """Raise `StoreError` unless a file has the rows of these tables, below one another, and no more."""
    rows, left = RowsInOrder(written), written.metadata.num_rows
    for table in tables:
        left -= table.num_rows
        if not rows.take(table.num_rows).equals(table):
            raise StoreError(f"{file}: reads back other rows than were written")
    if left:
        raise StoreError(f"{file}: reads back {left:,} rows more than were written")


class RowsInOrder:
    """The rows of a Parquet file, a few at a time: no more than a row group of them is held."""

    def __init__(self, file: pq.ParquetFile, columns: Sequence[str] | None = None) -> None:
        self._file, self._columns = file, columns
        self._groups = iter(range(file.num_row_groups))
        self._held: pa.Table | None = None

    def take(self, count: int) -> pa.Table:
        """Return the next so many rows, or those that are left."""
        while self._held is None or self._held.num_rows < count:
            group = next(self._groups, None)
            if group is None:
                break
            new = self._file.read_row_group(group, self._columns)
            self._held = new if self._held is None else pa.concat_tables([self._held, new])
        if self._held is None:  # a file without a row group
            return self._file.schema_arrow.empty_table()
        rows, self._held = self._held.slice(0, count), self._held.slice(count)
        return rows


def left_behind(path: Path, lines: Iterable[PartLine]) -> list[Path]:
    """Return the files that a merging which was broken off has left: files of parts now merged, or merged in vain."""
    listed, parts = set(), set()
    for line in lines:
        for table in files_of(line):
            listed.add(file_of(table, line))
            parts |= {part_file(table, piece["part"]) for piece in line.get(MERGED, ())}
    made = [file.relative_to(path).as_posix() for table in TABLES for file in (path / table).glob("*parts-*")]
    made = [name for name in made if name.endswith((".parquet", ".tmp"))]
    return [path / name for name in sorted({*made, *parts} - listed) if (path / name).is_file()]
