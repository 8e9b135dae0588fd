"""Where the difference arises: one player's share of deals, points, columns and matches, step by step."""

from __future__ import annotations

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from reports.canvas import Box, Size, axes, beside, fitted, fitted_side_by_side, sheet, text_width, widest, write
from reports.names import capital
from reports.numbers import count, percent, points, share_with_error, spoken, widest_half
from reports.scales import range_with_half, share_axis, thin_note
from reports.style import BG, INK, LIGHT, MUTE, N2, styled
from reports.words import Words

STAIRS = {
    1: " From column 1 to column 3 it gains ground.",
    -1: " From column 1 to column 3 it loses ground.",
    0: "",
}
ROW, ROW_OF_TWO = 44, 52
"""Units from row to row: of one condition, and of two, whose marks lie one below the other."""
APART = 0.2
"""How far the marks of two conditions lie above and below the middle of a row, in rows."""
CLOSE = 0.002
"""Two shares that are no farther apart are about the same."""
LEGEND = 30
"""Units above the axes of two conditions."""
C = LIGHT["c"]
LOOKS: tuple[dict[str, Any], ...] = (
    {"color": INK, "marker": "o", "linestyle": "-", "markerfacecolor": INK},
    {"color": C, "marker": "s", "linestyle": (0, (4, 2)), "markerfacecolor": BG},
)
"""How the first and the second condition are drawn: shape and dash repeat what colour says."""
Step = tuple[str, float, float, float]
"""An endpoint, the share of it, and its lower and upper limit."""


@styled
def figure(frame: pd.DataFrame, size: Size) -> Figure:
    """Draw one pairing's rows of `analysis.endpoints`: the shares of player a.

    With a column ``condition`` of two values, such as two sets of rules: one ladder beside the other.
    """
    rows, ladders = _endpoints(frame), _ladders(frame)
    titles = [capital(endpoint) for endpoint in rows]
    top = LEGEND if len(ladders) > 1 else 6
    height = (ROW if len(ladders) == 1 else ROW_OF_TWO) * len(rows)
    result = sheet(size, top + height + 40)
    left = widest(titles) + 10
    ax = axes(result, Box(left, top, size.width - left - 4, height))
    ax.set_ylim(len(rows) - 0.5, -0.5)
    ax.set_yticks(range(len(rows)), titles, color=INK)
    label = f"Share going to {fitted(frame['a'].iloc[0], 170 if size.is_wide else 90)}"
    share_axis(ax, _limits(ladders, size, ax), 7 if size.is_wide else 4, label + " (50% = even)" * size.is_wide)
    ax.axhspan(len(rows) - 1.5, len(rows) - 0.5, color=N2, zorder=0)
    for number, steps in enumerate(ladders.values()):
        places = [rows.index(step[0]) + _lift(number, len(ladders)) for step in steps]
        _draw(ax, steps, places, LOOKS[number])
        for at, place in enumerate(places):
            look = {"color": LOOKS[number]["color"], "weight": "bold" if steps[at][0] == rows[-1] else "normal"}
            _label(ax, steps[at], place, _is_left(ladders, number, at), size.is_wide or len(ladders) == 1, **look)
    if len(ladders) > 1:
        _legend(result, list(ladders), size)
    return result


def _endpoints(frame: pd.DataFrame) -> list[str]:
    """Return the endpoints from top to bottom; where one sheet has fewer columns, those of the other."""
    counts = [list(steps["endpoint"]) for _, steps in _parts(frame)]
    return max(counts, key=len)


