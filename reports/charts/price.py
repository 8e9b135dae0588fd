"""What a deal is worth: the winning chance that changes hands with it, by how many columns either side has opened."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from analysis.deal_prices import ENOUGH_DEALS
from reports.canvas import Box, Size, axes, fitted, sheet, text_width, write
from reports.names import capital
from reports.numbers import count, in_words, number, of_100, plural, plus_minus
from reports.rows import each
from reports.style import A2, A3, BG, INK, LINE, MUTE, N2, NOTE, ON2, styled
from reports.words import Words, alt_items

LEFT, TOP, KEY = 66, 44, 34
"""Units left of and above the cells, for names and numbers of columns; and below them, for the key."""
SHADES = ((N2, INK), (A3, INK), (A2, ON2))
"""Three shades, from cheap to dear, each with the colour of text on it."""


def shade_limits(frame: pd.DataFrame) -> tuple[int, int]:
    """Return the two prices, in whole points of a hundred, at which the shades change: thirds of what there is."""
    low, high = 100 * float(frame["price"].min()), 100 * float(frame["price"].max())
    first = round(low + (high - low) / 3)
    return first, max(first + 1, round(low + 2 * (high - low) / 3))


def shade(price: float, limits: tuple[int, int]) -> int:
    """Return the shade of a price (a fraction), as it is written: 0 (cheap) to 2 (dear)."""
    return sum(round(100 * price, 1) >= limit for limit in limits)


def every_state(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the table with a row, without price, also for states that never occurred."""
    states = range(_columns(frame) + 1)
    return frame.set_index(["mine", "theirs"]).reindex(list(product(states, states))).reset_index()


@styled
def figure(frame: pd.DataFrame, size: Size) -> Figure:
    """Draw the table `analysis.deal_price`, with short names in a and b; some state must have a price."""
    columns = _columns(frame)
    cell = 68 if size.is_wide else 54
    height = cell * (columns + 1)
    result = sheet(size, TOP + height + KEY)
    width = size.width - LEFT - 2
    ax = axes(result, Box(LEFT, TOP, width, height))
    ax.set_xlim(0, columns + 1)
    ax.set_ylim(columns + 1, 0)
    ax.axis("off")
    limits = shade_limits(frame)
    for row in each(every_state(frame)):
        _cell(ax, row, limits)
    for place, text in enumerate(_opened(columns)):
        write(result, LEFT + width * (place + 0.5) / (columns + 1), 32, text, ha="center")
        write(result, LEFT - 10, TOP + cell * (place + 0.5), text, ha="right")
    mine, theirs = _axis_titles(frame)
    write(result, LEFT + width / 2, 10, fitted(theirs, width), ha="center", color=MUTE)
    write(result, 10, TOP + height / 2, fitted(mine, height), ha="center", va="center", color=MUTE, rotation=90)
    _key(result, (LEFT, TOP + height + 20), limits)
    return result


def _columns(frame: pd.DataFrame) -> int:
    """Return the most columns that either side opened."""
    return int(max(frame["mine"].max(), frame["theirs"].max(), 1))


def _opened(columns: int) -> list[str]:
    """Name the numbers of opened columns, from none to all."""
    return ["none", *map(str, range(1, columns)), f"all {columns}" if columns > 1 else "1"]


def _axis_titles(frame: pd.DataFrame) -> tuple[str, str]:
    """Say whose opened columns rows and columns of the figure count."""
    one, other = _sides(frame)
    return f"Opened by {one}", f"Columns opened by {other}"


def _sides(frame: pd.DataFrame) -> tuple[str, str]:
    """Name the two sides; where a player meets itself, one and the other."""
    a, b = str(frame["a"].iloc[0]), str(frame["b"].iloc[0])
    return (a, b) if a != b else ("one side", "the other")


def _cell(ax: Axes, row: pd.Series, limits: tuple[int, int]) -> None:
    """Draw one state: its shade, its price and its ±, or that there are too few deals."""
    x, y = float(row["theirs"]), float(row["mine"])
    box = (x + 0.015, y + 0.03), 0.97, 0.94
    if math.isnan(row["price"]):
        ax.add_patch(Rectangle(*box, facecolor=BG, edgecolor=LINE))
        ax.text(x + 0.5, y + 0.5, "too few", ha="center", va="center_baseline", color=MUTE, fontsize=NOTE)
        return
    colour, tone = SHADES[shade(row["price"], limits)]
    ax.add_patch(Rectangle(*box, facecolor=colour, edgecolor="none"))
    ax.text(x + 0.5, y + 0.38, _points(row["price"]), ha="center", va="center_baseline", color=tone, weight="bold")
    ax.text(x + 0.5, y + 0.7, _error(row), ha="center", va="center_baseline", color=tone, fontsize=NOTE)


