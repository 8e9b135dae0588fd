"""A run that is killed again and again loses no finished part, and when resumed it is the run that never was killed."""

from __future__ import annotations

import shutil
import signal
import time
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from tests.faults.conftest import Twin
from tests.faults.processes import Hollywood, assert_same_run, lines_of, read_json

SIMULATE = ("simulate", "greedy", "simple", "--pairs", "6000", "--seed", "5", "--detail", "deals", "--threads", "2")
KINDS = {
    "simulate": SIMULATE,
    "compare": ("compare", "simple", "gin-only", "--bounds", "50:50.01", "--pairs", "8000", "--seed", "5"),
    "sweep": ("sweep", "threshold", "--param", "knock_at=3:9", "--against", "simple", "--pairs", "2500", "--seed", "5"),
    "tournament": ("tournament", "greedy", "simple", "gin-only", "--pairs", "2500", "--seed", "5", "--threads", "2"),
}
"""Commands that play some dozens of parts each, in about a second."""


def _has_more(run: Path, parts: int) -> bool:
    return len(lines_of(run)) > parts


def _kill_often(hollywood: Hollywood, command: tuple[str, ...], kills: int, seconds: float) -> Path:
    """Start a run, and kill and resume it so many times within about so many seconds of play; return its folder."""
    dice = np.random.default_rng(kills)
    run = hollywood.folder / "run"
    landed, kept = 0, lines_of(run)
    for _ in range(kills):
        if (run / "manifest.json").exists():
            process = hollywood.start("runs", "resume", str(run))
        else:  # killed before there was a run: what is left of the folder goes
            shutil.rmtree(run, ignore_errors=True)
            process = hollywood.start(*command, "--out", str(run))
        if not landed:
            process.until(partial(_has_more, run, len(lines_of(run))), "for a part")
        time.sleep(dice.uniform(0, 2 * seconds / kills))
        process.send(signal.SIGKILL)
        landed += process.end().code == -signal.SIGKILL
        now = lines_of(run)
        assert {number: now.get(number) for number in kept} == kept
        kept = now
    assert landed
    return run


def _prove(hollywood: Hollywood, twin: Path, command: tuple[str, ...], kills: int) -> None:
    run = _kill_often(hollywood, command, kills, read_json(twin / "summary.json")["seconds"])
    hollywood.resume(run)
    assert_same_run(run, twin)


def test_run_killed_five_times_is_as_one_that_never_was(hollywood: Hollywood, twin: Twin) -> None:
    _prove(hollywood, twin(*SIMULATE), SIMULATE, 5)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_run_killed_forty_times_is_as_one_that_never_was(kind: str, hollywood: Hollywood, twin: Twin) -> None:
    _prove(hollywood, twin(*KINDS[kind]), KINDS[kind], 40)


def test_folder_killed_before_there_was_a_run_is_told(hollywood: Hollywood) -> None:
    (hollywood.folder / "run" / "matches").mkdir(parents=True)
    ended = hollywood("runs", "resume", "run")
    assert ended.code in (1, 2)
    assert "run/manifest.json" in ended.err or "run/spec.toml" in ended.err
    assert len(ended.err.splitlines()) == 1
