"""The contract every player keeps, put to one: legal, repeatable, the same uncompiled, not peeking, and how fast."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from experiments.replay import Replay, replay_free
from sim.api import deadwood_many
from sim.batch.plan import Part, Plan
from sim.batch.runner import Played, RunFailed, Watch, play_part
from sim.cards import N_CARDS
from sim.decisions import BoundStrategy, Side, StrategySpec
from sim.match import block_kernel, line_up, new_desk
from sim.presets import preset_rules
from sim.records import records
from sim.replay import deal_out
from sim.rows import DEAL_ROW, FIRST_MOVER, MATCH_ROW, MOVE_BYTES
from sim.shuffle import STOCK, UPCARD_PLACE
from strategies.registry import bind, parse_spec

SEED = 2026
DEALS, SLOW_DEALS, SLOW = 10_000, 1_000, 5_000
"""Deals to be legal in, fewer for a player slower than so many deals a second."""
PEEK_DEALS = 200
CHUNK_PAIRS = 8
ROOM = 400
"""Deals a pair may need until the first is scored, twice."""
HIDDEN = [*range(10, UPCARD_PLACE), *range(STOCK + 1, N_CARDS)]
"""Places in the card stream that seat 0 cannot know of at its first move: all but its ten, the upcard and one draw."""
UNCOMPILED = (
    "import json, sys; from experiments.replay import replay_free;"
    " print(json.dumps(replay_free(*json.loads(sys.argv[1])).document()))"
)
MEETINGS: tuple[tuple[str, dict[str, object], str], ...] = (
    ("hollywood", {}, "simple"),
    ("hollywood", {"big_gin": 31}, "random"),
    ("eaai", {}, "itself"),
    ("hollywood-oklahoma", {}, "greedy"),
    ("hollywood-straight", {}, "simple"),
)
"""Under which rules, and against whom, a player must be legal."""


@dataclass(frozen=True)
class Finding:
    """What one part of the contract came to: its name, whether it is kept, in words, and the deal that shows it."""

    name: str
    passed: bool
    told: str
    replay: Replay | None = None


def check(text: str) -> Iterator[Finding]:
    """Put the whole contract to a player, one finding after another; a player that is illegal ends it.

    Raises `strategies.registry.StrategyError` or `sim.decisions.CompileError` for one that cannot play at all.
    """
    start = time.perf_counter()
    spec = parse_spec(text)
    bind(spec)
    yield Finding("compiles", True, f"{time.perf_counter() - start:.1f} s")
    legal, speed = _check_legal(spec)
    yield legal
    if not legal.passed:
        return
    repeatable = _check_repeatable(spec)
    yield repeatable
    yield _check_uncompiled(spec)
    if repeatable.passed:  # else its moves differ for reasons of its own
        yield _check_peeking(spec)
    yield Finding("speed", True, f"{speed:,.0f} deals a second against simple, one thread")


def _plan(spec: StrategySpec, opponent: str, preset: str, options: dict[str, object], pairs: int) -> Plan:
    other = spec if opponent == "itself" else parse_spec(opponent)
    rules = preset_rules(preset, options)
    return Plan((Side((spec,)), Side((other,))), ((0, 1),), rules, preset, SEED, pairs, "deals")


def _play(plan: Plan, first_pair: int = 0) -> Played:
    return play_part(plan, Part(0, plan.sides, first_pair, plan.pairs), bind, Watch())


def _speed(spec: StrategySpec) -> float:
    """Return the deals a second of a player against simple, from at least half a second of play."""
    pairs, seconds, deals = 4, 0.0, 0
    plan = _plan(spec, "simple", "hollywood", {}, pairs)
    _play(plan)  # loads what is still to be loaded
    while seconds < 0.5 and pairs < 20_000:
        start = time.perf_counter()
        deals = len(_play(replace(plan, pairs=pairs)).deals)
        seconds = time.perf_counter() - start
        pairs *= 2
    return deals / seconds


def _check_legal(spec: StrategySpec) -> tuple[Finding, float]:
    """Play the player under several rules and against several others until there are enough deals."""
    played, meeting = 0, MEETINGS[0]
    try:
        speed = _speed(spec)
        wanted = DEALS if speed >= SLOW else SLOW_DEALS
        for place, meeting in enumerate(MEETINGS, start=1):
            preset, options, opponent = meeting
            first_pair = 0
            while played < wanted * place / len(MEETINGS):
                played += len(_play(_plan(spec, opponent, preset, options, CHUNK_PAIRS), first_pair).deals)
                first_pair += CHUNK_PAIRS
    except RunFailed as error:
        return _illegal(spec, meeting, error), 0.0
    return Finding("legal", True, f"{played:,} deals under {len(MEETINGS)} rules, against others and itself"), speed


def _illegal(spec: StrategySpec, meeting: tuple[str, dict[str, object], str], error: RunFailed) -> Finding:
    preset, options, opponent = meeting
    players = [spec.text, spec.text if opponent == "itself" else opponent]
    replay = replay_free(players, preset, options, SEED, error.place.pair)
    match = next(m for m in replay.matches if m.leg == error.place.leg)
    shown = replay.choose(match.leg, min(error.place.deal, len(match.deals) - 1))
    return Finding("legal", False, str(error), shown)


def _check_repeatable(spec: StrategySpec) -> Finding:
    plan = _plan(spec, "simple", "hollywood", {}, 16)
    one, other = _play(plan), _play(plan)
    same = one.deals.tobytes() == other.deals.tobytes() and one.matches.tobytes() == other.matches.tobytes()
    told = "the same rows when played again" if same else "it plays the same deals differently the second time"
    return Finding("repeatable", same, told)


def _check_uncompiled(spec: StrategySpec) -> Finding:
    """Play a pair with compiled code and, in a process of its own, without; compare move by move."""
    asked: Any = [[spec.text, "simple"], "hollywood", {}, SEED, 0]
    run = subprocess.run(
        [sys.executable, "-c", UNCOMPILED, json.dumps(asked)],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        check=False,
    )
    if run.returncode:
        return Finding("plain Python", False, f"uncompiled it fails: {(run.stderr.strip() or '?').splitlines()[-1]}")
    compiled = replay_free(*asked)
    where = _first_difference(compiled.document(), json.loads(run.stdout))
    if where is None:
        deals = sum(len(match.deals) for match in compiled.matches)
        return Finding("plain Python", True, f"the same moves uncompiled, {deals} deals")
    leg, deal, trouble = where
    does = f"breaks off ({trouble})" if trouble else "moves otherwise"
    told = f"uncompiled it {does}, first in pair 0, leg {leg}, deal {deal} against simple"
    return Finding("plain Python", False, told, compiled.choose(leg, deal))


def _first_difference(one: dict[str, Any], other: dict[str, Any]) -> tuple[int, int, str] | None:
    """Return leg and deal in which two replays of a pair first differ, and why the other broke off there, if it did."""
    for match, twin in zip(one["matches"], other["matches"], strict=False):
        for deal, same in zip(match["deals"], twin["deals"], strict=False):
            if deal != same:
                return match["leg"], deal["deal"], same.get("broken_off", "")
    return None if one == other else (0, 0, "")


def _check_peeking(spec: StrategySpec) -> Finding:
    """Deal the hidden cards anew, all but the card the player will draw, and expect the same first move."""
    players = bind(spec), bind(parse_spec("random"))
    dice, compared = np.random.default_rng(SEED), 0
    for pair in range(PEEK_DEALS):
        (first, move), (second, other) = (_first_move(players, pair, anew) for anew in (None, dice))
        if first == second == 0:  # the player itself moves first: its opponent did not take the upcard
            compared += 1
            if move != other:
                return Finding("no peeking", False, f"its first move in pair {pair} depends on hidden cards")
    return Finding("no peeking", True, f"the same first move whatever is hidden, {compared} deals")


def _first_move(
    players: tuple[BoundStrategy, BoundStrategy], pair: int, anew: np.random.Generator | None
) -> tuple[int, int]:
    """Return who moves first in a deal that side B deals, and the move; perhaps with the hidden cards dealt anew."""
    rules = preset_rules("gin", {"first_dealer": "b", "target": 1})
    desk = new_desk(rules, SEED, tuple(player.params for player in players))
    desk = desk._replace(moves=np.zeros((ROOM, MOVE_BYTES), np.uint8))
    deal_out(desk.decks, pair, 0)
    if anew is not None:
        deck = desk.decks[0]
        deck.cards[HIDDEN] = anew.permutation(deck.cards[HIDDEN])
        deck.hands[1] = sum(1 << card for card in deck.cards[10:20].tolist())
        deck.deadwood[1] = deadwood_many([deck.hands[1]])[0]
    block_kernel()(line_up(*players), desk, pair, records(2, MATCH_ROW), records(ROOM, DEAL_ROW), True)
    return int(desk.moves[0, FIRST_MOVER]), int(desk.moves[0, 0])
