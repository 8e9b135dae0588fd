"""Runs that the tests of the page share: few and many players, partners, trios, odd rules, one pair, long names."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest

from analysis import Run, load_run
from tests.support.synthetic_run import Player, Setup, build_run

T = TypeVar("T")
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
    "two": Setup(FOUR[:2], pairs=120, deals=True),
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


class Made(dict[str, T]):
    """A dictionary whose values are made when first asked for."""

    def __init__(self, make: Callable[[str], T]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, name: str) -> T:
        self[name] = self._make(name)
        return self[name]


@pytest.fixture(scope="session")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Run]:
    """Every run of `SETUPS`, by its name."""
    home: Path = tmp_path_factory.mktemp("runs")
    return Made(lambda name: load_run(build_run(home / name, SETUPS[name])))


@pytest.fixture(scope="session")
def pages(runs: dict[str, Run], tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The page of every run, as HTML; drawn once, by whichever of several test processes asks first."""
    from reports.page import compose, render

    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "pages"
    folder.mkdir(exist_ok=True)

    def page(name: str) -> str:
        file = folder / f"{name}.html"
        with (folder / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not file.exists():
                file.write_text(render(compose(runs[name])), encoding="utf-8")
        return file.read_text(encoding="utf-8")

    return Made(page)
