"""The progress of a check on stderr: one line, rewritten on a terminal, else one each half minute."""

from __future__ import annotations

import sys
import time
from types import TracebackType

from cli.progress import QUIET_SECONDS, REDRAW_SECONDS, SLOW_START_SECONDS, StatusLine


class Checking:
    """Follows a check until its with-block ends; one that takes less than a second is not told of."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._line = StatusLine(sys.stderr)
        self._next = time.monotonic() + SLOW_START_SECONDS

    def __enter__(self) -> Checking:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self._line.clear()

    def tell(self, what: str, done: int, in_all: int) -> None:
        """Say what is being done, how much of it is done, and how much there is."""
        now = time.monotonic()
        if self._quiet or now < self._next:
            return
        self._next = now + (REDRAW_SECONDS if self._line.rewrites else QUIET_SECONDS)
        self._line.show(f"  {what}: {done:,} of {in_all:,}")
