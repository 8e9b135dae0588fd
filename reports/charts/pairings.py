"""Who beats whom, how surely: a dot and a bar for each pairing, the better player named first."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from reports import names, numbers
from reports.canvas import Box, Size, axes, sheet, versus, widest
from reports.scales import range_with_half, share_axis
from reports.style import BG, INK, MUTE, A, N, styled
from reports.words import Words, alt_items

MOST_ROWS = 24
"""More pairings than this: the widest and the narrowest dozen are drawn, and the CSV holds the rest."""
NAME_WIDTH = 270
"""Units that the names of a pairing may take beside the axes."""


def better_first(pairings: pd.DataFrame) -> pd.DataFrame:
    """Return one row a pairing, best rate first: better, worse, rate, lo, hi, pairs, undecided, mirror.

    lo and hi are the limits for all pairings at once.
    """
    turned = (pairings["match_win_rate"] < 0.5).to_numpy()
    rate, lo, hi = (pairings[name].to_numpy() for name in ("match_win_rate", "lo_all", "hi_all"))
    table = pd.DataFrame(
        {
            "better": np.where(turned, pairings["b"], pairings["a"]),
            "worse": np.where(turned, pairings["a"], pairings["b"]),
            "rate": np.where(turned, 1 - rate, rate),
            "lo": np.where(turned, 1 - hi, lo),
            "hi": np.where(turned, 1 - lo, hi),
            "pairs": pairings["pairs"],
            "undecided": pairings["undecided"],
            "mirror": pairings["mirror"],
        }
    )
    return table.sort_values("rate", ascending=False, kind="stable", ignore_index=True)


def shown(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows that are drawn: all, or the dozen widest and the dozen narrowest."""
    if len(table) <= MOST_ROWS:
        return table
    return pd.concat([table.head(MOST_ROWS // 2), table.tail(MOST_ROWS // 2)], ignore_index=True)


def title_of(row: pd.Series, width: float = math.inf) -> str:
    """Name a pairing, the better player first, in no more than this many units."""
    return versus(str(row["better"]), str(row["worse"]), width)


@styled
def figure(frame: pd.DataFrame, size: Size) -> Figure:
    """Draw the table `analysis.pairings`, with short names in a and b."""
    table = better_first(frame)
    rows = shown(table)
    step = 28 if size.is_wide else 36
    sheet_height = 8 + step * len(rows) + 40
    result = sheet(size, sheet_height)
    titles = [title_of(row, NAME_WIDTH) for _, row in rows.iterrows()]
    gutter = widest(_gutter(row, size)[0] for _, row in rows.iterrows()) + 12
    left = widest(titles) + 12 if size.is_wide else 6.0
    ax = axes(result, Box(left, 8, size.width - left - gutter, step * len(rows)))
    ax.set_ylim(len(rows) - 0.5, -0.5)
    ax.set_yticks([])
    share_axis(
        ax,
        range_with_half([*rows["lo"], *rows["hi"]]),
        7 if size.is_wide else 4,
        "Matches won by the first-named player",
    )
    for place, (_, row) in enumerate(rows.iterrows()):
        _row(ax, row, place, size)
    if len(rows) < len(table):
        ax.axhline(len(rows) / 2 - 0.5, color=MUTE, linewidth=1, linestyle=(0, (1, 3)))
    return result


def _row(ax: Axes, row: pd.Series, place: int, size: Size) -> None:
    """Draw one pairing: its name, its dot and bar, and its numbers in the gutter."""
    open_question = row["undecided"] or row["mirror"]
    colour = N if open_question else A
    y = place + (0.0 if size.is_wide else 0.22)
    error = [[row["rate"] - row["lo"]], [row["hi"] - row["rate"]]]
    ax.errorbar(
        [row["rate"]], [y], xerr=error, color=colour, marker="o", capsize=4, capthick=1.6, elinewidth=2,
        markerfacecolor=BG if open_question else A, zorder=3,
    )  # fmt: skip
    grid = ax.get_yaxis_transform()
    if size.is_wide:
        ax.annotate(
            title_of(row, NAME_WIDTH), (0, y), (-8, 0), xycoords=grid, textcoords="offset points", ha="right",
            va="center_baseline",
        )  # fmt: skip
    else:
        name = title_of(row, size.width - 12)
        box = {"facecolor": BG, "edgecolor": "none", "pad": 1}
        ax.text(0, place - 0.2, name, transform=grid, va="center_baseline", bbox=box, zorder=4)
    text, tone = _gutter(row, size)
    ax.annotate(
        text,
        (1, y),
        (8, 0),
        xycoords=grid,
        textcoords="offset points",
        ha="left",
        va="center_baseline",
        color=tone,
    )


def _gutter(row: pd.Series, size: Size) -> tuple[str, str]:
    """Return the number at the right end of a row and its colour."""
    if row["mirror"]:
        return "50 by symmetry" if size.is_wide else "50 exactly", MUTE
    text = numbers.share_with_error(row["rate"], row["lo"], row["hi"])
    if row["undecided"]:
        return (f"{text} undecided" if size.is_wide else f"{text} ?"), MUTE
    return text, INK


def words(frame: pd.DataFrame) -> Words:
    """Say who leads, and what is undecided; the same frame as `figure`."""
    table = better_first(frame)
    rows = shown(table)
    first = table.iloc[0]
    at_once = "" if len(table) == 1 else f", for all {numbers.in_words(len(table))} at once"
    cut = (
        ""
        if len(rows) == len(table)
        else f" Drawn: the {MOST_ROWS // 2} widest and the {MOST_ROWS // 2} narrowest."
    )
    example = numbers.share_with_error(first["rate"], first["lo"], first["hi"])
    items = [_spoken(row) for _, row in rows.iterrows()]
    open_note = " A hollow grey dot whose bar touches 50% is undecided." if table["undecided"].any() else ""
    return Words(
        title=_title(table),
        grey=f"Matches won by the first-named player, {_pairs(table)}; bars are 95% intervals over duplicate "
        f"pairs{at_once}.{cut}",
        how=f"the dot is the share of matches won, the bar what the sample can tell. {names.capital(first['better'])} "
        f"wins {example} of 100 matches against {first['worse']}.{open_note}",
        alt="Dots with bars: matches won by pairing. " + alt_items(items, items[0], items[-1]),
    )


def _title(table: pd.DataFrame) -> str:
    """State who beats all, or how many pairings are decided, and name what is undecided."""
    real = table[~table["mirror"]]
    if real.empty:
        return "A player against itself is even by construction"
    if len(real) == 1:
        return _title_of_one(real.iloc[0])
    undecided = real[real["undecided"]]
    players = set(real["better"]) | set(real["worse"])
    wins = real[~real["undecided"]].groupby("better").size()
    champion = [player for player, won in wins.items() if won == len(players) - 1]
    decided = len(real) - len(undecided)
    if champion:
        start = f"{names.capital(str(champion[0]))} beats every rival"
    else:
        verb = "is" if decided == 1 else "are"
        start = f"{names.capital(numbers.in_words(decided))} of {numbers.plural(len(real), 'pairing')} {verb} decided"
    if len(undecided) == 1:
        row = undecided.iloc[0]
        return f"{start}; {row['better']} against {row['worse']} is undecided"
    if len(undecided) > 1 and champion:
        return f"{start}; {numbers.in_words(len(undecided))} of {numbers.in_words(len(real))} pairings are undecided"
    return start


def _title_of_one(row: pd.Series) -> str:
    """State who wins a single pairing."""
    if row["undecided"]:
        return f"{names.capital(str(row['better']))} against {row['worse']} is undecided"
    return f"{names.capital(str(row['better']))} wins {numbers.of_100(row['rate'])} matches against {row['worse']}"


def _pairs(table: pd.DataFrame) -> str:
    """Say how many duplicate pairs each pairing has."""
    low, high = int(table["pairs"].min()), int(table["pairs"].max())
    return f"{numbers.span(numbers.count(low), numbers.count(high))} duplicate pairs each"


def _spoken(row: pd.Series) -> str:
    """Say one row for those who do not see it."""
    if row["mirror"]:
        return f"{title_of(row)} 50% by symmetry"
    error = numbers.plus_minus(100 * row["rate"], 100 * row["lo"], 100 * row["hi"]).replace(
        "±", "plus or minus "
    )
    state = ", undecided" if row["undecided"] else ""
    return f"{title_of(row)} {numbers.percent(row['rate'])}, {error}{state}"
