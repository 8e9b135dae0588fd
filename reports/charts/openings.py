"""When each player gets on the score: how many matches have a column open by deal n, a panel a column."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from reports.canvas import Box, Size, axes, fitted_side_by_side, sheet, text_width, write, write_run
from reports.names import capital
from reports.numbers import ORDINALS, count, of_100, plural, widest_half
from reports.scales import whole_ticks
from reports.style import INK, LINE, MUTE, NOTE, SIDE, styled
from reports.words import Words

HEAD, PANEL = 44, {"wide": 190, "narrow": 150}
"""Units above each panel for its two lines, and the panel's height."""


def of_pairing(openings: pd.DataFrame, half_open: pd.DataFrame, deals: int) -> pd.DataFrame:
    """Return the rows of one pairing up to a deal, every curve to its end, with the column half_open_by.

    `openings` and `half_open` are the tables of `analysis`, already of one pairing. A curve that has reached
    its last opening stays level.
    """
    curves = []
    for (side, column), own in openings.groupby(["side", "column"], sort=True):
        curve = own.set_index("deal").reindex(range(1, deals + 1)).ffill().reset_index()
        halves = half_open[(half_open["side"] == side) & (half_open["column"] == column)]
        curves.append(
            curve.assign(side=str(side), column=int(str(column)), half_open_by=halves["half_open_by"].iloc[0])
        )
    return pd.concat(curves, ignore_index=True)


def at_rounds(frame: pd.DataFrame, deals_a_round: int) -> pd.DataFrame:
    """Return the table `of_pairing` at the last deal of each round, when its entries are made."""
    return frame[frame["deal"] % deals_a_round == 0].reset_index(drop=True)


@styled
def figure(frame: pd.DataFrame, size: Size) -> Figure:
    """Draw the table that `of_pairing` makes, with short names in a and b."""
    columns = sorted(frame["column"].unique())
    height = PANEL[size.name]
    count_across = len(columns) if size.is_wide else 1
    count_down = len(columns) // count_across
    result = sheet(size, 24 + count_down * (HEAD + height + 22) + 22)
    _legend(result, frame, size)
    gap, left = 26, 48
    width = (size.width - left - 10 - gap * (count_across - 1)) / count_across
    for number, column in enumerate(columns):
        across, down = (number, 0) if size.is_wide else (0, number)
        corner = (left + across * (width + gap), 24 + down * (HEAD + height + 22))
        own = frame[frame["column"] == column]
        _head(result, own, corner, _column(column, len(columns)))
        ax = axes(result, Box(corner[0], corner[1] + HEAD, width, height))
        _panel(ax, own, across == 0)
    bottom = 24 + count_down * (HEAD + height + 22)
    write(result, (size.width + left) / 2, bottom + 8, "Deals played in the match", ha="center", color=MUTE)
    return result


def _legend(result: Figure, frame: pd.DataFrame, size: Size) -> None:
    """Name both sides above the panels, each with its mark and its kind of line."""
    left = 48.0 if size.is_wide else 4.0
    sides = sorted(frame["side"].unique())
    names = [str(frame[side.lower()].iloc[0]) for side in sides]
    for side, name in zip(sides, fitted_side_by_side(names, size.width - left - 2 * 38 - 28), strict=True):
        ax = axes(result, Box(left, 2, 30, 20))
        ax.axis("off")
        ax.set_xlim(0, 2)
        ax.plot([0, 1, 2], [0, 0, 0], **SIDE[side], markevery=[1], clip_on=False)
        write(result, left + 38, 13, name, ha="left", color=SIDE[side]["color"])
        left += 38 + text_width(name) + 28


def _column(column: object, of: int) -> str:
    """Name a column of a sheet that has so many."""
    return "the column" if of == 1 else f"column {column}"


def _head(result: Figure, own: pd.DataFrame, corner: tuple[float, float], name: str) -> None:
    """Write the panel's column, and by which deal each side had it open in half of the matches."""
    left, top = corner
    write(result, left, top + 12, capital(name), ha="left", weight="bold")
    halves = own.groupby("side")["half_open_by"].first()
    pieces: list[tuple[str, dict[str, object]]] = [("half open by", {"fontsize": NOTE, "color": MUTE})]
    for number, (side, deal) in enumerate(halves.items()):
        if number:
            pieces.append(("/", {"fontsize": NOTE, "color": MUTE}))
        pieces.append((_by(deal), {"fontsize": NOTE, "color": SIDE[str(side)]["color"], "weight": "bold"}))
    write_run(result, left, top + 30, pieces)


