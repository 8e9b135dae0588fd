"""Sequential tests on duplicate pairs: look after every block of pairs, and stop when the answer is plain.

Every question is a generalised sequential probability ratio test between two shares of the matches, s0 and s1, on the
normal approximation of the pair scores, as engine testers use it: Van den Bergh, "A practical introduction to the
GSPRT" (2020), after Wald (1945). With N pairs, mean pair score s and variance sigma^2,

    LLR = N (s1 - s0) (2 s - s0 - s1) / (2 sigma^2),

the answer is "s1 rather than s0" when the LLR reaches ln((1 - beta) / alpha), and "s0 rather than s1" when it falls to
ln(beta / (1 - alpha)). Asked from both sides at once the same formula serves with s0 and s1 mirrored about one half
(Sobel and Wald 1949, in the form that looks at both ratios at the same time).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]

SCORES = np.linspace(0, 1, 5)
"""A's match score over a duplicate pair."""
VERDICTS = ("undecided", "A", "B", "equal")
UNDECIDED, A, B, EQUAL = range(4)
"""Codes of the verdicts: go on; A or B is better; as good as each other to within what was asked."""


class TestError(ValueError):
    """A sequential test that cannot be made; the message names the value and what is allowed."""

    __test__ = False  # no case for pytest


@dataclass(frozen=True)
class SequentialTest:
    """What is asked, from side A's view, in shares of the matches (0..1).

    `above` and `below` are the verdicts at the bounds: A or B is better, or EQUAL, which of a mirrored test needs both
    questions to say so. `alpha` and `beta` are the chances of a wrong "above" and a wrong "below", for each question.
    """

    name: str
    about: str
    s0: float
    s1: float
    above: int
    below: int
    mirrored: bool
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def upper(self) -> float:
        """The bound that an LLR must reach for `above`."""
        return math.log((1 - self.beta) / self.alpha)

    @property
    def lower(self) -> float:
        """The bound that an LLR must fall to for `below`."""
        return math.log(self.beta / (1 - self.alpha))

    def document(self) -> dict[str, Any]:
        """Return the test as JSON shows it."""
        settings = {"name": self.name, "s0": self.s0, "s1": self.s1, "alpha": self.alpha, "beta": self.beta}
        return {**settings, "lower": self.lower, "upper": self.upper}

    @property
    def questions(self) -> tuple[tuple[float, float], ...]:
        """The (s0, s1) of A's question and, in a mirrored test, of B's."""
        mine = (self.s0, self.s1)
        return (mine, (1 - self.s0, 1 - self.s1)) if self.mirrored else (mine,)

    def llrs(self, mean: npt.ArrayLike, variance: npt.ArrayLike, pairs: npt.ArrayLike) -> Floats:
        """Return the LLR of each question, shape (questions, ...), of pair scores with this mean and variance."""
        mean, scale = np.asarray(mean), np.asarray(pairs) / (2 * np.asarray(variance))
        return np.stack([scale * (s1 - s0) * (2 * mean - s0 - s1) for s0, s1 in self.questions])

    def verdicts(self, mean: npt.ArrayLike, variance: npt.ArrayLike, pairs: npt.ArrayLike) -> npt.NDArray[np.uint8]:
        """Return the codes of the verdicts at looks with this mean and variance of the pair scores."""
        llrs = self.llrs(mean, variance, pairs)
        answers = [
            np.select([llr >= self.upper, llr <= self.lower], ends)
            for llr, ends in zip(llrs, self._ends(), strict=False)
        ]
        code = np.where(np.all([answer == EQUAL for answer in answers], axis=0), EQUAL, UNDECIDED)
        for answer in answers:
            code = np.where((answer == A) | (answer == B), answer, code)
        return code.astype(np.uint8)

    def _ends(self) -> list[tuple[int, int]]:
        """Return the verdicts above and below of each question."""
        other = {A: B, B: A, EQUAL: EQUAL}
        return [(self.above, self.below), (other[self.above], other[self.below])]


