"""Pair scores as real matches give them, drawn at random: what the proof of calibration feeds to the procedures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq

from analysis.sequential import SCORES
from sim.batch.tally import BLOCK_PAIRS

Floats = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]

EVEN = (0.2, 0.0, 0.6, 0.0, 0.2)
"""Chances of a pair's scores 0, 1/4, 1/2, 3/4, 1 between two like players: most pairs are split."""
SKEW = (0.25, 0.05, 0.3, 0.35, 0.05)
"""The same where A wins often and narrowly, and loses rarely and both legs; many ties."""
SHARED = 0.4
"""Part of the pairs in which the cards alone decide, in the same way for all who play them."""
AT_ONCE = 100
"""Simulated runs that are drawn together: light on memory."""


def chances(share: float, base: Sequence[float] = EVEN) -> Floats:
    """Return the chances of the five scores of a pair, (5,), with this mean: `base` tilted exponentially."""

    def tilted(tilt: float) -> Floats:
        weights = np.asarray(base) * np.exp(tilt * (SCORES - share))
        return np.asarray(weights / weights.sum())

    return tilted(float(brentq(lambda tilt: float(tilted(tilt) @ SCORES) - share, -50, 50, xtol=1e-13)))


def variance(chance: Floats) -> float:
    """Return the variance of a pair's score, its five chances given."""
    return float(chance @ SCORES**2 - (chance @ SCORES) ** 2)


def courses(rng: np.random.Generator, chance: Floats, runs: int, looks: int) -> Iterator[Counts]:
    """Yield the counts of runs of so many blocks, a few runs at a time: (some runs, looks, 5)."""
    for some in _portions(runs):
        yield rng.multinomial(BLOCK_PAIRS, chance, (some, looks))


def common_deals(
    rng: np.random.Generator, chance: Floats, runs: int, blocks: int, block_pairs: int = BLOCK_PAIRS
) -> Iterator[Counts]:
    """Yield for each run the counts of m arms that play the same cards: (m, blocks, 5).

    `chance` has shape (m, 5). In `SHARED` of the pairs of each block all arms have the same luck: one uniform number,
    of which each arm makes a score by its own chances. In the others each arm has its own luck.
    """
    together = round(SHARED * block_pairs)
    rises = np.minimum(np.cumsum(chance, axis=1)[:, :-1], 1.0)
    edges = np.unique(np.concatenate([[0.0, 1.0], rises.ravel()]))
    middle = (edges[1:] + edges[:-1]) / 2
    score = np.array([np.searchsorted(rise, middle) for rise in rises])
    becomes = (score[:, :, None] == np.arange(5)).astype(np.int64)  # (m, pieces of luck, 5)
    for some in _portions(runs):
        luck = rng.multinomial(together, np.diff(edges), (some, blocks))
        own = rng.multinomial(block_pairs - together, chance, (some, blocks, len(chance)))
        yield from np.einsum("rbl,mls->rmbs", luck, becomes, optimize=True) + own.transpose(0, 2, 1, 3)


def _portions(runs: int) -> Iterator[int]:
    """Yield how many runs to draw at a time."""
    for first in range(0, runs, AT_ONCE):
        yield min(AT_ONCE, runs - first)
