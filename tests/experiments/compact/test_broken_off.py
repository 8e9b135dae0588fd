"""What cannot be compacted is left as it is, and a compaction that is broken off leaves a run that can be read."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from analysis import load_run
from experiments.compact import CannotCompact, compact
from sim.batch import merge
from sim.batch import plan as plans
from sim.batch.lock import RunInUse, RunLock
from sim.batch.mirror import note_mirror
from sim.batch.store import StoreError
from tests.support.compacted_runs import (
    MERGED,
    assert_same_rows,
    parquet_files,
)
from tests.support.strategy_runs import files_in, manifest, plan_of, run_into

# --- what is refused


def test_only_a_run_that_has_ended_is_compacted(run: Path) -> None:
    for status in ("running", "interrupted", "failed"):
        (run / "manifest.json").write_text(json.dumps({**manifest(run), "status": status}), encoding="utf-8")
        with pytest.raises(
            CannotCompact, match=f"is {status}, and only .* finish it first with: hollywood runs resume"
        ):
            compact(run)
    assert len(parquet_files(run)) == 28


def test_run_that_is_being_written_or_is_elsewhere_is_left_alone(run: Path) -> None:
    lock = RunLock(run)
    with pytest.raises(RunInUse):
        compact(run)
    lock.release()
    note_mirror(run, "s3://bucket/run")
    with pytest.raises(CannotCompact, match="s3://bucket/run: only a run in a folder of this machine"):
        compact(run)


def test_damaged_file_is_not_made_one_that_looks_sound(run: Path) -> None:
    file = run / "deals/part-000002.parquet"
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)
    before = (run / "parts.jsonl").read_bytes()
    with pytest.raises(StoreError, match=r"part-000002\.parquet: is not as it was written"):
        compact(run)
    assert (run / "parts.jsonl").read_bytes() == before
    assert set(MERGED) - set(files_in(run)) >= {"deals/parts-000000-000006.parquet"}


def test_rows_that_read_back_otherwise_are_not_kept(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = merge._write

    def write_less(file: Path, tables: Iterator[pa.Table], line: dict[str, Any]) -> None:
        write(file, (table.slice(0, table.num_rows - 1) for table in tables), line)

    monkeypatch.setattr(merge, "_write", write_less)
    with pytest.raises(StoreError, match="reads back other rows than were written"):
        compact(run)
    assert len(parquet_files(run)) == 28


def test_disk_that_cannot_hold_both_is_told_before_anything_is_written(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = shutil._ntuple_diskusage(10**9, 10**9, 1_000)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: full)
    with pytest.raises(CannotCompact, match="and the disk has 1,000 free"):
        compact(run)
    assert len(parquet_files(run)) == 28


# --- broken off


class Killed(BaseException):
    """The process is gone: nothing is done any more, not even tidied up."""


class Reaper:
    """Counts what is done to the disk, and from the `last` on lets nothing more be done."""

    def __init__(self, last: int, patch: pytest.MonkeyPatch) -> None:
        self.done, self._last = 0, last
        for owner, name in ((os, "fsync"), (Path, "replace"), (Path, "unlink")):
            patch.setattr(owner, name, self._counted(getattr(owner, name)))

    def _counted(self, do: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*arguments: Any, **options: Any) -> Any:
            self.done += 1
            if self.done > self._last:
                raise Killed
            return do(*arguments, **options)

        return counted


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a run of one pairing in two whole parts and a short one."""
    run = tmp_path_factory.mktemp("short") / "run"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plans, "PART_PAIRS", 2)
        run_into(run, plan_of("greedy", "simple", pairs=5))
    return run


def test_compaction_that_is_killed_at_any_step_leaves_a_run_that_is_read_and_compacted(
    short: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plans, "PART_PAIRS", 2)
    clean = Path(shutil.copytree(short, tmp_path / "clean"))
    compact(clean)
    for step in range(1_000):
        run = Path(shutil.copytree(short, tmp_path / f"run{step}"))
        with pytest.MonkeyPatch.context() as patch:
            reaper = Reaper(step, patch)
            try:
                compact(run)
            except Killed:
                pass
            else:
                break
        assert reaper.done > step
        assert_same_rows(run, short)
        assert len(load_run(run).query("SELECT pair, leg FROM matches GROUP BY ALL HAVING count(*) = 1")) == 10
        compact(run)
        assert parquet_files(run) == parquet_files(clean)
        assert all((run / name).read_bytes() == (clean / name).read_bytes() for name in parquet_files(clean))
    assert step == 2 * 2 + 3 + 4  # two files, parts.jsonl and its folder, four old files
