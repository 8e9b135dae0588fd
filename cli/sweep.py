"""`hollywood sweep`: the best setting of a strategy's parameters."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.options import general_options, json_option, play_options, rules_options, scheduler_option
from cli.playing import play, workers
from experiments.defaults import DEFAULT_PAIRS, SWEEP

if TYPE_CHECKING:
    from cli.progress import Progress
    from experiments.sweep import Sweep
    from sim.batch.plan import Plan


@click.command("sweep")
@click.argument("player", metavar="STRATEGY")
@click.option(
    "--param",
    "params",
    multiple=True,
    required=True,
    metavar="NAME=VALUES",
    help="LOW:HIGH, LOW:HIGH:STEP or V1,V2; several times for a grid.",
)
@click.option(
    "--against",
    multiple=True,
    default=("self",),
    metavar="NAME|self|field",
    help="Opponent; several times for several; self: each other; field: simple, heuristic, marjj.  [default: self]",
)
@click.option(
    "--pairs",
    type=click.IntRange(1, 2**32),
    default=DEFAULT_PAIRS[SWEEP],
    show_default=True,
    help="Duplicate pairs of each setting against each opponent.",
)
@click.option("--no-racing", is_flag=True, help="Play clear losers to the end, too.")
@click.option("--matrix", is_flag=True, help="Also print every setting against every other.")
@rules_options
@play_options
@scheduler_option
@json_option
@general_options
def command(
    player: str,
    params: tuple[str, ...],
    against: tuple[str, ...],
    pairs: int,
    no_racing: bool,
    matrix: bool,
    rules: str,
    options: dict[str, str],
    seed: int | None,
    threads: int,
    scheduler: str | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """Find the best setting of a strategy's parameters, and all that are as good.

    Every setting plays the same deals. Intervals hold for all settings at once. With --against NAME settings that are
    clearly worse than the leader are dropped every 16,384 pairs.

    \b
    Example   hollywood sweep threshold --param knock_at=0:10
              hollywood sweep greedy+on-schneid --param k=1:3 --against simple
    """
    from cli.texts.sweeps import matrix_text, sweep_text
    from experiments.arms import make_arms
    from experiments.simulate import Request
    from experiments.sweep import Asked, lay_out, sweep
    from sim.batch.runner import Watch

    layout = lay_out(make_arms(player, params), against, Request((), pairs, None, rules, options, seed))
    asked = Asked(player, params, not no_racing)

    with workers(threads, scheduler) as playing:

        def run(_plan: Plan, folder: Path, progress: Progress) -> Sweep:
            return sweep(layout, asked, folder, (playing, Watch(progress.advance)), progress.start)

        found = play(lambda: layout.plan, out, run)
    if as_json:
        click.echo(json.dumps(found.document()))
    else:
        click.echo(sweep_text(found, found.again) + (matrix_text(found) if matrix else ""))
