"""`hollywood tournament`: what it prints, keeps and refuses, and that it can be played again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.cli.conftest import Hollywood
from tests.cli.test_sweep import again, assert_narrow, numbers, strict
from tests.support.strategy_files import write_player
from tests.support.strategy_runs import manifest

FOUR = ("tournament", "threshold:knock_at=2", "greedy", "random", "simple", "--seed", "3")
MANY = [f"threshold:knock_at={k}" for k in range(9)]
STANDING = {"player", "rank", "rating", "rating_interval", "match_win_rate", "beats", "undecided_with"}
STANDING |= {"mix", "exploitability", "exploiter", "deal_win_rate", "points_per_deal_won", "net_points_per_match"}


def kept(folder: str) -> dict[str, Any]:
    """Read the summary of a run."""
    found: dict[str, Any] = strict(Path(folder, "summary.json").read_text(encoding="utf-8"))
    return found


def row_of(text: str, player: str) -> str:
    """Return a player's row of the standings."""
    return next(line for line in text.splitlines() if player in line.split()[1:2])


def ranked_rows(text: str) -> list[str]:
    """Return the rows of the standings, which have a ± each."""
    return [line for line in text.splitlines() if "±" in line and line.split()[0].isdigit()]


def matrix_of(text: str) -> list[list[str]]:
    """Return the cells of the matrix, in the order of the ranks."""
    lines = text[text.index("% of matches won against") :].splitlines()
    ranks = len(lines[0].split()) - 5
    return [line.split()[2:] for line in lines[1 : ranks + 1]]


def test_json_is_complete_and_the_same_in_the_run(hollywood: Hollywood) -> None:
    told = strict(hollywood(*FOUR, "--pairs", "300", "--out", "run", "--json").out)
    assert told == kept("run")
    assert (told["run"], told["seed"], told["pairs"], told["rules"]) == ("run", 3, 300, "hollywood")
    assert len(told["pairings"]) == 6
    assert set(told["lost_all"]) <= {"random"}
    for standing in told["standings"]:
        assert standing.keys() == STANDING
        low, high = standing["rating_interval"]
        assert low < standing["rating"] < high
    win_rates = np.array(told["win_rates"])
    assert win_rates + win_rates.T == pytest.approx(np.ones((4, 4)))
    sure = np.array(told["superiority"])
    assert sure + sure.T == pytest.approx(np.ones((4, 4)))
    assert told["first_mover"]["interval"][0] < told["first_mover"]["estimate"] < told["first_mover"]["interval"][1]
    assert manifest(Path("run"))["status"] == "complete"


@pytest.mark.parametrize("pairs", ["1", "2", "20"])
@pytest.mark.parametrize("more", [(), ("--gauntlet",)])
def test_json_has_numbers_only_whatever_the_size(more: tuple[str, ...], pairs: str, hollywood: Hollywood) -> None:
    told = strict(hollywood(*FOUR, "--pairs", pairs, *more, "--json").out)
    holes = [value is None for row in told["win_rates"] for value in row]
    assert any(holes) == bool(more)
    assert told["pairs"] == int(pairs)


def test_text_tells_who_is_best_and_agrees_with_the_json(hollywood: Hollywood) -> None:
    said = hollywood(*FOUR, "--pairs", "1000", "--out", "run")
    told, lines = kept("run"), said.out.splitlines()
    first = told["standings"][0]
    assert len(first["beats"]) == 3
    assert lines[0] == f"{first['player']} is best: it beats all 3, each with more than 99% confidence."
    for standing in told["standings"]:
        cells = row_of(said.out, standing["player"]).split()
        assert cells[:2] == [str(standing["rank"]), standing["player"]]
        assert float(cells[2]) == round(standing["rating"])
        low, high = standing["rating_interval"]
        assert (high - low) / 2 <= int(cells[3].strip("±")) < (high - low) / 2 + 1
        assert cells[4:6] == [f"{100 * standing[name]:.1f}%" for name in ("match_win_rate", "deal_win_rate")]
        assert cells[6:8] == [f"{standing['points_per_deal_won']:.1f}", "-"]
    assert f"{6 * 1000:,} pairs · {told['deals']:,} deals" in said.out
    assert f"moving first wins {100 * told['first_mover']['estimate']:.1f}% ±" in said.out
    assert lines[-2:] == ["  saved  run", "  next   hollywood report run"]
    assert_narrow(said.out)


