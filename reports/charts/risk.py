"""What one may knock with: how often a knock is undercut, by its deadwood, a line for each band of turns."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from reports.canvas import Box, Size, axes, gutter, sheet, text_width, write
from reports.names import capital
from reports.numbers import count, in_words, of_100, percent, share_with_error
from reports.scales import share_ticks
from reports.style import BG, INK, LIGHT, LINE, MUTE, styled
from reports.words import Words, alt_items

FEWEST = 100
"""Fewer knocks than this: no point is drawn."""
SAFE = 0.03
"""A knock is called safe up to this share of undercuts, at the upper limit of its interval."""
LABEL_STEP = 17
"""Units that two labels at the right end keep apart."""
BANDS = {"1-5": "turns 1–5", "6-8": "turns 6–8", "9+": "turn 9 or later"}
"""Band of `analysis.undercut_risk` -> its name; the turns are the knocker's own."""
WHEN = {"1-5": "on turns 1–5", "6-8": "on turns 6–8", "9+": "from turn 9 on"}
LOOKS: dict[str, dict[str, Any]] = {
    "1-5": {"color": MUTE, "marker": "o", "linestyle": "-", "markerfacecolor": MUTE},
    "6-8": {"color": INK, "marker": "D", "linestyle": (0, (5, 2)), "markerfacecolor": INK},
    "9+": {"color": LIGHT["c"], "marker": "s", "linestyle": (0, (1.5, 1.5)), "markerfacecolor": BG},
}
"""Not the colours of the sides: a band of turns is no side."""
SHIFT = {"1-5": -0.1, "6-8": 0.0, "9+": 0.1}
"""How far right of its deadwood a band's mark lies, so that bars do not hide each other."""


