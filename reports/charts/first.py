"""What goes with opening a column first: a dumbbell a column, and how often each end occurs."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from reports import numbers
from reports.canvas import Box, Size, axes, fitted, sheet, text_width, write
from reports.scales import share_ticks
from reports.style import BG, INK, LINE, MUTE, N2, NOTE, SIDE, styled
from reports.words import Words

ROW = {"wide": 62, "narrow": 84}
FEWEST = 100
"""Fewer matches than this: no point is drawn."""


@styled
def figure(frame: pd.DataFrame, size: Size) -> Figure:
    """Draw one pairing's rows of `analysis.first_open`, with the columns gap, gap_lo, gap_hi and overall added."""
    columns = sorted(frame["column"].unique())
    row = ROW[size.name]
    result = sheet(size, 26 + 22 + row * len(columns) + 42)
    _legend(result, frame, size)
    left, gutter = (76, 74) if size.is_wide else (8, 66)
    ax = axes(result, Box(left, 48, size.width - left - gutter, row * len(columns)))
    ax.set_ylim(len(columns) - 0.5, -0.5)
    ax.set_yticks([])
    _axis(ax, frame, size)
    write(result, size.width - gutter + 12, 38, "gap", ha="left", color=MUTE)
    for place, column in enumerate(columns):
        _dumbbell(ax, frame[frame["column"] == column], place, size)
    return result


def _legend(result: Figure, frame: pd.DataFrame, size: Size) -> None:
    """Name both marks above the axes."""
    left = 4.0
    for side, column in (("A", "a"), ("B", "b")):
        ax = axes(result, Box(left, 2, 14, 20))
        ax.axis("off")
        ax.plot([0], [0], **SIDE[side] | {"linestyle": "none"}, clip_on=False)
        ending = " opened it first" if size.is_wide else " first"
        name = fitted(str(frame[column].iloc[0]), size.width / 2 - 24 - text_width(ending)) + ending
        write(result, left + 20, 13, name, ha="left", color=SIDE[side]["color"])
        left += 20 + text_width(name) + 28


def _axis(ax: Axes, frame: pd.DataFrame, size: Size) -> None:
    """Make the axis of match wins, with room for the words beside the outer dots, and mark all matches on it."""
    drawn = frame[frame["matches"] >= FEWEST]
    overall = float(frame["overall"].iloc[0])
    values = [overall, *drawn["lo"], *drawn["hi"]]
    low, high = min(values), max(values)
    room = 84 if size.is_wide else 66
    unit = max(high - low, 0.02) / (ax.get_window_extent().width - 2 * room)
    ax.set_xlim(low - room * unit, high + room * unit)
    ticks = share_ticks(max(ax.get_xlim()[0], 0), min(ax.get_xlim()[1], 1), 7 if size.is_wide else 4)
    ax.set_xticks(ticks, [f"{100 * tick:.0f}%" for tick in ticks])
    ax.xaxis.grid(True, color=LINE)
    ax.axvline(overall, color=INK, linewidth=1.3, linestyle=(0, (4, 2)), zorder=1.5)
    ax.annotate(
        f"all matches {numbers.percent(overall)}", (overall, 1), (0, 10), xycoords=ax.get_xaxis_transform(),
        textcoords="offset points", ha="center", va="center_baseline",
    )  # fmt: skip
    player = fitted(str(frame["a"].iloc[0]), 170 if size.is_wide else 100)
    ax.set_xlabel(f"Matches won by {player}")


def _dumbbell(ax: Axes, own: pd.DataFrame, place: int, size: Size) -> None:
    """Draw one column: its two dots, the bar between them, their numbers, and the gap in the gutter."""
    grid = ax.get_yaxis_transform()
    name = f"Column {own['column'].iloc[0]}"
    if size.is_wide:
        ax.text(-0.02, place, name, transform=grid, ha="right", va="center_baseline", clip_on=False)
    else:
        box = {"facecolor": BG, "edgecolor": "none", "pad": 1}
        ax.text(0.0, place - 0.38, name, transform=grid, ha="left", va="center_baseline", bbox=box, zorder=4)
    drawn = own[own["matches"] >= FEWEST].sort_values("win_rate")
    if len(drawn) == 2:
        ax.plot(drawn["win_rate"], [place, place], color=N2, linewidth=7, solid_capstyle="butt", zorder=2)
        row = own.iloc[0]
        gap = f"{numbers.number(100 * abs(row['gap']), 0)}"
        error = numbers.plus_minus(100 * row["gap"], 100 * row["gap_lo"], 100 * row["gap_hi"])
        ax.annotate(
            gap,
            (1, place),
            (12, 0),
            xycoords=grid,
            textcoords="offset points",
            weight="bold",
            va="center_baseline",
        )
        ax.annotate(
            error, (1, place), (14 + text_width(gap, bold=True), 0), xycoords=grid, textcoords="offset points",
            color=MUTE, fontsize=NOTE, va="center_baseline",
        )  # fmt: skip
    else:
        ax.annotate(
            "too few",
            (1, place),
            (8, 0),
            xycoords=grid,
            textcoords="offset points",
            color=MUTE,
            fontsize=NOTE,
            va="center_baseline",
        )
    for number, (_, row) in enumerate(drawn.iterrows()):
        _dot(ax, row, place, ("right", "left")[number] if len(drawn) == 2 else "center")


