from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import pytest

from analysis.anytime import anytime_limits, anytime_lower

Floats = npt.NDArray[np.float64]
BLOCK, PLANNED = 256, 20_000
SCORES = np.arange(5) / 4
EVEN = (0.18, 0.02, 0.60, 0.02, 0.18)


def watched(runs: int, chances: tuple[float, ...], seed: int) -> tuple[Floats, Floats, Floats]:
    """Return mean, sd and pairs at every look of so many runs, (runs, looks)."""
    looks = PLANNED // BLOCK
    counts = np.random.default_rng(seed).multinomial(BLOCK, chances, size=(runs, looks)).cumsum(axis=1)
    pairs = BLOCK * np.arange(1.0, looks + 1)
    mean = counts @ SCORES / pairs
    return mean, np.sqrt((counts @ SCORES**2 / pairs - mean**2) * pairs / (pairs - 1)), pairs


def test_watching_a_plain_interval_names_false_winners_and_this_one_does_not() -> None:
    mean, sd, pairs = watched(2_000, EVEN, 1)
    plain = (np.abs(mean - 0.5) > 1.96 * sd / np.sqrt(pairs)).any(axis=1).mean()
    low, high = anytime_limits(mean, sd, pairs, PLANNED)
    assert plain > 0.3
    assert 0 < ((low > 0.5) | (high < 0.5)).any(axis=1).mean() < 0.05


def test_one_lower_limit_passes_the_mean_in_fewer_than_one_run_in_twenty() -> None:
    mean, sd, pairs = watched(2_000, EVEN, 2)
    assert 0 < (anytime_lower(mean, sd, pairs, PLANNED) > 0.5).any(axis=1).mean() < 0.05


def test_a_rare_loss_that_has_not_come_yet_is_allowed_for() -> None:
    chances = (0.002, 0.0, 0.0, 0.0, 0.998)
    mean, sd, pairs = watched(2_000, chances, 3)
    assert (sd == 0).any(axis=1).mean() > 0.5
    low, _ = anytime_limits(mean, sd, pairs, PLANNED, share=True)
    assert ((low > 0.998) & (sd == 0)).any(axis=1).mean() < 0.05


@pytest.mark.parametrize("level", [0.9, 0.95, 0.999])
@pytest.mark.parametrize("pairs", [256, 5_000, 20_000, 90_000])
def test_limits_are_those_of_the_published_formula(level: float, pairs: int) -> None:
    alpha = 1 - level
    r2 = (-2 * math.log(alpha) + math.log(-2 * math.log(alpha)) + 1) / PLANNED
    n = pairs
    half = 0.35 * math.sqrt(2 * (n * r2 + 1) / (n**2 * r2) * math.log(math.sqrt(n * r2 + 1) / alpha))
    low, high = anytime_limits(0.51, 0.35, pairs, PLANNED, level)
    assert (low, high) == pytest.approx((0.51 - half, 0.51 + half))


def test_no_other_planned_number_makes_narrower_limits_at_the_planned_one_by_more_than_a_hundredth() -> None:
    plans = np.geomspace(100, 1e7, 200)
    low, high = anytime_limits(0.5, 0.35, PLANNED, plans)
    at_plan = np.diff(anytime_limits(0.5, 0.35, PLANNED, PLANNED))[0]
    assert at_plan < 1.01 * (high - low).min()


def test_one_side_alone_is_nearer_than_that_side_of_two() -> None:
    low, _ = anytime_limits(0.5, 0.35, PLANNED, PLANNED)
    assert low < anytime_lower(0.5, 0.35, PLANNED, PLANNED) < 0.5 - 1.645 * 0.35 / PLANNED**0.5


def test_one_side_is_nearly_the_two_sided_limit_at_twice_the_error() -> None:
    low, _ = anytime_limits(0.5, 0.35, PLANNED, PLANNED, 0.998)
    assert anytime_lower(0.5, 0.35, PLANNED, PLANNED, 0.999) == pytest.approx(low, abs=1e-4)


def test_all_wins_leave_room_for_as_many_losses_as_one_pair_would_show() -> None:
    low, high = anytime_limits(1.0, 0.0, BLOCK, PLANNED, share=True)
    as_one_differs = anytime_limits(1.0, 1 / math.sqrt(BLOCK), BLOCK, PLANNED, share=True)
    assert (low, high) == as_one_differs
    assert low < 1


@pytest.mark.parametrize("pairs", [0, 1])
def test_nothing_is_known_of_fewer_than_two_pairs(pairs: int) -> None:
    mean = 0.75 if pairs else math.nan
    np.testing.assert_array_equal(anytime_limits(mean, math.nan, pairs, PLANNED), (-math.inf, math.inf))
    np.testing.assert_array_equal(anytime_limits(mean, math.nan, pairs, PLANNED, share=True), (0, 1))
    assert anytime_lower(mean, 0.0, pairs, PLANNED) == -math.inf


def test_limits_are_cut_at_the_range_of_a_share_only_when_asked() -> None:
    low, high = anytime_limits(np.array([0.01, 0.99]), 0.3, 300, PLANNED)
    assert low[0] < 0
    assert high[1] > 1
    cut_low, cut_high = anytime_limits(np.array([0.01, 0.99]), 0.3, 300, PLANNED, share=True)
    assert (cut_low[0], cut_high[1]) == (0, 1)
    assert (cut_high[0], cut_low[1]) == (high[0], low[1])


def test_an_array_is_answered_like_each_of_its_numbers() -> None:
    mean, sd, pairs = np.array([0.4, 0.5, 1.0]), np.array([0.3, 0.2, 0.0]), np.array([1, 500, 30_000])
    together = np.array(anytime_limits(mean, sd, pairs, PLANNED))
    alone = [anytime_limits(*one, PLANNED) for one in zip(mean, sd, pairs, strict=True)]
    np.testing.assert_array_equal(together.T, alone)


@pytest.mark.parametrize("level", [0.3, 1.0, 95])
def test_a_level_that_is_no_probability_of_being_right_is_refused(level: float) -> None:
    with pytest.raises(ValueError, match="level"):
        anytime_limits(0.5, 0.3, 500, PLANNED, level)
