"""The folder of a session goes when the session does, whatever workers still do in it."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from uuid import uuid4

import pytest

from experiments.resume import plan_to_resume, resume
from sim.batch import sessions
from sim.batch.runner import Watch
from sim.batch.sessions import clear_sessions, session
from tests.cluster.machines import plan_of
from tests.support.strategy_runs import run_into

PATIENCE_SECONDS = 20.0


def stage_files(folder: Path, begun: Event) -> int:
    """Do what a worker does, again and again, until the session is over; return how often it was done."""
    times, until = 0, time.monotonic() + PATIENCE_SECONDS
    try:
        while time.monotonic() < until:
            staging = folder / uuid4().hex
            staging.mkdir()
            (staging / "matches").mkdir()
            (staging / "matches" / "part-000000.parquet").write_bytes(b"PAR1")
            times += 1
            if times == 20:
                begun.set()
    except FileNotFoundError:
        return times
    raise AssertionError("the session was never over")


def test_workers_that_still_write_do_not_keep_the_folder(tmp_path: Path) -> None:
    for _ in range(10):
        begun = [Event(), Event()]
        with ThreadPoolExecutor(2) as pool:
            with session(tmp_path) as path:
                at_work = [pool.submit(stage_files, path, event) for event in begun]
                assert all(event.wait(PATIENCE_SECONDS) for event in begun)
            assert not list(tmp_path.iterdir())
            assert all(future.result() >= 20 for future in at_work)


def test_session_ends_where_its_run_is_gone(tmp_path: Path) -> None:
    with session(tmp_path) as path:
        path.rmdir()
    assert not list(tmp_path.iterdir())


def test_folder_that_cannot_be_removed_ends_nothing_and_goes_with_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr("sim.batch.sessions.shutil.rmtree", lambda *_, **__: None)
        patched.setattr(sessions, "WAIT_SECONDS", 0)
        with session(tmp_path) as path:
            pass
    assert not path.exists()
    assert [left.name for left in tmp_path.iterdir()] == [f"{path.name}-over"]
    clear_sessions(tmp_path)
    assert not list(tmp_path.iterdir())


def test_session_whose_client_died_goes_when_threads_go_on(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    run_into(folder, plan_of("greedy", "simple", pairs=3))
    for name in (".cluster-1234abcd", ".cluster-5678abcd-over"):
        (folder / name / "0f" / "matches").mkdir(parents=True)
        (folder / name / "0f" / "matches" / ".part-000000.parquet.tmp").write_bytes(b"PAR1")
    resume(folder, plan_to_resume(folder), (1, Watch()))
    assert not list(folder.glob(".*"))
