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
    from sim.batch.mirror import Mirror

    folder = find_run(run)
    page = write_report(folder, out)
    mirror = Mirror.of(folder)
    if mirror is None or out is not None:
        click.echo(f"report  {page}")
        return
    mirror.put(page.name)
    click.echo(f"report  {page}\n  copied to {mirror.url}/{page.name}")
