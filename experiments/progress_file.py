"""How far a run is: counted while it plays, and kept in its folder for those who look from outside.

progress.json is written anew every two seconds and is gone when the run has ended: what a run came to is in its
manifest and summary. run.log has a line a minute.
"""

from __future__ import annotations

import json
import os
import platform
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:  # the command line loads this module to show its help, which must answer at once
    from sim.batch.store import RunFolder
    from sim.batch.tally import Tally

PROGRESS = "progress.json"
WRITE_SECONDS = 2.0
LOG_SECONDS = 60.0


class Estimate(NamedTuple):
    """A's share of the matches so far, a fraction, with 95% limits that hold however often one looks."""

    share: float
    low: float
    high: float


def estimate_of(sums: Tally, planned: int) -> Estimate:
    """Return how a pairing of two sides stands, of which `planned` pairs are to be played."""
    from analysis.anytime import anytime_limits
    from experiments.outcomes import score_moments

    pairs, share, variance = score_moments(sums)
    low, high = anytime_limits(share, variance**0.5, pairs, planned, share=True)
    return Estimate(share, float(low), float(high))


@dataclass(frozen=True)
class Standing:
    """How far a run is.

    `pairs` of `total` duplicate pairs are played, those that were in place before included; `deals` and their speed are
    of this process alone. `seconds_left` is None as long as there is no speed to go by, `memory` (bytes) is what the
    process has resident, 0 if that is not known, `note` says in a few words what is known so far.
    """

    pairs: int
    total: int
    deals: int = 0
    deals_per_second: float = 0.0
    seconds_left: int | None = None
    estimate: Estimate | None = None
    note: str = ""
    memory: int = 0

    def document(self) -> dict[str, Any]:
        """Return what progress.json keeps."""
        share, low, high = self.estimate or (None, None, None)
        return {
            "pairs": self.pairs,
            "total": self.total,
            "deals": self.deals,
            "deals_per_second": round(self.deals_per_second),
            "seconds_left": self.seconds_left,
            "estimate": share,
            "low": low,
            "high": high,
            "note": self.note,
            "memory": self.memory,
        }

    @classmethod
    def read(cls, kept: Mapping[str, Any]) -> Standing:
        """Return the standing that `document` was made of. Raises LookupError where something is missing."""
        names = ("pairs", "total", "deals", "deals_per_second", "seconds_left", "note", "memory")
        known = None if kept["estimate"] is None else Estimate(kept["estimate"], kept["low"], kept["high"])
        return cls(**{name: kept[name] for name in names}, estimate=known)

    def log_line(self) -> str:
        """Return the line of run.log."""
        line = f"{self.pairs:,} of {self.total:,} pairs, {self.deals:,} deals, {self.deals_per_second:,.0f} deals/s"
        line += f", {self.memory / 1e6:.0f} MB resident"
        if self.estimate is not None:
            share, low, high = (100 * value for value in self.estimate)
            line += f", A wins {share:.2f}% ({low:.2f} to {high:.2f})"
        return line + (f", {self.note}" if self.note else "")


def resident_bytes() -> int:
    """Return the memory this process holds, or where the system does not tell the most it has held; 0 if neither."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, LookupError):
        pass
    try:
        import resource
    except ImportError:
        return 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # bytes where there is no /proc


class Count:
    """Counts what is played; used from several threads. `estimate` and `note` are set by whoever knows them."""

    def __init__(self) -> None:
        self.estimate: Estimate | None = None
        self.note = ""
        self._total = self._before = self._pairs = self._deals = 0
        self._since: float | None = None
        self._lock = threading.Lock()

    def start(self, total_pairs: int) -> None:
        """Count towards so many pairs, those that are in place included."""
        self._total = total_pairs

    def advance(self, pairs: int, deals: int) -> None:
        """Take note of pairs and deals just played; pairs without deals were played before, and make no speed.

        Speed is measured from when neither is told of, as playing begins; else from the first pairs, of which threads
        tell at once, when their kernels are compiled.
        """
        with self._lock:
            if self._since is None and (deals or not pairs):
                self._since = time.monotonic()
            if not deals:
                self._before += pairs
                return
            self._pairs += pairs
            self._deals += deals

    @property
    def has_begun(self) -> bool:
        """Whether a pair was played."""
        return self._pairs > 0

    def standing(self) -> Standing:
        """Return how far it is."""
        with self._lock:
            now = time.monotonic()
            seconds = max(now - (now if self._since is None else self._since), 1e-3)
            done = self._before + self._pairs
            left = round(seconds * max(self._total - done, 0) / self._pairs) if self._pairs else None
            deals = self._deals
        speed = deals / seconds
        return Standing(done, self._total, deals, speed, left, self.estimate, self.note, resident_bytes())


_AT_HAND: ContextVar[tuple[Count, str] | None] = ContextVar("at_hand", default=None)


@contextmanager
def counting(count: Count, first_line: str) -> Iterator[None]:
    """Have the runs that are recorded inside tell how far they are, as `count` has it.

    `first_line` is what their run.log begins with.
    """
    token = _AT_HAND.set((count, first_line))
    try:
        yield
    finally:
        _AT_HAND.reset(token)


@contextmanager
def telling(run: RunFolder) -> Iterator[None]:
    """Keep progress.json and run.log of a run up to date, if anybody counts. It stops nothing that it cannot write."""
    at_hand = _AT_HAND.get()
    if at_hand is None:
        yield
        return
    count, first_line = at_hand
    run.log(first_line)
    ended = threading.Event()
    teller = threading.Thread(target=_tell, args=(run, count, ended), name="progress-file", daemon=True)
    teller.start()
    try:
        yield
    finally:
        ended.set()
        teller.join()
        _remove(run.path)


def _tell(run: RunFolder, count: Count, ended: threading.Event) -> None:
    logged = time.monotonic()
    while True:
        standing = count.standing()
        _write(run.path, standing)
        if count.has_begun and time.monotonic() - logged >= LOG_SECONDS:
            run.log(standing.log_line())
            logged = time.monotonic()
        if ended.wait(WRITE_SECONDS):
            return


def _write(path: Path, standing: Standing) -> None:
    """Write progress.json in one go. It need not outlive a power cut, so the disk is not waited for."""
    temporary = path / f".{PROGRESS}.tmp"
    with suppress(OSError):
        temporary.write_text(json.dumps({**standing.document(), **_stamp()}) + "\n", encoding="utf-8")
        temporary.replace(path / PROGRESS)


def _stamp() -> dict[str, object]:
    from sim.batch.provenance import now

    return {"time": now(), "pid": os.getpid(), "host": platform.node()}


def _remove(path: Path) -> None:
    """Remove progress.json, unless another process goes on with the run already."""
    kept = read_progress(path)
    with suppress(OSError):
        (path / f".{PROGRESS}.tmp").unlink(missing_ok=True)
        if kept is None or (kept["pid"], kept["host"]) == (os.getpid(), platform.node()):
            (path / PROGRESS).unlink(missing_ok=True)


def read_progress(path: Path) -> dict[str, Any] | None:
    """Return what progress.json of a run folder says; None if there is none, or none that can be read."""
    try:
        kept = json.loads((path / PROGRESS).read_text(encoding="utf-8"))
        Standing.read(kept)
        return {"pid": None, "host": None, "time": "", **kept}
    except (OSError, ValueError, LookupError, TypeError):
        return None
