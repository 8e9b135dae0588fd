"""Wrapped players: what each layer is told, how they are compiled and kept, and how their runs are read back."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from sim.api import BoundStrategy, Layer, StrategySpec, Wrapper, bind_layers, make_view
from sim.batch.spec import read_plan
from sim.decisions import CompileError
from sim.replay import replay_pair
from strategies.registry import MODULES, WRAPPERS, bind, layers_of, parse_spec
from tests.support.player_questions import ask
from tests.support.strategy_files import write_player
from tests.support.strategy_processes import ASK_FILE, Laboratory
from tests.support.strategy_recorder import ROOT
from tests.support.strategy_runs import plan_of, play, run_into
from tests.support.wrapper_files import WRAPPED, questions, write_probe, write_wrapper

QUICK = ("gin-only", "simple", "princeton")
"""Players with and without parameters and memory; wrapped, the others take a minute to compile."""
every_base = pytest.mark.parametrize(
    "base", [base if base in QUICK else pytest.param(base, marks=pytest.mark.slow) for base in MODULES]
)


@pytest.fixture(scope="module")
def laboratory(tmp_path_factory: pytest.TempPathFactory) -> Laboratory:
    """Return a private copy of the simulator; the tests of this file share its cache."""
    return Laboratory.build(tmp_path_factory.mktemp("laboratory"))


# --- the answer passed in


@pytest.fixture(scope="module")
def turner(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a wrapper that turns every answer round, or, told ``turn=no``, none: compiled once for both tests."""
    return write_wrapper(
        tmp_path_factory.mktemp("wrapper"),
        "turns_round",
        take="return (answer != 0) != p.turn",
        discard="return 51 - answer if p.turn else answer",
        knock="return (answer != 0) != p.turn",
        fields=["turn: bool = True"],
    )


@every_base
def test_answer_passed_in_is_that_of_the_player_alone(base: str, turner: Path) -> None:
    alone, wrapped = bind(parse_spec(base)), bind(parse_spec(f"{base}+{turner}"))
    for (decision, one), (_, other) in zip(questions(250), questions(250), strict=True):
        answer = ask(alone, decision, one)
        assert ask(wrapped, decision, other) == (51 if decision == "choose_discard" else 1) - answer
        assert one.memory.tolist() == other.memory.tolist()


RULES: list[dict[str, object]] = [
    {},
    {"columns": 1, "undercut_bonus": 25, "next_dealer": "alternate"},
    {"knock_limit": "upcard", "spade_doubles": True, "big_gin": 31},
]


@every_base
def test_wrapper_that_changes_nothing_plays_the_rows_of_the_player_alone(base: str, turner: Path) -> None:
    for options in RULES:
        players = (base, f"{base}+{turner}:turn=no")
        alone, wrapped = (play(plan_of(player, "simple", pairs=2, options=options)) for player in players)
        assert alone.digest() == wrapped.digest()


def test_wrappers_are_asked_from_the_inside_out(tmp_path: Path) -> None:
    base = write_player(tmp_path, "three", discard="return 3")
    doubles = write_wrapper(tmp_path, "doubles", discard="return answer * 2")
    adds = write_wrapper(tmp_path, "adds_one", discard="return answer + 1")
    found = [
        ask(bind(parse_spec(f"{base}+{a}+{b}")), "choose_discard", make_view())
        for a, b in ((doubles, adds), (adds, doubles))
    ]
    assert found == [7, 8]


def test_columns_off_the_sheet_are_closed_in_every_view(tmp_path: Path) -> None:
    told = """for needs in (view.my_needs, view.their_needs):
        if needs[0] != 0 or needs[1] != -1 or needs[2] != -1:
            return 99
    return answer"""
    wrap = write_wrapper(tmp_path, "one_column", discard=told)
    assert len(play(plan_of(f"greedy+{wrap}", "simple", pairs=5, options={"columns": 1})).matches) == 10
    with pytest.raises(RuntimeError, match="99"):
        play(plan_of(f"greedy+{wrap}", "simple", pairs=1))


# --- parameters

KINDS = ("int", "float", "bool")


