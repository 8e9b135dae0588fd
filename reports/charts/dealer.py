"""Whether dealing goes with scoring: what changes for a player when it deals, a dot and a bar for each pairing."""

from __future__ import annotations

import math

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from reports.canvas import Size, gutter, sheet, versus, widest, write
from reports.names import capital
from reports.numbers import big, in_words, number, plus_minus, points, signed
from reports.rows import cut_note, mark_cut, name_width, row_axes, row_middle, shown
from reports.scales import thin_note
from reports.style import BG, INK, LINE, MUTE, NOTE, A, N, styled
from reports.words import Words, alt_items

TOP = 30
"""Units above the rows, for the heads of the columns of numbers."""
STEPS = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50)
"""Tick distances in points of a hundred."""


def ordered(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the pairings in which both sides dealt, the largest effect first, with `open`: 0 is within the limits."""
    table = frame[frame["lo_all"].notna()].sort_values("effect", ascending=False, kind="stable", ignore_index=True)
    return table.assign(open=(table["lo_all"] <= 0) & (table["hi_all"] >= 0))


@styled
def figure(frame: pd.DataFrame, size: Size) -> Figure:
    """Draw the table `analysis.dealer_effect`, with short names in a and b; both sides dealt in some pairing."""
    table = ordered(frame)
    rows = shown(table)
    step = 28 if size.is_wide else 36
    top = TOP if size.is_wide else 8
    result = sheet(size, top + step * len(rows) + 40)
    titles = [versus(str(row["a"]), str(row["b"]), name_width(size)) for _, row in rows.iterrows()]
    change = widest(_change(row) for _, row in rows.iterrows())
    rates = widest([*(_rates(row) for _, row in rows.iterrows()), "dealing / not"])
    ax = row_axes(result, titles, (top, step), change + 12 + (rates + 14 if size.is_wide else 0))
    _axis(ax, rows, 6 if size.is_wide else 4)
    for place, (_, row) in enumerate(rows.iterrows()):
        _row(ax, row, row_middle(place, size))
        if size.is_wide:
            gutter(ax, 1, place, 8 + change + 14, _rates(row), color=MUTE)
    if size.is_wide:
        write(result, size.width - rates - 4, 12, "dealing / not", ha="left", color=MUTE, fontsize=NOTE)
    mark_cut(ax, table)
    return result


def _axis(ax: Axes, rows: pd.DataFrame, most: int) -> None:
    """Make the horizontal axis one of changes in points, with a dark line at none."""
    low, high = 100 * min(0.0, float(rows["lo_all"].min())), 100 * max(0.0, float(rows["hi_all"].max()))
    spare = max(0.06 * (high - low), 0.05)
    ax.set_xlim(low - spare, high + spare)
    step = next((step for step in STEPS if (high - low) / step < most), STEPS[-1])
    ticks = [step * k for k in range(math.ceil(low / step), math.floor(high / step) + 1)]
    ax.set_xticks(ticks, [signed(tick, 1 if step < 1 else 0) for tick in ticks])
    ax.xaxis.grid(True, color=LINE)
    ax.axvline(0, color=INK, linewidth=1.3, zorder=1.5)
    ax.set_xlabel(f"{'Deals scored when dealing' if most > 4 else 'Dealing'}, less not dealing (points)")


def _row(ax: Axes, row: pd.Series, y: float) -> None:
    """Draw one pairing: its dot and bar, and the change in the gutter."""
    effect, lo, hi = (100 * float(row[name]) for name in ("effect", "lo_all", "hi_all"))
    ax.errorbar(
        [effect], [y], xerr=[[effect - lo], [hi - effect]], color=N if row["open"] else A, marker="o", capsize=4,
        capthick=1.6, elinewidth=2, markerfacecolor=BG if row["open"] else A, zorder=3,
    )  # fmt: skip
    gutter(ax, 1, y, 8, _change(row), color=MUTE if row["open"] else INK)


def _change(row: pd.Series) -> str:
    """Write the effect of a pairing in points: ``−0.7 ±0.3``."""
    effect, lo, hi = (100 * float(row[name]) for name in ("effect", "lo_all", "hi_all"))
    return f"{signed(effect)} {plus_minus(effect, lo, hi)}"


def _rates(row: pd.Series) -> str:
    """Write the first-named's share of the deals that it dealt, and of the others."""
    return f"{points(row['a_dealing'])} / {points(row['a_receiving'])}"


def words(frame: pd.DataFrame) -> Words:
    """Say whether dealing goes with scoring; the same frame as `figure`."""
    table = ordered(frame)
    rows = shown(table)
    items = [f"{versus(str(row['a']), str(row['b']), math.inf)} {_spoken(row)}" for _, row in rows.iterrows()]
    first = table.iloc[0]
    hollow = " A hollow grey dot whose bar touches zero is undecided." if table["open"].any() else ""
    return Words(
        title=_title(table),
        grey=f"Share of scored deals that a player wins when it deals, less its share when it does not, in points of a "
        f"hundred; {big(int(table['deals'].sum()))} scored deals, 95% bars over blocks of pairs"
        f"{_at_once(table)}.{cut_note(table, 'highest', 'lowest')}{thin_note(rows['lo_all'], rows['hi_all'], 0)}",
        how=f"right of zero, dealing goes with scoring. {capital(str(first['a']))} against "
        f"{'itself' if first['a'] == first['b'] else first['b']} scores {points(first['a_dealing'])} of 100 deals that "
        f"it deals and {points(first['a_receiving'])} of the others: {_change(first)} points, and the same from the "
        f"other side.{hollow}",
        alt="Dots with bars: change in deals scored that goes with dealing, by pairing. "
        + alt_items(items, items[0], items[-1]),
    )


def _at_once(table: pd.DataFrame) -> str:
    return "" if len(table) == 1 else f", for all {in_words(len(table))} pairings at once"


def _spoken(row: pd.Series) -> str:
    """Say the change of one pairing for those who do not see it."""
    change, error = _change(row).split(" ")
    return f"{change} plus or minus {number(float(error[1:].replace(',', '')))}{', undecided' if row['open'] else ''}"


def _title(table: pd.DataFrame) -> str:
    """State in how many pairings dealing surely helps or costs."""
    up, down = int((table["lo_all"] > 0).sum()), int((table["hi_all"] < 0).sum())
    of = in_words(len(table))
    if up and down:
        more, fewer = in_words(up), in_words(down)
        return f"In {more} of {of} pairings a player surely scores more of the deals that it deals, in {fewer} fewer"
    if up or down:
        more = "more" if up else "fewer"
        return f"In {in_words(up or down)} of {of} pairings a player surely scores {more} of the deals that it deals"
    return f"In all {of} pairings it is undecided whether dealing helps"
