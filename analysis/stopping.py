"""What a sequential test found, adjusted for its having stopped when the answer was plain.

A run that stops at a bound has, more often than not, just had good luck: the raw share of the matches flatters the
winner, and the plain interval holds less often than it says. Here a share theta is judged by how likely it makes a
mean at the stop at least as high as the one observed: the sample-mean ordering of Emerson and Fleming, "Parameter
estimation following group sequential hypothesis testing", Biometrika 77 (1990) 875-892. The estimate is the theta that
makes it one half, and the limits those that make it alpha/2 and 1 - alpha/2.

The chances come from a recursion over the looks (Armitage, McPherson and Rowe, JRSS A 132 (1969) 235-244): the sum of
the pair scores above one half, X, is taken as a normal walk with the variance that was found; at each look what lies
where the test stops is set aside, the rest walks on. One recursion, at the observed mean, serves every theta: the mass
set aside at X after n pairs is exp((d X' - d^2 n / 2) / sigma^2) times as likely when the drift is higher by d, where
X' is X less its mean in the recursion.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq
from scipy.special import ndtr

from analysis.intervals import share_limits
from analysis.sequential import UNDECIDED, Moments, SequentialTest
from sim.batch.tally import BLOCK_PAIRS

Floats = npt.NDArray[np.float64]

STEPS_A_BLOCK = 8
"""Lattice steps in the standard deviation of one block's sum: with partial steps at the bounds, errors of about .1%."""
REACH = 7.5
"""Standard deviations of one block's sum that the walk can move at a look."""
SURVIVORS = 1e-7
"""The recursion ends when no more than this is still undecided."""
NEGLIGIBLE = 1e-15
IMPOSSIBLE = 1e-6
"""Results less likely than this, whatever their mean, did not come from a run that stopped as told."""


class Adjusted(NamedTuple):
    """A's share of the matches (0..1) with its interval, allowing for when the test stopped."""

    estimate: float
    low: float
    high: float


class Stops(NamedTuple):
    """The part of the walk that stops at one look: after so many pairs, with sums `x`, and the mass of each."""

    pairs: float
    x: Floats
    mass: Floats


def adjusted(
    test: SequentialTest, found: Moments, cap_pairs: int, block_pairs: int = BLOCK_PAIRS, level: float = 0.95
) -> Adjusted:
    """Return the median-unbiased estimate of A's share and its equal-tailed interval, after a stop at `found.pairs`.

    The test looked after every `block_pairs` pairs and once more at `cap_pairs`, if not before. A run that was broken
    off undecided counts as one that was to end there. A run of fewer pairs than a block never looked: it has the
    plain interval, and so has a result that no run of this test can end with. Pairs that were all alike get limits no
    narrower than `analysis.intervals.share_limits` gives them.
    """
    pairs, mean, variance = float(found.pairs), float(found.mean), float(found.variance)
    plain = _plain(pairs, mean, variance, level)
    if pairs < block_pairs:
        return plain
    undecided = int(test.verdicts(mean, variance, pairs)) == UNDECIDED
    looks = _looks(pairs if undecided else max(cap_pairs, pairs), block_pairs)
    ordering = _Ordering(test, mean, variance, looks)
    if not IMPOSSIBLE < ordering.chance(mean) < 1 - IMPOSSIBLE:
        return plain
    tail = (1 - level) / 2
    estimate, low, high = (ordering.share_with_chance(chance) for chance in (0.5, tail, 1 - tail))
    if _all_alike(pairs, variance):
        low, high = min(low, plain.low), max(high, plain.high)
    return Adjusted(estimate, low, high)


def stops_by_look(test: SequentialTest, variance: float, drift: float, looks: Floats) -> Iterator[Stops]:
    """Yield what stops at each look, until next to nothing is left; the last look stops all.

    `drift` is the true share less one half; `looks` are numbers of pairs, rising. The masses add up to 1 less
    `SURVIVORS` at most.
    """
    step = _lattice_step(variance, looks)
    bounds, goes_on = _regions(test, variance, looks)
    first, mass, before = 0, np.ones(1), 0.0
    kernels: dict[float, tuple[int, Floats]] = {}
    for pairs, edges, going in zip(looks.tolist(), bounds, goes_on, strict=True):
        played, before = pairs - before, pairs
        if played not in kernels:
            kernels[played] = _kernel(drift * played, (variance * played) ** 0.5, step)
        offset, kernel = kernels[played]
        first, mass = first + offset, np.convolve(mass, kernel)
        x = np.arange(first, first + len(mass), dtype=np.float64) * step
        stays = np.zeros(len(x))
        for segment in np.flatnonzero(going):
            stays += _right_of(edges[segment], x, step) - _right_of(edges[segment + 1], x, step)
        stopped, mass = mass * (1 - stays), mass * stays
        kept = stopped > NEGLIGIBLE
        yield Stops(pairs, x[kept], stopped[kept])
        if mass.sum() < SURVIVORS:
            return
        alive = np.flatnonzero(mass > NEGLIGIBLE / 1_000)
        first, mass = first + int(alive[0]), mass[alive[0] : alive[-1] + 1]


