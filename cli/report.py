"""`hollywood report`: a page of charts and tables from a run."""

from __future__ import annotations

from pathlib import Path

import click

from cli.find_run import find_run
from cli.options import general_options, new_path


@click.command("report")
@click.argument("run")
@click.option("--out", callback=new_path, help="The HTML file to write.  [default: RUN/report.html]")
@general_options
def command(run: str, out: Path | None) -> None:
    """Write a self-contained HTML report of RUN: a run folder, "last", or how one in runs/ begins."""
    from reports.build import write_report

    click.echo(f"report  {write_report(find_run(run), out)}")
