"""The folder of a session goes when the session does, whatever workers still do in it."""

from __future__ import annotations

import errno
import fcntl
import shutil
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
from sim.batch.store import RunFolder
from tests.cluster.machines import plan_of
from tests.support.strategy_runs import run_into

PATIENCE_SECONDS = 20.0


def raise_no_locks(*_: object) -> None:
    raise OSError(errno.ENOLCK, "no locks here")


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


def test_file_that_is_made_while_the_folder_is_removed_goes_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    remove, late = shutil.rmtree, ["one", "another"]

    def removed_too_early(path: Path, ignore_errors: bool) -> None:
        if late:
            (path / late.pop()).write_bytes(b"PAR1")
        else:
            remove(path, ignore_errors=ignore_errors)

    monkeypatch.setattr("sim.batch.sessions.shutil.rmtree", removed_too_early)
    with session(tmp_path):
        pass
    assert not late
    assert not list(tmp_path.iterdir())


def test_what_is_no_folder_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / ".cluster-file").write_text("x", encoding="utf-8")
    (tmp_path / ".cluster-link").symlink_to(tmp_path / "elsewhere")
    before = sorted(tmp_path.iterdir())
    clear_sessions(tmp_path)
    assert sorted(tmp_path.iterdir()) == before


def test_session_may_go_on_where_there_are_no_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "run"
    run_into(folder, plan_of("greedy", "simple", pairs=3))
    (folder / ".cluster-1234abcd").mkdir()
    monkeypatch.setattr(fcntl, "flock", raise_no_locks)
    RunFolder.reopen(folder).release()
    assert (folder / ".cluster-1234abcd").is_dir()


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
