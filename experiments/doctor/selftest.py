"""Whether this installation plays rightly: the solver, the layoffs, the sheet and the kernels put to a test.

Each test takes the stored answers (answers.toml, as `stored_answers` reads it) and returns a state and what was
found. Nothing of the simulator is imported before a test needs it, so that a broken one is a finding, not a crash.
"""

from __future__ import annotations

import hashlib
import tempfile
import time
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sim.batch.plan import Plan

OK, FAILED, NOTE = "ok", "failed", "note"
"""States of a check: as it should be; not so, and something must be done; worth knowing."""
ANSWERS = Path(__file__).parent / "answers.toml"
SEED = 2026
HALF_PAIRS, THREAD_PAIRS, PILOT_PAIRS, MOST_PAIRS = 64, 100, 400, 100_000
SPEED_SECONDS = 0.5
SPEED_PLAYERS = ("greedy", "threshold:knock_at=5")
THREAD_PLAYERS = ("greedy", "threshold:knock_at=5", "threshold:knock_at=10")
"""Three players are three pairings, and so three parts for two threads."""
DO = "reinstall, and delete the cache folder named above"

Answers = dict[str, Any]
Found = tuple[str, str]
"""A state and what was found."""


def stored_answers() -> Answers:
    """Return the right answers that belong to this version."""
    return tomllib.loads(ANSWERS.read_text(encoding="utf-8"))


def _rows(text: str) -> list[list[str]]:
    return [line.split(",") for line in text.split("\n") if line]


def _verdict(what: str, asked: int, wrong: list[str]) -> Found:
    if not wrong:
        return OK, f"{asked} {what}, all right"
    return FAILED, f"{len(wrong)} of {asked} {what} are wrong, the first: {wrong[0]}; {DO}"


def _differs(what: str, right: object, found: object) -> list[str]:
    return [] if found == right else [f"{what} comes to {found}, right is {right}"]


def ten_cards(answers: Answers) -> Found:
    """Solve stored hands of ten cards: the least deadwood and how many spreads achieve it."""
    from sim.api import best_spreads, deadwood, parse_hand

    rows, wrong = _rows(answers["solver"]["ten_cards"]), []
    for text, points, spreads in rows:
        hand = parse_hand(text)
        wrong += _differs(text, (int(points), int(spreads)), (int(deadwood(hand)), len(best_spreads(hand))))
    return _verdict("hands of ten cards", len(rows), wrong)


def eleven_cards(answers: Answers) -> Found:
    """Solve stored hands of eleven cards: least deadwood before and after a throw, and every best throw."""
    from sim.api import best_discard, deadwood, format_card, parse_hand

    rows, wrong = _rows(answers["solver"]["eleven_cards"]), []
    for text, before, after, throws in rows:
        hand = parse_hand(text)
        least, best = best_discard(hand)
        right = int(before), int(after), sorted(throws.split())
        wrong += _differs(text, right, (int(deadwood(hand)), least, sorted(map(format_card, best))))
    return _verdict("hands of eleven cards", len(rows), wrong)


def trap(answers: Answers) -> Found:
    """Solve the eleven cards that many programs get wrong."""
    from sim.api import format_card, parse_hand
    from sim.solve import solve

    known = answers["solver"]
    discards = solve(parse_hand(known["trap"])).discards
    assert discards is not None, "these are eleven cards"
    best, knocking = (" or ".join(map(format_card, cards)) or "none" for cards in (discards.best, discards.knock))
    told = f"throw {best} and keep {discards.deadwood}, knock by throwing {knocking}"
    right = f"throw {known['trap_throw']} and keep {known['trap_deadwood']}, knock by throwing {known['trap_throw']}"
    if told == right:
        return OK, f"{known['trap']}: {told}"
    return FAILED, f"{known['trap']}: {told}; right is {right}; {DO}"


def gin_hands(answers: Answers) -> Found:
    """Count the gin hands among all tens of the lowest cards."""
    import numpy as np

    from sim.api import deadwood_many
    from sim.jit import JIT_IS_ON

    ranks, right = answers["solver"]["gin_ranks"], answers["solver"]["gin_hands"]
    if not JIT_IS_ON:
        return NOTE, "not counted: without compiled code it takes too long"
    cards = np.arange(1 << 4 * ranks, dtype=np.uint64)
    cards = cards[np.bitwise_count(cards) == 10]
    hands = np.zeros_like(cards)
    for suit in range(4):
        of_suit = cards >> np.uint64(suit * ranks) & np.uint64((1 << ranks) - 1)
        hands |= of_suit << np.uint64(13 * suit)
    found = int(np.count_nonzero(deadwood_many(hands) == 0))
    if found != right:
        return FAILED, f"{found:,} gin hands in {len(hands):,}, right are {right:,}; {DO}"
    return OK, f"{found:,} gin hands in {len(hands):,}"


