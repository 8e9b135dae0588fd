"""Tournaments of known ratings on common deals, for tests of the statistics."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import numpy.typing as npt
from scipy import special

from analysis.ratings import Meeting

Floats = npt.NDArray[np.float64]


def tournament(
    strengths: Floats, blocks: int, block_pairs: int, rng: np.random.Generator, shared: float = 0.6
) -> list[Meeting]:
    """Return a round robin in which each match is won with exactly the chance of the Bradley-Terry model.

    Strengths are in natural units. Part `shared` of the variance of a match's luck is that of the deal: it favours
    one seat in every meeting alike, so that meetings are correlated and the second leg turns it round.
    """
    size = (blocks, block_pairs)
    deal = rng.normal(size=size) * np.sqrt(shared)
    meetings = []
    for a, b in combinations(range(len(strengths)), 2):
        chance = special.expit(strengths[a] - strengths[b])
        score = np.zeros(size, dtype=np.int64)  # in quarters: a match won is two
        for sign in (1, -1):
            luck = sign * deal + rng.normal(size=size) * np.sqrt(1 - shared)
            score += 2 * (special.ndtr(luck) < chance)
        counts = np.stack([(score == quarters).sum(axis=1) for quarters in range(5)], axis=1)
        meetings.append(Meeting(a, b, counts.astype(np.int64)))
    return meetings
