"""Players that fail late stop a run by name and keep its parts; those changed meanwhile play as they were."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from sim.batch.executors import in_a_thread, threads_left_behind
from tests.faults.players import LATE, LOOPS, RAISES, THROWS_NONSENSE, write_late_player
from tests.faults.processes import Hollywood, assert_same_run, data_of, lines_of, read_json
from tests.support.strategy_files import BEST_DISCARD, write_player

SEED, PAIR = "3", 1883
"""Where the late player of `tests.faults.players` fails first against simple."""
KNOBS = {
    RAISES: "ValueError: what now?",
    THROWS_NONSENSE: "threw card number 99, which it does not hold",
    LOOPS: "has not come back from a decision for",
}
KINDS = {
    "simulate": ("simulate", f"{LATE}:knob=KNOB", "simple", "--pairs", "2500"),
    "compare": ("compare", f"{LATE}:knob=KNOB", "simple", "--bounds", "50:50.01", "--pairs", "2500"),
    "sweep": ("sweep", LATE, "--param", "knob=KNOB,0", "--against", "simple", "--no-racing", "--pairs", "2500"),
}


@pytest.mark.parametrize(
    ("knob", "kind"),
    [
        pytest.param(knob, kind, marks=pytest.mark.slow if knob == LOOPS and kind != "simulate" else ())
        for knob in KNOBS
        for kind in KINDS
    ],
)
def test_player_that_fails_late_is_named_and_the_parts_before_are_kept(
    knob: int, kind: str, hollywood: Hollywood
) -> None:
    write_late_player(hollywood.folder)
    words = [word.replace("KNOB", str(knob)) for word in KINDS[kind]]
    ended = hollywood(*words, "--seed", SEED, "--threads", "1", "--out", "run", stall_seconds=0.4)
    assert (ended.code, ended.out) == (1, "")
    assert "Traceback" not in ended.err
    assert KNOBS[knob] in ended.err
    assert f"{LATE}:knob={knob} v simple, deal (seed {SEED}, pair {PAIR}, leg " in ended.err
    run = hollywood.folder / "run"
    assert read_json(run / "manifest.json")["status"] == "failed"
    kept = {line["first_pair"] for line in lines_of(run).values() if str(knob) in line["a"]}
    assert kept >= set(range(0, 1024 if kind == "compare" else PAIR - 255, 256))
    assert set(data_of(run)) == {line["matches"]["file"] for line in lines_of(run).values()}


@pytest.mark.parametrize("change", ["edited", "deleted"])
def test_file_changed_since_is_told_and_the_kept_copy_plays_on(
    change: str, hollywood: Hollywood, tmp_path: Path
) -> None:
    player = write_player(hollywood.folder, "mine")
    command = ("simulate", "./mine.py", "simple", "--pairs", "900", "--seed", "8")
    assert hollywood(*command, "--out", "whole").code == 0
    assert hollywood(*command, "--out", "run").code == 0
    run = hollywood.folder / "run"
    (run / "matches/part-000002.parquet").unlink()
    if change == "edited":
        write_player(hollywood.folder, "mine", knock="return False")
    else:
        player.unlink()
    ended = hollywood.resume(run)
    assert "./mine.py was changed since; the run goes on with the copy it has kept" in ended.err
    assert_same_run(run, hollywood.folder / "whole")


def test_kept_copy_that_was_changed_is_refused_by_name(hollywood: Hollywood) -> None:
    write_player(hollywood.folder, "mine")
    assert hollywood("simulate", "./mine.py", "simple", "--pairs", "300", "--seed", "8", "--out", "run").code == 0
    (copy,) = (hollywood.folder / "run" / "strategies").rglob("mine.py")
    copy.write_text(copy.read_text(encoding="utf-8").replace("return True", "return False"), encoding="utf-8")
    for command in (("runs", "resume", "run"), ("runs", "extend", "run", "--pairs", "600")):
        ended = hollywood(*command)
        assert (ended.code, ended.out) == (2, "")
        assert f'run/strategies/{copy.parent.name}: the kept source of "./mine.py" was changed' in ended.err


@pytest.mark.parametrize("gone", ["file", "folder"])
def test_kept_copy_that_is_gone_is_refused_by_name(gone: str, hollywood: Hollywood) -> None:
    write_player(hollywood.folder, "mine")
    assert hollywood("simulate", "./mine.py", "simple", "--pairs", "300", "--seed", "8", "--out", "run").code == 0
    (copy,) = (hollywood.folder / "run" / "strategies").rglob("mine.py")
    copy.unlink()
    if gone == "folder":
        copy.parent.rmdir()
    ended = hollywood("runs", "resume", "run")
    assert (ended.code, ended.out) == (2, "")
    assert f"strategies/{copy.parent.name}: missing" in ended.err


def test_player_that_loops_in_the_pilot_is_named_too(hollywood: Hollywood) -> None:
    # A loop that has a way out for the compiler: the stock is never empty.
    write_player(hollywood.folder, "loops", discard=f"while view.stock_cards > 0:\n        pass\n    {BEST_DISCARD}")
    ended = hollywood("simulate", "./loops.py", "simple", "--deals", "500", "--seed", SEED, stall_seconds=0.4)
    assert (ended.code, ended.out) == (1, "")
    assert 'strategy "./loops.py" has not come back from a decision for' in ended.err
    assert "Traceback" not in ended.err


def test_replay_of_a_player_that_loops_ends_with_control_c(hollywood: Hollywood) -> None:
    write_player(hollywood.folder, "loops", discard=f"while view.stock_cards > 0:\n        pass\n    {BEST_DISCARD}")
    process = hollywood.start("replay", "--seed", SEED, "--pair", "0", "./loops.py", "simple")
    tasks = Path(f"/proc/{process.process}/task")
    process.until(lambda: len(list(tasks.iterdir())) > 1, "for the deal to be played in a thread of its own")
    process.send(signal.SIGINT)
    ended = process.end()
    assert (ended.code, ended.out, "Traceback" in ended.err) == (130, "", False)


def test_work_in_a_thread_gives_its_result_or_its_error_and_leaves_no_thread() -> None:
    assert in_a_thread(lambda: 7) == 7
    with pytest.raises(ZeroDivisionError):
        in_a_thread(lambda: 1 // 0)
    assert not threads_left_behind()
