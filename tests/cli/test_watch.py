"""`hollywood runs watch`: a run followed from outside, which it does not disturb, and how it ended."""

from __future__ import annotations

import json
import os
import platform
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from pathlib import Path

import pytest

from cli.texts.watch import standing_line
from experiments.progress_file import Standing, estimate_of
from experiments.simulate import simulate
from experiments.watching import Watched
from sim.batch.lock import RunLock
from sim.batch.plan import Plan
from sim.batch.runner import Stopped, Watch
from sim.batch.status import DIED, RUNNING
from sim.batch.store import StoreError
from sim.batch.tally import add
from tests.cli.conftest import Hollywood
from tests.support.strategy_cli import PATIENCE_SECONDS, START, finish, start
from tests.support.strategy_runs import manifest, part_lines, plan_of, run_into

PAIRS = 40_000
OFTEN = "import experiments.progress_file as told; told.WRITE_SECONDS = 0.1; "
"""Has a process write progress.json ten times a second: it does not play for long."""
PLAYING = ["simulate", "greedy", "simple", "--seed", "1", "--threads", "1", "--out", "run"]


def _plan(pairs: int = 50) -> Plan:
    return plan_of("greedy", "simple", pairs=pairs, detail="matches", seed=1)


def _wait_for(file: Path, process: subprocess.Popen[str]) -> None:
    """Wait until a process has written something into a file."""
    for _ in range(1_200):
        if file.is_file() and file.stat().st_size:
            return
        assert process.poll() is None, process.communicate()
        time.sleep(0.025)
    process.kill()
    pytest.fail(f"no {file.name} within 30 seconds")


def _state_of(path: Path) -> dict[str, tuple[int, bytes]]:
    """Return every file of a folder with the time it was written at and what is in it."""
    return {str(file): (file.stat().st_mtime_ns, file.read_bytes()) for file in path.rglob("*") if file.is_file()}


def _estimate_text(line: str) -> str:
    found = re.search(r"A \d+\.\d% ±\d+\.\d", line)
    return found.group() if found else ""


# --- a running run


def test_watching_agrees_with_the_run_and_does_not_change_what_it_comes_to(
    hollywood: Hollywood, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.support.strategy_cli.START", OFTEN + START)
    process = start([*PLAYING, "--pairs", str(PAIRS)], tmp_path)
    _wait_for(tmp_path / "run" / "progress.json", process)
    said = hollywood("runs", "watch", "run", "--every", "0.1")
    ended = finish(process)
    assert (ended.code, said.code, said.err) == (0, 0, "")
    *lines, told, following = said.out.splitlines()
    assert (told, following) == (f"complete: {PAIRS:,} pairs.", "  next   hollywood report run")
    seen = [re.match(r"  \d+%  ([\d,]+) of 40,000 pairs", line) for line in lines]
    pairs = [int(match.group(1).replace(",", "")) for match in seen if match]
    assert len(pairs) == len(lines) > 1
    assert pairs == sorted(pairs)
    parts = part_lines(tmp_path / "run")
    sums = accumulate((part["tally"] for part in parts), add)
    stages = {_estimate_text(standing_line(Standing(1, 1, estimate=estimate_of(so_far, PAIRS)))) for so_far in sums}
    shown = {_estimate_text(line) for line in lines} - {""}
    assert shown
    assert shown <= stages
    run_into(tmp_path / "alone", _plan(PAIRS))
    unwatched = [part["matches"] for part in part_lines(tmp_path / "alone")]
    assert [part["matches"] for part in parts] == unwatched
    assert manifest(tmp_path / "run")["status"] == "complete"


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[subprocess.Popen[str], Path]]:
    """Give a process that has played a part or more, and the folder it works in; it is killed at the end."""
    folder = tmp_path_factory.mktemp("killed")
    process = start([*PLAYING, "--pairs", "400000"], folder)
    _wait_for(folder / "run" / "parts.jsonl", process)
    yield process, folder
    process.kill()
    process.communicate()


