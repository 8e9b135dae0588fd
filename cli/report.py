"""`hollywood report`: a page of charts and tables from one run or several."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from cli.find_run import run_folder
from cli.options import general_options, new_path

EPILOG = """\b
Examples:
  hollywood report last
  hollywood report before after
  hollywood report last --format md --out docs/evening
"""
FOLDER = "report"
"""What the folder of a Markdown report is called inside its run."""


@click.command("report", epilog=EPILOG, short_help="Make a page of charts and tables from one run or several.")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@click.option(
    "--format",
    "as_what",
    type=click.Choice(["html", "md"]),
    default="html",
    show_default=True,
    help="One HTML page, or a folder of Markdown with a PNG for each figure and a CSV file for each table.",
)
@click.option(
    "--out",
    callback=new_path,
    help="The HTML file to write, or the folder of Markdown.  [default: RUN/report.html or RUN/report/; of several "
    "runs report-of-N-runs-... in the current folder]",
)
@general_options
def command(runs: Sequence[str], as_what: str, out: Path | None) -> None:
    """Write a report of RUN; of several, one that compares them and has a chapter for each.

    Runs that share a pairing, such as under other rules, are compared in it. RUN is a run folder, "last", or how one
    in runs/ begins, or the folder of hollywood tips. The HTML page is self-contained.
    """
    from reports.build import page_of, write_html, write_markdown
    from reports.tips_page import is_tips, page_of_tips

    folders = [run_folder(run) for run in runs]
    of_tips = [folder for folder in folders if is_tips(folder)]
    if of_tips and len(folders) > 1:
        raise click.UsageError(f"{of_tips[0]} is a folder of hollywood tips, which are no run: report it alone")
    page = page_of_tips(folders[0]) if of_tips else page_of(folders)
    target = out or _default(folders, as_what)
    written = write_html(page, target) if as_what == "html" else write_markdown(page, target)
    click.echo(f"report  {written}")
    if len(folders) == 1 and out is None:
        _copy(folders[0], written)


def _default(folders: Sequence[Path], as_what: str) -> Path:
    """Return where a report goes unless told otherwise."""
    from reports.build import name_of

    if len(folders) == 1:
        return folders[0] / ("report.html" if as_what == "html" else FOLDER)
    return Path(name_of(folders) + (".html" if as_what == "html" else ""))


def _copy(folder: Path, written: Path) -> None:
    """Copy a report in its run folder to where the run is kept, if that is another file system."""
    from sim.batch.mirror import Mirror

    mirror = Mirror.of(folder)
    if mirror is None:
        return
    report = written if written.parent == folder else written.parent
    files = [report] if report.is_file() else sorted(path for path in report.rglob("*") if path.is_file())
    for file in files:
        mirror.put(file.relative_to(folder).as_posix())
    click.echo(f"  copied to {mirror.url}/{written.relative_to(folder).as_posix()}")
