"""How many duplicate pairs it takes to see a difference between two players.

A difference is in shares of the matches: .01 is one point, A winning 51% and not 50%. Two designs are sized that
promise the same: players of equal strength are called different with chance `error` at most, counting both ways, and
a true difference as large as asked is found with chance `power`.

- A number of pairs fixed beforehand and one look at the end, two-sided:
  N = (z(1 - error/2) + z(power))^2 sigma^2 / d^2, sigma being the standard deviation of the pair scores.
- The sequential test `gain` with bounds 1/2 and 1/2 + d, alpha = error/2 and beta = 1 - power, which looks after every
  block of pairs. How long it plays follows from the recursion of `analysis.stopping`.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from analysis.sequential import SequentialTest, make_test
from analysis.stopping import stops_by_look
from sim.batch.tally import BLOCK_PAIRS

Floats = npt.NDArray[np.float64]

LOOKS = 150
"""Looks in a fixed number of pairs, at most: a test of more is followed in larger blocks, to be quick."""
OVERSHOOT = 0.5826
"""How far a normal walk is beyond a bound when it is first seen there, in standard deviations of its steps.

Siegmund, "Corrected diffusion approximations in certain random walk problems", Adv. Appl. Prob. 11 (1979) 701-719.
"""
LONGEST = 12
"""Fixed numbers of pairs after which a test is followed no more: by then next to none is undecided."""
MOST = 0.99
TYPICAL_SD = 0.32
"""Standard deviation of the pair scores of two different players under `hollywood`, where none was measured.

Over 4,000 pairs, seed 7: greedy v simple .306, gin-only v greedy .316, princeton v heisenbot .320. Players that often
decide alike show less (threshold:knock_at=9 v 8: .185) and need fewer pairs.
"""


class Length(NamedTuple):
    """Pairs that a sequential test plays: on average, and the number by which 99 of 100 have stopped."""

    mean: float
    most: float


class Size(NamedTuple):
    """Pairs that it takes to see a difference (a share of the matches).

    `fixed` is a number fixed beforehand. The others are of the sequential test: on average if the players are equal,
    if they are half the difference apart (about the longest there is) and if they are the difference apart; and
    `most`, by which 99 of 100 have stopped even when half the difference apart.
    """

    difference: float
    fixed: int
    equal: int
    half_way: int
    different: int
    most: int


def size(difference: float, sd: float, error: float = 0.05, power: float = 0.9) -> Size:
    """Return how many pairs it takes to see a difference, given the standard deviation of the pair scores.

    Raises ValueError where no design exists: a difference outside 0..1/2, an error outside 0..1, a power outside
    1/2..1, or pair scores without spread.
    """
    fixed = fixed_pairs(difference, sd, error, power)
    block = BLOCK_PAIRS * -(-fixed // (LOOKS * BLOCK_PAIRS))
    test = _as_seen(gain_test(difference, error, power), sd, block)
    looks = np.arange(1.0, math.ceil(LONGEST * fixed / block) + 2) * block
    equal, half_way, different = (length(test, sd**2, 0.5 + part * difference, looks) for part in (0.0, 0.5, 1.0))
    return Size(difference, fixed, round(equal.mean), round(half_way.mean), round(different.mean), round(half_way.most))


def fixed_pairs(difference: float, sd: float, error: float, power: float) -> int:
    """Return the pairs that a comparison needs whose size is fixed beforehand; raises as `size`."""
    if not (0 < difference < 0.5 and 0 < error < 1 and 0.5 < power < 1 and sd > 0):
        raise ValueError(
            f"difference {difference:g}, error {error:g}, power {power:g}, sd {sd:g}: needed are a difference between "
            "0 and 0.5, an error between 0 and 1, a power between 0.5 and 1, and pair scores with a spread"
        )
    z = float(ndtri(1 - error / 2) + ndtri(power))
    return math.ceil((z * sd / difference) ** 2)


def gain_test(difference: float, error: float, power: float) -> SequentialTest:
    """Return the sequential test that promises as much as a fixed two-sided comparison with this error and power."""
    return make_test("gain", (0.5, 0.5 + difference), alpha=error / 2, beta=1 - power)


def _as_seen(test: SequentialTest, sd: float, block: int) -> SequentialTest:
    """Return the test which, looking after every `block` pairs, plays as long as this one looking every 256.

    Steps of a larger block overshoot the bounds further; so much they are brought in.
    """
    closer = OVERSHOOT * (block**0.5 - BLOCK_PAIRS**0.5) * (test.s1 - test.s0) / sd
    above, below = math.exp(test.upper - closer), math.exp(test.lower + closer)
    return replace(test, alpha=(1 - below) / (above - below), beta=below * (above - 1) / (above - below))


def length(test: SequentialTest, variance: float, share: float, looks: Floats) -> Length:
    """Return how long a test plays that looks after these numbers of pairs, when A's true share is `share`.

    What is undecided after the last look counts as ending there.
    """
    ends, masses = [], []
    for stops in stops_by_look(test, variance, share - 0.5, looks):
        ends.append(stops.pairs)
        masses.append(float(stops.mass.sum()))
    mean = float(np.dot(ends, masses)) + ends[-1] * max(1 - sum(masses), 0.0)
    most = int(np.searchsorted(np.cumsum(masses), MOST))
    return Length(mean, ends[min(most, len(ends) - 1)])
