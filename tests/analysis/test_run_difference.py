"""Two runs differenced pair by pair, against a slow version that goes through the matches one at a time."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scipy import stats

from analysis import Run, RunError, load_run
from analysis import run_difference as module
from analysis.run_difference import ENDPOINTS, PairingDifference, run_difference
from analysis.run_matching import NotComparable
from tests.analysis import naive
from tests.analysis.conftest import Build
from tests.support.synthetic_run import Player, Setup

GREEDY, SIMPLE = Player("greedy", skill=0.5, gin=0.1, undercut=0.05), Player("simple", skill=0.3)
BETTER = Player("greedy", skill=0.8, gin=0.3)
KNOCKER = Player("threshold:knock_at=5", skill=0.3, gin=0.05, undercut=0.2)
BASE = Setup((GREEDY, SIMPLE), pairs=60, part_pairs=25)
Pairs = dict[int, tuple[float, float, float, float]]


def only(run1: Run, run2: Run, top: int = 5) -> PairingDifference:
    """Return the only pairing of two runs, differenced."""
    (pairing,) = run_difference(run1, run2, top).pairings
    return pairing


def pairs_of(run: Run, sides: tuple[str, ...], from_b: bool = False) -> Pairs:
    """Return what each pair came to a match, in the order of `ENDPOINTS`, from side A's or side B's view."""
    sums: dict[int, list[float]] = defaultdict(lambda: [0.0] * 4)
    for row in naive.pairing(naive.matches(run.path), sides[0], sides[1]).to_dict("records"):
        own = (
            row["win_a"],
            row["settlement"],
            row["deal_points_a"] - row["deal_points_b"],
            row["deals_won_a"] - row["deals_won_b"],
        )
        seen = (1 - own[0], *(-value for value in own[1:])) if from_b else own
        for place, value in enumerate(seen):
            sums[int(row["pair"])][place] += float(value) / 2
    return {pair: (v[0], v[1], v[2], v[3]) for pair, v in sums.items()}


def expected_row(one: Pairs, other: Pairs, place: int) -> dict[str, float]:
    """Return a row of the table of endpoints, written out."""
    common = sorted(set(one) & set(other))
    values = [np.array([pairs[pair][place] for pair in common]) for pairs in (one, other)]
    change, n = values[0] - values[1], len(common)
    se = float(change.std(ddof=1) / math.sqrt(n))
    half = float(stats.t.ppf(0.975, n - 1)) * se
    return {
        "mean_1": values[0].mean(),
        "mean_2": values[1].mean(),
        "difference": change.mean(),
        "se": se,
        "lo": change.mean() - half,
        "hi": change.mean() + half,
        "pairs_differ": int((change != 0).sum()),
        "variance_reduction": (values[0].var(ddof=1) + values[1].var(ddof=1)) / change.var(ddof=1),
    }


def assert_equals_naive(found: PairingDifference, one: Pairs, other: Pairs) -> None:
    """Check the whole table of a pairing, and its most decisive pairs, against the slow version."""
    for place, row in enumerate(found.endpoints.to_dict("records")):
        for name, value in expected_row(one, other, place).items():
            assert row[name] == pytest.approx(value, rel=1e-9, abs=1e-12), (row["endpoint"], name)
    common = set(one) & set(other)
    assert found.pairs == len(common)
    ranked = sorted(
        common,
        key=lambda pair: (-abs(one[pair][0] - other[pair][0]), -abs(one[pair][1] - other[pair][1]), pair),
    )
    assert found.decisive["pair"].to_list() == ranked[: len(found.decisive)]
    for row in found.decisive.to_dict("records"):
        assert (row["match_score_1"], row["settled_points_1"]) == one[row["pair"]][:2]
        assert (row["match_score_2"], row["settled_points_2"]) == other[row["pair"]][:2]


# --- the numbers


def test_difference_is_that_of_a_loop_over_matches(build: Build) -> None:
    before, after = build(BASE), build(replace(BASE, players=(BETTER, SIMPLE)))
    found = only(after, before)
    one, other = pairs_of(after, ("greedy", "simple")), pairs_of(before, ("greedy", "simple"))
    assert_equals_naive(found, one, other)
    assert len(found.decisive) == 5
    assert found.pairs_differ == sum(one[pair] != other[pair] for pair in one) > 0
    assert tuple(found.endpoints["endpoint"]) == ENDPOINTS


def test_difference_the_other_way_round_has_the_other_sign(build: Build) -> None:
    before, after = build(BASE), build(replace(BASE, players=(BETTER, SIMPLE)))
    one, other = only(after, before).endpoints, only(before, after).endpoints
    np.testing.assert_array_equal(one["difference"], -other["difference"])
    np.testing.assert_allclose(one["lo"], -other["hi"], rtol=1e-12)
    assert (only(after, before).verdict, only(before, after).verdict) == ("better", "worse")


def test_stretch_by_stretch_comes_to_the_same(build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    before, after = build(BASE), build(replace(BASE, players=(BETTER, SIMPLE), part_pairs=7))
    whole = only(after, before)
    monkeypatch.setattr(module, "STRETCH_PAIRS", 11)  # no part of either run ends where a stretch does
    pieces = only(after, before)
    assert pieces.endpoints.equals(whole.endpoints)
    assert pieces.decisive.equals(whole.decisive)
    assert (pieces.pairs, pieces.pairs_differ) == (whole.pairs, whole.pairs_differ)


def test_same_players_on_the_same_cards_differ_by_exactly_zero(build: Build) -> None:
    found = only(build(BASE), build(BASE))
    assert (found.verdict, found.pairs_differ, len(found.decisive)) == ("same", 0, 0)
    assert found.meeting.same_players
    assert (found.endpoints[["difference", "se", "lo", "hi", "lo_all", "hi_all"]] == 0).all(axis=None)
    assert found.endpoints["variance_reduction"].to_list() == [math.inf] * 4


def test_other_players_who_did_the_same_may_differ_by_what_so_many_pairs_cannot_exclude(build: Build) -> None:
    alias = replace(GREEDY, spec="alias")
    found = only(build(BASE), build(replace(BASE, players=(alias, SIMPLE))))
    score, *others = found.endpoints.to_dict("records")
    unseen = 1 - 0.025 ** (1 / 60)
    assert (found.verdict, score["difference"]) == ("same", 0)
    assert (score["lo"], score["hi"]) == pytest.approx((-unseen, unseen))
    assert all(math.isnan(row["lo"]) and math.isnan(row["hi"]) for row in others)


def test_single_pair_proves_nothing(build: Build) -> None:
    strong, weak = Player("strong", skill=500.0), Player("strong", skill=-500.0)
    one = replace(BASE, players=(strong, SIMPLE), pairs=1)
    found = only(build(one), build(replace(one, players=(weak, SIMPLE))))
    score, *others = found.endpoints.to_dict("records")
    assert (score["difference"], found.verdict) == (1.0, "undecided")
    assert (score["lo"], score["hi"]) == pytest.approx((1 - 2 * 0.975, 1.0))
    assert all(math.isnan(row["lo"]) for row in others)


def test_where_several_pairings_are_looked_at_the_verdict_needs_more(build: Build) -> None:
    setup = replace(BASE, players=(GREEDY, SIMPLE, KNOCKER))
    found = run_difference(build(setup), build(replace(setup, players=(BETTER, SIMPLE, KNOCKER))))
    assert len(found.pairings) == 3
    for pairing in found.pairings[:2]:
        half = [pairing.endpoints[f"hi{level}"] - pairing.endpoints["difference"] for level in ("", "_all")]
        quantiles = [stats.t.ppf(0.5 + level / 2, 59) for level in (0.95, 0.95 ** (1 / 3))]
        np.testing.assert_allclose(half[1] / half[0], quantiles[1] / quantiles[0])
    assert found.pairings[2].verdict == "same"


def test_no_more_decisive_pairs_are_shown_than_asked_for(build: Build) -> None:
    before, after = build(BASE), build(replace(BASE, players=(BETTER, SIMPLE)))
    assert [len(only(after, before, top).decisive) for top in (0, 1, 3)] == [0, 1, 3]


# --- unequal runs


def test_only_pairs_that_both_runs_have_count(build: Build) -> None:
    short, long = build(replace(BASE, pairs=37)), build(replace(BASE, players=(BETTER, SIMPLE), pairs=90))
    found = only(long, short)
    assert (found.run_pairs, found.pairs) == ((90, 37), 37)
    assert_equals_naive(found, pairs_of(long, ("greedy", "simple")), pairs_of(short, ("greedy", "simple")))


def test_part_that_is_missing_in_the_middle_is_left_out(build: Build) -> None:
    before, after = build(BASE), build(replace(BASE, players=(BETTER, SIMPLE)))
    file = after.path / "parts.jsonl"
    lines = file.read_text().splitlines(keepends=True)
    file.write_text(lines[0] + lines[2])  # the second part was still being played
    found = only(load_run(after.path), before)
    one = {pair: v for pair, v in pairs_of(after, ("greedy", "simple")).items() if not 25 <= pair < 50}
    assert (found.run_pairs, found.pairs) == ((35, 60), 35)
    assert_equals_naive(found, one, pairs_of(before, ("greedy", "simple")))


def test_runs_without_a_pair_in_common_are_refused(build: Build) -> None:
    before, after = build(BASE), build(BASE)
    for run, keep in ((before, slice(0, 1)), (after, slice(1, 3))):
        lines = (run.path / "parts.jsonl").read_text().splitlines(keepends=True)
        (run.path / "parts.jsonl").write_text("".join(lines[keep]))
    with pytest.raises(NotComparable, match="no pair of greedy v simple in common"):
        run_difference(load_run(before.path), load_run(after.path))


def test_pair_that_lacks_a_leg_is_refused(build: Build) -> None:
    before, after = build(BASE), build(BASE)
    file = after.parts[0].file
    rows: pa.Table = pq.read_table(file)
    pq.write_table(rows.slice(1), file)
    with pytest.raises(NotComparable, match="of a pair of greedy v simple are not one for each leg"):
        run_difference(before, after)


def test_part_file_that_is_broken_is_told(build: Build) -> None:
    before, after = build(BASE), build(BASE)
    after.parts[1].file.write_bytes(b"PAR1 no more")
    with pytest.raises(RunError, match=r"run0 and .*run1: .*part-000001"):
        run_difference(before, after)


# --- swapped sides


def test_swapped_sides_are_seen_from_the_first_runs_side_a(build: Build) -> None:
    forward = build(BASE)
    backward = build(replace(BASE, pairings=[("simple", "greedy")]))
    same = only(forward, backward)
    assert (same.meeting.swapped, same.verdict, same.pairs_differ) == (True, "same", 0)
    after = build(replace(BASE, players=(BETTER, SIMPLE), pairings=[("simple", "greedy")]))
    one, other = pairs_of(forward, ("greedy", "simple")), pairs_of(after, ("simple", "greedy"), from_b=True)
    assert_equals_naive(only(forward, after), one, other)
    backwards = only(after, forward)  # seen from simple, who is after's side A
    assert_equals_naive(
        backwards, pairs_of(after, ("simple", "greedy")), pairs_of(forward, ("greedy", "simple"), from_b=True)
    )


def test_common_opponent_is_the_opponent_in_both_runs(build: Build) -> None:
    base, crossed = build(BASE), build(replace(BASE, players=(SIMPLE, KNOCKER)))
    one = pairs_of(base, ("greedy", "simple"))
    assert_equals_naive(only(base, crossed), one, pairs_of(crossed, ("simple", "threshold:knock_at=5"), from_b=True))
