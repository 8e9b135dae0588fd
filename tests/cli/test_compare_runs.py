"""The run folders of `hollywood compare`: read by other commands, and kept when it is broken off."""

from __future__ import annotations

import hashlib
import re
import shlex
import signal
import subprocess
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from cli.texts import verdicts
from experiments import compare as comparing
from tests.cli.conftest import Hollywood
from tests.cli.test_compare import NEVER, SOON
from tests.support.strategy_cli import finish, on_a_terminal, start
from tests.support.strategy_files import BEST_DISCARD, write_player
from tests.support.strategy_runs import files_in, manifest, part_lines

BREAKS_OFF = f"if view.noise % 200_000 == 1:\n        return 99\n    {BEST_DISCARD}"
"""A discard that is illegal about once in a thousand pairs."""
LONG = [*("compare", "greedy", "simple", "--bounds", "50:50.0000001"), "--pairs", "100000000", "--seed", "1"]


# --- other commands


@pytest.mark.parametrize(
    ("arguments", "status", "pairs"),
    [(SOON, "stopped", 768), ((*NEVER, "--pairs", "300"), "complete", 300), ((*NEVER, "--pairs", "1"), "complete", 1)],
    ids=["stopped", "complete", "one pair"],
)
def test_run_is_reported_and_replayed_like_any_other(
    arguments: tuple[str, ...], status: str, pairs: int, hollywood: Hollywood, tmp_path: Path
) -> None:
    assert hollywood("compare", *arguments, "--out", "run").code == 0
    assert manifest(tmp_path / "run")["status"] == status
    assert hollywood("report", "run").code == 0
    assert (tmp_path / "run" / "report.html").stat().st_size > 10_000
    for pair in {0, pairs - 1}:
        assert hollywood("replay", "run", "--pair", str(pair), "--json").json()["equals_stored"] is True
    beyond = hollywood("replay", "run", "--pair", str(pairs), "--json")
    if status == "stopped":  # a pair of its plan that was not played
        assert beyond.json()["equals_stored"] is None
    else:
        assert (beyond.code, beyond.err) == (2, f"error: run has no pair {pairs}: its pairs are 0 to {pairs - 1}\n")


def test_report_says_that_a_test_stopped_the_run(hollywood: Hollywood, tmp_path: Path) -> None:
    hollywood("compare", *SOON, "--out", "run")
    hollywood("report", "run")
    page = (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    assert "A sequential test stopped this run after 1,536 matches" in page


def test_run_is_found_by_last_and_named_after_the_players(hollywood: Hollywood, tmp_path: Path) -> None:
    said = hollywood("compare", *SOON)
    (folder,) = (tmp_path / "runs").iterdir()
    assert re.fullmatch(r"\d{8}T\d{6}-greedy-v-simple-[0-9a-f]{6}", folder.name)
    assert f"  saved  runs/{folder.name}" in said.out
    assert manifest(folder)["run_id"] == folder.name
    assert hollywood("report", "last").code == 0


# --- broken off


@pytest.mark.parametrize("quiet", [False, True])
def test_interrupt_keeps_what_was_played_and_says_where(
    quiet: bool, hollywood: Hollywood, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(comparing, "UNIT_PAIRS", 256)
    seen = []

    def pressed(*looked: object) -> str:
        seen.append(looked)
        if len(seen) == 2:
            raise KeyboardInterrupt
        return ""

    monkeypatch.setattr(verdicts, "course_note", pressed)
    said = hollywood("compare", *NEVER, "--out", "run", *(["--quiet"] if quiet else []))
    assert (said.code, said.out) == (130, "")
    told = "interrupted: the finished parts are kept in run\n  go on with: hollywood runs resume run"
    assert said.err.strip() == ("" if quiet else told)
    assert manifest(tmp_path / "run")["status"] == "interrupted"
    assert [line["pairs"] for line in part_lines(tmp_path / "run")] == [512]
    assert hollywood("report", "run").code == 0
    assert hollywood("replay", "run", "--pair", "511", "--json").json()["equals_stored"] is True


@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)])
def test_signal_to_a_long_comparison_keeps_what_was_played(
    number: signal.Signals, hollywood: Hollywood, tmp_path: Path
) -> None:
    folder = tmp_path / "run"
    process = start([*LONG, "--out", "run"], tmp_path)
    _wait_for_parts(process, folder)
    said = finish(process, number)
    assert (said.code, said.out) == (130, "")
    assert "Traceback" not in said.err
    assert "kept in run" in said.err
    assert manifest(folder)["status"] == "interrupted"
    lines = part_lines(folder)
    assert {line["pairs"] for line in lines[:-1]} <= {16_384}
    for place, line in enumerate(lines):
        file = folder / line["matches"]["file"]
        assert (line["part"], line["first_pair"]) == (place, 16_384 * place)
        assert hashlib.sha256(file.read_bytes()).hexdigest() == line["matches"]["sha256"]
        assert pq.read_metadata(file).num_rows == line["matches"]["rows"] == 2 * line["pairs"]
        assert sum(map(sum, line["block_scores"])) == line["tally"]["pairs"] == line["pairs"]
    found = files_in(folder)
    assert {name for name in found if "part-" in name} == {line["matches"]["file"] for line in lines}
    assert not [name for name in found if ".tmp" in name or name == "summary.json"]
    last = lines[-1]["first_pair"] + lines[-1]["pairs"] - 1
    assert hollywood("replay", "run", "--pair", str(last), "--json").json()["equals_stored"] is True


