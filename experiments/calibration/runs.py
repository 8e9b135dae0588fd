"""Puts the procedures for two players to the test: intervals, watching, sequential tests, adjusted estimates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from analysis.anytime import anytime_limits
from analysis.intervals import share_limits
from analysis.power import length
from analysis.sequential import EQUAL, TESTS, UNDECIDED, A, B, SequentialTest, first_stop, look, moments
from analysis.stopping import adjusted
from experiments.calibration.rule import AT_MOST, HALF, HOLDS, WARNING, Line, averaged, counted
from experiments.calibration.sims import EVEN, SKEW, Counts, chances, courses, variance
from experiments.outcomes import Pairing
from sim.batch.tally import BLOCK_PAIRS

Generator = np.random.Generator
Bools = npt.NDArray[np.bool_]

SIZES = (5, 64, 256, 10_000)
LEG_SCORES = (0, 1, 2, 5, 8)
"""Where in a tally's nine counts a pair with score 0, 1/4, 1/2, 3/4, 1 may stand."""
WATCHED_LOOKS = 80
CAP_LOOKS = 196
"""Looks of a comparison of 50,000 pairs, which is what `compare` plays at most unless told."""
ADJUSTED_LOOKS = 80
ADJUSTED_PART = 4
"""An adjusted estimate takes long: one simulated run in so many is made."""


def percent(share: float) -> str:
    """Write a share of the matches: 50%, 50.5%."""
    return f"{round(100 * share, 2):g}%"


def fixed_sizes(rng: Generator, runs: int, share: float, base: Sequence[float] = EVEN) -> Iterator[Line]:
    """Test the interval that `simulate` prints for a number of pairs fixed beforehand."""
    form = ", skew" if base is SKEW else ""
    for size in SIZES:
        drawn = rng.multinomial(size, chances(share, base), runs)
        held = [low <= share <= high for low, high in map(_interval, drawn)]
        yield counted(f"{size:,} pairs, share {percent(share)}{form}", HOLDS, 0.95, held)


def _interval(counts: Counts) -> tuple[float, float]:
    """Return the interval of a pairing with these counts."""
    legs = np.zeros(9, dtype=np.int64)
    legs[list(LEG_SCORES)] = counts
    low, high = Pairing("a", "b", {"pairs": int(counts.sum()), "leg_scores": legs.tolist()}).interval
    return low - 1e-12, high + 1e-12  # a share that is a limit is held by it, rounding or not


def watched(rng: Generator, runs: int, share: float, base: Sequence[float] = EVEN) -> Iterator[Line]:
    """Test the interval that holds at every look; at one half show the plain one beside it, which does not."""
    planned = WATCHED_LOOKS * BLOCK_PAIRS
    plain, anytime = [], []
    for counts in courses(rng, chances(share, base), runs, WATCHED_LOOKS):
        found = moments(np.cumsum(counts, axis=1))
        se = np.sqrt(found.variance / (found.pairs - 1))
        plain.append(_ever_out(share_limits(found.mean, se, found.pairs), share))
        anytime.append(_ever_out(anytime_limits(found.mean, found.variance**0.5, found.pairs, planned), share))
    form = ", skew" if base is SKEW else ""
    if share == 0.5 and base is EVEN:
        yield counted("a plain 95% interval, share 50%", WARNING, 0.05, np.concatenate(plain))
    yield counted(f"the anytime interval, share {percent(share)}{form}", AT_MOST, 0.05, np.concatenate(anytime))


def _ever_out(limits: tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]], share: float) -> Bools:
    """Return which runs, of limits with shape (runs, looks), have ever left the true share outside."""
    return np.asarray(((limits[0] > share) | (limits[1] < share)).any(axis=1))


class Wrong(NamedTuple):
    """A wrong answer of a sequential test: how it is called, its verdicts, and how often it may be given."""

    name: str
    verdicts: tuple[int, ...]
    most: float


def wrong_answers(test: SequentialTest, share: float) -> list[Wrong]:
    """Return what `test` may say only with small probability when A's share is this one.

    At a bound of a question, and beyond it, the answer for the other bound is wrong, with probability alpha or beta.
    Between the two either answer may be given. A mirrored test between equals can go wrong on both sides.
    """
    other = {A: "A named", B: "B named", EQUAL: "equal named" if test.mirrored else '"no worse" said'}
    both = test.mirrored and share == 0.5
    wrong = []
    if both:
        wrong.append(Wrong("A or B named", (A, B), 2 * (test.alpha if test.above == A else test.beta)))
    elif share <= test.s0:
        wrong.append(Wrong(other[test.above], (test.above,), test.alpha))
    elif share >= test.s1:
        wrong.append(Wrong(other[test.below], (test.below,), test.beta))
    if test.mirrored and not both:  # the mirrored question, whose share is 1 - share, on the far side of its bounds
        far = B if share > 0.5 else A
        wrong.append(Wrong(other[far], (far,), test.alpha if test.above == A else test.beta))
    return wrong


def sequential(rng: Generator, runs: int, name: str, share: float, base: Sequence[float] = EVEN) -> Iterator[Line]:
    """Test a preset of `compare`, cap and looks as there: each wrong answer, and how many pairs it plays."""
    test, chance = TESTS[name], chances(share, base)
    verdicts, pairs = [], []
    for counts in courses(rng, chance, runs, CAP_LOOKS):
        for blocks in counts:
            verdict, played = _answer(test, blocks)
            verdicts.append(verdict)
            pairs.append(played)
    form = ", skew" if base is SKEW else ""
    for wrong in wrong_answers(test, share):
        given = np.isin(verdicts, wrong.verdicts)
        yield counted(f"{name} at {percent(share)}{form}: {wrong.name}", AT_MOST, wrong.most, given)
    looks = BLOCK_PAIRS * np.arange(1.0, CAP_LOOKS + 1)
    expected = length(test, variance(chance), share, looks).mean
    yield averaged(f"{name} at {percent(share)}{form}: mean pairs", expected, pairs)


def _answer(test: SequentialTest, blocks: Counts) -> tuple[int, int]:
    """Return the verdict of a run, and after how many pairs it was given or the cap reached."""
    stop = first_stop(test, blocks)
    played = blocks if stop is None else blocks[: stop + 1]
    counts = played.sum(axis=0)
    return (UNDECIDED if stop is None else look(test, counts).verdict), int(counts.sum())


def stopped(rng: Generator, runs: int, share: float) -> Iterator[Line]:
    """Test the estimate that allows for stopping: as often too high as too low, and in its interval."""
    test, high, held = TESTS["gain"], [], []
    for counts in courses(rng, chances(share), -(-runs // ADJUSTED_PART), ADJUSTED_LOOKS):
        for blocks in counts:
            stop = first_stop(test, blocks)
            found = moments((blocks if stop is None else blocks[: stop + 1]).sum(axis=0))
            estimate = adjusted(test, found, ADJUSTED_LOOKS * BLOCK_PAIRS)
            high.append(0.5 + 0.5 * np.sign(round(estimate.estimate - share, 9)))
            held.append(estimate.low <= share <= estimate.high)
    yield counted(f"gain at {percent(share)}: estimate above truth", HALF, 0.5, high)
    yield counted(f"gain at {percent(share)}: its interval holds", HOLDS, 0.95, held)
