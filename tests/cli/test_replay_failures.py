"""`hollywood replay` where something is missing, broken or played against the rules."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from strategies.registry import bind
from tests.cli.conftest import Hollywood
from tests.cli.test_replay_command import make_run, refused
from tests.support.strategy_files import BAD_HABITS, write_bad_player, write_player
from tests.support.strategy_runs import manifest

BAD_LINE = '{"a": "greedy", "b": "random", "first_pair": "x", "pairs": 3}'
FREE = ("replay", "--seed", "5", "--pair", "0")


# --- what is not there


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["replay"], "RUN"),
        (["replay", "run"], "--pair"),
        (["replay", "run", "--pair", "-1"], "--pair"),
        (["replay", "run", "--pair", "one"], "--pair"),
        (["replay", "run", "--pair", "3"], "its pairs are 0 to 2"),
        (["replay", "run", "--pair", "0", "--leg", "2"], "its legs are 0 to 1"),
        (["replay", "run", "--pair", "0", "--leg", "6"], "--leg"),
        (["replay", "run", "--pair", "0", "--deal", "999"], "has no deal 999"),
        (["replay", "run", "--pair", "0", "--leg", "1", "--deal", "999"], "leg 1 of pair 0 has no deal 999"),
        (["replay", "run", "--pair", "0", "--rules", "gin"], "--seed"),
        (["replay", "run", "--pair", "0", "--set", "target=50"], "--seed"),
        (["replay", "run", "greedy", "--pair", "0"], "greedy random"),
        (["replay", "nowhere", "--pair", "0"], "nowhere"),
        (["replay", ".", "--pair", "0"], "spec.toml"),
        (["replay", "run/spec.toml", "--pair", "0"], "run/spec.toml"),
        (["replay", "greedy", "random", "--pair", "0"], "--seed"),
        ([*FREE, "greedy"], "two players"),
        ([*FREE, "greedy", "simple", "random"], "two players"),
        ([*FREE, "greedy", "simple", "--rules", "three-handed"], "three players"),
        ([*FREE, "greedy/simple", "random"], "greedy/simple"),
        ([*FREE, "greedy", "thresold"], 'Did you mean "threshold"?'),
        ([*FREE, "greedy", "./nowhere.py"], '"./nowhere.py"'),
        ([*FREE, "greedy", "simple", "--rules", "hollywod"], '"hollywod"'),
        ([*FREE, "greedy", "simple", "--set", "target=0"], '"target"'),
        (["replay", "--seed", "-1", "--pair", "0", "greedy", "simple"], "--seed"),
        (["replay", "--seed", str(2**64), "--pair", "0", "greedy", "simple"], "--seed"),
        (["replay", "--seed", "5", "--pair", str(2**32), "greedy", "simple"], str(2**32)),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_there_is_not_is_named(arguments: list[str], named: str, hollywood: Hollywood) -> None:
    make_run(hollywood)
    refused(hollywood(*arguments), 2, named)


def test_largest_seed_and_pair_are_played(hollywood: Hollywood) -> None:
    seed, pair = 2**64 - 1, 2**32 - 1
    told = hollywood("replay", "--seed", str(seed), "--pair", str(pair), "greedy", "simple", "--json").json()
    assert (told["seed"], told["pair"]) == (seed, pair)
    assert all(match["match_winner"] for match in told["matches"])


def test_folder_that_lost_its_sources_is_refused(hollywood: Hollywood, tmp_path: Path) -> None:
    make_run(hollywood)
    shutil.rmtree(tmp_path / "run" / "strategies")
    refused(hollywood("replay", "run", "--pair", "0"), 2, "run/strategies")


@pytest.mark.parametrize("content", [b"", b"seed = \n", b"\xff"], ids=repr)
def test_broken_specification_is_refused_by_name(content: bytes, hollywood: Hollywood, tmp_path: Path) -> None:
    make_run(hollywood)
    (tmp_path / "run" / "spec.toml").write_bytes(content)
    refused(hollywood("replay", "run", "--pair", "0"), 2, "run/spec.toml")


@pytest.mark.parametrize("content", [None, b"", b"PAR1"], ids=repr)
def test_part_file_that_cannot_be_read_fails_by_name(
    content: bytes | None, hollywood: Hollywood, tmp_path: Path
) -> None:
    make_run(hollywood)
    file = tmp_path / "run" / "matches" / "part-000000.parquet"
    file.unlink() if content is None else file.write_bytes(content)
    refused(hollywood("replay", "run", "--pair", "0"), 1, "run/matches/part-000000.parquet")


@pytest.mark.parametrize("line", ["[]", "5", "not a line", '{"part": 0}', BAD_LINE])
def test_line_that_is_no_part_fails_by_name_and_number(line: str, hollywood: Hollywood, tmp_path: Path) -> None:
    make_run(hollywood)
    lines = tmp_path / "run" / "parts.jsonl"
    lines.write_text(f"{line}\n", encoding="utf-8")
    refused(hollywood("replay", "run", "--pair", "0"), 1, "run/parts.jsonl:1")


# --- the run's own copy of a strategy


@pytest.mark.parametrize("change", ["edited", "broken", "deleted", "helper deleted"])
def test_strategy_that_changed_after_the_run_plays_as_it_did(change: str, hollywood: Hollywood, tmp_path: Path) -> None:
    knock = "return view.deadwood <= replay_limit.LIMIT"
    path, helper = (
        write_player(tmp_path, "mine", imports="import replay_limit", knock=knock),
        tmp_path / "replay_limit.py",
    )
    helper.write_text("LIMIT = 4\n", encoding="utf-8")
    assert (
        hollywood("simulate", "./mine.py:knob=3", "greedy", "--pairs", "2", "--detail", "deals", "--out", "run").code
        == 0
    )
    before = hollywood("replay", "run", "--pair", "1", "--json").json()
    assert before["equals_stored"] is True
    if change == "edited":
        helper.write_text("LIMIT = 0\n", encoding="utf-8")
        path.write_text(path.read_text(encoding="utf-8").replace("best_discards", "hand"), encoding="utf-8")
    elif change == "broken":
        path.write_text("def f(:\n", encoding="utf-8")
    else:
        (path if change == "deleted" else helper).unlink()
    bind.cache_clear()
    assert hollywood("replay", "run", "--pair", "1", "--json").json() == before


# --- players who break the rules

TOLD = {
    "throws a card it does not hold": "which it does not hold",
    "throws a number that is no card": "card number 99",
    "throws the card it has just taken": "had just taken from the pile",
    "knocks over the limit": "leaves more than 10 points",
    "raises an exception": "ValueError: what now?",
    "never knocks": "never finish a match",
}


@pytest.mark.parametrize("habit", [habit for habit in BAD_HABITS if habit != "never knocks"])
@pytest.mark.parametrize("preset", ["hollywood", "partnership", "three-handed"])
def test_deal_is_shown_up_to_where_a_player_broke_off(
    preset: str, habit: str, hollywood: Hollywood, tmp_path: Path
) -> None:
    write_bad_player(tmp_path, "rogue", habit)
    players = ["greedy", "./rogue.py"] if preset != "three-handed" else ["greedy", "simple", "./rogue.py"]
    said = hollywood(*FREE, *players, "--rules", preset)
    lines = said.out.splitlines()
    assert said.code == 0
    assert any("broken off" in line and TOLD[habit] in line for line in lines)
    assert [line for line in lines if len(line) > 80] == []
    told = hollywood(*FREE, *players, "--rules", preset, "--json").json()
    last = told["matches"][-1]
    assert (last["deals_played"], last["match_winner"]) == (None, None)
    *whole, broken = last["deals"]
    assert TOLD[habit] in broken["broken_off"]
    assert "points" not in broken
    assert all("points" in deal for deal in whole)
    if habit != "raises an exception":
        table = broken["table"] if preset == "partnership" else ""
        (rogue,) = (side for side, name in told["sides"].items() if "rogue" in name)
        assert broken["broken_off"].startswith(f"{rogue}{table}: it ")
        assert not broken["turns"] or broken["turns"][-1]["side"] != rogue


def test_match_that_never_ends_is_broken_off(hollywood: Hollywood, tmp_path: Path) -> None:
    write_bad_player(tmp_path, "rogue", "never knocks")
    told = hollywood(*FREE, "./rogue.py", "./rogue.py", "--deal", "9999", "--json").json()
    (match,) = told["matches"]
    assert TOLD["never knocks"] in match["deals"][0]["broken_off"]


def test_failed_run_is_replayed_up_to_the_illegal_move(hollywood: Hollywood, tmp_path: Path) -> None:
    write_bad_player(tmp_path, "rogue", "throws a number that is no card")
    said = hollywood("simulate", "greedy", "./rogue.py", "--pairs", "2", "--seed", "5", "--out", "run", "--quiet")
    assert said.code == 1
    assert manifest(tmp_path / "run")["status"] == "failed"
    told = hollywood("replay", "run", "--pair", "0", "--json").json()
    assert told["equals_stored"] is None
    assert told["matches"] == hollywood(*FREE, "greedy", "./rogue.py", "--json").json()["matches"]
