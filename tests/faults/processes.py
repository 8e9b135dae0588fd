"""`hollywood` in processes that can be killed, and what is compared of the runs they leave."""

from __future__ import annotations

import itertools
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from sim.batch.part_lines import PartLine, read_lines

ROOT = Path(__file__).parents[2]
MOST_SECONDS = 120.0
"""A process that takes longer than this hangs."""
TIMES = ("seconds", "deals_per_second")
"""What may differ between two summaries of the same play."""


class Ended(NamedTuple):
    """How a process ended: its exit code (less than 0: killed by that signal) and what it has said."""

    code: int
    out: str
    err: str


class Server:
    """The process that others are forked from (`tests.faults.server`); `prefix` is a command to start it under."""

    def __init__(self, *prefix: str) -> None:
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        environment.pop("HOLLYWOOD_DEBUG", None)
        self._process = subprocess.Popen(
            [*prefix, sys.executable, "-W", "ignore", "-m", "tests.faults.server"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
            cwd=ROOT,
        )
        assert self._answer() == "ready"

    def ask(self, do: str, **asked: object) -> Any:
        """Send a request and return the answer."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"do": do, **asked}) + "\n")
        self._process.stdin.flush()
        return self._answer()

    def shell(self, command: str) -> str:
        """Run a shell command where the processes run, and return what it prints."""
        code, said = self.ask("shell", command=command)
        assert code == 0, said
        return str(said)

    def close(self) -> None:
        """End the server."""
        self._process.communicate()

    def _answer(self) -> Any:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "the server has died"
        return json.loads(line)


class Running:
    """A `hollywood` process."""

    def __init__(self, server: Server, process: int, said: tuple[Path, Path]) -> None:
        self.process = process
        self._server, self._said = server, said
        self._code: int | None = None

    def send(self, number: signal.Signals) -> None:
        """Send a signal, unless the process has ended."""
        if not self.has_ended():  # not reaped yet, so the number is still its own
            os.kill(self.process, number)

    def halt(self) -> None:
        """Make it stand still, all its threads, which happens some time after the signal is sent."""
        self.send(signal.SIGSTOP)
        self.until(self._stands_still, "for the process to stand still")

    def _stands_still(self) -> bool:
        states = set()
        for file in Path(f"/proc/{self.process}/task").glob("*/stat"):
            try:
                states.add(file.read_text().rpartition(")")[2].split()[0])
            except OSError:  # this thread has just ended
                return False
        return states == {"T"}

    def has_ended(self) -> bool:
        """Tell whether it has ended."""
        if self._code is None:
            self._code = self._server.ask("poll", process=self.process)
        return self._code is not None

    def until(self, condition: Callable[[], bool], what: str) -> None:
        """Wait until something is so, or the process has ended."""
        give_up = time.monotonic() + MOST_SECONDS
        while not condition() and not self.has_ended():
            if time.monotonic() > give_up:
                os.kill(self.process, signal.SIGKILL)
                raise AssertionError(f"waited in vain: {what}")
            time.sleep(0.002)

    def end(self) -> Ended:
        """Wait for the end."""
        self.until(self.has_ended, "for the end of the process")
        assert self._code is not None
        out, err = (file.read_text(encoding="utf-8") for file in self._said)
        return Ended(self._code, out, err)


class Hollywood:
    """The command in one folder, each time in a process of its own."""

    def __init__(self, server: Server, folder: Path, said: Path, part_pairs: int = 256) -> None:
        self.server, self.folder = server, folder
        self._said, self._part_pairs = said, part_pairs
        self._numbers = itertools.count()

    def start(self, *arguments: str, **setting: object) -> Running:
        """Start the command; `setting` is what `tests.faults.server.set_up` knows."""
        number = next(self._numbers)
        said = self._said / f"stdout-{number}", self._said / f"stderr-{number}"
        for file in said:
            file.touch()  # it may be killed before it has opened them
        asked = {"part_pairs": self._part_pairs, "stdout": str(said[0]), "stderr": str(said[1]), **setting}
        process = self.server.ask("start", folder=str(self.folder), arguments=arguments, **asked)
        return Running(self.server, process, said)

    def __call__(self, *arguments: str, **setting: object) -> Ended:
        """Run the command to its end."""
        return self.start(*arguments, **setting).end()

    def resume(self, run: Path, **setting: object) -> Ended:
        """Resume a run; it must succeed."""
        ended = self("runs", "resume", str(run), **setting)
        assert ended.code == 0, ended.err
        return ended


def lines_of(run: Path) -> dict[int, PartLine]:
    """Return the lines of the finished parts by number, without the times; none before there are any."""
    lines = read_lines(run)
    return {line["part"]: {key: value for key, value in line.items() if key not in TIMES} for line in lines}


def data_of(run: Path) -> dict[str, bytes]:
    """Return every file of results of a run."""
    files = [file for table in ("matches", "deals", "trios") for file in (run / table).rglob("*") if file.is_file()]
    return {file.relative_to(run).as_posix(): file.read_bytes() for file in files}


def read_json(file: Path) -> dict[str, Any]:
    """Read a JSON file."""
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found


def summary_of(run: Path) -> dict[str, Any]:
    """Return the summary of a run without its place and the times."""
    return {key: value for key, value in read_json(run / "summary.json").items() if key not in (*TIMES, "run")}


def assert_same_run(found: Path, expected: Path) -> None:
    """Prove that a run has become what another one is: data byte for byte, and all but the times."""
    assert data_of(found) == data_of(expected)
    assert lines_of(found) == lines_of(expected)
    assert (found / "spec.toml").read_bytes() == (expected / "spec.toml").read_bytes()
    assert summary_of(found) == summary_of(expected)
    said = [read_json(run / "manifest.json") for run in (found, expected)]
    for key in ("status", "stopped_by", "dropped", "again", "experiment", "fingerprint", "spec_hash"):
        assert said[0].get(key) == said[1].get(key), key
    assert not list(found.rglob("*.tmp")), "something half-written is left"
