from __future__ import annotations

import numpy as np
import pytest
from scipy import optimize

from analysis.equilibrium import Floats, _by_linear_programming, equilibrium

ROCK_PAPER_SCISSORS = np.array([[0.5, 0.0, 1.0], [1.0, 0.5, 0.0], [0.0, 1.0, 0.5]])


def random_payoff(size: int, rng: np.random.Generator) -> Floats:
    lead = np.triu(rng.uniform(-0.2, 0.2, (size, size)), 1)
    return np.asarray(0.5 + lead - lead.T)


def test_rock_paper_and_scissors_are_played_a_third_each_and_each_is_beaten_by_the_next() -> None:
    mix, value, exploitability, exploiter = equilibrium(ROCK_PAPER_SCISSORS)
    assert mix == pytest.approx([1 / 3] * 3, abs=1e-12)
    assert value == pytest.approx(0.5, abs=1e-12)
    assert exploitability.tolist() == [0.5, 0.5, 0.5]
    assert exploiter.tolist() == [1, 2, 0]


def test_a_strategy_that_beats_all_is_the_whole_mix_and_cannot_be_exploited() -> None:
    payoff = np.array([[0.5, 0.6, 0.4], [0.4, 0.5, 0.45], [0.6, 0.55, 0.5]])
    mix, _, exploitability, exploiter = equilibrium(payoff)
    assert mix.tolist() == [0, 0, 1]
    assert exploitability == pytest.approx([0.1, 0.1, 0])
    assert exploiter.tolist() == [2, 0, 2]


def test_an_uneven_circle_is_mixed_by_the_strength_of_the_opposite_pairing() -> None:
    # With leads a, b, c around the circle the weights are as the lead of the pairing that one is not in.
    a, b, c = 0.3, 0.1, 0.05  # 0 beats 1 by a, 1 beats 2 by b, 2 beats 0 by c
    lead = np.array([[0, a, -c], [-a, 0, b], [c, -b, 0]])
    assert equilibrium(0.5 + lead).mix == pytest.approx(np.array([b, c, a]) / (a + b + c))


@pytest.mark.parametrize("size", [1, 2, 5, 20])
def test_nobody_wins_more_than_half_against_the_mix(size: int) -> None:
    rng = np.random.default_rng(size)
    for _ in range(10):
        payoff = random_payoff(size, rng)
        mix, value, _, _ = equilibrium(payoff)
        assert mix.sum() == pytest.approx(1)
        assert (mix >= 0).all()
        assert (payoff @ mix).max() <= 0.5 + 1e-9
        assert value == pytest.approx(0.5, abs=1e-9)


def test_a_mix_of_generic_win_rates_is_the_only_one_that_linear_programming_can_find() -> None:
    rng = np.random.default_rng(3)
    for _ in range(10):
        payoff = random_payoff(7, rng)
        mix = equilibrium(payoff).mix
        for player in range(7):  # the largest and the least weight that an optimal mix can give him
            for sign in (1, -1):
                goal = np.zeros(7)
                goal[player] = sign
                bound = optimize.linprog(goal, A_ub=0.5 - payoff.T, b_ub=np.zeros(7), A_eq=np.ones((1, 7)), b_eq=[1])
                assert np.asarray(bound.x)[player] == pytest.approx(mix[player], abs=1e-6)


@pytest.mark.parametrize("spread", [1, 1e-2, 1e-4])
def test_linear_programming_and_least_distance_find_the_same_mix_where_there_is_only_one(spread: float) -> None:
    rng = np.random.default_rng(5)
    for size in (2, 3, 10, 20):
        lead = (random_payoff(size, rng) - 0.5) * spread
        assert equilibrium(0.5 + lead).mix == pytest.approx(_by_linear_programming(lead), abs=1e-6)


def test_copies_of_a_strategy_share_its_weight_equally() -> None:
    origin = [0, 1, 2, 2, 1, 2]
    mix = equilibrium(ROCK_PAPER_SCISSORS[np.ix_(origin, origin)]).mix
    assert mix == pytest.approx([1 / 3, 1 / 6, 1 / 9, 1 / 9, 1 / 6, 1 / 9])


def test_among_equals_all_mixes_are_optimal_and_the_even_one_is_returned() -> None:
    mix, _, exploitability, exploiter = equilibrium(np.full((4, 4), 0.5))
    assert mix == pytest.approx([0.25] * 4)
    assert exploitability.tolist() == [0] * 4
    assert exploiter.tolist() == [0, 1, 2, 3]


def test_the_order_of_the_strategies_does_not_matter() -> None:
    rng = np.random.default_rng(4)
    payoff = random_payoff(6, rng)
    payoff[:, 5], payoff[5] = payoff[:, 4], payoff[4]  # two copies: several optimal mixes
    payoff[5, 5] = payoff[4, 5] = payoff[5, 4] = 0.5
    order = rng.permutation(6)
    straight, turned = equilibrium(payoff), equilibrium(payoff[np.ix_(order, order)])
    assert turned.mix == pytest.approx(straight.mix[order], abs=1e-9)
    assert turned.exploitability == pytest.approx(straight.exploitability[order])


def test_leads_of_a_thousandth_are_seen() -> None:
    assert equilibrium(np.array([[0.5, 0.499999], [0.500001, 0.5]])).mix.tolist() == [0, 1]
    assert equilibrium(0.5 + (ROCK_PAPER_SCISSORS - 0.5) / 1000).mix == pytest.approx([1 / 3] * 3)


@pytest.mark.parametrize(
    ("payoff", "message"),
    [
        ([[0.5, np.nan], [np.nan, 0.5]], "did not meet"),
        ([[0.5, 0.6], [0.6, 0.5]], "add up to 1"),
        ([[0.6, 0.6], [0.4, 0.5]], "add up to 1"),
        ([[0.5, 0.6]], "square"),
        (np.zeros((0, 0)), "square"),
    ],
)
def test_what_is_no_complete_matrix_of_win_rates_is_refused_in_one_line(payoff: object, message: str) -> None:
    with pytest.raises(ValueError, match=message) as trouble:
        equilibrium(np.asarray(payoff, dtype=np.float64))
    assert "\n" not in str(trouble.value)
