"""The run folder: parts written atomically, a line for each finished one, and a manifest.

    spec.toml  manifest.json  parts.jsonl  strategies/<sha>/  matches/part-000000.parquet  deals/part-000000.parquet

A part file is written under a temporary name, re-opened and counted, synced and renamed; then its line is appended
to parts.jsonl and synced. A file without a line does not count.
"""

from __future__ import annotations

import hashlib
import json
import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import tomli_w

from sim.batch.plan import Plan
from sim.batch.schema import SCHEMA_VERSION
from sim.batch.spec import SPEC, spec_document, write_sources

MANIFEST, PARTS = "manifest.json", "parts.jsonl"
ROW_GROUP = 1_000_000
_DELTA = {"pair": "DELTA_BINARY_PACKED", "deal": "DELTA_BINARY_PACKED"}


class StoreError(RuntimeError):
    """A run folder that cannot be written; the message names the file or folder and what is wrong."""


class FolderInUse(ValueError):
    """A folder that holds something already and so cannot become a run folder."""


def part_file(table: str, number: int) -> str:
    """Return the path of a part's file inside its run folder."""
    return f"{table}/part-{number:06d}.parquet"


@contextmanager
def _replacing(path: Path) -> Iterator[Path]:
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
    """Write a small file atomically."""
    with _replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def write_table(table: pa.Table, path: Path) -> str:
    """Write a Parquet file atomically and return its sha256, in hex; `StoreError` if it cannot be written."""
    try:
        with _replacing(path) as temporary:
            _write_parquet(table, temporary)
            rows = pq.read_metadata(temporary).num_rows
            if rows != table.num_rows:
                raise StoreError(f"{path}: wrote {table.num_rows} rows but reads back {rows}")
            return hashlib.sha256(temporary.read_bytes()).hexdigest()
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error.strerror or error}") from error


def _write_parquet(table: pa.Table, path: Path) -> None:
    pq.write_table(
        table,
        path,
        row_group_size=ROW_GROUP,
        write_statistics=["pair"],  # all that readers skip by
        compression="zstd",
        compression_level=1,
        use_dictionary=[name for name in table.column_names if name not in _DELTA],
        column_encoding={name: how for name, how in _DELTA.items() if name in table.column_names},
    )


class RunFolder:
    """A run folder being written by this process. Safe to use from several threads."""

    def __init__(self, path: Path, manifest: dict[str, Any]) -> None:
        self.path = path
        self._manifest = manifest
        self._lock = threading.Lock()

    @classmethod
    def create(cls, path: Path, plan: Plan, manifest: Mapping[str, Any]) -> RunFolder:
        """Make a new run folder; raises `FolderInUse` if something is there, `StoreError` if it cannot be made."""
        try:
            if path.exists() and (not path.is_dir() or any(path.iterdir())):
                raise FolderInUse(f'"{path}" is there already: name a new folder for the run')
            path.mkdir(parents=True, exist_ok=True)
            for table in plan.tables:
                (path / table).mkdir()
            write_sources(path, plan)
            write_text(path / SPEC, tomli_w.dumps(spec_document(plan)))
            (path / PARTS).touch()
            folder = cls(path, {"schema_version": SCHEMA_VERSION, **manifest})
            folder.set_status("running")
        except OSError as error:
            raise StoreError(f"{path} cannot be written: {error.strerror or error}") from error
        return folder

    def set_status(self, status: str, **facts: object) -> None:
        """Write the manifest with a new status: running, interrupted, complete, stopped or failed."""
        self._manifest.update(facts, status=status)
        write_text(self.path / MANIFEST, json.dumps(self._manifest, indent=1) + "\n")

    def add_part(self, line: Mapping[str, Any]) -> None:
        """Append the line of a part whose files are in place."""
        with self._lock, (self.path / PARTS).open("a", encoding="utf-8") as handle:
            handle.write(json.dumps(line) + "\n")
            handle.flush()
            os.fsync(handle.fileno())
