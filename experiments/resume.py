"""Go on with a run that ended before it was done, or make a finished one longer: only what is missing is played."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from analysis.sequential import Look, make_test
from experiments.compare import Comparison, compare
from experiments.kept_sources import changed_sources
from experiments.outcomes import Outcome
from experiments.progress_file import Estimate
from experiments.recording import CannotResume, Target
from experiments.simulate import RequestError, Workers, simulate
from experiments.sweep import Sweep, read_back, sweep
from experiments.tournament import Tournament, tournament
from sim.batch.part_lines import extents
from sim.batch.plan import Plan
from sim.batch.runner import Watch
from sim.batch.spec import SPEC, read_plan
from sim.batch.store import read_manifest
from strategies.lookup import StrategyError, is_path, sources_of
from strategies.registry import bind, names_of

Found = Outcome | Comparison | Sweep | Tournament


class Listeners(NamedTuple):
    """Who hears how a run stands while it is played, whatever kind it is of.

    `look` hears of the looks of a comparison, `resize` of how many pairs a sweep plays in all, `estimate` of how the
    one pairing of a simulation stands.
    """

    look: Callable[[Look], None] | None = None
    resize: Callable[[int], None] | None = None
    estimate: Callable[[Estimate], None] | None = None


NOBODY = Listeners()


def plan_to_resume(path: Path, pairs: int | None = None) -> Plan:
    """Return the plan of a run to go on with, bound and ready; with `pairs`, made longer.

    The strategies are the run's own copy. Raises `sim.batch.spec.SpecError` or `CannotResume` when spec.toml or that
    copy was changed, or when `pairs` is fewer than the run has; `sim.batch.part_lines.LinesError`.
    """
    plan = read_plan(path)
    if pairs is not None and pairs < plan.pairs:
        raise CannotResume(f"{path} has {plan.pairs:,} pairs a pairing already; --pairs must be more, not {pairs:,}")
    played = max((one.first_pair + one.pairs for one in extents(path)), default=0)
    if played > plan.pairs:  # pairs are no part of the spec_hash
        raise CannotResume(f"{path / SPEC}: it has {plan.pairs:,} pairs, but {played:,} were played")
    for text, folder in changed_sources(path, plan):
        raise CannotResume(f'{folder}: the kept source of "{text}" was changed after the run was made')
    for strategy in plan.strategies:
        bind(strategy)
    return plan if pairs is None else replace(plan, pairs=pairs)


def edited_since(plan: Plan) -> list[str]:
    """Return the strategies given as files whose source is no longer what the run has kept, or is gone."""
    found = []
    for strategy in plan.strategies:
        files = [who for who in names_of(strategy) if is_path(who)]
        try:
            is_as_kept = {item for who in files for item in sources_of(who)} <= set(strategy.sources)
        except StrategyError:
            is_as_kept = False
        if not is_as_kept:
            found.append(strategy.text)
    return found


def resume(path: Path, plan: Plan, task: tuple[Workers, Watch], tell: Listeners = NOBODY) -> Found:
    """Play what is missing of a run and conclude it as if it had never ended.

    `plan` is that of `plan_to_resume`. `task` is who plays and what watches them, `tell` who hears how it stands.
    Raises as `experiments.simulate.simulate`, `sim.batch.lock.RunInUse`, and `CannotResume` when another engine played
    the run.
    """
    workers, watch = task
    asked: Mapping[str, Any] = read_manifest(path).get("experiment", {})
    kind = asked.get("kind", "simulate")
    if kind == "compare":
        test = asked["test"]
        chosen = make_test(test["name"], (test["s0"], test["s1"]), test["alpha"], test["beta"])
        if not isinstance(workers, int):
            raise RequestError("a comparison plays its pairs in order, on threads here: leave out --scheduler")
        return compare(plan, chosen, path, (workers, watch), tell.look, resume=True)
    if kind == "sweep":
        return sweep(*read_back(plan, asked), path, task, tell.resize, resume=True)
    if kind == "tournament":
        return tournament(plan, path, workers, watch, resume=True)
    return simulate(plan, Target(path, resume=True), workers, watch, tell.estimate)
