"""The progress of a run on stderr: one line, rewritten on a terminal, else one each half minute."""

from __future__ import annotations

import os
import sys
import threading
from types import TracebackType
from typing import TYPE_CHECKING, TextIO

from cli.texts.watch import REWRITTEN_WIDTH, standing_line
from experiments.progress_file import Count, Estimate

if TYPE_CHECKING:
    from analysis.sequential import Look
    from experiments.resume import Listeners

REDRAW_SECONDS = 0.2
QUIET_SECONDS = 30.0
"""Between two lines where a line cannot be rewritten."""
SLOW_START_SECONDS = 1.0
"""After this long without a pair played, say what the wait is for."""
GETTING_READY = "getting ready: the first time the kernels are compiled, about 15 seconds"


class StatusLine:
    """A line of a stream that is written again and again: in its place on a terminal, else below one another."""

    def __init__(self, stream: TextIO) -> None:
        self.rewrites = stream.isatty() and os.environ.get("TERM") != "dumb"
        self._stream = stream
        self._shown = ""

    def show(self, line: str) -> None:
        """Write the line."""
        if self.rewrites:
            self._stream.write("\r" + line.ljust(len(self._shown)))
            self._shown = line
        else:
            self._stream.write(line + "\n")
        self._stream.flush()

    def clear(self) -> None:
        """Take away what stands there, so that something else can be written."""
        if self._shown:
            self._stream.write("\r" + " " * len(self._shown) + "\r")
            self._stream.flush()
        self._shown = ""

    def end(self) -> None:
        """Leave the line as it stands."""
        if self._shown:
            self._stream.write("\n")
            self._stream.flush()
        self._shown = ""


class Progress:
    """Follows a run and tells of it until its with-block ends; `wait` says what a slow start is spent on."""

    def __init__(self, *, quiet: bool, wait: str = GETTING_READY) -> None:
        self.count = Count()
        self._quiet = quiet
        self._wait = wait
        self._line = StatusLine(sys.stderr)
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
            self._line.clear()

    @property
    def note(self) -> str:
        """What is known so far, in a few words of one's own."""
        return self.count.note

    @note.setter
    def note(self, note: str) -> None:
        self.count.note = note

    def tell(self, estimate: Estimate) -> None:
        """Take note of how the one pairing that is played stands."""
        self.count.estimate = estimate

    def tell_look(self, look: Look) -> None:
        """Take note of how a comparison stands."""
        self.count.note = f"A {100 * look.moments.mean:.1f}%"

    @property
    def listeners(self) -> Listeners:
        """Who hears how a run of any kind stands."""
        from experiments.resume import Listeners

        return Listeners(self.tell_look, self.start, self.tell)

    def start(self, total_pairs: int) -> None:
        """Begin counting towards so many pairs."""
        self.count.start(total_pairs)

    def say(self, line: str) -> None:
        """Print a line of its own; nothing with --quiet."""
        if not self._quiet:
            self._line.clear()
            sys.stderr.write(line + "\n")

    def advance(self, pairs: int, deals: int) -> None:
        """Take note of pairs and deals just played; pairs without deals were played before, and make no speed."""
        self.count.advance(pairs, deals)

    def _tell(self) -> None:
        if not self._ended.wait(SLOW_START_SECONDS) and not self.count.has_begun:
            self._line.show(f"  {self._wait}")
        while not self._ended.wait(REDRAW_SECONDS if self._line.rewrites else QUIET_SECONDS):
            if self.count.has_begun:
                self._line.show(standing_line(self.count.standing(), REWRITTEN_WIDTH if self._line.rewrites else None))
