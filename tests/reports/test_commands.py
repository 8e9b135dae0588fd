"""The command on the page plays the run again: the same plan, whatever the form and the rules."""

from __future__ import annotations

import shlex
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import click
import pytest

from cli.simulate import command
from experiments.batch_runs import BatchRun, draw
from experiments.simulate import Request, make_plan
from reports.commands import again_commands, changed_rules, rules_name, simulate_words
from reports.material import Basis
from reports.provenance import reproduction
from sim.batch.spec import spec_document
from sim.presets import preset_rules

BOT = Path(__file__).parents[2] / "strategies" / "greedy.py"


def request_of(words: list[str]) -> Request:
    """Return the request that `hollywood simulate` makes of quoted words."""
    name, verb, *arguments = shlex.split(" ".join(words))
    assert (name, verb) == ("hollywood", "simulate")
    with click.Context(command) as context:
        command.parse_args(context, arguments)
        told = context.params
    return Request(
        told["players"], told["pairs"], told["deals"], told["rules"], told["options"], told["seed"], told["detail"]
    )


@pytest.mark.parametrize(
    "asked",
    [
        Request(("greedy", "simple"), 30, seed=7),
        Request(("greedy", "greedy"), 30, seed=7),
        Request(("greedy", "simple", "gin-only"), 30, rules="eaai", options={"gin_bonus": 20}, seed=0, detail="deals"),
        Request(("greedy", "simple"), 8, options={"knock_limit": "upcard", "throw_back": True}, seed=2**64 - 1),
        Request(("greedy/simple", "threshold:knock_at=5/gin-only"), 30, rules="partnership", seed=7),
        Request(("greedy", "gin-only/simple", "simple"), 30, rules="partnership", options={"target": 50}, seed=7),
        Request(("greedy", "simple", "greedy"), 30, rules="three-handed", seed=7),
        Request(("greedy", "simple", "gin-only", "random"), 30, rules="three-handed", seed=7),
    ],
)
def test_the_command_makes_the_same_plan(asked: Request) -> None:
    spec = spec_document(make_plan(asked))
    assert spec_document(make_plan(request_of(simulate_words(spec)))) == spec


@pytest.mark.parametrize(
    ("rules", "pairings"),
    [
        ("hollywood", [["greedy", "gin-only"], ["simple", "gin-only"]]),
        ("hollywood", [["greedy", "greedy"], ["greedy", "simple"]]),  # a mirror among others
        ("hollywood", [["greedy", "simple"], ["greedy", "gin-only"], ["gin-only", "simple"]]),  # another order
        ("three-handed", [["greedy", "simple", "random"], ["random", "random", "greedy"]]),
    ],
)
def test_listed_pairings_take_a_command_each(rules: str, pairings: list[list[str]]) -> None:
    settings = {"pairings": pairings, "pairs": 8, "rules": rules, "seed": 7, "detail": "matches"}
    plan = draw(BatchRun("chosen", "simulate", settings)).plan
    again = [make_plan(request_of(words)) for words in again_commands(spec_document(plan), {})]
    assert [one.names() for one in again] == [[tuple(pairing)] for pairing in pairings]
    assert {(one.seed, one.pairs, one.rules, one.detail) for one in again} == {(7, 8, plan.rules, "matches")}


def test_page_of_listed_pairings_plays_each_to_a_folder_of_its_own_and_reports_them_all() -> None:
    settings = {"pairings": [["greedy", "greedy"], ["greedy", "simple"]], "pairs": 8, "seed": 7}
    spec = spec_document(draw(BatchRun("chosen", "simulate", settings)).plan)
    run = SimpleNamespace(spec=spec, manifest={}, run_id="chosen", is_three_handed=False)
    commands = reproduction(cast(Basis, SimpleNamespace(run=run, player_names={}))).commands
    assert [" ".join(words) for words in commands] == [
        "hollywood simulate greedy greedy --pairs 8 --seed 7 --out pairing1",
        "hollywood simulate greedy simple --pairs 8 --seed 7 --out pairing2",
        "hollywood report pairing1 pairing2",
    ]


def test_round_robin_takes_one_command_and_what_keeps_its_own_that_one() -> None:
    spec = spec_document(make_plan(Request(("greedy", "simple", "gin-only"), 8, seed=7)))
    assert again_commands(spec, {}) == [simulate_words(spec)]
    assert again_commands(spec, {"again": ["hollywood", "sweep", "./my bot.py"]}) == [
        ["hollywood", "sweep", "'./my bot.py'"]
    ]


def test_a_player_s_file_is_quoted(tmp_path: Path) -> None:
    file = tmp_path / "my bot's.py"
    file.write_text(BOT.read_text())
    spec = spec_document(make_plan(Request((f"{file}/greedy", "simple"), 4, rules="partnership", seed=7)))
    words = simulate_words(spec)
    assert words[2].startswith("'")
    assert request_of(words).players == (f"{file}/greedy", "simple")


def test_the_command_of_a_default_run_is_short() -> None:
    spec = spec_document(make_plan(Request(("greedy", "simple"), 1, seed=2)))
    assert simulate_words(spec) == ["hollywood", "simulate", "greedy", "simple", "--pairs", "1", "--seed", "2"]


@pytest.mark.parametrize("preset", ["hollywood-003", "oklahoma", "partnership", "three-handed"])
def test_rules_are_named_by_their_preset_and_what_differs_from_it(preset: str) -> None:
    spec = {"preset": preset, "rules": preset_rules(preset).options()}
    assert changed_rules(spec) == []
    assert rules_name(spec) == preset
    spec["rules"] = preset_rules(preset, {"throw_back": True, "target": 150}).options()
    assert rules_name(spec) == f"{preset}, changed: throw_back=yes, target=150"


def test_a_preset_of_another_version_is_named_as_it_is() -> None:
    assert rules_name({"preset": "of-tomorrow", "rules": {"gin_bonus": 1}}) == "of-tomorrow"
