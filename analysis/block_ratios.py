"""Ratios of sums over blocks of pairs, for questions to deal rows that cannot afford sums for each pair.

A block is what `analysis.players.block_pairs` says: in a run of up to 2000 pairs, one pair. Blocks are the independent
units, so that deals of one match, and the two legs of a pair, are never taken for independent.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.intervals import Floats


@dataclass(frozen=True)
class BlockRatio:
    """(Sum of u) / (sum of v) over blocks: its value, and what each block adds to its error, shape (n_blocks,).

    `unseen` is the variance that the sample cannot show, of a share that is 0 or 1 in all its blocks; else 0.
    """

    value: float
    residuals: Floats
    unseen: float = 0.0

    @property
    def se(self) -> float:
        """Return the standard error; NaN of a ratio without cases and of a single block."""
        blocks = len(self.residuals)
        if blocks < 2 or np.isnan(self.value):
            return np.nan
        squares = float((self.residuals**2).sum()) * blocks / (blocks - 1)
        return float(np.sqrt(self.unseen + (squares if squares > 1e-24 else 0.0)))

    def __sub__(self, other: BlockRatio) -> BlockRatio:
        """Return the difference of two ratios over the same blocks."""
        residuals = self.residuals - other.residuals
        return BlockRatio(self.value - other.value, residuals, self.unseen + other.unseen)


def mean_of(u: Floats, v: Floats) -> BlockRatio:
    """Return a mean: `u` and `v` are sums over the same blocks, 0 in those without a case."""
    total = float(v.sum())
    if not total:
        return BlockRatio(np.nan, np.full(len(v), np.nan))
    value = float(u.sum()) / total
    return BlockRatio(value, (u - value * v) / total)


def share_of(u: Floats, v: Floats) -> BlockRatio:
    """Return a share, as `mean_of`.

    One that is 0 or 1 shows no spread, which does not make it sure: its variance is then that of the share after two
    successes and two failures more, with a case for each block that has any. Source: Agresti and Coull, "Approximate is
    better than exact", The American Statistician 52 (1998).
    """
    ratio = mean_of(u, v)
    if ratio.value not in (0.0, 1.0):
        return ratio
    cases = np.count_nonzero(v) + 4
    return BlockRatio(ratio.value, ratio.residuals, 2 / cases * (1 - 2 / cases) / cases)
