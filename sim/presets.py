"""The presets, and rules of a user's own from a TOML file.

A rules file names a preset to start from (``preset = "gin"``; without it ``hollywood``) and the options to change, one
``option = value`` a line.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from sim.hints import did_you_mean
from sim.rules import PARTNERSHIP, THREE_HANDED, TWO_HANDED, Rules, RulesError

DEFAULT_PRESET = "hollywood"


@dataclass(frozen=True)
class Preset:
    """Rules known by a name: the options they change, who plays, one line on them and where they come from."""

    about: str
    source: str
    changes: Mapping[str, object] = field(default_factory=dict)
    form: str = TWO_HANDED

    def rules(self) -> Rules:
        """Return the rules themselves."""
        return Rules(form=self.form).with_options(self.changes)


_OKLAHOMA = {"knock_limit": "upcard", "spade_doubles": True}
_STRAIGHT = {"knock_limit": 0}

PRESETS: dict[str, Preset] = {
    "hollywood": Preset("three columns, each to 100", "000, 001, 002"),
    "hollywood-003": Preset(
        "Hollywood as source 003 has it: boxes and game bonus, loser deals, columns close by player",
        "003",
        {
            "undercut_bonus": 25,
            "next_dealer": "loser",
            "first_dealer": "cut",
            "game_bonus": 100,
            "box_bonus": 25,
            "closing": "player",
        },
    ),
    "gin": Preset("ordinary gin rummy: one column", "000", {"columns": 1}),
    "oklahoma": Preset("the first upcard sets the knock limit, spades double", "003", {"columns": 1, **_OKLAHOMA}),
    "hollywood-oklahoma": Preset("Oklahoma gin on three columns", "003", _OKLAHOMA),
    "straight": Preset("no knocking, gin only", "003", {"columns": 1, **_STRAIGHT}),
    "hollywood-straight": Preset("straight gin on three columns", "003", _STRAIGHT),
    "chicago": Preset(
        "a regional name for changed bonuses (sources vary): the older 20 for gin, 10 for an undercut",
        "named by 003 without figures; 20 noted by 000",
        {"columns": 1, "gin_bonus": 20},
    ),
    "manhattan": Preset(
        "a regional name for changed bonuses (sources vary): 25 for an undercut, big gin 31",
        "named by 003 without figures; undercut 25: 003; big gin: house rule",
        {"columns": 1, "undercut_bonus": 25, "big_gin": 31},
    ),
    "eaai": Preset(
        "gin rummy as in the published research results",
        "EAAI 2021 Gin Rummy challenge",
        {"columns": 1, "undercut_bonus": 25, "next_dealer": "alternate"},
    ),
    "partnership": Preset("two sides of two at two tables, the net of both on one sheet", "003", form=PARTNERSHIP),
    "three-handed": Preset("three in rotation, the loser of a deal sits out", "002, 004", form=THREE_HANDED),
}


def find_preset(name: str) -> Preset:
    """Return the preset of a name; raises `RulesError` naming the known ones."""
    if name not in PRESETS:
        raise RulesError(f'no rules preset "{name}".{did_you_mean(name, PRESETS)} Known: {" ".join(PRESETS)}')
    return PRESETS[name]


def preset_rules(name: str, options: Mapping[str, object] | None = None) -> Rules:
    """Return the rules of a preset, with some options changed.

    Raises `RulesError` for an unknown preset, option or value.
    """
    return find_preset(name).rules().with_options(options or {})


@dataclass(frozen=True)
class ChosenRules:
    """Rules and how a user would ask for them: a preset and the options changed from it."""

    preset: str
    rules: Rules

    @property
    def changed(self) -> dict[str, int | str | bool]:
        """The options that differ from the preset's."""
        return changed_options(find_preset(self.preset).rules(), self.rules)


def changed_options(before: Rules, after: Rules) -> dict[str, int | str | bool]:
    """Return the options in which two rules differ, with the values they have after the change."""
    return {name: value for name, value in after.options().items() if value != before.options()[name]}


def choose_rules(text: str, options: Mapping[str, object] | None = None) -> ChosenRules:
    """Return the rules of a preset or of a TOML file (a name that ends in ``.toml``), with some options changed.

    Raises `RulesError` naming the file, the option, the value and what is allowed.
    """
    if not text.lower().endswith(".toml"):
        return ChosenRules(text, preset_rules(text, options))
    document = _read_file(Path(text))
    preset = document.pop("preset", DEFAULT_PRESET)
    try:
        if not isinstance(preset, str):
            raise RulesError(f'preset = {preset!r} is no text, such as "{DEFAULT_PRESET}"')
        rules = preset_rules(preset, document)
    except RulesError as error:
        raise RulesError(f"{text}: {error}") from None
    return ChosenRules(preset, rules.with_options(options or {}))


def _read_file(path: Path) -> dict[str, object]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise RulesError(f'no rules file "{path}"; known presets: {" ".join(PRESETS)}') from None
    except OSError as error:
        raise RulesError(f"{path}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise RulesError(f"{path}: not TOML: {error}") from None
