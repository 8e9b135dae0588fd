"""A run folder that was damaged or edited is mended by `runs resume`, or refused in one line that says why."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.faults.conftest import Twin
from tests.faults.processes import Ended, Hollywood, assert_same_run, data_of, lines_of, read_json

COMMAND = ("simulate", "greedy", "simple", "--pairs", "1500", "--seed", "8", "--detail", "deals")
PART = "deals/part-000002.parquet"
Damage = Callable[[Path], object]


@pytest.fixture
def run(hollywood: Hollywood, twin: Twin) -> Path:
    """Return a finished run of six parts, which may be damaged."""
    return Path(shutil.copytree(twin(*COMMAND), hollywood.folder / "run"))


def _edit(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


def _refused(hollywood: Hollywood, run: Path, code: int) -> Ended:
    """Resume a run that cannot be: one line, and not a byte of it is changed."""
    before = data_of(run), (run / "parts.jsonl").read_bytes(), (run / "manifest.json").read_bytes()
    ended = hollywood("runs", "resume", "run")
    assert (ended.code, ended.out) == (code, "")
    assert re.fullmatch(r"error: .*\n", ended.err)
    assert (data_of(run), (run / "parts.jsonl").read_bytes(), (run / "manifest.json").read_bytes()) == before
    return ended


# --- parts

PART_DAMAGE: dict[str, Damage] = {
    "missing": lambda part: part.unlink(),
    "empty": lambda part: part.write_bytes(b""),
    "truncated": lambda part: part.write_bytes(part.read_bytes()[:-100]),
    "longer": lambda part: part.write_bytes(part.read_bytes().replace(b"PAR1", b"PAR1\n")),
    "under a temporary name": lambda part: part.rename(part.with_name(f".{part.name}.tmp")),
}


@pytest.mark.parametrize("damage", PART_DAMAGE)
def test_part_that_is_not_as_it_was_written_is_played_again(
    damage: str, run: Path, hollywood: Hollywood, twin: Twin
) -> None:
    PART_DAMAGE[damage](run / PART)
    hollywood.resume(run)
    assert_same_run(run, twin(*COMMAND))
    assert "missing, or not as they were written: parts [2]" in (run / "run.log").read_text(encoding="utf-8")


def test_data_folder_that_is_gone_is_made_again(run: Path, hollywood: Hollywood, twin: Twin) -> None:
    shutil.rmtree(run / "deals")
    hollywood.resume(run)
    assert_same_run(run, twin(*COMMAND))


# --- parts.jsonl


@pytest.mark.parametrize("torn", ['{"part": 5, "a": "gre', '{"part": 77}', "\x00\x00\x00"])
def test_line_that_was_being_written_when_the_run_died_does_not_count(
    torn: str, run: Path, hollywood: Hollywood, twin: Twin
) -> None:
    lines = (run / "parts.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    (run / "parts.jsonl").write_text("".join(lines[:-1]) + torn, encoding="utf-8")
    hollywood.resume(run)
    assert_same_run(run, twin(*COMMAND))
    assert "the last line of parts.jsonl was not whole and is gone" in (run / "run.log").read_text(encoding="utf-8")


@pytest.mark.parametrize("broken", ["{", "[]", "7", '{"part": 2}', "", '{"part": null, "first_pair": 0, "pairs": 1}'])
def test_broken_line_is_refused_by_number_and_once_deleted_the_run_goes_on(
    broken: str, run: Path, hollywood: Hollywood, twin: Twin
) -> None:
    lines = (run / "parts.jsonl").read_text(encoding="utf-8").splitlines()
    (run / "parts.jsonl").write_text("\n".join([*lines[:2], broken, *lines[3:], ""]), encoding="utf-8")
    ended = _refused(hollywood, run, 1)
    assert "run/parts.jsonl:3: not the line of a part; delete it, then resume the run" in ended.err
    (run / "parts.jsonl").write_text("\n".join([*lines[:2], *lines[3:], ""]), encoding="utf-8")
    hollywood.resume(run)
    assert_same_run(run, twin(*COMMAND))


def test_run_without_its_lines_is_played_again(run: Path, hollywood: Hollywood, twin: Twin) -> None:
    (run / "parts.jsonl").unlink()
    hollywood.resume(run)
    assert_same_run(run, twin(*COMMAND))


# --- manifest and specification


@pytest.mark.parametrize("share", [0.0, 0.5, 0.99])
def test_manifest_that_is_not_whole_is_named_with_what_may_be_done(
    share: float, run: Path, hollywood: Hollywood
) -> None:
    manifest = run / "manifest.json"
    whole = manifest.read_text(encoding="utf-8")
    manifest.write_text(whole[: int(share * len(whole))], encoding="utf-8")
    ended = _refused(hollywood, run, 1)
    assert "run/manifest.json: not a manifest" in ended.err
    assert "put back a copy of it" in ended.err


def test_manifest_put_back_from_a_twin_serves(run: Path, hollywood: Hollywood, twin: Twin) -> None:
    shutil.copy(twin(*COMMAND) / "manifest.json", run / "manifest.json")
    (run / PART).unlink()
    hollywood.resume(run)
    assert_same_run(run, twin(*COMMAND))


def test_run_of_another_engine_is_refused_naming_both_fingerprints(run: Path, hollywood: Hollywood) -> None:
    fingerprint = read_json(run / "manifest.json")["fingerprint"]
    _edit(run / "manifest.json", fingerprint, "0123456789abcdef")
    ended = _refused(hollywood, run, 2)
    assert "this engine deals or scores otherwise" in ended.err
    assert f"(fingerprint 0123456789abcdef then, {fingerprint} now)" in ended.err


def test_run_of_a_newer_program_is_refused(run: Path, hollywood: Hollywood) -> None:
    manifest = read_json(run / "manifest.json")
    manifest["schema_version"] += 1
    (run / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    assert "is newer than this program writes" in _refused(hollywood, run, 1).err


@pytest.mark.parametrize(
    ("old", "new"), [("seed = 8", "seed = 9"), ("gin_bonus = ", "gin_bonus = 1"), ('b = "simple"', 'b = "greedy"')]
)
def test_edited_specification_is_refused(old: str, new: str, run: Path, hollywood: Hollywood) -> None:
    _edit(run / "spec.toml", old, new)
    assert "run/spec.toml: it was changed after the run was made" in _refused(hollywood, run, 2).err


def test_specification_with_fewer_pairs_than_were_played_is_refused(run: Path, hollywood: Hollywood) -> None:
    _edit(run / "spec.toml", "pairs = 1500", "pairs = 700")
    ended = _refused(hollywood, run, 2)
    assert "run/spec.toml" in ended.err
    assert "1,500" in ended.err


@pytest.mark.parametrize("left", [0.0, 0.4])
def test_specification_that_is_not_whole_is_refused(left: float, run: Path, hollywood: Hollywood) -> None:
    text = (run / "spec.toml").read_text(encoding="utf-8")
    (run / "spec.toml").write_text(text[: int(left * len(text))], encoding="utf-8")
    assert "run/spec.toml: not the specification of a run" in _refused(hollywood, run, 2).err


def test_summary_that_is_gone_is_made_again_from_the_parts(run: Path, hollywood: Hollywood, twin: Twin) -> None:
    (run / "summary.json").unlink()
    before = {number: (run / f"deals/part-{number:06d}.parquet").stat().st_mtime_ns for number in lines_of(run)}
    hollywood.resume(run)
    assert_same_run(run, twin(*COMMAND))
    after = {number: (run / f"deals/part-{number:06d}.parquet").stat().st_mtime_ns for number in lines_of(run)}
    assert before == after  # nothing was played
