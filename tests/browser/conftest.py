"""A real browser, and the pages it is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from analysis import Run, load_run
from experiments.sweep import Asked
from reports.page import compose, render
from reports.several import compose_several
from reports.tips_page import compose_tips
from tests.browser.chromium import Chromium, found
from tests.reports import test_experiment_pages as experiments
from tests.reports.conftest import FOUR, pages, runs
from tests.reports.test_tips_page import told
from tests.support.dice_experiments import dice_comparison, dice_sweep, dice_tournament
from tests.support.synthetic_run import Setup, build_run

__all__ = ["pages", "runs"]

Opened = Callable[[str], Chromium]


def _run(folder: Path, setup: Setup) -> Run:
    return load_run(build_run(folder, setup))


def _sweep(folder: Path) -> Run:
    return dice_sweep(folder, experiments.KNOBS, Asked("threshold", ("knock_at=8:10",)), ["self"], 300)


def _several(folder: Path) -> str:
    sides = [Setup(FOUR[:2], pairs=60, options={"undercut_bonus": bonus}) for bonus in (10, 25)]
    return render(compose_several([_run(folder / str(number), setup) for number, setup in enumerate(sides)]))


MADE: dict[str, Callable[[Path], str]] = {
    "deals": lambda at: render(compose(_run(at, Setup(FOUR[:2], pairs=110, deals=True)))),
    "sweep": lambda at: render(compose(_sweep(at))),
    "tournament": lambda at: render(compose(dice_tournament(at, experiments.FIELD, 300))),
    "compare": lambda at: render(compose(dice_comparison(at, experiments.CLOSE, 1100, name="equiv"))),
    "several": _several,
    "tips": lambda at: render(compose_tips(told())),
}
"""Pages that the tests of reports do not share, made in a folder."""
PAGES = [*MADE, "four", "long", "sides", "trios", "column", "one", "partial"]
"""These, and runs of tests/reports/conftest.py: together they have every figure and table."""


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    """Return a headless Chromium."""
    program = found()
    if program is None:
        pytest.skip("there is no Chromium here: install chromium, or name one in $CHROMIUM")
    browser = Chromium(program, tmp_path_factory.mktemp("profile"))
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def opened(chromium: Chromium, pages: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Opened:
    """Return a function that opens a page by its name in `PAGES` and returns the browser."""
    folder: Path = tmp_path_factory.mktemp("pages")

    def open_page(name: str) -> Chromium:
        file = folder / f"{name}.html"
        if not file.exists():
            html = MADE[name](folder / name) if name in MADE else pages[name]
            file.write_text(html, encoding="utf-8")
        chromium.open(file)
        return chromium

    return open_page
