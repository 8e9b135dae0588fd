"""Where the difference arises: one player's share of deals, points, columns and matches, step by step."""

from __future__ import annotations

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from reports.canvas import Box, Size, axes, beside, fitted, sheet, text_width, widest
from reports.names import capital
from reports.numbers import count, percent, share_with_error, spoken
from reports.scales import range_with_half, share_axis, thin_note
from reports.style import BG, INK, MUTE, N2, styled
from reports.words import Words

STAIRS = {
    1: " From column 1 to column 3 it gains ground.",
    -1: " From column 1 to column 3 it loses ground.",
    0: "",
}
ROW = 44
"""Units from row to row."""


@styled
def figure(frame: pd.DataFrame, size: Size) -> Figure:
    """Draw one pairing's rows of `analysis.endpoints`: the shares of player a."""
    titles = [capital(endpoint) for endpoint in frame["endpoint"]]
    result = sheet(size, 6 + ROW * len(frame) + 40)
    left = widest(titles) + 10
    ax = axes(result, Box(left, 6, size.width - left - 4, ROW * len(frame)))
    ax.set_ylim(len(frame) - 0.5, -0.5)
    ax.set_yticks(range(len(frame)), titles, color=INK)
    label = f"Share going to {fitted(frame['a'].iloc[0], 170 if size.is_wide else 90)}"
    share_axis(ax, _limits(frame, ax), 7 if size.is_wide else 4, label + (" (50% = even)" if size.is_wide else ""))
    _draw(ax, frame)
    for place, numbers in enumerate(_numbers(frame)):
        _label(ax, numbers, (place, len(frame) - 1), _is_left(frame, place))
    return result


def _draw(ax: Axes, frame: pd.DataFrame) -> None:
    """Draw the dots and bars, the thin line that joins them, and the shade behind the matches."""
    last = len(frame) - 1
    ax.axhspan(last - 0.5, last + 0.5, color=N2, zorder=0)
    ax.plot(frame["share"], frame.index, color=MUTE, linewidth=1, zorder=2)
    error = [frame["share"] - frame["lo"], frame["hi"] - frame["share"]]
    ax.errorbar(
        frame["share"], frame.index, xerr=error, fmt="o", color=INK, capsize=5, capthick=1.6, elinewidth=2, zorder=3
    )


def _limits(frame: pd.DataFrame, ax: Axes) -> tuple[float, float]:
    """Return the limits of the axis, with room for the numbers beside the dots."""
    low, high = range_with_half([*frame["lo"], *frame["hi"]], margin=0.02)
    room = max(text_width(share_with_error(*numbers), bold=True) for numbers in _numbers(frame)) + 12
    sides = [_is_left(frame, place) for place in range(len(frame))]
    left, right = room * (True in sides), room * (False in sides)
    unit = (high - low) / (ax.get_window_extent().width - left - right)
    return low - left * unit, high + right * unit


def _is_left(frame: pd.DataFrame, place: int) -> bool:
    """Tell whether a row's number stands left of its dot: off the line if it turns there, else off one half."""
    share, lo, hi = frame["share"], frame["lo"], frame["hi"]
    neighbours = [share[other] for other in (place - 1, place + 1) if 0 <= other < len(share)]
    if all(other > hi[place] for other in neighbours):
        return True
    return share[place] < 0.5 and not all(other < lo[place] for other in neighbours)


def _numbers(frame: pd.DataFrame) -> list[tuple[float, float, float]]:
    """Return share, lower and upper limit of every row."""
    return [(float(share), float(lo), float(hi)) for share, lo, hi in frame[["share", "lo", "hi"]].to_numpy()]


def _label(ax: Axes, numbers: tuple[float, float, float], place: tuple[int, int], left: bool) -> None:
    """Write a row's number beside its bar; `place` is the row and the last row, which is bold."""
    last = place[0] == place[1]
    edge, shift, align = (numbers[1], -9, "right") if left else (numbers[2], 9, "left")
    patch = {"facecolor": N2 if last else BG, "edgecolor": "none", "pad": 1.5}
    style = {"ha": align, "weight": "bold" if last else "normal", "bbox": patch, "zorder": 2.5}
    beside(ax, (edge, place[0]), (shift, 0), share_with_error(*numbers), **style)


def words(frame: pd.DataFrame) -> Words:
    """Say where the difference arises, from the same frame as `figure`; ``pairs`` is an attribute of it."""
    one, other = str(frame["a"].iloc[0]), str(frame["b"].iloc[0])
    matches = frame.iloc[-1]
    won = share_with_error(matches["share"], matches["lo"], matches["hi"])
    items = [f"{row['endpoint']} {spoken(row['share'], row['lo'], row['hi'])}" for _, row in frame.iterrows()]
    return Words(
        title=_title(frame),
        grey=f"{capital(one)} against {other}, {count(int(frame.attrs.get('pairs', 0)))} duplicate pairs; "
        f"bars are 95% intervals over duplicate pairs.{thin_note(frame['lo'], frame['hi'])}",
        how=f"follow the line from top to bottom; right of 50% favours {one}. It wins {won} of 100 matches, "
        f"the shaded row.{STAIRS[staircase(frame)]}",
        alt=f"Ladder of shares going to {one} against {other}. " + "; ".join(items) + ".",
    )


def _title(frame: pd.DataFrame) -> str:
    """State the disagreement between endpoints if there is one, else the deals, points and matches."""
    one = capital(str(frame["a"].iloc[0]))
    shares = frame.set_index("endpoint")["share"]
    said = {name: percent(share, 0) for name, share in shares.items()}
    points, matches = f"{said.get('points scored')} of the points", f"{said['matches won']} of the matches"
    deals = f"{said.get('deals won')} of the deals"
    if disagree(frame, "points scored"):
        return f"{one} scores {points} yet wins {matches}"
    if disagree(frame, "deals won"):
        return f"{one} wins {deals} yet {matches}"
    return f"{one} wins {deals}, scores {points} and wins {matches}"


def by_endpoint(frame: pd.DataFrame) -> dict[str, pd.Series]:
    """Return the rows of one pairing of `analysis.endpoints` by their endpoint."""
    return {str(row["endpoint"]): row for _, row in frame.iterrows()}


def disagree(frame: pd.DataFrame, endpoint: str) -> bool:
    """Tell whether an endpoint and the matches of one pairing surely favour different players."""
    rows = by_endpoint(frame)
    if endpoint not in rows or "matches won" not in rows:
        return False
    return favours(rows[endpoint]) * favours(rows["matches won"]) < 0


def favours(row: pd.Series) -> int:
    """Return +1 if an endpoint's interval lies above one half, -1 below, 0 if it touches it."""
    return int(row["lo"] > 0.5) - int(row["hi"] < 0.5)


def staircase(frame: pd.DataFrame) -> int:
    """Return +1 if the share surely rises from column 1 to column 3, -1 if it surely falls, 0 if neither."""
    rows = by_endpoint(frame)
    if "column 3" not in rows:
        return 0
    first, last = rows["column 1"], rows["column 3"]
    return int(last["lo"] > first["hi"]) - int(last["hi"] < first["lo"])
