"""A compaction that is killed, as by a power cut, leaves the run readable, and the next one ends what it began."""

from __future__ import annotations

import random
import shutil
import signal
import time
from pathlib import Path

import pytest

from analysis import load_run
from tests.faults.conftest import Twin
from tests.faults.processes import Hollywood, data_of

KILLS = 20
COMMAND = ("simulate", "greedy", "simple", "gin-only", "--pairs", "3000", "--seed", "3", "--detail", "deals")
ROWS = "SELECT count(*), sum(hash(d)) FROM deals d UNION ALL SELECT count(*), sum(hash(m)) FROM matches m"


@pytest.mark.slow
def test_compaction_that_is_killed_at_random_loses_nothing(hollywood: Hollywood, twin: Twin) -> None:
    whole = twin(*COMMAND)
    rows = load_run(whole).query(ROWS)
    clean = Path(shutil.copytree(whole, hollywood.folder / "clean"))
    began = time.monotonic()
    assert hollywood("runs", "compact", "clean").code == 0
    took, chance, killed = time.monotonic() - began, random.Random(5), 0
    for number in range(KILLS):
        run = Path(shutil.copytree(whole, hollywood.folder / f"run{number}"))
        process = hollywood.start("runs", "compact", str(run))
        time.sleep(chance.uniform(0, took))
        process.send(signal.SIGKILL)
        killed += process.end().code == -signal.SIGKILL
        assert load_run(run).query(ROWS).equals(rows)
        assert hollywood("runs", "compact", str(run)).code == 0
        assert data_of(run) == data_of(clean)
    print(f"\nkilled {killed} times of {KILLS}")
    assert killed > KILLS // 2
    assert hollywood("runs", "verify", "run0").code == 0