def drawn(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of `analysis.undercut_risk` that have knocks enough to be drawn."""
    return frame[frame["knocks"] >= FEWEST].reset_index(drop=True)


@styled
def figure(frame: pd.DataFrame, size: Size) -> Figure:
    """Draw the table `analysis.undercut_risk`."""
    table = drawn(frame)
    height = 300 if size.is_wide else 240
    result = sheet(size, 34 + height + 42)
    names = _names(size)
    right = max(text_width(name, bold=True) for name in names.values()) + 20
    ax = axes(result, Box(42, 34, size.width - 42 - right, height))
    write(result, 4, 12, "Knocks that are undercut", ha="left", color=MUTE)
    _axes(ax, table, size)
    for band, look in LOOKS.items():
        _line(ax, table[table["turns"] == band], look, SHIFT[band])
    _labels(ax, table, names)
    return result


def _names(size: Size) -> dict[str, str]:
    """Return what stands at the right end of each line."""
    return BANDS if size.is_wide else {"1-5": "turns 1–5", "6-8": "turns 6–8", "9+": "turn 9+"}


def _axes(ax: Axes, table: pd.DataFrame, size: Size) -> None:
    """Scale the axes: shares from 0, deadwood to the largest that was knocked with."""
    low, high = int(table["deadwood"].min()), int(table["deadwood"].max())
    top = 1.06 * max(float(table["hi"].max()), 0.02)
    ax.set_xlim(low - 0.4, high + 0.4)
    ax.set_xticks(range(low, high + 1))
    ax.set_ylim(0, top)
    ticks = share_ticks(0, top, 7 if size.is_wide else 6)
    ax.set_yticks(ticks, [f"{100 * tick:.0f}%" for tick in ticks])
    ax.yaxis.grid(True, color=LINE)
    ax.set_xlabel("Deadwood when knocking (points)")


def _line(ax: Axes, own: pd.DataFrame, look: dict[str, Any], shift: float) -> None:
    """Draw one band of turns, broken where a deadwood has too few knocks."""
    if own.empty:
        return
    whole = own.set_index("deadwood").reindex(range(int(own["deadwood"].min()), int(own["deadwood"].max()) + 1))
    ax.plot(whole.index + shift, whole["share"], color=look["color"], linestyle=look["linestyle"], zorder=2)
    ax.errorbar(
        own["deadwood"] + shift, own["share"], yerr=[own["share"] - own["lo"], own["hi"] - own["share"]],
        linestyle="none", color=look["color"], marker=look["marker"], markersize=7 if look["marker"] != "D" else 6,
        markerfacecolor=look["markerfacecolor"], capsize=4, capthick=1.2, elinewidth=1.4, zorder=3, clip_on=False,
    )  # fmt: skip


def _labels(ax: Axes, table: pd.DataFrame, names: dict[str, str]) -> None:
    """Name each line at its right end, moved apart where the ends meet."""
    ends = {band: float(own["share"].iloc[-1]) for band, own in table.groupby("turns", sort=True)}
    unit = ax.get_ylim()[1] / ax.get_window_extent().height
    below = -math.inf
    for band, end in sorted(ends.items(), key=lambda item: item[1]):
        place = max(end, below + LABEL_STEP * unit)
        gutter(ax, 1, place, 8, names[str(band)], color=LOOKS[str(band)]["color"], weight="bold")
        below = place


def words(frame: pd.DataFrame) -> Words:
    """State one safe rule and one warning, from the same frame as `figure`.

    Attribute of it: ``whose``, whose knocks these are and against whom, as text.
    """
    table = drawn(frame)
    few = f" Fewer than {FEWEST} knocks: no mark." if len(table) < len(frame) else ""
    worst = table.iloc[int(table["share"].to_numpy().argmax())]
    whose = str(frame.attrs.get("whose", ""))
    return Words(
        title=capital(f"{whose}: {_title(table)}" if whose else _title(table)),
        grey=f"Share of knocks that were undercut, by the knocker’s deadwood and own turn; "
        f"{count(int(frame['knocks'].sum()))} knocks{f' of {whose}' if whose else ''}. Thin bars are 95% Wilson "
        f"intervals over blocks of pairs{_at_once(frame)}.{few}",
        how=f"{_marks(table)} Of {count(int(worst['knocks']))} knocks with {worst['deadwood']} {WHEN[worst['turns']]}, "
        f"{share_with_error(worst['share'], worst['lo'], worst['hi'])} in 100 were undercut. A bar that is not seen is "
        "shorter than its mark.",
        alt="Lines: share of knocks undercut, by deadwood, one line a band of turns. " + _alt(table),
    )


def _at_once(frame: pd.DataFrame) -> str:
    return "" if len(frame) == 1 else f"; the title holds for all {in_words(len(frame))} at once"


def _marks(table: pd.DataFrame) -> str:
    """Name marks and lines of the bands that are drawn."""
    said = {
        "1-5": "grey dots and a solid line",
        "6-8": "black diamonds and a dashed line",
        "9+": "hollow purple squares and a dotted line",
    }
    first, *rest = [band for band in BANDS if (table["turns"] == band).any()]
    others = "".join(f", {said[band]} {WHEN[band]}" for band in rest)
    return f"{said[first]} are knocks {WHEN[first]}{others}."


def _alt(table: pd.DataFrame) -> str:
    """Say the ends of each line."""
    items = []
    for band, name in BANDS.items():
        own = table[table["turns"] == band]
        if len(own):
            ends = [own.iloc[0], own.iloc[-1]] if len(own) > 1 else [own.iloc[0]]
            items.append(f"{name}: " + ", ".join(f"with {row['deadwood']} {percent(row['share'])}" for row in ends))
    return capital(alt_items(items, items[0], items[-1]))


def safe_up_to(table: pd.DataFrame) -> int | None:
    """Return the most deadwood up to which every knock drawn is safe, None if not even the least is.

    The limits are those for all cells at once: the safe ones are picked among many.
    """
    safe = None
    for deadwood, own in table.groupby("deadwood", sort=True):
        if float(own["hi_all"].max()) > SAFE:
            return safe
        safe = int(str(deadwood))
    return safe


def _title(table: pd.DataFrame) -> str:
    """State one safe rule and one warning, as far as the sample can tell for all cells at once; no capital."""
    low, high, safe = int(table["deadwood"].min()), int(table["deadwood"].max()), safe_up_to(table)
    if not table["undercuts"].any():
        return f"none of {count(int(table['knocks'].sum()))} knocks was undercut"
    warning = f"; with {high}, {_worst(table, high)}" if high > low else ""
    if safe is None:
        lowest = table[table["deadwood"] == low].sort_values("share", kind="stable").iloc[-1]
        if lowest["lo_all"] > SAFE:
            often = f"{_whole(lowest['share'])} of 100 knocks {WHEN[lowest['turns']]}"
            return f"a deadwood of {low} is not safe, as {often} are undercut{warning}"
        return (
            f"no deadwood has knocks enough to be called safe; of 100 with {high}, {_worst(table, high)} are undercut"
        )
    limit = math.ceil(round(100 * float(table.loc[table["deadwood"] <= safe, "hi_all"].max()), 6))
    rule = f"are undercut at most {limit} {'time' if limit == 1 else 'times'} in 100"
    if safe == high:
        return f"knocks {rule}, whatever the deadwood" if high > low else f"knocks with {high} {rule}"
    return f"knocks with {_up_to(low, safe)} {rule}{warning}"


def _up_to(low: int, safe: int) -> str:
    """Name the safe deadwood: ``5 or fewer``."""
    if safe == low:
        return str(safe)
    return f"{safe} or fewer" if low <= 1 else f"{low} to {safe}"


def _worst(table: pd.DataFrame, deadwood: int) -> str:
    """Say how many of 100 knocks with so much are undercut: in the best and the worst band, if these surely differ."""
    own = table[table["deadwood"] == deadwood].sort_values("share", kind="stable")
    best, worst = own.iloc[0], own.iloc[-1]
    if worst["lo_all"] > best["hi_all"]:
        return f"{_whole(best['share'])} {WHEN[best['turns']]} but {_whole(worst['share'])} {WHEN[worst['turns']]}"
    return f"{_whole(worst['share'])} {WHEN[worst['turns']]}"


def _whole(share: float) -> str:
    """Write a share as whole cases of a hundred."""
    return of_100(share).removesuffix(" of 100")
