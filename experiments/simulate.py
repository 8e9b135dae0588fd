"""Play strategies against each other and say who wins: from a request to a run folder and an outcome."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from experiments.defaults import DEFAULT_PAIRS, SIMULATE
from experiments.outcomes import Outcome
from experiments.progress_file import Estimate, estimate_of
from experiments.recording import Ledger, Target, recording, unfinished
from sim.batch.executors import Task, play_in_order, run_on_threads
from sim.batch.plan import MAX_PAIRS, Part, Plan, round_robin
from sim.batch.runner import PartSummary, Watch
from sim.batch.store import RunFolder
from sim.decisions import Side
from sim.presets import DEFAULT_PRESET, choose_rules
from sim.rules import PARTNERSHIP, THREE_HANDED, Rules
from strategies.registry import bind, effective_params, names_of, parse_side

PILOT_PAIRS = 64

Workers = int | Callable[[Task, Iterable[Part], RunFolder], Iterator[PartSummary]]
"""Who plays parts: so many threads of this process, or an executor such as `sim.batch.cluster.Cluster`."""


class RequestError(ValueError):
    """A request that cannot be played; the message names what is wrong and what is allowed."""


@dataclass(frozen=True)
class Request:
    """What a user asks for: `rules` is a preset or a rules file; at most one of `pairs` and `deals` may be given.

    `deals` is about how many deals each pairing shall play.
    """

    players: Sequence[str]
    pairs: int | None = None
    deals: int | None = None
    rules: str = DEFAULT_PRESET
    options: Mapping[str, object] = field(default_factory=dict)
    seed: int | None = None
    detail: str = "matches"


def make_plan(request: Request, pairings: Sequence[tuple[int, ...]] | None = None) -> Plan:
    """Turn a request into a plan; `deals` is turned into pairs by a short pilot.

    `pairings` are the places in `request.players` of those who meet; every one meets every other unless given.
    Raises `RequestError`, `strategies.registry.StrategyError`, `sim.decisions.CompileError` or
    `sim.rules.RulesError`, each one line.
    """
    if request.pairs is not None and request.deals is not None:
        raise RequestError("give --pairs or --deals, not both")
    chosen = choose_rules(request.rules, request.options)
    _enough_players(request, chosen.rules)
    if chosen.rules.form == THREE_HANDED and request.detail == "deals":
        raise RequestError("three-handed play keeps a row a match, none a deal: leave out --detail deals")
    sides = [parse_side(player, partners=chosen.rules.form == PARTNERSHIP) for player in request.players]
    unique = tuple(dict.fromkeys(sides))
    plan = Plan(
        sides=unique,
        pairings=tuple(
            tuple(unique.index(sides[place]) for place in places)
            for places in (pairings or round_robin(len(sides), chosen.rules.sides))
        ),
        rules=chosen.rules,
        preset=chosen.preset,
        seed=secrets.randbits(32) if request.seed is None else request.seed,
        pairs=DEFAULT_PAIRS[SIMULATE] if request.pairs is None else request.pairs,
        detail=request.detail,
    )
    if pairings is None and len(sides) > chosen.rules.sides:
        _refuse_twins(sides)
    for strategy in plan.strategies:
        bind(strategy)  # compiled here, once, before anything is written and before threads need it
    return plan if request.deals is None else sized(plan, request.deals)


def two_sided_plan(request: Request, what: str, pairings: Sequence[tuple[int, ...]] | None = None) -> Plan:
    """Return the plan of an experiment between two sides, such as "a sweep"; raises as `make_plan`.

    Three-handed rules are refused with `RequestError`: there is no pairing of two sides to ask about.
    """
    if choose_rules(request.rules, request.options).rules.form == THREE_HANDED:
        raise RequestError(f"{what} is between two sides; for three-handed play use: hollywood simulate A B C")
    return make_plan(request, pairings)


def _enough_players(request: Request, rules: Rules) -> None:
    if len(request.players) < rules.sides:
        count, such_as = {2: ("two", "greedy simple"), 3: ("three", "greedy simple gin-only")}[rules.sides]
        raise RequestError(f"{rules.form} play needs at least {count} strategies, such as: {such_as}")


def _refuse_twins(sides: Sequence[Side]) -> None:
    """Refuse a round robin in which a player takes part twice, under whatever names: its pairs would count twice."""
    met: dict[object, str] = {}
    for side in sides:
        players = identity(side)
        if players in met:
            raise RequestError(f'"{met[players]}" and "{side.text}" are the same player; a round robin needs each once')
        met[players] = side.text


def identity(side: Side) -> object:
    """Return what is equal for the same player under two names, such as ``threshold`` and ``threshold:knock_at=5``."""
    return tuple((p.sha, *names_of(p), *effective_params(p).items()) for p in side.players)


def sized(plan: Plan, deals: int, threads: int = 1) -> Plan:
    """Return the plan with as many pairs as make about so many deals a pairing, judged by a pilot of each pairing.

    Raises `sim.batch.runner.RunFailed`, of a strategy that does not come back too.
    """
    pilot = replace(plan, pairs=PILOT_PAIRS)
    pairs = round(deals * pilot.total_pairs() / deals_played(pilot, pilot.parts(), threads))
    return replace(plan, pairs=min(max(pairs, 1), MAX_PAIRS))


def deals_played(plan: Plan, parts: Iterable[Part], threads: int) -> int:
    """Play parts, keeping nothing, and return how many deals they took."""
    played = play_in_order((plan, bind, Watch()), parts, threads)
    return sum(int(rows.matches["deals_played"].sum()) for _, rows in played)


def play_parts(workers: Workers, task: Task, parts: Iterable[Part], run: RunFolder) -> Iterator[PartSummary]:
    """Play these parts of a plan into its folder and yield each summary as its part is finished."""
    return run_on_threads(task, parts, run, workers) if isinstance(workers, int) else workers(task, parts, run)


def simulate(
    plan: Plan, target: Path | Target, workers: Workers, watch: Watch, tell: Callable[[Estimate], None] | None = None
) -> Outcome:
    """Play a plan into a new run folder, or go on with one; `tell` hears after each part how its one pairing stands.

    It hears nothing of several pairings, or of three-handed play.

    On KeyboardInterrupt the parts in work are dropped, the finished ones stay, the manifest says ``interrupted`` and
    the exception goes on; on any other error it says ``failed``. Raises `sim.batch.store.FolderInUse` or
    `sim.batch.store.StoreError` when it cannot be written and `sim.batch.runner.RunFailed` when a strategy misbehaves.
    """
    target = target if isinstance(target, Target) else Target(target)
    with recording(plan, target) as run:
        outcome = play_all(run, plan, workers, watch, tell)
        run.conclude(outcome.document(), "complete")
    return outcome


def play_all(
    run: RunFolder, plan: Plan, workers: Workers, watch: Watch, tell: Callable[[Estimate], None] | None = None
) -> Outcome:
    """Play what is missing of a plan into its open run folder and return what all of it comes to."""
    ledger = Ledger()
    for summary in play_parts(workers, (plan, bind, watch), unfinished(run, plan.parts(), ledger, watch), run):
        ledger.add(summary)
        if tell is not None and len(plan.pairings) == 1 and plan.rules.sides == 2:
            tell(estimate_of(ledger.tally(summary.pairing), plan.pairs))
    pairings = tuple(map(ledger.pairing, dict.fromkeys(plan.names())))
    return Outcome(run.path, plan, run.seconds(), pairings)