class _Ordering:
    """How likely a mean at the stop as high as the observed one is, as a function of A's true share."""

    def __init__(self, test: SequentialTest, mean: float, variance: float, looks: Floats) -> None:
        self._mean, self._variance = mean, variance
        self._reach = float(np.sqrt(variance / looks[0])) / 2
        found = list(stops_by_look(test, variance, mean - 0.5, looks))
        self._pairs = np.repeat([stops.pairs for stops in found], [len(stops.x) for stops in found])
        self._x = np.concatenate([stops.x for stops in found]) - (mean - 0.5) * self._pairs
        mass = np.concatenate([stops.mass for stops in found])
        # X less its mean in the recursion is above 0 where the mean score is above the observed one.
        self._above = mass * _right_of(0.0, self._x, _lattice_step(variance, looks))
        self._below = mass - self._above

    def chance(self, share: float) -> float:
        """Return the chance of a mean at least as high as the observed one when A's true share is `share`.

        Far from the observed mean the recursion lacks what was next to impossible there: below it results that are
        lower still, above it higher ones. So of the two masses the one that is complete is taken.
        """
        d = share - self._mean
        tilt = np.exp(np.clip(d / self._variance * self._x - d * d / (2 * self._variance) * self._pairs, -200, 200))
        if d > 0:
            return 1 - float((tilt * self._below).sum())
        return float((tilt * self._above).sum())

    def share_with_chance(self, chance: float) -> float:
        """Return the share, inside 0..1, at which `chance` is this one: it rises with the share."""
        here, edge = self.chance(self._mean), self._mean
        if here == chance:
            return self._mean
        direction = 1 if here < chance else -1
        reach = self._reach
        while (self.chance(edge) - chance) * direction < 0:
            edge, reach = edge + direction * reach, 1.5 * reach
            if not 0 < edge < 1:
                return float(np.clip(edge, 0, 1))
        return float(brentq(lambda share: self.chance(share) - chance, self._mean, edge, xtol=1e-7))


def _lattice_step(variance: float, looks: Floats) -> float:
    """Return the distance of the lattice's points, in sums of pair scores."""
    return float(np.sqrt(variance * looks[0])) / STEPS_A_BLOCK


def _looks(cap_pairs: float, block_pairs: int) -> Floats:
    """Return the numbers of pairs at which a run looks: after every block, and at the cap."""
    whole = np.arange(block_pairs, cap_pairs + 1, block_pairs, dtype=np.float64)
    return whole if len(whole) and whole[-1] == cap_pairs else np.append(whole, float(cap_pairs))


def _regions(test: SequentialTest, variance: float, looks: Floats) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """Return the bounds of X at each look, shape (looks, n + 1) with infinite ends, and in which segments one goes on.

    An LLR is linear in the mean, so the only places where the verdict can change are where one meets a bound.
    """
    edges = []
    for s0, s1 in test.questions:
        for bound in (test.lower, test.upper):
            edges.append(((s0 + s1) / 2 - 0.5) * looks + bound * variance / (s1 - s0))
    inner = np.sort(np.stack(edges, axis=1), axis=1)
    outer = inner[:, [0, -1]] + [-1.0, 1.0]
    points = np.concatenate([outer[:, :1], (inner[:, :-1] + inner[:, 1:]) / 2, outer[:, 1:]], axis=1)
    goes_on = test.verdicts(0.5 + points / looks[:, None], variance, looks[:, None]) == UNDECIDED
    goes_on[-1] = False
    ends = np.full((len(looks), 1), np.inf)
    return np.concatenate([-ends, inner, ends], axis=1), goes_on


def _kernel(mean: float, sd: float, step: float) -> tuple[int, Floats]:
    """Return the masses of a normal variable on the lattice, and the lattice place of the first one.

    Collecting mass in cells adds step^2 / 12 to the variance (Sheppard); it is taken off beforehand.
    """
    width = float(np.sqrt(max(sd**2 - step**2 / 12, (step / 100) ** 2)))
    first = int(np.floor((mean - REACH * sd) / step)) - 1
    last = int(np.ceil((mean + REACH * sd) / step)) + 1
    cells = ndtr(((np.arange(first, last + 2) - 0.5) * step - mean) / width)
    return first, np.diff(cells)


def _right_of(bound: float, x: Floats, step: float) -> Floats:
    """Return the part of each lattice point's mass that lies right of a bound, spread as a triangle two steps wide."""
    u = np.clip((x - bound) / step, -1, 1)
    return np.asarray(0.5 + u - u * np.abs(u) / 2)


def _all_alike(pairs: float, variance: float) -> bool:
    """Tell whether the pairs showed no spread: the variance is the floor of `analysis.sequential.moments`."""
    return variance * pairs <= 0.25 * (1 + 1e-9)


def _plain(pairs: float, mean: float, variance: float, level: float) -> Adjusted:
    """Return the estimate and interval of a number of pairs that was fixed beforehand."""
    se = 0.0 if _all_alike(pairs, variance) else (variance / max(pairs - 1, 1)) ** 0.5
    low, high = share_limits(np.array(mean), np.array(se), np.array(pairs), level)
    return Adjusted(mean, float(low), float(high))
