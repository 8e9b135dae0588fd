"""Degenerate runs give finite, right answers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import analysis
from analysis import Run, RunError, load_run
from tests.analysis import naive
from tests.analysis.conftest import PLAYERS
from tests.support.synthetic_run import Player, Setup, build_run


def test_a_player_against_itself_is_exactly_even(mirror: Run) -> None:
    row = naive.records(analysis.pairings(mirror))[0]
    assert (row["match_win_rate"], row["lo"], row["hi"], row["lo_all"], row["hi_all"]) == (0.5,) * 5
    assert (row["se"], row["rho"]) == (0.0, -1.0)
    assert row["variance_reduction"] == np.inf
    assert row["mirror"]
    assert not row["undecided"]
    table = analysis.endpoints(mirror)
    assert (table[["share", "lo", "hi"]].to_numpy(float) == 0.5).all()
    assert analysis.standings(mirror).empty
    assert analysis.endings_by_player(mirror).empty


def test_all_wins_leave_room_for_a_loss(walkover: Run) -> None:
    row = naive.records(analysis.pairings(walkover))[0]
    assert (row["match_win_rate"], row["hi"]) == (1.0, 1.0)
    assert row["lo"] == pytest.approx(0.025 ** (1 / 20))
    assert (row["rho"], row["variance_reduction"]) == (0.0, 1.0)
    assert not row["undecided"]
    for table in (analysis.endpoints(walkover), analysis.standings(walkover), analysis.endings(walkover)):
        shares = table.select_dtypes(float).loc[:, lambda t: ~t.columns.str.startswith("points_per_deal")]
        assert np.isfinite(shares.to_numpy(float)).all()
    gaps = analysis.first_open_gaps(walkover)
    assert np.isnan(gaps[["gap", "lo", "hi"]].to_numpy(float)).all()
    never = analysis.half_open(walkover).query("side == 'B'")
    assert never["half_open_by"].isna().all()
    assert (never["ever"] == 0).all()
    assert (never["ever_hi"] > 0).all()


def test_one_pair_says_next_to_nothing(one_pair: Run) -> None:
    row = naive.records(analysis.pairings(one_pair))[0]
    assert all(np.isfinite(row[name]) for name in ("match_win_rate", "se", "lo", "hi", "rho", "variance_reduction"))
    assert row["lo"] < 0.05 or row["hi"] > 0.95
    assert row["undecided"]
    assert np.isnan(row["deals_per_match_lo"])
    endpoints = analysis.endpoints(one_pair)
    assert (endpoints["hi"] - endpoints["lo"] > 0.9).all()
    standings = analysis.standings(one_pair)[["matches_won", "matches_won_lo", "matches_won_hi"]]
    assert np.isfinite(standings.to_numpy(float)).all()


def test_a_sheet_with_one_column_has_no_others(one_column: Run) -> None:
    assert set(analysis.endpoints(one_column)["endpoint"]) == {"deals won", "points scored", "column 1", "matches won"}
    assert set(analysis.openings(one_column)["column"]) == {1}
    assert set(analysis.first_open(one_column)["column"]) == {1}
    assert not [name for name in map(str, analysis.standings(one_column)) if name.startswith(("column", "all_three"))]
    assert not [name for name in map(str, analysis.match_summary(one_column)) if name.startswith("sweep")]


def test_parts_do_not_matter(tmp_path: Path) -> None:
    runs = [load_run(build_run(tmp_path / str(n), Setup(PLAYERS[:2], pairs=24, part_pairs=24))) for n in (1, 2)]
    rows = pq.read_table(runs[0].parts[0].file)
    pq.write_table(rows, runs[1].parts[0].file, row_group_size=5)
    for name in ("pairings", "endpoints", "standings", "openings", "endings", "match_length"):
        pd.testing.assert_frame_equal(getattr(analysis, name)(runs[0]), getattr(analysis, name)(runs[1]))


def test_the_number_of_processors_does_not_matter(three: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    results = []
    for processors in (1, 2, 7):
        monkeypatch.setattr("os.cpu_count", lambda count=processors: count)
        run = load_run(three.path)
        results.append([getattr(analysis, name)(run) for name in ("pairings", "openings", "standings", "match_length")])
    for other in results[1:]:
        for left, right in zip(results[0], other, strict=True):
            pd.testing.assert_frame_equal(left, right)


def test_a_pair_whose_legs_are_apart_is_refused(tmp_path: Path) -> None:
    run = load_run(build_run(tmp_path / "run", Setup(PLAYERS[:2], pairs=6)))
    rows = pq.read_table(run.parts[0].file)
    pq.write_table(rows.take(list(range(11, -1, -1))), run.parts[0].file)
    with pytest.raises(RunError, match="not in adjacent rows"):
        analysis.pairings(run)


def test_ties_are_half_a_win_for_each(tmp_path: Path) -> None:
    run = load_run(build_run(tmp_path / "run", Setup(PLAYERS[:2], pairs=6)))
    rows = pq.read_table(run.parts[0].file)
    place = rows.schema.get_field_index("match_winner")
    tied = rows.set_column(place, rows.schema.field(place), pa.array([2] * 12, pa.uint8()))
    pq.write_table(tied, run.parts[0].file)
    row = naive.records(analysis.pairings(run))[0]
    assert (row["match_win_rate"], row["tie_rate"]) == (0.5, 1.0)
    assert row["lo"] < 0.5 < row["hi"]  # two different players: no proof of a tie
    assert row["undecided"]


def test_quality_counts_what_is_there_and_what_is_not(tmp_path: Path) -> None:
    folder = build_run(tmp_path / "run", Setup(PLAYERS, pairs=12, part_pairs=6, dead=0.1, status="interrupted"))
    lines = (folder / "parts.jsonl").read_text().splitlines()
    (folder / "parts.jsonl").write_text("\n".join(lines[:3]) + "\n")
    quality = analysis.quality(load_run(folder))
    assert (quality.planned_matches, quality.matches, quality.parts) == (72, 36, 3)
    assert quality.partial
    assert quality.dead > 0
    assert quality.turn_caps == 0
    assert quality.unlisted == ("part-000003.parquet", "part-000004.parquet", "part-000005.parquet")
    assert quality.missing_pairings == (("greedy", "threshold:knock_at=5"),)


def table_of(*results: tuple[str, str, float]) -> pd.DataFrame:
    frame = pd.DataFrame(results, columns=["a", "b", "match_win_rate"])
    return frame.assign(undecided=(frame["match_win_rate"] - 0.5).abs() < 0.02, mirror=False)


def test_who_beats_all_and_who_beats_whom_in_a_circle() -> None:
    clear = table_of(("x", "y", 0.6), ("x", "z", 0.7), ("y", "z", 0.51))
    assert analysis.beats_all(clear) == "x"
    assert analysis.cycle(clear) is None
    circle = table_of(("x", "y", 0.6), ("x", "z", 0.4), ("y", "z", 0.55))
    assert analysis.beats_all(circle) is None
    assert analysis.cycle(circle) == ("x", "y", "z")


def test_big_gin_is_listed_where_the_rules_have_it(tmp_path: Path) -> None:
    setup = Setup((Player("greedy"), Player("simple")), pairs=6, options={"big_gin": 31})
    run = load_run(build_run(tmp_path / "run", setup))
    assert "big_gin" in set(analysis.endings(run)["ending"])


def test_knocks_are_not_listed_where_nobody_may_knock(tmp_path: Path) -> None:
    setup = Setup((Player("greedy", gin=1, undercut=0), Player("simple", gin=1, undercut=0)), 6, preset="straight")
    run = load_run(build_run(tmp_path / "run", setup))
    assert set(analysis.endings(run)["ending"]) == {"gin", "wall", "turn_cap"}
    assert set(analysis.endings_by_player(run)["ending"]) == {"gin", "wall", "turn_cap"}


def test_partners_enter_their_columns_with_the_second_deal_of_a_round(tmp_path: Path) -> None:
    players = (Player("greedy/simple", skill=0.5), Player("gin-only"))
    run = load_run(build_run(tmp_path / "run", Setup(players, pairs=20, preset="partnership")))
    assert run.deals_a_round == 2
    assert run.players == {"greedy/simple": ("greedy", "simple"), "gin-only": ("gin-only",)}
    openings = analysis.half_open(run)["half_open_by"].dropna()
    assert len(openings)
    assert (openings % 2 == 0).all()
    assert (analysis.match_length(run)["deals"] % 2 == 0).all()
