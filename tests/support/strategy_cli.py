"""Calling the command line in tests: in this process, or in one of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[2]
START = (
    "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); from cli.main import main; main()"
)
"""Starts `hollywood`; a process whose parent ignores control-C, as scripts do, would ignore it too."""


class Said(NamedTuple):
    """What a command came to: its exit code and what it wrote."""

    code: int
    out: str
    err: str

    def json(self) -> Any:
        """Return the only JSON document on stdout; the command must have succeeded."""
        assert self.code == 0, self.err
        return json.loads(self.out)

    def json_lines(self) -> list[Any]:
        """Return the JSON documents on stdout, one a line."""
        assert self.code == 0, self.err
        return [json.loads(line) for line in self.out.splitlines()]


PATIENCE_SECONDS = 120
"""A command may have to compile its kernels first, on a machine that does other things too."""


def start(arguments: Sequence[str], folder: Path, **options: Any) -> subprocess.Popen[str]:
    """Start `hollywood` in a process of its own, working in a folder; options are those of `subprocess.Popen`."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm", **options.pop("environment", {})}
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    command = [sys.executable, "-c", START, *arguments]
    return subprocess.Popen(command, cwd=folder, env=environment, text=True, **pipes)


def finish(process: subprocess.Popen[str], number: signal.Signals | None = None) -> Said:
    """Send a signal, if one is given, wait for the end and return what was said."""
    if number is not None:
        process.send_signal(number)
    try:
        out, err = process.communicate(timeout=PATIENCE_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        raise
    return Said(process.returncode, out, err)


def on_a_terminal(arguments: list[str], folder: Path, **environment: str) -> Said:
    """Run a command whose stdout and stderr are a terminal; return all it shows as `out`."""
    screen, line = os.openpty()
    process = start(arguments, folder, stdout=line, stderr=line, environment=environment)
    os.close(line)
    shown = b""
    while True:
        try:
            read = os.read(screen, 4096)
        except OSError:  # how Linux says that the other end is closed
            break
        if not read:
            break
        shown += read
    os.close(screen)
    return Said(process.wait(timeout=PATIENCE_SECONDS), shown.decode(), "")
