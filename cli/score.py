"""`hollywood score`: a real evening on a Hollywood sheet."""

from __future__ import annotations

import json

import click

from cli.options import general_options, json_option, lines_of, rules_options
from cli.texts.sheets import sheet_markdown, sheet_text
from sim.evening import REJECTED, read_evening, score_evening
from sim.presets import choose_rules


@click.command("score")
@click.argument("source", metavar="FILE|-")
@rules_options
@click.option("--markdown", "as_markdown", is_flag=True, help="Print Markdown instead of text.")
@json_option
@general_options
def command(source: str, rules: str, options: dict[str, str], as_markdown: bool, as_json: bool) -> None:
    """Score the deals in FILE (- for stdin), one a line: "A 10", "B undercut 15", "void"; names may replace A and B.

    The number is the points entered, bonuses included; a word before it only labels, # starts a comment. With
    partnership rules a line is the net of a round; with three-handed rules there are three names.
    """
    if as_markdown and as_json:
        raise click.UsageError("give --markdown or --json, not both")
    chosen = choose_rules(rules, options).rules
    scored = score_evening(read_evening(lines_of(source), chosen.sides), chosen)
    rejected = [number for number, columns in enumerate(scored.entered, start=1) if columns == REJECTED]
    if rejected:
        which = ", ".join(str(number) for number in rejected)
        click.echo(f"warning: the match was over before deal {which}: not entered", err=True)
    if as_json:
        click.echo(json.dumps(scored.document()))
    else:
        click.echo(sheet_markdown(scored) if as_markdown else sheet_text(scored))
