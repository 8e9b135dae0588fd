"""Questions to one player in positions built by hand, and its answers with and without compiled code.

Run as a program with ``NUMBA_DISABLE_JIT=1`` it prints what a strategy's file answers in random positions in plain
Python; `plain_answers` starts it in a process of its own.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from sim.api import BoundStrategy, after_discard, bit, deadwood, format_card, make_view, parse_card, parse_hand
from sim.view import TURN_VIEW
from strategies.registry import bind, parse_spec
from tests.support.strategy_positions import positions

ROOT = Path(__file__).parents[2]
COMMON: dict[str, object] = {"knock_limit": 10, "target": 100, "stock_cards": 20, "turn": 9, "their_needs": [0, 1, 2]}
"""An ordinary deal in its ninth turn, the player's fifth."""


class Answer(NamedTuple):
    """What a player answered, and its memory afterwards."""

    decision: str
    answer: int
    memory: list[int]


class Player:
    """A strategy's file, compiled, that answers questions; `settings` such as ``knock_threshold=0``."""

    def __init__(self, module: ModuleType, **settings: object) -> None:
        given = ",".join(f"{name}={value}" for name, value in settings.items())
        self._bound = bind(parse_spec(f"{module.__file__}:{given}" if given else str(module.__file__)))

    def takes(self, view: Any) -> bool:
        """Tell whether it takes the upcard."""
        return bool(ask(self._bound, "take_upcard", view))

    def throws(self, view: Any) -> str:
        """Return the card it throws, as text."""
        return format_card(ask(self._bound, "choose_discard", view))

    def knocks(self, view: Any) -> bool:
        """Tell whether it knocks."""
        return bool(ask(self._bound, "should_knock", view))


def ask(player: BoundStrategy, decision: str, view: Any) -> int:
    """Ask a bound strategy; the view gets its parameters, and its memory may change."""
    view.params[: len(player.params)] = player.params
    return int(getattr(player, decision)(view))


def at_draw(hand: str, upcard: str, /, **fields: object) -> Any:
    """Return what a player sees who holds these ten cards and may take the upcard."""
    mask, card = parse_hand(hand), parse_card(upcard)
    assert mask.bit_count() == 10
    assert not mask >> card & 1
    return make_view(**COMMON | {"hand": mask, "deadwood": deadwood(mask), "upcard": card, "pile": bit(card)} | fields)


def at_discard(hand: str, barred: str = "", /, **fields: object) -> Any:
    """Return what a player sees who holds these eleven cards; `barred` is the upcard he has just taken."""
    mask = parse_hand(hand)
    assert mask.bit_count() == 11
    left, best = after_discard(mask, parse_hand(barred))
    seen = COMMON | {"hand": mask, "deadwood": left, "best_discards": best} | fields
    if barred:
        seen |= {"drawn": parse_card(barred), "barred": parse_card(barred)}
    return make_view(**seen)


def answers(file: str, count: int) -> list[Answer]:
    """Ask a strategy's file about so many random positions."""
    player, found = bind(parse_spec(file)), []
    for decision, view in positions(count):
        own = np.array([view], TURN_VIEW).view(np.recarray)[0]
        answer = ask(player, decision, own)
        found.append(Answer(decision, answer, own.memory.tolist()))
    return found


def plain_answers(file: str, count: int) -> list[Answer]:
    """Ask the same without compiled code, in a process of its own."""
    command = [sys.executable, "-m", "tests.support.player_questions", file, str(count)]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, check=True, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)
    return [Answer(*answer) for answer in json.loads(done.stdout)]


def assert_compiled_answers_are_the_plain_ones(module: ModuleType, count: int = 800) -> None:
    """Compare both in random positions, knocks among them."""
    file = str(module.__file__)
    compiled = answers(file, count)
    assert compiled == plain_answers(file, count)
    assert {answer.decision for answer in compiled} == {"take_upcard", "choose_discard", "should_knock"}


if __name__ == "__main__":
    print(json.dumps(answers(sys.argv[1], int(sys.argv[2]))))
