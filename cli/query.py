"""`hollywood query`: any question to a run, in SQL."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import click

from cli.find_run import run_folder
from cli.options import general_options


@click.command("query")
@click.argument("run")
@click.argument("sql", required=False)
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "csv", "json"]),
    default="table",
    show_default=True,
    help="How to print the answer.",
)
@click.option("--schema", is_flag=True, help="List the tables and columns that can be asked.")
@general_options
def command(run: str, sql: str | None, form: str, schema: bool) -> None:
    """Answer SQL about RUN: a run folder, "last", or how one in runs/ begins. SQL may be "-", which is stdin.

    The tables are matches (a row a match), measures (the same as counts of both sides, which can be summed) and, if
    they were kept, deals (a row a deal); of three-handed runs trios. The SQL is DuckDB's, one SELECT.

    \b
    hollywood query last "select avg(deals_played) from matches"
    hollywood query last "select ending, count(*) from deals group by 1"
    """
    if schema == (sql is not None):
        raise click.UsageError("give SQL, or --schema" if sql is None else "give SQL or --schema, not both")
    folder = run_folder(run)
    if sql is None:
        _print_schema(folder, form)
    else:
        _print_answer(folder, sys.stdin.read() if sql == "-" else sql, form)


def _print_answer(folder: Path, sql: str, form: str) -> None:
    """Print the answer as it comes."""
    from analysis import load_run
    from analysis.query import Answer, ask
    from cli.texts.query import csv_lines, json_lines, table_lines

    write: dict[str, Callable[[Answer], Iterable[str]]] = {"table": table_lines, "csv": csv_lines, "json": json_lines}
    with ask(load_run(folder), sql) as answer:
        for line in write[form](answer):
            click.echo(line)


def _print_schema(folder: Path, form: str) -> None:
    """Print what can be asked of a run."""
    from analysis import load_run
    from analysis.query import Answer, table_names
    from cli.texts.query import SCHEMA_COLUMNS, csv_lines, json_lines, schema_lines, schema_rows
    from sim.batch.schema import TABLES, column_docs

    names = table_names(load_run(folder))
    tables = {name: list(column_docs(name)) for name in names if name in TABLES}
    also = "measures: what each match comes to for both sides, as counts to be summed; ask it with DESCRIBE measures."
    rows = Answer(SCHEMA_COLUMNS, ["VARCHAR"] * len(SCHEMA_COLUMNS), schema_rows(tables))
    lines: dict[str, Callable[[], Iterator[str]]] = {
        "table": lambda: schema_lines(tables, also if "measures" in names else ""),
        "csv": lambda: csv_lines(rows),
        "json": lambda: json_lines(rows),
    }
    for line in lines[form]():
        click.echo(line)
