"""`hollywood sweep`: what it prints, keeps and refuses, and that it can be played again."""

from __future__ import annotations

import json
import shlex
import signal
import time
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cli.texts import sweeps
from tests.cli.conftest import Hollywood
from tests.support.strategy_cli import finish, start
from tests.support.strategy_files import write_player
from tests.support.strategy_runs import manifest, part_lines

SMALL = ("sweep", "threshold", "--param", "knock_at=0:10:5", "--pairs", "40", "--seed", "7")
GRID = ("sweep", "threshold-by-turn", "--param", "early=6:8:2", "--param", "late=2:6:4", "--against", "random")
ARM = {"player", "values", "match_win_rate", "interval_all", "pairs", "dropped", "best", "plateau"}
SUMS = {"deal_win_rate", "points_per_deal_won", "net_points_per_match"}
TOLD = {"run", "seed", "pairs", "deals", "seconds", "deals_per_second", "rules", "against", "arms", "matrix"}


def strict(text: str) -> Any:
    """Read JSON as other programs do: without NaN and Infinity."""
    return json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))


def again(text: str) -> list[str]:
    """Return the words of the command that repeats what was played, as a shell reads it."""
    command = text.partition("  again  ")[2].partition("\n  saved")[0].replace("\\\n", "")
    words = shlex.split(command)
    assert words.pop(0) == "hollywood"
    return words


def numbers(told: dict[str, Any]) -> dict[str, Any]:
    """Return what was found, leaving out where and how fast."""
    return {name: told[name] for name in told if name not in ("run", "seconds", "deals_per_second")}


def assert_narrow(text: str) -> None:
    """Every line must fit in 80 columns."""
    assert [line for line in text.splitlines() if len(line) > 80] == []


def test_json_is_complete_and_the_same_in_the_run(hollywood: Hollywood, tmp_path: Path) -> None:
    told = strict(hollywood(*SMALL, "--out", "run", "--json").out)
    assert told.keys() == TOLD
    assert (told["run"], told["seed"], told["pairs"], told["against"]) == ("run", 7, 40, ["self"])
    assert [arm["values"] for arm in told["arms"]] == [{"knock_at": k} for k in ("0", "5", "10")]
    for arm in told["arms"]:
        assert arm.keys() == ARM | SUMS
        low, high = arm["interval_all"]
        assert 0 <= low <= arm["match_win_rate"] <= high <= 1
    assert sum(arm["best"] for arm in told["arms"]) == 1
    assert strict((tmp_path / "run" / "summary.json").read_text(encoding="utf-8")) == told
    assert tomllib.loads((tmp_path / "run" / "spec.toml").read_text(encoding="utf-8"))["seed"] == 7


@pytest.mark.parametrize("pairs", ["1", "2", "300"])
def test_json_has_numbers_only_whatever_the_size(pairs: str, hollywood: Hollywood) -> None:
    words = ("sweep", "threshold", "--param", "knock_at=0,10", "--against", "random", "--against", "threshold")
    told = strict(hollywood(*words, "--pairs", pairs, "--seed", "1", "--json").out)
    assert told["against"] == ["random", "threshold"]
    assert all(arm["pairs"] == int(pairs) for arm in told["arms"])


def test_matrix_is_antisymmetric_and_the_difference_of_the_shares(hollywood: Hollywood) -> None:
    told = hollywood(*SMALL, "--json").json()
    shares = np.array([arm["match_win_rate"] for arm in told["arms"]])
    mean, low, high = (np.array(told["matrix"][name]) for name in ("difference", "low", "high"))
    assert told["matrix"]["players"] == [arm["player"] for arm in told["arms"]]
    assert mean == pytest.approx(shares[:, None] - shares[None, :])
    assert mean == pytest.approx(-mean.T)
    assert low == pytest.approx(-high.T)
    assert ((low <= mean) & (mean <= high)).all()
    assert not np.diag(high).any()


