"""`hollywood runs`: what to do with runs that are there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.find_run import find_run, run_folder
from cli.options import general_options, json_option, threads_option
from cli.playing import play

if TYPE_CHECKING:
    from cli.progress import Progress
    from experiments.resume import Found
    from sim.batch.plan import Plan

EXAMPLE = """\b
Example, for a player that you change between two runs:
  hollywood simulate ./my_bot.py greedy --seed 7 --out before
  hollywood simulate ./my_bot.py greedy --seed 7 --out after
  hollywood runs diff after before
"""
"""What `runs diff --help` ends with; the backslash keeps the line ends."""


@click.group("runs")
@general_options
def command() -> None:
    """List, check, go on with and compare runs.

    RUN is a run folder, "last", or how one in runs/ begins.
    """


def _go_on(run: str, pairs: int | None, threads: int, as_json: bool) -> None:
    """Play what is missing of a run and print what it came to."""
    from analysis.sequential import Look
    from cli.texts.found import found_text
    from experiments.resume import edited_since, plan_to_resume, resume
    from sim.batch.runner import Watch

    folder = run_folder(run)

    def go_on(plan: Plan, path: Path, progress: Progress) -> Found:
        for text in edited_since(plan):
            progress.say(f"{text} was changed since; the run goes on with the copy it has kept")

        def tell(look: Look) -> None:
            progress.note = f"A {100 * look.moments.mean:.1f}%"

        return resume(path, plan, (threads, Watch(progress.advance)), tell, progress.start)

    found = play(lambda: plan_to_resume(folder, pairs), folder, go_on)
    click.echo(json.dumps(found.document()) if as_json else found_text(found))


@command.command("resume", short_help="Play what is missing of a run.")
@click.argument("run")
@threads_option
@json_option
@general_options
def resume_command(run: str, threads: int, as_json: bool) -> None:
    """Go on with a run that was interrupted, died or lost a part: play what is missing, then conclude it.

    The result is that of a run which was never broken off, byte for byte in its data.
    """
    _go_on(run, None, threads, as_json)


@command.command("extend", short_help="Make a run longer.")
@click.argument("run")
@click.option("--pairs", type=click.IntRange(1, 2**32), required=True, help="Duplicate pairs a pairing, in all.")
@threads_option
@json_option
@general_options
def extend(run: str, pairs: int, threads: int, as_json: bool) -> None:
    """Play a run on to more pairs: the result is that of a run which had so many from the start."""
    _go_on(run, pairs, threads, as_json)


@command.command("diff", epilog=EXAMPLE, short_help="Compare two runs pair by pair, on the same cards.")
@click.argument("run1")
@click.argument("run2")
@click.option(
    "--top",
    type=click.IntRange(0, 1000),
    default=5,
    show_default=True,
    help="Show so many of the pairs that differ most.",
)
@json_option
@general_options
def diff(run1: str, run2: str, top: int, as_json: bool) -> None:
    """Compare RUN1 with RUN2 pair by pair: what a change is worth on the same cards.

    Both must have the same seed and rules. RUN is a run folder, "last", or how one in runs/ begins. The difference is
    RUN1 less RUN2, seen from RUN1's side A; a positive one means that A does better in RUN1.
    """
    from analysis.load import load_run
    from analysis.run_difference import run_difference
    from cli.texts.differences import difference_document, difference_text

    found = run_difference(load_run(find_run(run1)), load_run(find_run(run2)), top)
    click.echo(json.dumps(difference_document(found)) if as_json else difference_text(found))
