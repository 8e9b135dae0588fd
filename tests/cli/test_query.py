"""`hollywood query`: questions to a run as a user types them, and what is refused."""

from __future__ import annotations

import csv
import io
import os
import signal
import threading
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from analysis import load_run
from analysis.query import QueryError, ask
from tests.cli.conftest import Hollywood
from tests.support.synthetic_run import Player, Setup, build_run

PLAYERS = (Player("greedy", skill=0.5), Player("gin-only", gin=0.8), Player("simple"))


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run of two players, 50 pairs in parts of 20."""
    return build_run(tmp_path / "r", Setup(PLAYERS[:2], pairs=50, part_pairs=20))


def rows_of(run: Path) -> list[dict[str, object]]:
    """Return every match of a run, read without DuckDB."""
    return [row for file in sorted((run / "matches").iterdir()) for row in pq.read_table(file).to_pylist()]


def test_an_answer_is_that_of_the_rows(hollywood: Hollywood, run: Path) -> None:
    sql = "select match_winner, count(*) n, sum(deals_played) d from matches group by 1 order by 1"
    want: dict[object, list[int]] = {}
    for row in rows_of(run):
        entry = want.setdefault(row["match_winner"], [0, 0])
        entry[0] += 1
        entry[1] += int(str(row["deals_played"]))
    got = hollywood("query", "r", sql, "--format", "json").json()
    assert got == [{"match_winner": winner, "n": n, "d": d} for winner, (n, d) in sorted(want.items(), key=str)]


def test_csv_holds_every_row_and_its_nulls_are_empty(hollywood: Hollywood, run: Path) -> None:
    said = hollywood("query", "r", "select *, null as nothing from matches", "--format", "csv")
    table = list(csv.DictReader(io.StringIO(said.out)))
    rows = rows_of(run)
    assert len(table) == 100
    assert {row["nothing"] for row in table} == {""}
    for name in ("strategy_a", "pair", "settlement", "column3_opened_b"):
        assert [row[name] for row in table] == ["" if row[name] is None else str(row[name]) for row in rows]


def test_json_has_null_where_it_has_no_number(hollywood: Hollywood, run: Path) -> None:
    sql = "select 1.0::double/0 a, 'nan'::double b, 10::hugeint c, 1.5::decimal(4,2) d, date '2026-11-30' e, [1, 2] f"
    (row,) = hollywood("query", "r", sql, "--format", "json").json()
    assert row == {"a": None, "b": None, "c": 10, "d": 1.5, "e": "2026-11-30", "f": [1, 2]}
    assert hollywood("query", "r", "select 1 where false", "--format", "json").json() == []


def test_a_table_is_at_most_80_wide_and_says_how_many_rows_there_are(hollywood: Hollywood, run: Path) -> None:
    said = hollywood("query", "r", "select pair, leg, strategy_a, deals_played from matches order by 1, 2")
    lines = said.out.splitlines()
    assert lines[0].split() == ["pair", "leg", "strategy_a", "deals_played"]
    assert lines[1].split()[:3] == ["0", "0", "greedy"]
    assert len(lines) == 42
    assert lines[-1] == "(40 of 100 rows; --format csv prints all)"
    wide = hollywood("query", "r", "select * from matches limit 1").out.splitlines()
    assert max(map(len, [*lines, *wide])) <= 80
    assert wide[0] == "row 1"
    assert wide[-1] == "(1 row)"


def test_sql_may_come_from_stdin(hollywood: Hollywood, run: Path) -> None:
    assert hollywood("query", "r", "-", "--format", "json", stdin="select 2 as two").json() == [{"two": 2}]


def test_schema_lists_the_columns_of_the_files(hollywood: Hollywood, run: Path) -> None:
    listed = hollywood("query", "r", "--schema", "--format", "json").json()
    assert {entry["table"] for entry in listed} == {"matches"}
    assert sorted(entry["column"] for entry in listed) == sorted(rows_of(run)[0])
    assert all(entry["meaning"] for entry in listed)
    told = hollywood("query", "r", "--schema").out
    assert "deals of the match, dead ones included" in told
    assert "measures" in told


def test_three_handed_runs_have_trios(hollywood: Hollywood, tmp_path: Path) -> None:
    build_run(tmp_path / "t", Setup(PLAYERS, pairs=5, preset="three-handed"))
    assert hollywood("query", "t", "select count(*) n from trios", "--format", "json").json() == [{"n": 30}]
    assert {entry["table"] for entry in hollywood("query", "t", "--schema", "--format", "json").json()} == {"trios"}
    assert hollywood("query", "t", "select * from matches").code == 2


def test_measures_can_be_summed(hollywood: Hollywood, run: Path) -> None:
    sql = "select sum(win_a) w, sum(win_b) l, sum(matches) m from measures"
    (row,) = hollywood("query", "r", sql, "--format", "json").json()
    assert row["w"] + row["l"] == row["m"] == 100


@pytest.mark.parametrize(
    ("sql", "told"),
    [
        ("selct 1", "syntax error"),
        ("select nonsense from matches", "nonsense"),
        ("select error('boom') from matches", "boom"),
        ("select 1; select 2", "one SELECT is wanted, 2 statements were given"),
        ("", "no statements"),
        ("drop view matches", "only SELECT is allowed, not DROP"),
        ("copy matches to 'stolen.csv'", "only SELECT is allowed, not COPY"),
        ("set threads = 1", "only SELECT is allowed, not SET"),
        ("explain analyze copy (select 1) to 'r/matches/part-000000.parquet'", "only SELECT is allowed, not EXPLAIN"),
        ("explain analyze create table t (a int)", "only SELECT is allowed, not EXPLAIN"),
        ("pivot matches on match_winner", "PIVOT is one if it names its values"),
        ("select * from (pivot matches on match_winner)", "PIVOT is one if it names its values"),
        ("pivot matches on match_winner; drop view matches", "PIVOT is one if it names its values"),
        ("select 1; drop view matches", "one SELECT is wanted, 2 statements were given"),
        ("select '\udcff'", "not text in UTF-8"),
        ("select * from read_text('secret')", "secret"),
        ("select * from read_parquet('other/*.parquet')", "other"),
    ],
)
def test_what_is_no_plain_question_is_refused(hollywood: Hollywood, run: Path, sql: str, told: str) -> None:
    Path("secret").write_text("x")
    said = hollywood("query", "r", sql)
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("error: ")
    assert told in said.err
    assert "Traceback" not in said.err
    assert not Path("stolen.csv").exists()


def test_two_columns_of_one_name_cannot_be_json(hollywood: Hollywood, run: Path) -> None:
    said = hollywood("query", "r", "select 1 as a, 2 as a", "--format", "json")
    assert (said.code, said.out) == (2, "")
    assert 'two columns are called "a"' in said.err
    assert hollywood("query", "r", "select 1 as a, 2 as a", "--format", "csv").out == "a,a\n1,2\n"


def test_a_part_that_lacks_a_column_is_the_runs_fault(hollywood: Hollywood, run: Path) -> None:
    for file in (run / "matches").iterdir():
        pq.write_table(pq.read_table(file).drop_columns(["walls"]), file)
    said = hollywood("query", "r", "select 1")
    assert said.code == 2
    assert said.err.startswith("error: r: ")
    assert "walls" in said.err


def test_sql_or_schema_must_be_given_and_not_both(hollywood: Hollywood, run: Path) -> None:
    assert "give SQL, or --schema" in hollywood("query", "r").err
    assert "not both" in hollywood("query", "r", "select 1", "--schema").err


def test_a_broken_part_is_named(hollywood: Hollywood, run: Path) -> None:
    file = run / "matches" / "part-000001.parquet"
    file.write_bytes(file.read_bytes()[:100])
    said = hollywood("query", "r", "select count(*) from matches")
    assert said.code == 2
    assert "part-000001.parquet" in said.err


def test_rows_are_read_as_they_are_asked_for(run: Path) -> None:
    """An answer may be larger than memory: this one would have 10^12 rows."""
    with ask(load_run(run), "select a.i from range(1000000) a(i), range(1000000) b(j)") as answer:
        assert next(answer.rows) == (0,)


def test_an_error_on_the_way_is_told_like_one_at_the_start(run: Path) -> None:
    late = "select case when i = 3000000 then error('late') end from range(4000000) t(i)"
    with pytest.raises(QueryError, match="late"), ask(load_run(run), late) as answer:
        sum(1 for _ in answer.rows)


def test_ctrl_c_ends_a_long_query(hollywood: Hollywood, run: Path) -> None:
    timer = threading.Timer(0.3, os.kill, [os.getpid(), signal.SIGINT])  # to the process, as a terminal does
    timer.start()
    said = hollywood("query", "r", "select sum(i * j) from range(1000000) a(i), range(1000000) b(j)")
    assert (said.code, said.out) == (130, "")


def test_no_run_is_named(hollywood: Hollywood) -> None:
    said = hollywood("query", "nowhere", "select 1")
    assert (said.code, "nowhere" in said.err) == (2, True)
