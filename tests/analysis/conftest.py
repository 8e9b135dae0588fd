"""Small runs that the tests of the tables share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from analysis import Run, load_run
from tests.support.synthetic_run import Player, Setup, build_run

Build = Callable[[Setup], Run]

PLAYERS = (
    Player("gin-only", skill=0.0, gin=0.85, undercut=0.15),
    Player("greedy", skill=0.5, gin=0.1, undercut=0.05),
    Player("threshold:knock_at=5", skill=0.3, gin=0.05, undercut=0.2),
)


@pytest.fixture(scope="session")
def three(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Three players, 60 pairs a pairing in parts of 25."""
    folder = tmp_path_factory.mktemp("runs") / "three"
    return load_run(build_run(folder, Setup(PLAYERS, pairs=60, part_pairs=25)))


@pytest.fixture(scope="session")
def mirror(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """One player against itself."""
    folder = tmp_path_factory.mktemp("runs") / "mirror"
    return load_run(build_run(folder, Setup(PLAYERS[:1], pairs=30, pairings=[("gin-only", "gin-only")])))


@pytest.fixture(scope="session")
def walkover(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A player who scores every deal."""
    folder = tmp_path_factory.mktemp("runs") / "walkover"
    players = (Player("strong", skill=500.0, gin=0.5), Player("weak", skill=-500.0))
    return load_run(build_run(folder, Setup(players, pairs=20)))


@pytest.fixture(scope="session")
def one_pair(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A single duplicate pair."""
    folder: Path = tmp_path_factory.mktemp("runs") / "one"
    return load_run(build_run(folder, Setup(PLAYERS[:2], pairs=1)))


@pytest.fixture(scope="session")
def trio(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Three in rotation, 60 card streams in parts of 25."""
    folder = tmp_path_factory.mktemp("runs") / "trio"
    return load_run(build_run(folder, Setup(PLAYERS, pairs=60, part_pairs=25, preset="three-handed")))


@pytest.fixture(scope="session")
def four_trios(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Four players in all their trios, 60 card streams each."""
    folder = tmp_path_factory.mktemp("runs") / "four-trios"
    players = (*PLAYERS, Player("random", skill=-2.0))
    return load_run(build_run(folder, Setup(players, pairs=60, part_pairs=25, preset="three-handed")))


@pytest.fixture(scope="session")
def one_column(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A sheet with one column: ordinary gin rummy."""
    folder = tmp_path_factory.mktemp("runs") / "eaai"
    return load_run(build_run(folder, Setup(PLAYERS[:2], pairs=40, preset="eaai")))


@pytest.fixture
def build(tmp_path: Path) -> Build:
    """Return a function that writes a run of dice and loads it."""

    def make(setup: Setup) -> Run:
        return load_run(build_run(tmp_path / f"run{len(list(tmp_path.iterdir()))}", setup))

    return make
