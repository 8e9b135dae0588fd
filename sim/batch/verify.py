"""Checking what a run folder holds of one part: its files against its line, and both against the plan."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from sim.batch.lines import PARTS
from sim.batch.merge import RowsInOrder, file_of
from sim.batch.part_lines import MERGED, PartLine, files_of, pieces
from sim.batch.plan import Part, Plan
from sim.batch.runner import part_metadata
from sim.batch.schema import SIDE_LETTERS, TABLES, arrow_schema, flat_columns
from sim.batch.tally import block_scores, tally, tally_trios
from sim.records import records
from sim.rows import MATCH_ROW, TIE, TIE_OF_THREE

Rows = npt.NDArray[Any]
BLOCK_BYTES = 1 << 20
_OF_THE_PROGRAM = "engine_version"
"""Metadata that may differ within a run: a newer program with the same fingerprint goes on with it."""


RESUME = "resume"
"""What is to be done about most faults: a resume plays again what is not in place."""
DELETE = "delete that line, then resume"
"""What is to be done about a line that a resume would stumble over, or believe."""


class Fault(NamedTuple):
    """What is wrong with a file, which is named relative to the run folder, and what is to be done.

    `part` is the number of the part whose line it is, if it is a line.
    """

    file: str
    what: str
    do: str = RESUME
    part: int | None = None


def line_fault(line: PartLine, planned: Mapping[int, Part]) -> Fault | None:
    """Say what is wrong with a line for a plan with these parts, by number; or None."""
    parts = pieces(line)
    for piece in parts:
        fault = _piece_fault(piece, planned.get(piece["part"]))
        if fault is not None:
            return fault._replace(part=line["part"])
    pairs = [pair for piece in parts for pair in (piece["first_pair"], piece["first_pair"] + piece["pairs"])]
    if [line["part"], line["first_pair"]] != [parts[0]["part"], pairs[0]] or pairs[1:-1:2] != pairs[2::2]:
        return _of_line(line, "is of parts that do not follow each other")
    if line["pairs"] != pairs[-1] - pairs[0]:
        return _of_line(line, f"has {line['pairs']} pairs, its parts {pairs[-1] - pairs[0]}")
    return None


def _piece_fault(line: PartLine, part: Part | None) -> Fault | None:
    if part is None:
        return _of_line(line, "is of a part that the plan has not", DELETE)
    names = tuple(line[letter] for letter in SIDE_LETTERS if letter in line)
    if names != part.names:
        return _of_line(line, f"is of {' v '.join(map(str, names))}, the plan's of {' v '.join(part.names)}")
    if line["first_pair"] != part.first_pair:
        return _of_line(line, f"begins with pair {line['first_pair']}, the plan's with {part.first_pair}")
    if not 1 <= line["pairs"] <= part.pairs:
        return _of_line(line, f"has {line['pairs']} pairs, the plan's {part.pairs}")
    return None


def _of_line(line: PartLine, what: str, do: str = RESUME) -> Fault:
    return Fault(PARTS, f"the line of part {line['part']} {what}", do, line["part"])


def line_not_whole(line: PartLine) -> Fault:
    """Say that something is missing in a line."""
    return _of_line(line, "is not whole", DELETE)


def line_of_known_parts(line: PartLine, known: Collection[int]) -> Fault:
    """Say that a line stands for parts of which a line before it is."""
    return _of_line(line, f"stands for part {min(known)} too, which is in another line", DELETE)


def byte_faults(path: Path, line: PartLine) -> Iterator[Fault]:
    """Yield what is wrong with the files of a line: name, there, size and sha256 as they were written."""
    for table, entry in files_of(line).items():
        try:
            told = _byte_fault(path, line, table, entry)
        except (LookupError, TypeError, AttributeError):
            told = line_not_whole(line)
        if told is not None:
            yield told


def _byte_fault(path: Path, line: PartLine, table: str, entry: Mapping[str, Any]) -> Fault | None:
    file, sha256 = file_of(table, line), entry["sha256"]
    if entry["file"] != file:
        return _of_line(line, f"names {entry['file']}, not {file}", DELETE)
    try:
        size = (path / file).stat().st_size
        if size != entry.get("bytes", size):
            return Fault(file, f"has {size:,} bytes; {entry['bytes']:,} were written")
        found = _sha256(path / file)
    except FileNotFoundError:
        return Fault(file, "is missing")
    except OSError as error:
        return Fault(file, f"cannot be read: {error.strerror or error}")
    return None if found == sha256 else Fault(file, f"was changed: sha256 {found[:12]}, {str(sha256)[:12]} was written")


def _sha256(file: Path) -> str:
    digest = hashlib.sha256()
    with file.open("rb") as handle:
        while block := handle.read(BLOCK_BYTES):
            digest.update(block)
    return digest.hexdigest()


def content_faults(path: Path, line: PartLine, plan: Plan, fingerprint: object) -> Iterator[Fault]:
    """Yield what is wrong inside the files of a line which is right itself, as are their bytes.

    Schema, metadata, row counts, which pairs, legs and deals there are, and the sums that the line has of the rows.
    `fingerprint` is that of the engine which played the run. The line's sides and pairs must be those of the plan.
    """
    names = tuple(line[letter] for letter in SIDE_LETTERS if letter in line)
    sides = tuple(next(side for side in plan.sides if side.text == name) for name in names)
    metadata = part_metadata(plan, Part(line["part"], sides, line["first_pair"], line["pairs"]))
    metadata |= {"fingerprint": str(fingerprint)}
    if any(table not in line for table in plan.tables):
        yield line_not_whole(line)
        return
    rows: dict[str, RowsInOrder] = {}
    for table in plan.tables:
        file = file_of(table, line)
        try:
            told = declared_fault(path / file, table, metadata) or _count_fault(path / file, line[table]["rows"])
            rows[table] = RowsInOrder(pq.ParquetFile(path / file))
        except (OSError, ValueError, pa.ArrowException) as error:
            told = _unreadable(error)
        if told is not None:
            yield Fault(file, told)
            return
    for piece in pieces(line):
        fault = _rows_fault(line, piece, plan, rows)
        if fault is not None:
            yield fault
            return


def _unreadable(error: Exception) -> str:
    return f"cannot be read: {str(error).splitlines()[0]}"


def _count_fault(file: Path, listed: int) -> str | None:
    found = pq.read_metadata(file).num_rows
    return None if found == listed else f"has {found:,} rows; its line in {PARTS} says {listed:,}"


def _rows_fault(line: PartLine, piece: PartLine, plan: Plan, rows: Mapping[str, RowsInOrder]) -> Fault | None:
    """Say what is wrong with the rows of a part, which are the next ones of each file of its line."""
    names = tuple(line[letter] for letter in SIDE_LETTERS if letter in line)
    matches: Rows = np.zeros(0)
    for table in plan.tables:  # matches come before deals
        try:
            stored = rows[table].take(piece["rows"][table] if MERGED in line else line[table]["rows"])
            if table == "deals":
                told = _key_fault(_keys(stored, "pair", "leg", "deal"), _deals_wanted(matches))
            else:
                told = _key_fault(_keys(stored, "pair", "leg"), _wanted(piece, plan))
                matches = stored_records(stored, table)
                told = told or _winner_fault(matches, TIE_OF_THREE if table == "trios" else TIE)
            told = told or _side_fault(stored, names)
        except (OSError, ValueError, pa.ArrowException) as error:
            told = _unreadable(error)
        if told is not None:
            return Fault(file_of(table, line), told)
    told = _sum_fault(piece, plan, matches)
    return None if told is None else _of_line(piece, told)._replace(part=line["part"])


def declared_fault(file: Path, table: str, metadata: Mapping[str, str]) -> str | None:
    """Say where a file's columns or key-value metadata are not the declared ones, or None."""
    schema = pq.read_schema(file)
    wanted = arrow_schema(table)
    if not schema.equals(wanted):
        differ = [one for one, other in zip(schema, wanted, strict=False) if not one.equals(other)]
        where = f"column {differ[0].name} is {differ[0].type}" if differ else f"{len(schema)} columns"
        return f"has another schema than declared for {table}: {where}"
    found = {key.decode(): value.decode() for key, value in (schema.metadata or {}).items()}
    for key, value in metadata.items():
        if key not in found:
            return f"its metadata lack {key}"
        if key != _OF_THE_PROGRAM and found[key] != value:
            return f"its metadata have {key} {found[key]}, the run has {value}"
    return None


