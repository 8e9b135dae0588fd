"""One writer a run; a writer that died is no obstacle, and neither is a clock that goes wrong."""

from __future__ import annotations

import json
import os
import platform
import signal
import subprocess
import sys
from pathlib import Path

from tests.faults.conftest import Twin
from tests.faults.processes import Hollywood, assert_same_run, data_of, lines_of, read_json
from tests.faults.test_kills import SIMULATE

SHORT = ("simulate", "greedy", "simple", "--pairs", "600", "--seed", "8")
NOON = "2026-03-29T12:00:00+00:00"


def test_second_writer_is_told_who_the_first_is_and_changes_nothing(hollywood: Hollywood, twin: Twin) -> None:
    run = hollywood.folder / "run"
    first = hollywood.start(*SIMULATE, "--out", "run")
    first.until(lambda: bool(lines_of(run)), "for a part")
    first.halt()  # alive, and not done before the second has had its try
    written = data_of(run), (run / "manifest.json").read_bytes(), (run / "run.log").read_bytes()
    for command in (("runs", "resume", "run"), ("runs", "extend", "run", "--pairs", "20000")):
        ended = hollywood(*command)
        assert (ended.code, ended.out) == (1, "")
        assert f"run is being written by process {first.process} on {platform.node()}" in ended.err
    ended = hollywood(*SIMULATE, "--out", "run")
    assert (ended.code, ended.out) == (2, "")
    assert '"run" is there already' in ended.err
    assert (data_of(run), (run / "manifest.json").read_bytes(), (run / "run.log").read_bytes()) == written
    first.send(signal.SIGCONT)
    assert first.end().code == 0
    assert_same_run(run, twin(*SIMULATE))


def test_two_that_make_the_same_folder_at_once_leave_one_run(hollywood: Hollywood, twin: Twin) -> None:
    running = [hollywood.start(*SHORT, "--out", "run") for _ in range(6)]
    ended = [process.end() for process in running]
    assert sorted(end.code for end in ended)[0] == 0
    assert sum(end.code == 0 for end in ended) == 1
    for end in ended:
        assert end.code == 0 or "run is being written by" in end.err or '"run" is there already' in end.err, end.err
    assert_same_run(hollywood.folder / "run", twin(*SHORT))


def test_lock_file_that_names_a_living_process_which_holds_no_lock_is_no_obstacle(
    hollywood: Hollywood, twin: Twin
) -> None:
    run = hollywood.folder / "run"
    assert hollywood(*SHORT, "--out", "run").code == 0
    (run / "lock").write_text(json.dumps({"pid": os.getpid(), "host": platform.node()}), encoding="utf-8")
    (run / "matches/part-000001.parquet").unlink()
    hollywood.resume(run)
    assert_same_run(run, twin(*SHORT))


# --- clocks


def test_runs_of_the_same_moment_have_folders_of_their_own(hollywood: Hollywood) -> None:
    running = [hollywood.start(*SHORT, stopped_clock=NOON) for _ in range(5)]
    assert [process.end().code for process in running] == [0] * 5
    runs = list((hollywood.folder / "runs").iterdir())
    assert len(runs) == 5
    assert all(run.name.startswith("20260329T120000-") for run in runs)
    assert {read_json(run / "manifest.json")["status"] for run in runs} == {"complete"}


def test_run_of_a_dead_process_goes_on_though_the_clock_has_gone_backwards(hollywood: Hollywood, twin: Twin) -> None:
    process = hollywood.start(*SIMULATE, clock_seconds=86_400)
    root = hollywood.folder / "runs"
    process.until(lambda: any(lines_of(run) for run in root.glob("*")), "for a part")
    process.send(signal.SIGKILL)
    process.end()
    (run,) = root.iterdir()
    assert read_json(run / "lock")["pid"] == process.process
    hollywood.resume(run, clock_seconds=-86_400)
    assert_same_run(run, twin(*SIMULATE))
    manifest = read_json(run / "manifest.json")
    assert manifest["finished"] < manifest["started"]
    assert manifest["seconds_before"] > 0
    assert hollywood(*SHORT, clock_seconds=-86_400).code == 0
    assert len(list(root.iterdir())) == 2


# --- the command itself


def test_installed_command_survives_as_well(tmp_path: Path) -> None:
    code = "import sys, sim.batch.plan as plan; plan.PART_PAIRS = 256; from cli.main import main; sys.exit(main())"
    command = [sys.executable, "-W", "ignore", "-c", code]
    root = Path(__file__).parents[2]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    process = subprocess.Popen(
        [*command, *SIMULATE[:-2], "--pairs", "400000", "--out", "run"],
        cwd=tmp_path,
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
    )
    while process.poll() is None and not lines_of(tmp_path / "run"):
        pass
    process.send_signal(signal.SIGINT)
    _, said = process.communicate()
    assert process.returncode == 130
    assert said.strip().endswith("go on with: hollywood runs resume run")
