"""The check of a player: what it finds in a good one, and how it catches each way to break the contract."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from experiments import check as checking
from experiments.check import DEALS, SLOW_DEALS, Finding, check
from sim.decisions import CompileError
from tests.support.strategy_files import BAD_HABITS, write_bad_player, write_player

ROOT = Path(__file__).parents[2]
PARTS = ["compiles", "legal", "repeatable", "plain Python", "no peeking", "speed"]


@pytest.fixture
def few_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a player be legal in few deals, where another part of the contract is tested."""
    monkeypatch.setattr(checking, "DEALS", 300)


def _found(player: Path | str) -> dict[str, Finding]:
    return {finding.name: finding for finding in check(str(player))}


def _failed(found: dict[str, Finding]) -> set[str]:
    return {name for name, finding in found.items() if not finding.passed}


# --- a player that keeps it


def test_good_player_passes_every_part_in_order(tmp_path: Path) -> None:
    found = _found(write_player(tmp_path, "good"))
    assert list(found) == PARTS
    assert _failed(found) == set()
    assert [finding.replay for finding in found.values()] == [None] * len(PARTS)
    assert _count(found["legal"].told) >= DEALS
    assert _count(found["plain Python"].told.rpartition(", ")[2]) >= 10
    assert _count(found["no peeking"].told.rpartition(", ")[2]) >= 50
    assert _count(found["speed"].told) > 5_000


def _count(told: str) -> int:
    return int(told.split()[0].replace(",", ""))


def test_slow_player_needs_to_be_legal_in_fewer_deals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "SLOW", 10**9)
    findings = check(str(write_player(tmp_path, "good")))
    legal = next(finding for finding in findings if finding.name == "legal")
    assert legal.passed
    assert SLOW_DEALS <= _count(legal.told) < DEALS


@pytest.mark.slow
@pytest.mark.usefixtures("few_deals")
def test_wrapper_around_a_player_is_checked_with_it() -> None:
    found = _found("greedy+on-schneid:k=1")
    assert (list(found), _failed(found)) == (PARTS, set())


@pytest.mark.usefixtures("few_deals")
def test_writing_own_memory_is_allowed(tmp_path: Path) -> None:
    counts = "view.memory[0] += np.uint64(1)\n    return view.memory[0] > np.uint64(2)"
    found = _found(write_player(tmp_path, "counts", knock=counts, imports="import numpy as np"))
    assert _failed(found) == set()


# --- players that do not


@pytest.mark.parametrize("habit", BAD_HABITS)
def test_bad_habit_ends_the_check_with_the_deal_that_shows_it(habit: str, tmp_path: Path) -> None:
    file = write_bad_player(tmp_path, "bad", habit)
    *before, last = check(str(file))
    assert [finding.name for finding in before] == ["compiles"]
    assert (last.name, last.passed) == ("legal", False)
    assert str(file) in last.told
    assert "seed 2026, pair" in last.told
    assert last.replay is not None
    (match,) = last.replay.shown()
    (deal,) = last.replay.deals_of(match)
    assert deal is match.deals[-1]


def test_illegal_only_under_other_rules_is_found_there(tmp_path: Path) -> None:
    """With big gin off and ten points to knock it is legal; with no knock but gin it throws a wrong card."""
    wrong = "return 99 if view.knock_limit == 0 else trailing_zeros(view.best_discards)"
    *_, last = check(str(write_player(tmp_path, "straight", discard=wrong)))
    assert last.name == "legal"
    assert "card number 99" in last.told
    assert last.replay is not None
    assert last.replay.plan.preset == "hollywood-straight"


@pytest.mark.usefixtures("few_deals")
def test_chance_of_its_own_is_not_repeatable(tmp_path: Path) -> None:
    found = _found(write_player(tmp_path, "dice", take="return dice.random() < 0.5", imports="import random as dice"))
    assert list(found) == [part for part in PARTS if part != "no peeking"]
    assert "repeatable" in _failed(found)
    assert found["repeatable"].told == "it plays the same deals differently the second time"


