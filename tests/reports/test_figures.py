"""Every drawing of every page: nothing leaves the sheet, no two texts meet, shapes repeat what colours say."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from analysis import Run
from reports.canvas import NARROW, WIDE, fitted, fitted_side_by_side, text_width, versus
from reports.page import compose
from reports.scales import range_with_half, share_ticks
from reports.style import DARK, LIGHT, SIDE
from reports.words import Words
from tests.reports.conftest import SETUPS


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


@pytest.fixture(scope="module", params=list(SETUPS))
def drawings(request: pytest.FixtureRequest, runs: dict[str, Run]) -> list[Drawing]:
    """All drawings of one page."""
    figures = [figure for section in compose(runs[request.param]).sections for figure in section.figures]
    return [
        drawing(f"{figure.name}, {size.name}", figure.draw(size), figure.words)
        for figure in figures
        for size in (WIDE, NARROW)
    ]


def test_no_text_leaves_its_sheet(drawings: list[Drawing]) -> None:
    for own in drawings:
        width, height = own.sheet
        assert width in (pytest.approx(WIDE.width), pytest.approx(NARROW.width))
        for text, box, _ in own.texts:
            inside = box.x0 >= -0.5 and box.x1 <= width + 0.5 and box.y0 >= -0.5 and box.y1 <= height + 0.5
            assert inside, (own.name, text, box)


def test_no_two_texts_meet(drawings: list[Drawing]) -> None:
    for own in drawings:
        for (one, box, _), (other, rival, _) in combinations(own.texts, 2):
            across = min(box.x1, rival.x1) - max(box.x0, rival.x0)
            down = min(box.y1, rival.y1) - max(box.y0, rival.y0)
            assert across < 1 or down < 3, (own.name, one, other)  # a box has 3 units of air above its letters


def test_the_smallest_text_can_be_read(drawings: list[Drawing]) -> None:
    for own in drawings:
        assert all(size >= 10.5 for _, _, size in own.texts), own.name


def test_words_say_something(drawings: list[Drawing]) -> None:
    for own in drawings:
        name, words = own.name, own.words
        for text in (words.title, words.grey, words.how, words.alt):
            assert len(text) > 20, name
            assert "nan" not in text.lower().replace("finance", ""), (name, text)
            assert "None" not in text, (name, text)
            assert "  " not in text, (name, text)
        assert words.grey.endswith(".")
        assert words.alt.endswith(".")
        assert not words.title.endswith(".")


def test_every_role_has_its_own_colour_in_both_themes() -> None:
    assert len(set(LIGHT.values())) == len(LIGHT)
    assert LIGHT.keys() == DARK.keys()


def test_shape_and_dash_repeat_what_colour_says() -> None:
    for key in ("color", "marker", "linestyle", "markerfacecolor"):
        assert SIDE["A"][key] != SIDE["B"][key]


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour, as WCAG 2 defines it."""
    channels = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("theme", [LIGHT, DARK])
@pytest.mark.parametrize(
    ("text", "ground"),
    [
        *(("ink", "bg"), ("mute", "bg"), ("a", "bg"), ("b", "bg"), ("bg", "a"), ("bg", "b")),
        *(("on2", "a2"), ("on2", "b2"), ("ink", "a3"), ("ink", "b3"), ("ink", "n2"), ("mute", "n2")),
    ],
)
def test_text_stands_out_from_what_it_lies_on(theme: dict[str, str], text: str, ground: str) -> None:
    bright, dim = sorted((luminance(theme[text]), luminance(theme[ground])), reverse=True)
    assert (bright + 0.05) / (dim + 0.05) >= 4.5


def test_names_are_cut_to_their_room() -> None:
    name = "./players/a_bot_with_quite_a_long_name.py:aggression=3"
    assert text_width(fitted(name, 100)) <= 100
    assert fitted(name, 100).endswith("=3")
    assert versus("greedy", "greedy", 200) == "greedy v itself"
    beside = fitted_side_by_side(["greedy", name], 200)
    assert beside[0] == "greedy"
    assert 180 < text_width(beside[0]) + text_width(beside[1]) <= 200
    both = versus(name, name.replace("3", "4"), 220)
    assert text_width(both) <= 220
    assert both.endswith("=4")
    assert "=3 v " in both


@pytest.mark.parametrize(("low", "high"), [(0.49, 0.53), (0.3, 0.8), (0.0, 1.0), (0.499, 0.501)])
def test_ticks_are_whole_points_at_even_steps(low: float, high: float) -> None:
    ticks = share_ticks(low, high, 7)
    assert 1 <= len(ticks) <= 7
    assert all(abs(100 * tick - round(100 * tick)) < 1e-9 for tick in ticks)


def test_an_axis_of_shares_always_has_one_half() -> None:
    low, high = range_with_half([0.7, 0.8, float("nan")])
    assert low < 0.5 < 0.8 < high
