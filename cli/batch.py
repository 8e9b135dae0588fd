"""`hollywood batch`: the experiments of a file, one after another, through the night."""

from __future__ import annotations

import json
import secrets
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli.find_run import ROOT
from cli.options import general_options, is_quiet, json_option, new_path

if TYPE_CHECKING:
    from experiments.batch import BatchFolder, Entry, Job
    from experiments.batch_runs import Drawn, Estimate
    from experiments.batch_spec import Batch


@click.command("batch")
@click.argument("spec", metavar="SPEC.toml", type=click.Path(path_type=Path))
@click.option("--dry-run", is_flag=True, help="Show what each run will cost, and stop.")
@click.option(
    "--set",
    "overrides",
    multiple=True,
    metavar="KEY=VALUE|NAME.KEY=VALUE",
    help="Change a default, or a key of the experiment NAME.",
)
@click.option("--out", callback=new_path, help="The folder to make.  [default: a new one in runs/]")
@click.option("--resume", callback=new_path, metavar="FOLDER", help="Go on with the batch in this folder.")
@json_option
@general_options
def command(
    spec: Path, dry_run: bool, overrides: tuple[str, ...], out: Path | None, resume: Path | None, as_json: bool
) -> int:
    """Run the experiments of a file, one after another.

    The whole file is checked before anything is played. Each run has a process of its own: one that fails does not keep
    the others from being played. docs/batch.md says what the file may hold.

    \b
    The exit code is 1 if any run failed.
    """
    from experiments.batch import BatchFolder, default_batch_folder, read_batch_json
    from experiments.batch_spec import read_batch

    if resume is not None and (out is not None or dry_run):
        raise click.UsageError(f"give --resume or {'--dry-run' if dry_run else '--out'}, not both")
    seed = secrets.randbits(32) if resume is None else read_batch_json(resume)["seed"]
    batch = read_batch(spec, overrides, seed)
    if dry_run:
        return _show_estimates(batch, out or ROOT, as_json=as_json)
    if resume is not None:
        folder = BatchFolder.reopen(resume, batch)
    else:
        folder = BatchFolder.create(out or default_batch_folder(spec, ROOT), batch, seed)
    return _play(folder, batch, ("hollywood", "batch", str(spec), *_set_words(overrides)), as_json=as_json)


def _set_words(overrides: tuple[str, ...]) -> list[str]:
    return [word for text in overrides for word in ("--set", text)]


def _play(folder: BatchFolder, batch: Batch, words: tuple[str, ...], *, as_json: bool) -> int:
    """Play what is left of a batch, print what it came to and return the exit code."""
    from cli.batch_worker import launch
    from cli.texts.batch import batch_text, begin_line, end_lines
    from experiments.batch import play_batch
    from sim.batch.status import RUNNING

    quiet = is_quiet()

    def say(*lines: str) -> None:
        if not quiet:
            click.echo("\n".join(lines), err=True)

    def tell(entry: Entry) -> None:
        say(*([begin_line(entry, folder.entries)] if entry["state"] == RUNNING else end_lines(entry)))

    def launch_here(job: Job) -> Mapping[str, Any]:
        return launch(job, batch.threads, quiet=quiet)

    try:
        done = play_batch(folder, batch, launch_here, tell)
    except KeyboardInterrupt:
        say(f"interrupted: what is finished is kept in {folder.path}")
        say(f"  go on with: {shlex.join([*words, '--resume', str(folder.path)])}")
        raise
    finally:
        folder.release()
    click.echo(json.dumps(folder.document()) if as_json else batch_text(folder.entries, folder.path))
    return 0 if done else 1


def _show_estimates(batch: Batch, folder: Path, *, as_json: bool) -> int:
    """Print what each run of a batch will cost, and what the disk of its folder has free.

    Return the exit code: 1 if any fails in its pilot.
    """
    from cli.progress import Progress
    from cli.texts.batch import estimates_text
    from experiments.disk_need import free_bytes

    with Progress(quiet=is_quiet(), wait="playing a few pairs of each run, to see what it costs"):
        rows = [(drawn, _estimate(drawn, batch.threads)) for drawn in batch.runs]
    free = free_bytes(folder)
    click.echo(json.dumps(_estimates_document(rows, free)) if as_json else estimates_text(rows, free))
    return 1 if any(isinstance(found, str) for _, found in rows) else 0


def _estimate(drawn: Drawn, threads: int) -> Estimate | str:
    """Return what a run will cost, or why it cannot be played."""
    from experiments.batch_runs import estimate
    from sim.batch.runner import RunFailed

    try:
        return estimate(drawn, threads)
    except RunFailed as error:
        return str(error)


def _estimates_document(rows: list[tuple[Drawn, Estimate | str]], free: int) -> dict[str, Any]:
    """Return what the runs will cost as `batch --dry-run --json` prints it."""
    runs = []
    for drawn, found in rows:
        facts = {"reason": found} if isinstance(found, str) else found._asdict()
        run = drawn.run
        runs.append({"name": run.name, "kind": run.kind, "may_end_sooner": drawn.may_end_sooner, **facts})
    return {"runs": runs, "free": free}
