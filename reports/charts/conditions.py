"""What each of several conditions, such as sets of rules, brings one player: a dot and a bar for each."""

from __future__ import annotations

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from reports.canvas import Size, fitted, gutter, sheet, widest
from reports.names import capital
from reports.numbers import count, in_words, of_100, plural, share_with_error, span, spoken
from reports.rows import cut_note, mark_cut, name_width, row_axes, row_middle, shown
from reports.scales import range_with_half, share_axis, thin_note
from reports.style import BG, INK, MUTE, SIDE, N, styled
from reports.words import Words, alt_items

MOST_NAMED = 2
"""So many of the runs that surely differ from the first are named in a title."""


@styled
def figure(frame: pd.DataFrame, size: Size) -> Figure:
    """Draw one pairing's rows of `analysis.conditions`, each with a ``label``: the shares of player a."""
    rows = shown(frame)
    step = 28 if size.is_wide else 36
    result = sheet(size, 8 + step * len(rows) + 40)
    names = [fitted(str(label), name_width(size)) for label in rows["label"]]
    right = widest(_number(row, size)[0] for _, row in rows.iterrows()) + 12
    ax = row_axes(result, names, (8, step), right)
    one = fitted(str(frame["a"].iloc[0]), 170 if size.is_wide else 90)
    limits = range_with_half([*rows["lo_all"], *rows["hi_all"]])
    share_axis(ax, limits, 7 if size.is_wide else 4, f"Matches won by {one}")
    for place, (_, row) in enumerate(rows.iterrows()):
        _row(ax, row, row_middle(place, size), size)
    mark_cut(ax, frame)
    return result


def is_change(row: pd.Series) -> bool:
    """Tell whether a row is surely different from the first run of its pairing."""
    return bool(row["change_lo"] > 0 or row["change_hi"] < 0)


def favours(row: pd.Series) -> int:
    """Return +1 if player a surely wins most matches in this row, -1 if b does, 0 if it is undecided."""
    return int(row["lo_all"] > 0.5) - int(row["hi_all"] < 0.5)


def _row(ax: Axes, row: pd.Series, y: float, size: Size) -> None:
    """Draw one condition: its dot and bar, and its numbers in the gutter."""
    look = {1: SIDE["A"], -1: SIDE["B"], 0: {"color": N, "marker": "o", "markerfacecolor": BG}}[favours(row)]
    share = float(row["match_win_rate"])
    error = [[share - row["lo_all"]], [row["hi_all"] - share]]
    ax.errorbar(
        [share], [y], xerr=error, **look | {"linestyle": "none"}, capsize=4, capthick=1.6, elinewidth=2, zorder=3
    )
    text, tone = _number(row, size)
    gutter(ax, 1, y, 8, text, color=tone)


def _number(row: pd.Series, size: Size) -> tuple[str, str]:
    """Return the number at the right end of a row and its colour."""
    text = share_with_error(row["match_win_rate"], row["lo_all"], row["hi_all"])
    if favours(row):
        return text, INK
    return (f"{text} undecided" if size.is_wide else f"{text} ?"), MUTE


def words(frame: pd.DataFrame) -> Words:
    """Say how far the conditions lie apart; the attribute ``phrases`` says how each is told in a sentence."""
    one, other = str(frame["a"].iloc[0]), str(frame["b"].iloc[0])
    rows = shown(frame)
    items = [
        f"{row['label']} {spoken(row['match_win_rate'], row['lo_all'], row['hi_all'])}"
        + ("" if favours(row) else ", undecided")
        for _, row in rows.iterrows()
    ]
    first = frame.iloc[0]
    share = share_with_error(first["match_win_rate"], first["lo_all"], first["hi_all"])
    pairs = span(count(int(frame["pairs"].min())), count(int(frame["pairs"].max())))
    return Words(
        title=title(frame, frame.attrs["phrases"]),
        grey=f"Matches won by {one} against {other}, {pairs} duplicate pairs a run; bars are 95% intervals over "
        f"duplicate pairs, for all {in_words(len(frame))} runs at once.{cut_note(frame, 'first', 'last')}"
        f"{thin_note(rows['lo_all'], rows['hi_all'])}",
        how=f"the dot is the share of matches won, the bar what the sample can tell. {capital(one)} wins {share} of "
        f"100 matches {frame.attrs['phrases'][first['label']]}. {_marks(frame, one, other)}{_overlap(frame)}",
        alt=f"Dots with bars: matches won by {one} against {other}, by condition. "
        + alt_items(items, items[0], items[-1]),
    )


def _marks(frame: pd.DataFrame, one: str, other: str) -> str:
    """Explain the marks that are drawn."""
    kinds = {favours(row) for _, row in frame.iterrows()}
    told = {
        1: f"A blue dot: {one} wins most.",
        -1: f"A hollow orange square: {other} does.",
        0: "A hollow grey dot whose bar touches 50% is undecided.",
    }
    return " ".join(text for kind, text in told.items() if kind in kinds)


def _are_apart(low: pd.Series, high: pd.Series) -> bool:
    """Tell whether the bars of two rows do not meet."""
    return bool(low["hi_all"] < high["lo_all"])


def _least_and_most(frame: pd.DataFrame) -> tuple[pd.Series, pd.Series]:
    ranked = frame.sort_values("match_win_rate", kind="stable")
    return ranked.iloc[0], ranked.iloc[-1]


def _changed(frame: pd.DataFrame) -> list[pd.Series]:
    """Return the rows that surely differ from the first."""
    return [row for _, row in frame.iterrows() if is_change(row)]


def _overlap(frame: pd.DataFrame) -> str:
    """Say what the title rests on where bars that meet are told apart: a sentence after a space, or an empty text."""
    if _are_apart(*_least_and_most(frame)) or not _changed(frame):
        return ""
    return " Bars that meet leave open what the change from run to run itself may tell: on that the title rests."


def title(frame: pd.DataFrame, phrases: dict[str, str]) -> str:
    """State the least and the most that player a wins, or the first run and those that surely differ from it.

    The changes are paired by the cards where the seeds are the same: they may be sure although the shares are not
    apart.
    """
    low, high = _least_and_most(frame)
    if _are_apart(low, high):
        return f"{_won(high, phrases)}, {_whole(low)} {phrases[low['label']]}"
    first, changed = frame.iloc[0], _changed(frame)
    if not changed:
        return f"What {low['a']} wins against {low['b']} cannot be told apart in {in_words(len(frame))} runs"
    named = ", ".join(f"{_than(row, first)} {phrases[row['label']]}" for row in changed[:MOST_NAMED])
    others = len(changed) - MOST_NAMED
    more = f", and surely otherwise in {plural(others, 'more run')}" if others > 0 else ""
    return f"{_won(first, phrases)}, {named}{more}"


def _won(row: pd.Series, phrases: dict[str, str]) -> str:
    """Say what player a wins in one run."""
    wins = f"{capital(str(row['a']))} wins {of_100(row['match_win_rate'])} matches"
    return f"{wins} against {row['b']} {phrases[row['label']]}"


def _whole(row: pd.Series) -> str:
    """Write a share as whole cases of a hundred."""
    return of_100(row["match_win_rate"]).removesuffix(" of 100")


def _than(row: pd.Series, first: pd.Series) -> str:
    """Write a share that is surely not the first one as whole cases of a hundred, or in words if these are the same."""
    if _whole(row) != _whole(first):
        return _whole(row)
    return "surely more" if row["change"] > 0 else "surely fewer"
