"""The contract of every registered strategy; a new one passes it by being listed in `strategies.registry`."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path
from typing import Any, get_type_hints

import numpy as np
import numpy.typing as npt
import pytest

import strategies
from sim.api import deadwood
from sim.batch import plan as plans
from sim.view import DECISIONS, TURN_VIEW, TurnView
from strategies.registry import MODULES, about, bind, params_of, parse_spec, strategy_of
from tests.support.strategy_positions import positions
from tests.support.strategy_recorder import recorded, registered_specs
from tests.support.strategy_runs import Rows, files_in, part_lines, plan_of, play, run_into

every_name = pytest.mark.parametrize("name", MODULES)
every_spec = pytest.mark.parametrize("spec", registered_specs())

RULES: dict[str, dict[str, object]] = {
    "straight gin, big gin": {"knock_limit": 0, "big_gin": 31},
    "oklahoma": {"knock_limit": "upcard", "spade_doubles": True},
    "throwing back, short deals": {"throw_back": True, "turn_cap": 12, "columns": 1},
    "big gin": {"big_gin": 50, "tie": "knocker"},
}
"""Rules under which the questions differ from those of the preset."""


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
    assert strategy_of(parse_spec(name)).name == name


# --- what a reader finds


@every_name
def test_file_says_how_it_plays_and_cites_its_source(name: str) -> None:
    strategy, module = strategy_of(parse_spec(name)), importlib.import_module(MODULES[name])
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
        assert getattr(strategy_of(parse_spec(name)), decision).__doc__


@every_name
def test_parameters_have_a_meaning_a_unit_and_a_default_inside_their_range(name: str) -> None:
    strategy = strategy_of(parse_spec(name))
    defaults: dict[str, float] = strategy.params._field_defaults
    for param, note in params_of(strategy).items():
        assert note is not None, f"{param} has no Param(low, high, unit, meaning)"
        assert note.low <= defaults[param] <= note.high
        assert note.low < note.high
        assert note.meaning


def test_view_has_no_field_but_those_a_player_may_see() -> None:
    assert TURN_VIEW.names == (*get_type_hints(TurnView), "params")


# --- how it plays


@every_spec
def test_plays_legally_against_greedy_and_itself(spec: str) -> None:
    for opponent in ("greedy", spec):
        rows = play(plan_of(spec, opponent, pairs=150))
        assert len(rows.matches) == 300
        assert (rows.matches["column_winner"] < 2).all()
        assert len(rows.deals) == rows.matches["deals_played"].sum()


@every_spec
@pytest.mark.parametrize("options", RULES.values(), ids=RULES)
def test_plays_legally_under_other_rules(spec: str, options: dict[str, object]) -> None:
    rows = play(plan_of(spec, "greedy", pairs=10, options=options))
    assert len(rows.matches) == 20


@every_spec
def test_splits_every_pair_against_itself(spec: str) -> None:
    winners = play(plan_of(spec, spec, pairs=50)).matches["match_winner"].reshape(-1, 2)
    assert (winners.sum(axis=1) == 1).all()


@every_spec
def test_plays_the_same_again_and_differently_under_another_seed(spec: str) -> None:
    first, again, other = (play(plan_of(spec, "greedy", seed=seed)) for seed in (1, 1, 2))
    assert first.digest() == again.digest()
    assert first.digest() != other.digest()


@every_spec
def test_plays_the_same_on_one_thread_and_on_two(spec: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plans, "PART_PAIRS", 16)
    plan = plan_of(spec, "greedy", pairs=40)
    one, two = tmp_path / "one", tmp_path / "two"
    run_into(one, plan, threads=1)
    run_into(two, plan, threads=2)
    parts = [file for file in files_in(one) if file.endswith(".parquet")]
    assert len(parts) == 2 * 3
    for file in parts:
        assert (one / file).read_bytes() == (two / file).read_bytes()
    assert [line["tally"] for line in part_lines(one)] == [line["tally"] for line in part_lines(two)]


# --- its answers


@every_name
def test_compiled_answers_equal_those_of_plain_python(name: str) -> None:
    strategy, calls = bind(parse_spec(name)), recorded().calls[name]
    assert len(calls) > 2_000
    assert set(calls["decision"]) == set(DECISIONS)
    for call in calls:
        view = _view(call["before"])
        answer = getattr(strategy, str(call["decision"]))(view)
        assert int(answer) == call["answer"]
        assert np.array(view, TURN_VIEW).tobytes() == call["after"].tobytes()


@every_name
def test_writes_nothing_into_the_view_but_its_memory(name: str) -> None:
    calls = recorded().calls[name]
    before, after = calls["before"].copy(), calls["after"].copy()
    before["memory"] = after["memory"] = 0
    assert before.tobytes() == after.tobytes()


@every_name
def test_recorded_discards_are_legal(name: str) -> None:
    for call in recorded().calls[name]:
        _assert_legal(str(call["decision"]), call["before"], int(call["answer"]))


@every_spec
def test_answers_are_legal_in_positions_it_never_led_to(spec: str) -> None:
    strategy = bind(parse_spec(spec))
    asked = dict.fromkeys(DECISIONS, 0)
    for decision, view in positions(3_000):
        mine = _view(np.array(view, TURN_VIEW))
        mine.params[: len(strategy.params)] = strategy.params
        answer = getattr(strategy, decision)(mine)
        _assert_legal(decision, view, int(answer))
        asked[decision] += 1
    assert min(asked.values()) > 300


def _view(record: npt.NDArray[np.void] | np.void) -> Any:
    """Return a copy of a view record that a strategy may be asked with."""
    return np.array([record], TURN_VIEW).view(np.recarray)[0]


def _assert_legal(decision: str, view: Any, answer: int) -> None:
    if decision != "choose_discard":
        assert answer in (0, 1)
        return
    hand = int(view["hand"])
    assert 0 <= answer < 52
    assert hand >> answer & 1
    assert answer != view["barred"]
    if view["knocking"]:
        assert deadwood(hand & ~(1 << answer)) <= view["knock_limit"]


# --- the family of simple


@pytest.mark.parametrize(("spec", "twin"), [("threshold:knock_at=10", "simple"), ("threshold:knock_at=0", "gin-only")])
@pytest.mark.parametrize("opponent", ["greedy", "simple", "random"])
def test_ends_of_the_threshold_are_other_players_deal_for_deal(spec: str, twin: str, opponent: str) -> None:
    def played(player: str) -> Rows:
        return play(plan_of(player, opponent, pairs=60))

    assert played(spec).digest() == played(twin).digest()
