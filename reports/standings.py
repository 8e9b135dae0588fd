"""The table of standings: each player's mean over its opponents."""

from __future__ import annotations

import pandas as pd

from reports import numbers
from reports.blocks import Cell, Row, Table, download, share_cell
from reports.material import Material
from reports.rules_in_words import plays_out

HEADS = {
    "matches_won": "Matches won",
    "deals_won": "Deals won",
    "points_per_deal": "Points a deal won",
    "column1": "Column 1",
    "column2": "Column 2",
    "column3": "Column 3",
    "all_three": "All three",
}
"""Column of `analysis.standings` -> heading."""


def standings_table(material: Material) -> Table:
    """Return the standings, best first, with the interval of the matches beside them."""
    table = material.standings
    names = HEADS if plays_out(material.run) else ("matches_won", "deals_won", "points_per_deal")
    wanted = [name for name in names if name in table.columns]
    rows = [
        Row(
            Cell(material.names[row["player"]], material.names[row["player"]]),
            [_cell(row, name) for name in wanted],
        )
        for _, row in table.iterrows()
    ]
    fewest, most = int(table["opponents"].min()), int(table["opponents"].max())
    # In a gauntlet or a sweep against others not everyone has met as many.
    whom = f"its {numbers.plural(most, 'opponent')}" if fewest == most else "the opponents it met"
    mean = "" if most == 1 else f": each {material.who}’s mean over {whom}"
    return Table(
        name="standings",
        title=f"Standings{mean}",
        heads=[material.who.capitalize(), *(HEADS[name] for name in wanted)],
        rows=rows,
        note="± is a 95% interval over duplicate pairs (the same cards played twice with the seats swapped). "
        + _other_errors(table, wanted),
        data=download(table, "standings", "analysis.standings(run)"),
    )


def _cell(row: pd.Series, name: str) -> Cell:
    """Return one number; only the matches carry their ± in the cell, the note says the widest of the others."""
    value = float(row[name])
    if pd.isna(value):
        return Cell("–", -1.0)
    if name == "matches_won":
        return share_cell(value, row[f"{name}_lo"], row[f"{name}_hi"])
    return Cell(numbers.number(value) if name == "points_per_deal" else numbers.percent(value), value)


def _other_errors(table: pd.DataFrame, wanted: list[str]) -> str:
    """Say how sure the columns without their own ± are."""
    shares = [name for name in wanted if name not in ("matches_won", "points_per_deal")]
    lows, highs = ([limit for name in shares for limit in table[f"{name}_{end}"]] for end in ("lo", "hi"))
    others = f"The other shares are within {numbers.widest_half(lows, highs)} points"
    if table["points_per_deal_lo"].isna().all():
        return f"{others}; the points a deal have no interval with a single pair."
    deals = numbers.widest_half(table["points_per_deal_lo"], table["points_per_deal_hi"], 1, 2)
    return f"{others}, the points a deal within {deals}."
