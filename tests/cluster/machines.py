"""A Dask scheduler and its workers on this machine, each a process of its own, as they would be on several."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from experiments.simulate import Request, make_plan, simulate
from sim.batch.cluster import Cluster
from sim.batch.plan import Plan
from sim.decisions import BoundStrategy, StrategySpec
from strategies.registry import bind
from tests.support.strategy_runs import SEED, Onlooker, files_in, part_lines

ROOT = Path(__file__).parents[2]
PATIENCE_SECONDS = 60.0


class Machines:
    """A scheduler and one-threaded workers without nannies: one that is killed stays dead. Ends them all at `close`."""

    def __init__(self, folder: Path, workers: int, **settings: object) -> None:
        self.folder = folder
        self._file = folder / "scheduler.json"
        self._settings = {f"DASK_DISTRIBUTED__SCHEDULER__{name.upper()}": str(v) for name, v in settings.items()}
        self._scheduler = self._start("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
        self.workers: dict[str, subprocess.Popen[bytes]] = {}
        wait_until(lambda: self._file.is_file() and self._file.stat().st_size > 0)
        self.address = str(json.loads(self._file.read_text(encoding="utf-8"))["address"])
        for number in range(workers):
            self.add(f"w{number}")

    def add(self, name: str, *more: str, environment: Mapping[str, str] | None = None) -> None:
        """Start one more worker, with more options of Dask's, and do not wait for it."""
        options = ("--no-nanny", "--no-dashboard", "--nthreads", "1", "--name", name, "--host", "127.0.0.1")
        local = ("--local-directory", str(self.folder))
        self.workers[name] = self._start("worker", *options, *local, *more, environment=environment)

    def kill(self, name: str) -> None:
        """Kill a worker as a power cut would."""
        self.workers[name].kill()
        self.workers.pop(name).wait()

    def scheduler_seconds(self) -> float:
        """Return how much processor time the scheduler has taken."""
        fields = Path(f"/proc/{self._scheduler.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def close(self) -> None:
        """Kill all."""
        for process in (*self.workers.values(), self._scheduler):
            process.kill()
            process.wait()

    def _start(self, what: str, *options: str, environment: Mapping[str, str] | None = None) -> subprocess.Popen[bytes]:
        variables = {**os.environ, **self._settings, "PYTHONPATH": str(ROOT), **(environment or {})}
        words = (sys.executable, "-m", f"distributed.cli.dask_{what}", "--scheduler-file", str(self._file), *options)
        log = self.folder / "log.txt"
        with log.open("ab") as out:
            return subprocess.Popen(words, env=variables, cwd=ROOT, stdout=out, stderr=out)


@contextmanager
def machines(folder: Path, workers: int, **settings: object) -> Iterator[Machines]:
    """Give a scheduler with so many workers; `settings` are those of Dask's ``distributed.scheduler``."""
    folder.mkdir(parents=True, exist_ok=True)
    found = Machines(folder, workers, **settings)
    try:
        yield found
    finally:
        found.close()


def wait_until(holds: Callable[[], bool]) -> None:
    """Wait for something to become true; fails when it does not."""
    until = time.monotonic() + PATIENCE_SECONDS
    while not holds():
        assert time.monotonic() < until, "waited in vain"
        time.sleep(0.05)


def plan_of(*players: str, pairs: int, detail: str = "matches") -> Plan:
    """Return a plan of these players."""
    return make_plan(Request(players, pairs=pairs, seed=SEED, detail=detail))


def play(plan: Plan, folder: Path, cluster: Cluster) -> Onlooker:
    """Play a plan on a cluster into a new folder; return who watched it."""
    onlooker = Onlooker()
    simulate(plan, folder, cluster, onlooker)
    return onlooker


def kept(folder: Path) -> tuple[dict[str, bytes], list[dict[str, Any]]]:
    """Return all that a run has kept of what was played: the bytes of its tables, and its lines without the seconds."""
    tables = {name: (folder / name).read_bytes() for name in files_in(folder) if name.endswith(".parquet")}
    return tables, [{key: value for key, value in line.items() if key != "seconds"} for line in part_lines(folder)]


_bound: list[StrategySpec] = []


def killing_bind(spec: StrategySpec) -> BoundStrategy:
    """Bind a player, and end the process when it is asked for once more: made ready it is, but playing it kills."""
    if spec in _bound:
        os._exit(3)
    _bound.append(spec)
    return bind(spec)
