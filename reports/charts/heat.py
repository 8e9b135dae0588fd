"""All pairs at a glance: strongest player first, seven shades, the number in each cell."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from reports.canvas import Box, Size, axes, fitted, sheet, text_width, widest
from reports.names import capital
from reports.numbers import count, in_words, plural, points
from reports.style import MUTE, NOTE, SEVEN, TEXT, N, styled
from reports.words import Words, alt_items

CAP = 0.95
"""The shades end at this quantile of the leads."""
HOPELESS = 2.0
"""A player whose typical lead is this many times everybody's is left out of it: it would eat the scale."""
NAME_WIDTH = {"wide": 170.0, "narrow": 105.0}
MOST_NUMBERS = 7
"""More players than this leave no room for numbers in the narrow drawing."""
FEWEST, MOST = 4, 20
"""Numbers of players for which there is a map."""


def bounds(frame: pd.DataFrame) -> tuple[int, int, int]:
    """Return where the shades change, in whole points from one half: the inner, middle and outer bound."""
    leads = (frame["rate"] - 0.5).abs()
    typical = leads.groupby(frame["row"]).median()
    usual = typical[typical <= HOPELESS * leads.median()].index
    among = leads[frame["row"].isin(usual) & frame["column"].isin(usual)]
    cap = 100 * float(np.quantile(among if len(among) else leads, CAP))
    inner = max(1, round(0.16 * cap))
    middle = max(inner + 1, round(0.5 * cap))
    return inner, middle, max(middle + 1, round(0.85 * cap))


def shade(rate: float, limits: tuple[int, int, int]) -> int:
    """Return the shade of a rate: 0 (all to the rival) to 6 (all to the row player)."""
    lead = 100 * (rate - 0.5)
    steps = sum(abs(lead) >= limit for limit in limits)
    return 3 + int(math.copysign(steps, lead))


@styled
def figure(frame: pd.DataFrame, size: Size) -> Figure:
    """Draw the table that `cells` makes, with short names in row and column."""
    players = list(dict.fromkeys(frame["row"]))
    own_names = [fitted(player, NAME_WIDTH[size.name]) for player in players]
    rank_width = text_width(str(len(players))) + 10
    left = widest(own_names) + rank_width + 10
    cell = min((size.width - left - 8) / len(players), 76 if size.is_wide else 48)
    height = max(14, min(cell, 32 if size.is_wide else 24))
    result = sheet(size, 22 + height * len(players) + 58)
    ax = axes(result, Box(left, 22, cell * len(players), height * len(players)))
    ax.set_xlim(0, len(players))
    ax.set_ylim(len(players), 0)
    ax.axis("off")
    limits = bounds(frame)
    for _, row in frame.iterrows():
        _cell(
            ax,
            row,
            (players.index(row["column"]), players.index(row["row"])),
            (limits, _number_size(players, size)),
        )
    for place, name in enumerate(own_names):
        _labels(ax, place, name, (cell, rank_width))
    width = min(size.width - left - 2, 340)
    _key(axes(result, Box(left, 22 + height * len(players) + 22, width, 12)), limits)
    return result


def _number_size(players: Sequence[str], size: Size) -> float | None:
    """Return the type size of the numbers in the cells, None where a mark must do."""
    if size.is_wide:
        return TEXT if len(players) <= 12 else 10.5
    return NOTE if len(players) <= MOST_NUMBERS else None


def _cell(ax: Axes, row: pd.Series, place: tuple[int, int], look: tuple[tuple[int, int, int], float | None]) -> None:
    """Draw one cell: its shade, and its number, or a dot if it is undecided and too small for a number."""
    x, y = place
    limits, number_size = look
    colour, text_colour = SEVEN[shade(row["rate"], limits)]
    ax.add_patch(Rectangle((x + 0.02, y + 0.03), 0.96, 0.94, facecolor=colour, edgecolor="none"))
    if number_size is None:
        if row["undecided"]:
            ax.plot([x + 0.5], [y + 0.5], marker="o", markersize=4, color=MUTE, markeredgewidth=0)
        elif row["rate"] < 0.5:  # orange and blue are alike in greyscale
            ax.plot([x + 0.35, x + 0.65], [y + 0.5, y + 0.5], color=text_colour, linewidth=1)
        return
    text = points(row["rate"], 0)
    text = f"≈{text}" if row["undecided"] else text
    ax.text(x + 0.5, y + 0.53, text, ha="center", va="center_baseline", color=text_colour, fontsize=number_size)


def _labels(ax: Axes, place: int, name: str, widths: tuple[float, float]) -> None:
    """Write a player's name and rank beside its row, its rank above its column; cross out where they meet."""
    cell, rank_width = widths
    rank = str(place + 1)
    ax.text(-8 / cell, place + 0.53, rank, ha="right", va="center_baseline")
    ax.text(-(8 + rank_width) / cell, place + 0.53, name, ha="right", va="center_baseline")
    if cell >= text_width("00") or (place + 1) % 5 == 0 or place == 0:  # else the ranks would run together
        ax.text(place + 0.5, -0.35, rank, ha="center", va="center_baseline")
    ax.plot([place + 0.35, place + 0.65], [place + 0.7, place + 0.3], color=N, linewidth=1)


