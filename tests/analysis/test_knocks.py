"""Knocks in deal rows: every table equals a loop over the rows, deal by deal, and is no surer than the sample."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

import analysis
from analysis import Run, RunError, load_run, players
from analysis.intervals import part_limits, simultaneous_level
from experiments.replay import replay_free
from sim.rows import NOBODY
from tests.analysis import naive
from tests.support.synthetic_run import Player, Setup, build_run

STRONG, WEAK = Player("greedy", skill=0.5, gin=0.1, undercut=0.1), Player("simple", gin=0.3, undercut=0.2)
SETUPS = {
    "two": Setup((STRONG, WEAK), pairs=40, part_pairs=25, dead=0.05, deals=True),
    "three": Setup((STRONG, WEAK, Player("gin-only", gin=0.85)), pairs=20, part_pairs=16, deals=True),
    "mirror": Setup((STRONG,), pairs=40, pairings=[("greedy", "greedy")], deals=True),
    "seated": Setup(
        (STRONG,), pairs=40, pairings=[("greedy", "greedy")], options={"first_dealer": "a"}, deals=True
    ),
    "safe": Setup((replace(STRONG, undercut=0.0), replace(WEAK, undercut=0.0)), pairs=40, deals=True),
    "partners": Setup(
        (Player("greedy/simple", 0.3), Player("gin-only/greedy", 0.0)), pairs=24, dead=0.1, preset="partnership",
        deals=True,
    ),
    "oklahoma": Setup((STRONG, WEAK), pairs=40, preset="oklahoma", deals=True),
    "one": Setup((STRONG, WEAK), pairs=1, deals=True),
    "without": Setup((STRONG, WEAK), pairs=4),
}  # fmt: skip
KNOCK, GIN, UNDERCUT, WALL = 0, 1, 3, 4
Rows = list[dict[str, Any]]
Made = Callable[[str], Run]
of_two_sides = pytest.mark.parametrize("name", ["two", "partners", "mirror"])


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    home: Path = tmp_path_factory.mktemp("runs")
    return cache(lambda name: load_run(build_run(home / name, SETUPS[name])))


@cache
def deals(run: Run) -> Rows:
    """Return the deal rows, of a player against himself those of one leg, with who knocked as side 0."""
    frame = pd.concat([pq.read_table(part.deals).to_pandas() for part in run.parts if part.deals], ignore_index=True)
    rows = naive.records(frame)
    rows = [row for row in rows if row["strategy_a"] != row["strategy_b"] or row["leg"] == 0]
    return [{**row, "side": 0 if row["strategy_a"] == row["strategy_b"] else row["knocker"]} for row in rows]


def own_turn(row: dict[str, Any]) -> int:
    """Count the knocker's turns backwards from his last: every other one."""
    return len(range(int(row["turns"]), 0, -2))


def clustered(rows: Rows, cases: Callable[[dict[str, Any]], float], base: Callable[[dict[str, Any]], float]) -> Any:
    """Return a ratio and its error: pairs are the clusters, added up by hand."""
    of_pair: dict[int, Rows] = {}
    for row in rows:
        of_pair.setdefault(row["pair"], []).append(row)
    u = np.array([sum(cases(row) for row in own) for own in of_pair.values()], dtype=float)
    v = np.array([sum(base(row) for row in own) for own in of_pair.values()], dtype=float)
    value, n = u.sum() / v.sum(), len(of_pair)
    return value, float(np.sqrt(n / (n - 1) * ((u - value * v) ** 2).sum()) / v.sum()), np.count_nonzero(v)


def one_of(own: Rows) -> Callable[[dict[str, Any]], bool]:
    known = {id(deal) for deal in own}
    return lambda deal: id(deal) in known


def points_if(counts: Callable[[dict[str, Any]], bool]) -> Callable[[dict[str, Any]], int]:
    return lambda deal: deal["points"] if counts(deal) else 0


def wilson(value: float, se: float, units: float, level: float = 0.95) -> Any:
    lo, hi = part_limits(np.array([value]), np.array([se]), np.array([float(units)]), level)
    return pytest.approx((lo[0], hi[0]))


@pytest.mark.parametrize("name", ["two", "three", "mirror", "oklahoma"])
def test_the_risk_is_the_share_of_knocks_that_were_undercut(made: Made, name: str) -> None:
    cells: dict[tuple[int, str], Rows] = {}
    for row in deals(made(name)):
        if row["ending"] in (KNOCK, UNDERCUT):
            turn = own_turn(row)
            band = "1-5" if turn <= 5 else "6-8" if turn <= 8 else "9+"
            cells.setdefault((int(row["knocker_deadwood"]), band), []).append(row)
    table = naive.records(analysis.undercut_risk(made(name)))
    assert [(row["deadwood"], row["turns"]) for row in table] == sorted(cells)
    for row in table:
        own = cells[row["deadwood"], row["turns"]]
        undercuts = sum(deal["ending"] == UNDERCUT for deal in own)
        assert (row["knocks"], row["undercuts"]) == (len(own), undercuts)
        assert row["share"] == pytest.approx(undercuts / len(own))
        if 0 < undercuts < len(own) and len({deal["pair"] for deal in own}) > 1:
            share, se, pairs = clustered(own, lambda deal: deal["ending"] == UNDERCUT, lambda deal: 1)
            copies = {"two": 2, "three": 6, "mirror": 1, "oklahoma": 2}[name]
            units = max(pairs, len(own) / copies)
            assert (row["lo"], row["hi"]) == wilson(share, se, units)
            assert (row["lo_all"], row["hi_all"]) == wilson(share, se, units, simultaneous_level(len(cells)))


