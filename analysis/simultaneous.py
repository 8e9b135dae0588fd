"""Intervals and choices that hold for all settings of a sweep at once.

A sweep plays m settings, the arms, on common deals, so that arms differ less than each varies by itself. Arm j's value
of a pair, Y_j, lies in 0..1. All that is needed are sums of the values over blocks of consecutive pairs.

- Standard errors: s / sqrt(N), s^2 = sum over blocks of (residual^2 / pairs of the block) / (blocks - 1), where the
  residual is block sum - pairs of the block * mean. With Student's t of blocks - 1 degrees of freedom it is exact for
  normal block sums, a short last block too. Bands of fewer than 8 blocks use the variance between pairs instead.
- Critical values: max-t by the Gaussian multiplier bootstrap (Chernozhukov, Chetverikov and Kato, Annals of Statistics
  41 (2013)): the quantile of max_j |T_j|, T_j = g @ residuals_j / |residuals_j|, over 4,000 standard normal vectors g,
  always the same. Its normal tail is then mixed with Sidak's tail (one-sided: Bonferroni's), which has the weight
  30 / blocks, and Student's t gives the critical value: of few blocks the bootstrap alone is too narrow (12 equal
  arms, 30 blocks: all differences held in 92.7% of samples; mixed, 95.5%).
- Where blocks show no spread, the variance of a pair is taken to be the largest one with this mean, mean (1 - mean);
  if that is 0 (all wins) the limit is the exact one of `intervals.share_limits`. For differences the like: see
  `_silent_half`. Such ones cannot be bootstrapped; each of m has its share of the level, level^(1/m).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numpy.linalg import norm
from scipy import special

from analysis.anytime import anytime_limits, anytime_lower
from analysis.intervals import share_limits, simultaneous_level

Floats = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Played = tuple[Floats, Counts]
LEVEL = 0.95
MOST_BLOCKS = 2_000
DRAWS = 4_000
FEW_BLOCKS = 30  # up to so many, critical values are Sidak's
LEAST_BLOCKS = 8  # with fewer, bands take the variance from pairs, and a race drops nobody
_SEED = 20_130_606


class Arms(NamedTuple):
    """What m arms made of the same pairs: `sums` (n_blocks, m) of the values, `pairs` (n_blocks,) in each block."""

    sums: Floats
    pairs: Counts

    @property
    def total(self) -> int:
        """Pairs played by every arm."""
        return int(self.pairs.sum())

    @property
    def mean(self) -> Floats:
        """Mean value of each arm, (m,)."""
        return np.asarray(self.sums.sum(axis=0) / self.total)

    def merged(self, most: int = MOST_BLOCKS) -> Arms:
        """Return the same with neighbouring blocks put together until at most `most` are left; empty ones are gone."""
        played = self.pairs > 0
        sums, pairs = self.sums[played].astype(np.float64), self.pairs[played]
        if not len(pairs):
            raise ValueError("no pairs were played")
        starts = np.arange(0, len(pairs), -(-len(pairs) // most))
        return Arms(np.add.reduceat(sums, starts, axis=0), np.add.reduceat(pairs, starts))


def bands(
    arms: Arms, level: float = LEVEL, *, mirrors: Bools | None = None, variance: Floats | None = None
) -> tuple[Floats, Floats]:
    """Return limits, each (m,), inside 0..1, which hold the true means of all arms at once with probability `level`.

    `mirrors` (m,) marks arms that play against themselves: if all their blocks agree they are exactly what they are.
    `variance` (m,) of the value over pairs is used with fewer than 8 blocks; without it, the largest possible one.
    """
    arms = arms.merged()
    exact = _exact(arms, mirrors)
    each = simultaneous_level(int((~exact).sum()), level)
    return _bands(arms, exact, _band_tail(arms, exact, level), each, variance)


def plateau(arms: Arms, level: float = LEVEL) -> Bools:
    """Return which arms, (m,), are as good as the best: no other arm is clearly better.

    The truly best arm is among them with probability `level` (Gupta's subset selection; Hsu's multiple comparisons
    with the best): for each arm a one-sided max-t test of all others' differences from it. The best in the sample
    always is. Arms alike in every block are equally good.
    """
    arms = arms.merged()
    residuals, mean, rivals = _residuals(arms), arms.mean, max(arms.sums.shape[1] - 1, 1)
    draws = _draws(residuals)
    good = np.ones(len(mean), dtype=np.bool_)
    for j in range(len(mean)):
        apart = residuals - residuals[:, [j]]
        spread, tail = _spread(arms, apart), (1 - level) / rivals
        half = _silent_half(arms, j, tail)
        seen = spread > 0
        if seen.any() and len(arms.pairs) > FEW_BLOCKS:
            largest = ((draws[seen] - draws[j]) / norm(apart[:, seen], axis=0)[:, None]).max(axis=0)
            tail = _mixed_tail(arms, tail, largest, level ** (seen.sum() / rivals))
        half[seen] = _t_quantile(arms, tail) * spread[seen]
        good[j] = not np.any(mean - mean[j] > half)
    return good


def differences(arms: Arms, level: float = LEVEL) -> tuple[Floats, Floats, Floats]:
    """Return mean, low and high, each (m, m), of arm j minus arm k: limits that hold for all pairs of arms at once.

    Inside -1..1; 0 on the diagonal.
    """
    arms = arms.merged()
    residuals, count = _residuals(arms), arms.sums.shape[1]
    mean = arms.mean[:, None] - arms.mean[None, :]
    comparisons = count * (count - 1) // 2
    tail = (1 - simultaneous_level(comparisons, level)) / 2
    half = np.array([_silent_half(arms, j, tail) for j in range(count)])
    spread = np.array([_spread(arms, residuals - residuals[:, [j]]) for j in range(count)])
    seen = spread > 0
    if seen.any() and len(arms.pairs) > FEW_BLOCKS:
        largest = _largest_difference(residuals, seen)
        tail = _mixed_tail(arms, tail, largest, level ** (seen.sum() / 2 / comparisons))
    half[seen] = _t_quantile(arms, tail) * spread[seen]
    np.fill_diagonal(half, 0)
    return mean, np.clip(mean - half, -1, 1), np.clip(mean + half, -1, 1)


def clear_losers(arms: Arms, planned: int, error: float = 0.01, started: int | None = None) -> Bools:
    """Return which arms, (m,), a race may drop now: the leader is clearly better, whenever one looks.

    `planned` is the number of pairs each arm was to play, `started` the number of arms at the start (those of `arms`
    unless given). An arm is dropped if the anytime-valid lower limit of the leader's mean minus its own, at level 1 -
    error / (started - 1), is above 0. For the truly best arm that limit is wrong for each of the others with
    probability error / (started - 1), at all looks together: it is ever dropped in at most `error` of the races.
    With b blocks the limit is wider by Student's t over normal; with fewer than 8 nobody is dropped.
    """
    arms = arms.merged()
    lost = np.zeros(arms.sums.shape[1], dtype=np.bool_)
    rivals = (started or len(lost)) - 1
    if len(arms.pairs) < LEAST_BLOCKS or rivals < 1:
        return lost
    residuals, mean, total = _residuals(arms), arms.mean, arms.total
    for leader in np.flatnonzero(mean == mean.max()):
        se = _spread(arms, residuals[:, [leader]] - residuals) * _t_over_normal(arms, error / rivals)
        lost |= anytime_lower(mean[leader] - mean, se * np.sqrt(total), total, planned, 1 - error / rivals) > 0
    return lost


def race_bands(
    played: Sequence[Played], planned: int, level: float = LEVEL, error: float = 0.01, mirrors: Bools | None = None
) -> tuple[Floats, Floats]:
    """Return limits, each (m,), of all arms at once after a race that dropped arms by `clear_losers` with `error`.

    `played` has for each arm the sums (n_blocks_j,) of its blocks and the pairs in them; a dropped arm has only the
    first blocks. If none was dropped these are `bands`. Otherwise survivors get bands at level + error with the
    critical value of all arms, as if all had gone on: who survives then cannot matter. The dropped get anytime-valid
    limits, each at error / m. If survivors have fewer than the `planned` pairs, the race may have stopped because of
    what it showed, and all arms get anytime-valid limits at (1 - level) / m.
    """
    if level + error >= 1:
        raise ValueError(f"error is {error}; it must be below {1 - level:.3g}, which all limits together may fail")
    lengths = np.array([len(pairs) for _, pairs in played])
    common = _prefix(played, int(lengths.min()))
    stayed = lengths == lengths.max()
    if stayed.all() and common.total >= planned:
        return bands(common, level, mirrors=mirrors)
    marked = np.broadcast_to(mirrors is not None and mirrors, len(played))
    last = _prefix([p for p, s in zip(played, stayed, strict=True) if s], int(lengths.max())).merged()
    in_time = last.total >= planned
    alpha = (error if in_time else 1 - level) / len(played)
    low, high = np.hstack([_watched(*one, planned, alpha) for one in zip(played, marked, strict=True)])
    if in_time:
        common = common.merged()
        each = simultaneous_level(len(played), level + error)
        tail = _band_tail(common, _exact(common, marked), level + error)
        if np.any((_spread(common) == 0) & stayed & ~marked):
            tail = (1 - each) / 2  # the bootstrap has not seen a survivor that showed no spread so far
        low[stayed], high[stayed] = _bands(last, _exact(last, marked[stayed]), tail, each, None)
    return low, high


def _prefix(played: Sequence[Played], blocks: int) -> Arms:
    """Return the first so many blocks of arms that all played them."""
    return Arms(np.column_stack([sums[:blocks] for sums, _ in played]), played[0][1][:blocks])


def _watched(played: Played, mirror: bool, planned: int, alpha: float) -> tuple[Floats, Floats]:
    """Return anytime-valid limits, each (1,), of one arm at 1 - alpha, wider by Student's t over normal."""
    arms = _prefix([played], len(played[1])).merged()
    mean, spread, exact = arms.mean, _spread(arms), _exact(arms, np.array([mirror]))
    sd = spread * np.sqrt(arms.total) * _t_over_normal(arms, alpha / 2)
    silent = (spread == 0) | (len(arms.pairs) < LEAST_BLOCKS)
    sd = np.where(silent, _largest_sd(mean), sd)
    low, high = anytime_limits(mean, sd, arms.total, planned, 1 - alpha, share=True)
    return np.where(exact, mean, low), np.where(exact, mean, high)


