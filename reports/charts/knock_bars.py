"""With what, or when, each side ends deals: small bars by deadwood or by turn, a panel a side, gin apart."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from reports.canvas import Box, Size, axes, beside, fitted, sheet, text_width, write
from reports.names import capital
from reports.numbers import count, number, of_100, percent, plus_minus, points
from reports.scales import whole_ticks
from reports.style import A2, B2, INK, LINE, MUTE, NOTE, A, B, styled
from reports.words import Words

FEWEST = 100
"""A side that ended fewer deals than this, or knocked in fewer: no bars, or no median."""
FULL, PALE = {"A": A, "B": B}, {"A": A2, "B": B2}
"""The colours of gin and of knocks, by side."""
TAIL = 0.01
"""Turns that no side reaches in more than this share of its deals stand in one last bar."""
TICK = 21
"""Units from one number below the bars to the next."""
LEGEND, HEAD, PANEL = 26, 44, {"wide": 170, "narrow": 130}
X_LABELS = {"deadwood": "Deadwood of who ended the deal (points)", "turn": "Own turn of who ended the deal"}


def of_sides(table: pd.DataFrame, summary: pd.DataFrame) -> pd.DataFrame:
    """Return what `figure` draws: a distribution and the summary of those sides that ended deals enough.

    `table` is `analysis.knock_deadwood` or `analysis.knock_turns`, `summary` `analysis.knock_summary`, both of one
    pairing with short names in player. Big gin counts as gin.
    """
    kept = summary[summary["ended"] >= FEWEST].drop(columns=["a", "b", "player"])
    what = "deadwood" if "deadwood" in table else "turn"
    wanted = {f"{what}{suffix}": f"value{suffix}" for suffix in ("_median", "_lo", "_hi")} | {what: "value_mean"}
    bars = table.assign(ending=table["ending"].replace({"big_gin": "gin"}))
    bars = bars.groupby(["side", "player", "ending", what], sort=True)["share"].sum().reset_index()
    columns = ["side", "ended", "gins", "knocks", *wanted.values()]
    return bars.merge(kept.rename(columns=wanted)[columns], on="side").sort_values("side", kind="stable")


def _what(frame: pd.DataFrame) -> str:
    """Return what the bars are by: deadwood or turn."""
    return "deadwood" if "deadwood" in frame else "turn"


@styled
def figure(frame: pd.DataFrame, size: Size) -> Figure:
    """Draw the table that `of_sides` makes: panels side by side, in a narrow drawing one below the other."""
    sides, what = sorted(frame["side"].unique()), _what(frame)
    across = len(sides) if size.is_wide else 1
    down, height, gap, left = len(sides) // across, PANEL[size.name], 40, 46
    step = HEAD + height + 24
    result = sheet(size, LEGEND + down * step + 20)
    _legend(result, sides, frame)
    width = (size.width - left - 8 - gap * (across - 1)) / across
    last = _last(frame)
    for place, side in enumerate(sides):
        corner = (left + (place % across) * (width + gap), LEGEND + (place // across) * step)
        own = frame[frame["side"] == side]
        _head(result, own, (corner[0] - 4, corner[1]), width)
        ax = axes(result, Box(corner[0], corner[1] + HEAD, width, height))
        _scale(ax, frame, last, width)
        _bars(ax, own, what, last)
    write(result, (size.width + left) / 2, LEGEND + down * step + 8, X_LABELS[what], ha="center", color=MUTE)
    return result


def _legend(result: Figure, sides: Sequence[str], frame: pd.DataFrame) -> None:
    """Show how gin and knocks look, of those that there are."""
    left = 4.0
    for ending, colours in (("gin", FULL), ("knock", PALE)):
        if not (frame["ending"] == ending).any():
            continue
        ax = axes(result, Box(left, 5, 15 * len(sides), 12))
        ax.axis("off")
        ax.bar(range(len(sides)), [1.0] * len(sides), width=0.94, color=[colours[side] for side in sides])
        ax.set_xlim(-0.5, len(sides) - 0.5)
        name = {"gin": "gin", "knock": "knock, undercut or not"}[ending]
        write(result, left + 15 * len(sides) + 7, 12, name, ha="left")
        left += 15 * len(sides) + 7 + text_width(name) + 20


def _head(result: Figure, own: pd.DataFrame, corner: tuple[float, float], width: float) -> None:
    """Write who ended the deals, and the median and the mean."""
    row = own.iloc[0]
    name = fitted(str(row["player"]), width * 0.9)
    write(result, corner[0], corner[1] + 11, name, ha="left", weight="bold", color=FULL[str(row["side"])])
    write(result, corner[0], corner[1] + 29, _middle(own), ha="left", fontsize=NOTE, color=MUTE)


def _middle(own: pd.DataFrame) -> str:
    """Say median and mean, of the knocks where it is of deadwood."""
    row = own.iloc[0]
    if _what(own) == "deadwood" and row["knocks"] < FEWEST:
        return "never knocks short of gin" if row["knocks"] == 0 else f"{row['knocks']} knocks are too few to sum up"
    error = plus_minus(row["value_mean"], row["value_lo"], row["value_hi"])
    mean = f"mean {number(row['value_mean'])} {error}".strip()
    of = "knocks: " if _what(own) == "deadwood" else ""
    return f"{of}median {row['value_median']:.0f}, {mean}"


def _last(frame: pd.DataFrame) -> int:
    """Return the last value with a bar of its own."""
    what = _what(frame)
    highest = int(frame[what].max())
    if what == "deadwood":
        return highest
    beyond = frame.pivot_table(index="turn", columns="side", values="share", aggfunc="sum", fill_value=0.0)
    reached = beyond.sort_index(ascending=False).cumsum().max(axis=1)
    return min(highest, int(reached[reached > TAIL].index.max()))


def _heights(own: pd.DataFrame, last: int) -> pd.DataFrame:
    """Return the heights of the bars: share by value, rare turns together, and by ending."""
    what = _what(own)
    clipped = own.assign(**{what: own[what].clip(upper=last + 1)})
    return clipped.pivot_table(index=what, columns="ending", values="share", aggfunc="sum", fill_value=0.0)


def _scale(ax: Axes, frame: pd.DataFrame, last: int, width: float) -> None:
    """Give every panel the same axes."""
    what = _what(frame)
    first, end = (0, last) if what == "deadwood" else (1, last + (int(frame[what].max()) > last))
    ax.set_xlim(first - 0.6, end + 0.6)
    marks = _marks_below(first, end, width)
    names = {0: "gin"} if first == 0 else {last + 1: f"{last + 1}+"}
    ax.set_xticks(marks, [names.get(mark, str(mark)) for mark in marks])
    top = 1.16 * max(float(_heights(own, last).sum(axis=1).max()) for _, own in frame.groupby("side"))
    ax.set_ylim(0, top)
    tick = next(tick for tick in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5) if top / tick < 6)
    ticks = [tick * k for k in range(int(top / tick) + 1)]
    ax.set_yticks(ticks, [f"{100 * share:.0f}%" for share in ticks])
    ax.yaxis.grid(True, color=LINE)


def _marks_below(first: int, end: int, width: float) -> list[int]:
    """Return the values that are named below the bars: all where there is room, always both ends."""
    unit = width / (end - first + 1.2)
    inner = range(first + 1, end) if unit >= TICK else whole_ticks(end, 7)
    return [first, *(mark for mark in inner if min(mark - first, end - mark) * unit >= TICK), *[end] * (end > first)]


def _bars(ax: Axes, own: pd.DataFrame, what: str, last: int) -> None:
    """Draw one side's bars, gin below, and a line at the median."""
    row, heights = own.iloc[0], _heights(own, last)
    side = str(row["side"])
    gin = heights["gin"] if "gin" in heights else 0.0 * heights.iloc[:, 0]
    ax.bar(heights.index, gin, width=0.8, color=FULL[side])
    if "knock" in heights:
        ax.bar(heights.index, heights["knock"], bottom=gin, width=0.8, color=PALE[side])
    if what == "turn" or row["knocks"] >= FEWEST:
        ax.axvline(min(float(row["value_median"]), last + 1), color=INK, linewidth=1.6)
    if what == "deadwood" and 0 in heights.index:
        share = float(gin.loc[0])
        beside(ax, (0, share), (0, 8), points(share, 0), ha="center", fontsize=NOTE, color=FULL[side])