def test_knocks_without_an_undercut_may_still_be_risky(made: Made) -> None:
    for row in naive.records(analysis.undercut_risk(made("safe"))):
        assert (row["undercuts"], row["share"], row["lo"]) == (0, 0, 0)
        # As sure at most as if every deal had been played once, at least as if each had been played in both legs.
        best, worst = (1 - 0.025 ** (1 / cases) for cases in (row["knocks"], row["knocks"] / 2))
        assert best - 1e-12 <= row["hi"] <= worst + 1e-12


@pytest.mark.slow
def test_the_last_turn_of_a_deal_is_the_knockers() -> None:
    """Every deal of the real engine, whoever begins: the knocker had half of the turns, rounded up."""
    begun = set()
    for pair in range(12):
        for match in replay_free(("greedy", "gin-only"), "hollywood", {}, 7, pair).matches:
            for deal in match.deals:
                if deal.row is not None and deal.row.knocker != NOBODY:
                    knocker = int(deal.row.knocker)
                    begun.add(deal.turns[0].side == deal.dealer)
                    assert sum(turn.side == knocker for turn in deal.turns) == own_turn({"turns": deal.row.turns})
    assert begun == {True, False}


def test_legs_are_no_mirror_where_the_rules_say_who_deals_first(made: Made) -> None:
    run, seated = made("mirror"), made("seated")
    pairing = run.pairings[0]
    once, twice = (analysis.knock_summary(own, pairing)["ended"].sum() for own in (run, seated))
    assert twice == 2 * once > 0
    once, twice = (analysis.undercut_risk(own)["knocks"].sum() for own in (run, seated))
    assert twice == 2 * once > 0


def test_a_player_against_himself_has_every_knock_once(made: Made) -> None:
    run = made("mirror")
    both_legs = run.query("SELECT count(*) AS knocks FROM deals WHERE ending IN (0, 3)")["knocks"].iloc[0]
    assert analysis.undercut_risk(run)["knocks"].sum() * 2 == both_legs
    for table in (analysis.knock_turns(run, run.pairings[0]), analysis.points_by_ending(run, run.pairings[0])):
        assert set(table["side"]) <= {"A", "nobody"}


@of_two_sides
@pytest.mark.parametrize("column", ["deadwood", "turn"])
def test_the_bars_are_shares_of_the_deals_a_side_ended(made: Made, name: str, column: str) -> None:
    run = made(name)
    of = run.pairings[0]
    ended = [row for row in deals(run) if row["ending"] != WALL]
    value: Callable[[dict[str, Any]], int] = own_turn if column == "turn" else lambda row: int(row["knocker_deadwood"])
    how = {KNOCK: "knock", UNDERCUT: "knock", GIN: "gin"}
    counts = Counter(("AB"[int(row["side"])], how[row["ending"]], value(row)) for row in ended)
    table = (analysis.knock_deadwood if column == "deadwood" else analysis.knock_turns)(run, of)
    assert {(row["side"], row["ending"], row[column]): row["deals"] for row in naive.records(table)} == counts
    assert list(table["player"]) == [of["AB".index(side)] for side in table["side"]]
    assert np.allclose(table.groupby("side")["share"].sum(), 1)
    row = naive.records(table.sort_values("deals"))[-1]
    own = [deal for deal in ended if "AB"[int(deal["side"])] == row["side"]]
    share, se, pairs = clustered(
        own, lambda deal: (how[deal["ending"]], value(deal)) == (row["ending"], row[column]), lambda deal: 1
    )
    assert row["share"] == pytest.approx(share)
    assert (row["lo"], row["hi"]) == wilson(share, se, pairs)


