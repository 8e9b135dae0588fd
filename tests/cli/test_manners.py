"""How the commands behave on terminals, in pipes and when they are interrupted."""

from __future__ import annotations

import hashlib
import json
import signal
import subprocess
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.cli.conftest import Hollywood
from tests.support.strategy_cli import PATIENCE_SECONDS, finish, on_a_terminal, start
from tests.support.strategy_runs import files_in, manifest, part_lines

ESCAPE = "\x1b"
BIG_RUN = ["simulate", "greedy", "simple", "--pairs", "100000000", "--seed", "1", "--out", "run"]
QUIET = [
    ["simulate", "greedy", "simple", "--pairs", "2", "--out", "run"],
    ["solve", "AS 2S 3S"],
    ["layoff", "AS 2S 3S 4S 5S 6S 7S 8S 9S KD", "AC 2C 3C 4D 5D 6D 9H TH JH QS"],
    ["score", "-"],
    ["strategies", "list"],
    ["strategies", "show", "simple"],
]


@pytest.mark.parametrize("arguments", QUIET, ids=lambda arguments: " ".join(arguments[:2]))
@pytest.mark.parametrize("where", ["before", "after"])
def test_quiet_command_writes_only_its_result(arguments: list[str], where: str, hollywood: Hollywood) -> None:
    command = ["--quiet", *arguments] if where == "before" else [*arguments, "--quiet"]
    said = hollywood(*command, stdin="A 10\n")
    assert (said.code, said.err) == (0, "")
    assert said.out


@pytest.mark.parametrize(
    "arguments", [*QUIET, ["frobnicate"], ["solve", "ZZ"]], ids=lambda arguments: " ".join(arguments[:2])
)
def test_no_colour_in_a_pipe(arguments: list[str], hollywood: Hollywood) -> None:
    said = hollywood(*arguments, stdin="A 10\n")
    assert ESCAPE not in said.out + said.err


@pytest.mark.parametrize(("arguments", "code"), [(["solve", "KD"], 0), (["frobnicate"], 2)], ids=["result", "error"])
def test_colour_on_a_terminal_says_nothing_new(arguments: list[str], code: int, tmp_path: Path) -> None:
    coloured = on_a_terminal(arguments, tmp_path)
    assert coloured.code == code
    assert ESCAPE in coloured.out
    plain = [on_a_terminal(arguments, tmp_path, **wish) for wish in ({"NO_COLOR": "1"}, {"TERM": "dumb"})]
    assert [ESCAPE in said.out for said in plain] == [False, False]
    bare = coloured.out
    for style in ("1", "31", "0"):
        bare = bare.replace(f"{ESCAPE}[{style}m", "")
    assert [said.out for said in plain] == [bare, bare]


def test_progress_on_a_terminal_is_one_line_rewritten(tmp_path: Path) -> None:
    said = on_a_terminal(["simulate", "greedy", "simple", "--pairs", "80000", "--seed", "1", "--out", "run"], tmp_path)
    assert said.code == 0
    progress, _, result = said.out.partition("greedy v simple")
    assert "of 80,000 pairs" in progress
    assert "deals/s" in progress
    assert progress.count("\r") > 2
    assert "pairs · " in result
    assert max(len(line) for line in progress.replace("\n", "\r").split("\r")) <= 80


def test_reader_who_leaves_early_ends_the_command_quietly(tmp_path: Path) -> None:
    process = start(["solve", "-", "--json"], tmp_path, stdin=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdin.write("AS 2S 3S\n" * 5_000)
    process.stdin.close()
    assert json.loads(process.stdout.readline())["deadwood"] == 0
    process.stdout.close()
    assert process.wait(timeout=PATIENCE_SECONDS) in (0, 1)
    assert process.stderr.read() == ""
    process.stderr.close()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_run_keeps_what_is_finished_and_says_so(number: signal.Signals, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    process = start(BIG_RUN, tmp_path)
    _wait_for_parts(process, folder)
    said = finish(process, number)
    assert said.code == 130
    assert said.out == ""
    assert "Traceback" not in said.err
    assert manifest(folder)["status"] == "interrupted"
    assert manifest(folder)["finished"] >= manifest(folder)["started"]
    lines = part_lines(folder)
    assert lines
    for line in lines:
        file = folder / line["matches"]["file"]
        assert hashlib.sha256(file.read_bytes()).hexdigest() == line["matches"]["sha256"]
        assert pq.read_metadata(file).num_rows == line["matches"]["rows"] == 2 * line["pairs"]
    found = files_in(folder)
    assert {name for name in found if "part-" in name} == {line["matches"]["file"] for line in lines}
    assert not [name for name in found if ".tmp" in name or name == "summary.json"]


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


def test_interrupted_line_reader_ends_without_a_traceback(tmp_path: Path) -> None:
    process = start(["solve", "-"], tmp_path, stdin=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("KD\n")
    process.stdin.flush()
    assert "Deadwood 10." in process.stdout.readline()
    said = finish(process, signal.SIGINT)
    assert said.code == 130
    assert "Traceback" not in said.err