def test_a_side_that_the_rules_make_move_first_is_not_taken_for_a_gain_of_moving_first(hollywood: Hollywood) -> None:
    assert "moving first" not in hollywood(*FOUR, "--pairs", "2", "--set", "first_dealer=a").out


def test_matrix_marks_the_pairings_that_are_not_sure(hollywood: Hollywood) -> None:
    said = hollywood(*FOUR, "--pairs", "60", "--out", "run")
    told, marks = kept("run"), 0
    for row, cells in enumerate(matrix_of(said.out)):
        assert len(cells) == 4
        for column, cell in enumerate(cells):
            if row == column:
                assert cell == "."
                continue
            sure = told["superiority"][row][column]
            assert cell.endswith("?") == (0.01 <= sure <= 0.99)
            assert float(cell.strip("?")) == pytest.approx(100 * told["win_rates"][row][column], abs=0.0501)
            marks += cell.endswith("?")
    assert marks
    assert "? who is stronger is not 99% sure" in said.out


def test_undecided_players_are_named_in_both_rows(hollywood: Hollywood) -> None:
    said = hollywood(*FOUR, "--pairs", "10", "--out", "run")
    told = kept("run")["standings"]
    assert any(standing["undecided_with"] for standing in told)
    for standing in told:
        last = row_of(said.out, standing["player"]).split("  ")[-1].strip()
        more = len(standing["undecided_with"]) - 1
        assert last.endswith(f" +{more}") == (more > 0)
        assert (last == "-") == (more < 0)
    first = told[0]
    assert f"it beats {len(first['beats'])} of 3, undecided with {len(first['undecided_with'])}." in said.out


def test_gauntlet_tells_of_the_first_and_of_no_equilibrium(hollywood: Hollywood) -> None:
    said = hollywood(*FOUR, "--pairs", "300", "--gauntlet", "--out", "run")
    runner = next(s for s in kept("run")["standings"] if s["player"] == "threshold:knock_at=2")
    lost = 3 - len(runner["beats"]) - len(runner["undecided_with"])
    assert said.out.startswith(f"threshold:knock_at=2 beats {len(runner['beats'])} of 3, loses to {lost}")
    assert "no equilibrium: not everyone met everyone" in said.out
    cells = matrix_of(said.out)
    assert sum(cell == "-" for row in cells for cell in row) == 6
    assert kept("run")["deals"] == sum(round(2 * 300 * p["deals_per_match"]) for p in kept("run")["pairings"])
    assert len(kept("run")["pairings"]) == 3
    assert_narrow(said.out)


def test_player_who_loses_every_match_is_said_to(hollywood: Hollywood) -> None:
    said = hollywood("tournament", "random", "simple", "greedy", "--gauntlet", "--pairs", "30", "--seed", "1")
    words = " ".join(said.out.split())
    assert "random lost every match: the rating says only that." in words
    assert "simple, greedy won every match: the rating says only that." in words
    assert said.out.startswith("random beats 0 of 2, loses to 2.")


@pytest.mark.parametrize(
    "words",
    [
        ("--gauntlet", "--pairs", "20"),
        ("--pairs", "20", "--rules", "hollywood-003", "--set", "gin_bonus=20", "--set", "big_gin=31"),
        ("--pairs", "300", "--rules", "partnership"),
    ],
)
def test_command_to_play_it_again_gives_the_same_numbers(words: tuple[str, ...], hollywood: Hollywood) -> None:
    said = hollywood(*FOUR, *words, "--out", "one")
    assert_narrow(said.out)
    second = hollywood(*again(said.out), "--json", "--out", "two").json()
    assert numbers(second) == numbers(kept("one"))
    assert Path("one/spec.toml").read_bytes() == Path("two/spec.toml").read_bytes()