@pytest.mark.usefixtures("few_deals")
@pytest.mark.parametrize(
    "habit",
    [
        {"take": "return (1 << (view.turn + 60)) > 0"},
        {"discard": "return trailing_zeros(view.best_discards) + 0.5"},
    ],
    ids=["a shift that overflows", "a card that is no whole number"],
)
def test_player_that_plays_otherwise_uncompiled_is_shown_where(habit: dict[str, str], tmp_path: Path) -> None:
    found = _found(write_player(tmp_path, "differs", **habit))
    assert _failed(found) == {"plain Python"}
    told, replay = found["plain Python"].told, found["plain Python"].replay
    assert replay is not None
    where = f", first in pair 0, leg {replay.leg}, deal {replay.deal} against simple"
    assert told.startswith(("uncompiled it moves otherwise", "uncompiled it breaks off (a strategy raised TypeError: "))
    assert told.endswith(where)


@pytest.mark.usefixtures("few_deals")
def test_player_that_raises_only_uncompiled_is_found(tmp_path: Path) -> None:
    """Compiled, the number wraps; NumPy refuses it."""
    knock = "return np.uint64(-1) > view.hand"
    found = _found(write_player(tmp_path, "wraps", knock=knock, imports="import numpy as np"))
    assert _failed(found) == {"plain Python"}


@pytest.mark.slow
@pytest.mark.usefixtures("few_deals")
def test_player_that_cannot_even_be_loaded_uncompiled_is_told_why(tmp_path: Path) -> None:
    imports = 'import os\nif os.environ.get("NUMBA_DISABLE_JIT") == "1":\n    raise ValueError("only compiled")'
    found = _found(write_player(tmp_path, "compiled", imports=imports))
    assert _failed(found) == {"plain Python"}
    assert found["plain Python"].told.startswith("uncompiled it fails: ")
    assert "only compiled" in found["plain Python"].told


def test_state_outside_the_view_cannot_be_compiled(tmp_path: Path) -> None:
    """Numba freezes the globals of a module, so a player has no memory but the view's."""
    hidden = "SEEN[0] += 1\n    return trailing_zeros(view.best_discards)"
    imports = "import numpy as np\nSEEN = np.zeros(4, np.int64)"
    file = write_player(tmp_path, "hidden", discard=hidden, imports=imports)
    line = file.read_text(encoding="utf-8").splitlines().index("    SEEN[0] += 1") + 1
    with pytest.raises(CompileError, match=rf"hidden\.py:{line}: choose_discard cannot be compiled"):
        next(check(str(file)))


# --- the test for peeking

PEEKS = """
import dataclasses, json, sys
import numpy as np
import experiments.check as checking
from sim.cards import cards_of
from strategies.registry import bind, parse_spec

desks, new_desk = [], checking.new_desk

def keep(*arguments):
    desks.append(new_desk(*arguments))
    return desks[-1]

def discard(view):
    held = [card for card in cards_of(int(view.hand)) if card != view.barred]
    if view.knocking:
        held = list(cards_of(int(view.best_discards)))
    desk = desks[-1]
    if sys.argv[1] == "hand":
        return held[int(desk.holdings[1].hand) % len(held)]
    if sys.argv[1] == "stock":
        return held[int(desk.decks[0].cards[int(desk.table[0].next_card)]) % len(held)]
    return held[0]

checking.new_desk, checking.PEEK_DEALS = keep, 15

def bind_peeking(spec):
    return dataclasses.replace(bind(spec), choose_discard=discard) if spec.text == "greedy" else bind(spec)

checking.bind = bind_peeking
with np.errstate(over="ignore"):
    finding = checking._check_peeking(parse_spec("greedy"))
print(json.dumps([finding.passed, finding.told]))
"""
"""Puts the test for peeking to a player that, uncompiled, reaches for the desk: its opponent's hand, or the stock."""


@pytest.mark.parametrize(("peeks_at", "passes"), [("hand", False), ("stock", False), ("nothing", True)])
def test_player_that_sees_hidden_cards_is_found(peeks_at: str, passes: bool) -> None:
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", PEEKS, peeks_at]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    passed, told = json.loads(done.stdout)
    assert passed == passes
    assert ("depends on hidden cards" in told) != passes
