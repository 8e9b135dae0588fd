"""What experiments concluded: every table equals its naive twin over the matches, and every look is made again."""

from __future__ import annotations

import json
import math
import shutil
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import analysis
from analysis import Run, RunError, load_run
from analysis.anytime import anytime_limits
from analysis.looks import asked, block_scores
from analysis.sequential import VERDICTS, look, make_test
from experiments.sweep import Asked
from tests.analysis import naive
from tests.support.dice_experiments import dice_comparison, dice_sweep, dice_tournament
from tests.support.synthetic_run import Player

KNOBS = {f"threshold:knock_at={n}": Player(f"threshold:knock_at={n}", skill=0.05 * n, gin=0.3) for n in range(11)}
CLOSE = (Player("greedy", skill=0.36, gin=0.12), Player("simple", skill=0.4))


@pytest.fixture(scope="module")
def race(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Three settings against two opponents, in two rounds: losers are dropped after the first."""
    folder = tmp_path_factory.mktemp("runs") / "race"
    return dice_sweep(folder, KNOBS, Asked("threshold", ("knock_at=2,9,10",)), ["simple", "greedy"], 3000)


@pytest.fixture(scope="module")
def each_other(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Three settings that meet each other."""
    folder = tmp_path_factory.mktemp("runs") / "self"
    return dice_sweep(folder, KNOBS, Asked("threshold", ("knock_at=8:10",)), ["self"], 300)


@pytest.fixture(scope="module")
def field(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A tournament of three, one of whom loses every match."""
    players = (*CLOSE, Player("random", skill=-500.0))
    return dice_tournament(tmp_path_factory.mktemp("runs") / "field", players, 200)


@pytest.fixture(scope="module")
def undecided(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A comparison that is broken off by its cap, in the middle of a block."""
    return dice_comparison(tmp_path_factory.mktemp("runs") / "undecided", CLOSE, 1100, name="equiv")


@pytest.fixture(scope="module")
def one_sided(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A comparison with a question to side A alone."""
    return dice_comparison(
        tmp_path_factory.mktemp("runs") / "nonreg", CLOSE, 3000, name="nonreg", bounds=(0.485, 0.488)
    )


def scores_of(rows: pd.DataFrame, a: str, b: str) -> list[float]:
    """Return A's score in every pair of a pairing, in pair order."""
    return list(naive.pair_means(naive.pairing(rows, a, b), "win_a"))


@pytest.mark.parametrize("name", ["undecided", "one_sided"])
def test_the_course_of_a_test_is_every_look_made_again(name: str, request: pytest.FixtureRequest) -> None:
    run: Run = request.getfixturevalue(name)
    test, table = asked(run), analysis.course(run)
    scores = scores_of(naive.matches(run.path), "greedy", "simple")
    ends = [*range(256, len(scores), 256), len(scores)]
    assert len(ends) > 3
    assert list(table["pairs"]) == ends
    assert list(table["look"]) == list(range(1, len(ends) + 1))
    for row, end in zip(naive.records(table), ends, strict=True):
        so_far = scores[:end]
        mean = sum(so_far) / end
        variance = sum((score - mean) ** 2 for score in so_far) / end
        assert row["rate"] == pytest.approx(mean)
        for side, (s0, s1) in zip("ab", test.questions, strict=False):
            llr = end * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance)
            assert row[f"llr_{side}"] == pytest.approx(llr)
        low, high = anytime_limits(mean, math.sqrt(variance), end, run.spec["pairs"])
        assert (row["lo"], row["hi"]) == (pytest.approx(float(low)), pytest.approx(float(high)))
        counts = Counter(so_far)
        assert row["verdict"] == VERDICTS[look(test, [counts[score] for score in (0, 0.25, 0.5, 0.75, 1)]).verdict]
    assert set(table["verdict"][:-1]) == {"undecided"}
    assert (table["verdict"].iloc[-1] == "undecided") == (run.summary["stopped_by"] == "pairs")
    assert table["llr_b"].isna().all() == (not test.mirrored)


def test_the_last_look_is_what_the_comparison_wrote(undecided: Run, one_sided: Run) -> None:
    for run in (undecided, one_sided):
        last = analysis.course(run).iloc[-1]
        llrs = [value for value in (last["llr_a"], last["llr_b"]) if not math.isnan(value)]
        assert llrs == pytest.approx(run.summary["llrs"])
        assert (last["look"], last["pairs"]) == (run.summary["looks"], run.summary["pairs"])
        assert [last["lo"], last["hi"]] == pytest.approx(run.summary["anytime_interval"])
        settings = run.summary["test"]
        bounds = settings["s0"], settings["s1"]
        assert asked(run) == make_test(settings["name"], bounds, settings["alpha"], settings["beta"])


def test_a_comparison_of_less_than_a_block_never_looked(tmp_path: Path) -> None:
    run = dice_comparison(tmp_path / "few", CLOSE, 100, name="gain")
    assert analysis.course(run).empty
    assert run.summary["looks"] == 0


def test_block_scores_count_the_pairs_in_their_order(race: Run) -> None:
    rows = naive.matches(race.path)
    for (a, b), blocks in block_scores(race).items():
        scores = scores_of(rows, a, b)
        assert len(blocks) == -(-len(scores) // 256)
        for place, block in enumerate(blocks):
            counts = Counter(scores[256 * place : 256 * (place + 1)])
            assert list(block) == [counts[score] for score in (0, 0.25, 0.5, 0.75, 1)]


def test_a_part_that_was_played_again_counts_once_as_last_written(undecided: Run, tmp_path: Path) -> None:
    folder = tmp_path / "again"
    shutil.copytree(undecided.path, folder)
    lines = (folder / "parts.jsonl").read_text().splitlines()
    torn = {**json.loads(lines[-1]), "block_scores": [[1, 0, 0, 0, 0]]}
    (folder / "parts.jsonl").write_text("\n".join([json.dumps(torn), *lines]) + "\n")
    pairing = ("greedy", "simple")
    assert np.array_equal(block_scores(load_run(folder))[pairing], block_scores(undecided)[pairing])


def test_settings_are_means_over_the_opponents(race: Run) -> None:
    rows, table = naive.matches(race.path), analysis.settings(race)
    assert list(table["value_knock_at"]) == list(table["setting"]) == ["2", "9", "10"]
    assert table["dropped"].any()
    for row in naive.records(table):
        own = [naive.pairing(rows, row["player"], other) for other in ("simple", "greedy")]
        both = pd.concat(own)
        assert row["matches_won"] == pytest.approx(np.mean([part["win_a"].mean() for part in own]))
        assert row["lo"] < row["matches_won"] < row["hi"]
        assert [len(part) for part in own] == [2 * row["pairs"]] * 2
        assert row["deals_won"] == pytest.approx(both["deals_won_a"].sum() / both["deals_scored"].sum())
        assert row["points_per_deal"] == pytest.approx(both["deal_points_a"].sum() / both["deals_won_a"].sum())
        net = both["deal_points_a"].astype(float) - both["deal_points_b"]
        assert row["net_points"] == pytest.approx(net.mean())
        assert row["dropped"] == (row["player"] in race.manifest["dropped"])
    best = table[table["best"]].iloc[0]
    for row in naive.records(table):
        behind = math.nan if row["dropped"] else best["matches_won"] - row["matches_won"]
        assert row["behind"] == pytest.approx(behind, nan_ok=True)


def test_settings_that_met_each_other_are_named_as_in_the_pairings(each_other: Run) -> None:
    rows, table = naive.matches(each_other.path), analysis.settings(each_other)
    assert list(table["player"]) == [f"threshold:knock_at={n}" for n in (8, 9, 10)]
    for row in naive.records(table):
        as_a, as_b = (rows[rows[side] == row["player"]].groupby(["a", "b"]) for side in "ab")
        won = [*as_a["win_a"].mean(), *as_b["win_b"].mean()]
        assert len(won) == 2
        assert row["matches_won"] == pytest.approx(np.mean(won))


def test_the_rated_are_ordered_with_their_shares(field: Run) -> None:
    rows, table = naive.matches(field.path), analysis.rated(field)
    assert list(table["rating"]) == sorted(table["rating"], reverse=True)
    assert dict(zip(table["player"], table["unbounded"], strict=True)) == {
        "greedy": "",
        "simple": "",
        "random": "lost all",
    }
    for row in naive.records(table):
        as_a, as_b = rows[rows["a"] == row["player"]], rows[rows["b"] == row["player"]]
        won = [*as_a.groupby("b")["win_a"].mean(), *as_b.groupby("a")["win_b"].mean()]
        assert row["matches_won"] == pytest.approx(np.mean(won))
        deals = as_a["deals_won_a"].sum() + as_b["deals_won_b"].sum()
        assert row["deals_won"] == pytest.approx(deals / (as_a["deals_scored"].sum() + as_b["deals_scored"].sum()))
        points = as_a["deal_points_a"].sum() + as_b["deal_points_b"].sum()
        assert row["points_per_deal"] == pytest.approx(points / deals if deals else math.nan, nan_ok=True)
    last = table.iloc[-1]
    assert last["exploitability"] == pytest.approx(0.5)
    assert last["beats"] == ()
    assert table["mix"].sum() == pytest.approx(1)


def test_the_measures_of_a_comparison_are_its_endpoints(undecided: Run) -> None:
    table = analysis.measured(undecided).set_index("endpoint")
    shares = analysis.endpoints(undecided).set_index("endpoint")
    for name, other in (("matches", "matches won"), ("column 2", "column 2"), ("deals won", "deals won")):
        assert table["estimate"][name] == pytest.approx(shares["share"][other])
        assert table["lo"][name] == pytest.approx(shares["lo"][other], abs=2e-3)
    rows = naive.matches(undecided.path)
    net = rows["deal_points_a"].astype(float) - rows["deal_points_b"]
    assert table["estimate"]["deal points"] == pytest.approx(net.mean())
    assert table["estimate"]["settled points"] == pytest.approx(rows["settlement"].mean())


def test_other_runs_have_no_such_tables(undecided: Run, field: Run, three: Run) -> None:
    for table in (analysis.settings, analysis.rated, analysis.measured, analysis.course):
        with pytest.raises(RunError, match="not a "):
            table(three)
    with pytest.raises(RunError, match="not a finished sweep"):
        analysis.settings(field)
    with pytest.raises(RunError, match="not a comparison"):
        analysis.course(field)
    with pytest.raises(RunError, match="keeps no scores of its blocks"):
        block_scores(three)
    with pytest.raises(RunError, match="not a finished tournament"):
        analysis.rated(undecided)
