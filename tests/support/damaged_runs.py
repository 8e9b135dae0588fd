"""Small runs, and damage done to them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from experiments.resume import plan_to_resume, resume
from experiments.verify import Verified
from sim.batch import plan as plans
from sim.batch.runner import Watch
from sim.batch.store import write_table
from tests.support.strategy_runs import files_in, part_lines, plan_of, run_into

PART_PAIRS = 8
FIRST, OTHER = "matches/part-000000.parquet", "matches/part-000001.parquet"
DEALS = "deals/part-000001.parquet"


def play_small_run(folder: Path) -> None:
    """Play a run of two pairings of 12 pairs, in two parts each: 8 and 4 pairs."""
    plan = plan_of("greedy", "simple", "threshold:knock_at=3", pairs=12)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plans, "PART_PAIRS", PART_PAIRS)
        run_into(folder, replace(plan, pairings=((0, 1), (0, 2))))


def resumed(run: Path) -> None:
    """Go on with a run."""
    resume(run, plan_to_resume(run), (1, Watch()))


def rows_of(run: Path) -> dict[str, bytes]:
    """Return the bytes of every part file."""
    return {name: (run / name).read_bytes() for name in files_in(run) if name.endswith(".parquet")}


def told(found: Verified) -> list[tuple[str, str]]:
    """Return the problems as file and what it is."""
    return [(problem.file, problem.what) for problem in found.problems]


def write_lines(run: Path, lines: list[dict[str, Any]]) -> None:
    """Write parts.jsonl."""
    (run / "parts.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def change_line(run: Path, number: int, change: Callable[[dict[str, Any]], object]) -> None:
    """Change the line of a part."""
    lines = part_lines(run)
    change(lines[number])
    write_lines(run, lines)


def make_anew(run: Path, name: str, change: Callable[[pa.Table], pa.Table]) -> None:
    """Change what a part file holds, and let its line list the new bytes."""
    table, number = name.split("/")[0], int(name[-14:-8])
    changed = change(pq.read_table(run / name))
    sha256, size = write_table(changed, run / name)
    entry = {"file": name, "rows": changed.num_rows, "bytes": size, "sha256": sha256}
    change_line(run, number, lambda line: line.update({table: entry}))


def with_column(table: pa.Table, name: str, change: Callable[[pa.ChunkedArray], pa.Array]) -> pa.Table:
    """Return a table with one column changed, of the same type."""
    place = table.schema.get_field_index(name)
    field = table.schema.field(name)
    return table.set_column(place, field, change(table.column(name)).cast(field.type))


def flip_a_byte(run: Path) -> None:
    """Change one byte in the middle of `DEALS`."""
    content = bytearray((run / DEALS).read_bytes())
    content[len(content) // 2] ^= 1
    (run / DEALS).write_bytes(content)