@pytest.mark.parametrize(
    "counts",
    [
        (8, 0, 8),
        (0, 8, 8, 8),
        *(pytest.param(counts, marks=pytest.mark.slow) for counts in ((0, 8), (3, 5, 2), (1, 0, 0, 1), (8, 8, 8))),
    ],
)
def test_every_layer_sees_its_own_parameters(counts: tuple[int, ...], tmp_path: Path) -> None:
    kinds = [[KINDS[(place + at) % 3] for at in range(count)] for place, count in enumerate(counts)]
    digits = [[1 if k == "bool" else (2 * place + at) % 5 for at, k in enumerate(ks)] for place, ks in enumerate(kinds)]
    paths = [write_probe(tmp_path, f"probe_{i}_{len(ks)}", ks, wraps=i > 0) for i, ks in enumerate(kinds)]
    spec = parse_spec("+".join(map(str, paths)))
    layers = [
        Layer(layer.player, dict(zip(layer.player.params._fields, own, strict=True)))
        for layer, own in zip(layers_of(spec), digits, strict=True)
    ]
    player, flat = bind_layers(layers, spec.sha, spec.text), [digit for own in digits for digit in own]
    assert player.params == tuple(map(float, flat))
    assert ask(player, "choose_discard", make_view()) == int("".join(map(str, flat)), 5)


@pytest.mark.parametrize("counts", [(8, 8, 8, 8), (8, 8, 8, 1)])
def test_more_parameters_than_there_is_room_for_are_refused(counts: tuple[int, ...], tmp_path: Path) -> None:
    paths = [write_probe(tmp_path, f"probe_{i}_{n}", ["int"] * n, wraps=i > 0) for i, n in enumerate(counts)]
    with pytest.raises(ValueError, match="parameters in all its layers") as caught:
        bind(parse_spec("+".join(map(str, paths))))
    assert "\n" not in str(caught.value)


def test_as_many_parameters_as_there_is_room_for_are_accepted(tmp_path: Path) -> None:
    paths = [write_probe(tmp_path, f"probe_{i}_{n}", ["int"] * n, wraps=i > 0) for i, n in enumerate((8, 8, 1, 1))]
    assert len(bind(parse_spec("+".join(map(str, paths)))).params) == 18


@pytest.mark.slow
def test_many_wrappers_of_long_names_are_compiled(tmp_path: Path) -> None:
    names = [write_wrapper(tmp_path, f"{'w' * 39}{place}") for place in range(7)]
    assert bind(parse_spec("+".join(["greedy", *map(str, names)]))).params == ()


@pytest.mark.parametrize("broken", ["take_upcard", "choose_discard", "should_knock"])
def test_hook_of_a_wrapper_takes_view_parameters_and_answer(broken: str) -> None:
    def hook(view: object, p: object, answer: int) -> int:
        return answer

    def short(view: object, p: object) -> int:
        return 0

    hooks = dict.fromkeys(("take_upcard", "choose_discard", "should_knock"), hook) | {broken: short}
    with pytest.raises(TypeError, match=f"{broken} must take three arguments, view, p and answer"):
        Wrapper(name="short", summary="", source="", **hooks)  # type: ignore[arg-type]  # one is wrong on purpose


def test_line_that_cannot_be_compiled_is_told_with_the_wrappers_file(tmp_path: Path) -> None:
    wrap = write_wrapper(tmp_path, "no_such_field", knock="return view.secret > 0")
    with pytest.raises(CompileError, match=r"no_such_field\.py:\d+: should_knock cannot be compiled") as caught:
        bind(parse_spec(f"greedy+{wrap}"))
    assert "\n" not in str(caught.value)


# --- the disk cache

COUNT_MISSES = """
import json, sys, time
from sim.view import DECISIONS
from strategies.registry import bind, parse_spec
found = {}
for text in sys.argv[1:]:
    spec = parse_spec(text)
    began = time.perf_counter()
    player = bind(spec)
    took = time.perf_counter() - began
    stats = [getattr(player, decision).stats for decision in DECISIONS]
    misses, hits = (sum(sum(getattr(s, name).values()) for s in stats) for name in ("cache_misses", "cache_hits"))
    found[text] = [misses, hits, took]
print(json.dumps(found))
"""
"""Binds players and prints how many decisions of each were compiled, how many loaded, and the seconds it took."""