def test_control_c_ends_the_watching_and_not_the_run(
    killed: tuple[subprocess.Popen[str], Path], hollywood: Hollywood, monkeypatch: pytest.MonkeyPatch
) -> None:
    process, folder = killed

    def interrupted(_seconds: float) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("cli.watch.time.sleep", interrupted)
        said = hollywood("runs", "watch", str(folder / "run"))
    assert said.code == 130
    assert "of 400,000 pairs" in said.out
    assert process.poll() is None
    assert hollywood("runs", "watch", str(folder / "run"), "--once").code == 0


def test_process_that_died_is_told_with_the_command_that_goes_on(
    killed: tuple[subprocess.Popen[str], Path], hollywood: Hollywood
) -> None:
    process, folder = killed
    process.send_signal(signal.SIGKILL)
    process.wait(timeout=PATIENCE_SECONDS)
    before = _state_of(folder)
    said = hollywood("runs", "watch", str(folder / "run"))
    assert said.code == 1
    kept = sum(part["pairs"] for part in part_lines(folder / "run"))
    text = " ".join(said.out.split())
    assert f"died: its process is gone; {kept:,} of 400,000 pairs are kept." in text
    assert f"go on with: hollywood runs resume {folder / 'run'}" in text
    assert _state_of(folder) == before


def test_run_that_nobody_counts_is_followed_by_its_finished_parts(tmp_path: Path) -> None:
    seen: list[tuple[str, Standing]] = []
    watched = Watched(tmp_path / "run")

    def look(_pairs: int, _deals: int) -> None:
        seen.append((watched.state(), watched.standing()))

    simulate(_plan(17_000), tmp_path / "run", 1, Watch(look))
    assert {state for state, _ in seen} == {RUNNING}
    assert {(standing.pairs, standing.total) for _, standing in seen} == {(0, 17_000), (16_384, 17_000)}
    assert watched.state() == "complete"
    assert watched.standing().pairs == 17_000


def test_once_tells_how_a_run_stands_and_ends(hollywood: Hollywood, tmp_path: Path) -> None:
    run_into(tmp_path / "run", _plan())
    lock = RunLock(tmp_path / "run")
    said = hollywood("runs", "watch", "run", "--once")
    lock.release()
    assert said.code == 0
    assert re.fullmatch(r"  100%  50 of 50 pairs · 1\.\d+k deals\n", said.out)


# --- how it ended


def test_decision_that_ended_a_comparison_is_told(hollywood: Hollywood, tmp_path: Path) -> None:
    found = hollywood("compare", "greedy", "random", "--seed", "1", "--out", "run", "--json").json()
    before = _state_of(tmp_path)
    said = hollywood("runs", "watch", "run")
    assert said.code == 0
    assert said.out.splitlines()[0] == f"stopped: it was decided after {found['pairs']:,} pairs."
    assert _state_of(tmp_path) == before


def test_interruption_is_told_with_the_command_that_goes_on(hollywood: Hollywood, tmp_path: Path) -> None:
    watch = Watch(lambda _pairs, _deals: watch.stop.set())
    with pytest.raises(Stopped):
        simulate(_plan(), tmp_path / "run", 1, watch)
    said = hollywood("runs", "watch", "run")
    assert said.code == 0
    assert said.out == "interrupted: 0 of 50 pairs are kept.\n  go on with: hollywood runs resume run\n"
    assert hollywood("runs", "resume", "run", "--quiet").code == 0
    assert hollywood("runs", "watch", "run").out.startswith("complete: 50 pairs.\n")


