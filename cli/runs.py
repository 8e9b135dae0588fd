"""`hollywood runs`: what to do with runs that are there."""

from __future__ import annotations

import json

import click

from cli.find_run import find_run
from cli.options import general_options, json_option

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
    """Compare two runs pair by pair.

    RUN is a run folder, "last", or how one in runs/ begins.
    """


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
