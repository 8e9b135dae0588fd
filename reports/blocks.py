"""The pieces a page is set from, whatever it is written as: figures, tables, and data to take along."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from urllib.parse import quote

import pandas as pd
from markupsafe import Markup
from matplotlib.figure import Figure

from reports.canvas import NARROW, WIDE, Size
from reports.numbers import percent, plus_minus
from reports.svg import inline_svg
from reports.words import Words

MOST_CSV_BYTES = 200_000
"""A larger table is not embedded; the page says how to get it."""


@dataclass(frozen=True)
class Download:
    """A table to take along: CSV text, and the expression that gives it where a page has no room for so much."""

    name: str
    text: str
    rows: int
    source: str

    @property
    def href(self) -> str | None:
        """Return the table as a link that needs no network, None if it is too large to be embedded."""
        link = "data:text/csv;charset=utf-8," + quote(self.text, safe=",:=-._~()")
        return link if len(link) <= MOST_CSV_BYTES else None


@dataclass(frozen=True)
class FigureBlock:
    """A figure: its words, its data, and how to draw it, which each writer does when it comes to it.

    `name` is unique on the page: ids and files are named by it.
    """

    name: str
    words: Words
    draw: Callable[[Size], Figure]
    data: Download

    @property
    def wide(self) -> Markup:
        """Return the drawing for wide screens as SVG."""
        return self._svg(WIDE)

    @property
    def narrow(self) -> Markup:
        """Return the drawing for narrow screens as SVG."""
        return self._svg(NARROW)

    def _svg(self, size: Size) -> Markup:
        with any_letters():
            return Markup(inline_svg(self.draw(size), f"{self.name}-{size.name}", self.words))


@contextmanager
def any_letters() -> Iterator[None]:
    """Let names be drawn in letters that the font lacks: a browser has others, and a picture shows a box."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        yield


@dataclass(frozen=True)
class Cell:
    """One cell of a table: its text, the number it sorts by, and the ± beside it."""

    text: str
    value: float | str
    error: str = ""


def share_cell(share: float, lo: float, hi: float, *, mark: str = "") -> Cell:
    """Return a share with its ± in points, and a mark after it."""
    return Cell(percent(share), float(share), plus_minus(100 * share, 100 * lo, 100 * hi) + mark)


@dataclass(frozen=True)
class Row:
    """One row of a table: the name that heads it, and its cells."""

    head: Cell
    cells: list[Cell]


@dataclass(frozen=True)
class Table:
    """A sortable table with its title and note; `best_first` if its rows fall in their first number.

    `of_words`: its cells hold more words than numbers, and may take several lines.
    """

    name: str
    title: str
    heads: list[str]
    rows: list[Row]
    note: str
    data: Download | None = None
    best_first: bool = True
    of_words: bool = False


@dataclass(frozen=True)
class Section:
    """A part of the page under one heading: sentences, tables and figures in reading order.

    `commands`, each as quoted words, would fill a section that lacks its data; its sentences say what is missing.
    """

    name: str
    title: str
    paragraphs: list[str] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    figures: list[FigureBlock] = field(default_factory=list)
    commands: list[list[str]] = field(default_factory=list)


Chart = tuple[Callable[[pd.DataFrame, Size], Figure], Callable[[pd.DataFrame], Words]]
"""A chart's pair of functions, figure and words."""


def figure_block(name: str, chart: Chart, frame: pd.DataFrame, data: Download) -> FigureBlock:
    """Put a frame into words, to be drawn later."""
    draw, say = chart
    return FigureBlock(name, say(frame), partial(draw, frame), data)


def download(frame: pd.DataFrame, name: str, source: str) -> Download:
    """Return a table to take along; shares are fractions, six digits. `source` is Python."""
    text = frame.to_csv(index=False, float_format="%.6g", lineterminator="\n")
    return Download(f"{name}.csv", text, len(frame), source)
