"""Checking what a run folder holds of one part: its files against its line, and both against the plan."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from sim.batch.part_lines import PARTS, PartLine, files_of
from sim.batch.plan import Part, Plan
from sim.batch.runner import part_metadata
from sim.batch.schema import SIDE_LETTERS, TABLES, arrow_schema, flat_columns
from sim.batch.store import part_file
from sim.batch.tally import block_scores, tally, tally_trios
from sim.jit import records
from sim.rows import MATCH_ROW

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


def line_fault(line: PartLine, part: Part | None) -> Fault | None:
    """Say what is wrong with a line for a plan whose part of that number is `part`: None if there is none such."""
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
    file, sha256 = part_file(table, line["part"]), entry["sha256"]
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
    """Yield what is wrong inside the files of a part whose line and bytes are right.

    Schema, metadata, row counts, which pairs, legs and deals there are, and the sums that the line has of the rows.
    `fingerprint` is that of the engine which played the run. The line's sides and pairs must be those of the plan.
    """
    names = tuple(line[letter] for letter in SIDE_LETTERS if letter in line)
    sides = tuple(next(side for side in plan.sides if side.text == name) for name in names)
    metadata = part_metadata(plan, Part(line["part"], sides, line["first_pair"], line["pairs"]))
    metadata |= {"fingerprint": str(fingerprint)}
    matches: Rows = np.zeros(0)
    for table in plan.tables:  # matches come before deals
        file = part_file(table, line["part"])
        if table not in line:
            yield line_not_whole(line)
            return
        try:
            told = declared_fault(path / file, table, metadata)
            if told is None:
                rows = _deal_index(path / file) if table == "deals" else stored_records(path / file, table)
                told = _row_fault(
                    line, table, rows, _deals_wanted(matches) if table == "deals" else _wanted(line, plan)
                )
                told = told or _side_fault(path / file, names)
                matches = matches if table == "deals" else rows
        except (OSError, ValueError, pa.ArrowException) as error:
            told = f"cannot be read: {str(error).splitlines()[0]}"
        if told is not None:
            yield Fault(file, told)
            return
    told = _sum_fault(line, plan, matches)
    if told is not None:
        yield _of_line(line, told)


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


def stored_records(file: Path, table: str) -> Rows:
    """Return the rows of a file of matches or trios, shape (n,), as the kernels wrote them: MATCH_ROW.

    What the table does not hold is 0.
    """
    stored = pq.read_table(file)
    rows = records(stored.num_rows, MATCH_ROW)
    for column in flat_columns(TABLES[table]):
        values = stored.column(column.name)
        filled = values if column.field.null is None else values.fill_null(column.field.null)
        where: Any = (..., *column.index)
        rows[column.field.name][where] = filled.to_numpy()
    return rows


def _deal_index(file: Path) -> Rows:
    """Return pair, leg and deal of the rows of a file of deals, shape (n, 3)."""
    stored = pq.read_table(file, columns=["pair", "leg", "deal"])
    return np.column_stack([stored.column(name).to_numpy().astype(np.int64) for name in ("pair", "leg", "deal")])


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


def _row_fault(line: PartLine, table: str, rows: Rows, wanted: Rows) -> str | None:
    """Say where a table does not have exactly the rows it should have; `wanted` are their keys, shape (n, keys)."""
    listed = line[table]["rows"]
    if listed != len(rows):
        return f"has {len(rows):,} rows; its line in {PARTS} says {listed:,}"
    if len(rows) != len(wanted):
        return f"has {len(rows):,} rows where {len(wanted):,} belong"
    keys = rows if table == "deals" else np.column_stack([rows["pair"], rows["leg"]])
    wrong = np.flatnonzero((keys != wanted).any(axis=1))
    if len(wrong) == 0:
        return None
    told = [
        ", ".join(f"{name} {number}" for name, number in zip(("pair", "leg", "deal"), many[wrong[0]], strict=False))
        for many in (keys, wanted)
    ]
    return f"has {told[0]} where {told[1]} belongs"


def _side_fault(file: Path, names: tuple[str, ...]) -> str | None:
    columns = [f"strategy_{letter}" for letter in SIDE_LETTERS[: len(names)]]
    stored = pq.read_table(file, columns=columns)
    for name, column in zip(names, columns, strict=True):
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
