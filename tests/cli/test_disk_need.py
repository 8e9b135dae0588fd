"""What a run takes is told before it plays, and one that the disk cannot hold is refused."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from cli import batch_worker
from experiments.batch import Job
from experiments.disk_need import disk_need
from experiments.simulate import Request, make_plan
from tests.cli.conftest import Hollywood
from tests.support.strategy_runs import plan_of, run_into


class Free(NamedTuple):
    """What a disk says of itself."""

    total: int
    used: int
    free: int


def _disk(monkeypatch: pytest.MonkeyPatch, free: int) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: Free(10**12, 10**12 - free, free))


def test_run_that_the_disk_cannot_hold_is_refused_and_leaves_nothing(
    hollywood: Hollywood, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _disk(monkeypatch, 2_000_000_000)
    for where in ([], ["--out", "run"]):
        said = hollywood("simulate", "greedy", "simple", "--pairs", "100000000", "--detail", "deals", *where)
        assert (said.code, said.out) == (1, "")
        assert "about 3G deals, 29.7 GB on disk" in said.err
        assert "has 2 GB free" in said.err
    assert list(tmp_path.iterdir()) == []


def test_comparison_that_may_stop_early_is_not_refused(hollywood: Hollywood, monkeypatch: pytest.MonkeyPatch) -> None:
    _disk(monkeypatch, 1_000_000)
    said = hollywood("compare", "greedy", "random", "--pairs", "10000000", "--seed", "1", "--out", "run")
    assert said.code == 0
    assert "up to 300M deals, 512 MB on disk, of 1 MB free" in said.err


def test_run_of_a_batch_that_the_disk_cannot_hold_fails_and_the_others_are_played(
    hollywood: Hollywood, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def launch(job: Job, threads: int, *, quiet: bool) -> Mapping[str, Any]:
        return batch_worker.answer_to(batch_worker.task_of(job, threads, quiet=quiet))

    monkeypatch.setattr(batch_worker, "launch", launch)
    _disk(monkeypatch, 1_000_000)
    players = 'players = ["greedy", "random"]\nseed = 1\n'
    large = f'[[experiment]]\nname = "large"\npairs = 10_000_000\n{players}'
    ends_early = f'[[experiment]]\nname = "duel"\ntest = "gain"\npairs = 10_000_000\n{players}'
    (tmp_path / "night.toml").write_text(f"{large}{ends_early}", encoding="utf-8")
    said = hollywood("batch", "night.toml", "--out", "night", "--json", "--quiet")
    first, second = json.loads(said.out)["runs"]
    assert (said.code, first["state"], second["state"]) == (1, "failed", "stopped")
    assert "this run takes about 300M deals, 512 MB on disk, and the disk of" in first["reason"]
    assert not (tmp_path / "night" / "large").exists()


def test_dry_run_says_whether_the_disk_has_room(hollywood: Hollywood, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("night.toml").write_text(
        '[[experiment]]\nname = "a"\nplayers = ["greedy", "random"]\npairs = 9\n', encoding="utf-8"
    )
    _disk(monkeypatch, 9_000)
    assert "The disk has 9 kB free: too little for all" in hollywood("batch", "night.toml", "--dry-run").out
    _disk(monkeypatch, 9_000_000)
    assert hollywood("batch", "night.toml", "--dry-run").out.endswith("  The disk has 9 MB free.\n")
    assert hollywood("batch", "night.toml", "--dry-run", "--json").json()["free"] == 9_000_000


def test_tips_that_the_disk_cannot_hold_are_refused_and_leave_nothing(
    hollywood: Hollywood, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _disk(monkeypatch, 1_000_000)
    said = hollywood("tips", "--only", "push-early", "--pairs", "1000000")
    assert (said.code, said.out) == (1, "")
    assert "these tips take about" in said.err
    assert list(tmp_path.iterdir()) == []


def test_size_is_told_of_a_large_run_alone(hollywood: Hollywood, monkeypatch: pytest.MonkeyPatch) -> None:
    command = ["simulate", "greedy", "simple", "--pairs", "1000", "--seed", "1", "--out"]
    assert "on disk" not in hollywood(*command, "small").err
    monkeypatch.setattr("cli.playing.LARGE_BYTES", 1_000)
    assert "about 30k deals, 51.2 kB on disk, of " in hollywood(*command, "large").err
    assert hollywood("--quiet", *command, "quiet").err == ""


def test_what_is_in_place_needs_no_room_again(tmp_path: Path) -> None:
    plan = plan_of("greedy", "simple", pairs=200, detail="deals")
    fresh = disk_need(plan, tmp_path / "run" / "not" / "there")
    run_into(tmp_path / "run", plan)
    assert (fresh.deals, disk_need(plan, tmp_path / "run").size) == (200 * 2 * 15, 0)
    longer = disk_need(plan_of("greedy", "simple", pairs=600, detail="deals"), tmp_path / "run")
    assert longer.size == 2 * fresh.size


@pytest.mark.parametrize(
    ("rules", "detail"),
    [("hollywood", "matches"), ("hollywood", "deals"), ("partnership", "matches"), ("three-handed", "matches")],
)
def test_needed_room_is_about_what_a_run_takes(rules: str, detail: str, tmp_path: Path) -> None:
    players = ("greedy", "simple", "gin-only")[: 3 if rules == "three-handed" else 2]
    plan = make_plan(Request(players, pairs=4_000, rules=rules, seed=1, detail=detail))
    need = disk_need(plan, tmp_path / "run")
    outcome = run_into(tmp_path / "run", plan)
    taken = sum(file.stat().st_size for file in (tmp_path / "run").rglob("*.parquet"))
    assert need.size == pytest.approx(taken, rel=0.25)
    assert need.deals == pytest.approx(outcome.document()["deals"], rel=0.25)
