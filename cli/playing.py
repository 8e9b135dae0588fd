"""What every command that plays does around it: progress, a run folder, and what is said when it is broken off."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from cli.find_run import ROOT
from cli.options import is_quiet
from cli.progress import GETTING_READY, Progress
from cli.texts.watch import resume_line
from cli.texts.words import size_text
from cli.weighing import MAY_END_EARLY, need_text, refuse_too_large
from experiments.progress_file import counting

if TYPE_CHECKING:
    from experiments.simulate import Workers
    from sim.batch.plan import Plan

T = TypeVar("T")

ON_A_CLUSTER = "the workers get ready and play their first parts"
LARGE_BYTES = 100_000_000
"""From here on what a run takes on disk is told before it is played."""


@contextmanager
def workers(threads: int, scheduler: str | None) -> Iterator[Workers]:
    """Give who plays: so many threads here, or the workers of the scheduler at an address.

    Raises `sim.batch.cluster_worker.ClusterError` when Dask is not installed or no scheduler answers.
    """
    if scheduler is None:
        yield threads
    else:
        from sim.batch.cluster import Cluster

        with Cluster(scheduler) as cluster:
            yield cluster


def play(make: Callable[[], Plan], out: Path | None, run: Callable[[Plan, Path, Progress], T]) -> T:
    """Make a plan and run it into the folder `out`, or a new one; return what the run returns.

    Raises RuntimeError when the disk cannot hold it, with the replay command when a strategy misbehaves, or with the
    resume command when the folder of a run, or where it is kept, cannot be written any more, or a cluster is lost; what
    else is raised goes through.
    """
    from cli.texts.commands import replay_command, shown
    from experiments.recording import default_folder
    from sim.batch.cluster_worker import ClusterError
    from sim.batch.mirror import RemoteError
    from sim.batch.runner import RunFailed
    from sim.batch.store import StoreError

    on_cluster = click.get_current_context().params.get("scheduler")
    progress = Progress(quiet=is_quiet(), wait=ON_A_CLUSTER if on_cluster else GETTING_READY)
    with progress:
        plan = make()
        first_line = _weigh(plan, out or ROOT, progress)
        folder = out or default_folder(plan, ROOT)
        progress.start(plan.total_pairs())
        try:
            with counting(progress.count, first_line):
                return run(plan, folder, progress)
        except KeyboardInterrupt:
            progress.say(f"interrupted: the finished parts are kept in {shown(folder)}")
            progress.say(resume_line(shown(folder)))
            raise
        except RunFailed as error:
            if not error.can_be_replayed:
                raise
            raise RuntimeError(f"{error}\n  see it: {replay_command(plan, error.place)}") from error
        except (StoreError, RemoteError, ClusterError, OSError) as error:
            if not _can_go_on(folder):
                raise
            told = f"the finished parts are kept in {shown(folder)}"
            raise RuntimeError(f"{error}\n  {told}\n{resume_line(shown(folder))}") from error


def _weigh(plan: Plan, folder: Path, progress: Progress) -> str:
    """Tell what a large run takes, refuse one that the disk cannot hold, and return the first line of its log."""
    from experiments.disk_need import disk_need
    from sim.batch.provenance import engine_version

    need = disk_need(plan, folder)
    ends_early = _may_end_early(folder)
    about = need_text(need, at_most=ends_early)
    if not ends_early:
        refuse_too_large(need, folder)
    if need.size > LARGE_BYTES:
        progress.say(f"  {about}, of {size_text(need.free)} free")
    threads = click.get_current_context().params.get("threads")
    command = shlex.join(["hollywood", *sys.argv[1:]])
    return f"{command} (version {engine_version()}, {threads} threads, {about})"


def _can_go_on(folder: Path) -> bool:
    """Tell whether a folder holds a run to resume."""
    from sim.batch.store import StoreError, read_manifest

    try:
        return bool(read_manifest(folder))
    except StoreError:
        return False


def _may_end_early(folder: Path) -> bool:
    """Tell whether a run plays all of its plan only if it must: a comparison does, and a sweep."""
    from sim.batch.store import read_manifest

    kinds = {click.get_current_context().info_name}
    if _can_go_on(folder):
        kinds.add(read_manifest(folder).get("experiment", {}).get("kind"))
    return bool(kinds & MAY_END_EARLY)
