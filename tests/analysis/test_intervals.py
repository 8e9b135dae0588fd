from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from analysis.intervals import mean_limits, part_limits, share_limits, simultaneous_level


def one(value: float) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.array([value])


def test_a_mean_has_student_s_interval() -> None:
    sample = np.random.default_rng(1).normal(10, 3, 25)
    se = sample.std(ddof=1) / 5
    lo, hi = mean_limits(one(sample.mean()), one(se), one(25))
    expected = stats.t.interval(0.95, 24, sample.mean(), se)
    assert (lo[0], hi[0]) == pytest.approx(expected)


def test_a_mean_of_one_pair_has_no_interval() -> None:
    lo, hi = mean_limits(one(14.0), one(0.5), one(1))
    assert np.isnan([lo[0], hi[0]]).all()


@pytest.mark.parametrize("count", [1, 7, 50, 93, 99])
def test_independent_cases_get_wilson_s_interval(count: int) -> None:
    n = 100_000  # so many that t and z agree
    share = count / 100
    lo, hi = part_limits(one(share), one(np.sqrt(share * (1 - share) / n)), one(n))
    wilson = stats.binomtest(round(share * n), n).proportion_ci(method="wilson")
    assert (lo[0], hi[0]) == pytest.approx((wilson.low, wilson.high), rel=1e-4)


@pytest.mark.parametrize("limits", [share_limits, part_limits])
@pytest.mark.parametrize("pairs", [1, 2, 20, 5000])
def test_zero_events_have_the_exact_upper_limit_never_plus_minus_nothing(limits: object, pairs: int) -> None:
    assert callable(limits)
    exact = stats.binomtest(0, pairs).proportion_ci(method="exact")
    lo, hi = limits(one(0.0), one(0.0), one(pairs))
    assert (lo[0], hi[0]) == pytest.approx((0, exact.high))
    lo, hi = limits(one(1.0), one(0.0), one(pairs))
    assert (lo[0], hi[0]) == pytest.approx((1 - exact.high, 1))


def test_pairs_that_all_agree_on_a_half_are_no_proof_of_it() -> None:
    lo, hi = share_limits(one(0.5), one(0.0), one(3))
    assert 0 < lo[0] < 0.5 < hi[0] < 1


@pytest.mark.parametrize("limits", [share_limits, part_limits])
def test_limits_of_shares_stay_in_range_and_hold_the_share(limits: object) -> None:
    assert callable(limits)
    share = np.array([0.001, 0.3, 0.999, np.nan])
    lo, hi = limits(share, np.array([0.01, 0.2, 0.01, np.nan]), np.array([4.0, 2.0, 3.0, 9.0]))
    assert (lo[:3] >= 0).all()
    assert (hi[:3] <= 1).all()
    assert (lo[:3] <= share[:3]).all()
    assert (share[:3] <= hi[:3]).all()
    assert np.isnan([lo[3], hi[3]]).all()


def test_rare_events_in_clusters_are_covered() -> None:
    """Of 95% intervals for a rare, clustered share, well over 90% must hold the truth."""
    rng = np.random.default_rng(5)
    pairs, runs, truth = 400, 2000, 0.01
    events = rng.binomial(1, truth, (runs, pairs)) * 2  # both legs or none: the cluster is the pair
    share = events.mean(axis=1) / 2
    lo, hi = part_limits(share, events.std(axis=1, ddof=1) / 2 / np.sqrt(pairs), np.full(runs, float(pairs)))
    assert np.mean((lo <= truth) & (truth <= hi)) > 0.93


def test_several_intervals_hold_together() -> None:
    assert simultaneous_level(1) == pytest.approx(0.95)
    assert simultaneous_level(6) ** 6 == pytest.approx(0.95)
    assert simultaneous_level(0) == pytest.approx(0.95)
