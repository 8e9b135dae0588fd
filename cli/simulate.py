"""`hollywood simulate`: play strategies against each other and say who wins."""

from __future__ import annotations

import json
import os
from pathlib import Path

import click

from cli.options import general_options, is_quiet, json_option, new_path, rules_options
from cli.progress import Progress
from cli.runs import ROOT


@click.command("simulate")
@click.argument("players", nargs=-1, required=True, metavar="A B [C ...]")
@click.option("--pairs", type=click.IntRange(1, 2**32), help="Duplicate pairs a pairing.  [default: 10000]")
@click.option("--deals", type=click.IntRange(1, 10**12), help="About so many deals a pairing, instead of --pairs.")
@rules_options
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), help="Seed of all chance.  [default: random, and printed]")
@click.option(
    "--threads",
    type=click.IntRange(1, 1024),
    default=os.cpu_count() or 1,
    help="Threads.  [default: all cores]",
)
@click.option(
    "--detail",
    type=click.Choice(["matches", "deals"]),
    default="matches",
    show_default=True,
    help="Rows to keep.",
)
@click.option("--out", callback=new_path, help="The run folder to make.  [default: a new one in runs/]")
@json_option
@general_options
def command(
    players: tuple[str, ...],
    pairs: int | None,
    deals: int | None,
    rules: str,
    options: dict[str, str],
    seed: int | None,
    threads: int,
    detail: str,
    out: Path | None,
    as_json: bool,
) -> None:
    """Play strategies against each other; more than two play a round robin.

    A strategy is a name, name:param=value,param=value, or a file such as ./my_bot.py; +WRAPPER behind it changes how it
    plays. With --rules partnership A1/A2 names the two of a side; --rules three-handed wants three.
    """
    from cli.texts.outcomes import outcome_text, replay_command
    from experiments.simulate import Request, default_folder, make_plan, simulate
    from sim.batch.runner import RunFailed, Watch

    progress = Progress(quiet=is_quiet())
    request = Request(players, pairs, deals, rules, options, seed, detail)
    with progress:
        plan = make_plan(request)
        folder = out or default_folder(plan, ROOT)
        progress.start(plan.total_pairs())
        try:
            outcome = simulate(plan, folder, threads, Watch(progress.advance))
        except KeyboardInterrupt:
            progress.say(f"interrupted: the finished parts are kept in {folder}")
            raise
        except RunFailed as error:
            raise RuntimeError(f"{error}\n  see it: {replay_command(plan, error.place)}") from error
    click.echo(json.dumps(outcome.document()) if as_json else outcome_text(outcome))
