"""Every registered wrapper, around two different strategies, plays legally, compiled and in plain Python alike."""

from __future__ import annotations

import ast
import hashlib
import importlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import strategies
from experiments.simulate import Request, make_plan
from sim.api import Wrapper, deadwood
from sim.view import DECISIONS
from strategies.registry import WRAPPERS, about, bind, layers_of, params_of, parse_spec
from tests.support.player_questions import ask
from tests.support.strategy_recorder import ROOT, play_pair
from tests.support.strategy_runs import play
from tests.support.wrapper_files import WRAPPED, questions

every_wrapper = pytest.mark.parametrize("name", WRAPPERS)
# Compiling all of them takes minutes; these two differ most: one keeps a memory, one none.
every_base = pytest.mark.parametrize("base", ["simple", pytest.param("greedy", marks=pytest.mark.slow)])

RULES: dict[str, tuple[str, dict[str, object]]] = {
    "hollywood": ("hollywood", {}),
    "one column": ("eaai", {}),
    "oklahoma, big gin": ("hollywood-oklahoma", {"big_gin": 31}),
    "columns close by player": ("hollywood-003", {}),
    "gin only": ("hollywood-straight", {}),
    "partnership": ("partnership", {}),
    "three-handed": ("three-handed", {}),
}
OPPONENTS = {"three-handed": ("greedy", "simple")}


# --- the table


def wrapper_of(name: str) -> Wrapper:
    player = layers_of(parse_spec(f"greedy+{name}"))[1].player
    assert isinstance(player, Wrapper)
    return player


def test_every_wrapper_file_is_listed_under_its_own_name() -> None:
    folder = Path(strategies.__file__).parent
    found = {f"strategies.{file.stem}" for file in folder.glob("*.py") if _defines_a_wrapper(file)}
    assert found == set(WRAPPERS.values())
    assert [wrapper_of(name).name for name in WRAPPERS] == list(WRAPPERS)


def _defines_a_wrapper(file: Path) -> bool:
    assigned = [node for node in ast.parse(file.read_text(encoding="utf-8")).body if isinstance(node, ast.Assign)]
    return any(isinstance(t, ast.Name) and t.id == "WRAPPER" for node in assigned for t in node.targets)


@every_wrapper
def test_file_says_how_the_wrapper_plays_and_cites_its_source(name: str) -> None:
    wrapper, module = wrapper_of(name), importlib.import_module(WRAPPERS[name])
    assert module.__doc__
    assert "Source:" in module.__doc__
    assert about(wrapper) == module.__doc__.strip()
    assert 0 < len(wrapper.summary) <= 80
    assert all(getattr(wrapper, decision).__doc__ for decision in DECISIONS)


@every_wrapper
def test_wrapper_parameters_have_a_meaning_a_unit_and_a_default_inside_their_range(name: str) -> None:
    wrapper = wrapper_of(name)
    for param, note in params_of(wrapper).items():
        assert note is not None
        assert note.meaning
        assert note.unit
        assert note.low <= wrapper.params._field_defaults[param] <= note.high


# --- legal play


@every_base
@pytest.mark.parametrize(("preset", "options"), RULES.values(), ids=RULES)
def test_wrapped_player_plays_legally(base: str, preset: str, options: dict[str, object]) -> None:
    for wrapper in WRAPPERS:
        players = (f"{base}+{wrapper}", *OPPONENTS.get(preset, ("greedy",)))
        plan = make_plan(Request(players, pairs=2, rules=preset, options=options, seed=7, detail="matches"))
        matches = play(plan).matches
        assert len(matches) == 2 * plan.rules.legs
        assert (matches["deals_played"] > 0).all()


@every_base
def test_all_wrappers_around_one_another_play_legally(base: str) -> None:
    for layers in ("+".join(WRAPPERS), "+".join(reversed(WRAPPERS))):
        plan = make_plan(Request((f"{base}+{layers}", "greedy"), pairs=2, seed=7))
        assert len(play(plan).matches) == 4


@pytest.mark.parametrize("spec", WRAPPED)
def test_answers_of_a_wrapped_player_are_legal_under_any_sheet(spec: str) -> None:
    player, asked = bind(parse_spec(spec)), dict.fromkeys(DECISIONS, 0)
    for decision, view in questions(200):
        answer = ask(player, decision, view)
        asked[decision] += 1
        if decision != "choose_discard":
            assert answer in (0, 1)
            continue
        assert int(view.hand) >> answer & 1
        assert answer != view.barred
        assert not view.knocking or deadwood(int(view.hand) & ~(1 << answer)) <= view.knock_limit
    assert min(asked.values()) > 20


# --- without compiled code

PLAYED = [f"{base}+{wrapper}" for wrapper in WRAPPERS for base in ("greedy", "threshold:knock_at=0")]
PLAYED += ["heuristic:knock_threshold=1+on-schneid:k=1+safe-count:low=9+score-shift:third_weight=2"]


def digests() -> list[str]:
    """Return a checksum of the rows of one duplicate pair of each of the `PLAYED` against simple."""
    simple = bind(parse_spec("simple"))
    pairings = [play_pair(bind(parse_spec(spec)), simple) for spec in PLAYED]
    return [hashlib.sha256(rows.matches.tobytes() + rows.deals.tobytes()).hexdigest() for rows in pairings]


@pytest.mark.slow
def test_wrapped_players_play_the_same_rows_without_compiled_code() -> None:
    code = "import json; from tests.strategies.test_wrapped_players import digests; print(json.dumps(digests()))"
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
    )
    assert json.loads(done.stdout) == digests()
    assert len(set(digests())) == len(PLAYED)
