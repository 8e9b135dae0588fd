"""How long matches last: small bars for up to four pairings, medians with ranges for more."""

from __future__ import annotations

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from reports import names, numbers
from reports.canvas import Box, Size, axes, sheet, text_width, versus, widest
from reports.style import A3, BG, INK, LINE, MUTE, NOTE, A, styled
from reports.words import Words, alt_items

MOST_BARS = 4
"""More pairings than this are drawn as medians with ranges."""
MOST_ROWS = 24
TAIL = 30
"""Matches longer than this many deals share one bar."""
NAME_WIDTH = 260


def of_pairings(lengths: pd.DataFrame, summary: pd.DataFrame) -> pd.DataFrame:
    """Return what `figure` draws: `analysis.match_length` with median, low, high, mean and its limits added."""
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
    binned = frame.assign(deals=frame["deals"].clip(upper=TAIL + 1))
    binned = binned.groupby(["a", "b", "deals"], sort=False, as_index=False)["share"].sum()
    reach = (int(binned["deals"].min()), int(binned["deals"].max()), float(binned["share"].max()))
    for place, (_, row) in enumerate(rows.iterrows()):
        own = binned[(binned["a"] == row["a"]) & (binned["b"] == row["b"])]
        ax = axes(result, Box(44, place * (panel + head + 10) + head, size.width - 52, panel))
        _histogram(ax, own, row, reach)
        _head(ax, row, size)
    ax.set_xlabel("Deals in the match, dead ones included")
    return result


def _histogram(ax: Axes, own: pd.DataFrame, row: pd.Series, reach: tuple[int, int, float]) -> None:
    """Draw one pairing: its middle eight of ten dark, the rest pale, a line at the median."""
    first, last, top = reach
    middle = own["deals"].between(row["low"], row["high"])
    ax.bar(own["deals"], own["share"], width=0.86, color=[A if inside else A3 for inside in middle])
    ax.set_xlim(first - 0.6, last + 0.6)
    ax.set_ylim(0, 1.12 * top)
    ax.axvline(row["median"], color=INK, linewidth=1.6)
    step = next(step for step in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0) if top / step < 4)
    ticks = [step * k for k in range(int(1.12 * top / step) + 1)]
    ax.set_yticks(ticks, [f"{100 * tick:.0f}%" for tick in ticks])
    ax.yaxis.grid(True, color=LINE)
    distance = 5 if last - first > 8 else 2
    marks = [deals for deals in range(first, min(last, TAIL) + 1) if deals % distance == 0]
    labels = [str(deals) for deals in marks]
    if last > TAIL:
        marks, labels = (
            [*[m for m in marks if m < TAIL], TAIL + 1],
            [*[str(m) for m in marks if m < TAIL], f"{TAIL}+"],
        )
    ax.set_xticks(marks, labels)


def _head(ax: Axes, row: pd.Series, size: Size) -> None:
    """Write a pairing's name, median and range above its bars."""
    said = f"median {row['median']} deals, 8 of 10 between {row['low']} and {row['high']}"
    width = size.width - 52
    room = width - text_width(said) - 14
    style = {
        "xycoords": "axes fraction",
        "textcoords": "offset points",
        "va": "center_baseline",
        "ha": "left",
    }
    if size.is_wide:
        name = versus(str(row["a"]), str(row["b"]), room)
        ax.annotate(name, (0, 1), (0, 12), weight="bold", **style)
        ax.annotate(said, (0, 1), (text_width(name, bold=True) + 10, 12), color=MUTE, **style)
    else:
        ax.annotate(versus(str(row["a"]), str(row["b"]), width - 20), (0, 1), (0, 28), weight="bold", **style)
        ax.annotate(said, (0, 1), (0, 11), color=MUTE, fontsize=NOTE, **style)


