"""A batch through a bad night: a player that loops for ever, and a process that is killed. `make verify` runs this."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from sim.batch.lock import is_locked
from tests.cli.conftest import Hollywood
from tests.support.strategy_cli import start
from tests.support.strategy_files import write_player
from tests.support.strategy_runs import manifest, part_lines

pytestmark = pytest.mark.slow
DUEL = '[[experiment]]\nname = "{}"\nplayers = ["{}", "simple"]\npairs = {}\nseed = 4\n'


def test_player_that_loops_for_ever_fails_its_own_run_only(hollywood: Hollywood, tmp_path: Path) -> None:
    loop = "while view.hand:\n        pass\n    return trailing_zeros(view.best_discards)"
    write_player(tmp_path, "loops", discard=loop)
    text = DUEL.format("loops", "./loops.py", 3) + DUEL.format("lives", "greedy", 3)
    sized = DUEL.format("sized", "./loops.py", 3).replace("pairs", "deals")
    (tmp_path / "night.toml").write_text(text + sized, encoding="utf-8")
    said = hollywood("batch", "night.toml", "--out", "night")
    assert said.code == 1
    loops, lives, sized_run = json.loads((tmp_path / "night" / "batch.json").read_text(encoding="utf-8"))["runs"]
    for run in (loops, sized_run):
        assert run["state"] == "failed"
        assert "has not come back from a decision for 60 seconds" in run["reason"]
    assert lives["state"] == "complete"


def test_killed_batch_takes_its_run_along_and_is_gone_on_with(hollywood: Hollywood, tmp_path: Path) -> None:
    text = DUEL.format("long", "greedy", 400_000) + DUEL.format("short", "greedy", 3)
    (tmp_path / "night.toml").write_text(text, encoding="utf-8")
    night = tmp_path / "night"
    process = start(["batch", "night.toml", "--out", "night"], tmp_path)
    while not (night / "long" / "parts.jsonl").is_file() or not part_lines(night / "long"):
        assert process.poll() is None
        time.sleep(0.02)
    process.kill()
    process.communicate()
    deadline = time.monotonic() + 60
    while is_locked(night / "long"):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    assert manifest(night / "long")["status"] == "interrupted"
    said = hollywood("batch", "night.toml", "--resume", "night")
    assert said.code == 0, said.err
    assert said.out.startswith("2 of 2 runs are done.")
