"""One pairing in several runs: shares, changes and their limits, against pandas over the matches."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from analysis import Run, load_run
from analysis.conditions import conditions
from tests.analysis import naive
from tests.support.synthetic_run import Player, Setup, build_run

A, B, C = Player("greedy", 0.5), Player("simple", 0.1), Player("gin-only", 0.0, gin=0.8)
MIRROR = ("greedy", "greedy")
SETUPS = {
    "first": Setup((A, B, C), pairs=60, part_pairs=25),
    "swapped": Setup((Player("simple", 0.6), A), pairs=80, options={"undercut_bonus": 25}),
    "other-seed": Setup((A, B), pairs=50, seed=8),
    "mirror": Setup((A,), pairs=20, pairings=[MIRROR]),
    "trio": Setup((A, B, C), pairs=4, preset="three-handed"),
    "strong": Setup((Player("greedy", 500.0), Player("simple", -500.0)), pairs=30),
    "one": Setup((A, B), pairs=1, seed=9),
}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Run]:
    home: Path = tmp_path_factory.mktemp("conditions")
    return {name: load_run(build_run(home / name, setup)) for name, setup in SETUPS.items()}


def pair_scores(run: Run, one: str, other: str) -> pd.Series:
    """Return player one's share of each pair, by pair number, whichever side it has."""
    table = naive.matches(run.path)
    own = naive.pairing(table, one, other)
    if len(own):
        return own.groupby("pair")["win_a"].mean()
    return naive.pairing(table, other, one).groupby("pair")["win_b"].mean()


def twin(one: pd.Series, other: pd.Series, same_cards: bool, level: float) -> tuple[float, float, float]:
    """Return a change and its limits, pair by pair: what both runs drew of the same cards is taken out."""
    variance = one.var() / len(one) + other.var() / len(other)
    both = pd.concat([one, other], axis=1, join="inner").to_numpy()
    if same_cards:
        covariance = np.cov(both[:, 0], both[:, 1])[0, 1]
        variance -= 2 * covariance * len(both) / (len(one) * len(other))
    change = float(other.mean() - one.mean())
    half = float(stats.t.ppf(0.5 + level / 2, min(len(one), len(other)) - 1) * np.sqrt(variance))
    return change, change - half, change + half


def test_shares_and_changes_equal_a_count_of_the_matches(runs: dict[str, Run]) -> None:
    chosen = [runs[name] for name in ("first", "swapped", "other-seed")]
    table = conditions(chosen)
    assert list(zip(table["a"], table["b"], table["run"], table["swapped"], strict=True)) == [
        *(("greedy", "simple", 0, False), ("greedy", "simple", 1, True), ("greedy", "simple", 2, False))
    ]
    scores = [pair_scores(run, "greedy", "simple") for run in chosen]
    assert table["match_win_rate"].to_list() == pytest.approx([score.mean() for score in scores])
    assert table["se"].to_list() == pytest.approx([score.sem() for score in scores])
    assert table["pairs"].to_list() == [60, 80, 50]
    for row, same_cards in ((1, True), (2, False)):
        expected = twin(scores[0], scores[row], same_cards, 0.95 ** (1 / 2))
        assert table[["change", "change_lo", "change_hi"]].to_numpy()[row] == pytest.approx(expected)
    assert table[["change", "change_se", "change_lo", "change_hi"]].iloc[0].isna().all()


def test_limits_of_all_runs_of_a_pairing_hold_at_once(runs: dict[str, Run]) -> None:
    table = conditions([runs["first"], runs["other-seed"]])
    for _, row in table.iterrows():
        half = stats.t.ppf(0.5 + 0.95 ** (1 / 2) / 2, row["pairs"] - 1) * row["se"]
        limits = row["match_win_rate"] - half, row["match_win_rate"] + half
        assert row[["lo_all", "hi_all"]].to_list() == pytest.approx(limits)
        assert row["lo_all"] < row["lo"] < row["hi"] < row["hi_all"]


def test_pairings_of_one_run_only_mirrors_and_trios_are_left_out(runs: dict[str, Run]) -> None:
    assert conditions([runs["first"], runs["mirror"], runs["trio"]]).empty
    assert conditions([runs["mirror"], runs["mirror"]]).empty


def test_the_same_results_twice_are_no_change_and_no_certainty(runs: dict[str, Run]) -> None:
    row = conditions([runs["first"], runs["first"]]).iloc[1]
    assert row["change"] == row["change_se"] == 0
    assert row["change_lo"] < 0 < row["change_hi"]


def test_a_run_without_spread_does_not_make_a_change_certain(runs: dict[str, Run]) -> None:
    strong = conditions([runs["strong"], runs["other-seed"]]).iloc[1]
    first, second = (conditions([runs["strong"], runs["other-seed"]]).iloc[number] for number in (0, 1))
    assert first["se"] == 0
    assert strong["change_lo"] == pytest.approx(second["lo"] - first["hi"])
    assert strong["change_hi"] == pytest.approx(second["hi"] - first["lo"])


def test_a_single_pair_says_next_to_nothing(runs: dict[str, Run]) -> None:
    row = conditions([runs["first"], runs["one"]]).iloc[1]
    assert row["change_hi"] - row["change_lo"] > 0.9


def test_pairs_are_joined_a_stretch_at_a_time(runs: dict[str, Run], monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = [runs["first"], runs["swapped"]]
    whole = conditions(chosen)
    monkeypatch.setattr("analysis.conditions.STRETCH_PAIRS", 7)
    pd.testing.assert_frame_equal(conditions(chosen), whole)
