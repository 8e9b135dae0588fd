"""When a file or folder cannot be written, the error names it and nothing half-written is left."""

from __future__ import annotations

import errno
import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sim.batch.schema import arrow_table, by_field
from sim.batch.store import FolderInUse, RunFolder, StoreError, write_table, write_text
from sim.rows import DEAL_ROW
from tests.support.strategy_runs import files_in, manifest, plan_of, run_into

NO_SPACE = OSError(errno.ENOSPC, "No space left on device")


def _rows(count: int = 1_000) -> pa.Table:
    dice = np.random.default_rng(1)
    rows = np.frombuffer(dice.bytes(count * DEAL_ROW.itemsize), DEAL_ROW)
    return arrow_table("deals", by_field("deals", rows), ("greedy", "simple"), {"seed": "1"})


@contextmanager
def _files_of_at_most(size: int) -> Iterator[None]:
    """Let no file grow beyond so many bytes: the nearest thing to a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_table_that_does_not_fit_the_disk_leaves_nothing(tmp_path: Path) -> None:
    file = tmp_path / "part-000000.parquet"
    with _files_of_at_most(5_000), pytest.raises(StoreError, match=r"part-000000\.parquet cannot be written"):
        write_table(_rows(), file)
    assert files_in(tmp_path) == set()
    write_table(_rows(), file)
    assert files_in(tmp_path) == {file.name}


@pytest.mark.parametrize(
    "error", [NO_SPACE, pa.ArrowInvalid("broken"), MemoryError()], ids=["space", "arrow", "memory"]
)
def test_failed_write_leaves_nothing(error: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = pq.write_table

    def write_half(table: pa.Table, path: Path, **options: Any) -> None:
        whole(table.slice(0, 10), path, **options)
        raise error

    monkeypatch.setattr(pq, "write_table", write_half)
    with pytest.raises((StoreError, type(error))):
        write_table(_rows(), tmp_path / "part-000000.parquet")
    assert files_in(tmp_path) == set()


def test_file_that_reads_back_short_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = pq.write_table
    monkeypatch.setattr(pq, "write_table", lambda table, *args, **options: whole(table.slice(1), *args, **options))
    with pytest.raises(StoreError, match=r"part-000000\.parquet: wrote 1000 rows but reads back 999"):
        write_table(_rows(), tmp_path / "part-000000.parquet")
    assert files_in(tmp_path) == set()


def test_failed_write_keeps_the_file_that_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "manifest.json"
    write_text(file, "old")

    def no_sync(handle: int) -> None:
        raise NO_SPACE

    monkeypatch.setattr(os, "fsync", no_sync)
    with pytest.raises(OSError, match="No space left"):
        write_text(file, "new")
    assert file.read_text(encoding="utf-8") == "old"
    assert files_in(tmp_path) == {"manifest.json"}


def test_folder_that_is_not_empty_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear", encoding="utf-8")
    with pytest.raises(FolderInUse, match="is there already") as caught:
        run_into(tmp_path, plan_of("greedy", "simple", pairs=1))
    assert str(tmp_path) in str(caught.value)
    assert files_in(tmp_path) == {"letter.txt"}


def test_empty_folder_and_missing_parents_are_welcome(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for folder in (tmp_path / "empty", tmp_path / "a" / "b" / "c"):
        run_into(folder, plan_of("greedy", "simple", pairs=1))
        assert manifest(folder)["status"] == "complete"


@pytest.mark.parametrize(
    ("where", "error", "reason"),
    [("file", FolderInUse, "is there already"), ("file/below", StoreError, "cannot be written")],
)
def test_file_in_the_way_of_a_folder_is_named(where: str, error: type[Exception], reason: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("here first", encoding="utf-8")
    with pytest.raises(error, match=reason) as caught:
        run_into(tmp_path / where, plan_of("greedy", "simple", pairs=1))
    assert str(tmp_path / where) in str(caught.value)
    assert (tmp_path / "file").read_text(encoding="utf-8") == "here first"


def test_folder_that_may_not_be_written_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*_args: object, **_options: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "mkdir", forbidden)
    with pytest.raises(StoreError, match="Permission denied") as caught:
        RunFolder.create(tmp_path / "run", plan_of("greedy", "simple", pairs=1), {})
    assert str(tmp_path / "run") in str(caught.value)


def test_run_on_a_full_disk_is_marked_failed_and_lists_no_part(tmp_path: Path) -> None:
    plan = plan_of("greedy", "simple", pairs=300)
    with _files_of_at_most(6_000), pytest.raises(StoreError, match=r"part-000000\.parquet cannot be written"):
        run_into(tmp_path / "run", plan)
    assert manifest(tmp_path / "run")["status"] == "failed"
    assert (tmp_path / "run" / "parts.jsonl").read_text(encoding="utf-8") == ""
    assert not [name for name in files_in(tmp_path / "run") if "parquet" in name or ".tmp" in name]
