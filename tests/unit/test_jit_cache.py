"""Compiled code is found again by later processes, is never older than its sources, and plays like plain Python."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from sim import jit
from strategies.registry import bind, parse_spec
from tests.support.strategy_files import write_player
from tests.support.strategy_processes import ASK_FILE, NAME_VERSIONS, SOLVE_AND_SCORE, TINY_MATCH, Laboratory
from tests.support.strategy_recorder import all_pairings, play_pair, recorded
from tests.support.strategy_runs import plan_of, play

SIM = Path(jit.__file__).parent
KNOCK_UP_TO = "return view.deadwood <= LIMIT"


@pytest.fixture(scope="module")
def laboratory(tmp_path_factory: pytest.TempPathFactory) -> Laboratory:
    """Return a private copy of the simulator; the tests of this file share its cache."""
    return Laboratory.build(tmp_path_factory.mktemp("laboratory"))


EDITS = {
    "sim/melds.py": ("min(r + 1, 10) >> k & 1", "max(2, min(r + 1, 10)) >> k & 1"),
    "sim/layoff.py": ("if here < rank or", "if here > rank or"),
    "sim/sheet.py": ("+ rules.game_bonus", "+ rules.game_bonus + 7"),
}
"""One edit to each of three files whose functions are compiled into entries of other files."""
CHANGED = {"deadwood", "discard", "spread", "net"}


def test_edited_callee_is_compiled_anew_and_unedited_code_is_found_again(laboratory: Laboratory) -> None:
    first, files = _run_twice(laboratory, SOLVE_AND_SCORE)
    for file, edit in EDITS.items():
        laboratory.replace(file, *edit)
    edited = laboratory.run(SOLVE_AND_SCORE)
    assert edited == laboratory.run(SOLVE_AND_SCORE, compiled=False)
    assert {name for name, answer in edited.items() if answer != first[name]} == CHANGED
    more_files = laboratory.compiled_files()
    assert files.items() < more_files.items()
    for file, (old, new) in EDITS.items():
        laboratory.replace(file, new, old)
    assert laboratory.run(SOLVE_AND_SCORE) == first
    assert laboratory.compiled_files() == more_files


@pytest.mark.slow  # compiles the match kernel twice
def test_match_is_compiled_anew_when_a_callee_is_edited(laboratory: Laboratory) -> None:
    first, _ = _run_twice(laboratory, TINY_MATCH)
    assert first == laboratory.run(TINY_MATCH, compiled=False)
    ace_counts_two = EDITS["sim/melds.py"]
    laboratory.replace("sim/melds.py", *ace_counts_two)
    edited = laboratory.run(TINY_MATCH)
    assert edited != first
    assert edited == laboratory.run(TINY_MATCH, compiled=False)
    laboratory.replace("sim/melds.py", *reversed(ace_counts_two))
    assert laboratory.run(TINY_MATCH) == first


def _run_twice(laboratory: Laboratory, code: str) -> tuple[Any, dict[str, int]]:
    """Run code twice and check that the second process compiles nothing."""
    answers = laboratory.run(code)
    files = laboratory.compiled_files()
    assert files
    assert laboratory.run(code) == answers
    assert laboratory.compiled_files() == files
    return answers, files


def test_match_kernel_is_kept_in_the_folder_named_after_the_sources() -> None:
    assert jit.CACHE_DIR.name == jit.source_fingerprint(SIM)
    play(plan_of("greedy", "simple", pairs=1))
    assert list(jit.CACHE_DIR.rglob("match.play_block-*.nbc"))


@pytest.mark.parametrize("source", sorted(path.name for path in SIM.glob("*.py")))
def test_cache_folder_is_named_after_every_source_of_the_simulator(source: str, tmp_path: Path) -> None:
    for path in SIM.glob("*.py"):
        shutil.copy(path, tmp_path)
    before = jit.source_fingerprint(tmp_path)
    (tmp_path / source).write_text((tmp_path / source).read_text(encoding="utf-8") + "# edited\n", encoding="utf-8")
    assert jit.source_fingerprint(tmp_path) != before


def test_cache_folder_changes_with_a_new_or_renamed_source(tmp_path: Path) -> None:
    seen = {jit.source_fingerprint(tmp_path)}
    for name in ("a.py", "b.py"):
        (tmp_path / name).write_text("", encoding="utf-8")
        seen.add(jit.source_fingerprint(tmp_path))
    (tmp_path / "b.py").rename(tmp_path / "c.py")
    seen.add(jit.source_fingerprint(tmp_path))
    assert len(seen) == 4


@pytest.mark.slow  # editing a callee is the quick one
def test_edited_fingerprint_policy_is_compiled_anew(laboratory: Laboratory) -> None:
    ask = """
import json
from sim.batch import fingerprint
from sim.decisions import bind_strategy
from sim.view import make_view

