"""A small run, of which every test damages a copy of its own."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from sim.batch import plan as plans
from tests.support.damaged_runs import PART_PAIRS, play_small_run


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plans, "PART_PAIRS", PART_PAIRS)


@pytest.fixture(scope="module")
def untouched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a small run."""
    folder = tmp_path_factory.mktemp("runs") / "untouched"
    play_small_run(folder)
    return folder


@pytest.fixture
def run(untouched: Path, tmp_path: Path) -> Path:
    """Return a copy of the run, to be damaged."""
    return Path(shutil.copytree(untouched, tmp_path / "run"))
