"""Strategy files with modules beside them: second starts, parameters, relative imports, and what they may not do."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from experiments.simulate import Request, make_plan
from sim.batch.runner import RunFailed, Watch, play_part
from strategies.registry import StrategyError, bind, effective_params, file_of, parse_spec, strategy_of
from tests.support.strategy_runs import plan_of, play

TOOLS = """
from typing import Annotated, NamedTuple
from sim.api import Param, helper

class Params(NamedTuple):
    knock_at: Annotated[int, Param(0, 10, "points", "knock at or below")] = 3

@helper
def low(deadwood, limit):
    return deadwood <= limit
"""
BOT = '''"""Low.

Source: a test.
"""
from sim.api import Strategy
from strategies.greedy import choose_discard, take_upcard
from {tools} import Params, low

def should_knock(view, p):
    return low(view.deadwood, p.knock_at)

STRATEGY = Strategy("low", "knocks low", "a test", take_upcard, choose_discard, should_knock, Params)
'''


def write_bot(folder: Path, tools: str = "tools") -> Path:
    """Write a strategy with its tools beside it; `tools` is how it imports them."""
    (folder / "tools.py").write_text(TOOLS, encoding="utf-8")
    bot = folder / "low.py"
    bot.write_text(BOT.format(tools=tools), encoding="utf-8")
    return bot


@pytest.mark.parametrize("tools", ["tools", ".tools"])
def test_parameters_and_helpers_may_live_in_a_module_beside_the_file(tools: str, tmp_path: Path) -> None:
    spec = parse_spec(f"{write_bot(tmp_path, tools)}:knock_at=4")
    assert effective_params(spec) == {"knock_at": 4}
    assert [name for name, _ in spec.sources] == ["low.py", "strategies/greedy.py", "tools.py"]
    assert bind(spec).params == (4.0,)


@pytest.mark.slow
def test_helper_in_a_module_beside_the_file_is_found_compiled_by_later_processes(tmp_path: Path) -> None:
    bot = write_bot(tmp_path)
    for start in range(3):
        out = tmp_path / f"run{start}"
        run = [sys.executable, "-m", "cli.main", "simulate", str(bot), "greedy", "--pairs", "2", "--out", str(out)]
        done = subprocess.run(run, capture_output=True, text=True, cwd=Path(__file__).parents[2], check=False)
        assert done.returncode == 0, done.stderr


def test_project_strategy_plays_by_its_path_too() -> None:
    by_path, by_name = (plan_of(player, "simple", pairs=3) for player in (str(file_of("greedy")), "greedy"))
    assert play(by_path).digest() == play(by_name).digest()


def test_builtin_strategy_runs_from_the_source_its_spec_carries() -> None:
    spec = parse_spec("greedy")
    ((name, text),) = spec.sources
    timid = text.replace("return True", "return view.deadwood == 0")
    changed = type(spec)("greedy", (), "0123456789ab", ((name, timid),))
    assert strategy_of(changed).should_knock.__code__.co_code != strategy_of(spec).should_knock.__code__.co_code


LEAVES_ITS_VIEW = """
import numpy as np
from sim.api import Strategy
from strategies.greedy import choose_discard, take_upcard

def should_knock(view, p):
    {what}
    return True

STRATEGY = Strategy("leaves", "reads past its view", "a test", take_upcard, choose_discard, should_knock)
"""


@pytest.mark.parametrize("what", ["return view.memory[16] > np.uint64(0)", "view.memory[8] = np.uint64(1)"])
def test_reading_or_writing_past_the_view_stops_the_run(what: str, tmp_path: Path) -> None:
    file = tmp_path / "leaves.py"
    file.write_text(LEAVES_ITS_VIEW.format(what=what), encoding="utf-8")
    plan = plan_of(str(file), "greedy", pairs=2)
    with pytest.raises(RunFailed, match="IndexError"):
        play_part(plan, next(plan.parts()), bind, Watch())


@pytest.mark.parametrize(
    "players",
    [
        ("greedy", "simple", "greedy"),
        ("threshold:knock_at=5", "threshold:knock_at=05", "greedy"),
        ("threshold", "threshold:knock_at=5", "greedy"),
    ],
)
def test_player_who_takes_part_twice_in_a_round_robin_is_refused(players: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="the same player"):
        make_plan(Request(players, pairs=1))


def test_match_that_does_not_end_is_given_up_before_its_rows_overflow() -> None:
    options = {"target": 10_000, "turn_cap": 2, "knock_limit": 7}
    plan = plan_of("greedy", "simple", pairs=1, detail="matches", seed=1, options=options)
    with pytest.raises(RunFailed, match=r"not over after 65,000 deals"):
        play_part(plan, next(plan.parts()), bind, Watch())


@pytest.mark.parametrize("name", ["a/b", "", "x" * 41, " x"])
def test_strategy_name_that_cannot_name_a_file_is_refused(name: str, tmp_path: Path) -> None:
    file = tmp_path / "named.py"
    text = LEAVES_ITS_VIEW.format(what="pass").replace('"leaves"', repr(name))
    file.write_text(text, encoding="utf-8")
    with pytest.raises(StrategyError, match="no strategy name"):
        parse_spec(str(file))
