"""From when on a run's speed is measured, and what is said until then."""

from __future__ import annotations

import time
from types import SimpleNamespace

import pytest

from cli.progress import GETTING_READY, Progress
from experiments.progress_file import Count
from sim.batch.runner import Watch


def test_speed_and_time_left_are_right_from_the_first_part_of_a_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [100.0]
    monkeypatch.setattr("experiments.progress_file.time", SimpleNamespace(monotonic=lambda: clock[0]))
    count = Count()
    watch = Watch(count.advance)
    count.start(1_000_000)
    watch.advance(200_000, 0)  # they are in place
    clock[0] += 60  # the workers get ready
    watch.begin()
    assert (count.standing().seconds_left, count.has_begun) == (None, False)
    for part in (1, 2):
        clock[0] += 10
        watch.advance(200_000, 6_000_000)
        standing = count.standing()
        assert (standing.deals_per_second, standing.seconds_left) == (600_000, 40 - 10 * part)
        watch.begin()  # the next round of a sweep


def test_slow_start_says_what_it_is_spent_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("cli.progress.SLOW_START_SECONDS", 0)
    for wait, told in (({}, GETTING_READY), ({"wait": "asking around"}, "asking around")):
        with Progress(quiet=False, **wait):
            time.sleep(0.1)
        assert capsys.readouterr().err == f"  {told}\n"
