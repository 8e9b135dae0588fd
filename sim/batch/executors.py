"""Where parts are played: on threads of this process (the kernels release the GIL)."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import islice
from threading import Event

from sim.batch.plan import Plan
from sim.batch.runner import Bind, PartSummary, Stopped, Watch, run_part
from sim.batch.store import RunFolder


class _Stoppable:
    """A watch that can also be told to stop by the executor."""

    def __init__(self, watch: Watch, stop: Event) -> None:
        self.advance = watch.advance
        self._asked, self._stop = watch.must_stop, stop

    def must_stop(self) -> bool:
        return self._stop.is_set() or self._asked()


def run_on_threads(plan: Plan, bind: Bind, folder: RunFolder, watch: Watch, threads: int) -> Iterator[PartSummary]:
    """Play all parts of a plan and yield each summary as its part is finished.

    Only a few parts are in work or waiting at a time, so memory does not grow with the plan. When the caller stops
    iterating, or any part fails, the parts in work are dropped.
    """
    stop = Event()
    stoppable = _Stoppable(watch, stop)
    parts = plan.parts()
    with ThreadPoolExecutor(threads, thread_name_prefix="part") as pool:
        try:
            waiting: set[Future[PartSummary]] = set()
            while True:
                for part in islice(parts, threads + 1 - len(waiting)):
                    waiting.add(pool.submit(run_part, plan, part, bind, folder, stoppable))
                if not waiting:
                    return
                finished, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for future in finished:
                    yield future.result()
        except Stopped:
            return
        finally:
            stop.set()