def test_matrix_in_text_is_that_of_the_json(hollywood: Hollywood) -> None:
    told = hollywood(*SMALL, "--json").json()["matrix"]
    said = hollywood(*SMALL, "--matrix").out
    lines = said[said.index("row minus column") :].splitlines()
    assert lines[1].split() == ["0", "5", "10"]
    for place, line in enumerate(lines[2:5]):
        cells = line.split()[1:]
        assert cells[place] == "."
        for column, cell in enumerate(cells):
            if column != place:
                assert float(cell.strip("()")) == pytest.approx(100 * told["difference"][place][column], abs=0.05001)
                is_open = told["low"][place][column] <= 0 <= told["high"][place][column]
                assert cell.startswith("(") == is_open
    assert "row minus column" not in hollywood(*SMALL).out


@pytest.mark.parametrize(
    "words",
    [
        (*SMALL, "--rules", "hollywood-003", "--set", "gin_bonus=20", "--set", "big_gin=31"),
        (*SMALL, "--against", "simple", "--against", "greedy+on-schneid:k=2", "--no-racing"),
        (*GRID, "--pairs", "40"),
        (*SMALL, "--against", "field", "--rules", "partnership"),
    ],
)
def test_command_to_play_it_again_gives_the_same_numbers(words: tuple[str, ...], hollywood: Hollywood) -> None:
    said = hollywood(*words, "--out", "one")
    assert_narrow(said.out)
    first = json.loads(Path("one/summary.json").read_text(encoding="utf-8"))
    repeated = again(said.out)
    assert ("--no-racing" in repeated) == ("--no-racing" in words)
    second = hollywood(*repeated, "--json", "--out", "two").json()
    assert numbers(second) == numbers(first)
    assert Path("one/spec.toml").read_bytes() == Path("two/spec.toml").read_bytes()


def test_random_seed_is_told_so_that_it_can_be_played_again(hollywood: Hollywood) -> None:
    said = hollywood(*SMALL[:-2], "--out", "one")
    seed = tomllib.loads(Path("one/spec.toml").read_text(encoding="utf-8"))["seed"]
    assert f", seed {seed}\n" in said.out
    assert again(said.out)[-2:] == ["--seed", str(seed)]


def test_text_tells_the_best_first_and_what_to_do_next(hollywood: Hollywood) -> None:
    said = hollywood("sweep", "threshold", "--param", "knock_at=0:10:5", "--pairs", "2560", "--seed", "7", "--out", "r")
    told = json.loads(Path("r/summary.json").read_text(encoding="utf-8"))
    (best,) = (arm for arm in told["arms"] if arm["best"])
    lines = said.out.splitlines()
    share = f"{100 * best['match_win_rate']:.1f}%"
    assert lines[0] == f"Best is 10, with {share} of matches; no other setting is as good."
    assert lines[1].split() == ["knock_at", "matches", "for", "all", "3", "deals", "points", "40%", "65%"]
    rows = {line.lstrip("> ").split()[0]: line for line in lines[2:5]}
    for arm in told["arms"]:
        cells = rows[arm["values"]["knock_at"]].lstrip("> ").split()
        assert cells[1] == f"{100 * arm['match_win_rate']:.1f}%"
        assert float(cells[2].strip("±")) >= 50 * (arm["interval_all"][1] - arm["interval_all"][0])
        assert cells[3:5] == [f"{100 * arm['deal_win_rate']:.1f}%", f"{arm['points_per_deal_won']:.1f}"]
        assert rows[arm["values"]["knock_at"]].startswith(">") == arm["plateau"]
    assert f"against each other · {3 * 2560:,} pairs · {told['deals']:,} deals" in said.out
    assert lines[-2:] == ["  saved  r", "  next   hollywood report r"]
    assert_narrow(said.out)


def test_star_stands_under_the_scale_at_the_share(hollywood: Hollywood) -> None:
    lines = hollywood(*SMALL).out.splitlines()
    heading = next(line for line in lines if line.endswith("%") and "points" in line)
    end = len(heading)
    start_ = end - sweeps.PICTURE_WIDTH
    low, high = (float(text.strip("%")) for text in heading[start_:].split())
    for row in lines[lines.index(heading) + 1 :][:3]:
        share = float(row.lstrip("> ").split()[1].strip("%"))
        wanted = (share - low) / (high - low) * (sweeps.PICTURE_WIDTH - 1)
        assert abs(row.index("*") - start_ - wanted) <= 0.75
        if "|" in row:
            assert abs(row.index("|") - start_ - (50 - low) / (high - low) * (sweeps.PICTURE_WIDTH - 1)) <= 0.75


