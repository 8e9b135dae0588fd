"""A run of a batch in a process of its own: started by `launch`, played by `main`.

The process reads its job from stdin and is to stop when stdin closes, so that it never outlives the batch. Its answer
is the one line on its stdout; progress goes to stderr. A run that crashes, or whose strategy never comes back, takes
nothing but its own process along.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cli.progress import Progress
    from experiments.batch import Job
    from experiments.resume import Found
    from sim.batch.plan import Plan

GRACE_SECONDS = 30.0
"""A process that was asked to stop and has not by then, held by a strategy that never comes back, ends at once."""


def task_of(job: Job, threads: int, *, quiet: bool) -> dict[str, Any]:
    """Return what the process of a job is told, as JSON can carry it."""
    run = job.drawn.run
    return {
        "run": {"name": run.name, "kind": run.kind, "settings": dict(run.settings)},
        "spec_hash": job.drawn.plan.spec_hash(),
        "folder": str(job.folder),
        "resume": job.resume,
        "threads": threads,
        "quiet": quiet,
    }


def launch(job: Job, threads: int, *, quiet: bool) -> dict[str, Any]:
    """Play a job in a process of its own and return its state, with ``words`` or a ``reason``.

    On KeyboardInterrupt the process is asked to stop and waited for, and the exception goes on.
    """
    # -P and the path as it is here: the same modules, wherever the command is called and however it was started
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-P", "-m", "cli.batch_worker"]
    process = subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    )
    assert process.stdin is not None and process.stdout is not None
    try:
        with process.stdout:
            try:
                process.stdin.write(json.dumps(task_of(job, threads, quiet=quiet)) + "\n")
                process.stdin.flush()
                answer = process.stdout.read()
            finally:
                process.stdin.close()
                process.stdout.read()
    except BrokenPipeError:
        answer = ""
    finally:
        code = process.wait()
    return _answer(answer, code)


def _answer(text: str, code: int) -> dict[str, Any]:
    try:
        return dict(json.loads(text))
    except ValueError:
        told = f"signal {-code}" if code < 0 else f"code {code}"
        return {"state": "failed", "reason": f"its process ended with {told} and said nothing"}


class _Stop:
    """Raises KeyboardInterrupt once, however often and in whatever way it is asked to."""

    def __init__(self) -> None:
        self.asked = False

    def __call__(self, *_: object) -> None:
        if not self.asked:
            self.asked = True
            raise KeyboardInterrupt

    def follow_stdin(self) -> None:
        """Stop when stdin closes."""
        sys.stdin.read()
        if not self.asked:
            os.kill(os.getpid(), signal.SIGINT)  # wakes the main thread, whatever it waits for
        time.sleep(GRACE_SECONDS)
        os._exit(130)


def main() -> None:
    """Play the job that stdin holds, write the answer, and end the process, whoever still holds a thread of it."""
    stop = _Stop()
    signal.signal(signal.SIGINT, stop)
    signal.signal(signal.SIGTERM, stop)
    answer = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a player's file prints is no answer
    try:
        task = json.loads(sys.stdin.readline())
        threading.Thread(target=stop.follow_stdin, name="follow stdin", daemon=True).start()
        told = answer_to(task)
    except KeyboardInterrupt:
        told = {"state": "interrupted"}
    stop.asked = True
    answer.write(json.dumps(told))
    answer.flush()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def answer_to(task: dict[str, Any]) -> dict[str, Any]:
    """Play a run and return its state, with ``words`` or a ``reason``; only KeyboardInterrupt goes through."""
    try:
        return _play(task)
    except Exception as error:
        if os.environ.get("HOLLYWOOD_DEBUG"):
            import traceback

            traceback.print_exc()
        return {"state": "failed", "reason": _reason(error)}


def _reason(error: Exception) -> str:
    if isinstance(error, ValueError | RuntimeError | OSError):
        return str(error)
    return f"unexpected {type(error).__name__}: {error}"


def _play(task: dict[str, Any]) -> dict[str, Any]:
    """Play a run and return its state and what it came to."""
    from cli.progress import Progress
    from cli.texts.found import headline
    from experiments.progress_file import counting
    from sim.batch.provenance import engine_version
    from sim.batch.store import read_manifest

    folder = Path(task["folder"])
    first_line = f"{task['run']['name']} of a batch (version {engine_version()}, {task['threads']} threads)"
    with Progress(quiet=task["quiet"]) as progress, counting(progress.count, first_line):
        found = _go_on(folder, task, progress) if task["resume"] else _begin(folder, task, progress)
    return {"state": read_manifest(folder)["status"], "words": headline(found)}


def _begin(folder: Path, task: dict[str, Any], progress: Progress) -> Found:
    from experiments.batch_runs import BatchRun, draw, sized, start
    from sim.batch.runner import Watch

    drawn = draw(BatchRun(**task["run"]))
    if drawn.plan.spec_hash() != task["spec_hash"]:  # files are read anew in this process, perhaps hours later
        raise ValueError("a file of its players or rules was changed after the batch was started")
    drawn = sized(drawn, task["threads"])
    _weigh(drawn.plan, folder, task)
    progress.start(drawn.plan.total_pairs())
    return start(drawn, folder, (task["threads"], Watch(progress.advance)), progress.listeners)


def _go_on(folder: Path, task: dict[str, Any], progress: Progress) -> Found:
    from experiments.resume import plan_to_resume, resume
    from sim.batch.runner import Watch

    plan = plan_to_resume(folder)
    _weigh(plan, folder, task)
    progress.start(plan.total_pairs())
    return resume(folder, plan, (task["threads"], Watch(progress.advance)), progress.listeners)


def _weigh(plan: Plan, folder: Path, task: dict[str, Any]) -> None:
    """Refuse a run that the disk cannot hold, as when it is played by a command of its own."""
    from cli.weighing import MAY_END_EARLY, refuse_too_large
    from experiments.disk_need import disk_need

    if task["run"]["kind"] not in MAY_END_EARLY:
        refuse_too_large(disk_need(plan, folder), folder)


if __name__ == "__main__":
    main()
