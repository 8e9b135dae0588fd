"""How often the 95% intervals of `analysis.ratings` hold the true ratings: `make verify`."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from analysis.ratings import ELO, Meeting, ratings
from tests.support.tournaments import tournament

pytestmark = pytest.mark.slow

RUNS = 1_000
LEAST, MOST = float(stats.binom.ppf(0.0005, RUNS, 0.95)), float(stats.binom.ppf(0.9995, RUNS, 0.95))
STRENGTHS = np.array([0.6, 0.3, 0.1, -0.1, -0.3, -0.6])


@pytest.mark.parametrize(
    ("blocks", "shared"),
    [(20, 0.6), (100, 0.6), (100, 0.0), (8, 0.0)],
    ids=["fewest blocks", "common deals", "own deals", "single pairs"],
)
def test_intervals_hold_the_true_ratings_in_95_of_100_runs(blocks: int, shared: float) -> None:
    held = np.zeros(len(STRENGTHS))
    for run in range(RUNS):
        rng = np.random.default_rng([blocks, run])
        found = ratings(len(STRENGTHS), tournament(STRENGTHS, blocks, 16, rng, shared))
        held += (found.low <= ELO * STRENGTHS) & (found.high >= ELO * STRENGTHS)
    assert (held >= LEAST).all(), held
    assert (held <= MOST).all(), held


def test_intervals_of_meetings_of_different_length_hold_too() -> None:
    held = np.zeros(len(STRENGTHS))
    for run in range(RUNS):
        meetings = tournament(STRENGTHS, 90, 16, np.random.default_rng(run), shared=0.0)
        cut = [Meeting(m.a, m.b, m.blocks[: 30 + 15 * (i % 5)]) for i, m in enumerate(meetings)]
        found = ratings(len(STRENGTHS), cut)
        held += (found.low <= ELO * STRENGTHS) & (found.high >= ELO * STRENGTHS)
    assert (held >= LEAST).all(), held
    assert (held <= MOST).all(), held
