"""`hollywood batch`: the experiments of a file, as a user types it."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from cli import batch_worker
from experiments.batch import Job
from tests.cli.conftest import Hollywood
from tests.support.strategy_cli import ROOT, finish, start
from tests.support.strategy_files import write_bad_player, write_player
from tests.support.strategy_runs import manifest, part_lines

EXAMPLE = str(ROOT / "docs" / "batch-example.toml")
TINY = ("--set", "pairs=3", "--set", "chosen.deals=900", "--set", "threads=2")
DUEL = '[[experiment]]\nname = "{}"\nplayers = ["{}", "simple"]\npairs = {}\nseed = 4\n'
KILLED_IN_ITS_RUN = """
import os
import sys

if "batch_worker" in sys.argv[0]:
    os._exit(7)
"""


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play the runs of batches in this process: much the faster."""

    def launch(job: Job, threads: int, *, quiet: bool) -> Mapping[str, Any]:
        return batch_worker.answer_to(json.loads(json.dumps(batch_worker.task_of(job, threads, quiet=quiet))))

    monkeypatch.setattr(batch_worker, "launch", launch)


def batch_json(folder: Path) -> dict[str, Any]:
    return dict(json.loads((folder / "batch.json").read_text(encoding="utf-8")))


def states(folder: Path) -> dict[str, str]:
    return {run["name"]: run["state"] for run in batch_json(folder)["runs"]}


def test_example_is_played(here: None, hollywood: Hollywood, tmp_path: Path) -> None:
    told = hollywood("batch", EXAMPLE, *TINY, "--out", "night", "--json", "--quiet").json()
    runs = {run["name"]: run for run in told["runs"]}
    assert {run["state"] for run in runs.values()} == {"complete"}
    assert [name for name in runs if name.startswith("duel")] == ["duel-hollywood", "duel-hollywood-003", "duel-gin"]
    assert {run["kind"] for run in runs.values()} == {"simulate", "compare", "sweep", "tournament"}
    assert all(run["words"] for run in runs.values())
    for name in runs:
        assert manifest(tmp_path / "night" / name)["status"] == "complete"
    assert len(part_lines(tmp_path / "night" / "knock-at")) == 22  # settings by opponents
    assert len(part_lines(tmp_path / "night" / "chosen")) == 2
    assert (tmp_path / "night" / "chosen" / "deals").is_dir()


def test_dry_run_shows_costs_and_makes_nothing(hollywood: Hollywood, tmp_path: Path) -> None:
    said = hollywood("batch", EXAMPLE, *TINY, "--dry-run")
    assert said.code == 0
    rows = {line.split()[0]: line.split() for line in said.out.splitlines()[1:]}
    assert rows["duel-gin"][1:3] == ["simulate", "3"]
    assert rows["nine-or-eight-seed1"][1:3] == ["compare", "<3"]
    assert rows["knock-at"][1:3] == ["sweep", "<66"]
    assert "together" in rows
    assert max(map(len, said.out.splitlines())) <= 80
    told = hollywood("batch", EXAMPLE, *TINY, "--dry-run", "--json").json()
    assert [run["pairs"] for run in told["runs"][:3]] == [3, 3, 3]
    assert list(tmp_path.iterdir()) == []


