"""Win rates of three-handed play: equal to their naive twins and to what the terminal prints."""

from __future__ import annotations

import itertools
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import analysis
from analysis import Run, RunError, load_run
from analysis.intervals import simultaneous_level
from experiments.outcomes import Trio
from sim.batch.tally import add, tally_trios
from sim.rows import MATCH_ROW
from tests.analysis import naive
from tests.analysis.conftest import PLAYERS
from tests.support.synthetic_run import Player, Setup, build_run

TWO_SIDED = (
    *("pairings", "pair_scores", "endpoints", "standings", "openings", "half_open", "first_open", "first_open_gaps"),
    *("endings", "endings_by_player", "match_length", "match_summary"),
)


def rows_of(run: Run) -> pd.DataFrame:
    """Return all three-handed matches of a run, with what each side made of them in wins."""
    table: pd.DataFrame = pd.concat([pq.read_table(part.file).to_pandas() for part in run.parts], ignore_index=True)
    for number, side in enumerate("abc"):
        table[side] = table[f"strategy_{side}"].astype(str)
        table[f"win_{side}"] = np.select([table["match_winner"] == number, table["match_winner"] == 3], [1, 1 / 3], 0.0)
    return table


def own_streams(table: pd.DataFrame, trio: tuple[str, ...], side: str) -> naive.Floats:
    """Return the share of the six seatings of each card stream that a side of a trio won."""
    own = table[(table["a"] == trio[0]) & (table["b"] == trio[1]) & (table["c"] == trio[2])]
    return naive.pair_means(own, f"win_{side}")


@pytest.mark.parametrize("name", ["trio", "four_trios"])
def test_rates_are_means_over_card_streams(name: str, request: pytest.FixtureRequest) -> None:
    run: Run = request.getfixturevalue(name)
    table, rows = analysis.trios(run), rows_of(run)
    expected = [(*trio, side) for trio in run.pairings for side in "ABC"]
    assert list(table[["a", "b", "c", "side"]].itertuples(index=False, name=None)) == expected
    at_once = simultaneous_level(len(run.pairings))
    for row in naive.records(table):
        trio = (row["a"], row["b"], row["c"])
        y = own_streams(rows, trio, row["side"].lower())
        se = y.std(ddof=1) / np.sqrt(60)
        assert row["name"] == row[row["side"].lower()]
        assert (row["pairs"], row["matches"]) == (60, 360)
        assert (row["rate"], row["se"]) == pytest.approx((y.mean(), se))
        assert row["hi"] - row["rate"] == pytest.approx(naive.t_half(se, 60))
        assert row["hi_all"] - row["rate"] == pytest.approx(naive.t_half(se, 60, at_once))


def test_a_trio_s_ties_and_deals_are_counted(trio: Run) -> None:
    rows, row = rows_of(trio), analysis.trios(trio).iloc[0]
    assert row["tie_rate"] == (rows["match_winner"] == 3).mean() > 0
    assert row["deals"] == rows["deals_played"].sum()
    assert row["deals_per_match"] == rows["deals_played"].mean()
    assert analysis.trios(trio)["rate"].sum() == pytest.approx(1)


def test_rates_and_intervals_are_those_of_the_terminal(trio: Run) -> None:
    tallies = []
    for part in trio.parts:
        winners = pq.read_table(part.file, columns=["match_winner"])["match_winner"].to_numpy()
        rows = np.zeros(len(winners), MATCH_ROW)
        rows["match_winner"] = winners
        tallies.append(tally_trios(rows))
    told = Trio(trio.pairings[0], add(add(tallies[0], tallies[1]), tallies[2]))
    table = analysis.trios(trio)
    assert table["rate"].to_list() == pytest.approx(told.match_win_rates)
    assert table[["lo", "hi"]].to_numpy(float) == pytest.approx(np.array(told.intervals))


def test_the_best_of_a_trio_has_its_interval_above_the_others(trio: Run, four_trios: Run) -> None:
    for run in (trio, four_trios):
        table = analysis.trios(run)
        for _, own in table.groupby(["a", "b", "c"]):
            for place, best in enumerate(own["best"]):
                others = own["hi_all"].drop(own.index[place])
                assert best == (own["lo_all"].iloc[place] > others.max())
    assert analysis.trios(four_trios)["best"].any()
    assert not analysis.trios(trio)["best"].all()


def test_standings_are_means_over_trios_clustered_by_card_stream(four_trios: Run) -> None:
    rows, table = rows_of(four_trios), analysis.trio_standings(four_trios)
    assert table["matches_won"].is_monotonic_decreasing
    for row in naive.records(table):
        met = [(trio, "abc"[trio.index(row["player"])]) for trio in four_trios.pairings if row["player"] in trio]
        y = np.mean([own_streams(rows, trio, side) for trio, side in met], axis=0)  # the same cards in every trio
        half = naive.t_half(y.std(ddof=1) / np.sqrt(60), 60)
        assert row["trios"] == 3
        assert row["matches_won"] == pytest.approx(y.mean())
        assert row["matches_won_hi"] - row["matches_won"] == pytest.approx(half)


