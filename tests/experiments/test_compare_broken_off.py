"""Comparisons that are broken off: by control-C, by whoever asks them to stop, or by a strategy that misbehaves."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from analysis.sequential import Look
from experiments import compare as comparing
from experiments.compare import compare
from sim.batch import plan as plans
from sim.batch import runner
from sim.batch.runner import RunFailed, Stopped, Watch
from tests.support.comparisons import GAIN, NEVER_DECIDES, blocks, compared, kept, plan
from tests.support.strategy_files import BEST_DISCARD, write_player
from tests.support.strategy_runs import Onlooker, files_in, manifest, part_lines, run_into


@pytest.fixture
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play 256 pairs in a piece and write 512 as a part."""
    monkeypatch.setattr(comparing, "UNIT_PAIRS", 256)
    monkeypatch.setattr(plans, "PART_PAIRS", 512)


def assert_beginning_of_a_run(folder: Path, pairs: int, status: str) -> None:
    """Check that a run broken off holds what a plain run of so many pairs holds, and says how it ended."""
    assert manifest(folder)["status"] == status
    assert "finished" in manifest(folder)
    assert "summary.json" not in files_in(folder)
    assert sum(line["pairs"] for line in part_lines(folder)) == pairs
    plain = folder.with_name("plain")
    run_into(plain, plan(pairs=pairs))
    assert kept(folder) == kept(plain)


def presses_after(looks: int, error: type[BaseException]) -> Callable[[Look], None]:
    def tell(look: Look) -> None:
        if look.looks == looks:
            raise error

    return tell


@pytest.mark.parametrize("looks", [1, 2, 3])
@pytest.mark.parametrize("error", [KeyboardInterrupt, Stopped])
@pytest.mark.usefixtures("small_pieces")
def test_interrupted_run_keeps_what_was_played(looks: int, error: type[BaseException], tmp_path: Path) -> None:
    with pytest.raises(error):
        compare(plan(), NEVER_DECIDES, tmp_path / "run", (2, Onlooker()), presses_after(looks, error))
    assert_beginning_of_a_run(tmp_path / "run", 256 * looks, "interrupted")


class Presses(Watch):
    """Presses control-C in a thread that plays, or asks to stop, once so many pairs were played."""

    def __init__(self, after: int, asks: bool) -> None:
        super().__init__()
        self.after, self.asks, self.pairs = after, asks, 0

    def advance(self, pairs: int, deals: int) -> None:
        self.pairs += pairs
        if self.pairs >= self.after:
            self.after = 10**9
            if not self.asks:
                raise KeyboardInterrupt
            self.stop.set()


@pytest.mark.parametrize("asks", [False, True])
@pytest.mark.usefixtures("small_pieces")
def test_run_broken_off_while_it_plays_keeps_the_whole_pieces_before(asks: bool, tmp_path: Path) -> None:
    with pytest.raises((KeyboardInterrupt, Stopped)):
        compare(plan(), NEVER_DECIDES, tmp_path / "run", (1, Presses(1_100, asks)))
    assert_beginning_of_a_run(tmp_path / "run", 1_024, "interrupted")


def test_run_interrupted_at_once_keeps_nothing_and_says_so(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        compare(plan(), GAIN, tmp_path / "run", (1, Presses(1, asks=False)))
    assert manifest(tmp_path / "run")["status"] == "interrupted"
    assert part_lines(tmp_path / "run") == []


@pytest.fixture
def control_c() -> Iterator[None]:
    """Let control-C raise `KeyboardInterrupt`, also in a process whose parent ignores it."""
    usual = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, usual)


@pytest.mark.usefixtures("small_pieces", "control_c")
@pytest.mark.parametrize("when", ["before", "after"])
def test_part_being_written_when_interrupted_is_written_whole_and_once(
    when: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, calls = runner.keep_part, []

    def press() -> None:
        time.sleep(0.1)  # until the main thread waits for the part
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        time.sleep(0.1)

    def interrupted(*args: Any) -> Any:
        calls.append(args)
        if when == "before":
            press()
        summary = write(*args)
        if when == "after":
            press()
        return summary

    monkeypatch.setattr(comparing, "keep_part", interrupted)
    with pytest.raises(KeyboardInterrupt):
        compared(tmp_path / "run", plan(), NEVER_DECIDES)
    assert len(calls) == 1
    assert_beginning_of_a_run(tmp_path / "run", 512, "interrupted")


@pytest.mark.usefixtures("small_pieces")
def test_strategy_that_breaks_off_late_leaves_the_earlier_pieces(tmp_path: Path) -> None:
    bad = write_player(
        tmp_path, "culprit", discard=f"if view.noise % 200_000 == 1:\n        return 99\n    {BEST_DISCARD}"
    )
    pieces = set()
    for threads in (1, 3):
        folder = tmp_path / f"run{threads}"
        with pytest.raises(RunFailed, match=r'illegal move of strategy ".*culprit\.py"') as caught:
            compared(folder, plan("greedy", str(bad)), NEVER_DECIDES, threads)
        failed = caught.value.place.pair
        assert failed > 256
        assert sum(line["pairs"] for line in part_lines(folder)) == failed // 256 * 256
        assert manifest(folder)["status"] == "failed"
        assert "summary.json" not in files_in(folder)
        pieces.add((failed, tuple(map(tuple, blocks(folder)))))
    assert len(pieces) == 1


@pytest.mark.usefixtures("small_pieces")
def test_strategy_that_would_break_off_after_the_stop_does_no_harm(tmp_path: Path) -> None:
    bad = write_player(
        tmp_path, "culprit", discard=f"if view.noise % 200_000 == 1:\n        return 99\n    {BEST_DISCARD}"
    )
    found = compared(tmp_path / "run", plan("greedy", str(bad)), threads=3)
    assert (found.verdict, found.pairs) == ("A", 256)
