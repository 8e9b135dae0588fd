"""How long matches last: small bars for up to four pairings, medians with ranges for more."""

from __future__ import annotations

import math

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from reports.canvas import Box, Size, axes, beside, gutter, sheet, text_width, versus, widest
from reports.names import capital
from reports.numbers import number, plus_minus, span
from reports.rows import cut_note, mark_cut, name_width, row_axes, row_middle, shown
from reports.scales import whole_ticks
from reports.style import A3, INK, LINE, MUTE, NOTE, A, styled
from reports.words import Words, alt_items

MOST_BARS = 4
"""More pairings than this are drawn as medians with ranges."""
TAIL = 30
"""Matches longer than this many deals (in partnership play: rounds) share one bar."""
X_LABEL = "Deals in the match, dead ones included"


def of_pairings(lengths: pd.DataFrame, summary: pd.DataFrame) -> pd.DataFrame:
    """Return what `figure` draws: `analysis.match_length` with median, low, high and the mean added."""
    wanted = ["a", "b", "median", "low", "high", "mean", "mean_lo", "mean_hi"]
    return lengths.merge(summary[wanted], on=["a", "b"], how="left")


def summary_of(frame: pd.DataFrame) -> pd.DataFrame:
    """Return one row a pairing, the longest matches first."""
    table = frame.drop_duplicates(["a", "b"])
    return table.sort_values(["mean"], ascending=False, kind="stable", ignore_index=True)


@styled
def figure(frame: pd.DataFrame, size: Size) -> Figure:
    """Draw the table that `of_pairings` makes, with short names."""
    rows = summary_of(frame)
    return _bars(frame, rows, size) if len(rows) <= MOST_BARS else _ranges(rows, size)


def _bars(frame: pd.DataFrame, rows: pd.DataFrame, size: Size) -> Figure:
    """Draw a small histogram a pairing, all on the same axes."""
    panel, head = (92, 30) if size.is_wide else (84, 46)
    result = sheet(size, len(rows) * (panel + head + 10) + 38)
    step = _step(frame)
    clipped = frame.assign(deals=frame["deals"].clip(upper=step * (TAIL + 1)))
    binned = clipped.groupby(["a", "b", "deals"], sort=False)["share"].sum().reset_index()
    reach = (int(binned["deals"].min()), int(binned["deals"].max()), float(binned["share"].max()))
    for place, (_, row) in enumerate(rows.iterrows()):
        own = binned[(binned["a"] == row["a"]) & (binned["b"] == row["b"])]
        ax = axes(result, Box(44, place * (panel + head + 10) + head, size.width - 52, panel))
        _histogram(ax, own, row, (reach, step))
        _head(ax, row, size)
    ax.set_xlabel(X_LABEL)
    return result


def _step(frame: pd.DataFrame) -> int:
    """Return the deals of a round, an attribute of the frame: matches take a multiple of it."""
    return int(frame.attrs.get("deals_a_round", 1))


def _histogram(ax: Axes, own: pd.DataFrame, row: pd.Series, scale: tuple[tuple[int, int, float], int]) -> None:
    """Draw one pairing: its middle eight of ten in full colour, the rest pale, a line at the median.

    `scale` holds the fewest and most deals and the highest share of all pairings, and the deals of a round.
    """
    (first, last, top), step = scale
    middle = own["deals"].between(row["low"], row["high"])
    ax.bar(own["deals"], own["share"], width=0.86 * step, color=[A if inside else A3 for inside in middle])
    ax.set_xlim(first - 0.6 * step, last + 0.6 * step)
    ax.set_ylim(0, 1.12 * top)
    ax.axvline(row["median"], color=INK, linewidth=1.6)
    height = next(height for height in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0) if top / height < 4)
    ticks = [height * k for k in range(int(1.12 * top / height) + 1)]
    ax.set_yticks(ticks, [f"{100 * tick:.0f}%" for tick in ticks])
    ax.yaxis.grid(True, color=LINE)
    distance, tail = (5 if last - first > 8 * step else 2) * step, TAIL * step
    marks = [deals for deals in range(first, min(last, tail) + 1) if deals % distance == 0]
    labels = [str(deals) for deals in marks]
    if last > tail:
        kept = [mark for mark in marks if mark < tail]
        marks, labels = [*kept, tail + step], [*map(str, kept), f"{tail}+"]
    ax.set_xticks(marks, labels)


