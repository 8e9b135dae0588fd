"""What goes with opening a column first: a dumbbell a column, and how often each end occurs."""

from __future__ import annotations

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from reports.canvas import Box, Size, axes, beside, fitted, fitted_side_by_side, gutter, sheet, text_width, write
from reports.numbers import ORDINALS, count, number, of_100, percent, plus_minus, share_with_error, spoken
from reports.scales import set_share_ticks, share_ticks
from reports.style import BG, INK, MUTE, N2, NOTE, SIDE, styled
from reports.words import Words

ROW = {"wide": 62, "narrow": 92}
"""Units from row to row."""
ROOM = {"wide": 84, "narrow": 66}
"""Units that the words beside an outer dot may take."""
FEWEST = 100
"""Fewer matches than this: no point is drawn."""


@styled
def figure(frame: pd.DataFrame, size: Size) -> Figure:
    """Draw one pairing's rows of `analysis.first_open`, with gap, gap_lo, gap_hi and overall added.

    The gap belongs to the column, `overall` is A's share of all matches. Without rows of side B, a player plays
    itself.
    """
    columns = sorted(frame["column"].unique())
    row = ROW[size.name]
    result = sheet(size, 48 + row * len(columns) + 42)
    _legend(result, frame, size)
    left, right = (76, 74) if size.is_wide else (8, 66)
    ax = axes(result, Box(left, 48, size.width - left - right, row * len(columns)))
    ax.set_ylim(len(columns) - 0.5, -0.5)
    ax.set_yticks([])
    _axis(ax, frame, size)
    if frame["first"].nunique() > 1:
        write(result, size.width - right + 12, 38, "gap", ha="left", color=MUTE)
    for place, column in enumerate(columns):
        own = frame[frame["column"] == column]
        _name(ax, "The column" if len(columns) == 1 else f"Column {column}", place, size)
        _dumbbell(ax, own[own["matches"] >= FEWEST].sort_values("win_rate"), place)
        _gap(ax, own, place)
    return result


def _legend(result: Figure, frame: pd.DataFrame, size: Size) -> None:
    """Name both marks above the axes."""
    left = 4.0
    ending = " opened it first" if size.is_wide else " first"
    sides = sorted(frame["first"].unique())
    names = [str(frame[side.lower()].iloc[0]) for side in sides]
    for side, cut in zip(sides, fitted_side_by_side(names, size.width - 76 - 2 * text_width(ending)), strict=True):
        ax = axes(result, Box(left, 2, 14, 20))
        ax.axis("off")
        ax.plot([0], [0], **SIDE[side] | {"linestyle": "none"}, clip_on=False)
        name = cut + ending
        write(result, left + 20, 13, name, ha="left", color=SIDE[side]["color"])
        left += 20 + text_width(name) + 28


def _axis(ax: Axes, frame: pd.DataFrame, size: Size) -> None:
    """Make the axis of match wins, with room for the words beside the outer dots, and mark all matches."""
    drawn = frame[frame["matches"] >= FEWEST]
    overall = float(frame["overall"].iloc[0])
    values = [overall, *drawn["lo"], *drawn["hi"]]
    room = ROOM[size.name]
    unit = max(max(values) - min(values), 0.02) / (ax.get_window_extent().width - 2 * room)
    limits = min(values) - room * unit, max(values) + room * unit
    ax.set_xlim(*limits)
    set_share_ticks(ax, share_ticks(max(limits[0], 0), min(limits[1], 1), 7 if size.is_wide else 4))
    ax.axvline(overall, color=INK, linewidth=1.3, linestyle=(0, (4, 2)), zorder=1.5)
    top = {"xycoords": ax.get_xaxis_transform(), "ha": "center"}
    beside(ax, (overall, 1), (0, 10), f"all matches {percent(overall)}", **top)
    ax.set_xlabel(f"Matches won by {fitted(str(frame['a'].iloc[0]), 170 if size.is_wide else 100)}")


def _name(ax: Axes, name: str, place: int, size: Size) -> None:
    """Name a row, left of it or above it."""
    if size.is_wide:
        gutter(ax, 0, place, -10, name, ha="right")
    else:
        gutter(ax, 0, place - 0.42, 0, name, bbox={"facecolor": BG, "edgecolor": "none", "pad": 1}, zorder=4)


def _dumbbell(ax: Axes, drawn: pd.DataFrame, place: int) -> None:
    """Draw one column's dots and the bar between them."""
    if len(drawn) == 2:
        ax.plot(drawn["win_rate"], [place, place], color=N2, linewidth=7, solid_capstyle="butt", zorder=2)
    for end, (_, row) in enumerate(drawn.iterrows()):
        _dot(ax, row, place, ("right", "left")[end] if len(drawn) == 2 else "center")


