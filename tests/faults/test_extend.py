"""A run that was extended is, byte for byte, one that had so many pairs from the start."""

from __future__ import annotations

import shutil
import signal
from pathlib import Path

import pytest

from tests.faults.conftest import Twin
from tests.faults.processes import Hollywood, assert_same_run, data_of, lines_of, read_json

KINDS = {
    "simulate": ("simulate", "greedy", "simple", "gin-only", "--seed", "3", "--detail", "deals"),
    "tournament": ("tournament", "greedy", "simple", "gin-only", "--seed", "3"),
    "compare": ("compare", "simple", "gin-only", "--bounds", "50:50.01", "--seed", "3"),
    "sweep": ("sweep", "threshold", "--param", "knock_at=4:6", "--seed", "3"),
}
"""Commands that play to the end of their pairs."""
SLOW = ("tournament", "sweep")
"""Their conclusions take a second."""
STOPS = ("compare", "greedy", "simple", "--seed", "5")
RACES = ("sweep", "threshold", "--param", "knock_at=3:9", "--against", "simple", "--seed", "5")


def _extended(hollywood: Hollywood, short: Path, pairs: int) -> Path:
    run = Path(shutil.copytree(short, hollywood.folder / "run"))
    ended = hollywood("runs", "extend", "run", "--pairs", str(pairs))
    assert ended.code == 0, ended.err
    return run


SIZES = {"short last part": 700, "whole parts": 512, "one short part": 100}
CASES = [
    pytest.param(pairs, kind, id=f"{kind}, {size}", marks=pytest.mark.slow if kind in SLOW else ())
    for kind in KINDS
    for size, pairs in SIZES.items()
]


@pytest.mark.parametrize(("pairs", "kind"), CASES)
def test_extended_run_is_one_that_was_longer_from_the_start(
    pairs: int, kind: str, hollywood: Hollywood, twin: Twin
) -> None:
    run = _extended(hollywood, twin(*KINDS[kind], "--pairs", str(pairs)), 1300)
    assert_same_run(run, twin(*KINDS[kind], "--pairs", "1300"))


def test_extension_that_was_killed_goes_on_to_its_size(hollywood: Hollywood, twin: Twin) -> None:
    command = KINDS["simulate"]
    run = Path(shutil.copytree(twin(*command, "--pairs", "700"), hollywood.folder / "run"))
    before = lines_of(run)
    process = hollywood.start("runs", "extend", "run", "--pairs", "1800")
    process.until(lambda: len(lines_of(run)) > len(before), "for a part")
    process.send(signal.SIGKILL)
    process.end()
    hollywood.resume(run)
    assert_same_run(run, twin(*command, "--pairs", "1800"))


def test_comparison_that_has_decided_plays_no_more_when_extended(hollywood: Hollywood, twin: Twin) -> None:
    short = twin(*STOPS, "--pairs", "5000")
    assert read_json(short / "manifest.json")["status"] == "stopped"
    run = _extended(hollywood, short, 9000)
    assert data_of(run) == data_of(short)
    assert_same_run(run, twin(*STOPS, "--pairs", "9000"))


@pytest.mark.slow
@pytest.mark.parametrize("pairs", [600, 900, 1300])
def test_extended_race_is_one_that_was_longer_from_the_start(pairs: int, hollywood: Hollywood, twin: Twin) -> None:
    run = _extended(hollywood, twin(*RACES, "--pairs", str(pairs)), 2500)
    assert_same_run(run, twin(*RACES, "--pairs", "2500"))


def test_extension_to_fewer_pairs_is_refused(hollywood: Hollywood, twin: Twin) -> None:
    short = twin(*KINDS["compare"], "--pairs", "700")
    run = Path(shutil.copytree(short, hollywood.folder / "run"))
    ended = hollywood("runs", "extend", "run", "--pairs", "699")
    assert (ended.code, ended.out) == (2, "")
    assert "run has 700 pairs a pairing already; --pairs must be more, not 699" in ended.err
    assert_same_run(run, short)


def test_extension_to_the_same_size_changes_nothing(hollywood: Hollywood, twin: Twin) -> None:
    short = twin(*KINDS["simulate"], "--pairs", "700")
    assert_same_run(_extended(hollywood, short, 700), short)
