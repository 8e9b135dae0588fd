"""Every table equals its naive twin on a small run."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest

import analysis
from analysis import Run, RunError
from analysis.intervals import part_limits, simultaneous_level
from tests.analysis import naive


@pytest.fixture(scope="module")
def rows(three: Run) -> pd.DataFrame:
    return naive.matches(three.path)


def limits_of(value: float, se: float, pairs: int) -> tuple[float, float]:
    lo, hi = part_limits(np.array([value]), np.array([se]), np.array([float(pairs)]))
    return float(lo[0]), float(hi[0])


def test_pairings_are_means_over_pairs(three: Run, rows: pd.DataFrame) -> None:
    table = analysis.pairings(three)
    assert list(zip(table["a"], table["b"], strict=True)) == list(three.pairings)
    for row in naive.records(table):
        own = naive.pairing(rows, row["a"], row["b"])
        y = naive.pair_means(own, "win_a")
        se = y.std(ddof=1) / np.sqrt(len(y))
        assert row["match_win_rate"] == pytest.approx(y.mean())
        assert row["se"] == pytest.approx(se)
        assert row["hi"] - row["match_win_rate"] == pytest.approx(naive.t_half(se, 60))
        at_once = naive.t_half(se, 60, simultaneous_level(3))
        assert row["match_win_rate"] - row["lo_all"] == pytest.approx(min(at_once, y.mean()))
        assert row["undecided"] == (row["lo_all"] <= 0.5 <= row["hi_all"])
        assert (row["pairs"], row["matches"], row["deals"]) == (60, 120, own["deals_played"].sum())


def test_pairings_tell_what_pairing_was_worth(three: Run, rows: pd.DataFrame) -> None:
    for row in naive.records(analysis.pairings(three)):
        own = naive.pairing(rows, row["a"], row["b"])
        first, second = (own.loc[own["leg"] == leg].sort_values("pair")["win_a"].to_numpy(float) for leg in (0, 1))
        rho = np.corrcoef(first, second)[0, 1]
        assert row["rho"] == pytest.approx(rho)
        assert row["variance_reduction"] == pytest.approx(1 / (1 + rho))


def test_pairings_have_deals_and_points(three: Run, rows: pd.DataFrame) -> None:
    for row in naive.records(analysis.pairings(three)):
        own = naive.pairing(rows, row["a"], row["b"])
        value, se = naive.pair_ratio(own, "deals_played", "one")
        assert row["deals_per_match"] == pytest.approx(value)
        assert row["deals_per_match_hi"] == pytest.approx(value + naive.t_half(se, 60))
        value, se = naive.pair_ratio(own, "deal_points_b", "deals_won_b")
        assert row["points_per_deal_b"] == pytest.approx(value)
        assert row["points_per_deal_b_lo"] == pytest.approx(value - naive.t_half(se, 60))


def test_pair_scores_count_quarters(three: Run, rows: pd.DataFrame) -> None:
    for row in naive.records(analysis.pair_scores(three)):
        y = naive.pair_means(naive.pairing(rows, row["a"], row["b"]), "win_a")
        assert [row[f"n_{k}"] for k in range(5)] == [int((y == k / 4).sum()) for k in range(5)]


def test_endpoints_are_ratios_over_pairs(three: Run, rows: pd.DataFrame) -> None:
    table = naive.look_up(analysis.endpoints(three), "a", "b", "endpoint")
    parts = {
        "deals won": ("deals_won_a", "deals_scored"),
        "points scored": ("deal_points_a", "points_scored"),
        "column 2": ("column2_a", "one"),
        "matches won": ("win_a", "one"),
    }
    for a, b in three.pairings:
        for endpoint, (u, v) in parts.items():
            value, se = naive.pair_ratio(naive.pairing(rows, a, b), u, v)
            row = table[a, b, endpoint]
            assert row["share"] == pytest.approx(value)
            assert row["se"] == pytest.approx(se)
            assert row["hi"] == pytest.approx(min(1, value + naive.t_half(se, 60)))
    names = [endpoint for a, b, endpoint in table if (a, b) == three.pairings[0]]
    assert names == ["deals won", "points scored", "column 1", "column 2", "column 3", "matches won"]


def test_standings_are_means_over_opponents_clustered_by_pair(three: Run, rows: pd.DataFrame) -> None:
    table = naive.records(analysis.standings(three))
    rates = [row["matches_won"] for row in table]
    assert rates == sorted(rates, reverse=True)
    for row in table:
        own = rows[(rows["a"] == row["player"]) | (rows["b"] == row["player"])]
        own = own.assign(won=own["win_a"].where(own["a"] == row["player"], own["win_b"]))
        y = naive.pair_means(own, "won")  # over both opponents of this pair and both legs: the same cards
        assert row["opponents"] == 2
        assert row["matches_won"] == pytest.approx(y.mean())
        half = naive.t_half(y.std(ddof=1) / np.sqrt(60), 60)
        assert row["matches_won_hi"] - row["matches_won"] == pytest.approx(half)


def test_points_a_deal_are_averaged_over_opponents(three: Run, rows: pd.DataFrame) -> None:
    for row in naive.records(analysis.standings(three)):
        met = [(pair, "ab"[pair.index(row["player"])]) for pair in three.pairings if row["player"] in pair]
        rates = [
            naive.pair_ratio(naive.pairing(rows, *pair), f"deal_points_{side}", f"deals_won_{side}")[0]
            for pair, side in met
        ]
        assert row["points_per_deal"] == pytest.approx(np.mean(rates))


def test_blocks_of_pairs_change_errors_little_and_means_not(three: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from analysis import players

    exact = naive.records(analysis.standings(three))
    monkeypatch.setattr(players, "MAX_BLOCKS", 20)
    players.block_sums.cache_clear()
    blocked = naive.records(analysis.standings(three))
    players.block_sums.cache_clear()
    for one, other in zip(exact, blocked, strict=True):
        assert one["matches_won"] == pytest.approx(other["matches_won"])
        widths = [row["matches_won_hi"] - row["matches_won_lo"] for row in (one, other)]
        assert 0.6 < widths[0] / widths[1] < 1.6


def test_openings_are_shares_of_all_matches(three: Run, rows: pd.DataFrame) -> None:
    table = naive.look_up(analysis.openings(three), "a", "b", "side", "column", "deal")
    for a, b in three.pairings:
        for side, column in itertools.product("AB", (1, 2, 3)):
            own = naive.pairing(rows, a, b)
            opened = naive.opened(own, side, column)
            last = int(opened[opened < np.inf].max()) + 1
            assert (a, b, side, column, last) in table
            assert (a, b, side, column, last + 1) not in table
            for deal in (1, 3, last):
                value, se = naive.pair_ratio(own.assign(open=opened < deal), "open", "one")
                row = table[a, b, side, column, deal]
                assert row["player"] == (a if side == "A" else b)
                assert row["share"] == pytest.approx(value)
                assert (row["lo"], row["hi"]) == pytest.approx(limits_of(value, se, 60), abs=1e-9)


def test_one_pairing_s_openings_are_those_of_the_whole_run(three: Run) -> None:
    a, b = three.pairings[1]
    whole = analysis.openings(three)
    whole = whole[(whole["a"] == a) & (whole["b"] == b)].reset_index(drop=True)
    pd.testing.assert_frame_equal(analysis.openings(three, (a, b)), whole)
    assert len(analysis.half_open(three, (a, b))) == 6


def test_a_pairing_that_was_not_played_is_an_error(three: Run) -> None:
    with pytest.raises(RunError, match="no finished part of greedy v gin-only"):
        analysis.openings(three, ("greedy", "gin-only"))


def test_half_open_is_the_first_deal_at_one_half(three: Run, rows: pd.DataFrame) -> None:
    for row in naive.records(analysis.half_open(three)):
        opened = naive.opened(naive.pairing(rows, row["a"], row["b"]), row["side"], row["column"])
        assert row["half_open_by"] == next(n for n in range(1, 99) if (opened < n).mean() >= 0.5)
        assert row["earliest"] <= row["half_open_by"] <= row["latest"]
        assert row["ever"] == pytest.approx((opened < np.inf).mean())


def test_first_to_open_and_the_match_then(three: Run, rows: pd.DataFrame) -> None:
    table = naive.look_up(analysis.first_open(three), "a", "b", "column", "first")
    gaps = naive.look_up(analysis.first_open_gaps(three), "a", "b", "column")
    for (a, b, column, side), row in table.items():
        own = naive.pairing(rows, a, b)
        name = f"first{column}_{side.lower()}"
        own = own.assign(won_then=own[name] * own["win_a"])
        share, share_se = naive.pair_ratio(own, name, "one")
        rate, se = naive.pair_ratio(own, "won_then", name)
        assert row["matches"] == own[name].sum()
        assert (row["share"], row["win_rate"]) == pytest.approx((share, rate))
        assert (row["lo"], row["hi"]) == pytest.approx(limits_of(rate, se, 60))
        assert (row["share_lo"], row["share_hi"]) == pytest.approx(limits_of(share, share_se, 60))
        rates = [table[a, b, column, each]["win_rate"] for each in "AB"]
        assert gaps[a, b, column]["gap"] == pytest.approx(rates[0] - rates[1])


def test_the_gap_s_interval_knows_that_both_rates_share_pairs(three: Run, rows: pd.DataFrame) -> None:
    """The delta method for a difference of ratios equals a jackknife over pairs, nearly."""
    a, b = three.pairings[0]
    own = naive.pairing(rows, a, b)

    def gap(frame: pd.DataFrame) -> float:
        won = {side: (frame[f"first1_{side}"] * frame["win_a"]).sum() / frame[f"first1_{side}"].sum() for side in "ab"}
        return float(won["a"] - won["b"])

    without = np.array([gap(own[own["pair"] != pair]) for pair in own["pair"].unique()])
    jackknife = np.sqrt((len(without) - 1) * ((without - without.mean()) ** 2).mean())
    row = naive.records(analysis.first_open_gaps(three))[0]
    assert (row["hi"] - row["lo"]) / 2 == pytest.approx(naive.t_half(float(jackknife), 60), rel=0.05)


def test_endings_are_shares_of_all_deals(three: Run, rows: pd.DataFrame) -> None:
    table = naive.look_up(analysis.endings(three), "a", "b", "scorer", "ending")
    kinds = {("A", "gin"): "gins_a", ("B", "knock"): "scored_knocks_b", ("A", "undercut"): "undercuts_a"}
    kinds[("nobody", "wall")] = "walls"
    for a, b in three.pairings:
        own = naive.pairing(rows, a, b)
        own = own.assign(scored_knocks_b=own["knocks_b"].astype(int) - own["undercuts_a"].astype(int))
        assert sum(row["share"] for key, row in table.items() if key[:2] == (a, b)) == pytest.approx(1)
        for kind, name in kinds.items():
            value, se = naive.pair_ratio(own, name, "deals_played")
            row = table[a, b, *kind]
            assert row["deals"] == own[name].sum()
            assert row["share"] == pytest.approx(value)
            assert (row["lo"], row["hi"]) == pytest.approx(limits_of(value, se, 60))


def test_endings_by_player_are_means_over_opponents(three: Run) -> None:
    met = naive.look_up(analysis.endings(three), "a", "b", "scorer", "ending")
    table = naive.look_up(analysis.endings_by_player(three), "player", "scorer", "ending")
    greedy = [met["gin-only", "greedy", "B", "knock"], met["greedy", "threshold:knock_at=5", "A", "knock"]]
    assert table["greedy", "player", "knock"]["share"] == pytest.approx(sum(row["share"] for row in greedy) / 2)
    for player in ("greedy", "gin-only"):
        assert sum(row["share"] for key, row in table.items() if key[0] == player) == pytest.approx(1)


def test_match_lengths_and_their_summary(three: Run, rows: pd.DataFrame) -> None:
    lengths = naive.look_up(analysis.match_length(three), "a", "b", "deals")
    for row in naive.records(analysis.match_summary(three)):
        own = naive.pairing(rows, row["a"], row["b"])
        deals = np.sort(own["deals_played"].to_numpy(int))
        mine = {key[2]: each["matches"] for key, each in lengths.items() if key[:2] == (row["a"], row["b"])}
        assert mine == {int(number): int((deals == number).sum()) for number in np.unique(deals)}
        assert row["median"] == deals[59]
        assert (row["low"], row["high"], row["longest"]) == (deals[11], deals[107], deals[-1])


def test_sweeps_and_shutouts(three: Run, rows: pd.DataFrame) -> None:
    for row in naive.records(analysis.match_summary(three)):
        own = naive.pairing(rows, row["a"], row["b"])
        winners = own[["column1_winner", "column2_winner", "column3_winner"]].to_numpy(int)
        assert row["sweep"] == pytest.approx((winners == winners[:, :1]).all(axis=1).mean())
        assert row["sweep_a"] + row["sweep_b"] == pytest.approx(row["sweep"])
        loser = np.where(winners[:, 2] == 0, own["column3_boxes_b"], own["column3_boxes_a"])
        assert row["shutout3"] == pytest.approx((loser == 0).mean())


def test_tables_are_copies(three: Run) -> None:
    for table in (analysis.openings, analysis.match_length):
        spoilt = table(three)
        spoilt["share"] = 7.0
        assert table(three)["share"].max() <= 1
