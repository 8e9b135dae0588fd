"""One run of a batch: from its settings to a plan, to what it will cost, and to what it came to."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from analysis.sequential import SequentialTest, make_test
from experiments.arms import make_arms
from experiments.compare import compare
from experiments.defaults import COMPARE, DEFAULT_PAIRS, SWEEP, TOURNAMENT
from experiments.disk_need import row_bytes
from experiments.recording import Target
from experiments.resume import NOBODY, Found, Listeners
from experiments.simulate import Request, RequestError, deals_played, make_plan, simulate, two_sided_plan
from experiments.simulate import sized as sized_plan
from experiments.sweep import EACH_OTHER, Asked, Layout, lay_out, sweep
from experiments.tournament import draw_up, tournament
from sim.batch.plan import Part, Plan
from sim.batch.runner import Watch
from sim.presets import DEFAULT_PRESET

ESTIMATE_PAIRINGS = 24
ESTIMATE_PAIRS = (2, 16, 64, 256)
"""Duplicate pairs a pairing and thread, in one try after the other until one lasts `ESTIMATE_SECONDS`."""
ESTIMATE_SECONDS = 0.2
FILE_BYTES = {"matches": 9_000, "deals": 14_000, "trios": 9_000}
"""What a file takes beside its rows: the description of its columns."""


@dataclass(frozen=True)
class BatchRun:
    """A run of a batch: an experiment with one preset of rules and one seed.

    `settings` holds what the file says, checked, as JSON can keep it; `params` as the words after ``--param``.
    """

    name: str
    kind: str
    settings: Mapping[str, Any]


@dataclass(frozen=True)
class Drawn:
    """A run that is ready to be played: its plan, of a sweep who meets whom, of a comparison its test."""

    run: BatchRun
    plan: Plan
    layout: Layout | None = None
    test: SequentialTest | None = None

    @property
    def may_end_sooner(self) -> bool:
        """Whether the plan is the most that is played: a comparison, or a sweep that drops losers."""
        settings = self.run.settings
        return self.test is not None or (
            self.layout is not None and not self.layout.each_other and settings.get("racing", True)
        )


def draw(run: BatchRun) -> Drawn:
    """Return a run ready to be played, its strategies compiled; of ``deals`` the size is still open (`sized`).

    Raises ValueError, one line that says what is wrong and what is allowed.
    """
    settings = run.settings
    players: list[str] = settings.get("players", [])
    pairs = settings.get("pairs", DEFAULT_PAIRS[run.kind])
    rules, options = settings.get("rules", DEFAULT_PRESET), settings.get("options", {})
    request = Request(players, pairs, None, rules, options, settings["seed"], settings.get("detail", "matches"))
    if run.kind == COMPARE:
        if len(players) != 2:
            raise RequestError(f"a comparison needs two players, not {len(players)}")
        return Drawn(run, two_sided_plan(request, "a comparison"), test=test_of(settings))
    if run.kind == SWEEP:
        if len(players) != 1:
            raise RequestError(f"a sweep needs one player, not {len(players)}")
        if "params" not in settings:
            raise RequestError("a sweep needs params, such as { knock_at = '0:10' }")
        arms = make_arms(players[0], settings["params"])
        layout = lay_out(arms, settings.get("against", [EACH_OTHER]), request)
        return Drawn(run, layout.plan, layout=layout)
    if run.kind == TOURNAMENT:
        return Drawn(run, draw_up(request, gauntlet=settings.get("gauntlet", False)))
    return Drawn(run, _simulation(request, settings.get("pairings")))


def test_of(settings: Mapping[str, Any]) -> SequentialTest:
    """Return the test of a comparison with such settings. Raises `analysis.sequential.TestError`."""
    low, high = settings.get("bounds", (None, None))
    bounds = None if low is None else (low / 100, high / 100)
    return make_test(settings.get("test", "gain"), bounds, settings.get("alpha"), settings.get("beta"))


def _simulation(request: Request, pairings: list[list[str]] | None) -> Plan:
    """Return the plan of a simulation: everyone against everyone, or the pairings that are listed."""
    if pairings is None:
        return make_plan(request)
    if request.players:
        raise RequestError("give players or pairings, not both")
    players = list(dict.fromkeys(player for pairing in pairings for player in pairing))
    places = [tuple(players.index(player) for player in pairing) for pairing in pairings]
    plan = make_plan(replace(request, players=players), places)
    for pairing in pairings:
        if len(pairing) != plan.rules.sides:
            raise RequestError(f"pairing {pairing}: {plan.rules.form} play is between {plan.rules.sides} sides")
    if len(set(plan.pairings)) < len(plan.pairings):
        raise RequestError("pairings lists the same pairing twice")
    return plan


def sized(drawn: Drawn, threads: int) -> Drawn:
    """Return a run with as many pairs as make about ``deals`` a pairing, judged by a pilot; others as they are.

    Raises as `experiments.simulate.sized`.
    """
    deals = drawn.run.settings.get("deals")
    if deals is None:
        return drawn
    plan = sized_plan(drawn.plan, deals, threads)
    return replace(drawn, plan=plan, layout=drawn.layout and replace(drawn.layout, plan=plan))


PROCESS_SECONDS = 1.5
"""What it takes to start the process of a run."""


class Estimate(NamedTuple):
    """What a run will come to, at most if it may end sooner: duplicate pairs, deals, bytes on disk, seconds."""

    pairs: int
    deals: int
    bytes: int
    seconds: float


def estimate(drawn: Drawn, threads: int) -> Estimate:
    """Judge what a run will cost by playing a few pairs of some of its pairings. Raises as `sized`."""
    plan = sized(drawn, threads).plan
    step = -(-len(plan.pairings) // ESTIMATE_PAIRINGS)
    some = [tuple(plan.sides[side] for side in pairing) for pairing in plan.pairings[::step]]
    for pairs in ESTIMATE_PAIRS:  # the first try also waits for the kernels
        parts = [Part(0, sides, thread * pairs, pairs) for sides in some for thread in range(threads)]
        began = time.perf_counter()
        deals = deals_played(plan, parts, threads)
        seconds = time.perf_counter() - began
        if pairs > ESTIMATE_PAIRS[0] and seconds >= ESTIMATE_SECONDS:
            break
    share = plan.total_pairs() / (len(parts) * pairs)
    size = _bytes(plan, share * deals)
    return Estimate(plan.total_pairs(), round(share * deals), size, share * seconds + PROCESS_SECONDS)


def _bytes(plan: Plan, deals: float) -> int:
    """Return how many bytes the files of a plan of so many deals take on disk."""
    rows = row_bytes(plan, plan.rules.legs * plan.total_pairs(), deals)
    files = sum(1 for _ in plan.parts())
    return round(rows + files * sum(FILE_BYTES[table] for table in plan.tables))


def start(drawn: Drawn, path: Path, task: tuple[int, Watch], tell: Listeners = NOBODY) -> Found:
    """Play a run into a new folder.

    `task` is the number of threads and what watches them, `tell` who hears how it stands. Raises as
    `experiments.simulate.simulate`.
    """
    threads, watch = task
    if drawn.test is not None:
        return compare(drawn.plan, drawn.test, path, task, tell.look)
    if drawn.layout is not None:
        settings = drawn.run.settings
        asked = Asked(settings["players"][0], tuple(settings["params"]), settings.get("racing", True))
        return sweep(drawn.layout, asked, path, task, tell.resize)
    if drawn.run.kind == TOURNAMENT:
        return tournament(drawn.plan, path, threads, watch)
    return simulate(drawn.plan, Target(path), threads, watch, tell.estimate)
