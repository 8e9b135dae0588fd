"""Where parts are played: on threads of this process (the kernels release the GIL)."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import islice

from sim.batch.plan import Plan
from sim.batch.runner import Bind, PartSummary, Watch, run_part
from sim.batch.store import RunFolder


def run_on_threads(plan: Plan, bind: Bind, folder: RunFolder, watch: Watch, threads: int) -> Iterator[PartSummary]:
    """Play all parts of a plan and yield each summary as its part is finished.

    Only a few parts are in work or waiting at a time, so memory does not grow with the plan. When the caller stops
    iterating, or any part fails, the parts in work are dropped: the watch is told to stop, and is used up. When
    somebody else sets its `stop`, `sim.batch.runner.Stopped` comes out here.
    """
    parts = plan.parts()
    with ThreadPoolExecutor(threads, thread_name_prefix="part") as pool:
        try:
            waiting: set[Future[PartSummary]] = set()
            while True:
                for part in islice(parts, threads + 1 - len(waiting)):
                    waiting.add(pool.submit(run_part, plan, part, bind, folder, watch))
                if not waiting:
                    return
                finished, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for future in finished:
                    yield future.result()
        finally:
            watch.stop.set()
