"""What charts with a row for each pairing share: names beside or above the row, and which rows are drawn."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from reports.canvas import Box, Size, axes, gutter, widest
from reports.style import BG, MUTE

MOST_ROWS = 24
"""More rows than this: the first and the last dozen are drawn, and the CSV holds the rest."""
LIFT = 0.22
"""Where a narrow drawing has the name of a row: this part of a row above its middle, the marks as far below."""
PATCH = {"facecolor": BG, "edgecolor": "none", "pad": 1}
"""What keeps lines out of a text."""


def each(table: pd.DataFrame) -> list[pd.Series]:
    """Return the rows of a table, without their numbers."""
    return [row for _, row in table.iterrows()]


def name_width(size: Size) -> float:
    """Return the units that the name of a row may take: beside the axes, or above the row if narrow."""
    return 260 if size.is_wide else size.width - 60


def shown(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows that are drawn: all, or the first and the last dozen."""
    if len(table) <= MOST_ROWS:
        return table
    return pd.concat([table.head(MOST_ROWS // 2), table.tail(MOST_ROWS // 2)], ignore_index=True)


def row_axes(figure: Figure, names: Sequence[str], span: tuple[float, float], right: float) -> Axes:
    """Add axes with a row for each name, from top to bottom; `span` is their top and the units from row to row.

    Names stand left of the axes in a wide drawing, above the rows in a narrow one; `right` is the gutter.
    """
    top, step = span
    width = figure.get_size_inches()[0] * 72
    size = Size("", round(width))
    left = widest(names) + 12 if size.is_wide else 8.0
    ax = axes(figure, Box(left, top, width - left - right, step * len(names)))
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.set_yticks([])
    for place, name in enumerate(names):
        if size.is_wide:
            gutter(ax, 0, place, -8, name, ha="right")
        else:
            gutter(ax, 0, place - LIFT, 0, name, bbox=PATCH, zorder=6)
    return ax


def row_middle(place: int, size: Size) -> float:
    """Return where the marks of a row lie: below its name in a narrow drawing."""
    return place if size.is_wide else place + LIFT


def mark_cut(ax: Axes, table: pd.DataFrame) -> None:
    """Draw a dotted line where rows between the first and the last dozen are left out."""
    if len(table) > MOST_ROWS:
        ax.axhline(MOST_ROWS / 2 - 0.5, color=MUTE, linewidth=1, linestyle=(0, (1, 3)))


def cut_note(table: pd.DataFrame, first: str, last: str) -> str:
    """Say which rows are drawn, if not all: ``the 12 widest and the 12 narrowest``."""
    if len(table) <= MOST_ROWS:
        return ""
    return f" Drawn: the {MOST_ROWS // 2} {first} and the {MOST_ROWS // 2} {last}."
