"""Ratios of sums over blocks of pairs, for questions to deal rows that cannot afford sums for each pair.

A block is what `deal_block_pairs` says: in a run of one pairing and up to 400 pairs, one pair. Blocks are the
independent units, so that neither deals of one match nor the two legs of a pair pass for independent.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.intervals import LEVEL, Floats
from analysis.load import Run
from analysis.players import block_pairs

MOST_BLOCKS, LEAST_BLOCKS = 400, 20
"""Blocks of a pairing: enough for intervals, and few enough for tables with many kinds of cases a block."""
Limits = Callable[[Floats, Floats, Floats, float], tuple[Floats, Floats]]
"""One of `analysis.intervals`: from values, standard errors, independent units and the level to both limits."""


def deal_block_pairs(run: Run) -> int:
    """Return how many pairs make a block: there are `MOST_BLOCKS` at most, of many pairings fewer each."""
    return block_pairs(run, max(LEAST_BLOCKS, MOST_BLOCKS // len(run.pairings)))


@dataclass(frozen=True)
class BlockSums:
    """Sums over blocks of pairs of one pairing, a row a block and kind of case; `blocks` are all of them, in order."""

    sums: pd.DataFrame
    blocks: npt.NDArray[np.int64]

    @classmethod
    def of_all(cls, sums: pd.DataFrame) -> BlockSums:
        """Return sums with the blocks that they have, in the column ``block``."""
        return cls(sums, np.unique(sums["block"].to_numpy(np.int64)))

    def of(self, own: pd.DataFrame, name: str) -> Floats:
        """Return the sums of a column of some rows for every block, 0 where there are none; shape (n_blocks,)."""
        where = np.searchsorted(self.blocks, own["block"].to_numpy(np.int64))
        return np.bincount(where, own[name].to_numpy(np.float64), len(self.blocks)).astype(np.float64)


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

    def limited(self, name: str, limits: Limits, units: float, level: float = LEVEL) -> dict[str, float]:
        """Return value and limits as columns of a table: `name`, ``<name>_lo``, ``<name>_hi``.

        `units` of the cases may be taken for independent.
        """
        lo, hi = limits(np.array([self.value]), np.array([self.se]), np.array([float(units)]), level)
        return {name: self.value, f"{name}_lo": float(lo[0]), f"{name}_hi": float(hi[0])}

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
