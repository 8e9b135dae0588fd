"""The chance of winning a column, and whole matches resampled: against slow twins, and the values of the design."""

from __future__ import annotations

import csv
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

import analysis
from analysis import Run, RunError, load_run
from analysis.equity import DealPoints, Floats, SheetRules, column_equity, deal_counts, sheet_rules
from analysis.resampling import OPEN, Sheets, play_on
from sim.presets import preset_rules
from tests.support.naive_sheet import NaiveSheet
from tests.support.synthetic_run import Player, Setup, build_run

GREEDY = Path(__file__).parents[1] / "data" / "greedy_points.csv"
SKILLED = Setup((Player("greedy", 0.4, 0.1, 0.05), Player("gin-only", 0.0, 0.8, 0.1)), pairs=60, deals=True)
State = tuple[int, int, int, int, int]


@pytest.fixture(scope="module")
def dice(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Two players of different strength, with deal rows."""
    return load_run(build_run(tmp_path_factory.mktemp("runs") / "dice", SKILLED))


def greedy_points(share: float = 0.5) -> DealPoints:
    """Return the points of greedy's scored deals for both sides, of which side A scores a share."""
    with GREEDY.open() as lines:
        found = {int(row["points"]): int(row["count"]) for row in csv.DictReader(lines)}
    counts = np.zeros((2, 2, max(found) + 1))
    for points, count in found.items():
        counts[:, :, points] = [share * count, (1 - share) * count]
    assert counts.sum() == pytest.approx(2 * 19_990)
    return DealPoints.of_counts(counts)


def naive_equity(chance: Floats, rules: SheetRules, needs: int) -> dict[State, float]:
    """Return W(a, b, needs of A, needs of B, dealer) by going over all states until nothing changes."""
    target = rules.target
    states = [
        (a, b, m, t, dealer)
        for m in range(needs + 1)
        for t in range(needs + 1)
        for a in range(1 if m else target)
        for b in range(1 if t else target)
        for dealer in (0, 1)
    ]
    table = dict.fromkeys(states, 0.5)
    for _ in range(60):
        for state in states:
            table[state] = sum(
                float(chance[state[4], scorer, points]) * after(table, state, (scorer, points), rules)
                for scorer in (0, 1)
                for points in range(chance.shape[2])
            )
    return table


def after(table: dict[State, float], state: State, deal: tuple[int, int], rules: SheetRules) -> float:
    """Return the chance after a deal is scored, read in the table."""
    scorer, points = deal
    own, needs, dealer = list(state[:2]), list(state[2:4]), state[4]
    then = {"winner": scorer, "loser": 1 - scorer, "alternate": 1 - dealer}[rules.next_dealer]
    if points > 0 or rules.zero_counts:
        if needs[scorer]:
            needs[scorer] -= 1
        else:
            own[scorer] += points
    if own[scorer] >= rules.target:
        return 1.0 if scorer == 0 else 0.0
    return table[own[0], own[1], needs[0], needs[1], then]


@pytest.mark.parametrize(
    "rules",
    [
        SheetRules(target=7),
        SheetRules(target=7, next_dealer="loser", zero_counts=False),
        SheetRules(target=5, next_dealer="alternate"),
    ],
)
def test_column_equity_is_what_going_over_all_states_comes_to(rules: SheetRules) -> None:
    counts = np.random.default_rng(5).integers(0, 9, (2, 2, 10)).astype(float)
    deals = DealPoints.of_counts(counts)  # deals without points are among them, and some beyond the target
    slow = naive_equity(deals.chance, rules, needs=2)
    for mine in range(3):
        for theirs in range(3):
            table = column_equity(deals, rules, (mine, theirs))
            assert table.shape == (1 if mine else rules.target, 1 if theirs else rules.target, 2)
            for (a, b, dealer), chance in np.ndenumerate(table):
                assert chance == pytest.approx(slow[a, b, mine, theirs, dealer], abs=1e-9)


def test_even_players_have_even_chances_on_even_scores() -> None:
    table = column_equity(greedy_points(), SheetRules())
    assert np.allclose(table + table.transpose(1, 0, 2)[:, :, ::-1], 1)
    assert np.allclose(np.diagonal(table[:, :, 0]), 0.5)
    assert (np.diff(table, axis=0) >= -1e-12).all(), "points never hurt"


@pytest.mark.parametrize("count", [8_000, pytest.param(1_000_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("strict", "deals", "sweeps", "starts", "shutouts"),
    [
        (True, 13.74, 0.783, (0.590, 0.680, 0.764), (0.037, 0.073, 0.106)),
        (False, 13.73, 0.780, (0.589, 0.678, 0.761), (0.037, 0.067, 0.091)),
    ],
)
def test_resampled_matches_agree_with_the_table_of_the_design(
    count: int, strict: bool, deals: float, sweeps: float, starts: tuple[float, ...], shutouts: tuple[float, ...]
) -> None:
    rng, sheets = np.random.default_rng(3), Sheets.blank(count, SheetRules(strict=strict))
    scorers = play_on(sheets, rng.integers(0, 2, count), greedy_points(), rng, decided=False)
    assert (scorers != OPEN).sum() / count == pytest.approx(deals, abs=0.01 + 12 / np.sqrt(count))
    assert (sheets.columns_won().max(axis=1) == 3).mean() == pytest.approx(sweeps, abs=near(sweeps, count))
    for first, share in enumerate(starts, start=1):
        began = (scorers[:first] == 0).all(axis=0)
        assert sheets.ahead()[began].mean() == pytest.approx(share, abs=near(share, began.sum()))
    for column, share in enumerate(shutouts):
        loser = 1 - sheets.winner[:, column]
        shut = ~sheets.opened[np.arange(count), column, loser]
        assert shut.mean() == pytest.approx(share, abs=near(share, count))


def near(share: float, cases: int) -> float:
    """Return how far a share of so many cases may be from a value of the design, which is rounded to 0.0005."""
    return float(0.001 + 4 * np.sqrt(share * (1 - share) / cases))


@pytest.mark.parametrize("strict", [True, False])
def test_the_recursion_gives_the_columns_of_resampled_matches(strict: bool) -> None:
    count, rules = 8_000, SheetRules(strict=strict)
    deals, rng, sheets = greedy_points(0.55), np.random.default_rng(4), Sheets.blank(count, rules)
    play_on(sheets, rng.integers(0, 2, count), deals, rng, decided=False)
    for column in range(3):
        exact = column_equity(deals, rules, (column, column))[0, 0].mean()
        assert (sheets.winner[:, column] == 0).mean() == pytest.approx(exact, abs=near(exact, count))
    assert sheets.ahead().mean() == pytest.approx(0.627, abs=near(0.627, count))  # the design's, at 55% of deals


@pytest.mark.parametrize(
    "options",
    [{}, {"carry": "strict"}, {"closing": "player"}, {"columns": 1}, {"tie": "knocker", "count_zero_wins": False}],
)
def test_sheets_are_kept_as_the_naive_sheet_keeps_them(options: dict[str, object]) -> None:
    rules, rng = preset_rules("hollywood", options), np.random.default_rng(1)
    sheets = Sheets.blank(30, sheet_rules(rules.options()))
    naive = [NaiveSheet(rules) for _ in range(30)]
    by_player = rules.closing == "player"  # goes on for the loser of a column, which no longer matters
    for _ in range(60):
        live = np.array([row for row, sheet in enumerate(naive) if not sheet.is_over], dtype=np.int64)
        scorer, points = rng.integers(0, 2, len(live)), rng.integers(0, 40, len(live)) * rng.integers(0, 2, len(live))
        entered = sheets.enter(live, scorer, points)
        slow = [naive[row].enter(int(side), int(won)) for row, side, won in zip(live, scorer, points, strict=True)]
        if rules.count_zero_wins and not by_player:
            assert entered.tolist() == [sum(1 << column - 1 for column in columns) for columns in slow]
    for row, sheet in enumerate(naive):
        assert sheets.winner[row].tolist() == [OPEN if side is None else side for side in sheet.closed_by]
        if not by_player:
            assert sheets.points[row].T.tolist() == sheet.totals


def test_deals_are_counted_by_dealer_scorer_and_points(dice: Run) -> None:
    rows = [row for file in sorted((dice.path / "deals").glob("*")) for row in pq.read_table(file).to_pylist()]
    slow = Counter((row["dealer"], row["scorer"], row["points"]) for row in rows if row["scorer"] is not None)
    counts = deal_counts(dice, dice.pairings[0])
    assert len(counts) == 10  # blocks of 6 pairs
    assert {at: n for at, n in np.ndenumerate(counts.sum(axis=0)) if n} == slow
    first = sum(row["pair"] < 6 and row["scorer"] is not None for row in rows)
    assert counts[0].sum() == first


def test_leads_are_the_equity_of_the_counted_deals_with_jackknife_limits(dice: Run) -> None:
    counts, rules = deal_counts(dice), SheetRules()
    table = analysis.leads(dice)
    row = table[(table["points_a"] == 40) & (table["points_b"] == 25)].iloc[0]
    exact = column_equity(DealPoints.of_counts(counts.sum(axis=0)), rules)[40, 25]
    assert (row["a_deals"], row["b_deals"]) == pytest.approx(tuple(exact))
    assert row["chance"] == pytest.approx(exact.mean())
    without = [counts.sum(axis=0) - block for block in counts]
    values = [column_equity(DealPoints.of_counts(some), rules)[40, 25].mean() for some in without]
    error = np.sqrt(9 / 10 * ((np.array(values) - np.mean(values)) ** 2).sum())
    assert row["hi"] - row["chance"] == pytest.approx(2.2622 * error, rel=1e-3)  # Student's t, 9 degrees of freedom
    assert len(table) == 100 * 100


def test_good_starts_are_shares_of_the_matches_that_began_so(dice: Run) -> None:
    table = analysis.good_starts(dice)
    assert list(table["won_first"]) == [1, 2, 3] * 2
    assert table.loc[table["won_first"] == 1, "matches"].sum() == 40_000, "somebody wins the first deal"
    assert (table["lo"] < table["match_win_rate"]).all() and (table["match_win_rate"] < table["hi"]).all()
    a, b = (table[table["side"] == side]["match_win_rate"].to_numpy() for side in "AB")
    assert (np.diff(a) > 0).all() and (np.diff(b) > 0).all()
    assert analysis.good_starts(dice).equals(table), "the same run gives the same table"


def test_deals_that_no_match_had_are_won_by_nobody(tmp_path: Path) -> None:
    run = load_run(build_run(tmp_path / "short", replace(SKILLED, preset="gin", options={"target": 1})))
    table = analysis.good_starts(run)
    later = table[table["won_first"] > 1]
    assert (later["matches"] == 0).all() and later["match_win_rate"].isna().all()


def test_a_resampled_match_without_end_does_not_count(dice: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("analysis.resampling.MOST_DEALS", 9)
    table = analysis.good_starts(dice)
    first = table[table["won_first"] == 1]
    assert 0 < first["matches"].sum() < 20_000
    wins = first["matches"] * first["match_win_rate"]
    assert wins.sum() > 0.6 * first["matches"].sum()  # as losses of B these matches would pass for its wins


def test_with_one_pair_a_lead_has_a_chance_but_no_limits(tmp_path: Path) -> None:
    run = load_run(build_run(tmp_path / "one", replace(SKILLED, pairs=1)))
    table = analysis.leads(run)
    assert table["chance"].between(0, 1).all()
    assert table["lo"].isna().all()


def test_a_run_without_deal_rows_is_refused_by_name(two_without_deals: Run) -> None:
    for table in (analysis.leads, analysis.good_starts, analysis.most_decisive):
        with pytest.raises(RunError, match="no row a deal"):
            table(two_without_deals)


@pytest.fixture
def two_without_deals(tmp_path: Path) -> Run:
    """A run that keeps no row a deal."""
    return load_run(build_run(tmp_path / "plain", replace(SKILLED, pairs=2, deals=False)))
