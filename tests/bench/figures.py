"""Figures of a bench: medians of several runs, printed one a line."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence

RUNS = 7


def figures(run: Callable[[], float]) -> tuple[float, float, float]:
    """Return median, least and most of what several runs give."""
    return spread([run() for _ in range(RUNS)])


def spread(values: Sequence[float]) -> tuple[float, float, float]:
    """Return median, least and most."""
    return statistics.median(values), min(values), max(values)


def show(name: str, values: tuple[float, float, float], unit: str, beside: str = "") -> None:
    """Print one figure."""
    median, least, most = values
    print(f"{name:<52} {median:8.3g} {unit:<10} ({least:.3g} .. {most:.3g})   {beside}", flush=True)


def rate(work: Callable[[], object], count: int) -> Callable[[], float]:
    """Return a run of some work that gives its rate in millions a second."""

    def timed() -> float:
        start = time.perf_counter()
        work()
        return count / (time.perf_counter() - start) / 1e6

    return timed