@pytest.mark.parametrize("text", ["matches/part-000000.parquet cannot be written: No space left", "one\ntwo\n  three"])
def test_failure_is_told_with_its_reason(text: str, hollywood: Hollywood, tmp_path: Path) -> None:
    def fail(_pairs: int, _deals: int) -> None:
        raise StoreError(text)

    with pytest.raises(StoreError):
        simulate(_plan(), tmp_path / "run", 1, Watch(fail))
    said = hollywood("runs", "watch", "run")
    assert said.code == 0
    assert f"failed: StoreError: {' '.join(text.split())}" in " ".join(said.out.split())
    assert max(map(len, said.out.splitlines())) <= 80


def test_quiet_watching_says_only_how_it_ended(
    hollywood: Hollywood, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_into(tmp_path / "run", _plan())
    lock = RunLock(tmp_path / "run")
    monkeypatch.setattr("cli.watch.time.sleep", lambda _seconds: lock.release())
    said = hollywood("runs", "watch", "run", "--quiet")
    assert (said.code, said.out) == (0, "complete: 50 pairs.\n  next   hollywood report run\n")


@pytest.mark.parametrize("name", ["nowhere", ""])
def test_watching_no_run_is_bad_input(name: str, hollywood: Hollywood) -> None:
    assert hollywood("runs", "watch", name).code == 2


# --- what is believed


@pytest.fixture
def unlocked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a run folder that says it is running, on a file system that knows no locks."""
    path = tmp_path / "run"
    run_into(path, _plan())
    (path / "manifest.json").write_text(json.dumps({**manifest(path), "status": "running"}), encoding="utf-8")
    monkeypatch.setattr("experiments.watching.is_locked", lambda _path: False)
    return path


def _leave_progress(path: Path, *, pid: int, host: str, seconds_ago: float = 0.0) -> None:
    when = (datetime.now(UTC) - timedelta(seconds=seconds_ago)).isoformat(timespec="seconds")
    told = {**Standing(10, 50, 300).document(), "pid": pid, "host": host, "time": when}
    (path / "progress.json").write_text(json.dumps(told), encoding="utf-8")


def _dead_pid() -> int:
    """Return the number of a process that was and is no more."""
    child = os.posix_spawn("/bin/true", ["true"], {})
    os.waitpid(child, 0)
    return child


def test_without_locks_a_process_that_is_heard_of_is_alive(unlocked: Path) -> None:
    assert Watched(unlocked).state() == DIED
    _leave_progress(unlocked, pid=os.getpid(), host=platform.node())
    assert Watched(unlocked).state() == RUNNING
    _leave_progress(unlocked, pid=os.getpid(), host=platform.node(), seconds_ago=60)
    assert Watched(unlocked).state() == DIED
    _leave_progress(unlocked, pid=_dead_pid(), host=platform.node())
    assert Watched(unlocked).state() == DIED
    _leave_progress(unlocked, pid=1, host="another-machine")
    assert Watched(unlocked).state() == RUNNING


def test_what_a_dead_process_left_says_nothing_of_the_one_that_goes_on(tmp_path: Path) -> None:
    run_into(tmp_path / "run", _plan())
    lock = RunLock(tmp_path / "run")
    _leave_progress(tmp_path / "run", pid=_dead_pid(), host=platform.node())
    assert Watched(tmp_path / "run").standing().pairs == 50
    _leave_progress(tmp_path / "run", pid=os.getpid(), host=platform.node())
    assert Watched(tmp_path / "run").standing().pairs == 10
    lock.release()


def test_part_counts_once_and_only_when_its_line_is_whole(tmp_path: Path) -> None:
    run_into(tmp_path / "run", _plan())
    watched = Watched(tmp_path / "run")
    assert watched.kept().pairs == 50
    line = {"part": 0, "pairs": 80, "deals_played": 2_000}
    text = json.dumps(line) + "\n" + json.dumps({**line, "part": 1})
    with (tmp_path / "run" / "parts.jsonl").open("a", encoding="utf-8") as lines:
        lines.write(text)
        lines.flush()
        assert (watched.kept().pairs, watched.kept().deals) == (80, 2_000)
        lines.write("\n")
        lines.flush()
        assert watched.kept().pairs == 160