def stored_records(stored: pa.Table, table: str) -> Rows:
    """Return rows of a file of matches or trios, shape (n,), as the kernels wrote them: MATCH_ROW.

    What the table does not hold is 0.
    """
    rows = records(stored.num_rows, MATCH_ROW)
    for column in flat_columns(TABLES[table]):
        values = stored.column(column.name)
        filled = values if column.field.null is None else values.fill_null(column.field.null)
        where: Any = (..., *column.index)
        rows[column.field.name][where] = filled.to_numpy()
    return rows


def _keys(stored: pa.Table, *names: str) -> Rows:
    """Return some columns of rows, shape (n, columns)."""
    return np.column_stack([stored.column(name).to_numpy().astype(np.int64) for name in names])


def _wanted(line: PartLine, plan: Plan) -> Rows:
    """Return pair and leg of every match of a part, shape (n, 2)."""
    pairs, legs = np.arange(line["pairs"]) + line["first_pair"], plan.rules.legs
    return np.column_stack([np.repeat(pairs, legs), np.tile(np.arange(legs), len(pairs))])


def _deals_wanted(matches: Rows) -> Rows:
    """Return pair, leg and deal of every deal of these matches, shape (n, 3)."""
    played = matches["deals_played"].astype(np.int64)
    first = np.repeat(np.cumsum(played) - played, played)
    match = np.repeat(np.arange(len(matches)), played)
    return np.column_stack([matches["pair"][match], matches["leg"][match], np.arange(len(match)) - first])


