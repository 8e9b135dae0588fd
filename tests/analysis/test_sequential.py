"""The sequential test: its formula, its verdicts, and that it errs no more often than it says."""

from __future__ import annotations

import math

import numpy as np
import pytest

from analysis.sequential import (
    EQUAL,
    TESTS,
    UNDECIDED,
    A,
    B,
    SequentialTest,
    TestError,
    first_stop,
    look,
    make_test,
    moments,
)
from tests.support.sequential_runs import allowed, played, score_chances

EXAMPLE = [327, 0, 1044, 0, 421]
"""The worked example of the comparison's design: 1,792 pairs."""
MIRRORED = [name for name, test in TESTS.items() if test.mirrored]

every_test = pytest.mark.parametrize("name", TESTS)


def naive_llr(counts: list[int], s0: float, s1: float) -> float:
    """Return the LLR pair by pair: the log ratio of two normal densities with the variance that was found."""
    scores = [score for score, count in zip((0, 0.25, 0.5, 0.75, 1), counts, strict=True) for _ in range(count)]
    mean = sum(scores) / len(scores)
    variance = sum((score - mean) ** 2 for score in scores) / len(scores)
    return sum(((score - s0) ** 2 - (score - s1) ** 2) / (2 * variance) for score in scores)


def naive_verdict(test: SequentialTest, counts: list[int]) -> int:
    """Say what both questions together come to, in so many words."""
    high, low = math.log((1 - test.beta) / test.alpha), math.log(test.beta / (1 - test.alpha))
    mine = naive_llr(counts, test.s0, test.s1)
    if not test.mirrored:
        return EQUAL if mine >= high else B if mine <= low else UNDECIDED
    other = naive_llr(counts[::-1], test.s0, test.s1)
    if test.name == "equiv":
        if mine <= low:
            return B
        return A if other <= low else EQUAL if mine >= high and other >= high else UNDECIDED
    if mine >= high:
        return A
    return B if other >= high else EQUAL if mine <= low and other <= low else UNDECIDED


def random_counts(number: int) -> list[list[int]]:
    rng = np.random.default_rng(number)
    shares = rng.uniform(0.47, 0.53, size=number)
    return [rng.multinomial(rng.integers(256, 6_000), score_chances(share)).tolist() for share in shares]


def test_worked_example_is_decided_for_a_at_a_ratio_of_3_67() -> None:
    found = look(TESTS["gain"], EXAMPLE)
    assert found.moments.pairs == 1_792
    assert round(found.llrs[0], 2) == 3.67
    assert found.verdict == A
    assert (TESTS["gain"].lower, TESTS["gain"].upper) == pytest.approx((-math.log(19), math.log(19)))


@every_test
def test_ratios_and_verdicts_equal_a_naive_loop_over_the_pairs(name: str) -> None:
    test = TESTS[name]
    seen = set()
    for counts in random_counts(60):
        found = look(test, counts)
        assert found.llrs[0] == pytest.approx(naive_llr(counts, test.s0, test.s1))
        if test.mirrored:
            assert found.llrs[1] == pytest.approx(naive_llr(counts[::-1], test.s0, test.s1))
        assert found.verdict == naive_verdict(test, counts)
        seen.add(found.verdict)
    assert len(seen) >= 3


@every_test
def test_many_looks_at_once_equal_one_look_each(name: str) -> None:
    counts = random_counts(20)
    found = moments(counts)
    verdicts = TESTS[name].verdicts(found.mean, found.variance, found.pairs)
    assert verdicts.tolist() == [look(TESTS[name], one).verdict for one in counts]


@pytest.mark.parametrize("name", MIRRORED)
def test_mirrored_counts_mirror_the_verdict(name: str) -> None:
    other = {A: B, B: A, EQUAL: EQUAL, UNDECIDED: UNDECIDED}
    for counts in random_counts(60):
        mine, theirs = look(TESTS[name], counts), look(TESTS[name], counts[::-1])
        assert theirs.verdict == other[mine.verdict]
        assert theirs.llrs == pytest.approx(mine.llrs[::-1])


