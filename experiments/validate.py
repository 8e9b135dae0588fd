"""Measure every player against three yardsticks: `make validate`.

The figures land in strategies/measured.toml, where `hollywood strategies list` finds the speeds; `make docs` puts them
on docs/strategies.md beside the published ones.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import tomli_w

from experiments.outcomes import Outcome, Pairing
from experiments.simulate import Request, make_plan, simulate
from sim.batch.provenance import cpu_model, engine_version, now
from sim.batch.runner import Watch
from strategies.lookup import MODULES, WRAPPERS
from strategies.measured import MEASURED, measured
from strategies.published import PUBLISHED

YARDSTICKS = ("simple", "heuristic", "marjj")
PRESETS = ("eaai", "hollywood")
VARIANTS = ("sigra:stubborn=no", *(f"gin-only+{name}" for name in WRAPPERS))
"""Players measured besides the project's own by name and those of which something is published."""
SEED = 2026
PAIRS = 6_000
THREADS = 2
ENOUGH_SECONDS = 0.7


def players() -> list[str]:
    """Return every player that is measured: each by name, followed by its variants."""
    variants = list(dict.fromkeys([name for name, _ in PUBLISHED if name not in MODULES] + list(VARIANTS)))
    found = []
    for name in MODULES:
        found += [name, *(variant for variant in variants if variant.startswith((f"{name}:", f"{name}+")))]
    return found


def measure(names: Iterable[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each player's figures: deals a second against simple on one thread, and its matches by preset."""
    for name in names:
        figures: dict[str, Any] = {"deals_per_second": round(_speed(name))}
        for preset in PRESETS:
            figures[preset] = {rival: _matches(name, rival, preset) for rival in YARDSTICKS if rival != name}
        yield name, figures


def _run(name: str, rival: str, preset: str, pairs: int, threads: int) -> tuple[Pairing, Outcome]:
    plan = make_plan(Request([name, rival], pairs=pairs, rules=preset, seed=SEED))
    with tempfile.TemporaryDirectory() as place:
        outcome = simulate(plan, Path(place) / "run", threads, Watch())
    pairing = outcome.pairings[0]
    assert isinstance(pairing, Pairing)
    return pairing, outcome


def _speed(name: str) -> float:
    """Return deals a second against simple on one thread, from at least 0.7 seconds of play."""
    pairs, seconds, deals = 20, 0.0, 0
    while seconds < ENOUGH_SECONDS:
        pairs *= 4
        _, outcome = _run(name, "simple", "hollywood", pairs, 1)
        seconds, deals = outcome.seconds, outcome.deals
    return deals / seconds


def _matches(name: str, rival: str, preset: str) -> dict[str, Any]:
    pairing, _ = _run(name, rival, preset, PAIRS, THREADS)
    low, high = pairing.interval
    return {"rate": round(pairing.match_win_rate, 4), "low": round(low, 4), "high": round(high, 4), "pairs": PAIRS}


def main() -> None:
    """Measure all players, or those named on the command line, and write what was found."""
    document = measured() if sys.argv[1:] else {"players": {}}
    document |= {"engine": engine_version(), "processor": cpu_model(), "measured": now(), "seed": SEED}
    for name, figures in measure(sys.argv[1:] or players()):
        document["players"][name] = figures
        print(name, figures["deals_per_second"], {k: v["rate"] for k, v in figures["eaai"].items()}, flush=True)
        MEASURED.write_text(tomli_w.dumps(document), encoding="utf-8")


if __name__ == "__main__":
    main()
