"""Any question to a run in SQL: its rows as tables, on a connection that can read them and do nothing else."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from analysis.asking import create_views, sql_text
from analysis.load import Run, RunError, views_of

if TYPE_CHECKING:
    import duckdb

BATCH_ROWS = 10_000


class QueryError(ValueError):
    """SQL that cannot be answered; the message is DuckDB's, in a line or two."""


@dataclass(frozen=True)
class Answer:
    """The columns of an answer, DuckDB's names of their types, and its rows as Python values.

    The rows can be read once; they come from DuckDB as they are read, so an answer may be larger than memory.
    """

    columns: list[str]
    types: list[str]
    rows: Iterator[tuple[Any, ...]]


@contextmanager
def ask(run: Run, sql: str) -> Iterator[Answer]:
    """Answer one SELECT over the tables of a run (`table_names`), which hold exactly the finished parts.

    Nothing can be written, and no other file read. Raises `QueryError` for SQL that is no single SELECT or that DuckDB
    refuses, here or while the batches are read; `RunError` when a file of the run cannot be read.
    """
    import duckdb

    _refuse_all_but_select(sql)
    with (
        tempfile.TemporaryDirectory() as spare,
        duckdb.connect(config={"temp_directory": spare}) as connection,
        ThreadPoolExecutor(1) as pool,
    ):
        _open(connection, run)
        asker = _Asker(run, connection, pool)
        described = asker.wait(connection.execute, sql).description
        columns, types = [str(entry[0]) for entry in described], [str(entry[1]) for entry in described]
        yield Answer(columns, types, asker.rows())


def table_names(run: Run) -> list[str]:
    """Return the tables that can be asked: the rows a run keeps and, of two sides, ``measures`` made of them."""
    names = list(views_of(run, run.parts))
    return names if run.is_three_handed else [*names, "measures"]


def _open(connection: duckdb.DuckDBPyConnection, run: Run) -> None:
    """Make the tables of a run, then forbid everything else."""
    import duckdb

    views = views_of(run, run.parts)
    try:
        create_views(connection, views)
        if not run.is_three_handed:
            connection.execute(sql_text("measures").format(named=run.named))
    except duckdb.Error as error:
        raise RunError(f"{run.path}: {_told(error)}") from error
    connection.execute("SET enable_progress_bar = false")
    connection.execute("SET allowed_paths = ?", [[str(path) for paths in views.values() for path in paths]])
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")


def _refuse_all_but_select(sql: str) -> None:
    """Raise `QueryError` unless the text is one SELECT: the files that can be read could be written too."""
    import duckdb

    try:
        sql.encode()
        statements = duckdb.extract_statements(sql)
    except UnicodeEncodeError:
        raise QueryError("the SQL is not text in UTF-8") from None
    except duckdb.Error as error:
        raise QueryError(_told(error)) from error
    types = [statement.type for statement in statements]
    if duckdb.StatementType.MULTI in types or not all(statement.query for statement in statements):  # made by DuckDB
        raise QueryError("only SELECT is allowed; PIVOT is one if it names its values: PIVOT ... ON column IN (...)")
    if len(types) != 1:
        raise QueryError(f"one SELECT is wanted, {len(types) or 'no'} statements were given")
    if types[0] != duckdb.StatementType.SELECT:  # EXPLAIN too: with ANALYZE it does what it explains
        raise QueryError(f"only SELECT is allowed, not {types[0].name}: a query reads and changes nothing")


@dataclass(frozen=True)
class _Asker:
    """A connection asked from a thread of its own: DuckDB itself may not notice Ctrl-C for minutes."""

    run: Run
    connection: duckdb.DuckDBPyConnection
    pool: ThreadPoolExecutor

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of what was asked; an error on the way is told like one at the start."""
        while batch := self.wait(self.connection.fetchmany, BATCH_ROWS):
            yield from batch

    def wait(self, function: Callable[..., Any], argument: object) -> Any:
        """Return what a function of the connection returns, with errors as `ask` says; Ctrl-C ends it."""
        import duckdb

        future = self.pool.submit(function, argument)
        try:
            return future.result()
        except KeyboardInterrupt:
            self.connection.interrupt()
            raise
        except duckdb.Error as error:
            raise _refusal(self.run, error) from error


def _refusal(run: Run, error: Exception) -> ValueError:
    """Tell a broken file of the run from SQL that is wrong."""
    text = _told(error)
    is_file = any(str(path) in text for paths in views_of(run, run.parts).values() for path in paths)
    return RunError(f"{run.path}: {text}") if is_file else QueryError(text)


def _told(error: Exception) -> str:
    """Return the first line of an error and, where there is one, the line of the SQL with its mark."""
    lines = [line for line in str(error).splitlines() if line.strip()]
    return "\n  ".join(lines[:4]) if lines else type(error).__name__
