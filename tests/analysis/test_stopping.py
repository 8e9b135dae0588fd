"""Estimates after a stop: the chances they rest on, and what they say in the simplest and the oddest cases."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

from analysis.intervals import share_limits
from analysis.sequential import EQUAL, TESTS, UNDECIDED, A, Moments, look, moments
from analysis.stopping import adjusted, stops_by_look
from tests.support.sequential_runs import played

GAIN = TESTS["gain"]
EXAMPLE = [327, 0, 1044, 0, 421]
"""A run of `gain` that stopped for A after seven looks, at 52.6%."""
CAP = 50_000

every_test = pytest.mark.parametrize("name", TESTS)


def walks(share: float, variance: float, cap: int, runs: int = 20_000) -> tuple[np.ndarray, np.ndarray]:
    """Walk many normal runs of `gain` and return the means and pairs at which they stopped."""
    rng, looks = np.random.default_rng(3), 256.0 * np.arange(1, cap // 256 + 1)
    steps = rng.normal((share - 0.5) * 256, (variance * 256) ** 0.5, size=(runs, len(looks)))
    means = 0.5 + np.cumsum(steps, axis=1) / looks
    stops = GAIN.verdicts(means, variance, looks) != UNDECIDED
    stops[:, -1] = True
    at = stops.argmax(axis=1)
    return means[np.arange(runs), at], looks[at]


def test_estimate_and_limits_are_the_shares_with_the_promised_chances() -> None:
    """In simulated walks with those very shares, the observed mean is passed in 50%, 2.5% and 97.5%."""
    found = moments(EXAMPLE)
    answer = adjusted(GAIN, found, 25_600)
    for share, chance in zip(answer, (0.5, 0.025, 0.975), strict=True):
        means, _ = walks(share, float(found.variance), 25_600)
        error = (chance * (1 - chance) / len(means)) ** 0.5
        assert np.mean(means >= found.mean) == pytest.approx(chance, abs=3.5 * error)


@pytest.mark.parametrize("share", [0.5, 0.505, 0.52])
def test_recursion_stops_as_often_at_each_look_as_simulated_walks(share: float) -> None:
    variance = 0.105
    looks = np.arange(256.0, 25_601.0, 256.0)
    means, pairs = walks(share, variance, 25_600)
    for stops, n in zip(stops_by_look(GAIN, variance, share - 0.5, looks), looks, strict=False):
        mass, seen = float(stops.mass.sum()), float(np.mean(pairs == n))
        error = (mass * (1 - mass) / len(pairs)) ** 0.5
        assert seen == pytest.approx(mass, abs=4.5 * error + 1e-4)
        if seen > 0.02:
            middle = 0.5 + float(stops.x @ stops.mass) / mass / n
            assert middle == pytest.approx(float(means[pairs == n].mean()), abs=0.002)


@every_test
def test_masses_of_all_looks_add_up_to_one(name: str) -> None:
    looks = np.append(256.0 * np.arange(1, 40), 10_000.0)
    for share in (0.49, 0.5, 0.53):
        total = sum(float(stops.mass.sum()) for stops in stops_by_look(TESTS[name], 0.1, share - 0.5, looks))
        assert total == pytest.approx(1, abs=2e-7)


def test_raw_share_flatters_the_winner_and_the_adjusted_one_takes_it_back() -> None:
    true = 0.51
    ended = played(GAIN, true, 3_000, CAP, seed=8)
    assert np.mean(ended.mean > true) > 0.6
    answer = adjusted(GAIN, moments(EXAMPLE), CAP)
    assert 0.5 < answer.low < answer.estimate < moments(EXAMPLE).mean < answer.high
    assert answer == pytest.approx((0.52495, 0.50894, 0.54086), abs=5e-5)


@every_test
def test_run_that_never_looked_has_the_plain_interval(name: str) -> None:
    for counts in ([20, 3, 60, 2, 30], [100, 3, 100, 2, 50]):
        found = moments(counts)
        low, high = share_limits(
            np.array(found.mean), np.sqrt(found.variance / (found.pairs - 1)), np.array(found.pairs)
        )
        assert adjusted(TESTS[name], found, CAP) == pytest.approx((found.mean, float(low), float(high)))


@every_test
def test_run_with_one_look_only_has_the_normal_interval(name: str) -> None:
    for counts in ([51, 2, 151, 2, 50], [10, 2, 100, 2, 142]):
        found = moments(counts)
        half = 1.959964 * (found.variance / found.pairs) ** 0.5
        expected = (found.mean, found.mean - half, found.mean + half)
        assert adjusted(TESTS[name], found, 256) == pytest.approx(expected, abs=1e-4)


def test_run_broken_off_undecided_counts_as_one_that_was_to_end_there() -> None:
    found = moments([200, 0, 630, 0, 194])
    assert look(GAIN, [200, 0, 630, 0, 194]).verdict == UNDECIDED
    assert adjusted(GAIN, found, CAP) == adjusted(GAIN, found, 1_024)


def test_cap_may_fall_inside_a_block() -> None:
    whole, short = ([450, 0, 1_402, 0, 452], [450, 0, 1_403, 0, 452])
    one, other = (adjusted(GAIN, moments(counts), sum(counts)) for counts in (whole, short))
    assert other == pytest.approx(one, abs=3e-4)
    assert all(map(math.isfinite, other))


@pytest.mark.parametrize("name", [name for name, test in TESTS.items() if test.mirrored])
@pytest.mark.parametrize("counts", [EXAMPLE, [200, 9, 800, 1, 210], [2_300, 0, 4_950, 0, 2_450], [9, 0, 160, 7, 80]])
def test_mirrored_counts_mirror_the_estimate(name: str, counts: list[int]) -> None:
    mine, other = (adjusted(TESTS[name], moments(c), CAP) for c in (counts, counts[::-1]))
    assert mine == pytest.approx((1 - other.estimate, 1 - other.high, 1 - other.low), abs=1e-5)


@every_test
@pytest.mark.parametrize("place", range(5))
@pytest.mark.parametrize("pairs", [1, 255, 256, 2_560])
def test_pairs_all_alike_give_finite_limits_around_their_score(name: str, place: int, pairs: int) -> None:
    counts = [0] * 5
    counts[place] = pairs
    answer = adjusted(TESTS[name], moments(counts), CAP)
    assert 0 <= answer.low <= answer.estimate <= answer.high <= 1
    assert answer.estimate == pytest.approx(place / 4, abs=1e-5)
    low, high = share_limits(np.array(place / 4), np.array(0.0), np.array(float(pairs)))
    assert answer.low <= low
    assert answer.high >= high
    assert answer.high - answer.low < 8 / pairs + 1e-9


def test_player_against_itself_comes_out_even() -> None:
    found = moments([0, 0, 256, 0, 0])
    assert look(GAIN, [0, 0, 256, 0, 0]).verdict == EQUAL
    answer = adjusted(GAIN, found, CAP)
    assert answer.estimate == pytest.approx(0.5)
    assert answer.low == pytest.approx(1 - answer.high)


def test_limits_at_a_higher_level_are_wider() -> None:
    wide, narrow = (adjusted(GAIN, moments(EXAMPLE), CAP, level=level) for level in (0.99, 0.8))
    assert wide.low < narrow.low < narrow.estimate < narrow.high < wide.high
    assert wide.estimate == pytest.approx(narrow.estimate)


@pytest.mark.parametrize(
    "found",
    [Moments(255_000, 0.506, 0.12), Moments(50_000, 0.7, 0.1), Moments(49_920, 0.4, 0.001), Moments(256, 0.9, 1e-4)],
)
def test_results_no_run_can_end_with_still_give_finite_limits(found: Moments) -> None:
    answer = adjusted(GAIN, found, CAP)
    assert 0 <= answer.low <= answer.estimate <= answer.high <= 1


def test_a_higher_mean_at_the_same_stop_gives_a_higher_estimate() -> None:
    means = (0.53, 0.54, 0.55, 0.56)
    answers = [adjusted(GAIN, Moments(1_536, mean, 0.1), CAP) for mean in means]
    assert all(GAIN.verdicts(mean, 0.1, 1_536) == A for mean in means)
    for lower, higher in pairwise(answers):
        assert all(one < other for one, other in zip(lower, higher, strict=True))
