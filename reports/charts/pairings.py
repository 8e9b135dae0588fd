"""Who beats whom, how surely: a dot and a bar for each pairing, the better player named first."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from reports.canvas import Size, gutter, sheet, versus, widest
from reports.names import capital
from reports.numbers import count, in_words, of_100, share_with_error, span, spoken
from reports.rows import cut_note, mark_cut, name_width, row_axes, row_middle, shown
from reports.scales import range_with_half, share_axis, thin_note
from reports.style import BG, INK, MUTE, A, N, styled
from reports.words import Words, alt_items


def by_rate(pairings: pd.DataFrame) -> pd.DataFrame:
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


def title_of(row: pd.Series, width: float = math.inf) -> str:
    """Name a pairing, the better player first, in no more than this many units."""
    return versus(str(row["better"]), str(row["worse"]), width)


@styled
def figure(frame: pd.DataFrame, size: Size) -> Figure:
    """Draw the table `analysis.pairings`, with short names in a and b."""
    table = by_rate(frame)
    rows = shown(table)
    step = 28 if size.is_wide else 36
    result = sheet(size, 8 + step * len(rows) + 40)
    titles = [title_of(row, name_width(size)) for _, row in rows.iterrows()]
    right = widest(_number(row, size)[0] for _, row in rows.iterrows()) + 12
    ax = row_axes(result, titles, (8, step), right)
    limits = range_with_half([*rows["lo"], *rows["hi"]])
    share_axis(ax, limits, 7 if size.is_wide else 4, "Matches won by the first-named")
    for place, (_, row) in enumerate(rows.iterrows()):
        _row(ax, row, row_middle(place, size), size)
    mark_cut(ax, table)
    return result


def _row(ax: Axes, row: pd.Series, y: float, size: Size) -> None:
    """Draw one pairing: its dot and bar, and its numbers in the gutter."""
    even = row["undecided"] or row["mirror"]
    error = [[row["rate"] - row["lo"]], [row["hi"] - row["rate"]]]
    ax.errorbar(
        [row["rate"]], [y], xerr=error, color=N if even else A, marker="o", capsize=4, capthick=1.6, elinewidth=2,
        markerfacecolor=BG if even else A, zorder=3,
    )  # fmt: skip
    text, tone = _number(row, size)
    gutter(ax, 1, y, 8, text, color=tone)


def _number(row: pd.Series, size: Size) -> tuple[str, str]:
    """Return the number at the right end of a row and its colour."""
    if row["mirror"]:
        return "50 by symmetry" if size.is_wide else "50 exactly", MUTE
    text = share_with_error(row["rate"], row["lo"], row["hi"])
    if row["undecided"]:
        return (f"{text} undecided" if size.is_wide else f"{text} ?"), MUTE
    return text, INK


def words(frame: pd.DataFrame) -> Words:
    """Say who leads, and what is undecided; the same frame as `figure`."""
    table = by_rate(frame)
    rows = shown(table)
    first = table.iloc[0]
    at_once = "" if len(table) == 1 else f", for all {in_words(len(table))} at once"
    items = [_spoken(row) for _, row in rows.iterrows()]
    return Words(
        title=_title(table),
        grey=f"Matches won by the first-named, {_pairs(table)}; bars are 95% intervals over duplicate "
        f"pairs{at_once}.{cut_note(table, 'widest', 'narrowest')}{thin_note(rows['lo'], rows['hi'])}",
        how=f"the dot is the share of matches won, the bar what the sample can tell. {_worked(first)}"
        + (" A hollow grey dot whose bar touches 50% is undecided." if table["undecided"].any() else ""),
        alt="Dots with bars: matches won by pairing. " + alt_items(items, items[0], items[-1]),
    )


def _worked(row: pd.Series) -> str:
    """Read one row aloud."""
    if row["mirror"]:
        return f"{capital(row['better'])} splits every pair with itself."
    share = share_with_error(row["rate"], row["lo"], row["hi"])
    return f"{capital(row['better'])} wins {share} of 100 matches against {row['worse']}."


def _title(table: pd.DataFrame) -> str:
    """State who beats all, or how many pairings are decided, and name what is undecided."""
    real = table[table["better"] != table["worse"]]
    if real.empty:
        return "A player against itself is even by construction"
    if len(real) == 1:
        return _title_of_one(real.iloc[0])
    undecided = real[real["undecided"]]
    champion = _champion(real)
    decided = len(real) - len(undecided)
    start = f"{capital(in_words(decided))} of {in_words(len(real))} pairings {'is' if decided == 1 else 'are'} decided"
    if not decided:
        start = f"None of {in_words(len(real))} pairings is decided"
    if champion:
        start = f"{capital(champion)} beats every rival"
    if len(undecided) == 1:
        row = undecided.iloc[0]
        return f"{start}; {row['better']} against {row['worse']} is undecided"
    if len(undecided) > 1 and champion:
        return f"{start}; {in_words(len(undecided))} of {in_words(len(real))} pairings are undecided"
    return start


def _champion(real: pd.DataFrame) -> str:
    """Return the player who surely beats each of the others, or an empty text."""
    players = set(real["better"]) | set(real["worse"])
    wins = real[~real["undecided"]].groupby("better").size()
    return next((str(player) for player, won in wins.items() if won == len(players) - 1), "")


def _title_of_one(row: pd.Series) -> str:
    """State who wins a single pairing."""
    better = capital(str(row["better"]))
    if row["undecided"]:
        return f"{better} against {row['worse']} is undecided"
    return f"{better} wins {of_100(row['rate'])} matches against {row['worse']}"


def _pairs(table: pd.DataFrame) -> str:
    """Say how many duplicate pairs each pairing has."""
    low, high = int(table["pairs"].min()), int(table["pairs"].max())
    return f"{span(count(low), count(high))} duplicate pairs each"


def _spoken(row: pd.Series) -> str:
    """Say one row for those who do not see it."""
    said = spoken(row["rate"], row["lo"], row["hi"])
    return f"{title_of(row)} {said}{', undecided' if row['undecided'] else ''}"