def _parts(frame: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    """Return the rows of each condition; all of them, if there are none."""
    if "condition" not in frame:
        return [("", frame)]
    return [(str(name), own) for name, own in frame.groupby("condition", sort=False)]


def _ladders(frame: pd.DataFrame) -> dict[str, list[Step]]:
    """Return the steps of each condition, from top to bottom."""
    return {
        name: [
            (str(row["endpoint"]), float(row["share"]), float(row["lo"]), float(row["hi"])) for _, row in own.iterrows()
        ]
        for name, own in _parts(frame)
    }


def _lift(number: int, count: int) -> float:
    """Return how far below the middle of a row a condition's marks lie, in rows."""
    return 0.0 if count == 1 else APART * (2 * number - 1)


def _draw(ax: Axes, steps: list[Step], places: list[float], look: dict[str, Any]) -> None:
    """Draw the dots and bars of one ladder, and the thin line that joins them."""
    shares = [share for _, share, _, _ in steps]
    line = MUTE if look["color"] == INK else look["color"]
    ax.plot(shares, places, color=line, linewidth=1, linestyle=look["linestyle"], zorder=2)
    error = [[share - lo for _, share, lo, _ in steps], [hi - share for _, share, _, hi in steps]]
    ax.errorbar(
        shares, places, xerr=error, linestyle="none", color=look["color"], marker=look["marker"],
        markerfacecolor=look["markerfacecolor"], capsize=5, capthick=1.6, elinewidth=2, zorder=3,
    )  # fmt: skip


def _limits(ladders: dict[str, list[Step]], size: Size, ax: Axes) -> tuple[float, float]:
    """Return the limits of the axis, with room for the numbers beside the dots."""
    steps = [step for own in ladders.values() for step in own]
    low, high = range_with_half([limit for _, _, lo, hi in steps for limit in (lo, hi)], margin=0.02)
    long = size.is_wide or len(ladders) == 1
    room = max(text_width(_number(step, long), bold=True) for step in steps) + 12
    sides = [_is_left(ladders, number, at) for number, own in enumerate(ladders.values()) for at in range(len(own))]
    left, right = room * (True in sides), room * (False in sides)
    unit = (high - low) / (ax.get_window_extent().width - left - right)
    return low - left * unit, high + right * unit


def _is_left(ladders: dict[str, list[Step]], number: int, at: int) -> bool:
    """Tell whether a step's number stands left of its dot.

    Of two conditions the smaller one's does, or those of both if they are about the same. Of one: off the line if it
    turns there, else off one half.
    """
    steps = list(ladders.values())[number]
    endpoint, share, lo, hi = steps[at]
    for rival in (other for place, own in enumerate(ladders.values()) if place != number for other in own):
        if rival[0] == endpoint:
            return share <= rival[1] + CLOSE
    neighbours = [steps[other][1] for other in (at - 1, at + 1) if 0 <= other < len(steps)]
    if all(other > hi for other in neighbours):
        return True
    return share < 0.5 and not all(other < lo for other in neighbours)


def _number(step: Step, long: bool) -> str:
    """Write a step's share, with its interval where there is room: two narrow ladders leave none."""
    return share_with_error(*step[1:]) if long else points(step[1])


def _label(ax: Axes, step: Step, place: float, left: bool, long: bool, **look: object) -> None:
    """Write a step's number beside its bar."""
    edge, shift, align = (step[2], -9, "right") if left else (step[3], 9, "left")
    patch = {"facecolor": N2 if look["weight"] == "bold" else BG, "edgecolor": "none", "pad": 1.5}
    beside(ax, (edge, place), (shift, 0), _number(step, long), ha=align, bbox=patch, zorder=2.5, **look)


def _legend(result: Figure, conditions: list[str], size: Size) -> None:
    """Name both conditions above the axes, each with its mark and its kind of line."""
    left = 4.0
    names = fitted_side_by_side(conditions, size.width - left - 2 * 38 - 28)
    for look, name in zip(LOOKS, names, strict=True):
        ax = axes(result, Box(left, 2, 30, 20))
        ax.axis("off")
        ax.set_xlim(0, 2)
        ax.plot([0, 1, 2], [0, 0, 0], **look, markevery=[1], clip_on=False)
        write(result, left + 38, 13, name, ha="left", color=look["color"])
        left += 38 + text_width(name) + 28


def words(frame: pd.DataFrame) -> Words:
    """Say where the difference arises, from the same frame as `figure`; ``pairs`` is an attribute of it.

    Of two conditions the attribute ``phrases`` says how each is told in a sentence: ``if an undercut pays 25``.
    """
    return _words_of_two(frame) if len(_parts(frame)) > 1 else _words_of_one(frame)


def _words_of_two(frame: pd.DataFrame) -> Words:
    """Say what the second condition changes."""
    one, other = str(frame["a"].iloc[0]), str(frame["b"].iloc[0])
    parts, phrases = _parts(frame), frame.attrs["phrases"]
    won = [share_with_error(*own.iloc[-1][["share", "lo", "hi"]]) for _, own in parts]
    told = [
        f"{name}: "
        + "; ".join(f"{row['endpoint']} {spoken(row['share'], row['lo'], row['hi'])}" for _, row in own.iterrows())
        for name, own in parts
    ]
    (first, _), (second, _) = parts
    within = widest_half(frame["lo"], frame["hi"])
    return Words(
        title=_title_of_two(parts, phrases),
        grey=f"{capital(one)} against {other}, {frame.attrs['pairs']} duplicate pairs; bars are 95% intervals over "
        f"duplicate pairs, none wider than {within} points.{thin_note(frame['lo'], frame['hi'])}",
        how=f"follow a line from top to bottom; right of 50% favours {one}. Dark dots and a solid line: {first}; "
        f"hollow purple squares and a dashed line: {second}. The shaded row is the matches: {one} wins {won[0]} of 100 "
        f"{phrases[first]}, {won[1]} {phrases[second]}.",
        alt=f"Two ladders of shares going to {one} against {other}. {'. '.join(capital(text) for text in told)}.",
    )


def _title_of_two(parts: list[tuple[str, pd.DataFrame]], phrases: dict[str, str]) -> str:
    """State what each condition brings in matches, and whether that turns them round."""
    (first, one), (second, other) = parts
    rows = one.iloc[-1], other.iloc[-1]
    name = capital(str(one["a"].iloc[0]))
    shares = [percent(row["share"], 0) for row in rows]
    start = f"{name} wins {shares[0]} of the matches {phrases[first]}"
    if favours(rows[0]) * favours(rows[1]) < 0:
        return f"{start} but {shares[1]} {phrases[second]}, which turns it round"
    return f"{start} and {shares[1]} {phrases[second]}"


def _words_of_one(frame: pd.DataFrame) -> Words:
    """Say where the difference arises in a ladder that stands alone."""
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
    scored, matches = f"{said.get('points scored')} of the points", f"{said['matches won']} of the matches"
    deals = f"{said.get('deals won')} of the deals"
    if disagree(frame, "points scored"):
        return f"{one} scores {scored} yet wins {matches}"
    if disagree(frame, "deals won"):
        return f"{one} wins {deals} yet {matches}"
    return f"{one} wins {deals}, scores {scored} and wins {matches}"


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
