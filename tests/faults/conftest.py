"""Processes to be killed, and the runs that were not."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.faults.processes import Hollywood, Server

Twin = Callable[..., Path]


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """Return the process that others are forked from."""
    server = Server()
    yield server
    server.close()


@pytest.fixture
def hollywood(server: Server, tmp_path: Path) -> Hollywood:
    """Return the command, working in an empty folder."""
    for name in ("said", "here"):
        (tmp_path / name).mkdir()
    return Hollywood(server, tmp_path / "here", tmp_path / "said")


@pytest.fixture(scope="session")
def twin(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Twin:
    """Return a function of a command that gives the run it makes when nothing goes wrong."""
    made: dict[tuple[str, ...], Path] = {}

    def run_of(*arguments: str) -> Path:
        if arguments not in made:
            folder = tmp_path_factory.mktemp("twin")
            ended = Hollywood(server, folder, folder)(*arguments, "--out", "run")
            assert ended.code == 0, ended.err
            made[arguments] = folder / "run"
        return made[arguments]

    return run_of


@pytest.fixture(scope="session")
def own_disks() -> Iterator[Server]:
    """Return a server that may mount file systems which nobody else sees."""
    own = ["unshare", "--map-root-user", "--mount"]
    try:
        tried = subprocess.run([*own, "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True, check=False)
    except FileNotFoundError:
        pytest.skip("there is no unshare here")
    if tried.returncode:
        pytest.skip(f"no file systems may be mounted here: {tried.stderr.decode().strip()}")
    server = Server(*own)
    yield server
    server.close()
