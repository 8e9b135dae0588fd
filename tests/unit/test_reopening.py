"""A run folder is opened by one process at a time, given back when it cannot be read, and believed no empty line."""

from __future__ import annotations

import fcntl
import json
import threading
from pathlib import Path
from typing import Any

import pytest

from sim.batch.lock import LOCK, RunInUse, RunLock, is_locked
from sim.batch.mirror import NOTE, RemoteError
from sim.batch.part_lines import LinesError, is_among, is_in_place
from sim.batch.store import RunFolder
from tests.support.strategy_runs import part_lines, plan_of, run_into


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Return a run of one part."""
    run_into(tmp_path / "run", plan_of("greedy", "simple", pairs=2))
    return tmp_path / "run"


def test_run_whose_lines_cannot_be_read_is_free_again(run: Path) -> None:
    (run / "parts.jsonl").write_text("no line\n", encoding="utf-8")
    for _ in range(2):
        with pytest.raises(LinesError, match=r"parts\.jsonl:1: not the line of a part"):
            RunFolder.reopen(run)
    assert not is_locked(run)


def test_run_whose_mirror_cannot_be_reached_is_free_again(run: Path) -> None:
    (run / NOTE).write_text('{"url": "nothing-like-it://bucket/run"}', encoding="utf-8")
    with pytest.raises(RemoteError):
        RunFolder.reopen(run)
    assert not is_locked(run)


def test_who_only_asks_for_an_instant_is_no_writer(tmp_path: Path) -> None:
    with (tmp_path / LOCK).open("w", encoding="utf-8") as asking:
        fcntl.flock(asking, fcntl.LOCK_SH)
        threading.Timer(0.02, fcntl.flock, (asking, fcntl.LOCK_UN)).start()
        lock = RunLock(tmp_path)
        assert lock.is_held
        with pytest.raises(RunInUse):
            RunLock(tmp_path)
        lock.release()


@pytest.mark.parametrize(
    ("change", "in_place"),
    [
        ({}, True),
        ({"matches": None}, False),
        ({"matches": {"rows": 4}}, False),
        ({"deals": {"file": "deals/part-000009.parquet", "bytes": 1}}, False),
    ],
)
def test_line_is_in_place_if_its_files_are(change: dict[str, Any], in_place: bool, run: Path) -> None:
    assert is_in_place(run, {**part_lines(run)[0], **change}) is in_place


def test_line_that_names_no_file_of_matches_is_not_in_place_here_or_at_a_mirror(run: Path) -> None:
    (line,) = part_lines(run)
    deals = {name: value for name, value in line.items() if name != "matches"}
    assert not is_in_place(run, deals)
    nothing = {name: value for name, value in deals.items() if name != "deals"}
    assert not is_in_place(run, nothing)
    assert not is_among({}, nothing)


def test_part_whose_line_names_no_file_is_played_again(run: Path) -> None:
    (line,) = part_lines(run)
    (run / "parts.jsonl").write_text(json.dumps({**line, "matches": None}) + "\n", encoding="utf-8")
    folder = RunFolder.reopen(run)
    folder.release()
    assert folder.finished == {}