def test_scale_ends_at_all_matches_and_at_none(hollywood: Hollywood) -> None:
    for player, rival, ends in (("threshold", "random", ["45%", "100%"]), ("random", "threshold", ["0%", "55%"])):
        words = ("sweep", f"{player}+on-schneid", "--param", "on-schneid.k=1,2", "--against", rival, "--pairs", "20")
        (heading,) = (line for line in hollywood(*words).out.splitlines() if "points" in line and line.endswith("%"))
        assert heading.split()[-2:] == ends


def test_long_names_and_grids_stay_readable_in_80_columns(hollywood: Hollywood) -> None:
    params = [word for k in range(4) for word in ("--param", f"open{k}=0:{1 if k else 4}")]
    words = ("sweep", "threshold-by-columns", *params, "--against", "random", "--pairs", "1", "--seed", "1")
    said = hollywood(*words, "--matrix", "--out", "r")
    assert_narrow(said.out)
    told = json.loads(Path("r/summary.json").read_text(encoding="utf-8"))
    rows = [line.lstrip("> ").split()[0] for line in said.out.splitlines() if "%" in line and "±" in line]
    assert len(rows) == 40
    assert rows[: len(told["arms"])] == ["/".join(arm["values"].values()) for arm in told["arms"]]
    assert "setting: open0/open1/open2/open3." in " ".join(said.out.split())


def test_many_opponents_stay_in_80_columns(hollywood: Hollywood) -> None:
    rivals = ("simple", "greedy", "random", "gin-only", "threshold:knock_at=3", "threshold:knock_at=8", "threshold")
    words = [word for rival in rivals for word in ("--against", rival)]
    said = hollywood("sweep", "threshold", "--param", "knock_at=0:10", *words, "--pairs", "3", "--seed", "1")
    assert_narrow(said.out)
    assert ", ".join(rivals) in " ".join(said.out.split())


