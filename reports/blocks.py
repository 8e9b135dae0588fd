"""The pieces a page is set from: figures with two drawings, tables, and data to take along."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import quote

import pandas as pd
from markupsafe import Markup
from matplotlib.figure import Figure

from reports.canvas import NARROW, WIDE, Size
from reports.svg import inline_svg
from reports.words import Words

MOST_CSV_BYTES = 200_000
"""A larger table is not embedded; the page says how to get it."""


@dataclass(frozen=True)
class Download:
    """A table to take along: a `data:` link, or, if it is too large, the expression that gives it."""

    name: str
    href: str | None
    rows: int
    source: str


@dataclass(frozen=True)
class FigureBlock:
    """A figure on the page: its words, its wide and its narrow drawing, its data."""

    name: str
    words: Words
    wide: Markup
    narrow: Markup
    data: Download


@dataclass(frozen=True)
class Cell:
    """One cell of a table: its text, the number it sorts by, and the ± beside it."""

    text: str
    value: float | str
    error: str = ""


@dataclass(frozen=True)
class Row:
    """One row of a table: the name that heads it, and its cells."""

    head: Cell
    cells: list[Cell]


@dataclass(frozen=True)
class Table:
    """A sortable table with its title and note."""

    name: str
    title: str
    heads: list[str]
    rows: list[Row]
    note: str
    data: Download | None = None


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
    """Draw a frame twice and put it into words."""
    draw, say = chart
    said = say(frame)
    wide, narrow = (Markup(inline_svg(draw(frame, size), f"{name}-{size.name}", said)) for size in (WIDE, NARROW))
    return FigureBlock(name, said, wide, narrow, data)


def download(frame: pd.DataFrame, name: str, source: str) -> Download:
    """Return a table as a link that needs no network; shares are fractions, six digits. `source` is Python."""
    text = frame.to_csv(index=False, float_format="%.6g", lineterminator="\n")
    href = "data:text/csv;charset=utf-8," + quote(text, safe=",:=-._~()")
    return Download(f"{name}.csv", href if len(href) <= MOST_CSV_BYTES else None, len(frame), source)
