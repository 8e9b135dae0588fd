"""`hollywood tournament`: rate many strategies on one scale."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.options import general_options, json_option, play_options, rules_options, scheduler_option
from cli.playing import play, workers
from experiments.defaults import DEFAULT_PAIRS, TOURNAMENT

if TYPE_CHECKING:
    from cli.progress import Progress
    from experiments.tournament import Tournament
    from sim.batch.plan import Plan


@click.command("tournament")
@click.argument("players", nargs=-1, required=True, metavar="S1 S2 S3 ...")
@click.option("--gauntlet", is_flag=True, help="The first meets all others; these do not meet each other.")
@click.option(
    "--pairs",
    type=click.IntRange(1, 2**32),
    default=DEFAULT_PAIRS[TOURNAMENT],
    show_default=True,
    help="Duplicate pairs a pairing.",
)
@rules_options
@play_options
@scheduler_option
@json_option
@general_options
def command(
    players: tuple[str, ...],
    gauntlet: bool,
    pairs: int,
    rules: str,
    options: dict[str, str],
    seed: int | None,
    threads: int,
    scheduler: str | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """Rate strategies by playing everyone against everyone on the same deals.

    Tells ratings, who beats whom and how surely, whether moving first helps, the mix of players that nobody beats, and
    how much each player can lose to the one that suits it least.
    """
    from cli.texts.tournaments import tournament_text
    from experiments.simulate import Request
    from experiments.tournament import draw_up, tournament
    from sim.batch.runner import Watch

    request = Request(players, pairs, None, rules, options, seed)

    with workers(threads, scheduler) as playing:

        def run(plan: Plan, folder: Path, progress: Progress) -> Tournament:
            return tournament(plan, folder, playing, Watch(progress.advance))

        found = play(lambda: draw_up(request, gauntlet=gauntlet), out, run)
    click.echo(json.dumps(found.document()) if as_json else tournament_text(found))
