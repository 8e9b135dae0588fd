"""What every command that plays does around it: progress, a run folder, and what is said when it is broken off."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from cli.find_run import ROOT
from cli.options import is_quiet
from cli.progress import Progress

if TYPE_CHECKING:
    from sim.batch.plan import Plan

T = TypeVar("T")


def play(make: Callable[[], Plan], out: Path | None, run: Callable[[Plan, Path, Progress], T]) -> T:
    """Make a plan and run it into the folder `out`, or a new one; return what the run returns.

    Raises RuntimeError with the replay command when a strategy misbehaves; what else is raised goes through.
    """
    from cli.texts.commands import replay_command
    from experiments.recording import default_folder
    from sim.batch.runner import RunFailed, RunStalled

    progress = Progress(quiet=is_quiet())
    with progress:
        plan = make()
        folder = out or default_folder(plan, ROOT)
        progress.start(plan.total_pairs())
        try:
            return run(plan, folder, progress)
        except KeyboardInterrupt:
            progress.say(f"interrupted: the finished parts are kept in {folder}")
            progress.say(f"  go on with: hollywood runs resume {shlex.quote(str(folder))}")
            raise
        except RunFailed as error:
            if isinstance(error, RunStalled):  # a replay would not come back either, and could not be interrupted
                raise
            raise RuntimeError(f"{error}\n  see it: {replay_command(plan, error.place)}") from error
