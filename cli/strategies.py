"""`hollywood strategies`: who can play, and how."""

from __future__ import annotations

import click

from cli.options import general_options, is_quiet
from cli.texts.players import strategy_text
from strategies.registry import MODULES, parse_spec, strategy_of


@click.group("strategies")
@general_options
def command() -> None:
    """List the strategies, or show how one plays."""


@command.command("list")
@general_options
def list_() -> None:
    """List every strategy with one line on how it plays."""
    width = max(map(len, MODULES))
    for name in MODULES:
        click.echo(f"{name:<{width}}  {strategy_of(parse_spec(name)).summary}")
    if not is_quiet():
        click.echo("\nA file of your own plays too: ./my_bot.py   Parameters: threshold:knock_at=4", err=True)


@command.command("show")
@click.argument("name")
@general_options
def show(name: str) -> None:
    """Show how NAME (a strategy, or a file such as ./my_bot.py) plays, its parameters and its source."""
    spec = parse_spec(name)
    click.echo(strategy_text(strategy_of(spec), spec.sha))
