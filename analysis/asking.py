"""What is asked of DuckDB: the queries of the folder sql/, and the views over Parquet files that they are asked of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import duckdb

SQL = Path(__file__).parent / "sql"


def sql_text(name: str) -> str:
    """Return a query of the folder analysis/sql."""
    return (SQL / f"{name}.sql").read_text(encoding="utf-8")


def create_views(connection: duckdb.DuckDBPyConnection, views: Mapping[str, Sequence[Path]]) -> None:
    """Make views on a connection, each of some Parquet files; raises `duckdb.Error` when one cannot be read."""
    for view, paths in views.items():
        files = ", ".join(quoted(str(path)) for path in paths)
        connection.execute(f"CREATE TEMP VIEW {view} AS SELECT * FROM read_parquet([{files}])")


def quoted(text: str) -> str:
    """Return text as an SQL string."""
    return "'" + text.replace("'", "''") + "'"
