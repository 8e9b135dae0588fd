"""Axes of shares: ticks at 1, 2 or 5 steps, and where a share lies on the sheet."""

from __future__ import annotations

import math
from collections.abc import Iterable

from matplotlib.axes import Axes

from reports.canvas import UNITS_PER_INCH, text_width
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


def whole_ticks(high: float, most: int) -> list[int]:
    """Return at most `most` whole numbers from 0 to `high`, at steps of 1, 2 or 5 of some power of ten."""
    step = next(step * 10**power for power in range(9) for step in (1, 2, 5) if high // (step * 10**power) < most)
    return list(range(0, int(high) + 1, step))


def range_with_half(values: Iterable[float], margin: float = 0.08, middle: float = 0.5) -> tuple[float, float]:
    """Return the limits of an axis that holds all values and one half (or `middle`), with a margin on both sides."""
    numbers = [middle, *(value for value in values if not math.isnan(value))]
    low, high = min(numbers), max(numbers)
    spare = max((high - low) * margin, 0.005)
    return low - spare, high + spare


def thin_note(lo: Iterable[float], hi: Iterable[float], middle: float = 0.5) -> str:
    """Say so if some bars are hidden by their dots, which take about a hundredth of the axis to either side.

    `middle` is where the axis has its dark line.
    """
    limits = [(low, high) for low, high in zip(lo, hi, strict=True) if not math.isnan(high - low)]
    if not limits:
        return ""
    start, end = range_with_half([limit for pair in limits for limit in pair], middle=middle)
    thin = sum((high - low) / 2 < 0.01 * (end - start) for low, high in limits)
    return f" {'All' if thin == len(limits) else 'Some'} bars are thinner than their dots." if thin else ""


def share_axis(ax: Axes, limits: tuple[float, float], most: int, label: str) -> None:
    """Make the horizontal axis one of shares, with a grid, and a dark line at one half."""
    ax.set_xlim(*limits)
    set_share_ticks(ax, share_ticks(max(limits[0], 0), min(limits[1], 1), most))
    if limits[0] <= 0.5 <= limits[1]:
        ax.axvline(0.5, color=INK, linewidth=1.3, zorder=1.5)
    ax.set_xlabel(label)


def set_share_ticks(ax: Axes, ticks: Iterable[float]) -> None:
    """Label the horizontal axis at these shares, without sign, except where a label would leave the sheet."""
    left, right = ax.get_xlim()
    sheet = ax.get_figure(root=True)
    width = float(sheet.get_size_inches()[0]) * UNITS_PER_INCH if sheet else math.inf
    box = ax.get_window_extent()
    kept = []
    for tick in ticks:
        middle = box.x0 + box.width * (tick - left) / (right - left)
        half = text_width(_percent(tick)) / 2
        if half <= middle <= width - half:
            kept.append(tick)
    ax.set_xticks(kept, [_percent(tick) for tick in kept])
    ax.xaxis.grid(True, color=LINE)


def _percent(tick: float) -> str:
    return f"{abs(100 * tick):.0f}%"