def words(frame: pd.DataFrame) -> Words:
    """Say what half of the knocks, or deals, do not exceed, from the same frame as `figure`.

    Attributes of it: ``versus``, who met whom, as text; ``error``, how wide its intervals are at most, as text;
    ``few``, a sentence on a side that is not drawn, or empty.
    """
    rows = {str(side): own.iloc[0] for side, own in frame.groupby("side", sort=True)}
    what = _what(frame)
    by = "the deadwood it was ended with" if what == "deadwood" else "the turn of who ended it, its own turns counted"
    items = [_spoken(frame[frame["side"] == side]) for side in rows]
    return Words(
        title=(_deadwood_title if what == "deadwood" else _turn_title)(list(rows.values())),
        grey=f"Share of the deals a side ended, by {by}; {_sample(list(rows.values()), frame)}. 95% intervals are "
        f"within {frame.attrs.get('error', '±?')} points.{frame.attrs.get('few', '')}",
        how=f"{_marks(rows, what)} {_worked(frame, what)}",
        alt=f"Bars: share of deals ended, by {what}. " + "; ".join(items) + ".",
    )


def _sample(rows: list[pd.Series], frame: pd.DataFrame) -> str:
    """Say how many deals each side ended, and who met whom."""
    versus = frame.attrs.get("versus", "")
    if len(rows) == 1 and versus.endswith("itself"):
        return f"{count(int(rows[0]['ended']))} deals of {versus}"
    ended = " and ".join(f"{count(int(row['ended']))} by {row['player']}" for row in rows)
    return f"{ended}, of {versus}"


