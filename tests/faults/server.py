"""Starts `hollywood` in processes of their own, forked from this one, which has everything imported and compiled.

A fresh process takes a second to be ready; a forked one some milliseconds, and is as easily killed. Each line on stdin
is a request, answered by a line on stdout; both are JSON. Small parts, short stalls and a wrong clock are set in the
forked process, before it calls the same `main` as the command does.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import pkgutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import cli
from cli.main import main
from experiments import recording
from experiments.simulate import Request, make_plan
from sim.batch import executors, plan, provenance, runner
from sim.batch.fingerprint import engine_fingerprint
from strategies.registry import bind

Asked = dict[str, Any]


def warm_up() -> None:
    """Load all that is compiled, in this thread: a process with more than one should not be forked."""
    engine_fingerprint()
    few = make_plan(Request(("greedy", "simple", "gin-only", "threshold:knock_at=5"), pairs=1, seed=1, detail="deals"))
    for part in few.parts():
        runner.play_part(few, part, bind, runner.Watch())
    for module in pkgutil.walk_packages(cli.__path__, "cli."):
        importlib.import_module(module.name)
    for name in ("resume", "compare", "sweep", "tournament", "arms"):
        importlib.import_module(f"experiments.{name}")


def set_up(asked: Asked) -> None:
    """Make parts small, stalls short and the clock wrong, as a request says."""
    plan.PART_PAIRS = asked.get("part_pairs", plan.PART_PAIRS)
    runner.STALL_SECONDS = asked.get("stall_seconds", runner.STALL_SECONDS)
    executors.CHECK_SECONDS = min(executors.CHECK_SECONDS, runner.STALL_SECONDS / 2)
    late = timedelta(seconds=asked.get("clock_seconds", 0))
    if "stopped_clock" in asked:
        moment = datetime.fromisoformat(asked["stopped_clock"])

    class WrongClock(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return moment if "stopped_clock" in asked else datetime.now(tz) + late

    if late or "stopped_clock" in asked:
        for module in (recording, provenance):
            module.datetime = WrongClock  # type: ignore[attr-defined]  # a name that the module has imported


def start(asked: Asked) -> int:
    """Start the command and return the number of its process."""
    process = os.fork()
    if process:
        return process
    for number, name in ((1, "stdout"), (2, "stderr")):
        os.dup2(os.open(asked[name], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644), number)
    os.chdir(asked["folder"])
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.argv = ["hollywood", *asked["arguments"]]
    set_up(asked)
    try:
        main()
    except SystemExit as error:
        leave(error)
    raise AssertionError("main has come back")


def leave(error: SystemExit) -> None:
    """End as Python does, waiting for threads, but do not tidy up what is shared with the server: that takes longer
    than most commands.
    """
    for thread in threading.enumerate():
        if thread is not threading.main_thread() and not thread.daemon:
            thread.join()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(error.code if isinstance(error.code, int) else bool(error.code))


def poll(asked: Asked) -> int | None:
    """Return the exit code of a process, less than 0 for a signal, or None while it runs."""
    process, status = os.waitpid(asked["process"], os.WNOHANG)
    return os.waitstatus_to_exitcode(status) if process else None


def shell(asked: Asked) -> list[Any]:
    """Run a shell command where the processes run, which may have file systems of their own."""
    done = subprocess.run(asked["command"], shell=True, capture_output=True, text=True, check=False)
    return [done.returncode, done.stdout + done.stderr]


REQUESTS: dict[str, Callable[[Asked], Any]] = {"start": start, "poll": poll, "shell": shell}

if __name__ == "__main__":
    warm_up()
    gc.freeze()  # or each forked process would copy all there is when it first tidies up
    print(json.dumps("ready"), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        print(json.dumps(REQUESTS[request["do"]](request)), flush=True)
