"""When a line of the proof of calibration has failed: realised against nominal, beyond what chance explains.

A line counts in how many of n simulated runs something happened. It fails if a procedure that only just kept its
promise would do as badly with probability below `FALSE_ALARM` = 1 in 100,000 (exact binomial tail). There are at most
`MOST_LINES` = 100 lines, and so, whatever they share, a sound installation is called unsound with probability below 1
in 1,000; the seed is fixed, so that a sound version that passes once passes always.

Keeping a promise: most procedures rest on normal approximations, none of which is exact. An error rate may be up to
`SLACK` = 1.2 times what was promised: 6% for 5%, so that 94% will do for a 95% interval. Without this every one of
them would fail if only enough runs were simulated.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import special

from analysis.intervals import share_limits
from experiments.doctor.selftest import FAILED, NOTE, OK

FALSE_ALARM = 1e-5
MOST_LINES = 100
SLACK = 1.2
CENTRED_SLACK = 0.02
"""A chance of one half may be out by so much, and a mean number of pairs by this part of it."""

HOLDS, AT_LEAST, AT_MOST, HALF, WARNING, MEAN = "holds", "at least", "at most", "half", "warning", "mean"
"""What is promised of a chance: an interval's (too high is a note), bounds from one side, one half; nothing (the line
warns of what not to do). MEAN is no chance but a number of pairs."""


@dataclass(frozen=True)
class Line:
    """One promise put to the test: what was promised and what `runs` simulated runs showed.

    `nominal` and `realised` are chances (0..1), or numbers of pairs where `kind` is MEAN; NaN if a procedure broke
    off. `error` is the Monte Carlo error of `realised`: half a 95% interval. `detail` says what went wrong.
    """

    group: str
    name: str
    kind: str
    nominal: float
    realised: float
    error: float
    runs: int
    state: str
    detail: str = ""

    def document(self) -> dict[str, str | float | int | None]:
        """Return the line as `hollywood doctor --stats --json` prints it."""
        return {
            "group": self.group,
            "name": self.name,
            "nominal": None if np.isnan(self.nominal) else self.nominal,
            "realised": None if np.isnan(self.realised) else self.realised,
            "runs": self.runs,
            "state": self.state,
        }


def counted(name: str, kind: str, nominal: float, happened: npt.ArrayLike) -> Line:
    """Return the line of a chance; `happened` tells of each run whether it did, or 1/2 for a draw."""
    each = np.asarray(happened, dtype=np.float64)
    runs, rate = len(each), float(each.mean())
    low, high = share_limits(np.array(rate), np.array((rate * (1 - rate) / runs) ** 0.5), np.array(float(runs)))
    state = state_of(kind, nominal, float(each.sum()), runs)
    return Line("", name, kind, nominal, rate, float(high - low) / 2, runs, state)


def averaged(name: str, nominal: float, pairs: npt.ArrayLike) -> Line:
    """Return the line of a mean number of pairs."""
    each = np.asarray(pairs, dtype=np.float64)
    error = float(each.std(ddof=1)) / len(each) ** 0.5
    beyond = max(abs(float(each.mean()) - nominal) - CENTRED_SLACK * nominal, 0.0)
    unlikely = beyond > 0 and 2 * special.ndtr(-beyond / max(error, 1e-9)) < FALSE_ALARM
    half = float(special.ndtri(0.975)) * error
    return Line("", name, MEAN, nominal, float(each.mean()), half, len(each), FAILED if unlikely else OK)


def broken(name: str, error: Exception) -> Line:
    """Return the failed line of a procedure that broke off."""
    told = str(error).strip().splitlines() or [""]
    detail = f"broke off with {type(error).__name__}: {told[0]}"
    return Line("", name, WARNING, np.nan, np.nan, np.nan, 0, FAILED, detail)


def state_of(kind: str, nominal: float, happened: float, runs: int) -> str:
    """Return ok, failed or note for what happened in so many of `runs` runs."""
    if kind == WARNING:
        return NOTE
    low, high = _kept(kind, nominal)
    too_few = _at_most(happened, runs, low) < FALSE_ALARM
    too_many = _at_most(runs - happened, runs, 1 - high) < FALSE_ALARM
    if too_few or too_many:
        return FAILED
    careful = kind == HOLDS and _at_most(runs - happened, runs, 1 - nominal) < FALSE_ALARM
    return NOTE if careful else OK


def _kept(kind: str, nominal: float) -> tuple[float, float]:
    """Return the lowest and the highest chance that still keep the promise."""
    if kind == HALF:
        return nominal - CENTRED_SLACK, nominal + CENTRED_SLACK
    if kind == AT_MOST:
        return 0.0, SLACK * nominal
    return 1 - SLACK * (1 - nominal), 1.0


def _at_most(happened: float, runs: int, chance: float) -> float:
    """Return how likely it is that something with this chance happens so rarely."""
    return float(special.bdtr(np.ceil(happened), runs, chance)) if chance > 0 else 1.0
