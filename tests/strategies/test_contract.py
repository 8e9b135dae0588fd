"""The contract of every registered strategy; a new one passes it by being listed in `strategies.registry`."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, get_type_hints

import numpy as np
import numpy.typing as npt
import pytest

import strategies
from sim.api import deadwood_many
from sim.batch import plan as plans
from sim.batch.plan import Plan
from sim.cards import N_CARDS, cards_of
from sim.decisions import Side
from sim.presets import preset_rules
from sim.view import DECISIONS, TURN_VIEW, TurnView
from strategies.registry import MODULES, about, bind, params_of, parse_spec, strategy_of
from tests.support.strategy_positions import positions
from tests.support.strategy_recorder import play_pair, recorded, specs_at_the_ends
from tests.support.strategy_runs import SEED, Rows, files_in, part_lines, play, run_into

every_name = pytest.mark.parametrize("name", MODULES)
every_end = pytest.mark.parametrize("spec", specs_at_the_ends())

Array = npt.NDArray[Any]

RULES: dict[str, dict[str, object]] = {
    "hollywood": {},
    "straight gin, big gin": {"knock_limit": 0, "big_gin": 31},
    "oklahoma": {"knock_limit": "upcard", "spade_doubles": True},
    "throwing back, short deals": {"throw_back": True, "turn_cap": 12, "columns": 1},
    "big gin": {"big_gin": 50, "tie": "knocker"},
}
"""The preset, and rules under which the questions differ from its own."""


# --- the registry


def test_every_strategy_file_is_listed_under_its_own_name() -> None:
    folder = Path(strategies.__file__).parent
    found = {f"strategies.{file.stem}" for file in folder.glob("*.py") if _defines_a_strategy(file)}
    assert found == set(MODULES.values())
    assert len(set(MODULES.values())) == len(MODULES)


def _defines_a_strategy(file: Path) -> bool:
    assigned = [
        node.targets for node in ast.parse(file.read_text(encoding="utf-8")).body if isinstance(node, ast.Assign)
    ]
    return any(isinstance(t, ast.Name) and t.id == "STRATEGY" for targets in assigned for t in targets)


@every_name
def test_name_in_the_file_is_the_name_in_the_table(name: str) -> None:
    assert strategy_of(_spec(name)).name == name


# --- what a reader finds


@every_name
def test_file_says_how_it_plays_and_cites_its_source(name: str) -> None:
    strategy, module = strategy_of(_spec(name)), importlib.import_module(MODULES[name])
    assert module.__doc__
    assert "Source:" in module.__doc__
    assert about(strategy) == module.__doc__.strip()
    assert strategy.source
    assert strategy.summary
    assert "\n" not in strategy.summary
    assert len(strategy.summary) <= 80


@every_name
def test_decisions_say_what_they_do(name: str) -> None:
    for decision in DECISIONS:
        assert getattr(strategy_of(_spec(name)), decision).__doc__


@every_name
def test_parameters_have_a_meaning_a_unit_and_a_default_inside_their_range(name: str) -> None:
    strategy = strategy_of(_spec(name))
    defaults: dict[str, float] = strategy.params._field_defaults
    for param, note in params_of(strategy).items():
        assert note is not None, f"{param} has no Param(low, high, unit, meaning)"
        assert note.low <= defaults[param] <= note.high
        assert note.low < note.high
        assert note.meaning


def test_view_has_no_field_but_those_a_player_may_see() -> None:
    assert TURN_VIEW.names == (*get_type_hints(TurnView), "params")


# --- how it plays


_spec = cache(parse_spec)
"""A spec read once: collecting its sources takes longer (20 ms) than playing some pairs."""


@cache
def _played(player: str, opponent: str, pairs: int, under: str = "hollywood", seed: int = SEED) -> Rows:
    """Return the rows of some pairs, played once for all tests that look at them."""
    return play(_plan(player, opponent, pairs, under, seed))


def _plan(player: str, opponent: str, pairs: int, under: str = "hollywood", seed: int = SEED) -> Plan:
    sides = Side((_spec(player),)), Side((_spec(opponent),))
    return Plan(sides, ((0, 1),), preset_rules("hollywood", RULES[under]), "hollywood", seed, pairs, "deals")


def _assert_whole(rows: Rows, pairs: int) -> None:
    assert len(rows.matches) == 2 * pairs
    assert (rows.matches["column_winner"] < 2).all()
    assert len(rows.deals) == rows.matches["deals_played"].sum()


@every_name
def test_plays_legally_against_greedy_and_itself(name: str) -> None:
    for opponent in ("greedy", name):
        _assert_whole(_played(name, opponent, 150), 150)


@every_name
@pytest.mark.parametrize("under", [under for under in RULES if under != "hollywood"])
def test_plays_legally_under_other_rules(name: str, under: str) -> None:
    assert len(_played(name, "greedy", 10, under).matches) == 20


@every_end
def test_plays_legally_with_a_parameter_at_its_end(spec: str) -> None:
    _assert_whole(_played(spec, "greedy", 40), 40)
    assert len(_played(spec, spec, 5).matches) == 10
    for under in RULES:
        assert len(_played(spec, "greedy", 3, under).matches) == 6


@every_name
def test_splits_every_pair_against_itself(name: str) -> None:
    winners = _played(name, name, 150).matches["match_winner"].reshape(-1, 2)
    assert (winners.sum(axis=1) == 1).all()


@every_name
def test_plays_the_same_again_and_differently_under_another_seed(name: str) -> None:
    first, other = _played(name, "greedy", 150), _played(name, "greedy", 20, seed=SEED + 1)
    again = play(_plan(name, "greedy", 150))
    assert first.digest() == again.digest()
    assert other.deals.tobytes() != first.deals[: len(other.deals)].tobytes()


@every_name
def test_plays_the_same_on_one_thread_and_on_two(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plans, "PART_PAIRS", 16)
    plan = _plan(name, "greedy", 40)
    one, two = tmp_path / "one", tmp_path / "two"
    run_into(one, plan, threads=1)
    run_into(two, plan, threads=2)
    parts = [file for file in files_in(one) if file.endswith(".parquet")]
    assert len(parts) == 2 * 3
    for file in parts:
        assert (one / file).read_bytes() == (two / file).read_bytes()
    assert [line["tally"] for line in part_lines(one)] == [line["tally"] for line in part_lines(two)]


# --- its answers


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name == "apex")) for name in MODULES]
)  # test_apex has its own
def test_compiled_answers_equal_those_of_plain_python(name: str) -> None:
    calls = recorded().calls[name]
    assert len(calls) > 100
    assert set(calls["decision"]) == set(DECISIONS)
    answers, after = _asked(name, calls["decision"], calls["before"])
    assert (answers == calls["answer"]).all()
    assert after.tobytes() == calls["after"].tobytes()


@every_name
def test_plays_the_same_pair_compiled_and_in_plain_python(name: str) -> None:
    plain = recorded().pairings[name, "simple"]
    compiled = play_pair(bind(_spec(name)), bind(_spec("simple")))
    assert compiled.matches.tobytes() == plain.matches.tobytes()
    assert compiled.deals.tobytes() == plain.deals.tobytes()


@every_name
def test_writes_nothing_into_the_view_but_its_memory(name: str) -> None:
    calls = recorded().calls[name]
    before, after = calls["before"].copy(), calls["after"].copy()
    before["memory"] = after["memory"] = 0
    assert before.tobytes() == after.tobytes()


@every_name
def test_recorded_answers_are_legal(name: str) -> None:
    calls = recorded().calls[name]
    _assert_legal(calls["decision"], calls["before"], calls["answer"])


@pytest.mark.parametrize(
    ("spec", "count"), [*((name, 3_000) for name in MODULES), *((spec, 600) for spec in specs_at_the_ends())]
)
def test_answers_are_legal_in_positions_it_never_led_to(spec: str, count: int) -> None:
    decisions, views = _questions(count)
    asked = [int((decisions == decision).sum()) for decision in DECISIONS]
    assert min(asked) > count / 10
    answers, _ = _asked(spec, decisions, views)
    _assert_legal(decisions, views, answers)


@cache
def _questions(count: int) -> tuple[Array, Array]:
    """Return the decisions and the views, TURN_VIEW, of the questions of so many random positions."""
    questions = positions(count)
    views = np.array([np.array(question.view, TURN_VIEW) for question in questions], TURN_VIEW)
    return np.array([question.decision for question in questions]), views


def _asked(spec: str, decisions: Array, views: Array) -> tuple[Array, Array]:
    """Ask a player with compiled code; return its answers and what the views, TURN_VIEW, are after them."""
    player = bind(_spec(spec))
    mine = np.array(views, TURN_VIEW).view(np.recarray)
    mine["params"][:, : len(player.params)] = player.params
    hooks = {decision: getattr(player, decision) for decision in DECISIONS}
    answers = [int(hooks[decision](mine[place])) for place, decision in enumerate(decisions.tolist())]
    return np.array(answers), mine.view(np.ndarray)


def _assert_legal(decisions: Array, views: Array, answers: Array) -> None:
    """Require yes or no, or a card in hand that is not barred and, with a knock, leaves no more than the limit."""
    thrown = decisions == "choose_discard"
    assert np.isin(answers[~thrown], (0, 1)).all()
    views, cards = views[thrown], answers[thrown]
    assert ((cards >= 0) & (cards < N_CARDS)).all()
    masks = np.left_shift(np.uint64(1), cards.astype(np.uint64))
    assert (views["hand"] & masks).all()
    assert (cards != views["barred"]).all()
    knocks = views["knocking"] == 1
    rest = views["hand"] & ~masks
    assert (deadwood_many(rest[knocks]) <= views["knock_limit"][knocks]).all()


def _a_knock_over_the_limit(views: Array, answers: Array) -> Array:
    """Return the answers with the first knock that a worse card would spoil thrown with that card."""
    for place in np.flatnonzero(views["knocking"] == 1):
        hand, barred = int(views["hand"][place]), int(views["barred"][place])
        for card in cards_of(hand):
            if card != barred and deadwood_many([hand ^ 1 << card])[0] > views["knock_limit"][place]:
                answers[place] = card
                return answers
    raise AssertionError("no position has such a card")


WRONG: dict[str, Callable[[Array, Array], Array]] = {
    "a card not held": lambda views, answers: np.where(views["hand"] & np.uint64(1), answers, 0),
    "no card": lambda _, answers: np.full_like(answers, N_CARDS),
    "the card just taken": lambda views, answers: np.where(views["barred"] >= 0, views["barred"], answers),
    "a knock over the limit": _a_knock_over_the_limit,
}


@pytest.mark.parametrize("wrong", WRONG)
def test_illegal_answers_are_noticed(wrong: str) -> None:
    decisions, views = _questions(600)
    answers, _ = _asked("greedy", decisions, views)
    discards = decisions == "choose_discard"
    answers[discards] = WRONG[wrong](views[discards], answers[discards])
    with pytest.raises(AssertionError):
        _assert_legal(decisions, views, answers)


# --- the family of simple


@pytest.mark.parametrize(("spec", "twin"), [("threshold:knock_at=10", "simple"), ("threshold:knock_at=0", "gin-only")])
@pytest.mark.parametrize("opponent", ["greedy", "simple", "random"])
def test_ends_of_the_threshold_are_other_players_deal_for_deal(spec: str, twin: str, opponent: str) -> None:
    assert _played(spec, opponent, 60).digest() == _played(twin, opponent, 60).digest()