def _key(ax: Axes, limits: tuple[int, int, int]) -> None:
    """Draw the seven shades with the rates at which they change."""
    ax.set_xlim(0, 7)
    ax.set_ylim(0, 1)
    for number, (colour, _) in enumerate(SEVEN):
        ax.add_patch(Rectangle((number + 0.02, 0), 0.96, 1, facecolor=colour, edgecolor="none"))
    changes = [50 - limit for limit in reversed(limits)] + [50 + limit for limit in limits]
    ax.set_xticks(range(1, 7), [f"{change}%" for change in changes], fontsize=NOTE)
    ax.set_yticks([])
    ax.spines["bottom"].set_visible(False)


def cells(pairings: pd.DataFrame, ranked: Sequence[str]) -> pd.DataFrame:
    """Return the cells of the map from `analysis.pairings`: row, column, rate, lo, hi, undecided, pairs.

    `ranked` holds the players, the strongest first; rows and columns follow it. lo and hi are for all
    pairings at once.
    """
    one = pairings.rename(columns={"a": "row", "b": "column", "match_win_rate": "rate", "lo_all": "lo", "hi_all": "hi"})
    one = one[["row", "column", "rate", "lo", "hi", "undecided", "pairs"]]
    other = one.assign(row=one["column"], column=one["row"], rate=1 - one["rate"], lo=1 - one["hi"], hi=1 - one["lo"])
    both = pd.concat([one, other], ignore_index=True)
    both = both[both["row"] != both["column"]]
    rank = {player: place for place, player in enumerate(ranked)}
    both = both.assign(y=both["row"].map(rank), x=both["column"].map(rank)).sort_values(["y", "x"], ignore_index=True)
    return both.drop(columns=["x", "y"])


def words(frame: pd.DataFrame) -> Words:
    """Say who beats whom, from the same frame as `figure`.

    Its attribute ``cycle`` may name three players who beat each other in a circle, ``who`` says what they are.
    """
    who = frame.attrs.get("who", "player")
    players = list(dict.fromkeys(frame["row"]))
    best = frame[frame["row"] == players[0]].sort_values("rate").iloc[-1]
    upper = _upper(frame)
    items = [f"{row['row']} {points(row['rate'], 0)} against {row['column']}" for _, row in upper.iterrows()]
    small = " In small cells a stroke marks that the rival wins more." if len(players) > MOST_NUMBERS else ""
    return Words(
        title=_title(frame),
        grey=f"Matches won by the row {who}, per 100; {in_words(len(players))} {who}s, "
        f"{count(int(frame['pairs'].max()))} duplicate pairs a pairing.",
        how=f"pick a row ({who}) and a column (rival, by rank): {players[0]} wins {points(best['rate'], 0)} of "
        f"100 matches against {best['column']}. Blue: the row {who} wins more; orange: the rival; grey: "
        f"nearly even.{small}{_undecided(int(upper['undecided'].sum()))}",
        alt=f"Table of shades: matches won by row {who} against column {who}, strongest first. "
        + alt_items(items, items[0], items[-1]),
    )


def _undecided(pairings: int) -> str:
    """Say how many pairings are undecided and how they are marked."""
    if not pairings:
        return ""
    verb = "is" if pairings == 1 else "are"
    return (
        f" {capital(plural(pairings, 'pairing'))} {verb} undecided (≈, or a dot): the 95% interval for all "
        "pairings at once touches 50."
    )


def _upper(frame: pd.DataFrame) -> pd.DataFrame:
    """Return each pairing once, from the stronger player's row."""
    players = list(dict.fromkeys(frame["row"]))
    rank = {player: place for place, player in enumerate(players)}
    return frame[frame["row"].map(rank) < frame["column"].map(rank)]


def _title(frame: pd.DataFrame) -> str:
    """State a circle or an upset, or that the order is clear."""
    circle = frame.attrs.get("cycle")
    if circle:
        x, y, z = circle
        return f"{capital(x)} beats {y}, {y} beats {z}, and {z} beats {x}"
    upper = _upper(frame)
    upsets = upper[~upper["undecided"] & (upper["rate"] < 0.5)]
    if len(upsets):
        row = upsets.sort_values("rate").iloc[0]
        return f"{capital(row['column'])} beats {row['row']}, though it wins fewer matches over all"
    if upper["undecided"].any():
        who = frame.attrs.get("who", "player")
        return f"No one loses to a {who} ranked below, but some neighbours cannot be told apart"
    return f"The order of the {in_words(frame['row'].nunique())} is clear: each beats all those ranked below"
