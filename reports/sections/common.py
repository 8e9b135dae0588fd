"""What sections share: drawing a figure told about its run, and the rows that the figures on why are about."""

from __future__ import annotations

import pandas as pd

from reports import names
from reports.blocks import Chart, Download, FigureBlock, Section, figure_block
from reports.commands import simulate_words
from reports.material import Material

PAIRS_WITH_DEALS = 20_000
"""How many pairs a page proposes to play with a row a deal: seconds to play, megabytes to keep."""


def block(material: Material, name: str, chart: Chart, frame: pd.DataFrame, data: Download) -> FigureBlock:
    """Draw a frame, told what meets in this run and how many deals make a round."""
    frame.attrs |= {"who": material.who, "deals_a_round": material.run.deals_a_round}
    return figure_block(name, chart, frame, data)


def of_featured(material: Material, frame: pd.DataFrame) -> pd.DataFrame:
    """Return the featured rows with short names, and with their number of pairs attached."""
    own = names.renamed(material.of_featured(frame), material.names)
    own.attrs["pairs"] = int(material.of_featured(material.pairings)["pairs"].iloc[0])
    return own


def ranked(material: Material, table: pd.DataFrame) -> pd.DataFrame:
    """Order a table by player as the standings do."""
    rank = {player: place for place, player in enumerate(material.players)}
    return table.sort_values("player", key=lambda column: column.map(rank), kind="stable", ignore_index=True)


def without_deals(material: Material, name: str, title: str, missing: str) -> Section:
    """Return a section whose run lacks the row a deal it needs: what is missing, and the command that fills it."""
    a, b = material.as_played
    pairs = min(int(material.run.spec["pairs"]), PAIRS_WITH_DEALS)
    spec = {**material.run.spec, "pairings": [{"a": a, "b": b}], "pairs": pairs, "detail": "deals"}
    text = f"This run keeps no row a deal, so {missing} is not shown. This plays its cards again and keeps them:"
    return Section(name, title, [text], commands=[simulate_words(spec), ["hollywood", "report", "last"]])