def _bands(arms: Arms, exact: Bools, tail: float, each: float, variance: Floats | None) -> tuple[Floats, Floats]:
    """Return bands whose tail is known; an arm without spread between blocks has limits at the level `each`."""
    mean, spread, total = arms.mean, _spread(arms), arms.total
    few = len(arms.pairs) < LEAST_BLOCKS
    sd = np.sqrt(variance) if few and variance is not None else _largest_sd(mean)
    low, high = share_limits(mean, sd / np.sqrt(total), np.full(len(mean), float(total)), each)
    half = np.where(exact, 0.0, _t_quantile(arms, tail) * spread)
    seen = exact | ((spread > 0) & (not few))
    return np.where(seen, np.clip(mean - half, 0, 1), low), np.where(seen, np.clip(mean + half, 0, 1), high)


def _band_tail(arms: Arms, exact: Bools, level: float) -> float:
    """Return the one-sided tail of each band such that all hold at once."""
    residuals = _residuals(arms)
    seen = _spread(arms, residuals) > 0
    count = max(int((~exact).sum()), 1)
    tail = (1 - simultaneous_level(count, level)) / 2
    if seen.any() and len(arms.pairs) > FEW_BLOCKS:
        largest = np.abs(_draws(residuals[:, seen]) / norm(residuals[:, seen], axis=0)[:, None]).max(axis=0)
        tail = _mixed_tail(arms, tail, largest, level ** (seen.sum() / count))
    return tail