@every_test
@pytest.mark.parametrize("pairs", [1, 2, 256, 10**9])
@pytest.mark.parametrize("place", range(5))
def test_pairs_all_alike_give_finite_ratios(name: str, pairs: int, place: int) -> None:
    counts = [0] * 5
    counts[place] = pairs
    found = look(TESTS[name], counts)
    assert all(map(math.isfinite, found.llrs))
    assert found.moments.variance > 0


@every_test
def test_all_wins_all_ties_and_all_losses_are_decided_at_the_first_look(name: str) -> None:
    best = A if TESTS[name].mirrored else EQUAL
    for counts, verdict in (([0, 0, 0, 0, 256], best), ([0, 0, 256, 0, 0], EQUAL), ([256, 0, 0, 0, 0], B)):
        assert look(TESTS[name], counts).verdict == verdict
        assert first_stop(TESTS[name], np.array([counts] * 3)) == 0


@every_test
def test_where_it_stops_depends_on_the_blocks_up_to_there_only(name: str) -> None:
    rng, test = np.random.default_rng(11), TESTS[name]
    stopped = 0
    for share in (0.47, 0.49, 0.5, 0.51, 0.53):
        blocks = rng.multinomial(256, score_chances(share), size=60)
        stop = first_stop(test, blocks)
        looks = [look(test, blocks[:n].sum(axis=0).tolist()).verdict for n in range(1, 61)]
        assert stop == next((n for n, verdict in enumerate(looks) if verdict != UNDECIDED), None)
        if stop is None:
            continue
        stopped += 1
        assert first_stop(test, np.concatenate([blocks[: stop + 1], blocks[::-1]])) == stop
        assert first_stop(test, blocks[:stop]) is None
    assert stopped


def test_nothing_played_does_not_stop() -> None:
    assert first_stop(TESTS["gain"], np.zeros((0, 5), np.int64)) is None


# --- how often it errs


def test_gain_errs_no_more_often_than_it_says() -> None:
    runs = 1_500
    test = TESTS["gain"]
    even, better = (played(test, share, runs, 1_000_000, seed=5).verdict for share in (test.s0, test.s1))
    assert UNDECIDED not in even
    assert np.mean(even != EQUAL) <= allowed(2 * test.alpha, runs)
    assert np.mean(even == A) <= allowed(test.alpha, runs)
    assert np.mean(better != A) <= allowed(test.beta, runs)


# --- making one


def test_preset_is_changed_where_asked_and_nowhere_else() -> None:
    test = make_test("gain", (0.5, 0.52), alpha=0.01)
    assert (test.s0, test.s1, test.alpha, test.beta) == (0.5, 0.52, 0.01, 0.05)
    assert test.upper == pytest.approx(math.log(95))
    assert test.lower == pytest.approx(math.log(0.05 / 0.99))
    for name, preset in TESTS.items():
        assert make_test(name) == preset


@pytest.mark.parametrize(
    ("name", "bounds", "errors", "named"),
    [
        ("best", None, {}, "gain strict nonreg equiv"),
        ("gain", (0.51, 0.5), {}, "51:50"),
        ("gain", (0.51, 0.51), {}, "51:51"),
        ("gain", (0.5, 1.0), {}, "50:100"),
        ("nonreg", (0.0, 0.5), {}, "0:50"),
        ("gain", (math.nan, 0.51), {}, "nan:51"),
        ("gain", (0.49, 0.51), {}, "at least 50"),
        ("equiv", (0.49, 0.51), {}, "at most 50"),
        ("gain", None, {"alpha": 0.5}, "alpha 0.5"),
        ("gain", None, {"alpha": 0.0}, "alpha 0"),
        ("gain", None, {"beta": 0.0}, "beta 0"),
        ("gain", None, {"beta": -0.1}, "beta -0.1"),
        ("gain", None, {"beta": math.nan}, "beta nan"),
    ],
)
def test_test_that_cannot_be_made_is_refused(
    name: str, bounds: tuple[float, float] | None, errors: dict[str, float], named: str
) -> None:
    with pytest.raises(TestError, match=named):
        make_test(name, bounds, **errors)
