"""Every drawing of every page: nothing leaves the sheet, no two texts meet, shapes repeat what colours say."""

from __future__ import annotations

import pytest

from analysis import Run
from reports.canvas import fitted, fitted_side_by_side, text_width, versus
from reports.page import compose
from reports.scales import range_with_half, share_ticks
from reports.style import DARK, LIGHT, SIDE
from tests.reports.conftest import SETUPS
from tests.support.drawings import (
    Drawing,
    assert_large_enough,
    assert_no_two_texts_meet,
    assert_on_its_sheet,
    assert_words_say_something,
    drawings_of,
)

TELLING = ("two", "four", "twenty", "long", "partners", "column", "walkover")
"""Many and few rows, short and long names, all figures, one column, shares of 0 and 1; the others are slow tests."""


@pytest.fixture(
    scope="module",
    params=[name if name in TELLING else pytest.param(name, marks=pytest.mark.slow) for name in SETUPS],
)
def drawings(request: pytest.FixtureRequest, runs: dict[str, Run]) -> list[Drawing]:
    """All drawings of one page."""
    return drawings_of(figure for section in compose(runs[request.param]).sections for figure in section.figures)


def test_no_text_leaves_its_sheet(drawings: list[Drawing]) -> None:
    for own in drawings:
        assert_on_its_sheet(own)


def test_no_two_texts_meet(drawings: list[Drawing]) -> None:
    for own in drawings:
        assert_no_two_texts_meet(own)


def test_the_smallest_text_can_be_read(drawings: list[Drawing]) -> None:
    for own in drawings:
        assert_large_enough(own)


def test_words_say_something(drawings: list[Drawing]) -> None:
    for own in drawings:
        assert_words_say_something(own)


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
