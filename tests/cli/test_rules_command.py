"""`hollywood rules`, and rules of one's own: a TOML file, options on top, and how each mistake is told."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from sim.presets import PRESETS, preset_rules
from sim.rules import OPTIONS, option_text
from tests.cli.conftest import Hollywood
from tests.support.strategy_cli import Said
from tests.support.strategy_runs import files_in

KNOCKER = "AS 2S 3S 4S 5S 6S 7S 8S 9S KD"
DEFENDER = "AC 2C 3C 4D 5D 6D 9H TH JH QS"
"""Ten points of deadwood each: an undercut."""
every_preset = pytest.mark.parametrize("name", PRESETS)


def flat(text: str) -> str:
    """Return text with all white space as single blanks, so that wrapped lines read on."""
    return " ".join(text.split())


def assert_fits(said: Said) -> None:
    assert said.code == 0
    assert max(map(len, said.out.splitlines())) <= 80
    assert all(line == line.rstrip() for line in said.out.splitlines())


def shown_options(text: str) -> dict[str, tuple[str, bool, str]]:
    """Read `rules show` back: by option its value, whether it is marked, and meaning with source."""
    shown: dict[str, tuple[str, bool, str]] = {}
    name = ""
    for line in text.splitlines():
        head = re.match(r"  (\w+) +(\S+) +(\*?) *(.*)", line)
        if head and head[1] in OPTIONS:
            name = head[1]
            shown[name] = (head[2], head[3] == "*", head[4])
        elif name:
            value, mark, meaning = shown[name]
            shown[name] = (value, mark, f"{meaning} {line.strip()}")
    return shown


# --- list, show, diff


def test_list_names_every_preset_with_what_it_is_and_its_source(hollywood: Hollywood) -> None:
    said = hollywood("rules", "list")
    assert_fits(said)
    starts = [line.split()[0] for line in said.out.splitlines() if not line.startswith(" ")]
    assert starts == list(PRESETS)
    for name, preset in PRESETS.items():
        assert f"{name} {preset.about} ({preset.source})" in flat(said.out)
    told = hollywood("rules", "list", "--json").json()
    assert told == {name: {"about": p.about, "source": p.source, "form": p.form} for name, p in PRESETS.items()}
    assert hollywood("rules", "list", "--quiet").err == ""


@every_preset
def test_show_tells_every_option_with_value_meaning_and_source(name: str, hollywood: Hollywood) -> None:
    said = hollywood("rules", "show", name)
    assert_fits(said)
    rules, preset = preset_rules(name), PRESETS[name]
    shown = shown_options(said.out)
    assert list(shown) == list(OPTIONS)
    for option, value in rules.options().items():
        about = OPTIONS[option].metadata
        differs = value != preset_rules("hollywood").options()[option]
        assert shown[option] == (option_text(value), differs, f"{about['meaning']} [{about['source']}]")
    assert f"{name}: {preset.about} (source {preset.source}) who plays: {rules.form}" in flat(said.out)


@every_preset
def test_show_json_has_every_option_with_all_there_is_to_know(name: str, hollywood: Hollywood) -> None:
    told = hollywood("rules", "show", name, "--json").json()
    assert (told["rules"], told["preset"], told["form"]) == (name, name, preset_rules(name).form)
    assert list(told["options"]) == list(OPTIONS)
    for option, found in told["options"].items():
        about = OPTIONS[option].metadata
        assert found == {
            "value": preset_rules(name).options()[option],
            "allowed": str(about["allowed"]),
            "meaning": about["meaning"],
            "source": about["source"],
        }


@pytest.mark.parametrize("one", PRESETS)
def test_diff_tells_exactly_the_options_in_which_two_differ(one: str, hollywood: Hollywood) -> None:
    for other in PRESETS:
        rules = preset_rules(one), preset_rules(other)
        pairs = {o: [rules[0].options()[o], value] for o, value in rules[1].options().items()}
        differing = {option: both for option, both in pairs.items() if both[0] != both[1]}
        told = hollywood("rules", "diff", one, other, "--json").json()
        assert told == {"rules": [one, other], "form": [r.form for r in rules], "options": differing}
        said = hollywood("rules", "diff", one, other)
        assert_fits(said)
        named = [line.split()[0] for line in said.out.splitlines() if re.match("  [a-z]", line)]
        assert [name for name in named if name in OPTIONS] == list(differing)
        assert ("who plays" in said.out) is (rules[0].form != rules[1].form)
        for option, both in differing.items():
            about = OPTIONS[option].metadata
            row = f"{option} {option_text(both[0])} {option_text(both[1])} {about['meaning']} [{about['source']}]"
            assert row in flat(said.out)
        if rules[0] == rules[1]:
            assert said.out == f"{one} and {other} play by the same rules.\n"


def test_show_and_diff_read_rules_files(hollywood: Hollywood, tmp_path: Path) -> None:
    (tmp_path / "my-rules.toml").write_text('preset = "gin"\nundercut_bonus = 25\n', encoding="utf-8")
    said = hollywood("rules", "show", "my-rules.toml")
    assert_fits(said)
    assert said.out.startswith("my-rules.toml: your own, from gin\n")
    assert shown_options(said.out)["undercut_bonus"][:2] == ("25", True)
    assert hollywood("rules", "show", "my-rules.toml", "--json").json()["preset"] == "gin"
    assert hollywood("rules", "diff", "gin", "my-rules.toml", "--json").json()["options"] == {
        "undercut_bonus": [10, 25]
    }
    assert_fits(hollywood("rules", "diff", "my-rules.toml", "hollywood-003"))


# --- rules of one's own


GOOD: dict[str, tuple[str, str, dict[str, Any]]] = {
    "nothing": ("", "hollywood", {}),
    "no preset": ("gin_bonus = 20\n", "hollywood", {"gin_bonus": 20}),
    "a preset alone": ('preset = "eaai"\n', "eaai", {}),
    "the page's own": (
        'preset = "gin"          # what to start from\nundercut_bonus = 25\nknock_limit = "upcard"\n',
        "gin",
        {"undercut_bonus": 25, "knock_limit": "upcard"},
    ),
    "words and numbers": (
        'spade_doubles = true\ncount_zero_wins = "no"\nbig_gin = "off"\ncolumns = 1\ntarget = "250"\ntie = "Knocker"\n',
        "hollywood",
        {"spade_doubles": True, "count_zero_wins": False, "columns": 1, "target": 250, "tie": "knocker"},
    ),
    "three-handed": ('preset = "three-handed"\nclosing = "player"\n', "three-handed", {"closing": "player"}),
}


@pytest.mark.parametrize(("text", "preset", "changes"), GOOD.values(), ids=GOOD)
def test_rules_file_changes_what_it_names(
    text: str, preset: str, changes: dict[str, Any], hollywood: Hollywood, tmp_path: Path
) -> None:
    (tmp_path / "mine.toml").write_text(text, encoding="utf-8")
    told = hollywood("rules", "show", "mine.toml", "--json").json()
    values = {option: found["value"] for option, found in told["options"].items()}
    expected = preset_rules(preset).options() | changes
    assert (told["preset"], told["form"]) == (preset, preset_rules(preset).form)
    assert json.dumps(values) == json.dumps(expected)


def test_every_command_plays_by_the_file_and_by_the_options_on_top(hollywood: Hollywood, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('preset = "gin"\nundercut_bonus = 31\ntarget = 40\n', encoding="utf-8")
    file, more = ("--rules", "mine.toml"), ("--rules", "mine.toml", "--set", "undercut_bonus=7", "--set", "columns=3")
    points = [hollywood("layoff", KNOCKER, DEFENDER, "--json", *rules).json()["points"] for rules in (file, more)]
    assert points == [31, 7]
    totals = [hollywood("score", "-", "--json", *rules, stdin="A 40\n").json()["totals"] for rules in (file, more)]
    assert totals == [{"A": [40], "B": [0]}, {"A": [40, 0, 0], "B": [0, 0, 0]}]
    play = ("simulate", "greedy", "simple", "--pairs", "3", "--seed", "4", "--out")
    texts = [hollywood(*play, out, *rules).out for out, rules in (("r1", file), ("r2", more))]
    assert "rules  gin undercut_bonus=31 target=40, seed 4" in texts[0]
    assert "rules  gin undercut_bonus=7 target=40 columns=3, seed 4" in texts[1]
    for run, rules in (("r1", file), ("r2", more)):
        free = hollywood("replay", "--seed", "4", "--pair", "2", "greedy", "simple", *rules, "--json").json()
        stored = hollywood("replay", run, "--pair", "2", "--json").json()
        assert free["rules"] == "gin"
        assert stored["equals_stored"] is True
        assert free["matches"] == stored["matches"]
        assert free["options"] == stored["options"]


def test_run_does_not_need_its_rules_file_again(hollywood: Hollywood, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text("undercut_bonus = 31\n", encoding="utf-8")
    hollywood("simulate", "greedy", "simple", "--pairs", "2", "--rules", "mine.toml", "--out", "run")
    (tmp_path / "mine.toml").unlink()
    assert hollywood("replay", "run", "--pair", "1", "--json").json()["options"] == {"undercut_bonus": 31}


# --- mistakes

BAD: dict[str, tuple[str | bytes, list[str]]] = {
    "unknown option": ("ginbonus = 3\n", ['"ginbonus"', 'Did you mean "gin_bonus"?', "undercut_bonus"]),
    "who plays is no option": ('form = "three-handed"\n', ['"form"', "Known:"]),
    "too small": ("gin_bonus = -1\n", ['"gin_bonus"', '"-1"', "0 to 10000"]),
    "too large": ("target = 10001\n", ['"target"', '"10001"', "1 to 10000"]),
    "not a choice": ('tie = "nobody"\n', ['"tie"', '"nobody"', "undercut, knocker"]),
    "not yes or no": ("spade_doubles = 1\n", ['"spade_doubles"', '"1"', "yes or no"]),
    "a list": ("gin_bonus = [25]\n", ['"gin_bonus"', "[25]", "0 to 10000"]),
    "a table": ("[gin_bonus]\nvalue = 25\n", ['"gin_bonus"', "0 to 10000"]),
    "a fraction": ("gin_bonus = 25.0\n", ['"gin_bonus"', '"25.0"', "0 to 10000"]),
    "no number": ("gin_bonus = nan\n", ['"gin_bonus"', '"nan"', "0 to 10000"]),
    "yes for a number": ("target = true\n", ['"target"', "1 to 10000"]),
    "yes for a choice": ("columns = true\n", ['"columns"', "3, 1"]),
    "a fraction for a choice": ("columns = 3.0\n", ['"columns"', "3, 1"]),
    "a date": ("first_dealer = 2020-01-01\n", ['"first_dealer"', "random, cut, a, b"]),
    "preset unknown": ('preset = "hollywod"\n', ['"hollywod"', 'Did you mean "hollywood"?', "eaai"]),
    "preset is a number": ("preset = 3\n", ["preset", "3"]),
    "preset is a list": ('preset = ["gin"]\n', ["preset", "gin"]),
    "syntax": ("gin_bonus = \n", ["TOML", "line 1"]),
    "no equals sign": ("gin_bonus 25\n", ["TOML", "line 1"]),
    "given twice": ("target = 50\ntarget = 60\n", ["TOML", "line 2"]),
    "not UTF-8": (b"gin_bonus = 25 # \xff\n", ["TOML"]),
    "a number of 5000 digits": ("gin_bonus = " + "9" * 5000 + "\n", []),
    "nested without end": ("gin_bonus = " + "[" * 3000 + "\n", []),
    "three-handed and a bonus": (
        'preset = "three-handed"\ngame_bonus = 10\n',
        ['"game_bonus"', '"10"', "three-handed"],
    ),
}


def refused(said: Said, *named: str) -> None:
    """Assert that a command refused its input in one line that holds these words."""
    assert (said.code, said.out) == (2, ""), said
    assert len([line for line in said.err.splitlines() if not line.startswith("  help: ")]) == 1, said.err
    assert said.err.startswith("error: ")
    assert "unexpected" not in said.err
    for words in named:
        assert words in said.err


@pytest.mark.parametrize(("content", "named"), BAD.values(), ids=BAD)
def test_mistake_in_a_rules_file_is_told_with_the_file(
    content: str | bytes, named: list[str], hollywood: Hollywood, tmp_path: Path
) -> None:
    (tmp_path / "mine.toml").write_bytes(content if isinstance(content, bytes) else content.encode())
    for command in (["rules", "show", "mine.toml"], ["score", "-", "--rules", "mine.toml"]):
        refused(hollywood(*command), "mine.toml", *named)
    refused(hollywood("simulate", "greedy", "simple", "--rules", "mine.toml", "--quiet"), "mine.toml", *named)
    assert files_in(tmp_path) == {"mine.toml"}


def test_file_that_is_not_there_and_folder_are_refused_by_name(hollywood: Hollywood, tmp_path: Path) -> None:
    (tmp_path / "folder.toml").mkdir()
    for name in ("nowhere.toml", "folder.toml", "folder.toml/x.toml", f"{'x' * 300}.toml"):
        refused(hollywood("rules", "show", name), name)
        refused(hollywood("layoff", KNOCKER, DEFENDER, "--rules", name), name)
        refused(hollywood("replay", "--seed", "1", "--pair", "0", "greedy", "simple", "--rules", name), name)


def test_mistake_in_an_option_on_top_of_a_file_is_told(hollywood: Hollywood, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text("target = 40\n", encoding="utf-8")
    refused(hollywood("score", "-", "--rules", "mine.toml", "--set", "target=0"), '"target"', '"0"', "1 to 10000")


@pytest.mark.parametrize(
    ("option", "allowed"),
    [
        ("game_bonus=100", "allowed is 0"),
        ("box_bonus=25", "allowed is 0"),
        ("shutout_doubles=yes", "allowed is no"),
        ("third_column_doubled=yes", "allowed is no"),
        ("match_winner=total", "allowed is majority or first_column"),
        ("first_dealer=a", "allowed is random or cut"),
        ("first_dealer=b", "allowed is random or cut"),
    ],
)
def test_what_three_cannot_play_is_refused(option: str, allowed: str, hollywood: Hollywood, tmp_path: Path) -> None:
    """docs/rules.md: nothing is settled among three, and who deals first is not always in play."""
    name, _, value = option.partition("=")
    told = (f'"{name}"', f'"{value}"', "three-handed", allowed)
    refused(hollywood("score", "-", "--rules", "three-handed", "--set", option), *told)
    written = value if value.isdigit() else f'"{value}"'
    (tmp_path / "mine.toml").write_text(f'preset = "three-handed"\n{name} = {written}\n', encoding="utf-8")
    refused(hollywood("rules", "show", "mine.toml"), "mine.toml", *told)
    (tmp_path / "base.toml").write_text('preset = "three-handed"\n', encoding="utf-8")
    players = ("greedy", "simple", "random")
    refused(hollywood("simulate", *players, "--rules", "base.toml", "--set", option, "--quiet"), *told)


@pytest.mark.parametrize(
    "arguments", [["show"], ["show", "hollywod"], ["diff", "gin"], ["diff", "gin", "gim"], ["frob"]]
)
def test_rules_command_refuses_what_it_does_not_know(arguments: list[str], hollywood: Hollywood) -> None:
    refused(hollywood("rules", *arguments))