_GAIN = SequentialTest("gain", "is either better, by a point?", 0.50, 0.51, A, EQUAL, mirrored=True)
TESTS = {
    "gain": _GAIN,
    "strict": replace(_GAIN, name="strict", about="as gain, with errors of 1% in place of 5%", alpha=0.01, beta=0.01),
    "nonreg": SequentialTest("nonreg", "is A no worse, to within a point?", 0.49, 0.50, EQUAL, B, mirrored=False),
    "equiv": SequentialTest(
        "equiv", "are they within a point, half a point counting as near?", 0.49, 0.495, EQUAL, B, mirrored=True
    ),
}
"""The presets. A point is 1% of the matches."""


def make_test(
    name: str, bounds: tuple[float, float] | None = None, alpha: float | None = None, beta: float | None = None
) -> SequentialTest:
    """Return a preset, with other bounds (s0, s1) or errors where given. Raises `TestError`."""
    if name not in TESTS:
        raise TestError(f'no test "{name}"; there are: {" ".join(TESTS)}')
    test = TESTS[name]
    s0, s1 = bounds or (test.s0, test.s1)
    alpha, beta = test.alpha if alpha is None else alpha, test.beta if beta is None else beta
    test = replace(test, s0=s0, s1=s1, alpha=alpha, beta=beta)
    told = f"bounds {100 * s0:.12g}:{100 * s1:.12g}"
    if not 0 < s0 < s1 < 1:
        raise TestError(f"{told}: two rising percentages between 0 and 100 are needed")
    if test.mirrored and test.above == A and s0 < 0.5:
        raise TestError(f"{told}: {name} asks who is better, so the lower one must be at least 50")
    if test.mirrored and test.above == EQUAL and s1 > 0.5:
        raise TestError(f"{told}: {name} asks who is as good, so the upper one may be at most 50")
    for what, error in (("alpha", test.alpha), ("beta", test.beta)):
        if not 0 < error < 0.5:
            raise TestError(f"{what} {error:g}: an error rate above 0 and below 0.5 is needed")
    return test


class Moments(NamedTuple):
    """Number of pairs, and the mean and variance of A's pair score: scalars, or arrays with one entry a look."""

    pairs: Any
    mean: Any
    variance: Any


def moments(counts: npt.ArrayLike) -> Moments:
    """Return the moments of pair scores counted 0, 1/4, 1/2, 3/4, 1; shape (..., 5) in, (...) out.

    The variance is never taken as less than if one pair had scored half a match from all the others: pairs that are
    all alike (all won, all tied) have shown no spread, not that there is none, and the LLR stays finite.
    """
    counts = np.asarray(counts, dtype=np.float64)
    pairs = counts.sum(axis=-1)
    mean = counts @ SCORES / pairs
    variance = np.maximum(counts @ SCORES**2 / pairs - mean**2, 0.25 / pairs)
    return Moments(pairs, mean, variance)


class Look(NamedTuple):
    """What a sequential test has come to.

    `verdict` is a code; `llrs` has one entry a question; `looks` is how often the test has looked, 0 if never.
    """

    verdict: int
    llrs: tuple[float, ...]
    looks: int
    moments: Moments


def look(test: SequentialTest, counts: npt.ArrayLike, looks: int = 1) -> Look:
    """Look once at the counts of all pairs so far, five numbers."""
    found = moments(counts)
    verdict = int(test.verdicts(found.mean, found.variance, found.pairs))
    return Look(verdict, tuple(map(float, test.llrs(found.mean, found.variance, found.pairs))), looks, found)


def first_stop(test: SequentialTest, blocks: Counts) -> int | None:
    """Return the index of the block, shape (blocks, 5), after which the test stops, or None if it goes on."""
    found = moments(np.cumsum(blocks, axis=0))
    stops = np.flatnonzero(test.verdicts(found.mean, found.variance, found.pairs) != UNDECIDED)
    return int(stops[0]) if len(stops) else None
