"""When each player gets on the score: the share of matches in which a column is open by deal n, a panel a column."""

from __future__ import annotations

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from reports import names, numbers
from reports.canvas import Box, Size, axes, fitted, sheet, text_width, write, write_run
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
        curves.append(curve.assign(side=side, column=column, half_open_by=halves["half_open_by"].iloc[0]))
    return pd.concat(curves, ignore_index=True)


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
        _head(result, own, corner)
        ax = axes(result, Box(corner[0], corner[1] + HEAD, width, height))
        _panel(ax, own, across == 0)
    bottom = 24 + count_down * (HEAD + height + 22)
    write(result, (size.width + left) / 2, bottom + 8, "Deals played in the match", ha="center", color=MUTE)
    return result


def _legend(result: Figure, frame: pd.DataFrame, size: Size) -> None:
    """Name both sides above the panels, each with its mark and its kind of line."""
    widths = size.width / 2 - 60 if size.is_wide else size.width / 2 - 44
    left = 48.0 if size.is_wide else 4.0
    for side, column in (("A", "a"), ("B", "b")):
        name = fitted(str(frame[column].iloc[0]), widths)
        ax = axes(result, Box(left, 2, 30, 20))
        ax.axis("off")
        ax.set_xlim(0, 2)
        ax.plot([0, 1, 2], [0, 0, 0], **SIDE[side], markevery=[1], clip_on=False)
        write(result, left + 38, 13, name, ha="left", color=SIDE[side]["color"])
        left += 38 + text_width(name) + 28


def _head(result: Figure, own: pd.DataFrame, corner: tuple[float, float]) -> None:
    """Write the panel's column, and by which deal each side had it open in half of the matches."""
    left, top = corner
    write(result, left, top + 12, f"Column {own['column'].iloc[0]}", ha="left", weight="bold")
    halves = own.groupby("side")["half_open_by"].first()
    pieces: list[tuple[str, dict[str, object]]] = [("half open by", {"fontsize": NOTE, "color": MUTE})]
    for number, (side, deal) in enumerate(halves.items()):
        if number:
            pieces.append(("/", {"fontsize": NOTE, "color": MUTE}))
        text = "never" if pd.isna(deal) else f"deal {deal}"
        pieces.append((text, {"fontsize": NOTE, "color": SIDE[str(side)]["color"], "weight": "bold"}))
    write_run(result, left, top + 30, pieces)


def _panel(ax: Axes, own: pd.DataFrame, with_labels: bool) -> None:
    """Draw both sides' curves in one column, with their bands."""
    last = int(own["deal"].max())
    ax.set_xlim(0, last + 0.45)
    ax.set_ylim(0, 1.03)
    ticks = [0, 0.25, 0.5, 0.75, 1]
    ax.set_yticks(ticks, [f"{100 * tick:.0f}%" for tick in ticks] if with_labels else [""] * len(ticks))
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100) if last / step <= 6)
    ax.set_xticks(range(0, last + 1, step))
    ax.grid(True, color=LINE)
    ax.axhline(0.5, color=INK, linewidth=1.2, linestyle=(0, (1, 2)), zorder=1.5)
    for side, curve in own.groupby("side"):
        look = SIDE[str(side)]
        deals, shares = [0, *curve["deal"]], [0, *curve["share"]]
        ax.fill_between(curve["deal"], curve["lo"], curve["hi"], color=look["color"], alpha=0.2, linewidth=0)
        ax.plot(
            deals, shares, **look, markersize=5, markeredgewidth=1.3, markevery=slice(1, None), clip_on=False
        )


def words(frame: pd.DataFrame) -> Words:
    """Say who opens earlier and by how many deals, from the same frame as `figure`; ``pairs`` is an attribute."""
    a, b = (str(frame[name].iloc[0]) for name in "ab")
    halves = frame.groupby(["column", "side"])["half_open_by"].first().unstack()
    last = halves.index.max()
    end = frame[(frame["column"] == last) & (frame["side"] == "A")].iloc[-1]
    items = [
        f"column {column}: {a} {_by(row['A'])}, {b} {_by(row['B'])}" for column, row in halves.iterrows()
    ]
    half_width = float(((frame["hi"] - frame["lo"]) / 2).max())
    bands = f"95% bands are at most {numbers.plus_minus(0, -100 * half_width, 100 * half_width)} points."
    return Words(
        title=_title(halves, a, b),
        grey=f"Share of matches in which each player has opened the column by deal n; {a} against {b}, "
        f"{numbers.count(int(frame.attrs.get('pairs', 0)))} duplicate pairs. {bands}",
        how=f"{a}: blue dots and a solid line; {b}: hollow orange squares and a dashed line. The dotted line is half of all "
        f"matches. By deal {end['deal']}, {a} has opened column {last} in {numbers.of_100(end['share'])} matches; "
        "a curve that ends below 100% counts matches in which the player never got into that column.",
        alt="Curves, a panel a column: share of matches in which each player has opened the column, by deal. "
        "Open in half of the matches by: " + "; ".join(items) + ".",
    )


def _by(deal: object) -> str:
    """Say by which deal half of the matches had the column open."""
    return "never" if pd.isna(deal) else f"deal {deal}"


def _title(halves: pd.DataFrame, a: str, b: str) -> str:
    """State the largest lag between the two players, in deals."""
    lags = (halves["B"] - halves["A"]).dropna()
    never = halves[halves["A"].isna() | halves["B"].isna()]
    if len(never):
        column, row = never.index[0], never.iloc[0]
        late = a if pd.isna(row["A"]) else b
        return f"{names.capital(late)} never has its {_ordinal(column)} column open in half of the matches"
    if not lags.any():
        return (
            f"{names.capital(a)} and {b} open their columns at the same pace"
            if len(lags) > 1
            else "Both get on the score at the same pace"
        )
    column = int(lags.abs().sort_index(ascending=False).idxmax())
    early, late = (a, b) if lags[column] > 0 else (b, a)
    lag = numbers.plural(int(abs(lags[column])), "deal")
    return f"{names.capital(early)} opens its {_ordinal(column)} column {lag} before {late}"


def _ordinal(column: int) -> str:
    return numbers.ORDINALS[column - 1]