def _wait_for_parts(process: subprocess.Popen[str], folder: Path) -> None:
    """Wait until a run has finished its first part."""
    for _ in range(600):
        lines = folder / "parts.jsonl"
        if lines.is_file() and lines.read_text(encoding="utf-8"):
            return
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)
    process.kill()
    pytest.fail("no part was finished in 30 seconds")


def test_strategy_that_breaks_off_is_named_and_the_earlier_pairs_are_kept(
    hollywood: Hollywood, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(comparing, "UNIT_PAIRS", 256)
    write_player(tmp_path, "culprit", discard=BREAKS_OFF)
    said = hollywood("compare", "greedy", "./culprit.py", *NEVER[2:], "--out", "run", "--quiet")
    assert (said.code, said.out) == (1, "")
    error, see = said.err.splitlines()
    assert error.startswith(
        'error: illegal move of strategy "./culprit.py" in greedy v ./culprit.py, deal (seed 7, pair '
    )
    assert error.endswith(": it threw card number 99, which it does not hold")
    words = shlex.split(see)
    pair = int(words[words.index("--pair") + 1])
    assert words[:5] == ["see", "it:", "hollywood", "replay", "greedy"]
    assert sum(line["pairs"] for line in part_lines(tmp_path / "run")) == pair // 256 * 256 > 0
    assert manifest(tmp_path / "run")["status"] == "failed"
    assert "summary.json" not in files_in(tmp_path / "run")
    assert hollywood("report", "run").code == 0
    assert "broken off: B: it threw card number 99" in hollywood(*words[3:]).out


# --- progress


@pytest.fixture(scope="module")
def progress(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Return the lines of progress that a comparison rewrites on a terminal."""
    arguments = [*LONG[:-4], "--pairs", "60000", "--seed", "1", "--out", "run"]
    said = on_a_terminal(arguments, tmp_path_factory.mktemp("progress"))
    assert said.code == 0
    shown, _, _ = said.out.partition("undecided")
    lines = [line.rstrip() for line in shown.replace("\n", "\r").split("\r")]
    assert len(lines) > 2
    return [line for line in lines if "pairs" in line]


def test_progress_tells_how_the_test_stands(progress: list[str]) -> None:
    assert progress
    for line in progress:
        assert re.search(r"%  [\d,]+ of 60,000 pairs · A \d+\.\d%, evidence .* · .* left", line)


def test_progress_stays_within_80_columns(progress: list[str]) -> None:
    assert max(map(len, progress)) <= 80
