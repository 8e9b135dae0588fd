"""`hollywood simulate`: what it prints, what it keeps, and that both agree."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

from sim.rows import TIE
from strategies.registry import MODULES, WRAPPERS, parse_spec, strategy_of
from tests.cli.conftest import Hollywood
from tests.support.strategy_files import write_player
from tests.support.strategy_runs import columns, files_in, manifest, part_lines

TOLD = {"run", "seed", "pairs", "deals", "seconds", "deals_per_second", "pairings"}
PAIRING = {"a", "b", "match_win_rate", "interval", "deals_per_match"}


def test_json_has_the_fields_that_scripts_use(hollywood: Hollywood, tmp_path: Path) -> None:
    told = hollywood("simulate", "greedy", "simple", "--pairs", "200", "--seed", "7", "--out", "run", "--json").json()
    assert told.keys() >= TOLD
    (pairing,) = told["pairings"]
    assert pairing.keys() >= PAIRING
    assert (told["run"], told["seed"], told["pairs"]) == ("run", 7, 200)
    assert (pairing["a"], pairing["b"]) == ("greedy", "simple")
    low, high = pairing["interval"]
    assert 0 <= low < pairing["match_win_rate"] < high <= 1
    assert told["seconds"] > 0
    assert told["deals_per_second"] == pytest.approx(told["deals"] / told["seconds"], rel=0.2)
    assert json.loads((tmp_path / "run" / "summary.json").read_text(encoding="utf-8")) == told


def test_numbers_are_those_of_the_files(hollywood: Hollywood, tmp_path: Path) -> None:
    told = hollywood("simulate", "greedy", "random", "--pairs", "100", "--seed", "7", "--out", "run", "--json").json()
    rows = columns(tmp_path / "run" / "matches" / "part-000000.parquet")
    won = sum((winner == 0) + (winner == TIE) / 2 for winner in rows["match_winner"])
    assert told["pairings"][0]["match_win_rate"] == pytest.approx(won / 200)
    assert told["deals"] == sum(rows["deals_played"])
    assert told["pairings"][0]["deals_per_match"] == pytest.approx(told["deals"] / 200)


def test_ties_count_half(hollywood: Hollywood, tmp_path: Path) -> None:
    rules = ("--set", "match_winner=total", "--set", "target=1")
    told = hollywood(
        "simulate", "simple", "greedy", "--pairs", "3000", "--seed", "1", *rules, "--out", "r", "--json"
    ).json()
    winners = columns(tmp_path / "r" / "matches" / "part-000000.parquet")["match_winner"]
    assert TIE in winners
    share = sum({0: 1, TIE: 0.5}.get(winner, 0) for winner in winners) / len(winners)
    assert told["pairings"][0]["match_win_rate"] == pytest.approx(share)


def test_same_seed_gives_the_same_numbers_with_any_threads(hollywood: Hollywood) -> None:
    pairings = []
    for threads in ("1", "2"):
        command = f"simulate greedy simple --pairs 300 --seed 3 --threads {threads} --out run{threads} --json"
        pairings.append(hollywood(*command.split()).json()["pairings"])
    assert pairings[0] == pairings[1]


def test_random_seed_is_told_and_kept(hollywood: Hollywood, tmp_path: Path) -> None:
    seeds = set()
    for out in ("one", "two"):
        told = hollywood("simulate", "greedy", "simple", "--pairs", "2", "--out", out, "--json").json()
        spec = tomllib.loads((tmp_path / out / "spec.toml").read_text(encoding="utf-8"))
        assert spec["seed"] == told["seed"]
        seeds.add(told["seed"])
    assert len(seeds) == 2


@pytest.mark.parametrize("seed", [0, 2**63, 2**64 - 1])
def test_every_seed_that_is_allowed_can_be_kept(seed: int, hollywood: Hollywood, tmp_path: Path) -> None:
    told = hollywood("simulate", "greedy", "simple", "--pairs", "1", "--seed", str(seed), "--out", "r", "--json").json()
    assert told["seed"] == seed
    assert tomllib.loads((tmp_path / "r" / "spec.toml").read_text(encoding="utf-8"))["seed"] == seed


def test_run_folder_has_a_name_of_its_own_by_default(hollywood: Hollywood, tmp_path: Path) -> None:
    runs = {
        hollywood("simulate", "greedy", second, "--pairs", "2", "--json").json()["run"]
        for second in ("simple", "threshold:knock_at=4")
    }
    assert len(runs) == 2
    for run in runs:
        folder = tmp_path / run
        assert folder.parent == tmp_path / "runs"
        assert manifest(folder)["status"] == "complete"
        assert manifest(folder)["run_id"] == folder.name


def test_more_than_two_players_play_a_round_robin(hollywood: Hollywood, tmp_path: Path) -> None:
    players = ("greedy", "simple", "random", "threshold:knock_at=2")
    told = hollywood("simulate", *players, "--pairs", "20", "--out", "run", "--json").json()
    met = [(p["a"], p["b"]) for p in told["pairings"]]
    assert met == [(a, b) for place, a in enumerate(players) for b in players[place + 1 :]]
    assert [(line["a"], line["b"]) for line in part_lines(tmp_path / "run")] == met
    assert told["deals"] == sum(line["deals_played"] for line in part_lines(tmp_path / "run"))


def test_player_named_twice_does_not_make_an_interval_narrower(hollywood: Hollywood) -> None:
    once = hollywood("simulate", "greedy", "simple", "--pairs", "50", "--seed", "1", "--out", "a", "--json").json()
    twice = ("greedy", "greedy", "simple", "simple")
    said = hollywood("simulate", *twice, "--pairs", "50", "--seed", "1", "--out", "b", "--json")
    if said.code == 2:  # refusing it is an answer, too
        return
    (same,) = [p for p in said.json()["pairings"] if (p["a"], p["b"]) == ("greedy", "simple")]
    assert same["interval"] == once["pairings"][0]["interval"]


@pytest.mark.parametrize("deals", [2_000, 20_000])
def test_number_of_deals_is_met_about_and_the_pairs_are_told(deals: int, hollywood: Hollywood, tmp_path: Path) -> None:
    told = hollywood(
        "simulate", "gin-only", "greedy", "--deals", str(deals), "--seed", "1", "--out", "r", "--json"
    ).json()
    assert told["deals"] == pytest.approx(deals, rel=0.1)
    spec = tomllib.loads((tmp_path / "r" / "spec.toml").read_text(encoding="utf-8"))
    assert spec["pairs"] == told["pairs"]


@pytest.mark.parametrize("detail", ["matches", "deals"])
def test_detail_says_which_rows_are_kept(detail: str, hollywood: Hollywood, tmp_path: Path) -> None:
    hollywood("simulate", "greedy", "simple", "--pairs", "2", "--detail", detail, "--out", "run")
    tables = {name.split("/")[0] for name in files_in(tmp_path / "run") if name.endswith(".parquet")}
    assert tables == {"matches", detail}


def test_rules_of_a_run_are_those_that_were_asked_for(hollywood: Hollywood, tmp_path: Path) -> None:
    options = ("--rules", "eaai", "--set", "gin_bonus=20", "--set", "big_gin=31")
    said = hollywood("simulate", "greedy", "simple", "--pairs", "2", "--seed", "9", *options, "--out", "run")
    rules = tomllib.loads((tmp_path / "run" / "spec.toml").read_text(encoding="utf-8"))["rules"]
    assert (rules["columns"], rules["undercut_bonus"], rules["gin_bonus"], rules["big_gin"]) == (1, 25, 20, 31)
    assert "rules  eaai gin_bonus=20 big_gin=31, seed 9" in said.out


def test_text_tells_the_verdict_first_and_what_to_do_next(hollywood: Hollywood) -> None:
    said = hollywood("simulate", "greedy", "random", "--pairs", "50", "--seed", "1", "--out", "run")
    lines = said.out.splitlines()
    assert lines[0] == "greedy v random"
    assert "greedy wins 100.0%" in lines[1]
    assert lines[-2:] == ["  saved  run", "  next   hollywood report run"]
    assert max(map(len, lines)) <= 80
    undecided = hollywood("simulate", "greedy", "threshold:knock_at=10", "--pairs", "2", "--seed", "1", "--out", "b")
    assert undecided.out.splitlines()[1].startswith("  undecided: ")


def test_file_plays_with_parameters_and_its_source_is_kept(hollywood: Hollywood, tmp_path: Path) -> None:
    path = write_player(tmp_path, "my_bot", knock="return view.deadwood <= p.knob")
    told = hollywood("simulate", "greedy", "./my_bot.py:knob=3", "--pairs", "5", "--out", "run", "--json").json()
    assert told["pairings"][0]["b"] == "./my_bot.py:knob=3"
    (kept,) = (tmp_path / "run" / "strategies").glob("*/my_bot.py")
    assert kept.read_text(encoding="utf-8") == path.read_text(encoding="utf-8")


# --- strategies


def test_strategies_list_names_each_with_summary_source_and_speed(hollywood: Hollywood) -> None:
    said = hollywood("strategies", "list")
    lines = said.out.splitlines()
    assert said.code == 0
    assert all(len(line) <= 80 for line in lines)
    entries = {line.split()[0]: place for place, line in enumerate(lines) if not line.startswith(" ")}
    assert list(entries) == [*MODULES, *(f"+{name}" for name in WRAPPERS)]
    for name in MODULES:
        end = next((place for place in entries.values() if place > entries[name]), len(lines))
        words = " ".join(" ".join(lines[entries[name] : end]).split())
        player = strategy_of(parse_spec(name))
        assert re.fullmatch(rf"{name} [0-9.]+[kM]/s {re.escape(f'{player.summary} [{player.source}]')}", words)


def test_strategies_show_tells_how_one_plays(hollywood: Hollywood, tmp_path: Path) -> None:
    said = hollywood("strategies", "show", "threshold")
    assert said.code == 0
    for words in ("knocks at a chosen deadwood", "knock_at=5", "0:10 points", "source", "version"):
        assert words in said.out
    path = write_player(tmp_path, "my_bot")
    for spec in ("./my_bot.py", "./my_bot.py:knob=3", str(path)):
        shown = hollywood("strategies", "show", spec)
        assert shown.code == 0
        assert "A player made for a test." in shown.out
        assert "a number to turn" in shown.out