def _key_fault(keys: Rows, wanted: Rows) -> str | None:
    """Say where rows are not exactly those that should be there, by their keys, each of shape (n, keys)."""
    if len(keys) != len(wanted):
        return f"has {len(keys):,} rows where {len(wanted):,} belong"
    wrong = np.flatnonzero((keys != wanted).any(axis=1))
    if len(wrong) == 0:
        return None
    told = [
        ", ".join(f"{name} {number}" for name, number in zip(("pair", "leg", "deal"), many[wrong[0]], strict=False))
        for many in (keys, wanted)
    ]
    return f"has {told[0]} where {told[1]} belongs"


def _winner_fault(matches: Rows, most: int) -> str | None:
    wrong = np.flatnonzero(matches["match_winner"] > most)
    return f"has match_winner {matches['match_winner'][wrong[0]]}, where {most} is the most" if len(wrong) else None


def _side_fault(stored: pa.Table, names: tuple[str, ...]) -> str | None:
    for letter, name in zip(SIDE_LETTERS, names, strict=False):
        column = f"strategy_{letter}"
        found = stored.column(column).unique().to_pylist()
        if found != [name]:
            return f"has {column} {', '.join(map(str, found))} where {name} belongs"
    return None


def _sum_fault(line: PartLine, plan: Plan, matches: Rows) -> str | None:
    """Say which of the sums in a line are not those of its rows, or None."""
    sums: dict[str, Any] = {"tally": tally_trios(matches)} if "trios" in plan.tables else {"tally": tally(matches)}
    if "trios" not in plan.tables:
        sums["block_scores"] = block_scores(matches)
    sums["deals_played"] = sums["tally"]["deals"]
    wrong = [name for name, value in sums.items() if line.get(name) != value]
    if not wrong:
        return None
    return f"has another {' and '.join(wrong)} than the rows come to"
