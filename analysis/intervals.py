"""95% intervals for means over duplicate pairs, right also where the textbook formula gives nothing.

Three kinds, and where each is used:

- `mean_limits`: mean ± t · se, the pairs being the independent units. Lengths and points.
- `share_limits`: the same for shares, kept inside 0..1. Everything compared with 50%.
- `part_limits`: Wilson's interval on the effective number of cases, for parts of a whole that may be rare
  (endings, openings, wins given something), where mean ± t · se would reach below 0. Source: Korn and
  Graubard, "Confidence intervals for proportions with small expected number of positive counts", Survey
  Methodology 24 (1998).

When all pairs agree (all wins, or zero events) the spread in the sample is zero and says nothing. Both share
functions then use the exact limit for "none of n pairs was different": Clopper and Pearson's 1 -
(alpha/2)^(1/n), near 3.7/n.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy import special

Floats = npt.NDArray[np.float64]
LEVEL = 0.95


def mean_limits(mean: Floats, se: Floats, pairs: Floats, level: float = LEVEL) -> tuple[Floats, Floats]:
    """Return the lower and upper limit of means over pairs; NaN for a single pair, which shows no spread."""
    half = _t_quantile(pairs, level) * se
    unknown = pairs < 2
    return np.where(unknown, np.nan, mean - half), np.where(unknown, np.nan, mean + half)


def share_limits(share: Floats, se: Floats, pairs: Floats, level: float = LEVEL) -> tuple[Floats, Floats]:
    """Return the limits of shares that are means over pairs, inside 0..1."""
    half = _t_quantile(pairs, level) * se
    low, high = np.clip(share - half, 0, 1), np.clip(share + half, 0, 1)
    return _where_no_spread(share, se, pairs, (low, high), level)


def part_limits(share: Floats, se: Floats, pairs: Floats, level: float = LEVEL) -> tuple[Floats, Floats]:
    """Return Wilson limits on the effective number of cases, share (1 - share) / se^2.

    Pairs are the clusters. The effective number is scaled by (z/t)^2, so that few pairs give the wider
    interval that they should.
    """
    z = float(special.ndtri(0.5 + level / 2))
    t = _t_quantile(pairs, level)
    with np.errstate(divide="ignore", invalid="ignore"):
        cases = share * (1 - share) / se**2 * (z / t) ** 2
        centre = (share + z**2 / (2 * cases)) / (1 + z**2 / cases)
        half = z / (1 + z**2 / cases) * np.sqrt(share * (1 - share) / cases + z**2 / (4 * cases**2))
    low, high = np.clip(centre - half, 0, 1), np.clip(centre + half, 0, 1)
    return _where_no_spread(share, se, pairs, (low, high), level)


def simultaneous_level(count: int, level: float = LEVEL) -> float:
    """Return the level that each of `count` intervals needs to hold all at once with `level` (Sidak)."""
    return float(level ** (1 / max(count, 1)))


def _where_no_spread(
    share: Floats, se: Floats, pairs: Floats, limits: tuple[Floats, Floats], level: float
) -> tuple[Floats, Floats]:
    """Replace the limits where all pairs agree or there is one only; NaN where there is no case.

    If a part q of pairs were different, the share could be as low as share - q share, as high as share + q (1
    - share).
    """
    with np.errstate(divide="ignore"):
        q = 1 - (0.5 - level / 2) ** (1 / pairs)
    silent = (se == 0) | (pairs < 2)
    low = np.where(silent, share - q * share, limits[0])
    high = np.where(silent, share + q * (1 - share), limits[1])
    nothing = np.isnan(share)
    return np.where(nothing, np.nan, low), np.where(nothing, np.nan, high)


def _t_quantile(pairs: Floats, level: float) -> Floats:
    """Return Student's t for pairs - 1 degrees of freedom (one where there is a single pair)."""
    return np.asarray(special.stdtrit(np.maximum(pairs - 1, 1), 0.5 + level / 2), dtype=np.float64)
