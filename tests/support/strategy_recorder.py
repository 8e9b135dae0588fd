"""Every decision of every registered strategy, played and written down in plain Python.

Run as a program with ``NUMBA_DISABLE_JIT=1`` it plays every registered strategy against simple without compiled code
and asks it about some positions it need not have led to. It keeps the rows and, for each decision, the view before and
after the call and the answer. `recorded` starts it in a process of its own (some seconds) and reads what it wrote.
"""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from sim.decisions import BoundStrategy, param_kinds
from sim.match import block_kernel, line_up, new_desk
from sim.rows import DEAL_ROW, FINISHED, MATCH_ROW
from sim.rules import Rules
from sim.view import DECISIONS, TURN_VIEW
from strategies.registry import MODULES, bind, params_of, parse_spec, strategy_of
from tests.support.strategy_positions import positions

ROOT = Path(__file__).parents[2]
SEED = 11
ROOM = 2_000
"""Deal rows kept for a pair, more than any needs."""
POSITIONS = 40
"""Positions asked about besides: in a pair of its own a weak player may never be asked whether it knocks."""
CALL = np.dtype(
    [("decision", "U16"), ("answer", np.int64), ("before", TURN_VIEW), ("after", TURN_VIEW)],
)


class Pairing(NamedTuple):
    """One duplicate pair of two strategies: its MATCH_ROW and DEAL_ROW rows."""

    matches: npt.NDArray[Any]
    deals: npt.NDArray[Any]


class Recorded(NamedTuple):
    """What was played in plain Python: rows by (a, b), and each strategy's decisions, CALL of shape (calls,)."""

    pairings: dict[tuple[str, str], Pairing]
    calls: dict[str, npt.NDArray[Any]]


def specs_at_the_ends() -> list[str]:
    """Return every registered strategy with each parameter at either end of its range, where that is no default."""
    specs = []
    for name in MODULES:
        strategy = strategy_of(parse_spec(name))
        kinds, defaults = param_kinds(strategy.params), strategy.params._field_defaults
        for param, note in params_of(strategy).items():
            if kinds[param] is bool:
                specs.append(f"{name}:{param}={'no' if defaults[param] else 'yes'}")
            elif note:
                specs += [f"{name}:{param}={end:g}" for end in (note.low, note.high) if end != defaults[param]]
    return specs


def all_pairings() -> list[tuple[str, str]]:
    """Return the pairings that are recorded: every registered name against simple."""
    return [(name, "simple") for name in MODULES]


def play_pair(a: BoundStrategy, b: BoundStrategy, rules: Rules | None = None) -> Pairing:
    """Play one duplicate pair, compiled or not."""
    desk = new_desk(rules or Rules(), SEED, (a.params, b.params))
    matches, deals = (np.zeros(n, row).view(np.recarray) for n, row in ((2, MATCH_ROW), (ROOM, DEAL_ROW)))
    with np.errstate(over="ignore"):  # uint64 wraps on purpose
        state, done, used = block_kernel()(line_up(a, b), desk, 0, matches, deals, True)
    assert (state, done) == (FINISHED, 1)
    return Pairing(np.array(matches, MATCH_ROW), np.array(deals[:used], DEAL_ROW))


@cache
def recorded() -> Recorded:
    """Play in a process without compiled code and return what it wrote down."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "recorded.npz"
        environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-m", "tests.support.strategy_recorder", str(file)]
        subprocess.run(command, check=True, cwd=ROOT, env=environment)
        with np.load(file) as found:
            pairs = {(a, b): Pairing(found[f"matches {a} v {b}"], found[f"deals {a} v {b}"]) for a, b in all_pairings()}
            return Recorded(pairs, {name: found[f"calls {name}"] for name in MODULES})


def _recording(strategy: BoundStrategy, calls: list[tuple[Any, ...]]) -> BoundStrategy:
    """Return the strategy with decisions that write down what they are asked and what they answer."""

    def watched(decision: str) -> Callable[[Any], Any]:
        plain = getattr(strategy, decision)

        def ask(view: Any) -> Any:
            before = np.array(view, TURN_VIEW)
            answer = plain(view)
            calls.append((decision, int(answer), before, np.array(view, TURN_VIEW)))
            return answer

        return ask

    decisions: dict[str, Any] = {decision: watched(decision) for decision in DECISIONS}
    return dataclasses.replace(strategy, **decisions)


def _ask_about_positions(player: BoundStrategy) -> None:
    """Put the questions of random positions to a player."""
    for decision, view in positions(POSITIONS):
        mine = np.array([np.array(view, TURN_VIEW)]).view(np.recarray)[0]
        mine.params[: len(player.params)] = player.params
        getattr(player, decision)(mine)


def _record(file: Path) -> None:
    calls: dict[str, list[tuple[Any, ...]]] = {name: [] for name in MODULES}
    found: dict[str, npt.NDArray[Any]] = {}
    for a, b in all_pairings():
        # Only side A is written down: simple would be written down with every other player.
        player = _recording(bind(parse_spec(a)), calls[a])
        pairing = play_pair(player, bind(parse_spec(b)))
        _ask_about_positions(player)
        found |= {f"{table} {a} v {b}": rows for table, rows in zip(Pairing._fields, pairing, strict=True)}
    found |= {f"calls {name}": np.array(made, CALL) for name, made in calls.items()}
    np.savez(file, **found)  # type: ignore[arg-type]  # the stubs take the arrays for its one option


if __name__ == "__main__":
    _record(Path(sys.argv[1]))
