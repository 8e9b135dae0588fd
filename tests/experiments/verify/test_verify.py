"""A run is verified: what is kept against what was written, and pairs of it played again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from experiments import set_aside, verify
from experiments.replay_sample import sampled_pairs
from experiments.simulate import Request, make_plan
from sim.batch.lock import RunLock
from sim.batch.store import StoreError
from tests.support.damaged_runs import (
    DEALS,
    flip_a_byte,
    make_anew,
    rows_of,
    told,
    write_lines,
)
from tests.support.strategy_runs import files_in, manifest, part_lines, run_into

# --- sound runs


def test_untouched_run_is_sound_and_every_pair_of_it_plays_again_to_equal_rows(run: Path) -> None:
    before = {name: (run / name).read_bytes() for name in files_in(run)}
    found = verify.verify(run, 1_000)
    assert (found.problems, found.notes, found.set_aside) == ([], [], [])
    assert (found.status, found.parts, found.files, found.pairs, found.replayed) == ("complete", 4, 8, 24, 24)
    assert (found.sound_pairs, found.can_resume) == (24, False)
    assert found.deals == sum(line["deals_played"] for line in part_lines(run))
    assert found.bytes == sum(map(len, rows_of(run).values()))
    assert {name: (run / name).read_bytes() for name in files_in(run)} == before


@pytest.mark.parametrize(
    ("rules", "players", "rows"),
    [("three-handed", ("greedy", "simple", "random"), 6), ("partnership", ("greedy/random", "simple"), 2)],
)
def test_every_form_is_verified(rules: str, players: tuple[str, ...], rows: int, tmp_path: Path) -> None:
    detail = "matches" if rows == 6 else "deals"
    run_into(tmp_path / "run", make_plan(Request(players, pairs=10, rules=rules, seed=5, detail=detail)))
    found = verify.verify(tmp_path / "run", 100)
    assert (found.problems, found.replayed) == ([], 10)
    (table,) = {name.split("/")[0] for name in rows_of(tmp_path / "run")} - {"deals"}
    file = f"{table}/part-000001.parquet"
    make_anew(tmp_path / "run", file, lambda stored: stored.slice(0, rows))
    assert told(verify.verify(tmp_path / "run")) == [(file, f"has {rows} rows where {2 * rows} belong")]


def test_unfinished_run_is_sound_without_the_parts_that_were_not_played(run: Path) -> None:
    lines = part_lines(run)
    write_lines(run, [lines[0], lines[3]])
    (run / "manifest.json").write_text(json.dumps({**manifest(run), "status": "interrupted"}), encoding="utf-8")
    found = verify.verify(run)
    assert (found.problems, found.status, found.parts, found.replayed) == ([], "interrupted", 2, 12)
    assert [note.split()[0] for note in found.notes] == [
        f"{table}/part-{part:06d}.parquet" for table in ("matches", "deals") for part in (1, 2)
    ]


def test_files_that_do_not_count_are_named_and_are_no_problem(run: Path) -> None:
    for name in ("matches/.part-000009.parquet.tmp", "deals/part-000009.parquet", ".manifest.json.tmp"):
        (run / name).write_bytes(b"x")
    with (run / "parts.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"part": 4, "fi')
    found = verify.verify(run)
    assert found.is_sound
    assert [note.split(":")[0] for note in found.notes] == [
        "matches/.part-000009.parquet.tmp does not count",
        "deals/part-000009.parquet does not count",
        ".manifest.json.tmp does not count",
        "the last line of parts.jsonl does not count",
    ]


# --- what a resume would refuse, or nobody may rename


def change_text(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_edited_specification_is_named_and_nothing_is_set_aside(run: Path) -> None:
    change_text(run / "spec.toml", "seed = 20261", "seed = 20262")
    flip_a_byte(run)
    found = verify.verify(run)
    assert [file for file, _ in told(found)] == ["spec.toml", DEALS]
    assert "was changed after the run was made" in found.problems[0].what
    assert found.problems[0].do == "put back what it was, then verify again"
    assert (found.set_aside, found.can_resume, found.replayed) == ([], False, 0)
    change_text(run / "spec.toml", "seed = 20262", "seed = 20261")
    assert verify.verify(run).set_aside == [DEALS]


def test_specification_of_another_run_is_named(run: Path) -> None:
    (run / "manifest.json").write_text(json.dumps({**manifest(run), "spec_hash": "0" * 16}), encoding="utf-8")
    ((file, what),) = told(verify.verify(run))
    assert file == "spec.toml"
    assert f"that in manifest.json {'0' * 16}" in what


def test_edited_source_is_named(run: Path) -> None:
    source = next(file for file in (run / "strategies").rglob("*.py") if file.name == "greedy.py")
    source.write_text(source.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    sha = source.relative_to(run / "strategies").parts[0]
    found = verify.verify(run)
    assert told(found) == [(f"strategies/{sha}", 'the kept source of "greedy" was changed')]
    assert found.replayed == 0


@pytest.mark.parametrize("name", ["manifest.json", "spec.toml", "summary.json"])
def test_missing_or_broken_file_of_the_run_is_named(name: str, run: Path) -> None:
    (run / name).write_text("{", encoding="utf-8")
    assert [file for file, _ in told(verify.verify(run))] == [name]
    (run / name).unlink()
    ((file, what),) = told(verify.verify(run))
    assert file == name
    assert "missing" in what


def test_line_that_is_none_is_named_by_its_number(run: Path) -> None:
    with (run / "parts.jsonl").open("a", encoding="utf-8") as file:
        file.write("no line\n")
    (problem,) = verify.verify(run).problems
    assert (problem.file, problem.what) == ("parts.jsonl", "line 5: not the line of a part")
    assert problem.do == "delete it, then resume the run; then verify again"


def test_with_keep_nothing_is_renamed(run: Path) -> None:
    flip_a_byte(run)
    before = files_in(run)
    found = verify.verify(run, keep=True)
    assert ([problem.file for problem in found.problems], found.can_resume) == ([DEALS], False)
    assert files_in(run) == before


def test_run_that_is_being_played_is_left_alone(run: Path) -> None:
    flip_a_byte(run)
    lock = RunLock(run)
    try:
        found = verify.verify(run)
    finally:
        lock.release()
    assert ([problem.file for problem in found.problems], found.set_aside) == ([DEALS], [])
    assert found.notes[0].startswith("it is being played just now")


def test_read_only_folder_is_reported_on(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    flip_a_byte(run)

    def refuse(path: Path) -> Iterator[None]:
        raise PermissionError(13, "Permission denied", str(path / "lock"))

    monkeypatch.setattr(set_aside, "RunLock", refuse)
    found = verify.verify(run)
    assert ([problem.file for problem in found.problems], found.set_aside, found.can_resume) == ([DEALS], [], False)
    assert "could be set aside" in found.notes[0]
    assert "Permission denied" in found.notes[0]


def test_run_of_another_engine_is_checked_and_not_played_again(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verify, "engine_fingerprint", lambda: "0" * 16)
    found = verify.verify(run)
    assert (found.problems, found.replayed) == ([], 0)
    assert "no pair was played again: engine" in found.notes[0]
    flip_a_byte(run)
    assert verify.verify(run).set_aside == []


def test_folder_that_is_no_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="missing, so this is not a run folder"):
        verify.verify(tmp_path)


# --- the sample


def test_sample_is_spread_over_pairings_and_parts_and_comes_from_the_seed() -> None:
    lines: list[dict[str, Any]] = [
        {"part": number, "a": "x", "b": "yz"[number % 2], "first_pair": 100 * (number // 2), "pairs": 100}
        for number in range(20)
    ]
    chosen = sampled_pairs(lines, 20, seed=7)
    assert sorted(part for part, _ in chosen) == list(range(20))
    assert all(0 <= pair - lines[part]["first_pair"] < 100 for part, pair in chosen)
    assert sampled_pairs(lines, 20, seed=7) == chosen != sampled_pairs(lines, 20, seed=8)
    few = sampled_pairs(lines, 6, seed=7)
    assert [sum(part % 2 for part, _ in few), len({part for part, _ in few})] == [3, 6]
    assert len(set(sampled_pairs(lines, 10**6, seed=7))) == 2_000
    assert sampled_pairs([], 20, seed=7) == []
