"""The progress of a check on stderr: one line, rewritten on a terminal, else one each half minute."""

from __future__ import annotations

import os
import sys
import time
from types import TracebackType

from cli.progress import QUIET_SECONDS, REDRAW_SECONDS, SLOW_START_SECONDS


class Checking:
    """Follows a check until its with-block ends; one that takes less than a second is not told of."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._rewrites = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self._next = time.monotonic() + SLOW_START_SECONDS
        self._width = 0

    def __enter__(self) -> Checking:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        if self._width:
            sys.stderr.write("\r" + " " * self._width + "\r")
            sys.stderr.flush()

    def tell(self, what: str, done: int, in_all: int) -> None:
        """Say what is being done, how much of it is done, and how much there is."""
        now = time.monotonic()
        if self._quiet or now < self._next:
            return
        self._next = now + (REDRAW_SECONDS if self._rewrites else QUIET_SECONDS)
        line = f"  {what}: {done:,} of {in_all:,}"
        if self._rewrites:
            sys.stderr.write("\r" + line.ljust(self._width))
            self._width = len(line)
        else:
            sys.stderr.write(line + "\n")
        sys.stderr.flush()
