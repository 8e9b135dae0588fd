"""`hollywood solve`: the least deadwood of a hand, its spreads, and for eleven cards what to throw."""

from __future__ import annotations

import json

import click

from cli.options import general_options, json_option, lines_of
from cli.texts.hands import solution_text
from sim.cards import NO_CARD, CardError, parse_card, parse_hand
from sim.solve import MAX_CARDS, Solution, solve


@click.command("solve")
@click.argument("hand")
@click.option("--barred", metavar="CARD", help="The upcard just taken, which may not be thrown.")
@click.option(
    "--knock-limit",
    default=10,
    show_default=True,
    type=click.IntRange(0, 10),
    help="Most deadwood to knock with.",
)
@json_option
@general_options
def command(hand: str, barred: str | None, knock_limit: int, as_json: bool) -> None:
    """Show the least deadwood of HAND, 1 to 11 cards such as "AS 2S 3S 10D", or - for a hand a line on stdin."""
    for number, text in enumerate(lines_of("-") if hand == "-" else [hand], start=1):
        if hand == "-" and not text.strip():
            continue
        try:
            solution = _solve(text, barred, knock_limit)
        except CardError as error:
            raise CardError(f"line {number}: {error}" if hand == "-" else str(error)) from None
        click.echo(json.dumps(solution.document()) if as_json else solution_text(solution))


def _solve(text: str, barred: str | None, knock_limit: int) -> Solution:
    cards = parse_hand(text, max_cards=MAX_CARDS)
    if not cards:
        raise CardError(f'the hand "{text}" has no cards; 1 to {MAX_CARDS} are allowed')
    if barred is None:
        return solve(cards, NO_CARD, knock_limit)
    card = parse_card(barred)
    if cards.bit_count() < MAX_CARDS:
        raise CardError(f"--barred needs eleven cards, of which one is thrown; this hand has {cards.bit_count()}")
    if not cards >> card & 1:
        raise CardError(f'--barred "{barred}" is not in the hand "{text.strip()}"')
    return solve(cards, card, knock_limit)