def _head(ax: Axes, row: pd.Series, size: Size) -> None:
    """Write a pairing's name, median and range above its bars."""
    said = _range(row)
    above = {"xycoords": "axes fraction", "ha": "left"}
    if size.is_wide:
        name = _pairing(row, size.width - 52 - text_width(said) - 24)
        beside(ax, (0, 1), (0, 12), name, weight="bold", **above)
        beside(ax, (0, 1), (text_width(name, bold=True) + 10, 12), said, color=MUTE, **above)
    else:
        beside(ax, (0, 1), (0, 28), _pairing(row, size.width - 90), weight="bold", **above)
        beside(ax, (0, 1), (0, 11), said, color=MUTE, fontsize=NOTE, **above)


def _ranges(table: pd.DataFrame, size: Size) -> Figure:
    """Draw a median and a range a pairing."""
    rows = shown(table)
    step = 26 if size.is_wide else 36
    result = sheet(size, 8 + step * len(rows) + 40)
    titles = [_pairing(row, name_width(size)) for _, row in rows.iterrows()]
    texts = [f"{row['median']} ({row['low']}–{row['high']})" for _, row in rows.iterrows()]
    ax = row_axes(result, titles, (8, step), widest(texts) + 12)
    ax.set_xlim(0, 1.03 * float(rows["high"].max()))
    ax.xaxis.grid(True, color=LINE)
    ax.set_xticks(whole_ticks(float(rows["high"].max()), 7 if size.is_wide else 5))
    ax.set_xlabel(X_LABEL)
    for place, (_, row) in enumerate(rows.iterrows()):
        y = row_middle(place, size)
        ax.plot([row["low"], row["high"]], [y, y], color=A3, linewidth=7, solid_capstyle="butt")
        ax.plot([row["median"]], [y], marker="o", color=A)
        gutter(ax, 1, y, 8, texts[place])
    mark_cut(ax, table)
    return result


def words(frame: pd.DataFrame) -> Words:
    """Say how long matches last, from the same frame as `figure`."""
    rows = summary_of(frame)
    bars = len(rows) <= MOST_BARS
    items = [f"{_pairing(row)} {_range(row)}" for _, row in (rows if bars else shown(rows)).iterrows()]
    unit, marks = (
        "Share of matches by number of deals",
        "bars in full colour hold the middle eight of ten, the line is the median",
    )
    kind = "Bars: share of matches by number of deals. "
    if not bars:
        unit, marks = (
            "Deals a match, by pairing",
            "the dot is the median, the bar holds the middle eight of ten matches",
        )
        kind = "Dots and bars: median and range of deals a match. "
    rounds = ", two deals a round" if _step(frame) > 1 else ""
    return Words(
        title=_title(rows),
        grey=f"{unit}, dead deals included{rounds}; {marks}.{cut_note(rows, 'longest', 'shortest')}",
        how=_worked(rows.iloc[0]),
        alt=kind + alt_items(items, items[0], items[-1]),
    )


def _pairing(row: pd.Series, width: float = math.inf) -> str:
    """Name a pairing."""
    return versus(str(row["a"]), str(row["b"]), width)


def _range(row: pd.Series) -> str:
    """Say median and range."""
    return f"median {row['median']} deals, 8 of 10 between {row['low']} and {row['high']}"


def _worked(row: pd.Series) -> str:
    """Read one row aloud, with the mean and its interval."""
    error = plus_minus(row["mean"], row["mean_lo"], row["mean_hi"])
    return (
        f"half of the matches of {_pairing(row)} take {row['median']} deals or fewer; the mean is "
        f"{number(row['mean'])} {error} deals (95%, over duplicate pairs)."
    )


def _title(rows: pd.DataFrame) -> str:
    """State the median and the range in words."""
    longest, shortest = rows.iloc[0], rows.iloc[-1]
    if len(rows) == 1:
        eight = span(str(longest["low"]), str(longest["high"]))
        return f"A match takes about {longest['median']} deals; eight of ten take {eight}"
    if rows["median"].nunique() == 1:
        return f"A match takes about {longest['median']} deals, whoever plays"
    ends = [f"{_pairing(row)} about {row['median']}" for row in (longest, shortest)]
    return f"{capital(ends[0])} deals a match, {ends[1]}".replace(" about", " takes about", 1)