def _key(figure: Figure, start: tuple[float, float], limits: tuple[int, int]) -> None:
    """Say which prices, in points, the shades stand for."""
    left, top = start
    low, high = (number(limit, 0) for limit in limits)
    width, height = figure.get_size_inches() * 72
    for (colour, _), text in zip(SHADES, (f"under {low}", f"{low} to {high}", f"{high} and more"), strict=True):
        corner = left / width, 1 - (top + 6) / height
        figure.add_artist(Rectangle(corner, 12 / width, 12 / height, facecolor=colour, edgecolor=LINE, linewidth=1))
        write(figure, left + 18, top, text, ha="left", fontsize=NOTE, color=MUTE)
        left += 18 + text_width(text, NOTE) + 14


def _points(price: float, decimals: int = 1) -> str:
    """Write a price in points of a hundred."""
    return number(100 * price, decimals)


def _error(row: pd.Series) -> str:
    """Write the ± of a price in points."""
    return plus_minus(100 * row["price"], 100 * row["lo"], 100 * row["hi"])


def words(frame: pd.DataFrame) -> Words:
    """Say what a deal is worth, from the same frame as `figure`; ``pairs`` is an attribute of it.

    Its attribute ``deals_a_round`` is 2 where rounds are priced.
    """
    unit = unit_of(frame)
    one, other = (str(frame[side].iloc[0]) for side in "ab")
    against = "itself" if one == other else other
    priced = frame[frame["price"].notna()]
    items = [f"{_state(row, frame)} {_points(row['price'])}, plus or minus {_error(row)[1:]}" for row in each(priced)]
    by_price = [items[place] for place in np.argsort(priced["price"].to_numpy(), kind="stable")]
    few = len(every_state(frame)) - len(priced)
    return Words(
        title=_title(frame),
        grey=f"Match-winning chance, in points of a hundred, that changes hands with one {unit} of a match still open, "
        f"by columns opened before it; {one} against {against}, {count(int(frame.attrs.get('pairs', 0)))} duplicate "
        "pairs, ± for 95% over blocks of pairs.",
        how=_worked(frame) + _few(few, unit),
        alt=f"Table of shades: what a {unit} is worth in points of winning chance, by columns opened by "
        f"{' and by '.join(_sides(frame))}. {alt_items(items, by_price[0], by_price[-1])}" + _few(few, unit),
    )


def unit_of(frame: pd.DataFrame) -> str:
    """Name what is priced: a deal, or in partnership play a round."""
    return "round" if frame.attrs.get("deals_a_round", 1) > 1 else "deal"


def _few(states: int, unit: str) -> str:
    """Say how many states have no price."""
    if not states:
        return ""
    few = f"{capital(plural(states, 'state'))} {'has' if states == 1 else 'have'} too few"
    return f" {few}: fewer than {ENOUGH_DEALS} {unit}s scored by one of the sides."


def _worked(frame: pd.DataFrame) -> str:
    """Read one cell aloud: the start, or the first that has a price."""
    row, unit = frame[frame["price"].notna()].iloc[0], unit_of(frame)
    one, other = _sides(frame)
    gets = "wins" if unit == "round" else "scores"
    where = "At the start" if _is_start(row) else f"When {_state(row, frame)}"
    return (
        f"a cell is the chance of winning the match for the side that {gets} the {unit}, less its chance if the other "
        f"side {gets} it. {where}, {one} wins {of_100(row['win_if_a'])} matches if it {gets} the {unit}, "
        f"{of_100(row['win_if_b'])} if {other} does: {_points(row['price'])} points."
    )


def _is_start(row: pd.Series) -> bool:
    return bool(row["mine"] == 0 and row["theirs"] == 0)


def _state(row: pd.Series, frame: pd.DataFrame) -> str:
    """Name a state: ``both have opened two columns``, ``greedy has opened one column and simple none``."""
    mine, theirs = int(row["mine"]), int(row["theirs"])
    if mine == theirs:
        return f"both have opened {_so_many(mine, _columns(frame))}"
    one, other = _sides(frame)
    return (
        f"{one} has opened {_so_many(mine, _columns(frame))} and {other} {'none' if not theirs else in_words(theirs)}"
    )


def _so_many(opened: int, columns: int) -> str:
    """Write a number of columns: ``no column``, ``all three columns``."""
    return f"{'all ' if opened == columns > 1 else ''}{plural(opened, 'column') if opened else 'no column'}"


def _title(frame: pd.DataFrame) -> str:
    """State the price at the start and the state that is surely dearest, or surely cheapest, if there is one."""
    unit = unit_of(frame)
    priced = frame[frame["price"].notna()].sort_values("price", kind="stable")
    cheapest, dearest = priced.iloc[0], priced.iloc[-1]
    starts = [row for row in each(priced) if _is_start(row)]
    if not starts:
        return f"A {unit} is worth {_points(dearest['price'])} points of winning chance when {_state(dearest, frame)}"
    start = starts[0]
    begun = f"A {unit} is worth {_points(start['price'], 0)} points of winning chance at the start"
    if dearest["lo_all"] > start["hi_all"]:
        return f"{begun}, {_points(dearest['price'], 0)} once {_state(dearest, frame)}"
    if cheapest["hi_all"] < start["lo_all"]:
        return f"{begun}, only {_points(cheapest['price'], 0)} when {_state(cheapest, frame)}"
    return f"{begun}, and not surely more or less later"
