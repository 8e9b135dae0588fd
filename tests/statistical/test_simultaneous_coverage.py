"""How often what is said of all arms at once holds, over thousands of made-up sweeps and races: `make verify`."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest
from scipy import stats

from analysis.anytime import anytime_limits
from analysis.simultaneous import Arms, bands, differences, plateau, race_bands
from tests.support.common_deals import BLOCK, play, race, truth

pytestmark = pytest.mark.slow

Floats = npt.NDArray[np.float64]
LEVEL = 0.95


def holds_often_enough(held: int, samples: int, level: float = LEVEL) -> bool:
    """Whether so many successes are no surprise if the level is kept up to half a point, at one in a thousand."""
    return held >= stats.binom.ppf(0.001, samples, level - 0.005)


def many_blocks(generator: np.random.Generator, blocks: int, strengths: Floats, common: float) -> Arms:
    """Return normal block sums of arms, quick to draw; `strengths` are true means, one pair's deviation is 0.35."""
    spread = 0.35 * math.sqrt(BLOCK)
    deals = generator.normal(size=(blocks, 1)) * math.sqrt(common)
    own = generator.normal(size=(blocks, len(strengths))) * math.sqrt(1 - common)
    return Arms(BLOCK * strengths + spread * (deals + own), np.full(blocks, BLOCK))


def assert_all_hold(draw: Callable[[], Arms], means: Floats, samples: int) -> None:
    apart, best = means[:, None] - means, means.argmax()
    held = np.zeros(3, dtype=np.int64)
    for _ in range(samples):
        arms = draw()
        low, high = bands(arms)
        held[0] += np.all((low <= means) & (means <= high))
        _, low, high = differences(arms)
        held[1] += np.all((low <= apart) & (apart <= high))
        held[2] += plateau(arms)[best]
    assert all(holds_often_enough(int(n), samples) for n in held), f"{held} of {samples}"


@pytest.mark.parametrize("blocks", [1, 4, 8, 31])
def test_bands_differences_and_plateau_hold_for_pair_scores(blocks: int) -> None:
    generator, strengths = np.random.default_rng(blocks), np.zeros(8)
    assert_all_hold(lambda: play(generator, blocks, strengths), truth(strengths), 1_000)


@pytest.mark.parametrize(("blocks", "common"), [(31, 0.0), (31, 0.9), (60, 0.5), (120, 0.5), (300, 0.9)])
def test_bands_differences_and_plateau_hold_for_twelve_equal_arms(blocks: int, common: float) -> None:
    generator, means = np.random.default_rng(blocks), np.full(12, 0.5)
    assert_all_hold(lambda: many_blocks(generator, blocks, means, common), means, 1_000)


def test_bands_and_plateau_hold_for_rare_wins() -> None:
    generator, strengths = np.random.default_rng(7), np.array([-1.5, -1.5, -1.4, 1.2])
    assert_all_hold(lambda: play(generator, 40, strengths), truth(strengths), 800)


@pytest.mark.parametrize(("arms", "error"), [(2, 0.05), (6, 0.01), (6, 0.1), (20, 0.05)])
def test_the_best_arm_is_ever_dropped_in_no_more_races_than_said(arms: int, error: float) -> None:
    generator, means, races = np.random.default_rng(arms), np.full(arms, 0.5), 800
    dropped = 0
    for _ in range(races):
        played = race(many_blocks(generator, 78, means, 0.5), 78 * BLOCK, error)
        dropped += len(played[0][1]) < 78
    assert dropped <= stats.binom.ppf(0.999, races, error)


@pytest.mark.parametrize("step", [0.0, 0.004, 0.02])
@pytest.mark.parametrize("planned", [78, 200])
def test_limits_after_a_race_hold_all_at_once(step: float, planned: int) -> None:
    generator, races = np.random.default_rng(11), 600
    means: Floats = 0.45 + step * np.arange(6.0)
    held = 0
    for _ in range(races):
        low, high = race_bands(race(many_blocks(generator, 78, means, 0.5), planned * BLOCK, 0.01), planned * BLOCK)
        held += bool(np.all((low <= means) & (means <= high)))
    assert holds_often_enough(held, races)


def test_anytime_limits_fail_in_under_one_run_in_twenty_whatever_is_planned() -> None:
    generator, scores = np.random.default_rng(5), np.arange(5) / 4
    counts = generator.multinomial(BLOCK, [0.3, 0.05, 0.3, 0.05, 0.3], size=(5_000, 400)).cumsum(axis=1)
    pairs = BLOCK * np.arange(1.0, 401)
    mean = counts @ scores / pairs
    sd = np.sqrt((counts @ scores**2 / pairs - mean**2) * pairs / (pairs - 1))
    for planned in (2_000, 20_000, 100_000):
        low, high = anytime_limits(mean, sd, pairs, planned)
        assert ((low > 0.5) | (high < 0.5)).any(axis=1).mean() < 0.05
