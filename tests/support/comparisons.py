"""Comparisons for tests: small ones of known outcome, and all that their run folders keep."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from analysis.sequential import SequentialTest, make_test
from experiments.compare import Comparison, compare
from sim.batch.plan import Plan
from tests.support.strategy_runs import Onlooker, files_in, part_lines, plan_of

GAIN = make_test("gain")
NEVER_DECIDES = make_test("gain", (0.5, 0.5 + 1e-9))
SEED = 7
"""With it greedy v simple is decided by `gain` after 768 pairs."""


def plan(a: str = "greedy", b: str = "simple", pairs: int = 5_000, detail: str = "matches", **options: object) -> Plan:
    return plan_of(a, b, pairs=pairs, detail=detail, seed=SEED, options=options)


def compared(folder: Path, what: Plan, test: SequentialTest = GAIN, threads: int = 2) -> Comparison:
    return compare(what, test, folder, (threads, Onlooker()))


def kept(folder: Path) -> dict[str, Any]:
    """Return all that a run keeps of what was played: the bytes of its rows, and its lines but for the time taken."""
    files = {name: (folder / name).read_bytes() for name in files_in(folder) if name.endswith(".parquet")}
    lines = [{name: value for name, value in line.items() if name != "seconds"} for line in part_lines(folder)]
    return {"lines": lines, **files}


def blocks(folder: Path) -> list[list[int]]:
    return [block for line in part_lines(folder) for block in line["block_scores"]]