@pytest.mark.slow
def test_second_process_loads_every_player_and_wrapper_without_compiling() -> None:
    texts = [*MODULES, *WRAPPED]
    for text in texts:
        bind(parse_spec(text))
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-W", "ignore", "-c", COUNT_MISSES, *texts]
    done = subprocess.run(command, check=True, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)
    assert {text: counts[:2] for text, counts in json.loads(done.stdout).items()} == {text: [0, 3] for text in texts}


def _up_to(limit: int) -> list[bool]:
    return [points <= limit for points in range(11)]


def test_edited_file_of_a_wrapper_or_of_the_player_inside_is_compiled_anew(
    laboratory: Laboratory, tmp_path: Path
) -> None:
    for inner, outer in ((6, 2), (6, 3), (4, 3)):
        base = write_player(tmp_path, "inside", knock=f"return view.deadwood == {inner}")
        wrap = write_wrapper(tmp_path, "outside", knock=f"return answer or view.deadwood <= {outer}")
        told = laboratory.run(ASK_FILE, f"{base}+{wrap}")
        assert told == [points <= outer or points == inner for points in range(11)]
    files = laboratory.compiled_files()
    assert laboratory.run(ASK_FILE, f"{base}+{wrap}") == told
    assert laboratory.compiled_files() == files


@pytest.mark.slow
def test_edited_helper_of_a_wrapper_is_noticed(laboratory: Laboratory, tmp_path: Path) -> None:
    knock = "return view.deadwood <= LIMIT"
    wrap = write_wrapper(tmp_path, "leaning", imports="from lean_limit import LIMIT", knock=knock)
    for limit in (4, 3):
        (tmp_path / "lean_limit.py").write_text(f"LIMIT = {limit}\n", encoding="utf-8")
        assert laboratory.run(ASK_FILE, f"greedy+{wrap}") == _up_to(limit)


def test_two_players_of_one_name_and_the_same_sources_together_are_kept_apart(tmp_path: Path) -> None:
    knocks = {"first": "return view.deadwood <= 2", "second": "return view.deadwood <= 8"}
    for name, knock in knocks.items():
        path = write_player(tmp_path, name, knock=knock)
        path.write_text(path.read_text("utf-8").replace(f'name="{name}"', 'name="same"'), encoding="utf-8")
    wrap = write_wrapper(tmp_path, "leans_on_both", imports="import first, second")
    asked = [_knocks_with_five(bind(parse_spec(f"{tmp_path / name}.py+{wrap}"))) for name in knocks]
    assert asked == [False, True]


def _knocks_with_five(player: BoundStrategy) -> bool:
    return bool(ask(player, "should_knock", make_view(deadwood=5, knock_limit=10)))


# --- runs


def _bound_anew(spec: StrategySpec) -> BoundStrategy:
    return bind_layers(layers_of(spec), spec.sha, spec.text)


def test_run_keeps_both_sources_and_is_replayed_from_them(tmp_path: Path) -> None:
    base = write_player(tmp_path, "kept_inside", knock="return view.deadwood <= 8")
    wrap = write_wrapper(
        tmp_path, "kept_outside", knock="return answer and view.deadwood <= p.x", fields=["x: int = 9"]
    )
    plan = plan_of(f"{base}+{wrap}:x=5", "greedy+on-schneid", pairs=2)
    run_into(tmp_path / "run", plan)
    kept = {file.name for file in (tmp_path / "run" / "strategies" / plan.strategies[0].sha).iterdir()}
    assert kept == {"kept_inside.py", "kept_outside.py"}
    base.unlink()
    wrap.unlink()
    again = read_plan(tmp_path / "run")
    assert again == plan
    stories = replay_pair(again.rules, again.seed, 0, [_bound_anew(spec) for spec in again.strategies])
    rows = play(plan).deals
    told = [deal.row for story in stories for deal in story.deals]
    assert [row.tobytes() for row in told if row is not None] == [row.tobytes() for row in rows[: len(told)]]


def test_table_of_wrappers_is_apart_from_that_of_strategies() -> None:
    assert not set(WRAPPERS) & set(MODULES)
