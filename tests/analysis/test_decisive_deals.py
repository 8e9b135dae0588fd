"""The most decisive deals: against a slow reading of every deal of the run, and exact chances where there are some."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

import analysis
from analysis import Run, RunError, decisive_deals, load_run
from analysis.decisive_deals import STEPS, _column_odds
from analysis.equity import DealPoints, Floats, SheetRules, column_equity, deal_counts, sheet_rules
from sim.presets import preset_rules
from sim.rows import Ending
from tests.support.naive_sheet import NaiveSheet
from tests.support.synthetic_run import Player, Setup, build_run

PLAYERS = (Player("greedy", 0.3, 0.1, 0.05), Player("gin-only", 0.0, 0.8, 0.1), Player("simple", 0.2, 0.2, 0.1))
DICE = Setup(PLAYERS, pairs=80, part_pairs=30, deals=True)
Row = dict[str, Any]


@dataclass(frozen=True)
class Decided:
    """The deal that decided a match, and the sheet before it."""

    row: Row
    before: NaiveSheet
    column: int
    closed: int


def decided_matches(run: Run) -> Iterator[Decided]:
    """Yield the deciding deal of every match, entering one deal after another."""
    rules = preset_rules(run.spec["preset"], run.spec["rules"])
    files = sorted((run.path / "deals").glob("*.parquet"))
    rows = [row for file in files for row in pq.read_table(file).to_pylist()]
    keys = dict.fromkeys((row["strategy_a"], row["strategy_b"], row["pair"], row["leg"]) for row in rows)
    matches: dict[object, list[Row]] = {key: [] for key in keys}
    for row in rows:
        matches[row["strategy_a"], row["strategy_b"], row["pair"], row["leg"]].append(row)
    for deals in matches.values():
        scored = sorted((row for row in deals if row["scorer"] is not None), key=lambda row: row["deal"])
        for number, row in enumerate(scored):
            before, sheet = (played(rules, scored[:end]) for end in (number, number + 1))
            won = [column for column, side in enumerate(sheet.closed_by, start=1) if side == row["scorer"]]
            if 2 * len(won) > rules.columns:
                column = won[rules.columns // 2]
                yield Decided(row, before, column, len(won) - before.closed_by.count(row["scorer"]))
                break


def played(rules: Any, deals: list[Row]) -> NaiveSheet:
    """Return the sheet after some deals."""
    sheet = NaiveSheet(rules)
    for row in deals:
        sheet.enter(row["scorer"], row["points"])
    return sheet


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Three players, all columns, 480 matches."""
    return load_run(build_run(tmp_path_factory.mktemp("runs") / "three", DICE))