def test_players_from_files_play_again(hollywood: Hollywood, tmp_path: Path) -> None:
    write_player(tmp_path / "my bots", "my_bot", knock="return view.deadwood <= p.knob")
    players = ("my bots/my_bot.py", "my bots/my_bot.py:knob=9,slope=-0.25", "greedy")
    said = hollywood("tournament", *players, "--pairs", "10", "--out", "one")
    assert said.code == 0, said.err
    assert numbers(hollywood(*again(said.out), "--json").json()) == numbers(kept("one"))


@pytest.mark.parametrize("count", [8, 9])
def test_nine_players_fit_with_their_matrix(count: int, hollywood: Hollywood) -> None:
    said = hollywood("tournament", *MANY[:count], "--pairs", "3", "--seed", "1")
    assert_narrow(said.out)
    assert [len(row) for row in matrix_of(said.out)] == [count] * count


def test_many_players_fit_in_80_columns(hollywood: Hollywood) -> None:
    players = [*MANY, "greedy", "simple", "gin-only", "random", "threshold-by-columns:open0=4,open1=2,open2=8"]
    said = hollywood("tournament", *players, "--pairs", "2", "--seed", "1", "--out", "run")
    told = kept("run")
    assert max(len(standing["undecided_with"]) for standing in told["standings"]) == 13
    assert_narrow(said.out)
    assert "14 players are too many to show here; --json has it" in said.out
    assert np.shape(told["win_rates"]) == (14, 14)
    assert [line.split()[0] for line in ranked_rows(said.out)] == [str(rank) for rank in range(1, 15)]


def test_ratings_of_four_digits_keep_the_table_straight(hollywood: Hollywood) -> None:
    said = hollywood("tournament", "random", "simple", "threshold:knock_at=9", "--pairs", "4000", "--seed", "1")
    rows = ranked_rows(said.out)
    assert min(float(row.split()[2]) for row in rows) <= -1000
    assert len({row.index("±") for row in rows}) == 1
    assert len({row.index("%") for row in rows}) == 1
    assert_narrow(said.out)


@pytest.mark.parametrize("more", [(), ("--gauntlet",)])
def test_run_can_be_reported(more: tuple[str, ...], hollywood: Hollywood) -> None:
    said = hollywood("tournament", "greedy", "simple", "gin-only", "--pairs", "40", "--seed", "1", *more)
    assert said.code == 0
    reported = hollywood("report", "last")
    assert reported.code == 0, reported.err
    (page,) = Path("runs").glob("*/report.html")
    text = page.read_text(encoding="utf-8")
    assert all(player in text for player in ("greedy", "simple", "gin-only"))


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "Missing argument"),
        (("greedy",), "at least three strategies"),
        (("greedy", "simple"), "for two: hollywood compare A B"),
        (("greedy", "simple", "greedy"), '"greedy" and "greedy" are the same player'),
        (("threshold", "simple", "threshold:knock_at=5"), "are the same player"),
        (("greedy", "simple", "nobody"), 'no strategy "nobody"'),
        (("greedy", "simple", "random", "--pairs", "0"), "--pairs"),
        (("greedy", "simple", "random", "--rules", "three-handed"), "is between two sides"),
    ],
)
def test_what_cannot_be_played_is_refused_before_anything_is_written(
    words: tuple[str, ...], told: str, hollywood: Hollywood, tmp_path: Path
) -> None:
    said = hollywood("tournament", *words, "--out", "run")
    assert (said.code, said.out) == (2, "")
    assert told in said.err
    assert not (tmp_path / "run").exists()


def test_json_goes_to_stdout_alone(hollywood: Hollywood) -> None:
    said = hollywood(*FOUR, "--pairs", "2", "--json", "--quiet")
    assert json.loads(said.out)["pairs"] == 2
    assert said.err == ""
