"""A run that is gone on with, or is one of a batch, says how it stands as any other."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from cli import progress
from cli.batch_worker import answer_to
from experiments.progress_file import Estimate
from experiments.resume import Listeners, plan_to_resume, resume
from experiments.simulate import simulate
from sim.batch import plan as plans
from sim.batch.runner import Watch
from tests.support.strategy_runs import part_lines, plan_of

PART_PAIRS, PAIRS, SEED = 64, 320, 5


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plans, "PART_PAIRS", PART_PAIRS)


@pytest.fixture
def played(tmp_path: Path) -> tuple[Path, list[Estimate]]:
    """Return a run of which only the first three parts of five are left, and what was told while it was played."""
    told: list[Estimate] = []
    plan = plan_of("greedy", "simple", pairs=PAIRS, seed=SEED, detail="matches")
    simulate(plan, tmp_path / "duel", 1, Watch(), told.append)
    lines = [json.dumps(line) + "\n" for line in part_lines(tmp_path / "duel")[:3]]
    (tmp_path / "duel/parts.jsonl").write_text("".join(lines), encoding="utf-8")
    return tmp_path / "duel", told


def test_resumed_run_tells_the_estimates_of_all_pairs_so_far(played: tuple[Path, list[Estimate]]) -> None:
    run, told = played
    again: list[Estimate] = []
    resume(run, plan_to_resume(run), (1, Watch()), Listeners(estimate=again.append))
    assert len(told) == 5
    assert again == told[3:]


class Shown(progress.Progress):
    """The progress of a run, kept to be looked at."""

    kept: progress.Progress

    def __enter__(self) -> progress.Progress:
        Shown.kept = self
        return super().__enter__()


@pytest.mark.parametrize("goes_on", [False, True], ids=["begun", "gone on with"])
def test_run_of_a_batch_shows_its_estimate_and_keeps_a_log(
    goes_on: bool, played: tuple[Path, list[Estimate]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "Progress", Shown)
    run, told = played
    plan = plan_to_resume(run)
    settings = {"players": ["greedy", "simple"], "pairs": PAIRS, "seed": SEED}
    folder = run if goes_on else tmp_path / "new"
    task = {
        "run": {"name": "duel", "kind": "simulate", "settings": settings},
        "spec_hash": plan.spec_hash(),
        "folder": str(folder),
        "resume": goes_on,
        "threads": 1,
        "quiet": True,
    }
    assert answer_to(task)["state"] == "complete"
    standing = Shown.kept.count.standing()
    assert (standing.pairs, standing.estimate) == (PAIRS, told[-1])
    log = (folder / "run.log").read_text(encoding="utf-8")
    assert len(re.findall(r" duel of a batch \(version \S+, 1 threads\)\n", log)) == 1
