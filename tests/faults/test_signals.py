"""Control-C and SIGTERM end a run with 130, keep what is finished and say how to go on."""

from __future__ import annotations

import signal
import time
from pathlib import Path

import pytest

from tests.faults.conftest import Twin
from tests.faults.players import LATE, LOOPS, write_late_player
from tests.faults.processes import Hollywood, Running, assert_same_run, data_of, lines_of, read_json
from tests.faults.test_kills import KINDS, SIMULATE


def _after_a_part(hollywood: Hollywood, command: tuple[str, ...], parts: int = 1) -> tuple[Path, Running]:
    """Start a command and wait until it has finished so many parts."""
    run = hollywood.folder / "run"
    process = hollywood.start(*command, "--out", "run")
    process.until(lambda: len(lines_of(run)) >= parts, "for a part")
    return run, process


@pytest.mark.parametrize(
    ("number", "kind"),
    [
        (signal.SIGINT, "simulate"),
        (signal.SIGINT, "compare"),
        pytest.param(signal.SIGINT, "sweep", marks=pytest.mark.slow),
        pytest.param(signal.SIGTERM, "tournament", marks=pytest.mark.slow),
    ],
)
def test_signal_keeps_the_finished_parts_and_the_rest_is_resumed(
    number: signal.Signals, kind: str, hollywood: Hollywood, twin: Twin
) -> None:
    run, process = _after_a_part(hollywood, KINDS[kind])
    kept = lines_of(run)
    process.send(number)
    ended = process.end()
    assert ended.code == 130
    assert ended.err.strip().splitlines()[-2:] == [
        "interrupted: the finished parts are kept in run",
        "  go on with: hollywood runs resume run",
    ]
    assert "Traceback" not in ended.err
    assert read_json(run / "manifest.json")["status"] == "interrupted"
    assert {part: lines_of(run)[part] for part in kept} == kept
    hollywood.resume(run)
    assert_same_run(run, twin(*KINDS[kind]))


def test_signal_while_a_run_is_resumed_is_no_different(hollywood: Hollywood, twin: Twin) -> None:
    run, process = _after_a_part(hollywood, SIMULATE)
    process.send(signal.SIGTERM)
    process.end()
    kept = lines_of(run)
    process = hollywood.start("runs", "resume", "run")
    process.until(lambda: len(lines_of(run)) > len(kept), "for a part")
    process.send(signal.SIGINT)
    ended = process.end()
    assert ended.code == 130
    assert "go on with: hollywood runs resume run" in ended.err
    assert set(kept) < set(lines_of(run))
    hollywood.resume(run)
    assert_same_run(run, twin(*SIMULATE))


def test_second_signal_ends_a_process_that_a_player_holds(hollywood: Hollywood) -> None:
    write_late_player(hollywood.folder)
    command = ("simulate", f"{LATE}:knob={LOOPS}", "simple", "--pairs", "2500", "--seed", "3", "--threads", "1")
    run, process = _after_a_part(hollywood, command, parts=7)  # the player does not come back in the eighth
    time.sleep(0.2)
    process.send(signal.SIGINT)
    time.sleep(0.2)
    assert not process.has_ended()  # it waits for the player
    process.send(signal.SIGINT)
    assert process.end().code == 130
    assert len(lines_of(run)) == 7
    assert set(data_of(run)) == {line["matches"]["file"] for line in lines_of(run).values()}
