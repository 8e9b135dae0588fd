"""What a deal is worth, and who deals: equal to loops over the rows, and no surer than the sample."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scipy import stats

import analysis
from analysis import Run, RunError, load_run
from analysis.block_ratios import deal_block_pairs, mean_of, share_of
from analysis.deal_prices import ENOUGH_DEALS
from sim.presets import preset_rules
from tests.support.naive_sheet import NaiveSheet
from tests.support.synthetic_run import Player, Setup, build_run

STRONG, WEAK = Player("greedy", skill=0.5, gin=0.1), Player("gin-only", gin=0.85)
SETUPS = {
    "two": Setup((STRONG, WEAK), pairs=100, part_pairs=64, dead=0.05, deals=True),
    "three": Setup((STRONG, WEAK, Player("simple", 0.3)), pairs=20, part_pairs=16, deals=True),
    "mirror": Setup((STRONG,), pairs=70, pairings=[("greedy", "greedy")], deals=True),
    "walkover": Setup((Player("strong", 500.0), Player("weak", -500.0)), pairs=20, deals=True),
    "column": Setup((STRONG, WEAK), pairs=80, preset="eaai", deals=True),
    "by player": Setup((STRONG, WEAK), pairs=70, options={"closing": "player"}, deals=True),
    "one by player": Setup((STRONG, WEAK), pairs=40, preset="eaai", options={"closing": "player"}, deals=True),
    "total": Setup((STRONG, WEAK), pairs=40, options={"match_winner": "total", "closing": "player"}, deals=True),
    "partners": Setup(
        (Player("greedy/simple", 0.3), Player("gin-only/greedy", 0.0)), pairs=80, dead=0.1, preset="partnership",
        deals=True,
    ),
    "one": Setup((STRONG, WEAK), pairs=1, deals=True),
    "odd names": Setup((Player("./it's {x}/50%.py", 0.5, 0.1), Player('a "b" {{', 0.0)), pairs=40, deals=True),
}  # fmt: skip
Rows = list[dict[str, Any]]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Run]:
    home: Path = tmp_path_factory.mktemp("runs")
    return cache(lambda name: load_run(build_run(home / name, SETUPS[name])))


@cache
def rows_of(run: Run, table: str) -> Rows:
    files = [part.file if table == "matches" else part.deals for part in run.parts]
    frame = pd.concat([pq.read_table(file).to_pandas() for file in files if file], ignore_index=True)
    return [dict(zip(frame.columns, row, strict=True)) for row in frame.itertuples(index=False)]


def of_pairing(rows: Rows, pairing: tuple[str, ...]) -> Rows:
    return [row for row in rows if (row["strategy_a"], row["strategy_b"]) == pairing]


def entries_of(run: Run, pairing: tuple[str, ...]) -> Rows:
    """Return what was won and entered: scored deals, or rounds as their second deal with points netted."""
    deals = of_pairing(rows_of(run, "deals"), pairing)
    if run.deals_a_round == 1:
        return [deal for deal in deals if not pd.isna(deal["scorer"])]
    rounds = []
    for one, two in zip(deals[::2], deals[1::2], strict=True):
        net = sum(int(d["points"]) * (1 if d["scorer"] == 0 else -1) for d in (one, two) if not pd.isna(d["scorer"]))
        if net:
            rounds.append({**two, "scorer": int(net < 0), "points": abs(net)})
    return rounds


def is_decided(sheet: NaiveSheet) -> bool:
    """Tell whether no further deal can change who wins the match."""
    if sheet.rules.match_winner == "total":
        return None not in sheet.closed_by
    return max(sheet.closed_by.count(side) for side in (0, 1)) * 2 > sheet.rules.columns


def open_entries(run: Run, pairing: tuple[str, ...]) -> Rows:
    """Return what was won and entered while the match was open, entering one win after another."""
    rules = preset_rules(run.spec["preset"], run.spec["rules"])
    sheets: dict[tuple[int, int], NaiveSheet] = defaultdict(lambda: NaiveSheet(rules))
    counted = []
    for deal in entries_of(run, pairing):
        sheet = sheets[deal["pair"], deal["leg"]]
        if not is_decided(sheet):
            counted.append(deal)
        sheet.enter(int(deal["scorer"]), int(deal["points"]))
    assert all(is_decided(sheet) for sheet in sheets.values())
    return counted


def won_by_a(match: dict[str, Any]) -> float:
    return {0: 1.0, 1: 0.0, 2: 0.5}[int(match["match_winner"])]


def opened_before(match: dict[str, Any], side: str, deal: int) -> int:
    opened = [match[f"column{column}_opened_{side}"] for column in (1, 2, 3)]
    return sum(not pd.isna(when) and when < deal for when in opened)


def clustered(cases: list[tuple[int, float]], blocks: int, block: int) -> tuple[float, np.ndarray]:
    """Return the mean of the values in (pair, value) cases, and what each block of pairs adds to its error."""
    mean = sum(value for _, value in cases) / len(cases)
    residuals = np.zeros(blocks)
    for pair, value in cases:
        residuals[pair // block] += (value - mean) / len(cases)
    return mean, residuals


def error(residuals: np.ndarray) -> float:
    blocks = len(residuals)
    return float(np.sqrt(blocks / (blocks - 1) * (residuals**2).sum()))


def naive_prices(run: Run, pairing: tuple[str, ...]) -> dict[tuple[int, int], dict[str, float]]:
    matches = {(m["pair"], m["leg"]): m for m in of_pairing(rows_of(run, "matches"), pairing)}
    block = deal_block_pairs(run)
    blocks = len({pair // block for pair, _ in matches})
    seen: dict[tuple[int, int], tuple[list[tuple[int, float]], list[tuple[int, float]]]] = defaultdict(lambda: ([], []))
    for deal in open_entries(run, pairing):
        match = matches[deal["pair"], deal["leg"]]
        state = opened_before(match, "a", deal["deal"]), opened_before(match, "b", deal["deal"])
        seen[state][int(deal["scorer"])].append((int(deal["pair"]), won_by_a(match)))
    prices = {}
    for state, (by_a, by_b) in seen.items():
        prices[state] = {"deals_a": float(len(by_a)), "deals_b": float(len(by_b))}
        if min(len(by_a), len(by_b)) >= ENOUGH_DEALS:
            (one, left), (other, right) = (clustered(cases, blocks, block) for cases in (by_a, by_b))
            half = stats.t.ppf(0.975, blocks - 1) * error(left - right)
            told = {"win_if_a": one, "win_if_b": other, "price": one - other, "lo": one - other - half}
            prices[state] |= told
    return prices


@pytest.mark.parametrize(
    ("name", "most_blocks"),
    [("two", 30), *((name, 2000) for name in SETUPS if name not in ("three", "walkover", "one"))],
)
def test_the_price_of_a_deal_is_a_difference_of_wins_over_the_rows(
    made: Callable[[str], Run], name: str, most_blocks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("analysis.players.MAX_BLOCKS", most_blocks)
    run = made(name)
    table, expected = analysis.deal_price(run, run.pairings[0]), naive_prices(run, run.pairings[0])
    assert set(zip(table["mine"], table["theirs"], strict=True)) == set(expected)
    assert table["price"].notna().sum() == sum("price" in row for row in expected.values()) > 0
    for row in table.to_dict("records"):
        for key, value in expected[row["mine"], row["theirs"]].items():
            assert row[key] == pytest.approx(value, abs=1e-12), (key, row)


@pytest.mark.parametrize("name", ["two", "partners"])
@pytest.mark.parametrize("damage", ["other order", "one too few", "one too many"])
def test_deals_that_are_not_in_the_order_of_the_matches_are_refused(tmp_path: Path, name: str, damage: str) -> None:
    run = load_run(build_run(tmp_path / "run", SETUPS[name]))
    file = run.parts[0].deals
    assert file
    rows = pq.read_table(file)
    late = {
        "other order": [rows.slice(40), rows.slice(0, 40)],
        "one too few": [rows.slice(0, len(rows) - 1)],
        "one too many": [rows, rows.slice(len(rows) - 1)],
    }
    pq.write_table(pa.concat_tables(late[damage]), file)
    with pytest.raises(RunError, match=r"deals: the deals of .* v .* are not in the order of the matches"):
        analysis.deal_price(run, run.pairings[0])


def test_states_with_fewer_than_100_deals_of_either_side_have_no_price(made: Callable[[str], Run]) -> None:
    run = made("two")
    table = analysis.deal_price(run, run.pairings[0])
    few = table[["deals_a", "deals_b"]].min(axis=1) < ENOUGH_DEALS
    assert 0 < few.sum() < len(table)
    for name in ("price", "se", "lo", "hi", "lo_all", "hi_all"):
        assert table.loc[few, name].isna().all()
        assert table.loc[~few, name].notna().all()


def test_limits_for_all_states_at_once_are_wider(made: Callable[[str], Run]) -> None:
    run = made("two")
    table = analysis.deal_price(run, run.pairings[0]).dropna()
    assert (table["lo_all"] < table["lo"]).all()
    assert (table["hi"] < table["hi_all"]).all()


def test_a_player_against_himself_sees_the_same_from_both_sides(made: Callable[[str], Run]) -> None:
    run = made("mirror")
    table = analysis.deal_price(run, run.pairings[0])
    rows = {(row["mine"], row["theirs"]): row for row in table.to_dict("records")}
    assert len(rows) > 4
    for (mine, theirs), row in rows.items():
        other = rows[theirs, mine]
        assert row["deals_a"] == other["deals_b"]
        assert row["win_if_a"] == pytest.approx(1 - other["win_if_b"], nan_ok=True)
        assert row["price"] == pytest.approx(other["price"], nan_ok=True)


@pytest.mark.parametrize("name", ["two", "partners", "walkover", "column"])
def test_what_a_win_brings_is_a_mean_over_the_rows(made: Callable[[str], Run], name: str) -> None:
    run = made(name)
    pairing = run.pairings[0]
    table = analysis.deal_entries(run, pairing)
    won = entries_of(run, pairing)
    kinds = Counter((int(d["scorer"]), bin(int(d["columns_entered"])).count("1")) for d in won)
    assert len(table) == len(kinds) + 2
    for row in table.to_dict("records"):
        own = [d for d in won if "AB"[int(d["scorer"])] == row["side"]]
        entered = [bin(int(d["columns_entered"])).count("1") for d in own]
        some = [k for k, columns in enumerate(entered) if row["entered"] in ("any", str(columns))]
        assert row["wins"] == len(some)
        if some:
            assert row["share"] == pytest.approx(len(some) / len(own))
            assert row["points"] == pytest.approx(np.mean([own[k]["points"] for k in some]))
            assert row["entries"] == pytest.approx(np.mean([entered[k] for k in some]))
            cases = [(int(own[k]["pair"]), float(own[k]["points"]) * entered[k]) for k in some]
            mean, residuals = clustered(cases, SETUPS[name].pairs, 1)
            half = stats.t.ppf(0.975, SETUPS[name].pairs - 1) * error(residuals)
            assert row["sheet_points"] == pytest.approx(mean)
            assert row["sheet_points_hi"] == pytest.approx(mean + half)


@pytest.mark.parametrize("name", ["two", "three", "partners", "walkover", "odd names"])
def test_who_scores_by_who_dealt_is_counted_over_the_rows(made: Callable[[str], Run], name: str) -> None:
    run = made(name)
    table = analysis.dealer_effect(run)
    assert list(zip(table["a"], table["b"], strict=True)) == list(run.pairings)
    deals, pairs = rows_of(run, "deals"), SETUPS[name].pairs
    for row in table.to_dict("records"):
        own = [d for d in of_pairing(deals, (row["a"], row["b"])) if not pd.isna(d["scorer"])]
        assert row["deals"] == len(own)
        assert row["share"] == pytest.approx(np.mean([d["dealer"] == d["scorer"] for d in own]))
        assert row["dealt_by_a"] == pytest.approx(np.mean([d["dealer"] == 0 for d in own]))
        by = [[(int(d["pair"]), float(d["scorer"] == 0)) for d in own if d["dealer"] == side] for side in (0, 1)]
        (dealing, left), (receiving, right) = (clustered(cases, pairs, 1) for cases in by)
        assert row["a_dealing"] == pytest.approx(dealing)
        assert row["a_receiving"] == pytest.approx(receiving)
        assert row["effect"] == pytest.approx(dealing - receiving)
        if name != "walkover":
            half = stats.t.ppf(0.975, pairs - 1) * error(left - right)
            assert row["hi"] == pytest.approx(dealing - receiving + half)
            at_once = stats.t.ppf((1 + 0.95 ** (1 / len(table))) / 2, pairs - 1) * error(left - right)
            assert row["lo_all"] == pytest.approx(dealing - receiving - at_once)


@pytest.mark.parametrize("name", ["two", "three", "mirror", "odd names"])
def test_what_the_first_dealer_wins_is_counted_over_the_rows(made: Callable[[str], Run], name: str) -> None:
    run = made(name)
    matches, pairs = rows_of(run, "matches"), SETUPS[name].pairs
    for row in analysis.first_dealer(run).to_dict("records"):
        own = of_pairing(matches, (row["a"], row["b"]))
        cases = [(int(m["pair"]), won_by_a(m) if m["first_dealer"] == 0 else 1 - won_by_a(m)) for m in own]
        share, residuals = clustered(cases, pairs, 1)
        assert row["matches"] == len(own)
        assert row["share"] == pytest.approx(share)
        assert row["lo"] == pytest.approx(share - stats.t.ppf(0.975, pairs - 1) * error(residuals))


def test_a_share_without_exception_is_not_sure(made: Callable[[str], Run]) -> None:
    row = analysis.dealer_effect(made("walkover")).iloc[0]
    assert (row["a_dealing"], row["a_receiving"], row["effect"]) == (1, 1, 0)
    assert row["lo"] < -0.05 < 0.05 < row["hi"]
    always = share_of(np.full(50, 3.0), np.full(50, 3.0))
    assert always.se == pytest.approx(np.sqrt(2 / 54 * 52 / 54 / 54))


def test_one_pair_gives_no_interval(made: Callable[[str], Run]) -> None:
    run = made("one")
    assert analysis.deal_entries(run, run.pairings[0])["points_lo"].isna().all()
    assert np.isnan(analysis.dealer_effect(run)["lo"].iloc[0])


def test_a_ratio_without_cases_has_no_value() -> None:
    nothing = mean_of(np.zeros(5), np.zeros(5))
    assert np.isnan(nothing.value)
    assert np.isnan(nothing.se)