def _largest_difference(residuals: Floats, seen: Bools) -> Floats:
    """Return max |T| of each draw over all differences of arms that show a spread."""
    draws = _draws(residuals)
    largest = np.zeros(draws.shape[1])
    for j in range(1, residuals.shape[1]):
        k = np.flatnonzero(seen[j, :j])
        length = norm(residuals[:, k] - residuals[:, [j]], axis=0)[:, None]
        np.maximum(largest, np.abs((draws[k] - draws[j]) / length).max(axis=0, initial=0), out=largest)
    return largest


@lru_cache(maxsize=1)
def _multipliers(blocks: int) -> npt.NDArray[np.float32]:
    """Return g, (DRAWS, blocks); kept, as drawing it takes longest."""
    return np.random.default_rng(_SEED).standard_normal((DRAWS, blocks), dtype=np.float32)


def _draws(residuals: Floats) -> Floats:
    """Return g @ residuals, transposed: (m, DRAWS), or (m, 0) where blocks are too few."""
    if len(residuals) <= FEW_BLOCKS:
        return np.empty((residuals.shape[1], 0))
    parts = np.split(_multipliers(len(residuals)), 8)  # one at a time in double precision: light on memory
    return np.ascontiguousarray(np.concatenate([part.astype(np.float64) @ residuals for part in parts]).T)


