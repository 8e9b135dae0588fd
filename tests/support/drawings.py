"""A drawing as a reader gets it, and what every drawing keeps: nothing leaves the sheet, no two texts meet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from reports.blocks import FigureBlock
from reports.canvas import NARROW, WIDE, Size
from reports.words import Words

SIZES = (WIDE, NARROW)
SMALLEST = 10.5
"""Units of the smallest text."""


@dataclass(frozen=True)
class Drawing:
    """One drawing as a reader gets it: its size in units, its texts with boxes and type sizes, its words."""

    name: str
    sheet: tuple[float, float]
    texts: list[tuple[str, Bbox, float]]
    words: Words


def drawing(name: str, figure: Figure, words: Words) -> Drawing:
    canvas: Any = FigureCanvasAgg(figure)
    canvas.draw()
    renderer = canvas.get_renderer()
    texts = [text for text in figure.findobj(Text) if isinstance(text, Text)]
    shown = [text for text in texts if text.get_visible() and text.get_text().strip()]
    width, height = figure.get_size_inches() * 72
    boxes = [(text.get_text(), text.get_window_extent(renderer), float(text.get_fontsize())) for text in shown]
    return Drawing(name, (float(width), float(height)), boxes, words)


def drawings_of(figures: Iterable[FigureBlock], sizes: Sequence[Size] = SIZES) -> list[Drawing]:
    """Draw some figures in each size."""
    return [
        drawing(f"{figure.name}, {size.name}", figure.draw(size), figure.words) for figure in figures for size in sizes
    ]


def assert_readable(drawings: Iterable[Drawing]) -> None:
    """Hold drawings to all that every one keeps."""
    for own in drawings:
        assert_on_its_sheet(own)
        assert_no_two_texts_meet(own)
        assert_large_enough(own)
        assert_words_say_something(own)


def assert_on_its_sheet(own: Drawing) -> None:
    width, height = own.sheet
    assert width in (pytest.approx(WIDE.width), pytest.approx(NARROW.width))
    for text, box, _ in own.texts:
        inside = box.x0 >= -0.5 and box.x1 <= width + 0.5 and box.y0 >= -0.5 and box.y1 <= height + 0.5
        assert inside, (own.name, text, box)


def assert_no_two_texts_meet(own: Drawing) -> None:
    for (one, box, _), (other, rival, _) in combinations(own.texts, 2):
        across = min(box.x1, rival.x1) - max(box.x0, rival.x0)
        down = min(box.y1, rival.y1) - max(box.y0, rival.y0)
        assert across < 1 or down < 3, (own.name, one, other)  # a box has 3 units of air above its letters


def assert_large_enough(own: Drawing) -> None:
    assert all(size >= SMALLEST for _, _, size in own.texts), own.name


def assert_words_say_something(own: Drawing) -> None:
    name, words = own.name, own.words
    for text in (words.title, words.grey, words.how, words.alt):
        assert len(text) > 20, name
        assert "nan" not in text.lower().replace("finance", ""), (name, text)
        assert "None" not in text, (name, text)
        assert "  " not in text, (name, text)
        assert " ," not in text, (name, text)
    assert words.grey.endswith(".")
    assert words.alt.endswith(".")
    assert not words.title.endswith(".")
