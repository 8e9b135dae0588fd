"""`hollywood power`: how many duplicate pairs it takes to see a difference."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

import click

from cli.options import general_options, is_quiet, json_option, rules_options
from cli.progress import Progress

if TYPE_CHECKING:
    from cli.texts.power import Pilot
    from experiments.simulate import Request
    from sim.batch.plan import Part, Plan
    from sim.batch.runner import Watch

WARM_UP_PAIRS = 16
"""Played before the clock starts: the first call loads the kernels, or compiles them."""
UNITS_A_THREAD = 4
T = TypeVar("T", float, tuple[float, ...])


def _real(_ctx: click.Context, param: click.Parameter, value: T) -> T:
    """Refuse "nan", which no range keeps out."""
    if any(number != number for number in (value if isinstance(value, tuple) else (value,))):
        raise click.BadParameter("nan is not a number", param=param)
    return value


@click.command("power")
@click.argument("players", nargs=-1, metavar="[A B]")
@click.option(
    "--difference",
    "differences",
    type=click.FloatRange(0.01, 49),
    multiple=True,
    default=(0.5, 1, 2, 5),
    callback=_real,
    metavar="POINTS",
    help="What is to be seen, in points: 1 is 51% of the matches against 50%. May be given several times."
    "  [default: 0.5 1 2 5]",
)
@click.option(
    "--error",
    type=click.FloatRange(0.001, 50),
    default=5,
    show_default=True,
    callback=_real,
    metavar="PERCENT",
    help="Chance of naming a better one of two that are equal.",
)
@click.option(
    "--power",
    type=click.FloatRange(50, 99.999, min_open=True),
    default=90,
    show_default=True,
    callback=_real,
    metavar="PERCENT",
    help="Chance of seeing the difference if there is one.",
)
@rules_options
@click.option(
    "--pilot",
    type=click.IntRange(100, 1_000_000),
    metavar="PAIRS",
    help="Pairs that A and B play to be measured.  [default: 2000]",
)
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), help="Seed of the pilot.  [default: random, and printed]")
@json_option
@general_options
def command(
    players: tuple[str, ...],
    differences: tuple[float, ...],
    error: float,
    power: float,
    rules: str,
    options: dict[str, str],
    pilot: int | None,
    seed: int | None,
    as_json: bool,
) -> None:
    """Say how many duplicate pairs it takes to see a difference, and how long that takes here.

    A and B play a pilot, of which nothing is kept: it measures how much the scores of their pairs differ, and how fast
    this machine plays them with all its cores. Without A and B a typical spread is used, 0.32 of a match a pair: that
    of two different players under hollywood. Players that often decide alike need fewer pairs.
    """
    from analysis.power import size
    from cli.texts.power import Asked, power_document, power_text
    from experiments.simulate import Request

    if len(players) not in (0, 2):
        raise click.UsageError(f"give two strategies, such as greedy simple, or none; {len(players)} given")
    if not players and (rules != "hollywood" or options or pilot is not None or seed is not None):
        raise click.UsageError("--rules, --set, --pilot and --seed are about the pilot: name the two that play it")
    played = _measured(Request(players, pilot or 2_000, rules=rules, options=options, seed=seed)) if players else None
    asked = Asked(error / 100, power / 100, played)
    sizes = [size(points / 100, asked.sd, asked.error, asked.power) for points in sorted(set(differences))]
    click.echo(json.dumps(power_document(asked, sizes)) if as_json else power_text(asked, sizes))


def _measured(request: Request) -> Pilot:
    """Play the pilot, following it on stderr."""
    from cli.texts.commands import replay_command
    from experiments.simulate import two_sided_plan
    from sim.batch.runner import RunFailed, Watch

    progress = Progress(quiet=is_quiet())
    with progress:
        plan = two_sided_plan(request, "a pilot")
        progress.start(plan.total_pairs())
        try:
            found = _pilot(plan, os.cpu_count() or 1, Watch(progress.advance))
        except RunFailed as error:
            raise RuntimeError(f"{error}\n  see it: {replay_command(plan, error.place)}") from error
    if found.sd == 0:
        a, b = plan.names()[0]
        winner = {0.0: f"{b} won", 1.0: f"{a} won"}.get(found.share, f"{a} and {b} shared")
        told = f"{winner} every one of the {plan.pairs:,} pairs of the pilot: there is no spread to go by"
        raise click.UsageError(f"{told}. Give two other strategies, a longer --pilot, or none for a typical spread")
    return found


def _pilot(plan: Plan, threads: int, watch: Watch) -> Pilot:
    """Play all pairs of a plan of one pairing on all threads, keep nothing, and return what they show."""
    import numpy as np

    from cli.texts.power import Pilot
    from experiments.endpoints import legs
    from experiments.outcomes import Pairing, score_moments
    from sim.batch.executors import play_in_order
    from sim.batch.runner import Watch, play_part
    from sim.batch.tally import tally
    from strategies.registry import bind

    play_part(plan, replace(next(plan.parts()), pairs=WARM_UP_PAIRS), bind, Watch())
    start = time.perf_counter()
    played = [rows.matches for _, rows in play_in_order((plan, bind, watch), _units(plan, threads), threads)]
    seconds = time.perf_counter() - start
    sums = tally(np.concatenate(played))
    _, share, variance = score_moments(sums)
    a, b = plan.names()[0]
    return Pilot(plan, share, variance**0.5, legs(Pairing(a, b, sums)).rho, int(sums["deals"]), seconds, threads)


def _units(plan: Plan, threads: int) -> Iterator[Part]:
    """Yield the pairs of a plan in pieces small enough to keep every thread at work to the end."""
    for part in plan.parts():
        unit = max(-(-part.pairs // (UNITS_A_THREAD * threads)), WARM_UP_PAIRS)
        for first in range(0, part.pairs, unit):
            yield replace(part, first_pair=part.first_pair + first, pairs=min(unit, part.pairs - first))
