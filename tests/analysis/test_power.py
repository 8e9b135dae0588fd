"""How many pairs it takes: the formulas, and simulated comparisons that need as many."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm

from analysis import power
from analysis.power import fixed_pairs, gain_test, length, size
from analysis.sequential import EQUAL, TESTS, A
from tests.support.sequential_runs import allowed, played, score_chances

VARIANCE = float(score_chances(0.5) @ (np.linspace(0, 1, 5) - 0.5) ** 2)
SD = VARIANCE**0.5


def test_fixed_number_is_that_of_the_formula() -> None:
    z = norm.ppf(0.975) + norm.ppf(0.9)
    assert fixed_pairs(0.01, 0.32, 0.05, 0.9) == int(np.ceil(z**2 * 0.32**2 / 0.01**2)) == 10_760
    # One-sided at 5% and 5%, the 10.82 sigma^2 / d^2 of the design of the statistics.
    assert fixed_pairs(0.01, 1.0, 0.1, 0.95) == pytest.approx(10.82e4, rel=1e-3)


def test_fixed_number_finds_the_difference_as_often_as_promised() -> None:
    rng, runs, difference = np.random.default_rng(4), 20_000, 0.02
    pairs = fixed_pairs(difference, SD, error=0.05, power=0.9)
    for share, expected in ((0.5, 0.05), (0.5 + difference, 0.9)):
        means = rng.multinomial(pairs, score_chances(share), size=runs) @ np.linspace(0, 1, 5) / pairs
        found = np.mean(np.abs(means - 0.5) > norm.ppf(0.975) * SD / pairs**0.5)
        assert found == pytest.approx(expected, abs=0.01)


def test_half_the_difference_takes_four_times_the_pairs() -> None:
    one, other = size(0.002, 0.32), size(0.001, 0.32)
    for more, fewer in zip(other[1:], one[1:], strict=True):
        assert more == pytest.approx(4 * fewer, rel=0.05)


def test_one_question_takes_5_3_in_the_units_where_a_fixed_number_takes_10_8() -> None:
    """Wald's approximation, which knows no overshoot: looks after every 4 pairs come near it."""
    unit = 0.1 / 0.01**2
    looks = np.arange(4.0, 12_000.0, 4.0)
    for share in (TESTS["nonreg"].s0, TESTS["nonreg"].s1):
        assert length(TESTS["nonreg"], 0.1, share, looks).mean == pytest.approx(5.30 * unit, rel=0.04)


def test_sequential_lengths_are_those_of_simulated_runs() -> None:
    runs, difference = 3_000, 0.02
    found = size(difference, SD)
    test = gain_test(difference, 0.05, 0.9)
    for share, mean in ((0.5, found.equal), (0.51, found.half_way), (0.52, found.different)):
        pairs = played(test, share, runs, 1_000_000, seed=2).pairs
        assert mean == pytest.approx(pairs.mean(), abs=4 * pairs.std() / runs**0.5 + 0.01 * mean)
        assert np.mean(pairs > found.most) <= allowed(0.01, runs)


def test_sequential_test_promises_what_the_fixed_number_does() -> None:
    runs, difference = 2_000, 0.03
    test = gain_test(difference, error=0.1, power=0.8)
    even, apart = (played(test, share, runs, 1_000_000, seed=6).verdict for share in (0.5, 0.5 + difference))
    assert np.mean(even != EQUAL) <= allowed(0.1, runs)
    assert np.mean(apart != A) <= allowed(0.2, runs)


def test_larger_blocks_stand_in_for_many_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    coarse = size(0.003, 0.32)
    monkeypatch.setattr(power, "LOOKS", 10_000)
    assert coarse[1:] == pytest.approx(size(0.003, 0.32)[1:], rel=0.01)


def test_smaller_errors_and_more_spread_take_more_pairs() -> None:
    base = size(0.01, 0.32, 0.05, 0.9)
    for harder in (size(0.01, 0.32, 0.01, 0.9), size(0.01, 0.32, 0.05, 0.99), size(0.01, 0.4, 0.05, 0.9)):
        assert all(more > fewer for more, fewer in zip(harder[1:], base[1:], strict=True))


@pytest.mark.parametrize("difference", [0.0001, 0.49])
@pytest.mark.parametrize(("error", "chance"), [(0.00001, 0.99999), (0.5, 0.501)])
def test_extremes_have_an_answer(difference: float, error: float, chance: float) -> None:
    found = size(difference, 0.32, error, chance)
    assert found.fixed >= 1
    assert all(pairs >= 256 for pairs in found[2:])
    assert found.most >= found.half_way


@pytest.mark.parametrize(
    ("difference", "sd", "error", "chance"),
    [(0, 0.3, 0.05, 0.9), (0.5, 0.3, 0.05, 0.9), (0.01, 0, 0.05, 0.9), (0.01, 0.3, 0, 0.9), (0.01, 0.3, 0.05, 1)],
)
def test_what_has_no_answer_is_refused(difference: float, sd: float, error: float, chance: float) -> None:
    with pytest.raises(ValueError, match="needed are"):
        size(difference, sd, error, chance)
