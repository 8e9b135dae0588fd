"""A compacted run is the run that it was: the same rows in the same order, in fewer files."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from analysis import load_run, pairings
from cli.main import run as hollywood
from experiments.compact import CannotCompact, compact
from experiments.replay import replay_run
from experiments.resume import plan_to_resume, resume
from experiments.run_list import run_state
from experiments.simulate import Request, make_plan
from experiments.verify import verify
from sim.batch import merge
from sim.batch.part_lines import pieces, read_lines
from sim.batch.runner import Watch
from sim.batch.store import RunFolder
from tests.support.compacted_runs import (
    MERGED,
    PAIRS,
    PART_PAIRS,
    PLAYERS,
    assert_same_rows,
    parquet_files,
)
from tests.support.strategy_runs import files_in, part_lines, run_into

# --- what a compacted run is


def test_compacted_run_has_fewer_files_with_the_same_rows_in_the_same_order(run: Path, made: Path) -> None:
    before = sum(entry["bytes"] for line in part_lines(run) for entry in (line["matches"], line["deals"]))
    done = compact(run)
    assert parquet_files(run) == MERGED
    assert_same_rows(run, made / "run")
    assert (done.files, done.freed) == ((28, 12), 0)
    assert done.size == (before, sum((run / name).stat().st_size for name in MERGED))
    assert (run / "run.log").read_text(encoding="utf-8").endswith("compacted: 28 files became 12\n")
    assert (run / "summary.json").read_bytes() == (made / "run/summary.json").read_bytes()


def test_whatever_reads_a_run_finds_the_same_in_a_compacted_one(done: Path, made: Path) -> None:
    one, other = load_run(done), load_run(made / "run")
    assert one.unlisted == ()
    assert (one.pairings, one.has_deals) == (other.pairings, True)
    assert pairings(one).equals(pairings(other))
    counts = "SELECT count(*), sum(deals_played) FROM matches UNION ALL SELECT count(*), sum(points) FROM deals"
    assert one.query(counts).equals(other.query(counts))
    sums = "SELECT strategy_a AS a, strategy_b AS b, ending, count(*) AS n, sum(turns) AS t FROM deals GROUP BY ALL"
    assert one.totals(sums, ["a", "b", "ending"]).equals(other.totals(sums, ["a", "b", "ending"]))
    compacted, plain = run_state(done), run_state(made / "run")
    for name in ("status", "parts", "planned_parts", "pairs", "deals", "missing"):
        assert getattr(compacted, name) == getattr(plain, name)


def test_compacted_run_is_verified_and_replayed(done: Path) -> None:
    found = verify(done, 20)
    assert (found.problems, found.notes, found.parts, found.files) == ([], [], 14, 12)
    assert (found.sound_pairs, found.replayed) == (2 * PAIRS, 20)
    assert replay_run(done, PLAYERS[:2], PART_PAIRS + 3).is_stored


def test_merged_files_carry_the_metadata_of_a_part_of_all_their_pairs(made: Path, done: Path) -> None:
    old = pq.read_schema(made / "run/matches/part-000008.parquet").metadata
    new = pq.read_schema(done / "matches/parts-000008-000010.parquet").metadata
    assert new[b"first_pair"] == b"32"
    assert new[b"pairs"] == b"16"
    assert {key: old[key] for key in old if key != b"pairs"} == {key: new[key] for key in new if key != b"pairs"}


def test_large_files_are_written_and_read_a_row_group_at_a_time(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(merge, "ROW_GROUP", 50)
    compact(run)
    file = pq.ParquetFile(run / "matches/parts-000000-000006.parquet")
    sizes = [file.metadata.row_group(number).num_rows for number in range(file.num_row_groups)]
    assert sizes == [50, 14]
    assert verify(run, 0).is_sound


def test_lines_of_a_compacted_run_keep_what_was_said_of_each_part(compacted: Path, made: Path) -> None:
    folders = [
        RunFolder.reopen(compacted),
        RunFolder.reopen(Path(shutil.copytree(made / "run", compacted.parent / "other"))),
    ]
    one, other = ({number: _without_files(line) for number, line in folder.finished.items()} for folder in folders)
    for folder in folders:
        folder.release()
    assert one == other
    assert sorted(one) == list(range(14))


def _without_files(line: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in line.items() if name not in ("matches", "deals", "rows")}


def test_three_handed_run_is_compacted(tmp_path: Path) -> None:
    run_into(tmp_path / "run", make_plan(Request(("greedy", "simple", "random"), 20, rules="three-handed", seed=5)))
    before = rows_of_trios(tmp_path / "run")
    compact(tmp_path / "run")
    assert parquet_files(tmp_path / "run") == ["trios/part-000002.parquet", "trios/parts-000000-000001.parquet"]
    assert rows_of_trios(tmp_path / "run").equals(before)
    assert verify(tmp_path / "run", 5).problems == []


def rows_of_trios(run: Path) -> pa.Table:
    return pa.concat_tables([pq.read_table(run / line["trios"]["file"]) for line in part_lines(run)])


def test_what_is_compacted_already_stays_as_it_is(run: Path) -> None:
    compact(run)
    before = {name: (run / name).read_bytes() for name in files_in(run)}
    done = compact(run)
    assert (done.files, done.freed) == ((12, 12), 0)
    assert {name: (run / name).read_bytes() for name in files_in(run)} == before


# --- going on with it


def test_extended_compacted_run_is_a_longer_one_and_compacts_to_the_same_bytes(
    compacted: Path, made: Path, tmp_path: Path
) -> None:
    resume(compacted, plan_to_resume(compacted, PAIRS + 20), (1, Watch()))
    assert_same_rows(compacted, made / "longer")
    one, other = (
        json.loads((path / "summary.json").read_text(encoding="utf-8")) for path in (compacted, made / "longer")
    )
    for summary in (one, other):
        for name in ("run", "seconds", "deals_per_second"):
            summary.pop(name)
    assert one == other
    longer = Path(shutil.copytree(made / "longer", tmp_path / "longer"))
    compact(compacted), compact(longer)
    assert parquet_files(compacted) == parquet_files(longer)
    assert all((compacted / name).read_bytes() == (longer / name).read_bytes() for name in parquet_files(compacted))


def test_damaged_merged_file_is_set_aside_and_its_parts_are_played_again(compacted: Path, made: Path) -> None:
    name = "deals/parts-000001-000007.parquet"
    content = bytearray((compacted / name).read_bytes())
    content[len(content) // 2] ^= 1
    (compacted / name).write_bytes(content)
    found = verify(compacted, 0)
    assert ([problem.file for problem in found.problems], found.set_aside, found.can_resume) == ([name], [name], True)
    state = run_state(compacted)
    assert (state.status, state.missing, state.parts) == ("damaged", (1, 3, 5, 7), 10)
    with pytest.raises(CannotCompact, match="files of part 1 are gone or cut short"):
        compact(compacted)
    resume(compacted, plan_to_resume(compacted), (1, Watch()))
    assert_same_rows(compacted, made / "run")
    assert load_run(compacted).pairings == load_run(made / "run").pairings
    assert sorted(piece["part"] for line in read_lines(compacted) for piece in pieces(line)) == list(range(14))
    assert verify(compacted, 0).is_sound
    compact(compacted)
    assert_same_rows(compacted, made / "run")


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda line: line["merged"][1]["tally"].update(deals_won=1), "the line of part 2 has another tally than"),
        (
            lambda line: line["merged"][1].update(first_pair=9),
            "the line of part 2 begins with pair 9, the plan's with 8",
        ),
        (lambda line: line["merged"].pop(), "has 32 pairs, its parts 24"),
        (lambda line: line["merged"].reverse(), "is of parts that do not follow each other"),
        (lambda line: line["merged"][1]["rows"].update(deals=1), "rows where"),
    ],
    ids=["tally", "first pair", "part gone", "order", "rows"],
)
def test_line_of_merged_parts_is_held_against_plan_and_rows(
    change: Callable[[dict[str, Any]], object], what: str, compacted: Path
) -> None:
    lines = part_lines(compacted)
    change(lines[0])
    _write_lines(compacted, lines)
    problems = verify(compacted, 0, keep=True).problems
    assert what in problems[0].what


def test_part_in_two_lines_is_named(compacted: Path, made: Path) -> None:
    _write_lines(compacted, [*part_lines(compacted), part_lines(made / "run")[2]])
    told = [problem.what for problem in verify(compacted, 0).problems]
    assert told[0] == "the line of part 2 stands for part 2 too, which is in another line"


def _write_lines(run: Path, lines: list[dict[str, Any]]) -> None:
    (run / "parts.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


# --- the command


def test_command_says_what_became_of_the_files(
    run: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(run.parent)
    assert hollywood(["runs", "compact", "run", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["run"], document["files_before"], document["files"]) == ("run", 28, 12)
    (run / "deals/parts-000000-000099.parquet").write_bytes(b"x" * 2_000)
    assert hollywood(["runs", "compact", "run"]) == 0
    assert capsys.readouterr().out == (
        "run: nothing to merge, its 12 files are as few as they can be.\n"
        "  removed  2 kB that a compaction which was broken off had left\n"
        "  next     hollywood report run\n"
    )
    assert not (run / "deals/parts-000000-000099.parquet").exists()
