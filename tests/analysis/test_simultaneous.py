from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from analysis.intervals import share_limits, simultaneous_level
from analysis.simultaneous import MOST_BLOCKS, Arms, bands, clear_losers, differences, plateau
from tests.support.common_deals import BLOCK, play, sample, short_last, truth
from tests.support.slow_simultaneous import Slow

BOTH = pytest.mark.parametrize("blocks", [12, 50])


@BOTH
def test_bands_are_those_of_the_slow_obvious_way(blocks: int) -> None:
    arms = short_last(sample(blocks))
    np.testing.assert_allclose(np.transpose(bands(arms, 0.9)), Slow(arms).bands(0.9), rtol=1e-9)


@BOTH
def test_differences_are_those_of_the_slow_obvious_way(blocks: int) -> None:
    arms = short_last(sample(blocks, 4))
    mean, low, high = differences(arms, 0.9)
    for j, k, middle, half in Slow(arms).differences(0.9):
        assert (mean[j, k], low[j, k], high[j, k]) == pytest.approx((middle, middle - half, middle + half))
        assert (mean[k, j], low[k, j], high[k, j]) == pytest.approx((-middle, -middle - half, -middle + half))


@BOTH
def test_the_plateau_is_that_of_the_slow_obvious_way(blocks: int) -> None:
    arms = short_last(play(np.random.default_rng(1), blocks, 0.08 / math.sqrt(blocks) * np.arange(5)))
    found = set()
    for level in (0.5, 0.9, 0.999):
        good = plateau(arms, level)
        assert good.tolist() == Slow(arms).plateau(level)
        found.add(int(good.sum()))
    assert len(found) > 1


@pytest.mark.parametrize("blocks", [1, 5, 20, 60])
def test_permuted_arms_get_permuted_answers(blocks: int) -> None:
    arms, order = sample(blocks, 6, 3), np.array([3, 0, 5, 1, 4, 2])
    swapped = Arms(arms.sums[:, order], arms.pairs)
    np.testing.assert_allclose(bands(swapped), np.array(bands(arms))[:, order], rtol=1e-12)
    np.testing.assert_array_equal(plateau(swapped), plateau(arms)[order])
    np.testing.assert_allclose(differences(swapped), np.array(differences(arms))[:, order][:, :, order], atol=1e-12)
    np.testing.assert_array_equal(clear_losers(swapped, 10**5), clear_losers(arms, 10**5)[order])


def test_the_same_data_give_the_same_answer() -> None:
    arms = sample()
    np.testing.assert_array_equal(bands(arms), bands(arms))


@pytest.mark.parametrize("blocks", [1, 4, 20, 40])
def test_everything_holds_at_once_as_often_as_said(blocks: int) -> None:
    generator, strengths, samples = np.random.default_rng(blocks), np.array([0.0, 0.0, 0.0, 0.01, 0.02]), 150
    means = truth(strengths)
    apart, held = means[:, None] - means, np.zeros(3)
    for _ in range(samples):
        arms = play(generator, blocks, strengths)
        low, high = bands(arms, 0.9)
        held[0] += np.all((low <= means) & (means <= high))
        held[1] += plateau(arms, 0.9)[4]
        _, low, high = differences(arms, 0.9)
        held[2] += np.all((low <= apart) & (apart <= high))
    assert (held >= stats.binom.ppf(0.002, samples, 0.9)).all()


def test_arms_that_go_together_get_narrower_bands_than_sidak_s() -> None:
    together, apart = (play(np.random.default_rng(5), 400, np.zeros(8), common) for common in (0.98, 0.0))
    sidak = stats.norm.isf((1 - simultaneous_level(8)) / 2)
    for arms, lower, upper in ((together, 0.75, 0.93), (apart, 0.97, 1.03)):
        low, high = bands(arms)
        error = Slow(arms).error(Slow(arms).residuals(0))
        assert lower < (high - low)[0] / 2 / error / sidak < upper


def test_bands_of_few_blocks_use_the_variance_between_pairs() -> None:
    arms, variance = sample(3, 4), np.array([0.1, 0.12, 0.0, 0.2])
    pairs = np.full(4, 3.0 * BLOCK)
    expected = share_limits(arms.mean, np.sqrt(variance / pairs), pairs, simultaneous_level(4))
    np.testing.assert_allclose(bands(arms, variance=variance), expected)


def test_bands_of_few_blocks_allow_for_the_largest_variance_when_none_is_given() -> None:
    arms = sample(1, 4)
    largest = arms.mean * (1 - arms.mean)
    np.testing.assert_allclose(bands(arms), bands(arms, variance=largest))