def _marks(rows: dict[str, pd.Series], what: str) -> str:
    """Name colours and lines."""
    colours = {"A": "blue", "B": "orange"}
    said = " and ".join(f"{colours[side]} bars are deals that {row['player']} ended" for side, row in rows.items())
    line = "median of the knocks" if what == "deadwood" else "median"
    return f"{said}, in full colour with gin, paler with a knock; the dark line is the {line}."


def _worked(frame: pd.DataFrame, what: str) -> str:
    """Read the highest bar aloud."""
    row = frame.iloc[int(frame["share"].to_numpy().argmax())]
    name = capital(str(row["player"]))
    if what == "turn":
        return f"{name} ended {percent(row['share'])} of its deals by {row['ending']} on its turn {row['turn']}."
    how = "gin" if row["ending"] == "gin" else f"a knock with {row['deadwood']}"
    return f"{name} ended {percent(row['share'])} of its deals with {how}."


def _spoken(own: pd.DataFrame) -> str:
    """Say one side for those who do not see it."""
    row = own.iloc[0]
    gin = f"gin in {of_100(row['gins'] / row['ended'])}"
    return (
        f"{row['player']} {_middle(own)}, {gin}" if row["knocks"] or _what(own) == "turn" else f"{row['player']} {gin}"
    )


def _turn_title(rows: list[pd.Series]) -> str:
    """State by which turn each side has ended half of its deals."""
    medians = [f"{row['value_median']:.0f}" for row in rows]
    start = f"Half of the deals that {rows[0]['player']} ends"
    if len(rows) == 1:
        return f"{start} are over by its turn {medians[0]}"
    if medians[0] == medians[1]:
        return f"Half of the deals that either side ends are over by its turn {medians[0]}"
    return f"{start} are over by its turn {medians[0]}, of those {rows[1]['player']} ends by its turn {medians[1]}"


def _deadwood_title(rows: list[pd.Series]) -> str:
    """State what half of each side's knocks do not exceed, or who does not knock."""
    knock = [row for row in rows if row["knocks"] >= FEWEST]
    others = [row for row in rows if row["knocks"] < FEWEST]
    never = [
        f"{row['player']} {'never' if row['knocks'] == 0 else 'hardly ever'} knocks short of gin" for row in others
    ]
    if not knock:
        return capital(" and ".join(never))
    first = f"Half of the knocks of {knock[0]['player']} are with {knock[0]['value_median']:.0f} or less"
    if len(knock) == 1:
        return "; ".join([first, *never])
    if knock[0]["value_median"] == knock[1]["value_median"]:
        return f"Half of the knocks are with {knock[0]['value_median']:.0f} or less, whoever knocks"
    return f"{first}, of those of {knock[1]['player']} with {knock[1]['value_median']:.0f} or less"
