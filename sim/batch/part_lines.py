"""parts.jsonl: a line for each finished part, only ever appended to while a run is played.

Once a run has ended, the files of parts may be merged (`sim.batch.merge`): then one line stands for several parts and
keeps of each what its own line said but for its files.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from sim.batch.lines import PARTS, line_texts
from sim.batch.schema import SIDE_LETTERS, TABLES

MERGED = "merged"
"""Key of a line that stands for several parts: what there is to say of each."""
PartLine = dict[str, Any]
"""What is recorded of a part: number, sides, first pair, pairs, tally, and for each table its file, rows and hash."""


MOST_BYTES = 2**31 - 1
"""As much as Arrow reads at once."""


class LinesError(RuntimeError):
    """A parts.jsonl with a line that is none; the message names file, line and what may be done."""


def read_lines(path: Path) -> list[PartLine]:
    """Return the lines of a run folder by part number; of a part written again the last one counts.

    Raises `LinesError`.
    """
    found: dict[int, PartLine] = {}
    for where, text in line_texts(path):
        try:
            line = json.loads(text)
            line["first_pair"] + line["pairs"] + 0
            for piece in pieces(line):
                piece["first_pair"] + piece["pairs"] + piece["part"] + 0
            found[int(line["part"])] = line
        except (ValueError, LookupError, TypeError):
            raise LinesError(f"{where}: not the line of a part; delete it, then resume the run") from None
    return [found[number] for number in sorted(found)]


class Extent(NamedTuple):
    """The pairs that a line says were played, of its pairing."""

    first_pair: int
    pairs: int


def extents(path: Path) -> list[Extent]:
    """Return what the lines of `read_lines` say was played, in a fifth of the time.

    Raises `LinesError`, though not of everything that `read_lines` does: what parts were merged is not looked at.
    """
    import pyarrow as pa
    from pyarrow import json as arrow_json

    texts = [text for _, text in line_texts(path)]
    if not texts:
        return []
    schema = pa.schema([(name, pa.int64()) for name in ("part", *Extent._fields)])
    parsing = arrow_json.ParseOptions(explicit_schema=schema, unexpected_field_behavior="ignore")
    block = min(max(1 << 20, 2 * max(map(len, texts))), MOST_BYTES)  # a line must fit into it
    reading = arrow_json.ReadOptions(block_size=block)
    try:
        found = arrow_json.read_json(pa.BufferReader("\n".join(texts).encode()), reading, parsing).to_pydict()
    except pa.ArrowInvalid:
        found = {"part": []}
    if len(found["part"]) != len(texts) or any(None in values for values in found.values()):
        return [Extent(line["first_pair"], line["pairs"]) for line in read_lines(path)]  # which says what is wrong
    by_part = dict(zip(found["part"], map(Extent, found["first_pair"], found["pairs"]), strict=True))
    return [by_part[part] for part in sorted(by_part)]


def append_line(path: Path, line: Mapping[str, Any]) -> None:
    """Append the line of a part whose files are in place, and have it on disk before returning.

    A line that cannot be written whole, as on a full disk, leaves nothing: the next one would be joined to its rest.
    """
    left = memoryview((json.dumps(line) + "\n").encode())
    file = os.open(path / PARTS, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    try:
        end = os.fstat(file).st_size
        try:
            while left:
                left = left[os.write(file, left) :]
            os.fsync(file)
        except OSError as error:
            os.ftruncate(file, end)
            raise OSError(error.errno, error.strerror, str(path / PARTS)) from error
    finally:
        os.close(file)


def drop_torn_line(path: Path) -> bool:
    """Cut off what follows the last line end, left by a run that died while it wrote; tell whether there was any."""
    file = path / PARTS
    content = file.read_bytes() if file.is_file() else b""
    whole = content.rfind(b"\n") + 1
    if whole == len(content):
        return False
    with file.open("rb+") as handle:
        handle.truncate(whole)
        os.fsync(handle.fileno())
    return True


def pieces(line: PartLine) -> list[PartLine]:
    """Return the parts that a line stands for, in order: itself, or those whose files were merged.

    One of several has the number, sides, pairs and sums that its own line had, but no files.
    """
    if MERGED not in line:
        return [line]
    sides: PartLine = {side: line[side] for side in SIDE_LETTERS if side in line}
    return [{**sides, **piece} for piece in line[MERGED]]


def files_of(line: PartLine) -> dict[str, PartLine]:
    """Return what a line says of each of its files, by table."""
    return {table: line[table] for table in TABLES if table in line}


def is_in_place(path: Path, line: PartLine) -> bool:
    """Tell whether every file of a line is there with the size it was written with; what is in it is not looked at.

    A line that names no file of matches is of nothing that could be in place.
    """
    return _is_there(line, lambda name: (path / name).stat().st_size)


def is_among(sizes: Mapping[str, int], line: PartLine) -> bool:
    """Tell as `is_in_place` whether every file of a line is among these, sizes by name."""
    return _is_there(line, sizes.__getitem__)


def _is_there(line: PartLine, size_of: Callable[[str], int]) -> bool:
    files = files_of(line)
    try:
        sizes = [(size_of(entry["file"]), entry) for entry in files.values()]
        return bool(files.keys() - {"deals"}) and all(size == entry.get("bytes", size) for size, entry in sizes)
    except (OSError, LookupError, TypeError, AttributeError):  # the last three: a line that is not whole
        return False