def _mixed_tail(arms: Arms, safe: float, largest: Floats, level: float) -> float:
    """Return the normal tail beyond the quantile `level` of the largest T of each draw, mixed with the safe tail."""
    rank = min(int(np.ceil((len(largest) + 1) * level)), len(largest)) - 1
    tail = float(special.ndtr(-max(np.partition(largest, rank)[rank], 0.0)))
    return safe + (1 - FEW_BLOCKS / len(arms.pairs)) * max(tail - safe, 0.0)


def _t_quantile(arms: Arms, tail: float) -> float:
    """Return what Student's t with blocks - 1 degrees of freedom exceeds with probability `tail`."""
    return float(-special.stdtrit(max(len(arms.pairs) - 1, 1), tail))


def _t_over_normal(arms: Arms, tail: float) -> float:
    """Return by how much limits at this tail must be wider because so many blocks only show the spread."""
    return _t_quantile(arms, tail) / float(-special.ndtri(tail))


def _residuals(arms: Arms) -> Floats:
    """Return block sums less what the arm's mean makes of the block, (n_blocks, m)."""
    return arms.sums - arms.pairs[:, None] * arms.mean


def _spread(arms: Arms, residuals: Floats | None = None) -> Floats:
    """Return standard errors of the means, or of what has these residuals; 0 where blocks show no spread."""
    residuals = _residuals(arms) if residuals is None else residuals
    error = np.sqrt((residuals**2 / arms.pairs[:, None]).sum(axis=0) / max(len(arms.pairs) - 1, 1) / arms.total)
    rounding = 1e-10 * norm(arms.pairs)
    return np.where(norm(residuals, axis=0) > rounding, error, 0.0)


def _exact(arms: Arms, mirrors: Bools | None) -> Bools:
    """Return which arms are known exactly: those that play against themselves, and whose blocks agree."""
    return np.asarray(np.logical_and(mirrors is not None and mirrors, _spread(arms) == 0))


def _largest_sd(mean: Floats) -> Floats:
    """Return the largest standard deviation that values in 0..1 with this mean can have."""
    return np.asarray(np.sqrt(np.maximum(mean * (1 - mean), 0)))


def _silent_half(arms: Arms, j: int, tail: float) -> Floats:
    """Return half widths, (m,), for differences from arm j where blocks show no spread.

    Arms alike in every block: exact limit for "none of N pairs was different". Others: the largest spread that the two
    means allow, and the same limit twice, as one pair can change a difference by 2.
    """
    mean, total = arms.mean, arms.total
    unlike = float(1 - tail ** (1 / total))
    sd = _largest_sd(mean)
    t = float(-special.stdtrit(max(total - 1, 1), tail))
    alike = (arms.sums == arms.sums[:, [j]]).all(axis=0) & (len(arms.pairs) > 1)
    return np.where(alike, unlike, t * (sd + sd[j]) / np.sqrt(total) + 2 * unlike)
