"""What is to be kept in mind of a run that was made longer after its first answer had been seen."""

from __future__ import annotations

import pandas as pd

import analysis
from reports import numbers
from reports.blocks import Cell, Row, Section, Table, download, share_cell
from reports.material import Basis, Material
from reports.orient import better_first

NAME = "longer"
SENTENCE = "The run was made longer after its first answer could be seen: see Made longer."
WHAT = (
    "The intervals of what was played to the end are those of a size fixed beforehand. If the run was made longer "
    "because its first {pairs} a pairing left it undecided, they promise too much"
)
MOST_ROWS = 20


def made_longer(material: Material) -> Section | None:
    """Show the limits to go by in a run that was made longer; None for any other, and where nobody met another.

    A sweep and a tournament are judged by more than the rates of their pairings, so there is no table of them.
    """
    rates = analysis.extended_rates(material.run)
    if rates.empty:
        return None
    if material.run.kind != "simulate":
        return of_no_rates(material)
    return Section(NAME, "Made longer", [f"{_what(material)}; those of the table do not."], [_table(material, rates)])


def of_no_rates(basis: Basis) -> Section | None:
    """Say what the limits rest on in a run that was made longer; None for any other."""
    return Section(NAME, "Made longer", [f"{_what(basis)}."]) if basis.run.first_pairs else None


def _what(basis: Basis) -> str:
    unit = "card stream" if basis.run.is_three_handed else "pair"
    return WHAT.format(pairs=numbers.plural(basis.run.first_pairs, unit))


def _table(material: Material, rates: pd.DataFrame) -> Table:
    """Return the pairings by the share of the better player; of very many, those that are closest."""
    turned = better_first(rates, material.losing, [("match_win_rate", "lo_all", "hi_all")])
    shown = turned.nsmallest(MOST_ROWS, "match_win_rate", keep="first")
    rows = [
        Row(Cell(told, told), [share_cell(row["match_win_rate"], row["lo_all"], row["hi_all"])])
        for _, row in shown.sort_values("match_win_rate", ascending=False, kind="stable").iterrows()
        for told in [f"{material.names[row['a']]} v {material.names[row['b']]}"]
    ]
    at_once = "" if len(rates) == 1 else f" and for all {numbers.in_words(len(rates))} pairings at once"
    closest = (
        "" if len(rates) == len(rows) else f" Shown are the {numbers.in_words(MOST_ROWS)} closest; the data have all."
    )
    return Table(
        name="longer",
        title="Matches won, by limits that hold however often one looks",
        heads=["Pairing", "Matches won by the first"],
        rows=rows,
        note=f"± is 95%, valid at every size{at_once}; narrowest about the size that was planned first.{closest}",
        data=download(rates, "longer", "analysis.extended_rates(run)"),
    )
