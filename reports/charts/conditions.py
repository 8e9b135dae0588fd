"""What each of several conditions, such as sets of rules, brings one player: a dot and a bar for each."""

from __future__ import annotations

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from reports.canvas import Size, fitted, gutter, sheet, widest
from reports.names import capital
from reports.numbers import count, in_words, of_100, share_with_error, span, spoken
from reports.rows import cut_note, mark_cut, name_width, row_axes, row_middle, shown
from reports.scales import range_with_half, share_axis, thin_note
from reports.style import BG, INK, MUTE, SIDE, N, styled
from reports.words import Words, alt_items


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
        f"100 matches {frame.attrs['phrases'][first['label']]}. {_marks(frame, one, other)}",
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


def title(frame: pd.DataFrame, phrases: dict[str, str]) -> str:
    """State the least and the most that player a wins, or that nothing can be told apart."""
    ranked = frame.sort_values("match_win_rate", kind="stable")
    low, high = ranked.iloc[0], ranked.iloc[-1]
    name = str(low["a"])
    if low["hi_all"] >= high["lo_all"]:
        return f"What {name} wins against {low['b']} cannot be told apart in {in_words(len(frame))} runs"
    return (
        f"{capital(name)} wins {of_100(high['match_win_rate'])} matches against {low['b']} {phrases[high['label']]}, "
        f"{of_100(low['match_win_rate']).removesuffix(' of 100')} {phrases[low['label']]}"
    )
