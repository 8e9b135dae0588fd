"""`hollywood replay`: a match or a deal move by move."""

from __future__ import annotations

import json
from pathlib import Path

import click

from cli.find_run import find_run
from cli.options import general_options, json_option, rules_options


@click.command("replay")
@click.argument("who", nargs=-1, required=True, metavar="RUN | A B")
@click.option("--pair", type=click.IntRange(0), required=True, help="The duplicate pair, counted from 0.")
@click.option("--leg", type=click.IntRange(0, 5), help="One match of the pair.  [default: all]")
@click.option("--deal", type=click.IntRange(0), help="One deal, counted from 0.  [default: all]")
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), help="Without a run: the seed; then A and B play.")
@rules_options
@json_option
@general_options
def command(
    who: tuple[str, ...],
    pair: int,
    leg: int | None,
    deal: int | None,
    seed: int | None,
    rules: str,
    options: dict[str, str],
    as_json: bool,
) -> None:
    """Follow a pair move by move: hands, draws, discards, knock, layoffs, points, the sheet.

    RUN is a run folder, "last", or how one in runs/ begins; where it has several pairings name one: RUN A B. The
    replay is checked against the stored rows. With --seed no run is needed: replay --seed 7 --pair 3 greedy simple.
    """
    from cli.texts.replays import replay_text
    from experiments.replay import replay_free, replay_run

    if seed is not None:
        replay = replay_free(who, rules, options, seed, pair)
    elif rules != "hollywood" or options:
        raise click.UsageError("a run has its own rules; --rules and --set go with --seed")
    else:
        replay = replay_run(_run_folder(who[0]), who[1:], pair)
    chosen = replay.choose(leg, deal)
    click.echo(json.dumps(chosen.document()) if as_json else replay_text(chosen))


def _run_folder(text: str) -> Path:
    folder = find_run(text)
    if not text.strip() or not folder.is_dir():
        raise click.UsageError(f'no run "{text}"; to play without a run give --seed, and two players')
    return folder
