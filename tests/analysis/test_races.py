from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from analysis.anytime import anytime_limits
from analysis.intervals import simultaneous_level
from analysis.simultaneous import Arms, bands, clear_losers, race_bands
from tests.support.common_deals import BLOCK, play, race, sample
from tests.support.slow_simultaneous import Slow


def test_a_race_drops_nobody_before_eight_blocks() -> None:
    arms = play(np.random.default_rng(2), 8, [0.0, 1.5])
    assert not clear_losers(Arms(arms.sums[:7], arms.pairs[:7]), 20_000).any()
    assert clear_losers(arms, 20_000).tolist() == [True, False]


def test_the_more_arms_started_the_harder_it_is_to_drop_one() -> None:
    arms = play(np.random.default_rng(2), 40, [0.0, 0.09])
    assert clear_losers(arms, 20_000).tolist() == [True, False]
    assert not clear_losers(arms, 20_000, started=10**6).any()


def test_the_best_arm_is_dropped_in_no_more_races_than_said() -> None:
    generator, races, error = np.random.default_rng(6), 120, 0.2
    dropped = 0
    for _ in range(races):
        arms = play(generator, 30, [0.0, 0.0, 0.0])
        dropped += len(race(arms, arms.total, error)[0][1]) < 30
    assert 0 < dropped <= stats.binom.ppf(0.998, races, error)


def test_without_a_dropped_arm_a_race_gives_the_bands() -> None:
    arms = sample()
    played = [(arms.sums[:, j], arms.pairs) for j in range(5)]
    np.testing.assert_array_equal(race_bands(played, arms.total), bands(arms))


def test_after_a_race_survivors_have_bands_and_the_dropped_anytime_valid_limits() -> None:
    arms = play(np.random.default_rng(3), 60, [0.0, 0.5, 0.5])
    played = race(arms, arms.total, 0.01)
    assert len(played[0][1]) < 60
    low, high = race_bands(played, arms.total)
    wide, all_on = np.subtract(*bands(arms, 0.96)[::-1]), high - low
    assert all_on[1:] == pytest.approx(wide[1:], rel=0.05)
    values = played[0][0] / BLOCK
    n, sd = len(values) * BLOCK, values.std(ddof=1) * math.sqrt(BLOCK)
    plain = anytime_limits(values.mean(), sd, n, arms.total, 1 - 0.01 / 3)
    assert low[0] < plain[0] < plain[1] < high[0]
    assert high[0] - low[0] < 1.5 * (plain[1] - plain[0])


def test_a_race_that_stopped_early_has_anytime_valid_limits_for_all() -> None:
    arms = play(np.random.default_rng(3), 60, [0.0, 0.5, 0.5])
    played = race(arms, 2 * arms.total, 0.01)
    early, in_time = race_bands(played, 2 * arms.total), race_bands(played, arms.total)
    assert (np.subtract(*early[::-1])[1:] > 1.2 * np.subtract(*in_time[::-1])[1:]).all()


def test_a_mirror_stays_exact_in_a_race() -> None:
    arms = play(np.random.default_rng(3), 60, [0.0, 0.5])
    played = race(Arms(np.column_stack([arms.sums, arms.pairs / 2]), arms.pairs), arms.total, 0.01)
    low, high = race_bands(played, arms.total, mirrors=np.array([False, False, True]))
    assert low[2] == high[2] == 0.5
    assert (low[:2] < high[:2]).all()


def test_a_survivor_without_spread_so_far_is_not_left_out_of_the_critical_value() -> None:
    arms = play(np.random.default_rng(3), 100, [0.0, 0.5, 0.5])
    sums = arms.sums.copy()
    sums[:40, 2] = BLOCK
    played = [(sums[:40, 0], arms.pairs[:40]), (sums[:, 1], arms.pairs), (sums[:, 2], arms.pairs)]
    low, high = race_bands(played, arms.total)
    slow = Slow(Arms(sums, arms.pairs))
    sidak = stats.t.isf((1 - simultaneous_level(3, 0.96)) / 2, 99)
    assert (high - low)[1] / 2 == pytest.approx(sidak * slow.error(slow.residuals(1)))


def test_a_race_needs_an_error_below_that_of_all_limits() -> None:
    arms = sample()
    with pytest.raises(ValueError, match="error"):
        race_bands([(arms.sums[:, 0], arms.pairs)], arms.total, level=0.99, error=0.01)
