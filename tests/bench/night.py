"""What a night of play costs: memory, writing, going on with very many parts, a cluster on this machine."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from analysis import load_run, pairings
from experiments.compact import compact
from experiments.progress_file import resident_bytes
from experiments.resume import plan_to_resume, resume
from experiments.simulate import Request, Workers, make_plan, simulate
from sim.batch import plan as plans
from sim.batch.plan import Plan
from sim.batch.runner import Stopped, Watch, keep_part, play_part
from sim.batch.store import RunFolder, write_lines
from strategies.registry import bind
from tests.bench.figures import RUNS, figures, show, spread
from tests.cluster.machines import Machines, machines
from tests.support.strategy_runs import part_lines

PLAYERS = ("greedy", "threshold:knock_at=5")
DEALS_A_PAIR = 28.8
SEED = 7
MOST_SECONDS = 40.0
"""So long a plan of a billion deals, which takes a quarter of an hour, is played."""
LAST_PARTS = 40
SMALL_PARTS, SMALL_PAIRS = 2_000, 16
CLUSTER_PAIRS, TASKS = 262_144, 500


def _plan(pairs: int, detail: str = "matches") -> Plan:
    return make_plan(Request(PLAYERS, pairs=pairs, seed=SEED, detail=detail))


# --- writing


def bench_writing() -> None:
    """Time what is done with the rows of a part beside playing it, one thread: Parquet, hash, sync, tally, line."""
    for detail in ("matches", "deals"):
        plan = _plan(plans.PART_PAIRS, detail)
        (part,) = plan.parts()
        playing, writing, line = [], [], {}
        with tempfile.TemporaryDirectory() as place:
            folder = RunFolder.create(Path(place) / "run", plan, {})
            for _ in range(RUNS):
                began = time.perf_counter()
                played = play_part(plan, part, bind, Watch())
                playing.append(time.perf_counter() - began)
                began = time.perf_counter()
                line = keep_part(plan, part, played, folder, began).line
                writing.append(time.perf_counter() - began)
            folder.release()
        name = {"matches": "match rows", "deals": "match and deal rows"}[detail]
        asked = {"matches": "under 3% asked", "deals": "under 25% asked"}[detail]
        shares = [100 * write / play for write, play in zip(writing, playing, strict=True)]
        show(f"writing {name}, of the time of play", spread(shares), "%", asked)
        for table in plan.tables:
            size = line[table]["bytes"] / line[table]["rows"]
            show(f"  a row of {table} on disk", (size, size, size), "bytes", "at most 9" * (table == "deals"))


# --- memory


def bench_memory() -> None:
    """Show the memory of processes that play plans of a million and of a billion deals, two threads."""
    for what, told in (
        ("whole", "a million deals, all of them"),
        ("first", f"a billion deals, the first {MOST_SECONDS:.0f} s"),
        ("last", f"a billion deals, the last {LAST_PARTS} parts"),
    ):
        command = [sys.executable, "-m", "tests.bench.night", what]
        kept = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        early, late, most = (value / 1e6 for value in kept)
        show(f"resident: {told}", (late, early, most), "MB", "late (early .. most); under 600, flat")


class _Memory:
    """What this process holds, looked at ten times a second."""

    def __init__(self) -> None:
        self.seen: list[int] = []
        self._ended = threading.Event()
        threading.Thread(target=self._look, daemon=True).start()

    def _look(self) -> None:
        while not self._ended.wait(0.1):
            self.seen.append(resident_bytes())

    def end(self) -> tuple[int, int, int]:
        """Return the most of the first and of the last tenth of the time, and of all of it."""
        self._ended.set()
        some = max(len(self.seen) // 10, 1)
        return max(self.seen[:some]), max(self.seen[-some:]), max(self.seen)


def play_watched(what: str) -> tuple[int, int, int]:
    """Play "whole", "first" or "last" (`bench_memory`) and return the memory early, late, and at most, in bytes."""
    plan, watch = _plan(round((1e6 if what == "whole" else 1e9) / DEALS_A_PAIR)), Watch()
    with tempfile.TemporaryDirectory() as place, suppress(Stopped):
        run = Path(place) / "run"
        if what == "last":
            parts = -(-plan.pairs // plans.PART_PAIRS)
            fabricate(run, parts - LAST_PARTS, plan.pairs)
        if what == "first":
            threading.Timer(MOST_SECONDS, watch.stop.set).start()
        memory = _Memory()
        try:
            if what == "last":
                resume(run, plan_to_resume(run), (2, watch))
            else:
                simulate(plan, run, 2, watch)
        finally:
            found = memory.end()
    return found


def fabricate(run: Path, parts: int, pairs: int) -> None:
    """Make a run of so many pairs of which the first parts are in place, each said to be like the first.

    Their files hold nothing: who goes on with a run looks at their sizes only.
    """
    simulate(_plan(plans.PART_PAIRS), run, 2, Watch())
    (line,) = part_lines(run)
    lines = []
    for number in range(parts):
        file = f"matches/part-{number:06d}.parquet"
        (run / file).write_bytes(b"?")
        entry = {**line["matches"], "file": file, "bytes": 1}
        lines.append({**line, "part": number, "first_pair": number * plans.PART_PAIRS, "matches": entry})
    write_lines(run, lines)
    spec = (run / "spec.toml").read_text(encoding="utf-8")
    (run / "spec.toml").write_text(spec.replace(f"pairs = {plans.PART_PAIRS}", f"pairs = {pairs}"), encoding="utf-8")


# --- many parts


def bench_many_parts() -> None:
    """Time going on with a run of ten thousand parts, and reading one of many small parts before and after compact."""
    with tempfile.TemporaryDirectory() as place:
        run = Path(place) / "run"
        fabricate(run, 10_000, 10_000 * plans.PART_PAIRS)

        def resumed() -> float:
            began = time.perf_counter()
            command = [sys.executable, "-m", "cli.main", "runs", "resume", str(run)]
            subprocess.run(command, check=True, capture_output=True)
            return time.perf_counter() - began

        show("runs resume of 10,000 parts, all in place", figures(resumed), "s", "start under 5")
    with tempfile.TemporaryDirectory() as place, _part_pairs(SMALL_PAIRS):
        run = Path(place) / "run"
        simulate(_plan(SMALL_PARTS * SMALL_PAIRS, "deals"), run, 2, Watch())

        def read() -> float:
            began = time.perf_counter()
            loaded = load_run(run)
            pairings(loaded)
            loaded.query("SELECT ending, count(*), avg(turns) FROM deals GROUP BY ending")
            return time.perf_counter() - began

        show(f"reading a run of {SMALL_PARTS:,} small parts", figures(read), "s")
        began = time.perf_counter()
        compact(run)
        seconds = time.perf_counter() - began
        show("  compacting it", (seconds, seconds, seconds), "s")
        show("  reading it then", figures(read), "s")


@contextmanager
def _part_pairs(pairs: int) -> Iterator[None]:
    """Make parts of so many pairs."""
    before = plans.PART_PAIRS
    plans.PART_PAIRS = pairs
    try:
        yield
    finally:
        plans.PART_PAIRS = before


# --- a cluster


def bench_cluster() -> None:
    """Time a scheduler and two one-threaded workers on this machine against two threads, and what a task costs."""
    try:
        from sim.batch.cluster import Cluster
        from sim.batch.cluster_worker import ClusterError

        with (
            tempfile.TemporaryDirectory() as place,
            machines(Path(place) / "dask", 2) as found,
            Cluster(found.address) as cluster,
        ):
            _bench_pace(cluster, Path(place))
            _bench_tasks(cluster, found, Path(place))
    except (ImportError, ClusterError) as error:
        print(f"no cluster is timed: {error}")


def _bench_pace(cluster: Workers, place: Path) -> None:
    plan, number = _plan(CLUSTER_PAIRS), 0

    def pace(workers: Workers) -> float:
        nonlocal number
        number += 1
        outcome = simulate(plan, place / f"pace{number}", workers, Watch())
        return outcome.deals / outcome.seconds / 1e6

    pace(cluster), pace(2)  # compiled, and found on disk
    both = [(pace(cluster), pace(2)) for _ in range(RUNS)]
    show("two workers of Dask on loopback, of two threads", spread([100 * one / two for one, two in both]), "%")


def _bench_tasks(cluster: Workers, found: Machines, place: Path) -> None:
    """Play very short parts: what they take beside playing is what a task costs."""
    with _part_pairs(1):
        plan = replace(_plan(TASKS), pairs=TASKS)
        before = found.scheduler_seconds()
        began, own = time.perf_counter(), time.process_time()
        simulate(plan, place / "tasks", cluster, Watch())
        spent = time.perf_counter() - began, time.process_time() - own, found.scheduler_seconds() - before
    for what, seconds in zip(("time", "processor of the command", "processor of the scheduler"), spent, strict=True):
        each = 1_000 * seconds / TASKS
        show(f"  a task of one pair: {what}", (each, each, each), "ms")


if __name__ == "__main__":
    kept: Any = play_watched(sys.argv[1])
    print(json.dumps(kept))
