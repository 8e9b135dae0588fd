"""Where parts are played, beyond one machine: on the workers of a Dask scheduler that share the run's folder.

A worker plays a part and puts its files into the run folder (`sim.batch.cluster_worker`); the line comes back, and this
process alone writes parts.jsonl. Only a few tasks are outstanding, so memory does not grow with the plan.

Needs the extra ``cluster``; Dask is imported only when a `Cluster` is made, and on the workers.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from sim.batch.cluster_worker import ClusterError, Failure, Spot, make_ready, play_part_here
from sim.batch.fingerprint import engine_fingerprint
from sim.batch.part_lines import PartLine
from sim.batch.plan import Part, Plan
from sim.batch.provenance import engine_version
from sim.batch.runner import Bind, PartSummary, Place, RunFailed, Stopped, Watch
from sim.batch.sessions import session
from sim.batch.store import RunFolder
from sim.decisions import StrategySpec

if TYPE_CHECKING:
    from distributed import Client

TASKS_A_THREAD = 2
"""So many tasks are outstanding for each thread of the workers: one is played, one waits."""
CHECK_SECONDS = 1.0
"""How often it is looked how many workers there are."""
POLL_SECONDS = 0.02
CONNECT_SECONDS, FIRST_WORKER_SECONDS = 10.0, 60.0
"""How long is waited for the scheduler to answer, and then for a first worker."""
SCHEMES = ("tcp", "tls", "ws", "wss", "ucx")
"""Over what Dask talks to a scheduler."""
NOISY = ("distributed.client", "distributed.core", "distributed.utils")
"""What Dask logs with a traceback when a connection is lost; `ClusterError` says it in one line."""
INSTALL = "pip install 'hollywood-gin-lab[cluster]'"


class WorkersKilled(RunFailed):
    """A part whose workers died, one after another; the message names its players. The place is its first deal."""

    can_be_replayed = False


class Cluster:
    """An executor: called with a task, parts and a run folder it yields the summary of each part as it is finished.

    The run folder must be seen under the same path by all workers. Raises ValueError for an address that is none,
    `ClusterError` when Dask is not installed or no scheduler answers; while playing also `RunFailed`, `WorkersKilled`,
    `Stopped` and `StoreError`.
    """

    def __init__(self, address: str) -> None:
        if not _is_address(address):  # Dask would wait for it, and leave a traceback
            raise ValueError(f'"{address}" is not the address of a Dask scheduler, such as tcp://host:8786')
        try:
            from distributed import Client
        except ImportError as error:
            raise ClusterError(f"--scheduler needs Dask: {INSTALL}") from error
        self.address = address
        for name in NOISY:
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
        try:
            self._client: Client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError) as error:
            raise ClusterError(f'no Dask scheduler answers at "{address}", such as tcp://host:8786') from error
        self._ready: dict[str, set[str]] = {}

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError, RuntimeError):
            self._client.close(timeout=CONNECT_SECONDS)

    def __call__(
        self, task: tuple[Plan, Bind, Watch], parts: Iterable[Part], folder: RunFolder
    ) -> Iterator[PartSummary]:
        """Play these parts of a plan into its folder and yield each summary as its part is finished."""
        plan, bind, watch = task
        with session(folder.path) as here:
            spot = Spot(str(here), (engine_version(), engine_fingerprint()))
            self._make_ready(plan, bind, spot, watch)
            watch.begin()
            for line in self._played(task, parts, spot, folder):
                folder.add_part(line)
                watch.advance(line["pairs"], line["deals_played"])
                yield PartSummary(line)

    def threads(self) -> dict[str, int]:
        """Return how many threads each worker has now, by its address."""
        try:
            return dict(self._client.nthreads())
        except (OSError, RuntimeError, CancelledError) as error:
            raise self._lost() from error

    def _lost(self) -> ClusterError:
        return ClusterError(f"the connection to the scheduler at {self.address} is lost")

    def _played(
        self, task: tuple[Plan, Bind, Watch], parts: Iterable[Part], spot: Spot, folder: RunFolder
    ) -> Iterator[PartLine]:
        """Yield the line of each part as it is finished; what is outstanding is dropped when the caller stops."""
        from distributed import as_completed

        plan, bind, watch = task
        waiting: dict[Any, Part] = {}
        finished = as_completed(loop=self._client.loop, with_results=True, raise_errors=False)
        left, room, looked = iter(parts), 1, 0.0
        try:
            while True:
                if time.monotonic() - looked > CHECK_SECONDS:
                    room, looked = self._room(folder, room), time.monotonic()
                for part in islice(left, max(room - len(waiting), 0)):
                    key = f"part-{part.number:06d}-{Path(spot.session).name}"
                    future = self._client.submit(play_part_here, plan, part, bind, spot, key=key, pure=False)
                    waiting[future] = part
                    finished.add(future)
                if not waiting:
                    return
                for future, result in self._some(finished, watch):
                    yield self._line(plan, waiting.pop(future), result)
        finally:
            with suppress(OSError, RuntimeError, CancelledError):
                self._client.cancel(list(waiting))

    def _room(self, folder: RunFolder, before: int) -> int:
        """Return how many tasks may be outstanding. Those of workers that died wait for others to come."""
        threads = sum(self.threads().values())
        if not threads and before > 1:
            folder.log(f"no worker is left at {self.address}: waiting for one")
        return max(TASKS_A_THREAD * threads, 1)

    def _some(self, finished: Any, watch: Watch) -> list[tuple[Any, Any]]:
        """Return tasks that have come back, maybe none, those that went well first. Raises `Stopped`."""
        if watch.stop.is_set():
            raise Stopped
        if not finished.has_ready():
            time.sleep(POLL_SECONDS)
        return sorted(finished.next_batch(block=False), key=lambda item: not isinstance(item[1], dict))

    def _line(self, plan: Plan, part: Part, result: Any) -> PartLine:
        """Return the line of a part that came back, or raise what kept it from being played."""
        from distributed import KilledWorker

        if isinstance(result, dict):
            return result
        if isinstance(result, Failure):
            raise result.kind(result.message, result.place)
        if isinstance(result, CancelledError):
            raise self._lost() from result
        error = result[1]  # as `sys.exc_info` gives it
        if isinstance(error, KilledWorker):
            died = f"{error.allowed_failures + 1} workers died playing it, the last one at {error.last_worker.address}"
            told = (
                f"{' v '.join(part.names)}, from pair {part.first_pair} (seed {plan.seed}): {died}; {_who(part, plan)}"
            )
            raise WorkersKilled(told, Place(part.names, part.first_pair, 0, 0)) from error
        raise error

    def _make_ready(self, plan: Plan, bind: Bind, spot: Spot, watch: Watch) -> None:
        """Check every worker and let it make the players ready: first one a machine, which fills the machine's cache.

        Raises `ClusterError` naming the first worker that is refused.
        """
        ready = self._ready.setdefault(plan.spec_hash(), set())
        known = [address for address in self._first_workers(watch) if address not in ready]
        hosts = {address.rpartition(":")[0]: address for address in reversed(known)}
        first = set(hosts.values())
        for wave in (first, set(known) - first):
            ready |= self._wave(plan, bind, spot, wave, watch)
        if known and not ready:
            told = f"all {len(known)} workers died making the players ready: {_names(plan.strategies)}"
            raise WorkersKilled(told, Place(plan.names()[0], 0, 0, 0))

    def _wave(self, plan: Plan, bind: Bind, spot: Spot, wave: set[str], watch: Watch) -> set[str]:
        """Make these workers ready, at once, and return those that are; those that died meanwhile are left out."""
        submit = self._client.submit
        ready, waiting = (
            set[str](),
            {
                address: submit(make_ready, plan.strategies, bind, spot, pure=False, workers=[address])
                for address in wave
            },
        )
        try:
            while waiting:
                alive = self.threads()
                for address, future in list(waiting.items()):
                    if not future.done():
                        if address not in alive:
                            del waiting[address]
                    elif self._refusal(address, waiting.pop(address)) is None:
                        ready.add(address)
                if watch.stop.is_set():
                    raise Stopped
                time.sleep(POLL_SECONDS)
        finally:
            with suppress(OSError, RuntimeError, CancelledError):
                self._client.cancel(list(waiting.values()))
        return ready

    def _refusal(self, address: str, future: Any) -> str | None:
        """Return "died" for a worker that died meanwhile, None for one that is ready; raise for one that is refused."""
        from distributed import KilledWorker

        if future.status == "cancelled":
            raise self._lost()
        error = future.exception()
        if isinstance(error, KilledWorker):
            return "died"
        if error is not None:
            raise ClusterError(f"worker {address} is refused: {type(error).__name__}: {error}") from error
        if refused := future.result():
            raise ClusterError(refused)
        return None

    def _first_workers(self, watch: Watch) -> list[str]:
        """Return the workers there are; waits for the first one."""
        until = time.monotonic() + FIRST_WORKER_SECONDS
        while not (threads := self.threads()):
            if watch.stop.is_set():
                raise Stopped
            if time.monotonic() > until:
                raise ClusterError(f"the scheduler at {self.address} has no workers")
            time.sleep(10 * POLL_SECONDS)
        return sorted(threads)


def _is_address(text: str) -> bool:
    """Tell whether a text is scheme://host:port, or host:port, which means TCP."""
    try:
        parts = urlsplit(text if "://" in text else f"tcp://{text}")
        return parts.scheme in SCHEMES and bool(parts.hostname) and bool(parts.port)
    except ValueError:
        return False


def _names(players: Iterable[StrategySpec]) -> str:
    return " ".join(f'"{player.text}"' for player in dict.fromkeys(players))


def _who(part: Part, plan: Plan) -> str:
    return f"the players are {_names(part.players(plan.rules))}"
