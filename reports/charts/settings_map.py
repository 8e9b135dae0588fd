"""Where to set two knobs: a cell for each combination, in seven shades about the mean of all."""

from __future__ import annotations

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from reports.canvas import Box, Size, axes, sheet, text_width, widest, write
from reports.charts.settings import is_numeric, words_of
from reports.numbers import points
from reports.style import INK, MUTE, NOTE, SEVEN, TEXT, styled
from reports.words import Words

CHANGES = (0.16, 0.5, 0.85)
"""Where shades change, in parts of the largest distance from the mean."""
TOP = 62
"""Units above the cells: a line for each parameter, and the values across."""


@styled
def figure(frame: pd.DataFrame, size: Size) -> Figure:
    """Draw the settings of two parameters (`reports.charts.settings`); the one with fewer values goes across."""
    across, down = _axes_of(frame)
    columns, lines = _values(frame, across), _values(frame, down)
    left = widest(lines) + 12
    cell = min((size.width - left - 8) / len(columns), 76 if size.is_wide else 60)
    height = 32 if size.is_wide else 28
    result = sheet(size, TOP + height * len(lines) + 48)
    ax = axes(result, Box(left, TOP, cell * len(columns), height * len(lines)))
    ax.set_xlim(0, len(columns))
    ax.set_ylim(len(lines), 0)
    ax.axis("off")
    for _, row in frame.iterrows():
        place = columns.index(row[f"value_{across}"]), lines.index(row[f"value_{down}"])
        _cell(ax, row, place, (_shade(frame, row), cell))
    write(result, 4, 10, f"across: {across}", ha="left", color=MUTE)
    write(result, 4, 27, f"down: {down}", ha="left", color=MUTE)
    for number, value in enumerate(columns):
        write(result, left + cell * (number + 0.5), TOP - 10, value, ha="center")
    for number, value in enumerate(lines):
        write(result, left - 8, TOP + height * (number + 0.5), value, ha="right")
    start = left if size.is_wide else 8.0
    _key(axes(result, Box(start, TOP + height * len(lines) + 16, min(size.width - start - 8, 340), 12)), frame)
    return result


def _axes_of(frame: pd.DataFrame) -> tuple[str, str]:
    """Return the parameter that goes across and the one that goes down."""
    one, other = frame.attrs["knobs"]
    fewer = frame[f"value_{one}"].nunique() <= frame[f"value_{other}"].nunique()
    return (one, other) if fewer else (other, one)


def _values(frame: pd.DataFrame, knob: str) -> list[str]:
    """Return a parameter's values in order: numbers by size, others as given."""
    values = pd.Series(frame[f"value_{knob}"].unique())
    return [str(value) for value in (values.sort_values(key=pd.to_numeric) if is_numeric(values) else values)]


def _bounds(frame: pd.DataFrame) -> tuple[float, list[float]]:
    """Return the mean of all shares, and the distances from it at which shades change."""
    middle = float(frame["matches_won"].mean())
    cap = max(float((frame["matches_won"] - middle).abs().max()), 0.001)
    return middle, [part * cap for part in CHANGES]


def _shade(frame: pd.DataFrame, row: pd.Series) -> int:
    """Return the shade of a setting: 0 (far below the mean of all) to 6 (far above)."""
    middle, changes = _bounds(frame)
    away = float(row["matches_won"]) - middle
    steps = sum(abs(away) >= change for change in changes)
    return 3 + (steps if away > 0 else -steps)


def _cell(ax: Axes, row: pd.Series, place: tuple[int, int], look: tuple[int, float]) -> None:
    """Draw one setting: its shade and share, a frame if it is as good as the best, a corner stroke if dropped."""
    (x, y), (shade, width) = place, look
    colour, text_colour = SEVEN[shade]
    ax.add_patch(Rectangle((x + 0.02, y + 0.03), 0.96, 0.94, facecolor=colour, edgecolor="none"))
    if row["plateau"]:
        ax.add_patch(Rectangle((x + 0.05, y + 0.08), 0.9, 0.84, facecolor="none", edgecolor=INK, linewidth=2.5))
    if row["dropped"]:
        ax.plot([x + 0.06, x + 0.2], [y + 0.9, y + 0.62], color=text_colour, linewidth=1.3)
    type_size = TEXT if width >= 50 else NOTE
    text = points(row["matches_won"], 1 if width >= text_width("50.0", type_size, bold=True) + 8 else 0)
    weight = "bold" if row["best"] else "normal"
    style: dict[str, Any] = {"ha": "center", "va": "center_baseline", "color": text_colour}
    ax.text(x + 0.5, y + 0.53, text, fontsize=type_size, weight=weight, **style)


def _key(ax: Axes, frame: pd.DataFrame) -> None:
    """Draw the seven shades with the shares at which they change."""
    middle, changes = _bounds(frame)
    ax.set_xlim(0, 7)
    ax.set_ylim(0, 1)
    for number, (colour, _) in enumerate(SEVEN):
        ax.add_patch(Rectangle((number + 0.02, 0), 0.96, 1, facecolor=colour, edgecolor="none"))
    edges = [middle - change for change in reversed(changes)] + [middle + change for change in changes]
    ax.set_xticks(range(1, 7), [points(edge) for edge in edges], fontsize=NOTE)
    ax.set_yticks([])
    ax.spines["bottom"].set_visible(False)


def words(frame: pd.DataFrame) -> Words:
    """Say which settings are best, from the same table as `figure`."""
    across, down = _axes_of(frame)
    halves = (frame["hi"] - frame["lo"]) / 2
    bars = f"numbers are per 100, within {points(float(halves.max()))} points at 95%"
    how = (
        f"pick a value of {across} (across) and of {down} (down). Blue wins more than the mean of all settings, orange "
        "less; a frame marks those that no other clearly beats, bold the best."
    )
    return words_of(frame, "Table of shades", (bars, how), "A stroke in the corner")
