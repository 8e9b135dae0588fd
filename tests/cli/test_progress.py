"""How far a run is, as it is told on stderr, in progress.json and in run.log."""

from __future__ import annotations

import io
import json
import os
import platform
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from analysis.anytime import anytime_limits
from cli.progress import StatusLine
from cli.texts.watch import REWRITTEN_WIDTH, standing_line, time_text
from cli.texts.words import size_text
from experiments.progress_file import Count, Estimate, Standing, counting, read_progress, resident_bytes
from experiments.simulate import Request, make_plan, simulate
from sim.batch.plan import Plan
from sim.batch.runner import Watch
from sim.batch.tally import BLOCK_PAIRS
from sim.rows import TIE
from tests.cli.conftest import Hollywood
from tests.support.strategy_runs import columns, manifest, plan_of

NIGHT = Standing(
    pairs=61_234_567,
    total=100_000_000,
    deals=1_753_000_000,
    deals_per_second=1_312_345.0,
    seconds_left=26_643,
    estimate=Estimate(0.4091, 0.4087, 0.4095),
    memory=265_000_000,
)


def _plan(pairs: int) -> Plan:
    return plan_of("greedy", "simple", pairs=pairs, detail="matches")


def _counted(plan: Plan, folder: Path, look: Callable[[], None]) -> Count:
    """Play a plan in one thread, counted as the command line does, and look after every call of the kernel."""
    count = Count()
    count.start(plan.total_pairs())

    def advance(pairs: int, deals: int) -> None:
        count.advance(pairs, deals)
        look()

    def tell(estimate: Estimate) -> None:
        count.estimate = estimate

    with counting(count, "the first line"):
        simulate(plan, folder, 1, Watch(advance), tell)
    return count


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have progress.json written 50 times a second, and a line of run.log every tenth."""
    monkeypatch.setattr("experiments.progress_file.WRITE_SECONDS", 0.02)
    monkeypatch.setattr("experiments.progress_file.LOG_SECONDS", 0.1)


# --- the line


def test_line_says_everything_where_there_is_room() -> None:
    assert standing_line(NIGHT) == (
        "  61%  61,234,567 of 100,000,000 pairs · 1.75G deals · 1.31M deals/s · 7:24:03 left · A 40.9% ±0.1 · 265 MB"
    )


def test_line_that_is_rewritten_shortens_the_pairs_before_it_leaves_out_speed_time_or_estimate() -> None:
    line = standing_line(NIGHT, REWRITTEN_WIDTH)
    assert line == "  61%  61.2M of 100M pairs · 1.31M deals/s · 7:24:03 left · A 40.9% ±0.1"
    assert len(line) <= REWRITTEN_WIDTH


def test_memory_is_told_if_it_fits() -> None:
    short = Standing(620, 1_000, 17_000, 1_310_000.0, 1, memory=210_000_000)
    assert standing_line(short, REWRITTEN_WIDTH).endswith("· 0:01 left · 210 MB")


@pytest.mark.parametrize("pairs", [1, 999, 45_678, 12_345_678, 4_294_967_295])
@pytest.mark.parametrize("note", ["", "A 50.1%, evidence +1.2 of +2.9"])
@pytest.mark.parametrize("seconds", [None, 59, 3_600, 200_000])
def test_line_that_is_rewritten_stays_within_80_columns(pairs: int, note: str, seconds: int | None) -> None:
    estimate = Estimate(0.5, 0.0, 1.0)
    line = standing_line(Standing(pairs, 2**32, 30 * pairs, 12_345.6, seconds, estimate, note, 10**9), REWRITTEN_WIDTH)
    assert len(line) < 80
    assert (note or "A 50.0% ±50.0") in line
    assert "left" in line or seconds is None


def test_all_is_not_played_before_it_is() -> None:
    assert standing_line(Standing(99_999, 100_000)).startswith("  99%")
    assert standing_line(Standing(100_000, 100_000)).startswith("  100%")


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0:00"), (61, "1:01"), (3_599, "59:59"), (3_600, "1:00:00"), (90_061, "25:01:01")],
)
def test_times_are_written_with_the_hours_they_have(seconds: int, text: str) -> None:
    assert time_text(seconds) == text


@pytest.mark.parametrize(
    ("size", "text"),
    [(0, "0 bytes"), (95_700, "95.7 kB"), (210_400_000, "210 MB"), (1.25e9, "1.25 GB"), (3.4e12, "3.4 TB")],
)
def test_sizes_are_written_in_the_largest_unit(size: float, text: str) -> None:
    assert size_text(size) == text


class Screen(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_line_on_a_terminal_is_written_over_the_last_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    screen = Screen()
    line = StatusLine(screen)
    line.show("a long line")
    line.show("short")
    assert screen.getvalue() == "\ra long line\rshort      "
    line.clear()
    assert screen.getvalue().endswith("\r     \r")


def test_dumb_terminal_gets_line_below_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    screen = Screen()
    line = StatusLine(screen)
    line.show("one")
    line.show("two")
    line.end()
    assert screen.getvalue() == "one\ntwo\n"


@pytest.mark.slow
def test_pipe_gets_a_whole_line_now_and_then(hollywood: Hollywood, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cli.progress.QUIET_SECONDS", 0.1)
    monkeypatch.setattr("cli.progress.SLOW_START_SECONDS", 0.0)
    said = hollywood("simulate", "greedy", "simple", "--pairs", "40000", "--seed", "1", "--threads", "1", "--out", "r")
    lines = [line for line in said.err.splitlines() if "pairs" in line]
    assert lines
    for line in lines:
        assert re.match(r"  \d+%  [\d,]+ of 40,000 pairs · .* deals · .* deals/s · \d+:\d\d left", line)
        assert re.search(r"· [\d.]+ [MG]B$", line)
    assert re.search(r"· A \d\d\.\d% ±\d\.\d ·", lines[-1])


def test_pairs_that_were_in_place_count_as_played_but_make_no_speed() -> None:
    count = Count()
    count.start(1_000)
    count.advance(400, 0)
    assert (count.standing().pairs, count.standing().seconds_left, count.has_begun) == (400, None, False)
    count.advance(100, 1_500)
    standing = count.standing()
    assert (standing.pairs, standing.total, standing.deals) == (500, 1_000, 1_500)
    assert standing.deals_per_second > 0


# --- the estimate


def test_estimate_is_the_share_of_the_pairs_so_far_with_limits_for_any_look(tmp_path: Path) -> None:
    told: list[Estimate] = []
    simulate(_plan(20_000), tmp_path / "run", 1, Watch(), told.append)
    rows = [columns(tmp_path / "run" / "matches" / f"part-{number:06d}.parquet") for number in (0, 1)]
    winners = np.array([winner for part in rows for winner in part["match_winner"]])
    scores = np.where(winners == TIE, 0.5, winners == 0).reshape(-1, 2).mean(axis=1)
    assert len(told) == 2
    for pairs, estimate in zip((16_384, 20_000), told, strict=True):
        played = scores[:pairs]
        limits = anytime_limits(played.mean(), played.std(ddof=1), pairs, 20_000)
        assert estimate == pytest.approx((played.mean(), *limits))


@pytest.mark.parametrize("rules", ["hollywood", "three-handed"])
def test_of_several_pairings_or_three_sides_there_is_no_one_estimate(rules: str, tmp_path: Path) -> None:
    told: list[Estimate] = []
    plan = make_plan(Request(("greedy", "simple", "gin-only"), pairs=BLOCK_PAIRS, rules=rules, seed=1))
    simulate(plan, tmp_path / "run", 1, Watch(), told.append)
    assert told == []


# --- progress.json and run.log


@pytest.mark.usefixtures("often")
def test_progress_file_tells_of_a_running_run_and_is_gone_when_it_ends(tmp_path: Path) -> None:
    seen: list[dict[str, Any]] = []

    def look() -> None:
        if (tmp_path / "run" / "progress.json").is_file():
            seen.append(json.loads((tmp_path / "run" / "progress.json").read_text(encoding="utf-8")))

    count = _counted(_plan(40_000), tmp_path / "run", look)
    assert not [path.name for path in (tmp_path / "run").glob("*progress*")]
    assert [entry["pairs"] for entry in seen] == sorted(entry["pairs"] for entry in seen)
    last = seen[-1]
    assert 0 < last["pairs"] <= last["total"] == 40_000
    assert last["deals"] / last["pairs"] == pytest.approx(count.standing().deals / 40_000, rel=0.1)
    assert last["deals_per_second"] > 0
    assert 0 < last["low"] < last["estimate"] < last["high"] < 1
    assert last["memory"] > 10**7
    assert (last["pid"], last["host"]) == (os.getpid(), platform.node())
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:]+\+00:00", last["time"])


def test_standing_is_read_back_as_it_was_written() -> None:
    for standing in (NIGHT, Standing(0, 10), Standing(5, 10, note="A 50.0%")):
        kept = json.loads(json.dumps(standing.document()))
        assert Standing.read(kept).document() == standing.document()


@pytest.mark.usefixtures("often")
def test_run_goes_on_when_its_progress_file_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()

    def stand_in_the_way() -> None:
        (tmp_path / "run" / "progress.json").unlink(missing_ok=True)
        (tmp_path / "run" / ".progress.json.tmp").mkdir(exist_ok=True)

    def look() -> None:
        try:
            stand_in_the_way()
        except OSError:  # at this very moment it is being written; the next look is in time
            return

    _counted(_plan(5_000), tmp_path / "run", look)
    assert manifest(tmp_path / "run")["status"] == "complete"


def test_progress_file_of_the_process_that_goes_on_is_left_to_it(tmp_path: Path) -> None:
    path = tmp_path / "run" / "progress.json"

    def look() -> None:
        if path.is_file():
            path.write_text(json.dumps({**json.loads(path.read_text()), "pid": -1}), encoding="utf-8")

    _counted(_plan(2_000), tmp_path / "run", look)
    kept = read_progress(tmp_path / "run")
    assert kept is not None
    assert kept["pid"] == -1


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"pairs": 1}', "no json"])
def test_progress_file_that_says_nothing_is_none(text: str, tmp_path: Path) -> None:
    (tmp_path / "progress.json").write_text(text, encoding="utf-8")
    assert read_progress(tmp_path) is None


@pytest.mark.usefixtures("often")
def test_log_has_the_command_first_and_then_figures_at_most_so_often(tmp_path: Path) -> None:
    began = time.monotonic()
    _counted(_plan(25_000), tmp_path / "run", lambda: None)
    lines = [line.partition(" ")[2] for line in (tmp_path / "run" / "run.log").read_text(encoding="utf-8").splitlines()]
    assert (lines[:2], lines[-1]) == (["running", "the first line"], "complete")
    figures = [line for line in lines if "deals/s" in line]
    assert 0 < len(figures) <= (time.monotonic() - began) / 0.1
    for line in figures:
        assert re.match(r"[\d,]+ of 25,000 pairs, [\d,]+ deals, [\d,]+ deals/s, \d+ MB resident", line)
    assert re.search(r", A wins \d\d\.\d\d% \(\d\d\.\d\d to \d\d\.\d\d\)$", figures[-1])


def test_command_begins_the_log_with_version_threads_and_size(hollywood: Hollywood, tmp_path: Path) -> None:
    hollywood("simulate", "greedy", "simple", "--pairs", "1000", "--threads", "3", "--out", "run")
    log = (tmp_path / "run" / "run.log").read_text(encoding="utf-8")
    assert re.search(r" hollywood .*\(version \d+\.\d+.*, 3 threads, about 30k deals, 51.2 kB on disk\)\n", log)


def test_memory_is_that_of_this_process() -> None:
    before = resident_bytes()
    held = bytearray(b"x" * 50_000_000)
    assert resident_bytes() - before > len(held) // 2