def _panel(ax: Axes, own: pd.DataFrame, with_labels: bool) -> None:
    """Draw both sides' curves in one column, with their bands."""
    last = int(own["deal"].max())
    ax.set_xlim(0, last + 0.45)
    ax.set_ylim(0, 1.03)
    ticks = [0, 0.25, 0.5, 0.75, 1]
    ax.set_yticks(ticks, [f"{100 * tick:.0f}%" for tick in ticks] if with_labels else [""] * len(ticks))
    ax.set_xticks(whole_ticks(last, 7))
    ax.grid(True, color=LINE)
    ax.axhline(0.5, color=INK, linewidth=1.2, linestyle=(0, (1, 2)), zorder=1.5)
    for side, curve in own.groupby("side"):
        look = SIDE[str(side)]
        deals, shares = [0, *curve["deal"]], [0, *curve["share"]]
        ax.fill_between(curve["deal"], curve["lo"], curve["hi"], color=look["color"], alpha=0.2, linewidth=0)
        ax.plot(deals, shares, **look, markersize=5, markeredgewidth=1.3, markevery=slice(1, None), clip_on=False)


def words(frame: pd.DataFrame) -> Words:
    """Say who opens earlier and by how many deals, from the same frame as `figure`.

    Attributes of it: ``pairs``, and ``deals_a_round``. Without rows of side B, a player plays itself.
    """
    rounds = frame.attrs.get("deals_a_round", 1) > 1
    players = {side: str(frame[side.lower()].iloc[0]) for side in sorted(frame["side"].unique())}
    halves = frame.groupby(["column", "side"])["half_open_by"].first().unstack()
    last = frame[frame["column"] == frame["column"].max()].groupby("side").tail(1).iloc[0]
    items = [
        f"{_column(column, len(halves))}: "
        + ", ".join(f"{player} {_by(row[side])}" for side, player in players.items())
        for column, row in halves.iterrows()
    ]
    who = " against ".join(players.values()) if len(players) > 1 else f"{players['A']} against itself"
    return Words(
        title=_title(halves, players, _widest_gap(frame)),
        grey=f"Share of matches in which {'the' if len(halves) == 1 else 'a'} column is open by deal n"
        f"{', marked at the second deal of each round' if rounds else ''}; {who}, "
        f"{count(int(frame.attrs.get('pairs', 0)))} duplicate pairs. 95% bands are within "
        f"{widest_half(frame['lo'], frame['hi'])} points.",
        how=f"{_marks(players)} The dotted line is half of all matches. By deal {last['deal']}, {players['A']} has "
        f"opened {_column(last['column'], len(halves))} in {of_100(last['share'])} matches"
        f"{'' if last['share'] == 1 else '; in the others it has no entry there by then'}.",
        alt=f"Curves{'' if len(halves) == 1 else ', a panel a column'}: share of matches in which "
        f"each has {'the column' if len(halves) == 1 else 'it'} open, by deal. Open in half "
        "of the matches by: " + "; ".join(items) + ".",
    )


def _marks(players: dict[str, str]) -> str:
    """Name colours and shapes."""
    said = f"blue dots and a solid line are {players['A']}"
    return f"{said}, hollow orange squares and a dashed line {players['B']}." if "B" in players else f"{said}."


def _by(deal: Any) -> str:
    """Say by which deal half of the matches had the column open; a missing value means never."""
    return "never" if pd.isna(deal) else f"deal {deal}"


SAME_PACE = 0.05
"""Curves that are never this far apart look like one; a lag of a deal between them would be an artefact of counting."""


def _widest_gap(frame: pd.DataFrame) -> float:
    """Return how far apart the two sides' curves get, as a share of matches; 0 with one side."""
    curves = frame.pivot_table(index=["column", "deal"], columns="side", values="share")
    return float((curves["A"] - curves["B"]).abs().max()) if "B" in curves else 0.0


def _title(halves: pd.DataFrame, players: dict[str, str], gap: float) -> str:
    """State the largest lag between the two players, in deals."""
    a, columns = capital(players["A"]), len(halves)
    if "B" not in players:
        last = _column(halves.index[-1], columns)
        return f"{a} has {last} open by {_by(halves['A'].iloc[-1])} in half of its matches"
    if gap < SAME_PACE:
        near = f"within {plural(math.ceil(round(100 * gap, 6)), 'point')}"
        return f"{a} and {players['B']} {_open_theirs(columns)} at nearly the same pace, {near}"
    never = halves[halves.isna().any(axis=1)]
    if len(never):
        late = players["A"] if pd.isna(never["A"].iloc[0]) else players["B"]
        return f"{capital(late)} never has {_column(never.index[0], columns)} open in half of the matches"
    lags = (halves["B"] - halves["A"]).sort_index(ascending=False)
    if not lags.any():
        return f"{a} and {players['B']} {_open_theirs(columns)} at the same pace"
    column = int(str(lags.abs().idxmax()))
    early, late = (players["A"], players["B"]) if lags[column] > 0 else (players["B"], players["A"])
    lag = plural(int(abs(lags[column])), "deal")
    which = "column" if columns == 1 else f"{ORDINALS[column - 1]} column"
    return f"{capital(early)} opens its {which} {lag} before {late}"


def _open_theirs(columns: int) -> str:
    """Say that two players open the columns of a sheet that has so many."""
    return "open the column" if columns == 1 else "open their columns"
