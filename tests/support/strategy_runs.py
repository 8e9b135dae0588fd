"""Small plans and runs for tests: played to rows in this thread, or into a run folder."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow.parquet as pq

from experiments.outcomes import Outcome
from experiments.simulate import Request, make_plan, simulate
from sim.batch.plan import Plan
from sim.batch.runner import Watch, play_part
from strategies.registry import bind

SEED = 20_261


class Onlooker(Watch):
    """Watches a run and counts what it is told."""

    def __init__(self) -> None:
        super().__init__()
        self.pairs = self.deals = 0
        self.calls: list[tuple[int, int]] = []

    def advance(self, pairs: int, deals: int) -> None:
        """Count."""
        self.calls.append((pairs, deals))
        self.pairs += pairs
        self.deals += deals


class Rows(NamedTuple):
    """The rows of a plan, all parts after one another: MATCH_ROW and DEAL_ROW."""

    matches: npt.NDArray[Any]
    deals: npt.NDArray[Any]

    def digest(self) -> tuple[bytes, bytes]:
        """Return all bytes, to compare two plays."""
        return self.matches.tobytes(), self.deals.tobytes()


def plan_of(
    *players: str,
    pairs: int = 20,
    detail: str = "deals",
    seed: int = SEED,
    options: Mapping[str, object] | None = None,
) -> Plan:
    """Return a plan for these strategy specs; `options` changes the rules of the preset ``hollywood``."""
    request = Request(players, pairs=pairs, options=options or {}, seed=seed, detail=detail)
    return make_plan(request)


def play(plan: Plan) -> Rows:
    """Play a plan in this thread. Raises `RunFailed`."""
    played = [play_part(plan, part, bind, Onlooker()) for part in plan.parts()]
    deals = [part.deals for part in played if part.deals is not None]
    return Rows(np.concatenate([part.matches for part in played]), np.concatenate(deals))


def run_into(folder: Path, plan: Plan, threads: int = 1) -> Outcome:
    """Play a plan into a new run folder."""
    return simulate(plan, folder, threads, Onlooker())


def manifest(folder: Path) -> dict[str, Any]:
    """Read the manifest of a run folder."""
    found: dict[str, Any] = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    return found


def part_lines(folder: Path) -> list[dict[str, Any]]:
    """Read the lines of parts.jsonl, in part order."""
    lines = (folder / "parts.jsonl").read_text(encoding="utf-8").splitlines()
    return sorted((json.loads(line) for line in lines), key=lambda line: int(line["part"]))


def files_in(folder: Path) -> set[str]:
    """Return every file below a folder, hidden ones too, relative to it."""
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def columns(file: Path) -> dict[str, list[Any]]:
    """Read a Parquet file as Python lists by column name; nulls are None."""
    found: dict[str, list[Any]] = pq.read_table(file).to_pydict()
    return found
