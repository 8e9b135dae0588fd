from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import analysis
from analysis import Run, RunError, load_run
from analysis.load import NEWEST_SCHEMA
from sim.batch.schema import SCHEMA_VERSION
from tests.support.synthetic_run import Player, Setup, build_run

TWO = (Player("greedy"), Player("simple", skill=0.2))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return build_run(tmp_path / "run", Setup(TWO, pairs=8, part_pairs=4))


def test_a_run_knows_its_parts_and_pairings(folder: Path) -> None:
    run = load_run(folder)
    assert run.pairings == (("greedy", "simple"),)
    assert [(part.number, part.first_pair, part.pairs, part.rows) for part in run.parts] == [(0, 0, 4, 8), (1, 4, 4, 8)]
    assert run.query("SELECT count(*) AS n FROM matches")["n"].iloc[0] == 16
    assert run.columns == 3
    assert run.deals_a_round == 1
    assert run.players == {"greedy": ("greedy",), "simple": ("simple",)}
    assert not run.is_partial


def test_a_three_handed_run_has_trios_in_place_of_matches(trio: Run) -> None:
    assert trio.pairings == trio.planned == (("gin-only", "greedy", "threshold:knock_at=5"),)
    assert [(part.pairs, part.rows) for part in trio.parts] == [(25, 150), (25, 150), (10, 60)]
    assert trio.query("SELECT count(*) AS n FROM trios")["n"].iloc[0] == 360
    with pytest.raises(RunError, match="matches does not exist"):
        trio.query("FROM matches")


def test_part_lines_of_another_form_are_refused(trio: Run, folder: Path) -> None:
    text = (folder / "spec.toml").read_text()
    (folder / "spec.toml").write_text(text.replace('form = "two-handed"', 'form = "three-handed"'))
    assert "not a part ('c')" in message(folder)


def test_a_long_query_does_not_print_its_progress(folder: Path) -> None:
    answer = load_run(folder).query("SELECT current_setting('enable_progress_bar') AS bar")
    assert not answer["bar"].iloc[0]


def test_the_newest_schema_is_the_one_that_is_written() -> None:
    assert NEWEST_SCHEMA == SCHEMA_VERSION


def test_loading_a_run_imports_no_heavy_library(folder: Path) -> None:
    code = (
        "import sys; from analysis import load_run; load_run(sys.argv[1]);"
        "print([name for name in ('pandas', 'duckdb', 'scipy', 'numpy', 'pyarrow') if name in sys.modules])"
    )
    root = Path(__file__).parents[2]
    out = subprocess.run(
        [sys.executable, "-c", code, str(folder)], cwd=root, capture_output=True, text=True, check=True
    )
    assert out.stdout.strip() == "[]"


def message(folder: Path) -> str:
    with pytest.raises(RunError) as caught:
        load_run(folder)
    text = str(caught.value)
    assert "\n" not in text
    return text


def test_no_such_folder_is_named(tmp_path: Path) -> None:
    assert message(tmp_path / "nowhere") == f"{tmp_path / 'nowhere'}: no such run folder"


@pytest.mark.parametrize("name", ["manifest.json", "spec.toml"])
def test_a_missing_file_is_named(folder: Path, name: str) -> None:
    (folder / name).unlink()
    assert message(folder).startswith(f"{folder / name}: missing")


@pytest.mark.parametrize("name", ["manifest.json", "spec.toml"])
def test_a_broken_file_is_named(folder: Path, name: str) -> None:
    (folder / name).write_text("{]")
    assert message(folder).startswith(f"{folder / name}: not a ")


def test_a_newer_schema_is_refused(folder: Path) -> None:
    manifest = json.loads((folder / "manifest.json").read_text())
    (folder / "manifest.json").write_text(json.dumps(manifest | {"schema_version": SCHEMA_VERSION + 1}))
    assert "newer than this program reads" in message(folder)


def test_a_listed_part_that_is_gone_is_named(folder: Path) -> None:
    (folder / "matches" / "part-000001.parquet").unlink()
    assert message(folder) == f"{folder / 'matches' / 'part-000001.parquet'}: listed as finished, but missing"


def test_a_broken_line_is_named_with_its_number(folder: Path) -> None:
    lines = (folder / "parts.jsonl").read_text().splitlines()
    (folder / "parts.jsonl").write_text("\n".join([lines[0], "{", lines[1]]) + "\n")
    assert message(folder).startswith(f"{folder / 'parts.jsonl'}:2: not a part")


def test_a_run_without_a_finished_part_is_refused(folder: Path) -> None:
    (folder / "parts.jsonl").write_text("")
    assert "no part is finished yet" in message(folder)


