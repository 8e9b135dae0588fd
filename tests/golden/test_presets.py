"""The presets hold exactly the options that the design page of the rules lists; the tables here are copied from it."""

from __future__ import annotations

import pytest

from sim.presets import PRESETS, preset_rules
from sim.rules import OPTIONS, PARTNERSHIP, THREE_HANDED, TWO_HANDED, Rules, RulesError

DEFAULTS: dict[str, object] = {
    "gin_bonus": 25,
    "undercut_bonus": 10,
    "big_gin": "off",
    "tie": "undercut",
    "count_zero_wins": True,
    "next_dealer": "winner",
    "first_dealer": "random",
    "knock_limit": 10,
    "upcard_ace": "one",
    "spade_doubles": False,
    "throw_back": False,
    "turn_cap": 100,
    "target": 100,
    "columns": 3,
    "game_bonus": 0,
    "box_bonus": 0,
    "shutout_doubles": False,
    "third_column_doubled": False,
    "carry": "carry",
    "closing": "column",
    "match_winner": "majority",
}
CHANGES: dict[str, dict[str, object]] = {
    "hollywood": {},  # 000, 001, 002
    "hollywood-003": {
        "undercut_bonus": 25,
        "next_dealer": "loser",
        "first_dealer": "cut",
        "game_bonus": 100,
        "box_bonus": 25,
        "closing": "player",
    },
    "gin": {"columns": 1},
    "oklahoma": {"columns": 1, "knock_limit": "upcard", "spade_doubles": True},  # 003
    "hollywood-oklahoma": {"knock_limit": "upcard", "spade_doubles": True},
    "straight": {"columns": 1, "knock_limit": 0},  # 003
    "hollywood-straight": {"knock_limit": 0},
    "chicago": {"columns": 1, "gin_bonus": 20},  # named by 003 without figures; 20 noted by 000
    "manhattan": {"columns": 1, "undercut_bonus": 25, "big_gin": 31},  # named by 003 without figures
    "eaai": {"columns": 1, "undercut_bonus": 25, "next_dealer": "alternate"},
    "partnership": {},  # 003
    "three-handed": {},  # named by 002, 004
}
WORDS: dict[str, tuple[object, ...]] = {
    "tie": ("undercut", "knocker"),
    "next_dealer": ("winner", "loser", "alternate"),
    "first_dealer": ("random", "cut", "a", "b"),
    "upcard_ace": ("one", "gin"),
    "columns": (3, 1),
    "carry": ("carry", "strict"),
    "closing": ("column", "player"),
    "match_winner": ("majority", "total", "first_column"),
    "knock_limit": (*range(11), "upcard"),
    "big_gin": ("off", 31, 50),
    "gin_bonus": (25, 20),
    "undercut_bonus": (10, 25),
}


def test_the_defaults_are_the_options_of_the_page() -> None:
    assert Rules().options() == DEFAULTS
    assert list(OPTIONS) == list(DEFAULTS)


def test_the_presets_are_those_of_the_page() -> None:
    assert PRESETS.keys() == CHANGES.keys()


@pytest.mark.parametrize("name", CHANGES)
def test_a_preset_has_exactly_the_options_of_the_page(name: str) -> None:
    rules = preset_rules(name)
    assert rules.options() == DEFAULTS | CHANGES[name]
    forms = {"partnership": PARTNERSHIP, "three-handed": THREE_HANDED}
    assert rules.form == forms.get(name, TWO_HANDED)


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in WORDS.items() for value in values])
def test_every_value_of_the_page_is_allowed(name: str, value: object) -> None:
    assert getattr(Rules().with_options({name: value}), name) == value
    assert getattr(Rules().with_options({name: str(value)}), name) == value


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("gin_bonus", -1, "a whole number from 0 to"),
        ("undercut_bonus", "many", "a whole number from 0 to"),
        ("target", 0, "a whole number from 1 to"),
        ("knock_limit", 11, "upcard or a whole number from 0 to 10"),
        ("columns", 2, "3, 1"),
        ("turn_cap", 1, "a whole number from 2 to 200"),
        ("match_winner", "nobody", "majority, total, first_column"),
        ("spade_doubles", "maybe", "yes or no"),
    ],
)
def test_a_bad_option_is_refused_naming_what_is_allowed(name: str, value: object, allowed: str) -> None:
    with pytest.raises(RulesError, match=f'"{name}" cannot be "{value}": allowed is {allowed}'):
        Rules().with_options({name: value})


def test_an_unknown_option_or_preset_is_refused_naming_the_known_ones() -> None:
    with pytest.raises(RulesError, match=r'no rule option "knock_limits"\. .*knock_limit'):
        Rules().with_options({"knock_limits": 10})
    with pytest.raises(RulesError, match=r'no rules preset "holywood"\. .*hollywood'):
        preset_rules("holywood")
