"""`hollywood score`: a real evening on a Hollywood sheet."""

from __future__ import annotations

import json

import click

from cli.options import general_options, json_option, lines_of, rules_options
from cli.texts import sheet_text
from sim.evening import REJECTED, read_evening, score_evening
from sim.rules import preset_rules


@click.command("score")
@click.argument("source", metavar="FILE|-")
@rules_options
@json_option
@general_options
def command(source: str, preset: str, options: dict[str, str], as_json: bool) -> None:
    """Score the deals in FILE (- for stdin), one a line: "A 10", "B undercut 15", "void"; names may replace A and B.

    The number is the points entered, bonuses included.
    """
    scored = score_evening(read_evening(lines_of(source)), preset_rules(preset, options))
    rejected = [number for number, columns in enumerate(scored.entered, start=1) if columns == REJECTED]
    if rejected:
        which = ", ".join(str(number) for number in rejected)
        click.echo(f"warning: the match was over before deal {which}: not entered", err=True)
    click.echo(json.dumps(scored.document()) if as_json else sheet_text(scored))
