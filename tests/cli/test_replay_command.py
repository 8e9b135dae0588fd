"""`hollywood replay`: a pair told move by move and checked against what a run has stored."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sim.presets import PRESETS
from sim.rules import PARTNERSHIP, THREE_HANDED, TWO_HANDED
from tests.cli.conftest import Hollywood
from tests.support.strategy_cli import Said
from tests.support.strategy_files import write_player

PLAYERS = {
    TWO_HANDED: ["greedy", "random"],
    PARTNERSHIP: ["greedy/simple", "threshold:knock_at=0"],
    THREE_HANDED: ["greedy", "simple", "threshold:knock_at=3"],
}
TOP = {"rules", "options", "form", "seed", "pair", "sides", "equals_stored", "matches"}
MATCH = {"leg", "deals_played", "match_winner", "deals"}
DEAL = {
    *("deal", "table", "dealer", "seats", "knock_limit", "multiplier", "hands", "upcard", "stock", "passed", "turns"),
    *("ending", "knocker", "scorer", "points", "knocker_deadwood", "defender_deadwood_before"),
    *("defender_deadwood_after", "spread", "defence", "layoffs", "columns_entered"),
}
TURN = {"side", "drew", "from", "threw", "knocked", "deadwood"}
every_preset = pytest.mark.parametrize("preset", PRESETS)


def make_run(hollywood: Hollywood, preset: str = "hollywood", *options: str, out: str = "run", pairs: int = 3) -> None:
    """Make a small run; its rows are of deals where the form of play has such."""
    form = PRESETS[preset].form
    detail = "matches" if form == THREE_HANDED else "deals"
    fixed = ("--rules", preset, "--seed", "11", "--pairs", str(pairs), "--detail", detail, "--out", out, "--quiet")
    assert hollywood("simulate", *PLAYERS[form], *fixed, *options).code == 0


def refused(said: Said, code: int, *named: str) -> None:
    assert (said.code, said.out) == (code, ""), said.err
    assert said.err.startswith("error: ")
    assert "unexpected" not in said.err
    assert all(line.startswith("  ") for line in said.err.splitlines()[1:])
    for words in named:
        assert words in said.err


# --- what is told


@every_preset
def test_run_of_any_rules_is_replayed_and_equals_what_is_stored(preset: str, hollywood: Hollywood) -> None:
    make_run(hollywood, preset)
    for pair in range(3):
        told = hollywood("replay", "run", "--pair", str(pair), "--json").json()
        assert told["equals_stored"] is True
        text = hollywood("replay", "run", "--pair", str(pair)).out
        assert text.endswith("The replay equals the stored rows.\n")
        assert_text_tells(text, told)


def assert_text_tells(text: str, told: dict[str, Any]) -> None:
    """Assert that a text fits into 80 columns and holds each turn of a document, in order."""
    lines, flat = text.splitlines(), " ".join(text.split())
    assert [line for line in lines if len(line) > 80] == []
    expected = [turn for match in told["matches"] for deal in match["deals"] for turn in deal["turns"]]
    shown = [
        re.match(r" +\d+  ([ABC])[12]? +(takes|draws) (\w\w) +(?:throws (\w\w) +keeps (\d+)|lays)", line)
        for line in lines
    ]
    turns = [found.groups() for found in shown if found]
    assert turns == [
        (
            t["side"],
            "takes" if t["from"] == "pile" else "draws",
            t["drew"],
            t["threw"],
            t["threw"] and str(t["deadwood"]),
        )
        for t in expected
    ]
    for match in told["matches"]:
        assert f"Leg {match['leg']}: " in text
        for deal in match["deals"]:
            assert all(hand in text for hand in deal["hands"].values())
            assert all(f"lays off {layoff}" in flat for layoff in deal["layoffs"] or [])
            if deal["scorer"]:
                assert re.search(rf"{deal['scorer']}[12]? scores {deal['points']}: ", text)


@every_preset
def test_json_is_complete(preset: str, hollywood: Hollywood) -> None:
    players = PLAYERS[PRESETS[preset].form]
    told = hollywood("replay", "--seed", "11", "--pair", "1", *players, "--rules", preset, "--json").json()
    assert told.keys() == TOP
    assert (told["rules"], told["seed"], told["pair"], told["equals_stored"]) == (preset, 11, 1, None)
    assert told["sides"] == dict(zip("ABC", players, strict=False))
    assert [match["leg"] for match in told["matches"]] == list(range(6 if len(players) == 3 else 2))
    for match in told["matches"]:
        assert match.keys() == MATCH
        assert [deal["deal"] for deal in match["deals"]] == list(range(match["deals_played"]))
        for deal in match["deals"]:
            extra = set() if preset == "partnership" and deal["table"] == 1 else {"sheet_before", "sheet_after"}
            assert deal.keys() == DEAL | extra
            assert all(turn.keys() == TURN for turn in deal["turns"])


def test_replay_without_a_run_is_the_same(hollywood: Hollywood, tmp_path: Path) -> None:
    make_run(hollywood, "eaai", "--set", "target=60")
    (tmp_path / "mine.toml").write_text('preset = "eaai"\ntarget = 60\n', encoding="utf-8")
    stored = hollywood("replay", "run", "--pair", "2", "--json").json()
    for rules in (("--rules", "eaai", "--set", "target=60"), ("--rules", "mine.toml")):
        free = hollywood("replay", "--seed", "11", "--pair", "2", *PLAYERS[TWO_HANDED], *rules, "--json").json()
        assert free == {**stored, "equals_stored": None}


def test_leg_and_deal_choose_what_is_shown(hollywood: Hollywood) -> None:
    make_run(hollywood)
    whole = hollywood("replay", "run", "--pair", "1", "--json").json()
    for options, legs, deals in (
        (["--leg", "1"], [1], None),
        (["--leg", "0", "--deal", "2"], [0], 2),
        (["--deal", "1"], [0, 1], 1),
    ):
        told = hollywood("replay", "run", "--pair", "1", *options, "--json").json()
        expected = [whole["matches"][leg] for leg in legs]
        if deals is not None:
            expected = [{**match, "deals": match["deals"][deals : deals + 1]} for match in expected]
        assert told["matches"] == expected
        assert_text_tells(hollywood("replay", "run", "--pair", "1", *options).out, told)


def test_long_names_and_many_options_fit_into_80_columns(hollywood: Hollywood, tmp_path: Path) -> None:
    name = "player_whose_name_is_as_long_as_may_be__"
    write_player(tmp_path, name)
    options = ("gin_bonus=1000", "undercut_bonus=1000", "big_gin=1000", "game_bonus=1000", "box_bonus=1000")
    rules = [text for option in options for text in ("--set", option)]
    said = hollywood("replay", "--seed", "1", "--pair", "0", f"./{name}.py:knob=3", f"./{name}.py:knob=4", *rules)
    assert said.code == 0
    assert [line for line in said.out.splitlines() if len(line) > 80] == []


# --- which run, which pairing


def test_run_is_found_by_path_as_the_last_one_and_by_how_its_name_begins(hollywood: Hollywood) -> None:
    make_run(hollywood, out="runs/20260101-a")
    make_run(hollywood, "gin", out="runs/20260202-b")
    for text, rules in (
        ("runs/20260101-a", "hollywood"),
        ("20260101", "hollywood"),
        ("last", "gin"),
        ("20260202-b", "gin"),
    ):
        assert hollywood("replay", text, "--pair", "0", "--json").json()["rules"] == rules
    refused(hollywood("replay", "2026", "--pair", "0"), 2, "2 runs")


@pytest.mark.parametrize(
    ("preset", "players", "pairings"),
    [
        ("hollywood", ["greedy", "simple", "gin-only"], [(0, 1), (0, 2), (1, 2)]),
        ("partnership", ["greedy/simple", "simple/greedy", "gin-only"], [(0, 1), (0, 2), (1, 2)]),
        ("three-handed", ["greedy", "simple", "gin-only", "random"], [(0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)]),
    ],
)
def test_run_with_several_pairings_needs_one_named_and_says_which_there_are(
    preset: str, players: list[str], pairings: list[tuple[int, ...]], hollywood: Hollywood
) -> None:
    hollywood("simulate", *players, "--rules", preset, "--pairs", "2", "--seed", "3", "--out", "run")
    names = [[players[place] for place in pairing] for pairing in pairings]
    for named in ([], [players[0]], ["simple", "greedy"], ["nobody", "greedy"]):
        refused(hollywood("replay", "run", *named, "--pair", "0"), 2, *(" ".join(pairing) for pairing in names))
    for pairing in names:
        told = hollywood("replay", "run", *pairing, "--pair", "1", "--json").json()
        assert (list(told["sides"].values()), told["equals_stored"]) == (pairing, True)


# --- when it differs


def spoil(file: Path, column: str, row: int) -> int:
    """Change one value of a Parquet file; return what it was."""
    table = pq.read_table(file)
    values = table[column].to_pylist()
    was, values[row] = values[row], values[row] + 1
    place = table.schema.get_field_index(column)
    table = table.set_column(place, table.schema.field(column), pa.array(values, table.schema.field(column).type))
    pq.write_table(table, file)
    return int(was)


@pytest.mark.parametrize(
    ("preset", "table", "column"),
    [
        ("hollywood", "matches", "column2_points_b"),
        ("gin", "deals", "turns"),
        ("partnership", "matches", "deals_won_a"),
        ("partnership", "deals", "initial_deadwood_b"),
        ("three-handed", "trios", "deals_won_c"),
    ],
)
def test_stored_value_that_differs_fails_the_replay_and_is_named(
    preset: str, table: str, column: str, hollywood: Hollywood, tmp_path: Path
) -> None:
    make_run(hollywood, preset)
    was = spoil(tmp_path / "run" / table / "part-000000.parquet", column, 0)
    place = "pair 0, leg 0, deal 0" if table == "deals" else "pair 0, leg 0"
    told = f"{place}: {column} is stored as {was + 1} and played as {was}"
    refused(hollywood("replay", "run", "--pair", "0"), 1, told)
    refused(hollywood("replay", "run", "--pair", "0", "--json", "--deal", "1"), 1, told)
    assert hollywood("replay", "run", "--pair", "1").code == 0


@pytest.mark.parametrize(("old", "new"), [("seed = 11", "seed = 12"), ("target = 100", "target = 90")])
def test_specification_changed_in_the_folder_is_noticed(
    old: str, new: str, hollywood: Hollywood, tmp_path: Path
) -> None:
    make_run(hollywood)
    spec = tmp_path / "run" / "spec.toml"
    spec.write_text(spec.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    assert {hollywood("replay", "run", "--pair", str(pair)).code for pair in range(3)} & {1, 2}


def test_pair_that_is_not_stored_yet_is_told_without_a_comparison(hollywood: Hollywood, tmp_path: Path) -> None:
    make_run(hollywood)
    lines = tmp_path / "run" / "parts.jsonl"
    whole = lines.read_text(encoding="utf-8")
    stored = hollywood("replay", "run", "--pair", "1", "--json").json()
    for text in ("", whole.rstrip("\n"), whole[:40]):  # no part, and a line that was being written
        lines.write_text(text, encoding="utf-8")
        told = hollywood("replay", "run", "--pair", "1", "--json").json()
        assert told == {**stored, "equals_stored": None}
        assert "not stored" in hollywood("replay", "run", "--pair", "1").out