def shown(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the pairings that are drawn: all, or the dozen longest and the dozen shortest."""
    if len(rows) <= MOST_ROWS:
        return rows
    return pd.concat([rows.head(MOST_ROWS // 2), rows.tail(MOST_ROWS // 2)], ignore_index=True)


def _ranges(table: pd.DataFrame, size: Size) -> Figure:
    """Draw a median and a range a pairing."""
    rows = shown(table)
    step = 26 if size.is_wide else 36
    result = sheet(size, 8 + step * len(rows) + 40)
    width = NAME_WIDTH if size.is_wide else size.width - 12
    titles = [versus(str(row["a"]), str(row["b"]), width) for _, row in rows.iterrows()]
    left = widest(titles) + 12 if size.is_wide else 8.0
    gutter = 84 if size.is_wide else 76
    ax = axes(result, Box(left, 8, size.width - left - gutter, step * len(rows)))
    ax.set_ylim(len(rows) - 0.5, -0.5)
    ax.set_yticks([])
    ax.set_xlim(0, 1.03 * float(rows["high"].max()))
    ax.xaxis.grid(True, color=LINE)
    ax.locator_params(axis="x", nbins=6 if size.is_wide else 4, integer=True)
    ax.set_xlabel("Deals in the match, dead ones included")
    for place, (_, row) in enumerate(rows.iterrows()):
        _range(ax, row, (place, titles[place]), size)
    if len(rows) < len(table):
        ax.axhline(len(rows) / 2 - 0.5, color=MUTE, linewidth=1, linestyle=(0, (1, 3)))
    return result


def _range(ax: Axes, row: pd.Series, label: tuple[int, str], size: Size) -> None:
    """Draw one pairing's median and middle eight of ten, and write them in the gutter."""
    place, name = label
    y = place if size.is_wide else place + 0.2
    ax.plot([row["low"], row["high"]], [y, y], color=A3, linewidth=7, solid_capstyle="butt")
    ax.plot([row["median"]], [y], marker="o", color=A)
    grid = ax.get_yaxis_transform()
    if size.is_wide:
        ax.text(-0.015, y, name, transform=grid, ha="right", va="center_baseline", clip_on=False)
    else:
        box = {"facecolor": BG, "edgecolor": "none", "pad": 1}
        ax.text(
            0, place - 0.22, name, transform=grid, ha="left", va="center_baseline", bbox=box, clip_on=False
        )
    text = f"{row['median']}  ({row['low']}–{row['high']})"
    ax.text(1.02, y, text.replace("  ", " "), transform=grid, ha="left", va="center_baseline", clip_on=False)


def words(frame: pd.DataFrame) -> Words:
    """Say how long matches last, from the same frame as `figure`."""
    rows = summary_of(frame)
    drawn = rows if len(rows) <= MOST_BARS else shown(rows)
    items = [
        f"{versus(str(row['a']), str(row['b']), float('inf'))} median {row['median']}, 8 of 10 between {row['low']} and {row['high']}"
        for _, row in drawn.iterrows()
    ]
    row = rows.iloc[0]
    mean = f"{numbers.number(row['mean'])} {numbers.plus_minus(row['mean'], row['mean_lo'], row['mean_hi'])}"
    bars = len(rows) <= MOST_BARS
    cut = (
        ""
        if len(drawn) == len(rows)
        else f" Drawn: the {MOST_ROWS // 2} longest and the {MOST_ROWS // 2} shortest."
    )
    marks = (
        "dark bars hold the middle eight of ten matches, the line is the median"
        if bars
        else "the dot is the median, the bar holds the middle eight of ten matches"
    )
    return Words(
        title=_title(rows),
        grey=f"{'Share of matches by number of deals' if bars else 'Deals a match, by pairing'}, dead deals included; {marks}.{cut}",
        how=f"half of the matches of {versus(str(row['a']), str(row['b']), float('inf'))} take {row['median']} deals or fewer; the mean is "
        f"{mean} deals (95%, over duplicate pairs).",
        alt=(
            "Bars: share of matches by number of deals. "
            if bars
            else "Dots and bars: median and range of deals a match. "
        )
        + alt_items(items, items[0], items[-1]),
    )


def _title(rows: pd.DataFrame) -> str:
    """State the median and the range in words."""
    low, high = int(rows["median"].min()), int(rows["median"].max())
    if len(rows) == 1:
        row = rows.iloc[0]
        return f"A match takes about {row['median']} deals; eight of ten take {row['low']} to {row['high']}"
    if low == high:
        return f"A match takes about {low} deals, whoever plays"
    longest, shortest = rows.iloc[0], rows.iloc[-1]
    first = versus(str(longest["a"]), str(longest["b"]), float("inf"))
    last = versus(str(shortest["a"]), str(shortest["b"]), float("inf"))
    return f"{names.capital(first)} takes about {longest['median']} deals a match, {last} about {shortest['median']}"
