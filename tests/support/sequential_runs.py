"""Runs of a sequential test on made-up pairs: many at once, each played block by block until it stops."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from analysis.sequential import UNDECIDED, SequentialTest, moments

BLOCK_PAIRS = 256


class Ended(NamedTuple):
    """How runs ended, arrays of shape (runs,): the verdict's code, and pairs, mean and variance of the pair scores."""

    verdict: npt.NDArray[np.uint8]
    pairs: npt.NDArray[np.float64]
    mean: npt.NDArray[np.float64]
    variance: npt.NDArray[np.float64]


def score_chances(share: float) -> npt.NDArray[np.float64]:
    """Return the chances of the five pair scores, with ties, when A's share is this: variance .105 at one half."""
    d = share - 0.5
    return np.array([0.2 - d, 0.03, 0.54, 0.03, 0.2 + d])


def played(test: SequentialTest, share: float, runs: int, cap_pairs: int, seed: int) -> Ended:
    """Play so many runs, each looked at after every 256 pairs and ended at `cap_pairs`, undecided if need be."""
    rng, chances = np.random.default_rng(seed), score_chances(share)
    verdicts, ended = np.zeros(runs, np.uint8), np.zeros((3, runs))
    alive, counts, done = np.arange(runs), np.zeros((runs, 5), np.int64), 0
    while len(alive):
        block = min(BLOCK_PAIRS, cap_pairs - done)
        counts, done = counts + rng.multinomial(block, chances, size=len(alive)), done + block
        found = moments(counts)
        verdict = test.verdicts(found.mean, found.variance, found.pairs)
        over = (verdict != UNDECIDED) | (done == cap_pairs)
        verdicts[alive[over]] = verdict[over]
        ended[:, alive[over]] = np.array(found)[:, over]
        alive, counts = alive[~over], counts[~over]
    return Ended(verdicts, *ended)


def allowed(rate: float, runs: int, standard_errors: float = 3.5) -> float:
    """Return the highest share of so many runs in which something of this chance may be seen to happen."""
    return float(rate + standard_errors * (rate * (1 - rate) / runs) ** 0.5)
