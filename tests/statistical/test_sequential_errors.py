"""The sequential tests and the estimates after them, calibrated over thousands of simulated runs: `make verify`.

Runs are simulated from the five pair scores, so the variance is estimated look by look as it is in real ones.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from analysis.intervals import share_limits
from analysis.sequential import EQUAL, TESTS, UNDECIDED, A, B, Moments
from analysis.stopping import adjusted
from tests.support.sequential_runs import Ended, allowed, played

pytestmark = pytest.mark.slow

RUNS, ENDLESS = 6_000, 10_000_000
ESTIMATES, CAP = 1_500, 50_000


def rate(test: str, share: float, *verdicts: int) -> float:
    """Return how often a test comes to one of these verdicts."""
    ended = played(TESTS[test], share, RUNS, ENDLESS, seed=round(1_000 * share))
    assert UNDECIDED not in ended.verdict
    return float(np.isin(ended.verdict, verdicts).mean())


@pytest.mark.parametrize("name", ["gain", "strict"])
def test_equals_are_seldom_told_apart(name: str) -> None:
    alpha = TESTS[name].alpha
    assert rate(name, 0.5, A) <= allowed(alpha, RUNS)
    assert rate(name, 0.5, B) <= allowed(alpha, RUNS)
    assert rate(name, 0.5, A, B) <= allowed(2 * alpha, RUNS)


@pytest.mark.parametrize("name", ["gain", "strict"])
def test_a_point_is_seldom_missed(name: str) -> None:
    beta = TESTS[name].beta
    assert rate(name, 0.51, EQUAL, B) <= allowed(beta, RUNS)
    assert rate(name, 0.49, EQUAL, A) <= allowed(beta, RUNS)


def test_a_point_worse_is_seldom_called_no_worse() -> None:
    test = TESTS["nonreg"]
    assert rate("nonreg", 0.49, EQUAL) <= allowed(test.alpha, RUNS)
    assert rate("nonreg", 0.5, B) <= allowed(test.beta, RUNS)


def test_a_point_apart_is_seldom_called_near_and_half_a_point_seldom_far() -> None:
    test = TESTS["equiv"]
    for far, near in ((0.49, 0.495), (0.51, 0.505)):
        assert rate("equiv", far, EQUAL) <= allowed(test.alpha, RUNS)
        assert rate("equiv", near, A, B) <= allowed(test.beta, RUNS)
    assert rate("equiv", 0.5, A, B) <= allowed(test.beta, RUNS)


# --- estimates


@cache
def runs_of(test: str, share: float, cap: int) -> Ended:
    return played(TESTS[test], share, ESTIMATES, cap, seed=round(1_000 * share) + cap)


@cache
def answers(test: str, share: float, cap: int) -> np.ndarray:
    """Return adjusted estimate, low and high of every run, shape (runs, 3)."""
    _, *found = runs_of(test, share, cap)
    return np.array([adjusted(TESTS[test], Moments(*run), cap) for run in zip(*found, strict=True)])


def plain_coverage(test: str, share: float, cap: int) -> float:
    """Return how often the interval that knows nothing of the stopping holds the true share."""
    _, pairs, mean, variance = runs_of(test, share, cap)
    low, high = share_limits(mean, np.sqrt(variance / (pairs - 1)), pairs)
    return float(np.mean((low <= share) & (share <= high)))


def coverage(test: str, share: float, cap: int) -> float:
    _, low, high = answers(test, share, cap).T
    return float(np.mean((low <= share) & (share <= high)))


CASES = [
    *(("gain", share, CAP) for share in (0.5, 0.505, 0.51, 0.52, 0.55)),
    ("gain", 0.505, 5_000),
    *(("nonreg", share, CAP) for share in (0.485, 0.49, 0.5, 0.51)),
    *(("equiv", share, 20_000) for share in (0.485, 0.49)),
]


@pytest.mark.parametrize(("test", "share", "cap"), CASES)
def test_adjusted_interval_holds_the_true_share_as_often_as_it_says(test: str, share: float, cap: int) -> None:
    assert 0.935 <= coverage(test, share, cap) <= 0.97


@pytest.mark.parametrize(("test", "share", "cap"), CASES)
def test_adjusted_estimate_is_too_high_as_often_as_too_low(test: str, share: float, cap: int) -> None:
    estimate = answers(test, share, cap)[:, 0]
    assert abs(np.median(estimate) - share) < 0.1 * estimate.std()


@pytest.mark.parametrize(("test", "share"), [("gain", 0.51), ("gain", 0.52), ("nonreg", 0.5)])
def test_raw_estimate_flatters_the_winner(test: str, share: float) -> None:
    raw = runs_of(test, share, CAP).mean
    assert np.median(raw) - share > 0.1 * raw.std()
    assert raw.mean() - share > 0.25 * raw.std()
    assert abs(answers(test, share, CAP)[:, 0].mean() - share) < 0.7 * (raw.mean() - share)


def test_plain_interval_holds_less_often_than_it_says() -> None:
    assert plain_coverage("gain", 0.5, CAP) < 0.93
    assert coverage("gain", 0.5, CAP) > plain_coverage("gain", 0.5, CAP) + 0.01
    assert plain_coverage("nonreg", 0.49, CAP) < 0.935
