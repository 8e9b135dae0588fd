"""`hollywood runs watch`: follow a run that another process plays, by reading its folder."""

from __future__ import annotations

import sys
import time

import click
from click import command

from cli.find_run import is_url, run_folder
from cli.options import general_options, is_quiet
from cli.progress import StatusLine
from cli.texts.watch import REWRITTEN_WIDTH, ended_text, standing_line

DIED_CODE = 1


@command("watch", short_help="Follow a run that another process plays.")
@click.argument("run")
@click.option(
    "--every",
    type=click.FloatRange(0.1, 86_400),
    default=2.0,
    show_default=True,
    metavar="SECONDS",
    help="How often to look.",
)
@click.option("--once", is_flag=True, help="Look once, and end.")
@general_options
def watch(run: str, every: float, once: bool) -> None:
    """Follow a run from another terminal until it ends, and say how it ended.

    The run is only read, and not disturbed; control-C ends the watching alone. The exit code is 0 however the run
    ended, and 1 if its process died without a word: then it can be resumed.
    """
    from experiments.watching import Watched
    from sim.batch.status import DIED, FAILED, RUNNING

    watched = Watched(run_folder(run, rows=False))
    line = StatusLine(sys.stdout)
    try:
        while (state := watched.state()) == RUNNING:
            if once or not is_quiet():
                line.show(standing_line(watched.standing(), REWRITTEN_WIDTH if line.rewrites else None))
            if once:
                line.end()
                return
            time.sleep(every)
    except KeyboardInterrupt:
        line.end()
        raise
    line.clear()
    if state == DIED and is_url(run):
        raise click.UsageError(f"{run}: no process of this machine plays it; whether another does cannot be told")
    click.echo(ended_text(watched.path, state, watched.kept(), watched.reason() if state == FAILED else ""))
    if state == DIED:
        raise click.exceptions.Exit(DIED_CODE)
