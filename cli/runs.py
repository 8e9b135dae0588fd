"""`hollywood runs`: what to do with runs that are there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.find_run import ROOT, find_run, run_folder
from cli.options import general_options, is_quiet, json_option, scheduler_option, threads_option
from cli.playing import play, workers
from cli.watch import watch

if TYPE_CHECKING:
    from cli.progress import Progress
    from experiments.resume import Found
    from sim.batch.plan import Plan

EXAMPLE = """\b
Example, for a player that you change between two runs:
  hollywood simulate ./my_bot.py greedy --seed 7 --out before
  hollywood simulate ./my_bot.py greedy --seed 7 --out after
  hollywood runs diff after before
"""
"""What `runs diff --help` ends with; the backslash keeps the line ends."""


@click.group("runs")
@general_options
def command() -> None:
    """List, check, go on with and compare runs.

    RUN is a run folder, "last", or how one in runs/ begins.
    """


@command.command("list", short_help="List the runs, newest first.")
@click.option(
    "--root",
    type=click.Path(file_okay=False, path_type=Path),
    default=ROOT,
    show_default=True,
    help="The folder the runs are in.",
)
@json_option
@general_options
def list_command(root: Path, as_json: bool) -> None:
    """List the runs, newest first: what was played, how far it came, how much there is of it.

    A run "died" if it says that it is running and no process writes it: resume goes on with it. It is "damaged" if it
    had ended and a file of it is gone or cut short. Folders that cannot be read are listed with the reason.
    """
    from cli.texts.runs import list_text
    from experiments.run_list import list_runs

    if root != ROOT and not root.is_dir():
        raise click.UsageError(f'no folder "{root}"')
    found = list_runs(root) if root.is_dir() else []
    click.echo(json.dumps([run.document() for run in found]) if as_json else list_text(found, root))


@command.command("show", short_help="Show how a run stands, and what to do next.")
@click.argument("run")
@json_option
@general_options
def show(run: str, as_json: bool) -> None:
    """Show what was asked of a run, how far it came, where and when it was played, and what to do next."""
    from cli.texts.runs import show_document, show_text
    from experiments.remote import sizes_elsewhere
    from experiments.run_list import run_state

    folder = run_folder(run, rows=False)
    state = run_state(folder, sizes_elsewhere(folder))
    click.echo(json.dumps(show_document(state)) if as_json else show_text(state))


@command.command("verify", short_help="Check every file of a run, and play some pairs again.")
@click.argument("run")
@click.option(
    "--sample",
    type=click.IntRange(0, 2**32),
    default=20,
    show_default=True,
    help="Play so many pairs again, and compare every row of them.",
)
@click.option("--keep", is_flag=True, help="Rename nothing: damaged files stay where they are.")
@json_option
@general_options
def verify_command(run: str, sample: int, keep: bool, as_json: bool) -> None:
    """Check every file of a run against what was written, and play some pairs again.

    A damaged file is set aside: ".bad" is added to its name, and runs resume plays its part again, to the same bytes.
    The exit code is 1 if anything is wrong.
    """
    from cli.checking import Checking
    from cli.texts.verified import verified_text
    from experiments.verify import verify

    folder = run_folder(run, anew=True)
    with Checking(quiet=is_quiet()) as checking:
        found = verify(folder, sample, keep=keep, tell=checking.tell)
    click.echo(json.dumps(found.document()) if as_json else verified_text(found))
    if not found.is_sound:
        raise click.exceptions.Exit(1)


def _go_on(run: str, pairs: int | None, on: tuple[int, str | None], as_json: bool) -> None:
    """Play what is missing of a run and print what it came to."""
    from cli.texts.extended import extended_document, extended_text
    from cli.texts.found import found_text
    from experiments.resume import edited_since, plan_to_resume, resume
    from sim.batch.part_lines import extents
    from sim.batch.runner import Watch
    from sim.batch.status import pairs_at_first
    from sim.batch.store import read_manifest

    folder = run_folder(run, rows=False)

    def go_on(plan: Plan, path: Path, progress: Progress) -> Found:
        """Say what has changed since, then play."""
        for text in edited_since(plan):
            progress.say(f"{text} was changed since; the run goes on with the copy it has kept")

        return resume(path, plan, (playing, Watch(progress.advance)), progress.listeners)

    with workers(*on) as playing:
        found = play(lambda: plan_to_resume(folder, pairs), folder, go_on)
    manifest, first = read_manifest(folder), 0
    if "first_pairs" in manifest:
        first = pairs_at_first(manifest, max(one.first_pair + one.pairs for one in extents(folder)))
    document, text = found.document(), found_text(found)
    if first:
        document["extended"] = extended_document(found, first)
        text += "\n" + extended_text(found, first)
    click.echo(json.dumps(document) if as_json else text)


@command.command("resume", short_help="Play what is missing of a run.")
@click.argument("run")
@threads_option
@scheduler_option
@json_option
@general_options
def resume_command(run: str, threads: int, scheduler: str | None, as_json: bool) -> None:
    """Go on with a run that was interrupted, died or lost a part: play what is missing, then conclude it.

    The result is that of a run which was never broken off, byte for byte in its data.
    """
    _go_on(run, None, (threads, scheduler), as_json)


@command.command("extend", short_help="Make a run longer.")
@click.argument("run")
@click.option("--pairs", type=click.IntRange(1, 2**32), required=True, help="Duplicate pairs a pairing, in all.")
@threads_option
@scheduler_option
@json_option
@general_options
def extend(run: str, pairs: int, threads: int, scheduler: str | None, as_json: bool) -> None:
    """Play a run on to more pairs: the result is that of a run which had so many from the start.

    The limits of a result hold for a size that was fixed beforehand. Who extends a run because it is undecided looks
    twice, and goes by the anytime-valid interval, which is printed too; compare stops by itself when it can tell.
    """
    _go_on(run, pairs, (threads, scheduler), as_json)


@command.command("compact", short_help="Merge the files of a finished run, so that it is read faster.")
@click.argument("run")
@json_option
@general_options
def compact_command(run: str, as_json: bool) -> None:
    """Merge the files of a run that has ended into fewer, larger ones: each pairing's rows in the same order.

    Up to 32 parts of a pairing become one file. Everything that reads a run reads it as before, and it can still be
    verified and extended. The old files go when the new ones are written, read back and compared, so the disk must have
    room for both.
    """
    from cli.checking import Checking
    from cli.texts.runs import compacted_text
    from experiments.compact import compact

    folder = run_folder(run, rows=False)
    with Checking(quiet=is_quiet()) as checking:
        found = compact(folder, checking.tell)
    click.echo(json.dumps(found.document()) if as_json else compacted_text(found))


@command.command("diff", epilog=EXAMPLE, short_help="Compare two runs pair by pair, on the same cards.")
@click.argument("run1")
@click.argument("run2")
@click.option(
    "--top",
    type=click.IntRange(0, 1000),
    default=5,
    show_default=True,
    help="Show so many of the pairs that differ most.",
)
@json_option
@general_options
def diff(run1: str, run2: str, top: int, as_json: bool) -> None:
    """Compare RUN1 with RUN2 pair by pair: what a change is worth on the same cards.

    Both must have the same seed and rules. RUN is a run folder, "last", or how one in runs/ begins. The difference is
    RUN1 less RUN2, seen from RUN1's side A; a positive one means that A does better in RUN1.
    """
    from analysis.load import load_run
    from analysis.run_difference import run_difference
    from cli.texts.differences import difference_document, difference_text

    found = run_difference(load_run(find_run(run1)), load_run(find_run(run2)), top)
    click.echo(json.dumps(difference_document(found)) if as_json else difference_text(found))


command.add_command(watch)