@pytest.fixture(scope="module")
def column(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Two players and one column, where the chance before a deal is known exactly."""
    setup = replace(DICE, players=PLAYERS[:2], preset="eaai", pairs=150)
    return load_run(build_run(tmp_path_factory.mktemp("runs") / "column", setup))


@pytest.fixture(scope="module")
def decisive(three: Run) -> pd.DataFrame:
    """The table of the three players."""
    return analysis.most_decisive(three)


def test_each_row_is_the_deal_that_decided_its_match(three: Run, decisive: pd.DataFrame) -> None:
    slow = {(d.row["strategy_a"], d.row["strategy_b"], d.row["pair"], d.row["leg"]): d for d in decided_matches(three)}
    assert len(decisive) == 5
    for row in decisive.to_dict("records"):
        found = slow[row["a"], row["b"], row["pair"], row["leg"]]
        side, column = found.row["scorer"], found.column
        assert (row["deal"], row["winner"], row["points"]) == (found.row["deal"], "AB"[side], found.row["points"])
        assert row["ending"] == Ending(found.row["ending"]).name.lower()
        assert (row["column"], row["closed"]) == (column, found.closed)
        assert row["winner_points"] == found.before.totals[side][column - 1]
        assert row["rival_points"] == found.before.totals[1 - side][column - 1]


def test_rows_come_from_the_longest_odds_on(decisive: pd.DataFrame) -> None:
    assert decisive["before"].is_monotonic_increasing
    assert (decisive["lo"] < decisive["before"]).all() and (decisive["before"] < decisive["hi"]).all()
    assert (decisive["before"] < 0.5).all()


def test_the_chance_before_is_that_of_matches_played_on_by_hand(three: Run, decisive: pd.DataFrame) -> None:
    first = decisive.iloc[0]
    found = next(
        d
        for d in decided_matches(three)
        if (d.row["strategy_a"], d.row["strategy_b"], d.row["pair"], d.row["leg"])
        == (first["a"], first["b"], first["pair"], first["leg"])
    )
    chance = DealPoints.of_counts(deal_counts(three, (first["a"], first["b"])).sum(axis=0)).chance
    rng, times = np.random.default_rng(2), 400
    wins = sum(played_on(found, chance, rng) == found.row["scorer"] for _ in range(times))
    share = float(first["before"])
    assert wins / times == pytest.approx(share, abs=4 * np.sqrt(share * (1 - share) / times))


def played_on(found: Decided, chance: np.ndarray[Any, Any], rng: np.random.Generator) -> int:
    """Return the side that first wins two columns, from the sheet before the deal; the winner of a deal deals next."""
    sheet, dealer = NaiveSheet(found.before.rules), found.row["dealer"]
    sheet.wins, sheet.closed_by = list(found.before.wins), list(found.before.closed_by)
    sheet.totals = [list(own) for own in found.before.totals]
    sheet.boxes = [list(own) for own in found.before.boxes]
    while max(sheet.closed_by.count(side) for side in (0, 1)) < 2:
        flat = int(rng.choice(chance[dealer].size, p=chance[dealer].ravel()))
        dealer, points = divmod(flat, chance.shape[2])
        sheet.enter(dealer, points)
    return max((0, 1), key=sheet.closed_by.count)


@pytest.fixture(scope="module")
def by_player(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """As `column`, but each plays on until it has closed the column for itself."""
    setup = replace(DICE, players=PLAYERS[:2], preset="eaai", pairs=150, options={"closing": "player"})
    return load_run(build_run(tmp_path_factory.mktemp("runs") / "by-player", setup))


@pytest.mark.parametrize("name", ["column", "by_player"])
def test_of_one_column_the_chances_are_exact_and_no_longer_odds_are_missed(
    name: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("analysis.decisive_deals.CANDIDATES", 20)
    column: Run = request.getfixturevalue(name)
    rules = sheet_rules(column.spec["rules"])
    equity = column_equity(DealPoints.of_counts(deal_counts(column).sum(axis=0)), rules)
    exact = {}
    for found in decided_matches(column):
        (a,), (b,) = found.before.totals
        chance = equity[a, b, found.row["dealer"]]
        exact[found.row["pair"], found.row["leg"]] = float(chance if found.row["scorer"] == 0 else 1 - chance)
    table = analysis.most_decisive(column)
    assert len(exact) == 300
    for place, (_, row) in enumerate(table.iterrows()):
        own = exact[row["pair"], row["leg"]]
        assert row["before"] == pytest.approx(own, abs=0.016)  # four standard errors of 10,000 at 20%
        assert own == pytest.approx(sorted(exact.values())[place], abs=0.02)


def test_where_each_closes_columns_for_itself_a_row_has_the_rival_s_points_of_then(tmp_path: Path) -> None:
    setup = replace(DICE, players=PLAYERS[:2], pairs=20, options={"closing": "player"})
    run = load_run(build_run(tmp_path / "three", setup))
    slow = {(d.row["pair"], d.row["leg"]): d for d in decided_matches(run)}
    for row in analysis.most_decisive(run).to_dict("records"):
        found = slow[row["pair"], row["leg"]]
        assert (row["deal"], row["column"]) == (found.row["deal"], found.column)
        assert row["rival_points"] == found.before.totals[1 - found.row["scorer"]][found.column - 1] < 100


def test_a_column_of_many_points_is_first_looked_at_in_steps(column: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    solved: list[int] = []

    def noted(deals: DealPoints, rules: SheetRules) -> Floats:
        solved.append(rules.target)
        return column_equity(deals, rules)

    monkeypatch.setattr("analysis.decisive_deals.column_equity", noted)
    rules = replace(sheet_rules(column.spec["rules"]), target=250)
    odds = _column_odds(column, rules)
    assert solved == [STEPS]
    even = DealPoints.of_counts(deal_counts(column).sum(axis=0), even=True)
    exact = column_equity(even, rules).mean(axis=2)[np.ix_(np.arange(STEPS) * 5 // 2, np.arange(STEPS) * 5 // 2)]
    assert np.abs(odds - exact).max() < 0.03


def test_of_a_player_against_itself_each_deal_is_listed_once(tmp_path: Path) -> None:
    setup = replace(DICE, players=PLAYERS[:1], pairs=30, pairings=[("greedy", "greedy")])
    table = analysis.most_decisive(load_run(build_run(tmp_path / "mirror", setup)))
    assert (table["leg"] == 0).all()
    seated = replace(setup, options={"first_dealer": "a"})  # the legs are then two matches
    assert set(analysis.most_decisive(load_run(build_run(tmp_path / "seated", seated)))["leg"]) == {0, 1}
    assert not table.duplicated(["pair", "deal"]).any()


def test_a_run_of_one_pair_has_at_most_its_two_deals_and_the_same_table_each_time(tmp_path: Path) -> None:
    run = load_run(build_run(tmp_path / "one", replace(DICE, players=PLAYERS[:2], pairs=1)))
    table = analysis.most_decisive(run)
    assert len(table) == 2
    assert set(table["leg"]) == {0, 1}
    pd.testing.assert_frame_equal(analysis.most_decisive(run), table)


@pytest.mark.parametrize(("preset", "options"), [("partnership", {}), ("hollywood", {"match_winner": "total"})])
def test_matches_that_no_column_decides_are_refused(tmp_path: Path, preset: str, options: dict[str, object]) -> None:
    players = (Player("greedy/simple", 0.3), Player("gin-only", 0.0)) if preset == "partnership" else PLAYERS[:2]
    setup = replace(DICE, players=players, preset=preset, options=options, pairs=1)
    with pytest.raises(RunError, match="not decided by columns"):
        analysis.most_decisive(load_run(build_run(tmp_path / "other", setup)))


@pytest.mark.parametrize("name", ["three", "column", "by_player"])
def test_looking_at_deals_of_many_points_first_gives_the_candidates_of_a_look_at_all(
    name: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where so few of many points are candidates that the others must be looked at too."""
    run: Run = request.getfixturevalue(name)
    rules = sheet_rules(run.spec["rules"])
    odds = decisive_deals._column_odds(run, rules)
    asked: list[int] = []
    look = decisive_deals._first_look

    def noted(*arguments: Any) -> str:
        asked.append(arguments[-1])
        return look(*arguments)

    monkeypatch.setattr(decisive_deals, "_first_look", noted)
    for candidates in (1, 5, 50):
        monkeypatch.setattr(decisive_deals, "_candidates", lambda _run, count=candidates: count)
        found = decisive_deals._best(run, rules, odds)
        with monkeypatch.context() as patch:
            patch.setattr(decisive_deals, "_least_points", lambda _run: [0])
            pd.testing.assert_frame_equal(found, decisive_deals._best(run, rules, odds))
    assert max(asked) > 0  # the short way was tried
