"""What sections share: drawing a figure told about its run, and the rows that the figures on why are about."""

from __future__ import annotations

import pandas as pd

from reports import names
from reports.blocks import Chart, Download, FigureBlock, figure_block
from reports.material import Material


def block(material: Material, name: str, chart: Chart, frame: pd.DataFrame, data: Download) -> FigureBlock:
    """Draw a frame, told what meets in this run and how many deals make a round."""
    frame.attrs |= {"who": material.who, "deals_a_round": material.run.deals_a_round}
    return figure_block(name, chart, frame, data)


def versus(material: Material) -> str:
    """Name the featured pairing."""
    a, b = (material.names[player] for player in material.featured)
    return f"{a} against {'itself' if a == b else b}"


def of_featured(material: Material, frame: pd.DataFrame) -> pd.DataFrame:
    """Return the featured rows with short names, and with their number of pairs attached."""
    own = names.renamed(material.of_featured(frame), material.names)
    own.attrs["pairs"] = int(material.of_featured(material.pairings)["pairs"].iloc[0])
    return own


def ranked(material: Material, table: pd.DataFrame) -> pd.DataFrame:
    """Order a table by player as the standings do."""
    rank = {player: place for place, player in enumerate(material.players)}
    return table.sort_values("player", key=lambda column: column.map(rank), kind="stable", ignore_index=True)
