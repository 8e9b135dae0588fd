"""Axes of shares: ticks at 1, 2 or 5 steps, and where a share lies on the sheet."""

from __future__ import annotations

import math
from collections.abc import Iterable

from matplotlib.axes import Axes

from reports.style import INK, LINE

STEPS = (1, 2, 5, 10, 20, 25, 50)
"""Tick distances in points of a hundred."""


def share_ticks(low: float, high: float, most: int) -> list[float]:
    """Return at most `most` ticks (shares) between two shares, at the finest step that allows it."""
    for step in STEPS:
        first, last = math.ceil(round(100 * low / step, 6)), math.floor(round(100 * high / step, 6))
        if last - first + 1 <= most:
            return [step * k / 100 for k in range(first, last + 1)]
    return [0.0, 0.5, 1.0]


def range_with_half(values: Iterable[float], margin: float = 0.08) -> tuple[float, float]:
    """Return the limits of an axis that holds all values and one half, with a margin on both sides."""
    numbers = [0.5, *(value for value in values if not math.isnan(value))]
    low, high = min(numbers), max(numbers)
    spare = max((high - low) * margin, 0.005)
    return low - spare, high + spare


def share_axis(ax: Axes, limits: tuple[float, float], most: int, label: str) -> None:
    """Make the horizontal axis one of shares, with a grid, and a dark line at one half."""
    ax.set_xlim(*limits)
    ticks = share_ticks(max(limits[0], 0), min(limits[1], 1), most)
    ax.set_xticks(ticks, [f"{100 * tick:.0f}%" for tick in ticks])
    ax.xaxis.grid(True, color=LINE)
    if limits[0] <= 0.5 <= limits[1]:
        ax.axvline(0.5, color=INK, linewidth=1.3, zorder=1.5)
    ax.set_xlabel(label)
