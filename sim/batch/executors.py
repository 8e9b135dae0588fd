"""Where parts are played: on threads of this process (the kernels release the GIL).

Only a few parts are in work or waiting at a time, so memory does not grow with the plan. When the caller stops
iterating, or any part fails, the parts in work are dropped: the watch is told to stop, and is used up. When somebody
else sets its `stop`, `sim.batch.runner.Stopped` comes out here.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from itertools import islice
from typing import TypeVar

from sim.batch.plan import Part, Plan
from sim.batch.runner import Bind, PartSummary, Played, RunStalled, Watch, play_part, run_part
from sim.batch.store import RunFolder

T = TypeVar("T")

THREAD_NAME = "part"
CHECK_SECONDS = 1.0
"""How often it is looked whether the deals in work still move on."""
Task = tuple[Plan, Bind, Watch]
"""What playing any part takes."""


def run_on_threads(task: Task, parts: Iterable[Part], folder: RunFolder, threads: int) -> Iterator[PartSummary]:
    """Play these parts of a plan into its folder and yield each summary as its part is finished."""
    plan, bind, watch = task
    waiting: set[Future[PartSummary]] = set()
    left = iter(parts)
    with _pool(threads, watch) as pool:
        while True:
            for part in islice(left, threads + 1 - len(waiting)):
                waiting.add(pool.submit(run_part, plan, part, bind, folder, watch))
            if not waiting:
                return
            finished, waiting = wait(waiting, timeout=CHECK_SECONDS, return_when=FIRST_COMPLETED)
            watch.check()
            for future in finished:
                yield future.result()


def play_in_order(task: Task, parts: Iterable[Part], threads: int) -> Generator[tuple[Part, Played], None, None]:
    """Play these parts of a plan, writing nothing, and yield each with its rows, in the order given."""
    plan, bind, watch = task
    waiting: deque[tuple[Part, Future[Played]]] = deque()
    left = iter(parts)
    with _pool(threads, watch) as pool:
        while True:
            for part in islice(left, 2 * threads - len(waiting)):
                waiting.append((part, pool.submit(play_part, plan, part, bind, watch)))
            if not waiting:
                return
            part, future = waiting.popleft()
            while not wait([future], timeout=CHECK_SECONDS).done:
                watch.check()
            yield part, future.result()


def in_a_thread(work: Callable[[], T]) -> T:
    """Do work that may never come back, such as a deal of a player who loops, so that Ctrl-C can end it.

    It is done in a thread of its own, since the main one hears of signals only between its own steps. On
    KeyboardInterrupt that thread is left behind.
    """
    pool = ThreadPoolExecutor(1, thread_name_prefix=THREAD_NAME)
    future = pool.submit(work)
    try:
        while not wait([future], timeout=CHECK_SECONDS).done:
            pass
        return future.result()
    finally:
        pool.shutdown(wait=future.done())


@contextmanager
def _pool(threads: int, watch: Watch) -> Iterator[ThreadPoolExecutor]:
    """Give threads; when the work is broken off, the parts in work are dropped before the threads are waited for.

    A thread that is held by a strategy which does not come back is left behind: nothing but the end of the process
    stops it.
    """
    pool = ThreadPoolExecutor(threads, thread_name_prefix=THREAD_NAME)
    stalled = False
    try:
        yield pool
    except BaseException as error:
        watch.stop.set()
        stalled = isinstance(error, RunStalled)
        raise
    finally:
        pool.shutdown(wait=not stalled, cancel_futures=True)


def threads_left_behind() -> bool:
    """Tell whether a thread is still held by a strategy that did not come back; then only `os._exit` ends the process.

    To be asked when nothing is being played.
    """
    return any(thread.name.startswith(THREAD_NAME) for thread in threading.enumerate())