def _dot(ax: Axes, row: pd.Series, place: int, align: str) -> None:
    """Draw one end: mark and bar, the rate above, how often below; words run outward, so they never meet."""
    look = SIDE[str(row["first"])]
    error = [[row["win_rate"] - row["lo"]], [row["hi"] - row["win_rate"]]]
    ax.errorbar(
        [row["win_rate"]], [place], xerr=error, color=look["color"], marker=look["marker"], markersize=8,
        markerfacecolor=look["markerfacecolor"], capsize=5, capthick=1.6, elinewidth=2, zorder=3,
    )  # fmt: skip
    dot, shift = (float(row["win_rate"]), float(place)), {"right": 6, "left": -6, "center": 0}[align]
    rate = share_with_error(row["win_rate"], row["lo"], row["hi"])
    beside(ax, dot, (shift, 17), rate, ha=align, weight="bold", color=look["color"], zorder=4)
    often = f"in {of_100(row['share'])}"
    beside(ax, dot, (shift, -16), often, ha=align, fontsize=NOTE, color=MUTE, zorder=4)


def _gap(ax: Axes, own: pd.DataFrame, place: int) -> None:
    """Write the gap between the two dots in the gutter, or that there are too few matches."""
    if (own["matches"] < FEWEST).any():
        gutter(ax, 1, place, 8, "too few", fontsize=NOTE, color=MUTE)
    elif len(own) == 2:
        row = own.iloc[0]
        gap = number(100 * row["gap"], 0)
        error = plus_minus(100 * row["gap"], 100 * row["gap_lo"], 100 * row["gap_hi"])
        gutter(ax, 1, place, 12, gap, weight="bold")
        gutter(ax, 1, place, 14 + text_width(gap, bold=True), error, fontsize=NOTE, color=MUTE)


def words(frame: pd.DataFrame) -> Words:
    """Say what goes with opening first, from the same frame as `figure`; ``pairs`` is an attribute of it."""
    a = str(frame["a"].iloc[0])
    only, each = ("the column", "the column") if frame["column"].nunique() == 1 else ("", "each column")
    drawn = frame[frame["matches"] >= FEWEST]
    example = drawn[drawn["first"] == drawn["first"].min()].tail(1)
    items = [
        f"{only or f'column {row.column}'} opened first by {row['player']}, in {of_100(row['share'])} matches: "
        f"{spoken(row['win_rate'], row['lo'], row['hi'])}"
        for _, row in drawn.iterrows()
    ]
    marks = f"a blue dot: {a} opened the column first"
    if (frame["first"] == "B").any():
        marks += f"; an orange square: {frame['b'].iloc[0]} did"
    return Words(
        title=_title(frame),
        grey=f"Matches won by {a}, split by who opened {each} first; "
        f"{count(int(frame.attrs.get('pairs', 0)))} duplicate pairs, 95% intervals (Wilson on the effective number "
        "of matches, pairs as clusters).",
        how=f"{marks}. {''.join(_worked(row, a, only) for _, row in example.iterrows())}"
        "Who opens first is often ahead for other reasons too.",
        alt=f"Dots{'' if only else ' by column'}: matches won by {a} by who opened {each} first. "
        + "; ".join(items)
        + ".",
    )


def _worked(row: pd.Series, a: str, only: str) -> str:
    """Read one dot aloud; `only` names the column where there is one only."""
    column = only or f"column {row['column']}"
    return (
        f"When {row['player']} opened {column} first, as in {of_100(row['share'])} matches, "
        f"{a} won {percent(row['win_rate'])} of them. "
    )


def _title(frame: pd.DataFrame) -> str:
    """State the largest gap and the smallest, as what goes with opening first."""
    by_column = frame.groupby("column").agg(gap=("gap", "first"), fewest=("matches", "min"))
    gaps = by_column.loc[by_column["fewest"] >= FEWEST, "gap"].dropna()
    if gaps.empty:
        return "Too few matches to tell what goes with opening a column first"
    said = {int(str(column)): number(100 * gap, 0) for column, gap in gaps.items()}
    top, low = int(str(gaps.idxmax())), int(str(gaps.idxmin()))
    if frame["column"].nunique() == 1:
        return f"Opening first goes with {said[top]} points more of match wins"
    start = f"Opening the {ORDINALS[top - 1]} column first goes with {said[top]} points more of match wins"
    return start if top == low else f"{start}; the {ORDINALS[low - 1]} column, with {said[low]}"
