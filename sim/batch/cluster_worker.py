"""What a worker of a cluster does: make the players ready, play a part, put its files into the shared run folder.

A task carries the plan and one part; the worker binds the players from the plan's own copy of their sources, so nothing
is read from the client's disk but the run folder. Files come into being in a folder of the session, each task in its
own, and are renamed into place: so a task that Dask runs twice, or one left over from a client that died, never writes
where another does. When the session is over its folder is gone, and tasks left over stop.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from concurrent.futures import Future, wait
from pathlib import Path
from threading import Lock, Thread
from typing import NamedTuple
from uuid import uuid4

from sim.batch.fingerprint import engine_fingerprint
from sim.batch.part_lines import PartLine, files_of
from sim.batch.plan import Part, Plan
from sim.batch.provenance import engine_version
from sim.batch.runner import Bind, PartSummary, Place, RunFailed, Watch, run_part
from sim.batch.store import RunFolder, StoreError
from sim.decisions import StrategySpec

CHECK_SECONDS = 1.0
"""How often it is looked whether the deals in work still move on and the session is still there."""
_BINDING = Lock()


class ClusterError(RuntimeError):
    """A cluster that cannot play: no Dask, no scheduler, no worker, or a worker that is refused, by name."""


class Spot(NamedTuple):
    """What a worker must know and agree with: the session's folder, and the client's engine version and fingerprint."""

    session: str
    engine: tuple[str, str]


class Failure(NamedTuple):
    """A `RunFailed` on its way home, without the worker's traceback."""

    kind: type[RunFailed]
    message: str
    place: Place


class _Staged(RunFolder):
    """The run folder as a worker sees it: files go into a folder of their own, the line goes to the client."""

    def __init__(self, path: Path, tables: Iterable[str]) -> None:
        self.path = path
        for table in tables:
            (path / table).mkdir()

    def add_part(self, line: PartLine) -> None:
        """Leave the line to the client."""


def make_ready(players: Iterable[StrategySpec], bind: Bind, spot: Spot) -> str:
    """Make the players ready in this worker; return why the worker is refused, or an empty text."""
    refused = _refused(spot)
    if not refused:
        with _BINDING:  # two threads would compile the same
            for player in players:
                bind(player)
    return refused


def _refused(spot: Spot) -> str:
    from distributed import get_worker

    me = f"worker {get_worker().name} at {get_worker().address} is refused"
    if not Path(spot.session).is_dir():
        return f"{me}: it does not see the folder {Path(spot.session).parent}, which must be shared"
    if engine_version() != spot.engine[0]:
        return f"{me}: its engine is version {engine_version()}, here it is {spot.engine[0]}"
    with _BINDING:
        fingerprint = engine_fingerprint()
    if fingerprint != spot.engine[1]:
        return f"{me}: its engine deals or scores otherwise (fingerprint {fingerprint}, here {spot.engine[1]})"
    return ""


def play_part_here(plan: Plan, part: Part, bind: Bind, spot: Spot) -> PartLine | Failure:
    """Play a part, put its files into the run folder and return its line."""
    session = Path(spot.session)
    refused = make_ready(part.players(plan.rules), bind, spot)  # a worker that joined late was not asked before
    if refused:
        raise ClusterError(refused)
    try:
        staging = session / uuid4().hex
        staging.mkdir()
        try:
            line = _watched(plan, part, bind, _Staged(staging, plan.tables), session)
            for entry in files_of(line).values():
                file = session.parent / entry["file"]
                file.parent.mkdir(exist_ok=True)  # a run fetched to go on with it comes without its rows
                (staging / entry["file"]).replace(file)
        finally:
            shutil.rmtree(staging, ignore_errors=True)
    except RunFailed as error:
        return Failure(type(error), str(error), error.place)
    except (OSError, StoreError) as error:
        if not session.is_dir():
            raise ClusterError(f"the session is over: its folder {session} is gone") from error
        if isinstance(error, StoreError):
            raise
        raise StoreError(f"{session.parent} cannot be written: {error.strerror or error}") from error
    return line


def _watched(plan: Plan, part: Part, bind: Bind, folder: RunFolder, session: Path) -> PartLine:
    """Play a part in a thread of its own, which is left behind if a strategy does not come back from a decision."""
    watch, played = Watch(), Future[PartSummary]()

    def work() -> None:
        """Play the part; what comes of it, or goes wrong, goes into `played`."""
        try:
            played.set_result(run_part(plan, part, bind, folder, watch))
        except BaseException as error:
            played.set_exception(error)

    Thread(target=work, daemon=True).start()
    while not wait([played], timeout=CHECK_SECONDS).done:
        if not session.is_dir():
            watch.stop.set()
        watch.check()
    return played.result().line
