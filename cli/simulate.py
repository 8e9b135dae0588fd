"""`hollywood simulate`: play strategies against each other and say who wins."""

from __future__ import annotations

import json
from pathlib import Path

import click

from cli.options import general_options, json_option, play_options, rules_options, scheduler_option
from cli.playing import play, workers
from experiments.defaults import DEFAULT_PAIRS, SIMULATE


@click.command("simulate")
@click.argument("players", nargs=-1, required=True, metavar="A B [C ...]")
@click.option(
    "--pairs", type=click.IntRange(1, 2**32), help=f"Duplicate pairs a pairing.  [default: {DEFAULT_PAIRS[SIMULATE]}]"
)
@click.option("--deals", type=click.IntRange(1, 10**12), help="About so many deals a pairing, instead of --pairs.")
@rules_options
@play_options
@scheduler_option
@click.option(
    "--detail",
    type=click.Choice(["matches", "deals"]),
    default="matches",
    show_default=True,
    help="Rows to keep.",
)
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
    scheduler: str | None,
    detail: str,
    out: Path | None,
    as_json: bool,
) -> None:
    """Play strategies against each other; more than two play a round robin.

    A strategy is a name, name:param=value,param=value, or a file such as ./my_bot.py; +WRAPPER behind it changes how it
    plays. With --rules partnership A1/A2 names the two of a side; --rules three-handed wants three.
    """
    from cli.texts.outcomes import outcome_text
    from experiments.simulate import Request, make_plan, simulate
    from sim.batch.runner import Watch

    request = Request(players, pairs, deals, rules, options, seed, detail)
    with workers(threads, scheduler) as playing:
        outcome = play(
            lambda: make_plan(request),
            out,
            lambda plan, folder, progress: simulate(plan, folder, playing, Watch(progress.advance), progress.tell),
        )
    click.echo(json.dumps(outcome.document()) if as_json else outcome_text(outcome))