def test_a_spec_without_a_key_is_refused(folder: Path) -> None:
    (folder / "spec.toml").write_text("seed = 1\n")
    assert "key 'pairs' is missing" in message(folder)


def test_the_line_being_written_when_the_run_died_does_not_count(folder: Path) -> None:
    text = (folder / "parts.jsonl").read_text()
    (folder / "parts.jsonl").write_text(text[:-20])
    run = load_run(folder)
    assert len(run.parts) == 1
    assert run.unlisted == ("part-000001.parquet",)


def test_a_part_played_again_counts_once_as_last_written(folder: Path) -> None:
    lines = (folder / "parts.jsonl").read_text().splitlines()
    again = json.loads(lines[1]) | {"seconds": 9.0}
    (folder / "parts.jsonl").write_text("\n".join([*lines, json.dumps(again)]) + "\n")
    run = load_run(folder)
    assert [part.seconds for part in run.parts] == [0.5, 9.0]


@pytest.mark.parametrize(("status", "partial"), [("running", True), ("interrupted", True), ("stopped", False)])
def test_an_unfinished_run_is_readable_and_says_so(tmp_path: Path, status: str, partial: bool) -> None:
    run = load_run(build_run(tmp_path / "run", Setup(TWO, pairs=4, status=status)))
    assert run.is_partial is partial


def test_a_truncated_part_is_an_error_with_one_line(folder: Path) -> None:
    file = folder / "matches" / "part-000000.parquet"
    file.write_bytes(file.read_bytes()[:200])
    run = load_run(folder)
    with pytest.raises(RunError) as caught:
        run.query("SELECT count(*) FROM matches")
    assert str(folder) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_quotes_in_a_path_do_no_harm(folder: Path, tmp_path: Path) -> None:
    odd = tmp_path / "it's"
    shutil.copytree(folder, odd)
    assert len(load_run(odd).query("FROM matches")) == 16


def test_names_of_players_are_no_sql_and_no_format(tmp_path: Path) -> None:
    names = ("./it's {x}/50%.py", 'a "b" {{')
    run = load_run(build_run(tmp_path / "run", Setup([Player(name) for name in names], pairs=40, deals=True)))
    for table in (
        *(analysis.pairings(run), analysis.openings(run), analysis.match_length(run), analysis.first_dealer(run)),
        *(analysis.deal_price(run, names), analysis.points_by_ending(run, names), analysis.most_decisive(run)),
    ):
        assert len(table)
        assert set(table["a"]) == {names[0]}
        assert set(table["b"]) == {names[1]}


def test_the_tables_are_found_lazily_and_others_are_not(three: Run) -> None:
    assert set(analysis.__all__) >= {"pairings", "standings", "openings"}
    assert callable(analysis.pairings)
    assert len(analysis.pairings(three)) == 3
    with pytest.raises(AttributeError, match="nonsense"):
        analysis.nonsense  # noqa: B018


def test_sums_of_one_pairing_of_many_are_added_up_over_its_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 4)
    players = (*TWO, Player("gin-only", gin=0.8), Player("novice"))
    run = load_run(build_run(tmp_path / "many", Setup(players, pairs=16, part_pairs=4)))
    sql = "SELECT strategy_a AS a, strategy_b AS b, count(*)::DOUBLE AS n FROM matches GROUP BY ALL"
    table = run.totals(sql, ("a", "b"), run.pairings[0])
    assert table.to_dict("records") == [{"a": "greedy", "b": "simple", "n": 32.0}]


@pytest.mark.parametrize(("processors", "at_once", "runs"), [(1, 1_000, 1), (2, 1_000, 2), (2, 30, 4), (4, 30, 4)])
def test_parts_are_asked_in_runs_of_about_as_many_matches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, processors: int, at_once: int, runs: int
) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: processors)
    monkeypatch.setattr("analysis.parts.ROWS_AT_ONCE", at_once)
    run = load_run(build_run(tmp_path / "run", Setup(TWO, pairs=52, part_pairs=4)))
    answers = run.below_one_another("SELECT pair FROM matches")
    assert [int(pair) for some in answers for pair in some["pair"]] == [pair for pair in range(52) for _ in "ab"]
    assert len(answers) == runs
    sizes = [len(some) // 8 for some in answers]
    assert max(sizes) - min(sizes) <= 1


def test_more_processors_than_parts_are_asked_a_part_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 8)
    run = load_run(build_run(tmp_path / "run", Setup(TWO, pairs=9, part_pairs=4)))
    assert [len(some) for some in run.below_one_another("SELECT pair FROM matches")] == [8, 8, 2]
