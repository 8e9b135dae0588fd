"""The run folder: parts written atomically, a line for each finished one, and a manifest.

    spec.toml  manifest.json  parts.jsonl  strategies/<sha>/  matches/part-000000.parquet  deals/part-000000.parquet

A part file is written under a temporary name, re-opened and counted, synced and renamed; then its line is appended
to parts.jsonl and synced. A file without a line does not count.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import tomli_w

from sim.batch.lines import PARTS
from sim.batch.lock import RunLock
from sim.batch.mirror import NOTE, Mirror
from sim.batch.part_lines import (
    MERGED,
    PartLine,
    append_line,
    drop_torn_line,
    files_of,
    is_among,
    is_in_place,
    pieces,
    read_lines,
)
from sim.batch.plan import Plan
from sim.batch.provenance import now
from sim.batch.schema import SCHEMA_VERSION
from sim.batch.sessions import clear_sessions
from sim.batch.spec import SOURCES, SPEC, spec_document, write_sources

MANIFEST, SUMMARY, LOG = "manifest.json", "summary.json", "run.log"
ROW_GROUP = 1 << 20
"""Rows of a row group at most; the match rows of 32 parts."""
_PACKED = re.compile(
    r"deals_played|(deals_won|deal_points|knocks)_[abc]|column\d_(points|boxes|opened)_[abc]|column\d_closed|settlement"
)
"""Columns of numbers that are written as packed differences, and not compressed: that takes long and saves little."""
_DELTA = re.compile(r"pair|first_dealer|dealer|ending|scorer|knocker|(gins|undercuts)_[abc]|walls|\w+_winner")
"""Columns that are written as packed differences and compressed: those in order, and those of few values, for which a
dictionary takes twice as long."""


class StoreError(RuntimeError):
    """A run folder that cannot be written; the message names the file or folder and what is wrong."""


class FolderInUse(ValueError):
    """A folder that holds something already and so cannot become a run folder."""


def part_file(table: str, number: int) -> str:
    """Return the path of a part's file inside its run folder."""
    return f"{table}/part-{number:06d}.parquet"


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a temporary name beside a file; what is written there replaces the file at the end, or nothing is left."""
    temporary = path.with_name(f".{path.name}.tmp")
    try:
        yield temporary
        with temporary.open("rb+") as handle:
            os.fsync(handle.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def write_text(path: Path, text: str) -> None:
    """Write a small file atomically; an OSError names it."""
    try:
        with replacing(path) as temporary:
            temporary.write_text(text, encoding="utf-8")
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error


def write_table(table: pa.Table, path: Path) -> tuple[str, int]:
    """Write a Parquet file atomically and return its sha256 (hex) and size; `StoreError` if it cannot be written."""
    try:
        path.parent.mkdir(exist_ok=True)  # a run fetched to go on with it comes without its rows
        with replacing(path) as temporary:
            _write_parquet(table, temporary)
            rows = pq.read_metadata(temporary).num_rows
            if rows != table.num_rows:
                raise StoreError(f"{path}: wrote {table.num_rows} rows but reads back {rows}")
            content = temporary.read_bytes()
            return hashlib.sha256(content).hexdigest(), len(content)
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error.strerror or error}") from error


def _write_parquet(table: pa.Table, path: Path) -> None:
    pq.write_table(table, path, row_group_size=ROW_GROUP, **parquet_options(table.column_names))


def parquet_options(columns: Sequence[str]) -> dict[str, Any]:
    """Return how the columns of a result file are written, as options of `pyarrow.parquet.ParquetWriter`."""
    packed = [name for name in columns if _PACKED.fullmatch(name)]
    delta = [name for name in columns if name in packed or _DELTA.fullmatch(name)]
    return {
        "write_statistics": ["pair"],  # all that readers skip by
        "compression": {name: "none" if name in packed else "lz4" for name in columns},
        "use_dictionary": [name for name in columns if name not in delta],
        "column_encoding": dict.fromkeys(delta, "DELTA_BINARY_PACKED"),
    }


def write_lines(path: Path, lines: Iterable[PartLine]) -> None:
    """Write parts.jsonl anew, in one go, and have it on disk, its name too, before returning; an OSError names it."""
    write_text(path / PARTS, "".join(json.dumps(line) + "\n" for line in lines))
    folder = os.open(path, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def add_to_log(path: Path, text: str) -> None:
    """Add a line to run.log. A log that cannot be written stops nothing."""
    with suppress(OSError), (path / LOG).open("a", encoding="utf-8") as handle:
        handle.write(f"{now()} {text}\n")


class RunFolder:
    """A run folder being written by this process, and by no other. Safe to use from several threads.

    `finished` holds the lines of the parts that were in place when it was opened, by number.
    """

    def __init__(self, path: Path, manifest: Mapping[str, Any], lock: RunLock) -> None:
        self.path = path
        self.finished: dict[int, PartLine] = {}
        self._manifest = dict(manifest)
        self._run_lock = lock
        self._lock = threading.Lock()
        self._opened = time.monotonic()
        self._mirror = Mirror.of(path)
        self._remote_sizes: dict[str, int] | None = None

    def has(self, line: PartLine) -> bool:
        """Tell whether the files of a part are in place: here, or of a run that is mirrored there, where it is kept."""
        if self._mirror is None:
            return is_in_place(self.path, line)
        if self._remote_sizes is None:
            self._remote_sizes = self._mirror.sizes()
        return is_among(self._remote_sizes, line)

    def mirror(self, file: Path) -> None:
        """Copy a file of the folder to where the run is mirrored, if it is."""
        if self._mirror is not None:
            self._mirror.put(file.relative_to(self.path).as_posix())

    @classmethod
    def create(cls, path: Path, plan: Plan, manifest: Mapping[str, Any]) -> RunFolder:
        """Make a new run folder; raises `FolderInUse` if something is there, `StoreError` if it cannot be made."""
        try:
            if path.exists() and (not path.is_dir() or any(file.name != NOTE for file in path.iterdir())):
                raise FolderInUse(f'"{path}" is there already: name a new folder for the run')
            path.mkdir(parents=True, exist_ok=True)
            folder = cls(path, {"schema_version": SCHEMA_VERSION, **manifest}, RunLock(path))
            for table in plan.tables:
                (path / table).mkdir()
            write_sources(path, plan)
            for file in sorted((path / SOURCES).rglob("*.py")):
                folder.mirror(file)
            folder.write_spec(plan)
            (path / PARTS).touch()
            folder.set_status("running")
        except OSError as error:
            raise StoreError(f"{path} cannot be written: {error.strerror or error}") from error
        return folder

    @classmethod
    def reopen(cls, path: Path) -> RunFolder:
        """Open the folder of a run that ended or died, to go on with it.

        Raises `sim.batch.lock.RunInUse` when another process writes it, `StoreError` when it cannot be written or its
        manifest cannot be read, `sim.batch.part_lines.LinesError`.
        """
        manifest = read_manifest(path)
        try:
            lock = RunLock(path)
            try:
                folder = cls(path, manifest, lock)
                folder._take_stock()
            except BaseException:
                lock.release()
                raise
        except OSError as error:
            raise StoreError(f"{path} cannot be written: {error.strerror or error}") from error
        return folder

    def _take_stock(self) -> None:
        """Find out which parts are in place, and say in the log what is not.

        A line that stands for several parts goes if its files are gone: the lines of these would be beside it.
        """
        if self._run_lock.is_held:  # else the session of another process may still go on
            clear_sessions(self.path)
        torn = drop_torn_line(self.path)
        lines = read_lines(self.path)
        if not (self.path / PARTS).is_file():  # a copy of a run kept elsewhere
            write_lines(self.path, lines)
        kept = [line for line in lines if self.has(line)]
        self.finished = {piece["part"]: piece for line in kept for piece in pieces(line)}
        missing = [piece["part"] for line in lines for piece in pieces(line) if piece["part"] not in self.finished]
        stands_for_missing = [line for line in lines if MERGED in line and line["part"] in missing]
        if stands_for_missing:
            write_lines(self.path, [line for line in lines if line not in stands_for_missing])
        self.log(f"opened again: {len(self.finished)} parts are in place")
        if missing:
            self.log(f"missing, or not as they were written: parts {missing[:20]}")
        if torn:
            self.log("the last line of parts.jsonl was not whole and is gone")

    @property
    def manifest(self) -> Mapping[str, Any]:
        """What the manifest says."""
        return self._manifest

    def seconds(self) -> float:
        """Return how long the run was being played, before it was opened again too."""
        return float(self._manifest.get("seconds_before", 0.0)) + time.monotonic() - self._opened

    def write_spec(self, plan: Plan) -> None:
        """Write spec.toml, anew when a run is extended."""
        write_text(self.path / SPEC, tomli_w.dumps(spec_document(plan)))
        self.mirror(self.path / SPEC)

    def set_status(self, status: str, **facts: object) -> None:
        """Write the manifest with a new status: running, interrupted, complete, stopped or failed."""
        self._manifest.update(facts, status=status)
        write_text(self.path / MANIFEST, json.dumps(self._manifest, indent=1) + "\n")
        self.log(status)
        for file in (self.path / MANIFEST, self.path / LOG, self.path / SUMMARY):
            if file.is_file():
                self.mirror(file)

    def conclude(self, document: Mapping[str, Any], status: str, **facts: object) -> None:
        """Write what the run came to, then close it."""
        write_text(self.path / SUMMARY, json.dumps(document, indent=1) + "\n")
        self.close(status, **facts)

    def close(self, status: str, **facts: object) -> None:
        """Set the last status, add up the time, and let others write."""
        try:
            self.set_status(status, **facts, finished=now(), seconds_before=round(self.seconds(), 3))
        finally:
            self.release()

    def release(self) -> None:
        """Let others write."""
        self._run_lock.release()

    def add_part(self, line: PartLine) -> None:
        """Append the line of a part whose files are in place."""
        for entry in files_of(line).values():
            self.mirror(self.path / entry["file"])
        if self._mirror is not None:
            self._mirror.put_line(line)
        with self._lock:
            append_line(self.path, line)

    def log(self, text: str) -> None:
        """Add a line to run.log. A log that cannot be written stops nothing."""
        add_to_log(self.path, text)


def read_manifest(path: Path) -> dict[str, Any]:
    """Return the manifest of a run folder; `StoreError` when there is none or it is not whole."""
    file = path / MANIFEST
    try:
        manifest = json.loads(file.read_text(encoding="utf-8"))
        if not isinstance(manifest["schema_version"], int):
            raise TypeError("schema_version is no number")
    except FileNotFoundError:
        raise StoreError(f"{file}: missing, so this is not a run folder") from None
    except (OSError, ValueError, LookupError, TypeError) as error:
        told = "put back a copy of it, or play the run again into a new folder"
        raise StoreError(f"{file}: not a manifest ({error}); {told}") from error
    if manifest["schema_version"] != SCHEMA_VERSION:
        kind = "newer" if manifest["schema_version"] > SCHEMA_VERSION else "older"
        told = f"schema version {manifest['schema_version']} is {kind} than this program writes ({SCHEMA_VERSION})"
        raise StoreError(f"{file}: {told}")
    return dict(manifest)