@of_two_sides
def test_the_summary_is_of_each_sides_own_deals(made: Made, name: str) -> None:
    run = made(name)
    for row in naive.records(analysis.knock_summary(run, run.pairings[0])):
        own = [deal for deal in deals(run) if deal["ending"] != WALL and "AB"[int(deal["side"])] == row["side"]]
        knocks = [deal for deal in own if deal["ending"] != GIN]
        assert (row["ended"], row["gins"], row["knocks"]) == (len(own), len(own) - len(knocks), len(knocks))
        assert row["turn_median"] == statistics.median_low(map(own_turn, own))
        assert row["deadwood_median"] == statistics.median_low(deal["knocker_deadwood"] for deal in knocks)
        for cases, column in ((own, "turn"), (knocks, "deadwood")):
            value = own_turn if column == "turn" else lambda deal: int(deal["knocker_deadwood"])
            mean, se, pairs = clustered(cases, value, lambda deal: 1)
            assert row[column] == pytest.approx(mean)
            assert row[f"{column}_hi"] - mean == pytest.approx(naive.t_half(se, pairs))
        share, se, pairs = clustered(knocks, lambda deal: deal["ending"] == UNDERCUT, lambda deal: 1)
        assert row["undercut"] == pytest.approx(share)
        assert (row["undercut_lo"], row["undercut_hi"]) == wilson(share, se, pairs)


@of_two_sides
def test_points_by_ending_are_means_of_the_scorers_deals(made: Made, name: str) -> None:
    run = made(name)
    rows = deals(run)
    for row in naive.records(analysis.points_by_ending(run, run.pairings[0])):
        ending = {"knock": KNOCK, "gin": GIN, "undercut": UNDERCUT, "wall": WALL}[row["ending"]]
        side = "AB".find(row["side"])
        own = [deal for deal in rows if deal["ending"] == ending and (name == "mirror" or side in (-1, deal["scorer"]))]
        assert row["deals"] == len(own)
        is_own = one_of(own)
        share, se, pairs = clustered(rows, is_own, lambda deal: 1)
        assert row["share"] == pytest.approx(share)
        assert (row["share_lo"], row["share_hi"]) == wilson(share, se, pairs)
        mean, se, pairs = clustered(rows, points_if(is_own), is_own)
        assert row["points"] == pytest.approx(mean)
        assert row["points_hi"] - mean == pytest.approx(naive.t_half(se, pairs))


def test_deal_rows_and_match_rows_tell_the_same_endings(made: Made) -> None:
    run = made("two")
    of_deals = analysis.points_by_ending(run, run.pairings[0])
    of_matches = analysis.endings(run).rename(columns={"scorer": "side", "lo": "share_lo", "hi": "share_hi"})
    columns = ["side", "ending", "deals", "share", "share_lo", "share_hi"]
    both = of_deals[columns].merge(of_matches[columns], on=["side", "ending"], suffixes=("", "_of_matches"))
    assert len(both) == len(of_deals)
    for column in columns[2:]:
        assert np.allclose(both[column], both[f"{column}_of_matches"])


def test_blocks_of_pairs_change_no_count(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    run = made("two")
    exact = analysis.undercut_risk(run), analysis.points_by_ending(run, run.pairings[0])
    monkeypatch.setattr(players, "MAX_BLOCKS", 20)
    again = replace(run)  # a run of its own, so that nothing is remembered
    blocked = analysis.undercut_risk(again), analysis.points_by_ending(again, run.pairings[0])
    counted = ["deadwood", "turns", "knocks", "undercuts", "share"], ["side", "ending", "deals", "share", "points"]
    for one, other, columns in zip(exact, blocked, counted, strict=True):
        pd.testing.assert_frame_equal(one[columns], other[columns])


def test_a_single_pair_has_counts_and_hardly_an_error(made: Made) -> None:
    run = made("one")
    table = analysis.points_by_ending(run, run.pairings[0])
    assert table["deals"].sum() == len(deals(run))
    assert table["points_lo"].isna().all()
    assert (table["share_hi"] - table["share_lo"] > 0.9).all()


def test_a_run_without_deal_rows_is_refused_in_one_line(made: Made) -> None:
    run = made("without")
    for ask in (analysis.undercut_risk, lambda run: analysis.knock_turns(run, run.pairings[0])):
        with pytest.raises(RunError, match="keeps no row a deal"):
            ask(run)


@pytest.mark.parametrize("name", ["two", "three", "partners", "oklahoma"])
def test_the_dice_throw_deals_that_agree_with_their_matches(made: Made, name: str) -> None:
    run = made(name)
    of_deals = run.query(
        "SELECT strategy_a, strategy_b, pair, leg, count(*) AS deals_played, "
        "sum(points) FILTER (scorer = 0) AS deal_points_a, sum(points) FILTER (scorer = 1) AS deal_points_b, "
        "count(*) FILTER (ending = 3 AND scorer = 1) AS undercuts_b, count(*) FILTER (ending = 4) AS walls, "
        "count(*) FILTER (knocker = 0 AND ending IN (0, 3)) AS knocks_a, "
        "count(*) FILTER (knocker = 0 AND ending = 1) AS gins_a FROM deals GROUP BY ALL ORDER BY ALL"
    ).fillna(0)
    columns = ", ".join(of_deals.columns)
    of_matches = run.query(f"SELECT {columns} FROM matches ORDER BY ALL")
    for column in of_deals.columns[2:]:
        assert list(of_deals[column].astype(int)) == list(of_matches[column].astype(int)), column
