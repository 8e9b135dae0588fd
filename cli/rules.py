"""`hollywood rules`: the presets, their options with meaning and source, and how two of them differ."""

from __future__ import annotations

import json

import click

from cli.options import general_options, is_quiet, json_option
from cli.texts.rules import difference_text, presets_text, rules_document, rules_text
from sim.presets import PRESETS, changed_options, choose_rules


@click.group("rules")
@general_options
def command() -> None:
    """List the rules presets, show one with the meaning and source of every option, or compare two."""


@command.command("list")
@json_option
@general_options
def list_(as_json: bool) -> None:
    """List every preset with one line on it."""
    if as_json:
        told = {name: {"about": p.about, "source": p.source, "form": p.form} for name, p in PRESETS.items()}
        click.echo(json.dumps(told))
        return
    click.echo(presets_text())
    if not is_quiet():
        click.echo("\nOptions of one: hollywood rules show NAME   Changing one: --set OPTION=VALUE", err=True)


@command.command("show")
@click.argument("preset", metavar="PRESET|FILE.toml")
@json_option
@general_options
def show(preset: str, as_json: bool) -> None:
    """Show every option of PRESET (or of a file of your own rules): value, meaning, source."""
    chosen = choose_rules(preset)
    click.echo(json.dumps(rules_document(preset, chosen)) if as_json else rules_text(preset, chosen))


@command.command("diff")
@click.argument("one", metavar="P")
@click.argument("other", metavar="Q")
@json_option
@general_options
def diff(one: str, other: str, as_json: bool) -> None:
    """Show the options in which P and Q differ; both are presets or files of your own rules."""
    both = choose_rules(one), choose_rules(other)
    if not as_json:
        click.echo(difference_text((one, other), both))
        return
    rules = both[0].rules, both[1].rules
    changed = {name: [rules[0].options()[name], value] for name, value in changed_options(*rules).items()}
    click.echo(json.dumps({"rules": [one, other], "form": [r.form for r in rules], "options": changed}))
