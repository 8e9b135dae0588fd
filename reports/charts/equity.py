"""How good a lead is: the chance of winning a column from both players' points in it, as a map in seven shades."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.equity import Floats
from reports.canvas import Box, Size, axes, fitted, sheet
from reports.names import capital
from reports.numbers import big, points, share_with_error, spoken, widest_half
from reports.scales import whole_ticks
from reports.style import BG, NOTE, SEVEN, styled
from reports.words import Words

CHANGES = (0.15, 0.3, 0.45, 0.55, 0.7, 0.85)
"""Chances at which the shade changes."""
CONTOURS = tuple(tens / 10 for tens in range(1, 10))
SIDE_UNITS = {"wide": 460, "narrow": 264}
"""Width and height of the map."""
CORNER = 36
"""A contour's label this near to a corner, in units, leaves no room for a name in it."""
MOST_CELLS = 100
"""A map of more points than this is drawn at every second point, third, and so on."""


@styled
def figure(frame: pd.DataFrame, size: Size) -> Figure:
    """Draw rows of `analysis.leads` with short names in a and b."""
    span = SIDE_UNITS[size.name]
    result = sheet(size, 8 + span + 44)
    left = (size.width - span) / 2 if size.is_wide else size.width - span - 15
    ax = axes(result, Box(left, 8, span, span))
    table = _table(frame)
    target = len(table)
    step = -(-target // MOST_CELLS)
    at = np.unique([*range(0, target, step), target - 1])
    some = table[np.ix_(at, at)].T  # matplotlib wants rows upwards
    ax.contourf(at, at, some, (-0.001, *CHANGES, 1.001), colors=[colour for colour, _ in SEVEN], antialiased=False)
    widths = [2.2 if chance == 0.5 else 1 for chance in CONTOURS]
    ax.contour(at, at, some, CONTOURS, colors=[_line(chance) for chance in CONTOURS], linewidths=widths)
    _axis_texts(ax, frame, target, span)
    _label_contours(ax, table)
    _name_corners(ax, frame, table, span)
    return result


def has_shades(frame: pd.DataFrame) -> bool:
    """Tell whether the map has more than one shade, so that there is something to see."""
    ends = np.searchsorted(CHANGES, (frame["chance"].min(), frame["chance"].max()), side="right")
    return bool(ends[0] < ends[1])


def _line(chance: float) -> str:
    """Return the colour of a contour: that of text on the shade it lies in."""
    return SEVEN[int(np.searchsorted(CHANGES, chance, side="right"))][1]


def _table(frame: pd.DataFrame) -> Floats:
    """Return the chances by points of a and points of b, shape (target, target)."""
    return frame.pivot(index="points_a", columns="points_b", values="chance").to_numpy(dtype=np.float64)


def _axis_texts(ax: Axes, frame: pd.DataFrame, target: int, span: float) -> None:
    """Label both axes with the players and round points."""
    ax.set_xlim(0, target)
    ax.set_ylim(0, target)
    ticks = whole_ticks(target, 6)
    ax.set_xticks(ticks)
    ax.set_yticks(ticks)
    room = span - 130
    for side, label in (("a", ax.set_xlabel), ("b", ax.set_ylabel)):
        label(f"{capital(fitted(_told(frame, side).removeprefix('the '), room))}: points in the column")
    ax.xaxis.labelpad, ax.yaxis.labelpad = 6, 4


def _label_contours(ax: Axes, table: Floats) -> None:
    """Write each contour's chance where it crosses the falling diagonal, on which no two lie close."""
    for chance, mine in _crossings(table):
        ax.text(
            mine,
            len(table) - 1 - mine,
            points(chance, 0),
            ha="center",
            va="center_baseline",
            fontsize=NOTE,
            weight="bold" if chance == 0.5 else "normal",
            bbox={"facecolor": BG, "edgecolor": "none", "pad": 1.5},
        )


def _crossings(table: Floats) -> list[tuple[float, float]]:
    """Return for each contour that crosses the falling diagonal its chance, and a's points where it does."""
    last = len(table) - 1
    along = np.array([table[mine, last - mine] for mine in range(last + 1)])
    return [
        (chance, float(np.interp(chance, along, np.arange(last + 1))))
        for chance in CONTOURS
        if along[0] < chance < along[-1]
    ]


def _name_corners(ax: Axes, frame: pd.DataFrame, table: Floats, span: float) -> None:
    """Say in two corners who is ahead there, unless a label is in the way; where there is little room, by the name."""
    last, unit = len(table) - 1, len(table) / span
    ahead = " ahead" if span == SIDE_UNITS["wide"] else ""
    for side, x, y, ha, va in (("a", last, 0, "right", "bottom"), ("b", 0, last, "left", "top")):
        if any(abs(mine - x) < CORNER * unit for _, mine in _crossings(table)):
            continue
        left, bottom = (at + 10 * unit * (1 if at == 0 else -1) for at in (x, y))
        name = fitted(_told(frame, side).removeprefix("the "), 0.2 * span, NOTE)
        ax.text(left, bottom, name + ahead, ha=ha, va=va, color=_line(table[x, y]), fontsize=NOTE)


def words(frame: pd.DataFrame) -> Words:
    """Say what a lead is worth, from the same frame as `figure`.

    Attributes of it: ``deals`` counts the scored deals; ``won`` is what a lead wins, columns or matches.
    """
    one, other = (_told(frame, side) for side in "ab")
    itself = f" of {frame['a'].iloc[0]} against itself" if _is_mirror(frame) else ""
    lead, _, late = _leads(frame)
    behind = _at(frame, 0, lead)
    items = [f"at {_score(row)} {spoken(row['chance'], row['lo'], row['hi'])}" for row in _spread(frame)]
    return Words(
        title=_title(frame),
        grey=f"Chance (per 100) that {one} wins a column both have entered, from the points in it; mean of either "
        f"dealing next. From {big(int(frame.attrs['deals']))} scored deals{itself}; 95% intervals over blocks of "
        f"pairs, within {widest_half(frame['lo'], frame['hi'])} points.",
        how=f"go right for {one}’s points and up for {other}’s: at {_score(late)} {one} wins "
        f"{share_with_error(late['chance'], late['lo'], late['hi'])} of 100 {_won(frame)}, and "
        f"{points(behind['chance'], 0)} at {_score(behind)}. There is a line for each 10 of 100, a thick one at "
        f"50. Blue: {one} is ahead; orange: {other}; grey: nearly even.",
        alt=f"Map of the chance that {one} wins a column, by {one}’s points and {other}’s: " + "; ".join(items) + ".",
    )


def _won(frame: pd.DataFrame) -> str:
    return str(frame.attrs.get("won", "columns"))


def _title(frame: pd.DataFrame) -> str:
    """State what the same lead is worth early and late."""
    lead, early, late = _leads(frame)
    won = f"wins {points(early['chance'], 0)} {_won(frame)} in 100 at {_score(early)}"
    then = f"{points(late['chance'], 0)} at {_score(late)}"
    if _is_mirror(frame):
        return f"Being {lead} points ahead {won}, and {then}"
    return f"{capital(str(frame['a'].iloc[0]))}, {lead} points ahead, {won}, and {then}"


def _leads(frame: pd.DataFrame) -> tuple[int, pd.Series, pd.Series]:
    """Return a lead of a fifth of the target, and its states: with nothing against it, and shortly before the end."""
    target = int(frame["points_a"].max()) + 1
    lead, late = max(target // 5, 1), target - max(target // 20, 1)
    return lead, _at(frame, lead, 0), _at(frame, late, late - lead)


def _spread(frame: pd.DataFrame) -> list[pd.Series]:
    """Return a few states in reading order: even ones, and those a lead of one fifth and of one half."""
    target = int(frame["points_a"].max()) + 1
    some = [(0, 0), (20, 0), (50, 0), (50, 50), (0, 20), (0, 50), (90, 70), (90, 40), (70, 90), (40, 90)]
    return [_at(frame, a * target // 100, b * target // 100) for a, b in some]


def _at(frame: pd.DataFrame, points_a: int, points_b: int) -> pd.Series:
    """Return the row of a state."""
    return frame[(frame["points_a"] == points_a) & (frame["points_b"] == points_b)].iloc[0]


def _score(row: pd.Series) -> str:
    return f"{int(row['points_a'])}–{int(row['points_b'])}"


def _is_mirror(frame: pd.DataFrame) -> bool:
    return bool(frame["a"].iloc[0] == frame["b"].iloc[0])


def _told(frame: pd.DataFrame, side: str) -> str:
    """Name a side in a sentence; where a player meets itself, the one from whom the map is seen and the other."""
    return {"a": "the player", "b": "the opponent"}[side] if _is_mirror(frame) else str(frame[side].iloc[0])
