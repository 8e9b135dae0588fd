"""How strong each player is, on one scale: a dot and a bar each, brackets where the order of neighbours is open."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from reports.canvas import Size, fitted, gutter, sheet, text_width, widest
from reports.names import capital
from reports.numbers import count, in_words, listed, number, plus_minus, signed
from reports.rows import MOST_ROWS, cut_note, each, mark_cut, name_width, row_axes, row_middle, shown
from reports.scales import thin_note
from reports.style import BG, INK, LINE, MUTE, A, N, styled
from reports.words import Words, alt_items

STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000)
BRACKET = 14
"""Units between the axes and the numbers, for the brackets."""


def neighbours(table: pd.DataFrame) -> pd.DataFrame:
    """Return the table `analysis.rated` with open_below: the order of a player and the next one is undecided."""
    below = table["player"].shift(-1)
    is_open = [player in unsure for player, unsure in zip(below, table["undecided_with"], strict=True)]
    return table.assign(open_below=is_open)


@styled
def figure(frame: pd.DataFrame, size: Size) -> Figure:
    """Draw the table that `neighbours` makes, with short names in player."""
    rows = shown(frame)
    step = 26 if size.is_wide else 36
    result = sheet(size, 8 + step * len(rows) + 42)
    names = [fitted(str(player), name_width(size) - 40) for player in rows["player"]]
    right = BRACKET + widest(_number(row) for _, row in rows.iterrows()) + 4
    ax = row_axes(result, names, (8, step), right)
    _axis(ax, rows, size)
    for place, (_, row) in enumerate(rows.iterrows()):
        _row(ax, row, row_middle(place, size))
        if row["open_below"] and not (len(frame) > MOST_ROWS and place == MOST_ROWS // 2 - 1):
            ends = [row_middle(place, size) + 0.12, row_middle(place + 1, size) - 0.12]
            end = 1 + 7 / ax.get_window_extent().width
            style: dict[str, Any] = {"transform": ax.get_yaxis_transform(), "clip_on": False, "solid_capstyle": "butt"}
            ax.plot([end, end], ends, color=N, linewidth=3.5, **style)
    mark_cut(ax, frame)
    return result


def _axis(ax: Axes, rows: pd.DataFrame, size: Size) -> None:
    """Make the axis of ratings, wide enough for all that are bounded, with a dark line at the field's mean."""
    bounded = rows[rows["unbounded"] == ""]
    kept = bounded if len(bounded) else rows
    low, high = min(0, kept["lo"].min()), max(0, kept["hi"].max())
    spare = 0.06 * max(high - low, 1)
    low, high = low - spare, high + spare
    ax.set_xlim(low, high)
    unit = ax.get_window_extent().width / (high - low)
    step = next((s for s in STEPS if unit * s >= text_width(number(-s * 10, 0)) + 14), STEPS[-1])
    ticks = [tick * step for tick in range(math.ceil(low / step), math.floor(high / step) + 1)]
    start = ax.get_window_extent().x0 + 2
    ticks = [tick for tick in ticks if start + unit * (tick - low) >= text_width(number(tick, 0)) / 2]
    ax.set_xticks(ticks, [number(tick, 0) for tick in ticks])
    ax.xaxis.grid(True, color=LINE)
    ax.axvline(0, color=INK, linewidth=1.3, zorder=1.5)
    worth = "; 70 more wins 60 of 100" if size.is_wide else "; +70 wins 60 of 100"
    ax.set_xlabel(f"Rating (0 = mean of the field{worth})" if size.is_wide else f"Rating (0 = mean{worth})")


def _row(ax: Axes, row: pd.Series, y: float) -> None:
    """Draw one player: dot and bar, or an arrow at the edge where a rating has no bound; the number in the gutter."""
    low, high = ax.get_xlim()
    if row["unbounded"]:
        won = row["unbounded"] == "won all"
        edge = high - 0.02 * (high - low) if won else low + 0.02 * (high - low)
        ax.plot([edge], [y], marker=">" if won else "<", color=N, markerfacecolor=BG, markersize=8, zorder=3)
        gutter(ax, 1, y, BRACKET, _number(row), color=MUTE)
        return
    error = [[row["rating"] - row["lo"]], [row["hi"] - row["rating"]]]
    ax.errorbar([row["rating"]], [y], xerr=error, color=A, marker="o", capsize=4, capthick=1.6, elinewidth=2, zorder=3)
    gutter(ax, 1, y, BRACKET, _number(row))


def _number(row: pd.Series) -> str:
    """Write a rating with its interval, or what stands for one that has no bound."""
    if row["unbounded"]:
        return str(row["unbounded"])
    return f"{signed(row['rating'], 0)} {plus_minus(row['rating'], row['lo'], row['hi'], 0)}"


def words(frame: pd.DataFrame) -> Words:
    """Say who rates highest, and who cannot be told apart; the same table as `figure`.

    Attributes of it: ``pairs`` (a pairing) and ``pairings`` (how many).
    """
    rows = shown(frame)
    top, last = frame.iloc[0], frame.iloc[-1]
    bounded, own = (table[table["unbounded"] == ""] for table in (frame, rows))
    items = [f"{row['player']} {_number(row)}{', undecided with the next' * row['open_below']}" for row in each(rows)]
    who = frame.attrs.get("who", "player")
    extremes = ""
    if len(bounded) < len(frame):
        extremes = f" An arrow marks a {who} who won, or lost, every match: no number of pairs would bound its rating."
    worked = bounded.iloc[0] if len(bounded) else top
    brackets = "; grey brackets join neighbours whose order is undecided" if frame["open_below"].any() else ""
    return Words(
        title=_title(frame),
        grey=f"Bradley–Terry ratings from {in_words(frame.attrs['pairings'])} pairings of "
        f"{count(frame.attrs['pairs'])} duplicate pairs; bars are 95% intervals over blocks of pairs"
        f"{brackets}.{cut_note(frame, 'highest', 'lowest')}{thin_note(own['lo'], own['hi'], 0)}",
        how=f"the farther right, the stronger. {capital(worked['player'])} has {_number(worked)}; a {who} with 70 more "
        f"than another wins about 60 of 100 matches against it.{extremes}",
        alt="Dots with bars: ratings, highest first. "
        + alt_items(items, f"{top['player']} {_number(top)}", f"{last['player']} {_number(last)}"),
    )


def _title(frame: pd.DataFrame) -> str:
    """State who rates highest and lowest, and how many neighbours cannot be told apart."""
    top, last = str(frame["player"].iloc[0]), str(frame["player"].iloc[-1])
    pairs = [
        (str(one), str(other))
        for one, other, is_open in zip(frame["player"], frame["player"].shift(-1), frame["open_below"], strict=True)
        if is_open
    ]
    start = f"{capital(top)} rates highest and {last} lowest"
    if not pairs:
        return start
    if len(pairs) == 1:
        return f"{start}; {listed(pairs[0])} cannot be told apart"
    return f"{start}; {in_words(len(pairs))} pairs of neighbours cannot be told apart"
