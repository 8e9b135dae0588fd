"""The command on the page plays the run again: the same plan, whatever the form and the rules."""

from __future__ import annotations

import shlex
from pathlib import Path

import click
import pytest

from cli.simulate import command
from experiments.simulate import Request, make_plan
from reports.commands import changed_rules, rules_name, simulate_words
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