class Answered(Exception):
    pass

def bind(policy, *version):
    player = bind_strategy(policy, *version)
    if policy is fingerprint.IMPROVER:
        raise Answered(bool(player.should_knock(make_view(deadwood=4))))
    return player

fingerprint.bind_strategy = bind
try:
    fingerprint.engine_fingerprint()
except Answered as answer:
    print(json.dumps(answer.args[0]))
"""
    assert laboratory.run(ask) is True
    laboratory.replace("sim/batch/fingerprint.py", "view.deadwood <= 5", "view.deadwood <= 3")
    knocks_with_four = laboratory.run(ask)
    laboratory.replace("sim/batch/fingerprint.py", "view.deadwood <= 3", "view.deadwood <= 5")
    assert knocks_with_four is False


# --- strategy files


def _up_to(limit: int) -> list[bool]:
    return [points <= limit for points in range(11)]


def test_strategy_file_is_found_compiled_by_the_next_process(laboratory: Laboratory, tmp_path: Path) -> None:
    path = str(write_player(tmp_path, "again", knock="return view.deadwood <= 4"))
    assert laboratory.run(ASK_FILE, path) == _up_to(4)
    files = laboratory.compiled_files()
    assert sum("again_" in name for name in files) == 3
    assert laboratory.run(ASK_FILE, path) == _up_to(4)
    assert laboratory.compiled_files() == files


def test_edited_strategy_file_is_compiled_anew(laboratory: Laboratory, tmp_path: Path) -> None:
    for limit in (4, 3):
        path = write_player(tmp_path, "edited", knock=f"return view.deadwood <= {limit}")
        assert laboratory.run(ASK_FILE, str(path)) == _up_to(limit)


@pytest.mark.parametrize("module", [pytest.param("edited_limit", marks=pytest.mark.slow), "edited_tools.limit"])
def test_strategy_is_compiled_anew_when_its_helper_is_edited(
    module: str, laboratory: Laboratory, tmp_path: Path
) -> None:
    path = write_player(tmp_path, "leaning", imports=f"from {module} import LIMIT", knock=KNOCK_UP_TO)
    helper = tmp_path.joinpath(*module.split(".")).with_suffix(".py")
    helper.parent.mkdir(exist_ok=True)
    helper.with_name("__init__.py").touch()
    for limit in (4, 3):
        helper.write_text(f"LIMIT = {limit}\n", encoding="utf-8")
        assert laboratory.run(ASK_FILE, str(path)) == _up_to(limit)


@pytest.mark.slow
def test_edited_project_strategy_gives_new_names_to_all_that_use_it(laboratory: Laboratory) -> None:
    before = laboratory.run(NAME_VERSIONS)
    laboratory.replace("strategies/simple.py", "KNOCK_AT = 10", "KNOCK_AT = 2")
    after = laboratory.run(NAME_VERSIONS)
    laboratory.replace("strategies/simple.py", "KNOCK_AT = 2", "KNOCK_AT = 10")
    users = {"gin-only", "linear", "simple", "threshold", "threshold-by-columns", "threshold-by-turn"}
    assert {name for name in before if after[name] != before[name]} == users
    assert laboratory.run(NAME_VERSIONS) == before


# --- without compiled code


@pytest.mark.parametrize(
    ("a", "b"), [pytest.param(*pair, marks=[pytest.mark.slow] * (pair[0] == "apex")) for pair in all_pairings()]
)
def test_plain_python_plays_the_same_rows_as_compiled_code(a: str, b: str) -> None:
    compiled = play_pair(bind(parse_spec(a)), bind(parse_spec(b)))
    plain = recorded().pairings[a, b]
    assert compiled.matches.tobytes() == plain.matches.tobytes()
    assert compiled.deals.tobytes() == plain.deals.tobytes()


def test_part_is_played_without_compiled_code_too(laboratory: Laboratory) -> None:
    part = """
import json
from sim.batch.plan import Plan
from sim.batch.runner import Watch, play_part
from sim.rules import Rules
from strategies.registry import bind, parse_side

sides = parse_side("greedy", partners=False), parse_side("simple", partners=False)
plan = Plan(sides, ((0, 1),), Rules(), "hollywood", 8, 2, "deals")
(part,) = plan.parts()
print(json.dumps(play_part(plan, part, bind, Watch()).deals["points"].tolist()))
"""
    compiled = play(plan_of("greedy", "simple", pairs=2, seed=8)).deals["points"].tolist()
    assert laboratory.run(part, compiled=False) == compiled


def test_solver_and_sheet_answer_without_compiled_code_too(laboratory: Laboratory) -> None:
    assert laboratory.run(SOLVE_AND_SCORE, compiled=False) == laboratory.run(SOLVE_AND_SCORE)
