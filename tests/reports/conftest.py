"""Runs that the tests of the page share: few and many players, partners, trios, odd rules, one pair, long names."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis import Run, load_run
from tests.support.synthetic_run import Player, Setup, build_run

FOUR = (
    Player("gin-only", skill=0.0, gin=0.85, undercut=0.15),
    Player("greedy", skill=0.5, gin=0.1, undercut=0.05),
    Player("simple", skill=0.45, gin=0.12, undercut=0.06),
    Player("threshold:knock_at=5", skill=0.3, gin=0.05, undercut=0.2),
)
LONG = tuple(
    Player(f"./players/a_bot_with_quite_a_long_name_{n}.py:aggression={n}.25,patience={20 - n}", skill=0.1 * n, gin=0.3)
    for n in range(4)
)
TWENTY = (
    *(Player(f"threshold:knock_at={n}", skill=0.05 * n, gin=0.5 - 0.02 * n, undercut=0.25) for n in range(19)),
    Player("random", skill=-3.0),
)
PARTNERS = (
    Player("greedy/simple", skill=0.6, undercut=0.05),
    Player("threshold:knock_at=5,hunt=1/gin-only", skill=0.3, gin=0.4, undercut=0.2),
    Player("threshold:knock_at=10,hunt=2/greedy", skill=0.1),
    Player("gin-only", gin=0.85),
)
SETUPS = {
    "two": Setup(FOUR[:2], pairs=120),
    "close": Setup(FOUR[1:3], pairs=80),
    "four": Setup(FOUR, pairs=100, part_pairs=60),
    "twenty": Setup(TWENTY, pairs=60, part_pairs=60),
    "long": Setup(LONG, pairs=60),
    "mirror": Setup(FOUR[:1], pairs=60, pairings=[("gin-only", "gin-only")]),
    "one": Setup(FOUR[:2], pairs=1),
    "column": Setup(FOUR[:3], pairs=60, preset="eaai"),
    "walkover": Setup((Player("strong", skill=500.0, gin=0.5), Player("weak", skill=-500.0)), pairs=60),
    "straight": Setup((Player("greedy", 0.2, 1, 0), Player("simple", 0, 1, 0)), pairs=60, preset="straight"),
    "partners": Setup(PARTNERS[:2], pairs=120, preset="partnership"),
    "sides": Setup(PARTNERS, pairs=60, preset="partnership"),
    "trio": Setup(FOUR[:3], pairs=120, preset="three-handed"),
    "trios": Setup(FOUR, pairs=60, preset="three-handed"),
    "partial": Setup(FOUR[:2], pairs=4, status="interrupted"),
}


@pytest.fixture(scope="session")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Run]:
    """Every run of `SETUPS`, by its name."""
    home: Path = tmp_path_factory.mktemp("runs")
    return {name: load_run(build_run(home / name, setup)) for name, setup in SETUPS.items()}


@pytest.fixture(scope="session")
def pages(runs: dict[str, Run]) -> dict[str, str]:
    """The page of every run, as HTML."""
    from reports.page import compose, render

    return {name: render(compose(run)) for name, run in runs.items()}
