"""The sheet a figure is drawn on, measured in units: one unit is one CSS pixel at full size."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path

from reports.names import cut

UNITS_PER_INCH = 72
HINTED = 1.015
"""On a screen, letters are fitted to pixels and may come out this much wider than their outlines."""


@dataclass(frozen=True)
class Size:
    """One of the two drawings of a figure: its name and its width in units."""

    name: str
    width: int

    @property
    def is_wide(self) -> bool:
        """Tell whether this is the drawing for a wide screen."""
        return self.width > 500


WIDE = Size("wide", 680)
NARROW = Size("narrow", 328)


@dataclass(frozen=True)
class Box:
    """A rectangle on the sheet, in units from its upper left corner."""

    left: float
    top: float
    width: float
    height: float


def sheet(size: Size, height: float) -> Figure:
    """Return an empty figure of this many units."""
    return Figure(figsize=(size.width / UNITS_PER_INCH, height / UNITS_PER_INCH), dpi=UNITS_PER_INCH)


def axes(figure: Figure, box: Box) -> Axes:
    """Add axes that fill a box exactly; labels and ticks lie outside it."""
    width, height = figure.get_size_inches() * UNITS_PER_INCH
    bottom = height - box.top - box.height
    return figure.add_axes((box.left / width, bottom / height, box.width / width, box.height / height))


def write(figure: Figure, left: float, top: float, text: str, **style: object) -> None:
    """Write text on the sheet at a point in units from its upper left corner; vertically centred there."""
    width, height = figure.get_size_inches() * UNITS_PER_INCH
    options: dict[str, Any] = {"va": "center_baseline", **style}
    figure.text(left / width, 1 - top / height, text, **options)


def write_run(figure: Figure, left: float, top: float, pieces: Iterable[tuple[str, dict[str, object]]]) -> None:
    """Write pieces of text one after the other, each in its own style, starting at a point as `write` does.

    They are placed by width, since SVG collapses runs of spaces.
    """
    for text, style in pieces:
        size = float(str(style.get("fontsize", 12.0)))
        write(figure, left, top, text, ha="left", **style)
        left += text_width(text, size, style.get("weight") == "bold") + size / 3


def beside(ax: Axes, point: tuple[float, float], shift: tuple[float, float], text: str, **style: object) -> None:
    """Write text some units right of and above a point of the data; `gutter` instead for the ends of a row."""
    options: dict[str, Any] = {"va": "center_baseline", "textcoords": "offset points", **style}
    ax.annotate(text, point, shift, **options)


def gutter(ax: Axes, end: float, y: float, shift: float, text: str, **style: object) -> None:
    """Write text in a row's gutter, some units right of the left (0) or right (1) end of the axes."""
    beside(ax, (end, y), (shift, 0), text, xycoords=ax.get_yaxis_transform(), **style)


@lru_cache(maxsize=4096)
def text_width(text: str, size: float = 12.0, bold: bool = False) -> float:
    """Return the width of a text in units."""
    font = FontProperties(family="DejaVu Sans", size=size, weight="bold" if bold else "normal")
    return HINTED * float(text_to_path.get_text_width_height_descent(text, font, ismath=False)[0])


def widest(texts: Iterable[str], size: float = 12.0) -> float:
    """Return the width of the widest of some texts in units."""
    return max((text_width(text, size) for text in texts), default=0.0)


def fitted(name: str, width: float, size: float = 12.0) -> str:
    """Return a name cut in the middle until it is no wider than `width` units."""
    characters = len(name)
    while characters > 3 and text_width(cut(name, characters), size) > width:
        characters -= 1
    return cut(name, characters)


def versus(one: str, other: str, width: float, size: float = 12.0) -> str:
    """Name a pairing, ``one v other`` or ``one v itself``, within `width` units; each name is cut alone."""
    if one == other:
        return f"{fitted(one, width - text_width(' v itself', size), size)} v itself"
    if text_width(f"{one} v {other}", size) <= width:
        return f"{one} v {other}"
    return " v ".join(fitted_side_by_side((one, other), width - text_width(" v ", size), size))


def fitted_side_by_side(names: Sequence[str], width: float, size: float = 12.0) -> list[str]:
    """Return names cut until they take no more than `width` units together: room that one leaves goes to the others."""
    cut_names: dict[str, str] = {}
    for place, name in enumerate(sorted(names, key=lambda name: text_width(name, size))):
        room = (width - sum(text_width(other, size) for other in cut_names.values())) / (len(names) - place)
        cut_names[name] = fitted(name, room, size)
    return [cut_names[name] for name in names]
