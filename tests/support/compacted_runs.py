"""What is asked of runs whose part files were merged."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from sim.batch.part_lines import read_lines
from tests.support.strategy_runs import files_in

PART_PAIRS, PAIRS = 8, 52
PLAYERS = ("greedy", "simple", "threshold:knock_at=3")
PAIRINGS = ((0, 1), (0, 2))
MERGED = [
    f"{table}/{name}.parquet"
    for table in ("deals", "matches")
    for name in (
        "part-000012",
        "part-000013",
        "parts-000000-000006",
        "parts-000001-000007",
        "parts-000008-000010",
        "parts-000009-000011",
    )
]
"""What becomes of six whole parts and a short one of each pairing, with four parts a file."""


def rows(run: Path, table: str) -> dict[tuple[str, str], list[dict[str, Any]]]:
    """Return the rows of a table by pairing, in the order of the lines."""
    found: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for line in read_lines(run):
        found.setdefault((line["a"], line["b"]), []).extend(pq.read_table(run / line[table]["file"]).to_pylist())
    return found


def assert_same_rows(run: Path, other: Path) -> None:
    for table in ("matches", "deals"):
        assert rows(run, table) == rows(other, table)


def parquet_files(run: Path) -> list[str]:
    return sorted(name for name in files_in(run) if ".parquet" in name)
