"""Where to set a knob: its values against the matches won, a band for all at once, a thick bar over the plateau."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from reports.canvas import Box, Size, axes, beside, fitted, sheet, text_width, widest, write
from reports.charts.settings import best, good_ones, in_order, words_of
from reports.numbers import count
from reports.scales import share_ticks
from reports.style import BG, INK, LINE, MUTE, NOTE, N, styled
from reports.words import Words

HEAD, PANEL, FOOT = 52, 230, 44
"""Units above the panel for the plateau, of the panel, and below it for the values."""
MOST_MARKED = 25
"""More values than this: the line only."""
WIDEST = 24
"""Units that a thick bar reaches to either side of its value at most."""
UNEVEN = 4
"""Values whose gaps differ by more than this factor stand at equal distances."""
FAR = 2.5
"""The line at one half is left out when it is farther off than so many times the spread of the shares."""


@styled
def figure(frame: pd.DataFrame, size: Size) -> Figure:
    """Draw the settings of one numeric parameter (`reports.charts.settings`)."""
    table = in_order(frame)
    places, _ = _places(table)
    left, right = 46.0, 12.0
    step = (size.width - left - right) / (np.ptp(places) + 1) * _least_gap(places)
    outs = _outs(table, step)
    result = sheet(size, HEAD + PANEL + FOOT + (16 if outs else 0))
    ax = axes(result, Box(left, HEAD, size.width - left - right, PANEL))
    ax.set_xlim(min(places) - 0.5, max(places) + 0.5)
    _shares(ax, table)
    _values(ax, table, places, outs)
    _curve(ax, table, places)
    _plateau(result, ax, table, places)
    write(result, 4, 10, "Matches won", ha="left", color=MUTE)
    return result


def _places(table: pd.DataFrame) -> tuple[list[float], bool]:
    """Return where the values stand, the least gap being about 1, and whether they stand to scale."""
    numbers = pd.to_numeric(table[f"value_{table.attrs['knobs'][0]}"]).to_numpy(dtype=np.float64)
    gaps = np.diff(numbers)
    if gaps.min() > 0 and gaps.max() <= UNEVEN * gaps.min():
        return list(map(float, (numbers - numbers[0]) / gaps.min())), True
    return list(map(float, range(len(numbers)))), False


def _least_gap(places: Sequence[float]) -> float:
    return float(np.diff(places).min())


def _outs(table: pd.DataFrame, step: float) -> list[str]:
    """Return the pairs that each dropped setting had, as short as its room asks for; none if there is none."""
    out = table["dropped"]
    if not out.any():
        return []
    long = [count(int(pairs)) for pairs in table.loc[out, "pairs"]]
    short = [f"{pairs / 1000:.0f}k" for pairs in table.loc[out, "pairs"]]
    for texts in (long, short):
        if widest(texts, NOTE) + 5 <= step:
            told = iter(texts)
            return [next(told) if is_out else "" for is_out in out]
    return []


def _shares(ax: Axes, table: pd.DataFrame) -> None:
    """Make the vertical axis one of shares, with a dark line at one half unless that is far off."""
    low, high = float(table["lo"].min()), float(table["hi"].max())
    if max(low - 0.5, 0.5 - high) <= FAR * (high - low):
        low, high = min(low, 0.5), max(high, 0.5)
    spare = max(0.06 * (high - low), 0.004)
    ax.set_ylim(low - spare, high + spare)
    ticks = share_ticks(max(low - spare, 0), min(high + spare, 1), 7)
    ax.set_yticks(ticks, [f"{100 * tick:.0f}%" for tick in ticks])
    ax.yaxis.grid(True, color=LINE)
    if low <= 0.5 <= high:
        ax.axhline(0.5, color=INK, linewidth=1.3, zorder=1.5)


def _values(ax: Axes, table: pd.DataFrame, places: Sequence[float], outs: Sequence[str]) -> None:
    """Label the horizontal axis: as many values as have room, below them the pairs of those dropped, the knob."""
    labels = [str(label) for label in table["setting"]]
    left, right = ax.get_xlim()
    kept = _labelled(labels, places, ax.get_window_extent().width / (right - left))
    ax.set_xticks([places[place] for place in kept], [labels[place] for place in kept], color=INK)
    for place, text in zip(places, outs, strict=False):
        style = {"xycoords": ax.get_xaxis_transform(), "fontsize": NOTE, "color": MUTE}
        beside(ax, (place, 0), (0, -28), text, ha="center", **style)
    ax.set_xlabel(_axis_label(table, bool(outs), ax.get_window_extent().width), labelpad=20 if outs else 4)


def _axis_label(table: pd.DataFrame, with_pairs: bool, width: float) -> str:
    """Name the knob, and say what the numbers below it are, in no more than this many units."""
    notes = ("; in grey, pairs until dropped", "; in grey, pairs", "") if with_pairs else ("",)
    scale = "" if _places(table)[1] else " (not to scale)"
    knob = str(table.attrs["knobs"][0])
    told = (f"{knob}{scale}{note}" for note in notes)
    return next((text for text in told if text_width(text) <= width), fitted(knob, width))


def _labelled(labels: Sequence[str], places: Sequence[float], unit: float) -> range:
    """Return every how many-th value is labelled, so that no two labels meet; `unit` is the scale."""
    halves = [text_width(label) / 2 + 3 for label in labels]

    def fits(kept: range) -> bool:
        return all(unit * (places[b] - places[a]) >= halves[a] + halves[b] for a, b in pairwise(kept))

    return next(kept for step in range(1, len(labels) + 1) if fits(kept := range(0, len(labels), step)))


def _curve(ax: Axes, table: pd.DataFrame, places: Sequence[float]) -> None:
    """Draw the line, its band and, for few values, a dot each; hollow where the race dropped the setting."""
    ax.fill_between(places, table["lo"], table["hi"], color=N, alpha=0.3, linewidth=0, zorder=2)
    ax.plot(places, table["matches_won"], color=INK, zorder=3)
    if len(table) > MOST_MARKED:
        return
    for place, (_, row) in zip(places, table.iterrows(), strict=True):
        edge, face = (N, BG) if row["dropped"] else (INK, INK)
        ax.plot([place], [row["matches_won"]], "o", color=edge, markerfacecolor=face, zorder=4, clip_on=False)


def _plateau(result: Figure, ax: Axes, table: pd.DataFrame, places: Sequence[float]) -> None:
    """Draw thick bars over the settings as good as the best, and say so above them."""
    box, (left, right) = ax.get_window_extent(), ax.get_xlim()
    unit = box.width / (right - left)
    half = min(0.3 * _least_gap(places), WIDEST / unit)
    strip = axes(result, Box(box.x0, HEAD - 12, box.width, 6))
    strip.axis("off")
    strip.set_xlim(left, right)
    strip.set_ylim(0, 1)
    good = list(table["plateau"])
    for place, is_good in enumerate(good):
        if is_good:
            end = places[place + 1] if place + 1 < len(good) and good[place + 1] else places[place] + half
            strip.fill_between([places[place] - half, end + 0.01], 0, 1, color=INK, linewidth=0)
    text = _label(table, box.width)
    ends = [place for place, is_good in zip(places, good, strict=True) if is_good]
    middle = box.x0 + unit * ((ends[0] + ends[-1]) / 2 - left)
    room = text_width(text, bold=True) / 2
    middle = min(max(middle, box.x0 + room), box.x1 - room)
    write(result, middle, HEAD - 22, text, ha="center", weight="bold")


def _label(table: pd.DataFrame, width: float) -> str:
    """Name the plateau, in no more than this many units."""
    if table["plateau"].all():
        return "none clearly better"
    if table["plateau"].sum() == 1:
        return f"best: {best(table)['setting']}"
    text = f"as good as the best: {good_ones(table)}"
    return text if text_width(text, bold=True) <= width else "as good as the best"


def words(frame: pd.DataFrame) -> Words:
    """Say which values are best, from the same table as `figure`."""
    knob = frame.attrs["knobs"][0]
    low, high = float(frame["lo"].min()), float(frame["hi"].max())
    thin = (frame["hi"] - frame["lo"]).max() < 0.02 * max(high - low, abs(0.5 - low), abs(high - 0.5))
    bars = f"shading is a 95% band{', thinner than the dots,' if thin else ''}"
    how = f"the line is the share of matches won at each {knob}; a thick bar marks those that no other clearly beats."
    return words_of(frame, "Line with a band", (bars, how))
