from __future__ import annotations

import math
from itertools import product

import numpy as np
import numpy.typing as npt
import pytest
from scipy import stats

from analysis.ratings import Meeting
from analysis.superiority import likelihood_of_superiority, superiority_matrix, undecided

Counts = npt.NDArray[np.int64]
SCORES = np.array([0, 0.25, 0.5, 0.75, 1])


def counts(*pairs: int) -> Counts:
    return np.array(pairs, dtype=np.int64)


def meeting(a: int, b: int, *pairs: int) -> Meeting:
    return Meeting(a, b, counts(*pairs)[None, :])


def test_the_likelihood_is_the_normal_one_of_the_mean_over_pairs() -> None:
    pairs = counts(327, 12, 1044, 7, 421)
    sample = np.repeat(SCORES, pairs)
    z = (sample.mean() - 0.5) / (sample.std(ddof=1) / np.sqrt(len(sample)))
    assert likelihood_of_superiority(pairs) == pytest.approx(stats.norm.cdf(z), rel=1e-12)


@pytest.mark.parametrize("pairs", [1, 2, 7, 30])
@pytest.mark.parametrize("score", [3, 4])
def test_pairs_that_all_went_one_way_say_as_much_as_tosses_of_a_coin(pairs: int, score: int) -> None:
    alike = np.zeros(5, dtype=np.int64)
    alike[score] = pairs
    assert likelihood_of_superiority(alike) == 1 - 0.5**pairs
    assert likelihood_of_superiority(alike[::-1]) == 0.5**pairs


def test_no_sample_makes_it_certain() -> None:
    for pairs in (counts(0, 0, 0, 0, 10**9), counts(1, 0, 0, 0, 10**9), counts(0, 0, 0, 1, 10**9)):
        assert 1 - 1e-15 < likelihood_of_superiority(pairs) < 1
        assert 0 < likelihood_of_superiority(pairs[::-1]) < 1e-15


@pytest.mark.parametrize("even", [counts(0, 0, 1, 0, 0), counts(0, 0, 9, 0, 0), counts(4, 2, 7, 2, 4)])
def test_an_even_score_is_one_half(even: Counts) -> None:
    assert likelihood_of_superiority(even) == 0.5


def test_one_pair_decides_nothing() -> None:
    for pairs in np.eye(5, dtype=np.int64):
        assert likelihood_of_superiority(pairs) == 0.5


def test_nothing_played_says_nothing() -> None:
    assert math.isnan(likelihood_of_superiority(counts(0, 0, 0, 0, 0)))


def test_both_players_views_add_up_to_one() -> None:
    for cells in product((0, 1, 3), repeat=5):
        if any(cells):
            pairs = counts(*cells)
            assert likelihood_of_superiority(pairs) + likelihood_of_superiority(pairs[::-1]) == 1


def test_few_pairs_are_not_surer_than_a_sign_flip_test_can_be() -> None:
    # Three wins and a narrow one have next to no spread: the normal tail alone would be 1e-12.
    assert likelihood_of_superiority(counts(0, 0, 0, 1, 3)) == 1 - 0.5**4


def test_the_matrix_shows_who_did_not_meet_and_each_player_even_with_himself() -> None:
    matrix = superiority_matrix(
        4, [meeting(0, 1, 2, 0, 5, 0, 9), meeting(3, 1, 9, 0, 0, 0, 0), meeting(2, 2, 0, 0, 1, 0, 0)]
    )
    assert matrix[0, 1] == likelihood_of_superiority(counts(2, 0, 5, 0, 9))
    assert matrix[1, 0] == pytest.approx(1 - matrix[0, 1])
    assert matrix[3, 1] == 0.5**9
    assert matrix.diagonal().tolist() == [0.5] * 4
    assert {(int(i), int(j)) for i, j in np.argwhere(np.isnan(matrix))} == {
        (0, 2), (2, 0), (0, 3), (3, 0), (1, 2), (2, 1), (2, 3), (3, 2),
    }  # fmt: skip


def test_meetings_of_the_same_two_are_pooled_whoever_is_named_first() -> None:
    matrix = superiority_matrix(2, [meeting(0, 1, 2, 0, 5, 0, 9), meeting(1, 0, 3, 1, 0, 0, 2)])
    assert matrix[0, 1] == likelihood_of_superiority(counts(4, 0, 5, 1, 12))


def test_undecided_follows_holm_step_by_step() -> None:
    # Two-sided p-values of about .001, .02, .03 and .04: .001 < .05/4 is decided, .02 > .05/3 stops there.
    meetings = []
    for p in (0.03, 0.001, 0.04, 0.02):
        lead = round(-stats.norm.ppf(p / 2) * 100)  # of 10,000 pairs, all won or lost
        meetings.append(meeting(0, 1, 5000 - lead // 2, 0, 0, 0, 5000 + lead // 2))
    assert undecided(meetings).tolist() == [True, False, True, True]
    assert undecided(meetings[:2]).tolist() == [False, False]  # .001 < .05/2, then .03 < .05
    assert undecided(meetings[:1]).tolist() == [False]
    assert undecided(meetings[:1], level=0.99).tolist() == [True]


def test_a_mirror_and_an_empty_meeting_are_undecided_and_cost_the_others_nothing() -> None:
    close = meeting(0, 1, 4890, 0, 0, 0, 5110)  # p = .03: not decided as one of two looks
    assert undecided([meeting(0, 0, 0, 0, 50, 0, 0), close, meeting(0, 2, 0, 0, 0, 0, 0)]).tolist() == [
        True,
        False,
        True,
    ]
    assert undecided([close, meeting(0, 2, 10, 0, 0, 0, 10)]).tolist() == [True, True]
    assert undecided([]).tolist() == []


def test_five_pairs_all_won_are_undecided_and_six_are_not() -> None:
    assert undecided([meeting(0, 1, 0, 0, 0, 0, 5)]).tolist() == [True]
    assert undecided([meeting(0, 1, 0, 0, 0, 0, 6)]).tolist() == [False]


def test_equals_are_told_apart_in_one_tournament_of_twenty_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gc.collect", lambda: 0)  # which multipletests calls every time: a minute here
    rng = np.random.default_rng(20)
    runs, looks = 400, 10
    named = 0
    for _ in range(runs):
        drawn = rng.multinomial(300, [0.2, 0.05, 0.5, 0.05, 0.2], looks)
        named += not undecided([meeting(0, 1, *pairs) for pairs in drawn]).all()
    assert named <= stats.binom.ppf(0.999, runs, 0.05)
    assert named >= stats.binom.ppf(0.001, runs, 0.03)  # independent looks use most of what Holm allows