def test_setting_equal_to_the_opponent_shows_exactly_half(hollywood: Hollywood) -> None:
    said = hollywood("sweep", "threshold", "--param", "knock_at=5,6", "--against", "threshold", "--pairs", "20")
    (row,) = (line for line in said.out.splitlines() if line.lstrip("> ").startswith("5 "))
    assert row.lstrip("> ").split()[1:4] == ["50.0%", "±0.0", "50.0%"]


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play in parts of 64 pairs."""
    monkeypatch.setattr("sim.batch.plan.PART_PAIRS", 64)


@pytest.mark.usefixtures("small_parts")
def test_dropped_settings_are_marked_out_and_the_run_can_be_reported(hollywood: Hollywood) -> None:
    words = ["sweep", "threshold", "--param", "knock_at=2,9,10", "--against", "simple", "--against", "gin-only"]
    words += ["--pairs", "576", "--seed", "7"]
    said = hollywood(*words, "--matrix", "--out", "r")
    told = json.loads(Path("r/summary.json").read_text(encoding="utf-8"))
    out = [arm["values"]["knock_at"] for arm in told["arms"] if arm["dropped"]]
    assert out == ["2"]
    rows = {line.lstrip("> ").split()[0]: line for line in said.out.splitlines() if "%" in line and "±" in line}
    assert [name for name, row in rows.items() if " out " in row] == out
    assert "out: clearly worse than the leader, dropped." in " ".join(said.out.split())
    played = 2 * sum(arm["pairs"] for arm in told["arms"])
    assert f"against simple, gin-only · {played:,} pairs" in said.out
    assert played < 2 * 3 * 576
    assert_narrow(said.out)
    reported = hollywood("report", "r")
    assert reported.code == 0, reported.err
    page = Path("r/report.html").read_text(encoding="utf-8")
    assert "threshold:knock_at=2" in page
    repeated = hollywood(*again(said.out), "--json").json()
    assert numbers(repeated) == numbers(told)
    assert " out " not in hollywood(*words, "--no-racing").out


@pytest.mark.usefixtures("small_parts")
def test_race_that_ended_early_says_so(hollywood: Hollywood) -> None:
    words = ("sweep", "threshold", "--param", "knock_at=2,10", "--against", "simple", "--pairs", "6400", "--seed", "7")
    said = hollywood(*words, "--matrix", "--out", "r")
    pairs = part_lines(Path("r"))[-1]["first_pair"] + 64
    assert f"The race ended at {pairs:,} pairs, with one setting left." in " ".join(said.out.split())
    assert said.out.startswith("Best is 10, with ")
    assert manifest(Path("r"))["dropped"] == ["threshold:knock_at=2"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("threshold",), "Missing option '--param'"),
        (("thresold", "--param", "knock_at=1:2"), 'Did you mean "threshold"?'),
        (("threshold", "--param", "knock=1:2"), 'no parameter "knock"; known: knock_at'),
        (("threshold", "--param", "knock_at=2:1"), "the range must rise"),
        (("threshold", "--param", "knock_at=0:3:inf"), "numbers are wanted"),
        (("threshold", "--param", "knock_at=0:99999999999"), "too many values"),
        (("threshold", "--param", "knock_at=1:2", "--pairs", "0"), "--pairs"),
        (("threshold", "--param", "knock_at=1:2", "--against", "nobody"), 'no strategy "nobody"'),
        (("threshold", "--param", "knock_at=1:2", "--against", ""), 'no strategy ""'),
        (("threshold", "--param", "knock_at=1:2", "--against", "self", "--against", "simple"), "stands alone"),
        (("threshold", "--param", "knock_at=1:2", "--rules", "three-handed"), "is between two sides"),
        (("threshold+on-schneid", "--param", "knock_at=1:2"), "threshold.knock_at or on-schneid.knock_at"),
        (("./nowhere.py", "--param", "knob=1:2"), "no strategy file"),
    ],
)
def test_what_cannot_be_played_is_refused_before_anything_is_written(
    words: tuple[str, ...], told: str, hollywood: Hollywood, tmp_path: Path
) -> None:
    said = hollywood("sweep", *words, "--out", "run")
    assert (said.code, said.out) == (2, "")
    assert told in said.err
    assert "unexpected" not in said.err
    assert not (tmp_path / "run").exists()
    if "three-handed" in words:
        assert len(said.err.splitlines()) == 1


def test_player_from_a_file_in_a_folder_with_spaces_is_played_again(hollywood: Hollywood, tmp_path: Path) -> None:
    write_player(tmp_path / "my bots", "my_bot", knock="return view.deadwood <= p.knob")
    words = ("sweep", "my bots/my_bot.py", "--param", "knob=0,10", "--param", "bold=yes,no", "--pairs", "5")
    said = hollywood(*words, "--out", "one")
    assert said.code == 0, said.err
    second = hollywood(*again(said.out), "--json").json()
    assert numbers(second) == numbers(json.loads(Path("one/summary.json").read_text(encoding="utf-8")))
    assert len(second["arms"]) == 4


def test_interrupted_sweep_keeps_its_finished_parts(tmp_path: Path) -> None:
    words = ("sweep", "threshold", "--param", "knock_at=8:10", "--against", "simple", "--pairs", "4000000")
    process = start([*words, "--out", "run"], tmp_path)
    deadline = time.monotonic() + 60
    lines = tmp_path / "run" / "parts.jsonl"
    while not (lines.exists() and lines.read_bytes().count(b"\n")):
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.05)
    said = finish(process, signal.SIGINT)
    assert (said.code, said.out) == (130, "")
    assert "Traceback" not in said.err
    assert "interrupted: the finished parts are kept in run" in said.err
    assert manifest(tmp_path / "run")["status"] == "interrupted"
    assert not (tmp_path / "run" / "summary.json").exists()
    for line in part_lines(tmp_path / "run"):
        assert (tmp_path / "run" / line["matches"]["file"]).is_file()
    reported = finish(start(["report", "run"], tmp_path))
    assert reported.code == 0, reported.err
