"""How sure one may be that one player is stronger than another, from five counts of pairs.

The likelihood of superiority is Phi((s - 1/2) / (sigma / sqrt N)): s is A's mean score over N pairs, sigma the
sample's standard deviation of a pair's score, Phi the normal distribution function.

Few pairs that happen to agree would make this a certainty: sigma is then zero or nearly so. Hence one rule for all
counts: **m pairs that were not split evenly never say more than m tosses of a coin that all fell the same way**, a
tail of 2^-m. Between equals, whose pairs are as often won as lost, no result of these m pairs is less probable (it
is the least value that a sign-flip test can have). So all wins give 1 - 2^-N, one pair and all ties give 1/2, and no
finite sample gives 0 or 1: the last step before 1 is 1 - 2^-53, the number next to it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy import special

from analysis.ratings import LEVEL, Floats, Meeting
from analysis.sequential import SCORES

MOST_TOSSES = 53
"""More would round 1 - 2^-m to 1."""


def likelihood_of_superiority(counts: npt.NDArray[np.int64]) -> float:
    """Return how likely A is the stronger player, from the pairs by A's score 0, 1/4, 1/2, 3/4, 1: shape (5,).

    Between 0 and 1, never either; NaN without pairs. Of B's point of view: one minus it.
    """
    if not counts.any():
        return float("nan")
    tail, ahead = _tail(counts)
    return 1 - tail if ahead else tail


def superiority_matrix(players: int, meetings: Sequence[Meeting]) -> Floats:
    """Return the likelihood of superiority of each player (row) over each other (column), (players, players).

    NaN where two players did not meet, 1/2 for a player against himself. Several meetings of the same two are pooled.
    """
    counts = np.zeros((players, players, len(SCORES)), dtype=np.int64)
    for a, b, blocks in meetings:
        counts[a, b] += blocks.sum(axis=0)
        counts[b, a] += blocks.sum(axis=0)[::-1]
    matrix = np.full((players, players), np.nan)
    for a, b in zip(*np.nonzero(counts.any(axis=2)), strict=True):
        matrix[a, b] = likelihood_of_superiority(counts[a, b])
    np.fill_diagonal(matrix, 0.5)
    return matrix


def undecided(meetings: Sequence[Meeting], level: float = LEVEL) -> npt.NDArray[np.bool_]:
    """Return for each meeting whether it leaves open who is stronger, when all meetings are looked at.

    Of all meetings together the chance to decide even one between equals is at most 1 - level: two-sided p-values
    (twice the tail of the likelihood of superiority) with Holm's correction, "A simple sequentially rejective
    multiple test procedure", Scandinavian Journal of Statistics 6 (1979). It holds whatever luck the meetings share.
    Meetings without pairs and of a player with himself are undecided and do not count as looks.
    """
    open_ = np.ones(len(meetings), dtype=np.bool_)
    looks = [index for index, (a, b, blocks) in enumerate(meetings) if a != b and blocks.any()]
    if not looks:
        return open_
    from statsmodels.stats.multitest import multipletests  # a second

    p_values = [min(1.0, 2 * _tail(meetings[index].blocks.sum(axis=0))[0]) for index in looks]
    decided, *_ = multipletests(p_values, alpha=1 - level, method="holm")
    open_[looks] = ~decided
    return open_


def _tail(counts: npt.NDArray[np.int64]) -> tuple[float, bool]:
    """Return the smaller tail, 2^-53 to 1/2, and whether A is the one who is ahead."""
    pairs = int(counts.sum())
    # In quarters and whole numbers: equal scores must leave a spread of zero, not a rounding error.
    quarters = np.arange(len(SCORES))
    lead = int(counts @ quarters) - 2 * pairs
    squares = pairs * int(counts @ quarters**2) - int(counts @ quarters) ** 2
    tosses = min(pairs - int(counts[2]), MOST_TOSSES)
    if lead == 0 or squares == 0:
        return (0.5 if lead == 0 else 0.5**tosses), lead > 0
    # z = (lead / pairs) / (sigma / sqrt(pairs)), sigma^2 = squares / (pairs (pairs - 1)), all in quarters
    z = abs(lead) * np.sqrt((pairs - 1) / squares)
    return max(float(special.ndtr(-z)), 0.5**tosses), lead > 0
