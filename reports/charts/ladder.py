"""Where the difference arises: one player's share of deals, points, columns and matches, one below the other."""

from __future__ import annotations

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from reports import names, numbers
from reports.canvas import Box, Size, axes, fitted, sheet, text_width, widest
from reports.scales import range_with_half, share_axis
from reports.style import BG, INK, MUTE, N2, styled
from reports.words import Words

ROW = 44
"""Units from row to row."""


def toward(frame: pd.DataFrame, player: str) -> pd.DataFrame:
    """Return the rows of one pairing of `analysis.endpoints` with shares of `player`: side A or side B."""
    if frame["a"].iloc[0] == player:
        return frame.reset_index(drop=True)
    turned = {
        "a": frame["b"],
        "b": frame["a"],
        "share": 1 - frame["share"],
        "lo": 1 - frame["hi"],
        "hi": 1 - frame["lo"],
    }
    return frame.assign(**turned).reset_index(drop=True)


@styled
def figure(frame: pd.DataFrame, size: Size) -> Figure:
    """Draw one pairing's rows of `analysis.endpoints`: the shares of player a."""
    titles = [names.capital(endpoint) for endpoint in frame["endpoint"]]
    result = sheet(size, 6 + ROW * len(frame) + 40)
    left = widest(titles) + 10
    ax = axes(result, Box(left, 6, size.width - left - 4, ROW * len(frame)))
    ax.set_ylim(len(frame) - 0.5, -0.5)
    ax.set_yticks(range(len(frame)), titles, color=INK)
    label = f"Share going to {fitted(frame['a'].iloc[0], 170 if size.is_wide else 90)}"
    share_axis(
        ax, _limits(frame, ax), 7 if size.is_wide else 4, label + (" (50% = even)" if size.is_wide else "")
    )
    last = len(frame) - 1
    ax.axhspan(last - 0.5, last + 0.5, color=N2, zorder=0)
    ax.plot(frame["share"], frame.index, color=MUTE, linewidth=1, zorder=2)
    error = [frame["share"] - frame["lo"], frame["hi"] - frame["share"]]
    ax.errorbar(
        frame["share"],
        frame.index,
        xerr=error,
        fmt="o",
        color=INK,
        capsize=5,
        capthick=1.6,
        elinewidth=2,
        zorder=3,
    )
    for place, row in frame.iterrows():
        _label(ax, row, int(str(place)), _is_left(frame, int(str(place))))
    return result


def _limits(frame: pd.DataFrame, ax: Axes) -> tuple[float, float]:
    """Return the limits of the axis, with room for the numbers beside the dots."""
    low, high = range_with_half([*frame["lo"], *frame["hi"]], margin=0.02)
    room = text_width("00.0 ±0.0", bold=True) + 12
    sides = [_is_left(frame, place) for place in range(len(frame))]
    left, right = room * (True in sides), room * (False in sides)
    unit = (high - low) / (ax.get_window_extent().width - left - right)
    return low - left * unit, high + right * unit


def _is_left(frame: pd.DataFrame, place: int) -> bool:
    """Tell whether a row's number stands left of its dot: where the line does not go, else away from one half."""
    share = frame["share"]
    own = share[place]
    neighbours = [share[other] for other in (place - 1, place + 1) if 0 <= other < len(share)]
    if all(other > own for other in neighbours):
        return True
    return own < 0.5 and not all(other < own for other in neighbours)


def _label(ax: Axes, row: pd.Series, place: int, left: bool) -> None:
    """Write a row's number beside its bar."""
    edge = row["lo"] if left else row["hi"]
    is_last = row["endpoint"] == "matches won"
    ax.annotate(
        numbers.share_with_error(row["share"], row["lo"], row["hi"]),
        (edge, place),
        (-9 if left else 9, 0),
        textcoords="offset points",
        ha="right" if left else "left",
        va="center_baseline",
        weight="bold" if is_last else "normal",
        bbox={"facecolor": N2 if is_last else BG, "edgecolor": "none", "pad": 1.5},
        zorder=2.5,
    )


def words(frame: pd.DataFrame) -> Words:
    """Say where the difference arises, from the same frame as `figure`; ``pairs`` is an attribute of it."""
    one, other = str(frame["a"].iloc[0]), str(frame["b"].iloc[0])
    matches = frame.iloc[-1]
    items = [
        f"{row['endpoint']} {numbers.percent(row['share'])}, "
        f"{numbers.plus_minus(100 * row['share'], 100 * row['lo'], 100 * row['hi']).replace('±', 'plus or minus ')}"
        for _, row in frame.iterrows()
    ]
    pairs = int(frame.attrs.get("pairs", 0))
    return Words(
        title=title(frame),
        grey=f"{names.capital(one)} against {other}, {numbers.count(pairs)} duplicate pairs; "
        "bars are 95% intervals over duplicate pairs.",
        how=f"follow the line from top to bottom; right of 50% favours {one}. It wins "
        f"{numbers.share_with_error(matches['share'], matches['lo'], matches['hi'])} of 100 matches, the shaded row."
        + _staircase(frame, one),
        alt=f"Ladder of shares going to {one} against {other}. " + "; ".join(items) + ".",
    )


def title(frame: pd.DataFrame) -> str:
    """State the disagreement between endpoints if there is one, else the deals and the matches."""
    one = names.capital(str(frame["a"].iloc[0]))
    shares = frame.set_index("endpoint")["share"]
    matches, points, deals = (shares.get(name, 0.5) for name in ("matches won", "points scored", "deals won"))
    won = f"wins {numbers.percent(matches, 0)} of the matches"
    if disagree(frame, "points scored"):
        return f"{one} scores {numbers.percent(points, 0)} of the points yet {won}"
    if disagree(frame, "deals won"):
        return f"{one} wins {numbers.percent(deals, 0)} of the deals yet {numbers.percent(matches, 0)} of the matches"
    return f"{one} wins {numbers.percent(deals, 0)} of the deals, scores {numbers.percent(points, 0)} of the points and {won}"


def disagree(frame: pd.DataFrame, endpoint: str) -> bool:
    """Tell whether an endpoint and the matches surely favour different players."""
    rows = frame.set_index("endpoint")
    if endpoint not in rows.index or "matches won" not in rows.index:
        return False
    sides = [_side(rows.loc[name]) for name in (endpoint, "matches won")]
    return sides[0] * sides[1] < 0


def _side(row: pd.Series) -> int:
    """Return +1 if an interval lies above one half, -1 below, 0 if it touches it."""
    return int(row["lo"] > 0.5) - int(row["hi"] < 0.5)


def _staircase(frame: pd.DataFrame, one: str) -> str:
    """Say what happens from column 1 to column 3, if it surely does."""
    rows = frame.set_index("endpoint")
    if "column 3" not in rows.index:
        return ""
    first, last = rows.loc["column 1"], rows.loc["column 3"]
    if last["hi"] < first["lo"]:
        return f" From column 1 to column 3 {one} loses ground: later columns favour who wins more often."
    if last["lo"] > first["hi"]:
        return f" From column 1 to column 3 {one} gains ground: later columns favour who wins more often."
    return ""
