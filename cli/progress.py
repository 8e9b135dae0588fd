"""The progress of a run on stderr: one line, rewritten on a terminal, else one each half minute."""

from __future__ import annotations

import os
import sys
import threading
import time
from types import TracebackType

from cli.texts.words import short_count

REDRAW_SECONDS = 0.2
QUIET_SECONDS = 30.0
"""Between two lines where a line cannot be rewritten."""
SLOW_START_SECONDS = 1.0
"""After this long without a pair played, say what the wait is for."""


class Progress:
    """Follows a run and tells of it until its with-block ends.

    `note` is part of the line: what is known so far, in a few words.
    """

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._rewrites = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self._total = self._pairs = self._deals = 0
        self._since = time.monotonic()
        self._shown = ""
        self.note = ""
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._teller = threading.Thread(target=self._tell, name="progress", daemon=True)

    def __enter__(self) -> Progress:
        if not self._quiet:
            self._teller.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self._ended.set()
        if not self._quiet:
            self._teller.join()
            self._show("")

    def start(self, total_pairs: int) -> None:
        """Begin counting towards so many pairs."""
        self._total = total_pairs

    def say(self, line: str) -> None:
        """Print a line of its own; nothing with --quiet."""
        if not self._quiet:
            self._show("")
            sys.stderr.write(line + "\n")

    def advance(self, pairs: int, deals: int) -> None:
        """Take note of pairs and deals just played; pairs without deals were played before, and make no speed."""
        with self._lock:
            if not deals:
                self._total -= pairs
                return
            if not self._pairs:
                self._since = time.monotonic()
            self._pairs += pairs
            self._deals += deals

    def _tell(self) -> None:
        if not self._ended.wait(SLOW_START_SECONDS) and not self._pairs:
            self._show("  compiling the kernels: once, about 15 seconds", keep=True)
        while not self._ended.wait(REDRAW_SECONDS if self._rewrites else QUIET_SECONDS):
            if self._pairs:
                self._show(self._line())

    def _line(self) -> str:
        seconds = max(time.monotonic() - self._since, 1e-3)
        left = round(seconds * (self._total - self._pairs) / self._pairs)
        # With a note the count of deals gives way to it: the line must fit into 80 columns to be rewritten.
        middle = self.note or f"{short_count(self._deals)} deals · {short_count(self._deals / seconds)} deals/s"
        return (
            f"  {100 * self._pairs / max(self._total, 1):.0f}%  {self._pairs:,} of {self._total:,} pairs"
            f" · {middle} · {left // 60}:{left % 60:02d} left"
        )

    def _show(self, line: str, *, keep: bool = False) -> None:
        if self._rewrites:
            sys.stderr.write("\r" + line.ljust(len(self._shown)) + ("\r" if not line else ""))
            self._shown = line
        elif line or keep:
            sys.stderr.write(line + "\n")
        sys.stderr.flush()
