"""`hollywood layoff`: a knock of ten cards against ten cards, scored in full."""

from __future__ import annotations

import json
from dataclasses import asdict

import click

from cli.options import general_options, json_option, lines_of, rules_options
from cli.texts.hands import showdown_text
from sim.cards import CardError, cards_of, format_card, parse_hand
from sim.presets import choose_rules
from sim.rules import Rules
from sim.solve import Showdown, showdown


@click.command("layoff")
@click.argument("hands", nargs=-1, metavar='"KNOCKER" "DEFENDER"')
@rules_options
@json_option
@general_options
def command(hands: tuple[str, ...], rules: str, options: dict[str, str], as_json: bool) -> None:
    """Show how a knock comes out: ten cards of the knocker against ten of the defender, or - for lines on stdin.

    A line on stdin is KNOCKER;DEFENDER.
    """
    chosen = choose_rules(rules, options).rules
    if hands == ("-",):
        for number, line in enumerate(lines_of("-"), start=1):
            if line.strip():
                _print(line.split(";"), chosen, as_json, f"line {number}: ")
    else:
        _print(list(hands), chosen, as_json, "")


def _print(hands: list[str], rules: Rules, as_json: bool, where: str) -> None:
    try:
        result = _showdown(hands, rules)
    except ValueError as error:
        raise ValueError(f"{where}{error}") from None
    click.echo(json.dumps(asdict(result)) if as_json else showdown_text(result))


def _showdown(hands: list[str], rules: Rules) -> Showdown:
    if len(hands) != 2:
        raise CardError(f"two hands are needed, knocker and defender; {len(hands)} given")
    knocker, defender = (parse_hand(text) for text in hands)
    for who, cards in (("knocker", knocker), ("defender", defender)):
        if cards.bit_count() != 10:
            raise CardError(f"the {who} holds {cards.bit_count()} card(s); ten are needed")
    for card in cards_of(knocker & defender):
        raise CardError(f'card "{format_card(card)}" is in both hands')
    return showdown(knocker, defender, rules)
