"""`hollywood tips`: the players' advice, tested."""

from __future__ import annotations

import json
import secrets
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.find_run import ROOT
from cli.options import general_options, is_quiet, json_option, new_path, threads_option

if TYPE_CHECKING:
    from experiments.tips.play import Asked, Planned


@click.command("tips")
@click.option("--only", multiple=True, metavar="NAME", help="Test this tip alone; several times for several.")
@click.option("--list", "as_list", is_flag=True, help="Name the tips and what they say, and stop.")
@click.option(
    "--pairs",
    type=click.IntRange(1, 2**32),
    help="Duplicate pairs of each meeting, half of them where every deal is kept.  [default: 30000]",
)
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), help="Seed of all chance.  [default: random, and printed]")
@click.option(
    "--rules",
    multiple=True,
    metavar="PRESET|FILE.toml",
    help="Rules to test under; several times for several.  [default: hollywood and hollywood-003]",
)
@threads_option
@click.option("--out", callback=new_path, help="The folder to make.  [default: a new one in runs/]")
@click.option("--resume", callback=new_path, metavar="FOLDER", help="Go on with the tips in this folder.")
@json_option
@general_options
def command(
    only: tuple[str, ...],
    as_list: bool,
    pairs: int | None,
    seed: int | None,
    rules: tuple[str, ...],
    threads: int,
    out: Path | None,
    resume: Path | None,
    as_json: bool,
) -> None:
    """Test the advice that players give each other.

    Plays what each tip is about, says for each whether it holds, how much it matters and how surely, and writes a page.
    docs/tips.md says how, and how to add a tip.

    \b
    Example   hollywood tips --list
              hollywood tips --only push-early --seed 7
    """
    from cli.texts.tips import list_text, tips_text
    from experiments.tips.claims import TIPS
    from experiments.tips.play import DEFAULT_PAIRS, DEFAULT_RULES, Asked, read_asked

    if as_list:
        click.echo(list_text(TIPS))
        return
    if resume is None:
        drawn = secrets.randbits(32) if seed is None else seed
        asked = Asked(pairs or DEFAULT_PAIRS, drawn, tuple(dict.fromkeys(rules)) or DEFAULT_RULES, only)
    elif only or pairs or rules or seed is not None or out:
        raise click.UsageError("--resume goes on with what was asked for: give nothing else but --threads")
    else:
        asked, _ = read_asked(resume)
    folder, document = _play(asked, out, resume, threads)
    click.echo(json.dumps({**document, "folder": str(folder)}) if as_json else tips_text(document, folder))


def _play(asked: Asked, out: Path | None, resume: Path | None, threads: int) -> tuple[Path, dict[str, object]]:
    """Play the tips into a folder, write tips.json and the page, and return the folder and what came out."""
    from cli.progress import Progress
    from experiments.progress_file import counting
    from experiments.tips.document import document
    from experiments.tips.play import draw_up, play_tips, read_asked, start_folder, write_document
    from reports.build import write_html
    from reports.tips_page import page_of_tips

    progress = Progress(quiet=is_quiet())

    def next_run(place: int) -> None:
        progress.note = f"run {place + 1} of {len(planned)}"

    with progress:
        planned = draw_up(asked)
        _refuse_too_large(planned, resume or out or ROOT)
        folder = resume or start_folder(asked, out, ROOT)
        progress.start(sum(run.plan.total_pairs() for run in planned))
        try:
            with counting(progress.count, shlex.join(["hollywood", *sys.argv[1:]])):
                play_tips(planned, folder, threads, progress.advance, next_run)
            progress.note = "measuring"
            found = document(asked, planned, folder, read_asked(folder)[1])
        except KeyboardInterrupt:
            progress.say(f"interrupted: what is finished is kept in {folder}")
            progress.say(f"  go on with: {shlex.join(['hollywood', 'tips', '--resume', str(folder)])}")
            raise
    write_document(folder, found)
    write_html(page_of_tips(folder), folder / "report.html")
    return folder, found


def _refuse_too_large(planned: Sequence[Planned], folder: Path) -> None:
    """Refuse tips whose runs, all together, the disk of a folder cannot hold."""
    from cli.weighing import refuse_too_large
    from experiments.disk_need import Need, disk_need

    needs = [disk_need(run.plan, folder / run.folder) for run in planned]
    whole = Need(sum(need.deals for need in needs), sum(need.size for need in needs), needs[0].free)
    refuse_too_large(whole, folder, "these tips take")
