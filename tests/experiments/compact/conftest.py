"""A run of many small parts, whole and compacted."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from experiments.compact import compact
from sim.batch import merge
from sim.batch import plan as plans
from tests.support.compacted_runs import (
    PAIRINGS,
    PAIRS,
    PART_PAIRS,
    PLAYERS,
)
from tests.support.strategy_runs import plan_of, run_into


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plans, "PART_PAIRS", PART_PAIRS)
    monkeypatch.setattr(merge, "PARTS_A_FILE", 4)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a run of two pairings, and a longer one of the same players."""
    folder = tmp_path_factory.mktemp("runs")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plans, "PART_PAIRS", PART_PAIRS)
        for name, pairs in (("run", PAIRS), ("longer", PAIRS + 20)):
            plan = plan_of(*PLAYERS, pairs=pairs)
            run_into(folder / name, replace(plan, pairings=PAIRINGS))
    return folder


@pytest.fixture
def run(made: Path, tmp_path: Path) -> Path:
    """Return a copy of the run."""
    return Path(shutil.copytree(made / "run", tmp_path / "run"))


@pytest.fixture(scope="module")
def done(made: Path) -> Path:
    """Return the run compacted."""
    run = Path(shutil.copytree(made / "run", made / "done"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plans, "PART_PAIRS", PART_PAIRS)
        patch.setattr(merge, "PARTS_A_FILE", 4)
        compact(run)
    return run


@pytest.fixture
def compacted(done: Path, tmp_path: Path) -> Path:
    """Return a copy of the compacted run."""
    return Path(shutil.copytree(done, tmp_path / "compacted"))
