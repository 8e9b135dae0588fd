"""The proof of calibration: sound procedures pass, broken ones are caught, and chance alone fails nothing."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from scipy import special

from analysis import anytime, power, ratings, sequential, simultaneous, stopping, superiority
from analysis.intervals import share_limits
from analysis.sequential import SCORES
from experiments import outcomes
from experiments.calibration import fields
from experiments.calibration import prove as calibration
from experiments.calibration import runs as runs_
from experiments.calibration.rule import (
    AT_LEAST,
    AT_MOST,
    FALSE_ALARM,
    HALF,
    HOLDS,
    MOST_LINES,
    WARNING,
    Line,
    averaged,
    counted,
    state_of,
)
from experiments.calibration.sims import EVEN, SHARED, SKEW, chances, common_deals, variance
from sim.batch.tally import BLOCK_PAIRS

Measure = Callable[[np.random.Generator, int], Any]


def lines_of(measure: Measure, runs: int) -> list[Line]:
    return list(measure(np.random.default_rng(1), runs))


def failed(measure: Measure, runs: int) -> list[str]:
    return [line.name for line in lines_of(measure, runs) if line.state == "failed"]


# --- the rule


@pytest.mark.parametrize("kind", [HOLDS, AT_LEAST, AT_MOST, HALF])
@pytest.mark.parametrize("runs", [100, 1_000, 30_000])
def test_procedure_at_its_nominal_fails_less_than_once_in_100_000_proofs(kind: str, runs: int) -> None:
    nominal = {AT_MOST: 0.05, HALF: 0.5}.get(kind, 0.95)
    happened = np.arange(runs + 1)
    chance = np.diff(special.bdtr(happened, runs, nominal), prepend=0.0)
    fails = np.array([state_of(kind, nominal, int(count), runs) == "failed" for count in happened])
    assert fails.any()
    assert chance[fails].sum() < FALSE_ALARM


def test_all_lines_together_have_room_in_the_overall_false_alarm_of_1_in_1_000() -> None:
    assert MOST_LINES * FALSE_ALARM <= 1e-3 * (1 + 1e-9)


@pytest.mark.parametrize(
    ("kind", "nominal", "happened", "state"),
    [
        (HOLDS, 0.95, 950, "ok"),
        (HOLDS, 0.95, 900, "failed"),
        (HOLDS, 0.95, 1_000, "note"),
        (AT_LEAST, 0.95, 900, "failed"),
        (AT_LEAST, 0.95, 1_000, "ok"),
        (AT_MOST, 0.05, 100, "failed"),
        (AT_MOST, 0.05, 0, "ok"),
        (AT_MOST, 0.01, 40, "failed"),
        (HALF, 0.5, 400, "failed"),
        (HALF, 0.5, 600, "failed"),
        (HALF, 0.5, 520, "ok"),
        (WARNING, 0.05, 400, "note"),
    ],
)
def test_line_fails_on_the_wrong_side_only_and_a_wide_interval_is_a_note(
    kind: str, nominal: float, happened: int, state: str
) -> None:
    assert state_of(kind, nominal, happened, 1_000) == state


def test_normal_approximation_that_is_out_by_half_a_point_never_fails_however_many_runs() -> None:
    assert state_of(HOLDS, 0.95, 945_000, 1_000_000) == "ok"
    assert state_of(HOLDS, 0.95, 935_000, 1_000_000) == "failed"


def test_zero_events_have_a_monte_carlo_error() -> None:
    line = counted("none", AT_MOST, 0.05, np.zeros(1_000, dtype=np.bool_))
    assert line.realised == 0
    assert line.error == pytest.approx((1 - 0.025 ** (1 / 1_000)) / 2)


def test_mean_fails_when_beyond_two_percent_and_beyond_chance() -> None:
    pairs = np.random.default_rng(1).exponential(1_000, 4_000)
    assert averaged("near", 1_000, pairs).state == "ok"
    assert averaged("far", 1_200, pairs).state == "failed"
    assert averaged("few cannot tell", 1_200, pairs[:40]).state == "ok"


# --- what is simulated


@pytest.mark.parametrize("base", [EVEN, SKEW])
@pytest.mark.parametrize("share", [0.4, 0.5, 0.505, 0.95])
def test_tilted_scores_have_the_share_that_was_asked(base: tuple[float, ...], share: float) -> None:
    chance = chances(share, base)
    assert chance.sum() == pytest.approx(1)
    assert chance @ SCORES == pytest.approx(share, abs=1e-9)
    assert variance(chance) == pytest.approx(chance @ (SCORES - share) ** 2)
    assert not chance[np.array(base) == 0].any()


def test_arms_on_common_deals_have_their_own_shares_and_go_together_as_told() -> None:
    shares = np.array([0.5, 0.6, 0.5])
    drawn = list(common_deals(np.random.default_rng(1), np.array([chances(s) for s in shares]), 150, 40))
    counts = np.concatenate(drawn, axis=1)
    assert len(drawn) == 150
    assert drawn[0].shape == (3, 40, 5)
    assert (counts.sum(axis=2) == BLOCK_PAIRS).all()
    sums = counts @ SCORES
    error = (0.1 / 6_000 / BLOCK_PAIRS) ** 0.5
    assert sums.mean(axis=1) / BLOCK_PAIRS == pytest.approx(shares, abs=5 * error)
    assert sums[0].var() == pytest.approx(BLOCK_PAIRS * 0.1, rel=0.1)
    together = round(SHARED * BLOCK_PAIRS) / BLOCK_PAIRS
    centred = sums - sums.mean(axis=1, keepdims=True)
    rho = centred @ centred.T / np.sqrt(np.outer((centred**2).sum(axis=1), (centred**2).sum(axis=1)))
    assert rho[0, 2] == pytest.approx(together, abs=0.05)
    assert 0.8 * together < rho[0, 1] < together + 0.05


@pytest.mark.parametrize(
    ("name", "share", "wrong"),
    [
        ("gain", 0.5, {(sequential.A, sequential.B): 0.1}),
        ("gain", 0.505, {(sequential.B,): 0.05}),
        ("gain", 0.51, {(sequential.EQUAL,): 0.05, (sequential.B,): 0.05}),
        ("strict", 0.5, {(sequential.A, sequential.B): 0.02}),
        ("nonreg", 0.49, {(sequential.EQUAL,): 0.05}),
        ("nonreg", 0.495, {}),
        ("nonreg", 0.5, {(sequential.B,): 0.05}),
        ("equiv", 0.49, {(sequential.EQUAL,): 0.05, (sequential.A,): 0.05}),
        ("equiv", 0.4925, {(sequential.A,): 0.05}),
        ("equiv", 0.495, {(sequential.B,): 0.05, (sequential.A,): 0.05}),
        ("equiv", 0.5, {(sequential.A, sequential.B): 0.1}),
    ],
)
def test_wrong_answers_are_those_that_the_other_bound_would_give(
    name: str, share: float, wrong: dict[tuple[int, ...], float]
) -> None:
    found = runs_.wrong_answers(sequential.TESTS[name], share)
    assert {answer.verdicts: answer.most for answer in found} == wrong


# --- broken procedures are caught


def plain_watching(mean: Any, sd: Any, pairs: Any, _planned: Any) -> tuple[Any, Any]:
    return share_limits(mean, sd / np.sqrt(pairs), pairs)


def unadjusted(_test: Any, found: sequential.Moments, _cap: int) -> stopping.Adjusted:
    half = 1.96 * (found.variance / found.pairs) ** 0.5
    return stopping.Adjusted(found.mean, found.mean - half, found.mean + half)


def each_by_itself(_arms: Any, _exact: Any, level: float) -> float:
    return (1 - level) / 2


def best_seen_alone(arms: simultaneous.Arms) -> npt.NDArray[np.bool_]:
    return np.asarray(arms.mean == arms.mean.max())


def losers_by_plain_limits(arms: simultaneous.Arms, _planned: int, started: int) -> npt.NDArray[np.bool_]:
    apart = arms.sums[:, [arms.mean.argmax()]] - arms.sums
    return np.asarray(apart.mean(axis=0) > 1.645 * apart.std(axis=0, ddof=1) / len(apart) ** 0.5)


def narrow_ratings(*given: Any) -> ratings.Ratings:
    found = ratings.ratings(*given)
    middle = found.rating
    return ratings.Ratings(middle, middle - (middle - found.low) / 2, middle + (found.high - middle) / 2)


def each_meeting_by_itself(meetings: list[ratings.Meeting]) -> npt.NDArray[np.bool_]:
    sure = np.array([superiority.likelihood_of_superiority(meeting.blocks.sum(axis=0)) for meeting in meetings])
    return np.asarray(np.abs(sure - 0.5) < 0.475)


def half_intervals(share: Any, se: Any, pairs: Any) -> Any:
    return share_limits(share, se / 2, pairs)


def too_short(*given: Any) -> power.Length:
    found = power.length(*given)
    return found._replace(mean=0.7 * found.mean)


BROKEN: dict[str, tuple[object, str, object, Measure, int, str]] = {
    "intervals half as wide": (
        *(outcomes, "share_limits", half_intervals),
        *(partial(runs_.fixed_sizes, share=0.5), 300, "10,000 pairs, share 50%"),
    ),
    "a plain interval in place of the anytime one": (
        *(runs_, "anytime_limits", plain_watching),
        *(partial(runs_.watched, share=0.6), 300, "the anytime interval, share 60%"),
    ),
    "upper bound of the test half as far": (
        *(sequential.SequentialTest, "upper", property(lambda self: np.log((1 - self.beta) / self.alpha) / 2)),
        *(partial(runs_.sequential, name="gain", share=0.5), 200, "gain at 50%: A or B named"),
    ),
    "lower bound of the test half as far": (
        *(sequential.SequentialTest, "lower", property(lambda self: np.log(self.beta / (1 - self.alpha)) / 2)),
        *(partial(runs_.sequential, name="nonreg", share=0.5), 400, "nonreg at 50%: B named"),
    ),
    "length of a test foretold too short": (
        *(runs_, "length", too_short),
        *(partial(runs_.sequential, name="nonreg", share=0.49), 400, "nonreg at 49%: mean pairs"),
    ),
    "estimate not adjusted": (
        *(runs_, "adjusted", unadjusted),
        *(partial(runs_.stopped, share=0.51), 8_000, "gain at 51%: estimate above truth"),
    ),
    "bands each by itself": (
        *(simultaneous, "_band_tail", each_by_itself),
        *(partial(fields.simultaneous, blocks=10), 200, "11 bands hold, 10 blocks"),
    ),
    "a lone winner for a plateau": (
        *(fields, "plateau", best_seen_alone),
        *(partial(fields.simultaneous, blocks=10), 200, "best on the plateau, 10 blocks"),
    ),
    "a race by plain limits": (
        *(fields, "clear_losers", losers_by_plain_limits),
        *(
            partial(fields.races, shares=fields.SHARES, name="some far behind"),
            100,
            "race, some far behind: best dropped",
        ),
    ),
    "ratings half as wide": (
        *(fields, "ratings", narrow_ratings),
        *(fields.rated, 100, "interval of rating 1 of 4 holds"),
    ),
    "decisions without Holm": (
        *(fields, "undecided", each_meeting_by_itself),
        *(fields.decided, 300, "any of 6 meetings of equals decided"),
    ),
}


@pytest.mark.parametrize("what", BROKEN)
def test_broken_procedure_is_caught_and_the_sound_one_is_not(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    where, name, instead, measure, runs, line = BROKEN[what]
    assert failed(measure, min(runs, 300)) == []
    monkeypatch.setattr(where, name, instead)
    assert line in failed(measure, runs)


def test_plain_interval_watched_is_shown_as_a_warning_beside_the_one_that_holds() -> None:
    plain, valid = lines_of(partial(runs_.watched, share=0.5), 400)
    assert (plain.state, valid.state) == ("note", "ok")
    assert plain.realised > 0.3
    assert valid.realised < anytime.LEVEL - 0.9


# --- the whole of it


def test_procedure_that_breaks_off_fails_its_line_and_the_others_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(*_: object) -> None:
        raise ZeroDivisionError("no such luck")

    groups = {"one": (partial(runs_.sequential, name="gain", share=0.5),), "two": (fields.decided,)}
    monkeypatch.setattr(calibration, "GROUPS", groups)
    monkeypatch.setattr(runs_, "first_stop", breaks)
    first, second = calibration.prove(100)
    assert (first.group, first.name, first.state) == ("one", "sequential, name gain, share 0.5", "failed")
    assert first.detail == "broke off with ZeroDivisionError: no such luck"
    assert first.document() == {
        **{"group": "one", "name": first.name, "nominal": None, "realised": None},
        **{"runs": 0, "state": "failed"},
    }
    assert (second.group, second.state) == ("two", "ok")


def test_proof_is_the_same_every_time_and_more_runs_make_every_line_sharper(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = ["watched at every look, ever excludes the truth", "tournaments of 4 players"]
    monkeypatch.setattr(calibration, "GROUPS", {name: calibration.GROUPS[name] for name in shown})
    once, again, more = (list(calibration.prove(runs)) for runs in (100, 100, 400))
    assert once == again
    assert [line.runs for line in more] == [4 * line.runs for line in once]
    assert all(few.error > many.error for few, many in zip(once, more, strict=True) if many.realised)
