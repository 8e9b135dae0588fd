"""The copy of its players' sources that a run keeps: whether it still is what was played."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from sim.batch.plan import Plan
from sim.batch.spec import SOURCES
from strategies.sources import sources_sha


def changed_sources(path: Path, plan: Plan) -> Iterator[tuple[str, Path]]:
    """Yield each player of a plan as `sim.batch.spec.read_plan` read it whose kept source was changed, and its folder.

    `path` is the run folder.
    """
    for strategy in plan.strategies:
        if sources_sha(strategy.sources) != strategy.sha:
            yield strategy.text, path / SOURCES / strategy.sha