def _dot(ax: Axes, row: pd.Series, place: int, align: str) -> None:
    """Draw one end: its mark and bar, the rate above, how often below; words run outward, so they never meet."""
    look = SIDE[str(row["first"])]
    error = [[row["win_rate"] - row["lo"]], [row["hi"] - row["win_rate"]]]
    ax.errorbar(
        [row["win_rate"]], [place], xerr=error, color=look["color"], marker=look["marker"], markersize=8,
        markerfacecolor=look["markerfacecolor"], capsize=5, capthick=1.6, elinewidth=2, zorder=3,
    )  # fmt: skip
    shift = {"right": 6, "left": -6, "center": 0}[align]
    above = numbers.share_with_error(row["win_rate"], row["lo"], row["hi"])
    below = f"in {numbers.of_100(row['share'])}"
    for text, up, style in (
        (above, 17, {"weight": "bold", "color": look["color"]}),
        (below, -16, {"color": MUTE, "fontsize": NOTE}),
    ):
        ax.annotate(
            text, (row["win_rate"], place), (shift, up), textcoords="offset points", ha=align,
            va="center_baseline", zorder=4, **style,
        )  # fmt: skip


def words(frame: pd.DataFrame) -> Words:
    """Say what goes with opening first, from the same frame as `figure`; ``pairs`` is an attribute of it."""
    a = str(frame["a"].iloc[0])
    drawn = frame[frame["matches"] >= FEWEST]
    items = [
        f"column {row['column']} opened first by {row['player']}, in {numbers.of_100(row['share'])} matches: "
        f"{numbers.percent(row['win_rate'])}"
        for _, row in drawn.iterrows()
    ]
    example = drawn.sort_values("first", kind="stable").groupby("first").tail(1).head(1)
    return Words(
        title=_title(frame),
        grey=f"Matches won by {a}, split by who opened each column first; {numbers.count(int(frame.attrs.get('pairs', 0)))} "
        "duplicate pairs, 95% intervals (Wilson on the effective number of matches, pairs as clusters).",
        how=f"a blue dot: {a} opened the column first; an orange square: {frame['b'].iloc[0]} did. "
        + "".join(_worked(row, a) for _, row in example.iterrows())
        + "Who opens first is often ahead for other reasons too.",
        alt=f"Two dots a column: matches won by {a} by who opened the column first. "
        + "; ".join(items)
        + ".",
    )


def _worked(row: pd.Series, a: str) -> str:
    """Read one dot aloud."""
    return (
        f"When {row['player']} opened column {row['column']} first, as in {numbers.of_100(row['share'])} matches, "
        f"{a} won {numbers.percent(row['win_rate'])} of them. "
    )


def _title(frame: pd.DataFrame) -> str:
    """State the largest gap and the smallest, as what goes with opening first."""
    gaps = frame.groupby("column")["gap"].first().dropna().abs()
    enough = frame.groupby("column")["matches"].min() >= FEWEST
    gaps = gaps[enough.reindex(gaps.index)]
    if gaps.empty:
        return "Too few matches to tell what goes with opening a column first"
    top = int(gaps.idxmax())
    start = f"Opening the {numbers.ORDINALS[top - 1]} column first goes with {numbers.number(100 * gaps[top], 0)} points more of match wins"
    if len(gaps) == 1:
        return start if frame["column"].nunique() > 1 else start.replace("the first column first", "first")
    low = int(gaps.idxmin())
    return f"{start}; the {numbers.ORDINALS[low - 1]} column, with {numbers.number(100 * float(np.min(gaps)), 0)}"
