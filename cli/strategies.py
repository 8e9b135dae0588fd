"""`hollywood strategies`: who can play, and how; writing a player of your own, and checking it."""

from __future__ import annotations

import keyword
import re
import shlex
import sys
from pathlib import Path

import click

from cli.options import general_options, is_quiet
from cli.texts.players import finding_text, players_text, strategy_text
from strategies.registry import WRAPPERS, layers_of, parse_spec
from strategies.sources import HERE

TAKEN = {"sim", "strategies", "analysis", "reports", "experiments", "cli", "numpy", "numba"}
"""Modules that a strategy file may import and so must not be called like."""


@click.group("strategies")
@general_options
def command() -> None:
    """List the strategies, show how one plays, write one of your own, check it."""


@command.command("list")
@general_options
def list_() -> None:
    """List every strategy and every wrapper with one line on how it plays, its source and its speed."""
    click.echo(players_text())
    if not is_quiet():
        click.echo("\nalso: threshold:knock_at=4   greedy+on-schneid   ./my_bot.py (a file of your own)", err=True)


@command.command("show")
@click.argument("name")
@general_options
def show(name: str) -> None:
    """Show how NAME plays (a strategy, a file such as ./my_bot.py, or +WRAPPER), its parameters and its source."""
    bare = name.removeprefix("+").replace("_", "-")
    is_wrapper = name.startswith("+") or bare in WRAPPERS
    spec = parse_spec(f"greedy+{name.removeprefix('+')}" if is_wrapper else name)
    for layer in layers_of(spec)[is_wrapper:]:
        click.echo(strategy_text(layer.player, spec.sha))


@command.command("new")
@click.argument("name")
@general_options
def new(name: str) -> None:
    """Write NAME.py, a commented player that works, to start your own from."""
    file = Path(f"{name.removesuffix('.py')}.py")
    _refuse_name(file.stem)
    title = file.stem.replace("_", " ").capitalize()
    text = (HERE / "template.txt").read_text(encoding="utf-8").format(name=file.stem, title=title)
    try:
        with file.open("x", encoding="utf-8") as handle:
            handle.write(text)
    except FileExistsError:
        raise click.UsageError(f'"{file}" is there already: choose another name') from None
    except OSError as error:
        raise click.UsageError(f'"{file}" cannot be written: {error.strerror}') from None
    path = shlex.quote(str(file) if file.is_absolute() else f"./{file}")
    click.echo(f"wrote  {file}\nnext   hollywood strategies check {path}")


def _refuse_name(stem: str) -> None:
    """Refuse a name that cannot be a strategy's, or that is a module's the file imports or may want to."""
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]{0,39}", stem):
        told = "a letter, then letters, digits and _, at most 40 of them, such as my_bot"
    elif keyword.iskeyword(stem) or stem in sys.stdlib_module_names or stem in TAKEN:
        told = "it means something else in Python or here; a free one is needed, such as my_bot"
    else:
        return
    raise click.UsageError(f'"{stem}" cannot be the name of a strategy file: {told}')


@command.command("check")
@click.argument("player", metavar="FILE|NAME")
@general_options
def check(player: str) -> None:
    """Check that a player keeps the contract: legal, repeatable, the same uncompiled, not peeking; and its speed.

    The first deal that breaks it is shown as a replay.
    """
    from experiments.check import check as findings_of

    failed = False
    for finding in findings_of(player):
        click.echo(finding_text(finding))
        failed |= not finding.passed
    if failed:
        raise click.exceptions.Exit(1)