def test_slow_dry_run_says_what_it_does(hollywood: Hollywood, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cli.progress.SLOW_START_SECONDS", 0)
    (tmp_path / "one.toml").write_text(DUEL.format("duel", "greedy", 3), encoding="utf-8")
    said = hollywood("batch", "one.toml", "--dry-run")
    assert (said.code, said.err) == (0, "  playing a few pairs of each run, to see what it costs\n")


def test_failed_run_is_told_and_the_others_are_played(here: None, hollywood: Hollywood, tmp_path: Path) -> None:
    write_bad_player(tmp_path, "bad", "throws a number that is no card")
    text = DUEL.format("bad", "./bad.py", 3) + DUEL.format("good", "greedy", 3)
    (tmp_path / "night.toml").write_text(text, encoding="utf-8")
    said = hollywood("batch", "night.toml")
    assert said.code == 1
    first, bad, reason, *_ = said.out.splitlines()
    assert first == "1 of 2 runs are done, 1 failed."
    assert bad.split() == ["bad", "failed", "bad/"]
    assert reason.startswith('    illegal move of strategy "./bad.py"')
    (folder,) = (tmp_path / "runs").iterdir()
    assert folder.name.endswith("-night")
    assert states(folder) == {"bad": "failed", "good": "complete"}
    assert "1 of 2  bad" in said.err
    assert max(map(len, said.out.splitlines())) <= 80


def test_player_edited_after_the_start_is_not_played(here: None, hollywood: Hollywood, tmp_path: Path) -> None:
    editing = """
from pathlib import Path

Path("bot.py").write_text(Path("bot.py").read_text() + "# edited")
"""
    write_player(tmp_path, "bot")
    write_player(tmp_path, "editor", imports=editing)
    text = DUEL.format("first", "./bot.py", 3) + DUEL.format("second", "./editor.py", 3)
    (tmp_path / "night.toml").write_text(text, encoding="utf-8")
    said = hollywood("batch", "night.toml", "--out", "night")
    assert said.code == 1
    assert "a file of its players or rules was changed after the batch was started" in " ".join(said.out.split())


def test_bad_file_and_options_that_exclude_each_other_end_with_2(hollywood: Hollywood, tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text(DUEL.format("a", "greedi", 0), encoding="utf-8")
    said = hollywood("batch", "bad.toml")
    assert (said.code, said.out) == (2, "")
    assert said.err.count('bad.toml: experiment "a": ') == 2
    assert hollywood("batch", EXAMPLE, "--resume", "x", "--out", "y").code == 2
    assert hollywood("batch", EXAMPLE, "--resume", "x", "--dry-run").code == 2
    assert [path.name for path in tmp_path.iterdir()] == ["bad.toml"]


def test_process_that_dies_fails_its_own_run_only(hollywood: Hollywood, tmp_path: Path) -> None:
    write_player(tmp_path, "dies", imports=KILLED_IN_ITS_RUN)
    text = DUEL.format("dies", "./dies.py", 3) + DUEL.format("lives", "greedy", 3)
    (tmp_path / "night.toml").write_text(text, encoding="utf-8")
    said = hollywood("batch", "night.toml", "--out", "night", "--quiet")
    assert (said.code, said.err) == (1, "")
    dies, lives = batch_json(tmp_path / "night")["runs"]
    assert (dies["state"], dies["reason"]) == ("failed", "its process ended with code 7 and said nothing")
    assert lives["state"] == "complete"


def test_interrupted_batch_is_gone_on_with(hollywood: Hollywood, tmp_path: Path) -> None:
    text = DUEL.format("long", "greedy", 60_000) + DUEL.format("short", "greedy", 3)
    (tmp_path / "night.toml").write_text(text, encoding="utf-8")
    night = tmp_path / "night"
    process = start(["batch", "night.toml", "--set", "threads=2", "--out", "night"], tmp_path)
    deadline = time.monotonic() + 60
    while not (night / "long" / "parts.jsonl").is_file() or not part_lines(night / "long"):
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.02)
    said = finish(process, signal.SIGINT)
    assert (said.code, said.out) == (130, "")
    assert "go on with: hollywood batch night.toml --set threads=2 --resume night" in said.err
    assert "Traceback" not in said.err
    assert states(night) == {"long": "interrupted", "short": "waiting"}
    assert manifest(night / "long")["status"] == "interrupted"
    finished = night / "long" / part_lines(night / "long")[0]["matches"]["file"]  # of two threads either may be first
    kept = finished.stat().st_mtime_ns
    said = hollywood("batch", "night.toml", "--resume", "night")
    assert said.code == 0, said.err
    assert states(night) == {"long": "complete", "short": "complete"}
    assert finished.stat().st_mtime_ns == kept
    assert hollywood("batch", "night.toml", "--resume", "night").out == said.out  # nothing is left to play
