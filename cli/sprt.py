"""`hollywood sprt`: the sequential test from counts alone."""

from __future__ import annotations

import json
import re

import click

from cli.options import general_options, json_option, test_options


def _counts_of(_ctx: click.Context, _param: click.Parameter, words: tuple[str, ...]) -> list[int]:
    counts = re.split(r"[,\s]+", " ".join(words).strip("[] "))
    if len(counts) != 5 or not all(re.fullmatch(r"\d{1,15}", count) for count in counts):
        told = f'"{" ".join(words)}" is not five counts: the pairs in which A scored 0, 1/4, 1/2, 3/4 and 1'
        raise click.BadParameter(f"{told}, such as 327 0 1044 0 421")
    if not any(map(int, counts)):
        raise click.BadParameter("there is no pair: at least one of the counts must be above 0")
    return [int(count) for count in counts]


@click.command("sprt", context_settings={"ignore_unknown_options": True})
@click.argument("counts", nargs=-1, required=True, callback=_counts_of, metavar="N0 N1 N2 N3 N4")
@test_options
@json_option
@general_options
def command(
    counts: list[int],
    test: str,
    bounds: tuple[float, float] | None,
    alpha: float | None,
    beta: float | None,
    as_json: bool,
) -> None:
    """Ask the sequential test of `compare` about counts you have; nothing is played.

    Counts are duplicate pairs by A's match score: 0, 1/4 (one lost, one tied), 1/2, 3/4, 1.

    \b
    Example   hollywood sprt 327 0 1044 0 421 --test gain
    """
    from analysis.sequential import make_test
    from cli.texts.sprt import sprt_document, sprt_text

    asked = make_test(test, bounds, alpha, beta)
    click.echo(json.dumps(sprt_document(asked, counts)) if as_json else sprt_text(asked, counts))