def test_one_player_in_all_three_places_wins_a_third_of_each(tmp_path: Path) -> None:
    same = Setup(PLAYERS[:1], pairs=20, preset="three-handed", pairings=[("gin-only",) * 3])
    table = analysis.trios(load_run(build_run(tmp_path / "run", same)))
    assert table[["rate", "lo", "hi", "lo_all", "hi_all"]].to_numpy(float) == pytest.approx(1 / 3)
    assert table["mirror"].all()
    assert not table["best"].any()


def test_a_player_in_two_places_is_measured_against_the_other(tmp_path: Path) -> None:
    players = (Player("strong", skill=2.0), Player("weak"))
    setup = Setup(players, pairs=60, preset="three-handed", pairings=[("strong", "weak", "strong")])
    table = analysis.trios(load_run(build_run(tmp_path / "run", setup)))
    assert table["best"].to_list() == [True, False, True]
    assert table["rate"].iloc[0] == table["rate"].iloc[2]


def test_all_wins_leave_room_for_a_loss(tmp_path: Path) -> None:
    players = (Player("strong", skill=500.0), Player("weak"), Player("poor"))
    table = analysis.trios(load_run(build_run(tmp_path / "run", Setup(players, pairs=20, preset="three-handed"))))
    assert (table["lo"] < table["hi"]).all()
    assert table["hi"].iloc[1] > 0.01


def test_one_card_stream_says_next_to_nothing(tmp_path: Path) -> None:
    table = analysis.trios(load_run(build_run(tmp_path / "run", Setup(PLAYERS, pairs=1, preset="three-handed"))))
    assert (table["hi"] - table["lo"] > 0.9).all()
    assert not table["best"].any()


def test_the_number_of_processors_does_not_matter(four_trios: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    results = []
    for processors in (1, 2, 7):
        monkeypatch.setattr("os.cpu_count", lambda count=processors: count)
        run = load_run(four_trios.path)
        results.append((analysis.trios(run), analysis.trio_standings(run)))
    for one, other in itertools.pairwise(results):
        for left, right in zip(one, other, strict=True):
            pd.testing.assert_frame_equal(left, right)


@pytest.mark.parametrize("order", [[*range(12, 18), 6, 7, 8, 9, 11, 10, *range(6)], [0, 2, 1, *range(3, 18)]])
def test_seatings_that_are_apart_are_refused(trio: Run, tmp_path: Path, order: list[int]) -> None:
    run = load_run(shutil.copytree(trio.path, tmp_path / "run"))
    rows = pq.read_table(run.parts[0].file)
    pq.write_table(rows.take(pa.array([*order, *range(18, 150)])), run.parts[0].file)
    with pytest.raises(RunError, match=r"seatings of a card stream .* are not in adjacent rows"):
        analysis.trios(run)


@pytest.mark.parametrize("name", TWO_SIDED)
def test_a_table_of_two_sides_refuses_a_three_handed_run(trio: Run, name: str) -> None:
    with pytest.raises(RunError, match=r"a three-handed run carries win rates only; analysis.trios has them"):
        getattr(analysis, name)(trio)


def test_trios_refuse_a_run_of_two_sides(three: Run) -> None:
    with pytest.raises(RunError, match=r"not a three-handed run, so it has no trios"):
        analysis.trios(three)


def test_quality_of_a_three_handed_run(four_trios: Run, tmp_path: Path) -> None:
    rows = rows_of(four_trios)
    quality = analysis.quality(four_trios)
    assert (quality.planned_matches, quality.matches, quality.deals) == (1440, 1440, rows["deals_played"].sum())
    assert quality.dead == (rows["deals_played"] - rows[[f"deals_won_{s}" for s in "abc"]].sum(axis=1)).sum() > 0
    assert quality.turn_caps is None
    assert quality.ties == (rows["match_winner"] == 3).sum()
    assert quality.missing_pairings == ()


def test_a_three_handed_run_that_was_interrupted_says_what_is_missing(tmp_path: Path) -> None:
    folder = build_run(tmp_path / "run", Setup(PLAYERS, 12, 6, "three-handed", status="interrupted"))
    first = (folder / "parts.jsonl").read_text().splitlines(keepends=True)[0]
    (folder / "parts.jsonl").write_text(first)
    run = load_run(folder)
    assert run.unlisted == ("part-000001.parquet",)
    assert (analysis.quality(run).planned_matches, analysis.quality(run).matches) == (72, 36)
    assert set(analysis.trios(run)["pairs"]) == {6}