@pytest.mark.parametrize("blocks", [1, 3, 20, 50])
def test_all_wins_have_the_exact_limit_and_a_mirror_none(blocks: int) -> None:
    arms = sample(blocks, 2)
    pairs = blocks * BLOCK
    sums = np.column_stack([arms.sums, arms.pairs * 1.0, arms.pairs * 0.5, arms.pairs * 0.0])
    low, high = bands(Arms(sums, arms.pairs), mirrors=np.array([False, False, False, True, False]))
    alpha = 1 - simultaneous_level(4)
    assert (low[3], high[3]) == (0.5, 0.5)
    assert (low[2], high[2]) == pytest.approx(((alpha / 2) ** (1 / pairs), 1))
    assert (low[4], high[4]) == pytest.approx((0, 1 - (alpha / 2) ** (1 / pairs)))


def test_an_arm_without_spread_that_is_no_mirror_is_not_known_exactly() -> None:
    arms = Arms(np.full((40, 1), BLOCK / 2), np.full(40, BLOCK))
    low, high = bands(arms)
    assert low[0] < 0.5 < high[0]


def test_a_mirror_that_varies_is_no_mirror() -> None:
    arms = sample()
    np.testing.assert_array_equal(bands(arms, mirrors=np.ones(5, dtype=np.bool_)), bands(arms))


@pytest.mark.parametrize("blocks", [10, 50])
def test_one_arm_has_student_s_interval_and_is_the_plateau(blocks: int) -> None:
    arms = sample(blocks, 1)
    values = arms.sums[:, 0] / BLOCK
    expected = stats.t.interval(0.95, blocks - 1, values.mean(), stats.sem(values))
    assert np.ravel(bands(arms)) == pytest.approx(expected, rel=2e-3)
    assert plateau(arms).tolist() == [True]
    assert np.ravel(differences(arms)).tolist() == [0, 0, 0]
    assert clear_losers(arms, 10**5).tolist() == [False]


@pytest.mark.parametrize("blocks", [2, 20, 50])
def test_two_arms_alike_in_every_block_are_equal_but_not_for_certain(blocks: int) -> None:
    arms = sample(blocks, 1)
    twins = Arms(np.repeat(arms.sums, 2, axis=1), arms.pairs)
    assert plateau(twins).tolist() == [True, True]
    mean, low, high = differences(twins)
    assert not mean.any()
    assert high[0, 1] == pytest.approx(1 - 0.025 ** (1 / (blocks * BLOCK)))
    np.testing.assert_array_equal(low, -high)
    np.testing.assert_array_equal(np.diag(high), 0)
    assert not clear_losers(twins, 10**5).any()


def test_two_arms_with_the_same_sum_of_one_block_are_not_taken_for_alike() -> None:
    _, low, high = differences(Arms(np.array([[128.0, 128.0]]), np.array([BLOCK])))
    assert high[0, 1] > 0.1
    assert low[0, 1] < -0.1


@pytest.mark.parametrize("blocks", [1, 10, 50])
def test_all_wins_are_clearly_better_than_all_losses_and_a_half(blocks: int) -> None:
    pairs = np.full(blocks, BLOCK)
    arms = Arms(pairs[:, None] * np.array([1.0, 0.0, 0.5]), pairs)
    assert plateau(arms).tolist() == [True, False, False]
    mean, low, high = differences(arms)
    assert mean[0, 1] == high[0, 1] == 1
    assert 0 < low[0, 1] < 1
    assert np.isfinite(low).all()


def test_the_best_of_the_sample_is_always_in_the_plateau() -> None:
    for seed in range(30):
        for blocks in (1, 3, 12, 35):
            arms = sample(blocks, 4, seed)
            assert plateau(arms, 0.5)[arms.mean.argmax()]


def test_a_clearly_worse_arm_is_not_in_the_plateau() -> None:
    arms = play(np.random.default_rng(4), 80, [0.0, 0.3, 0.3])
    assert plateau(arms).tolist() == [False, True, True]


def test_merging_keeps_the_sums_and_leaves_so_many_blocks_at_most() -> None:
    pairs = np.append(np.full(MOST_BLOCKS * 2, BLOCK), [7, 0])
    arms = Arms(np.random.default_rng(1).integers(0, 400, (len(pairs), 3)) / 4.0 * (pairs[:, None] > 0), pairs)
    merged = arms.merged()
    assert MOST_BLOCKS / 2 < len(merged.pairs) <= MOST_BLOCKS
    assert merged.total == arms.total == pairs.sum()
    np.testing.assert_array_equal(merged.sums.sum(axis=0), arms.sums.sum(axis=0))
    np.testing.assert_array_equal(merged.sums[0], arms.sums[:3].sum(axis=0))
    np.testing.assert_array_equal(merged.pairs[:2], [3 * BLOCK, 3 * BLOCK])


def test_arms_without_pairs_are_refused() -> None:
    with pytest.raises(ValueError, match="no pairs"):
        bands(Arms(np.zeros((0, 2)), np.zeros(0, dtype=np.int64)))
