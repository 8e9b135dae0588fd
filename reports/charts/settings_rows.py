"""Where to set what is not one number or two: a dot and a bar for each setting, best first."""

from __future__ import annotations

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from reports.canvas import Size, fitted, gutter, sheet, widest
from reports.charts.settings import share, words_of
from reports.rows import cut_note, each, mark_cut, name_width, row_axes, row_middle, shown
from reports.scales import range_with_half, share_axis, thin_note
from reports.style import BG, INK, MUTE, A, N, styled
from reports.words import Words

BAR = 14
"""Units between the axes and the numbers, for the thick bar beside the plateau."""


@styled
def figure(frame: pd.DataFrame, size: Size) -> Figure:
    """Draw the settings (`reports.charts.settings`) as rows; a thick bar stands beside those as good as the best."""
    table = _best_first(frame)
    rows = shown(table)
    step = 28 if size.is_wide else 36
    result = sheet(size, 8 + step * len(rows) + 40)
    names = [fitted(str(setting), name_width(size)) for setting in rows["setting"]]
    ax = row_axes(result, names, (8, step), BAR + widest(map(_number, each(rows))) + 4)
    share_axis(ax, range_with_half([*rows["lo"], *rows["hi"]]), 7 if size.is_wide else 4, "Matches won")
    for place, row in enumerate(each(rows)):
        _row(ax, row, row_middle(place, size))
        if row["plateau"]:
            end, below = 1 + 7 / ax.get_window_extent().width, place + 1 < len(rows) and rows["plateau"][place + 1]
            ends = [row_middle(place, size) - 0.3, row_middle(place, size) + (0.72 if below else 0.3)]
            style: dict[str, Any] = {"transform": ax.get_yaxis_transform(), "clip_on": False, "solid_capstyle": "butt"}
            ax.plot([end, end], ends, color=INK, linewidth=4.5, **style)
    mark_cut(ax, table)
    return result


def _best_first(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the settings by their matches won, those dropped last."""
    order = ["dropped", "matches_won"]
    return frame.sort_values(order, ascending=[True, False], kind="stable", ignore_index=True)


def _row(ax: Axes, row: pd.Series, y: float) -> None:
    """Draw one setting: its dot and bar, and its numbers in the gutter."""
    error = [[row["matches_won"] - row["lo"]], [row["hi"] - row["matches_won"]]]
    ax.errorbar(
        [row["matches_won"]], [y], xerr=error, color=N if row["dropped"] else A, marker="o", capsize=4, capthick=1.6,
        elinewidth=2, markerfacecolor=BG if row["dropped"] else A, zorder=3,
    )  # fmt: skip
    gutter(ax, 1, y, BAR, _number(row), color=MUTE if row["dropped"] else INK)


def _number(row: pd.Series) -> str:
    return share(row) + (" out" if row["dropped"] else "")


def words(frame: pd.DataFrame) -> Words:
    """Say which settings are best, from the same table as `figure`."""
    table = _best_first(frame)
    rows = shown(table)
    how = "the dot is the share of matches won, the bar what the sample can tell; beside the thick bar are those "
    how += "that no other clearly beats."
    told = words_of(frame, "Dots with bars", ("bars are 95% intervals", how))
    notes = cut_note(table, "best", "last") + thin_note(rows["lo"], rows["hi"])
    return Words(told.title, told.grey + notes, told.how, told.alt)