def knocks(answers: Answers) -> Found:
    """Score stored knocks: deadwood before and after layoffs, ending, scorer and points."""
    from sim.api import parse_hand
    from sim.presets import preset_rules
    from sim.solve import showdown

    rules = preset_rules(answers["layoff"]["preset"])
    rows, wrong = _rows(answers["layoff"]["knocks"]), []
    for knocker, defender, before, after, ending, scorer, points in rows:
        found = showdown(parse_hand(knocker), parse_hand(defender), rules)
        told = found.defender_before, found.defender_after, found.ending, found.scorer, found.points
        wrong += _differs(f"{knocker} against {defender}", (int(before), int(after), ending, scorer, int(points)), told)
    return _verdict("knocks", len(rows), wrong)


def evenings(answers: Answers) -> Found:
    """Score stored evenings to the end: who won each column, and what it pays."""
    from sim.evening import read_evening, score_evening
    from sim.presets import preset_rules

    wrong = []
    for sheet in answers["sheet"]:
        scored = score_evening(read_evening(sheet["events"]), preset_rules("hollywood", sheet["options"]))
        wrong += _differs(f"evening {sheet['case']}", sheet["settlement"], scored.document()["settlement"])
    return _verdict("evenings settled", len(answers["sheet"]), wrong)


def fingerprint(answers: Answers) -> Found:
    """Compare the engine fingerprint with the stored one."""
    from sim.batch.fingerprint import engine_fingerprint

    right, found = answers["fingerprint"], engine_fingerprint()
    if found == right:
        return OK, found
    told = "deals, solver or scores come out otherwise, so results cannot be compared with those of others"
    return FAILED, f"{found}, that of this version is {right}: {told}; {DO}"


def _plan(players: tuple[str, ...], pairs: int) -> Plan:
    from experiments.simulate import Request, make_plan

    return make_plan(Request(players, pairs=pairs, seed=SEED))


def _play(plan: Plan) -> Any:
    """Play the first part of a plan on this thread and return its match rows."""
    from sim.batch.runner import Watch, play_part
    from strategies.registry import bind

    return play_part(plan, next(plan.parts()), bind, Watch()).matches


def half_of_every_pair(_answers: Answers) -> Found:
    """Play players against themselves: each makes exactly half of every duplicate pair."""
    from sim.rows import TIE

    for player in SPEED_PLAYERS:
        winner = _play(_plan((player, player), HALF_PAIRS))["match_winner"]
        quarters = (winner == TIE) * 1 + (winner == 0) * 2
        wrong = (quarters[::2] + quarters[1::2] != 2).nonzero()[0]
        if len(wrong):
            return FAILED, f"{player} against itself does not come out even in pair {wrong[0]}, seed {SEED}; {DO}"
    return OK, f"{' and '.join(SPEED_PLAYERS)}, {HALF_PAIRS} pairs each"


def same_rows_on_two_threads(_answers: Answers) -> Found:
    """Play a plan of three parts with one thread and with two: the files must be the same, byte for byte."""
    plan = _plan(THREAD_PLAYERS, THREAD_PAIRS)
    one, two = (_checksums(plan, threads) for threads in (1, 2))
    if not one or one != two:
        return FAILED, f"one thread writes {one}, two write {two}; {DO}"
    return OK, f"{len(one)} files, the same from one thread and from two"


def _checksums(plan: Plan, threads: int) -> dict[str, str]:
    """Return the first digits of the checksum of each file of results that a plan comes to."""
    from experiments.simulate import simulate
    from sim.batch.runner import Watch

    with tempfile.TemporaryDirectory(prefix="hollywood-gin-") as place:
        folder = Path(place) / "run"
        simulate(plan, folder, threads, Watch())
        return {
            str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest()[:8]
            for file in sorted(folder.rglob("*.parquet"))
        }


def speed(_answers: Answers) -> Found:
    """Measure deals a second on one thread; a figure, whatever it is."""
    deals, seconds = _timed(PILOT_PAIRS)
    pairs = round(PILOT_PAIRS * SPEED_SECONDS / max(seconds, 1e-3))
    deals, seconds = _timed(min(max(pairs, 1), MOST_PAIRS))
    return OK, f"{deals / seconds:,.0f} deals a second on one thread, {' v '.join(SPEED_PLAYERS)}"


def _timed(pairs: int) -> tuple[int, float]:
    """Play so many pairs, up to a part; return the deals and the seconds it took."""
    plan, start = _plan(SPEED_PLAYERS, pairs), time.perf_counter()
    deals = int(_play(plan)["deals_played"].sum())
    return deals, time.perf_counter() - start


SOLVING: tuple[tuple[str, Callable[[Answers], Found]], ...] = (
    ("ten cards", ten_cards),
    ("eleven cards", eleven_cards),
    ("the trap", trap),
    ("gin hands", gin_hands),
    ("layoffs", knocks),
    ("sheet", evenings),
)
PLAYING: tuple[tuple[str, Callable[[Answers], Found]], ...] = (
    ("fingerprint", fingerprint),
    ("half of a pair", half_of_every_pair),
    ("threads", same_rows_on_two_threads),
    ("speed", speed),
)
"""The tests that play, and so are too slow without compiled code."""
