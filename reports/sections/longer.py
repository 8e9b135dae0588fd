"""What is to be kept in mind of a run that was made longer after its first answer had been seen."""

from __future__ import annotations

import analysis
from reports import numbers
from reports.blocks import Cell, Row, Section, Table, download, share_cell
from reports.material import Basis, Material
from reports.orient import better_first

WHAT = (
    "The intervals on this page are those of a size fixed beforehand. If the run was made longer because its first "
    "{pairs} a pairing left it undecided, they promise too much"
)


def sentence(basis: Basis) -> str:
    """Return a sentence for the lead of a run that was made longer; an empty text for any other."""
    return (
        "The run was made longer after its first answer could be seen: see Made longer."
        if basis.run.first_pairs
        else ""
    )


def made_longer(material: Material) -> Section | None:
    """Show the limits to go by in a run that was made longer; None for any other."""
    rates = analysis.extended_rates(material.run)
    if not material.run.first_pairs:
        return None
    if rates.empty:
        return of_no_pairing(material)
    turned = better_first(rates, material.losing, [("match_win_rate", "lo", "hi")])
    turned = turned.sort_values("match_win_rate", ascending=False, kind="stable")
    rows = [
        Row(Cell(told, told), [share_cell(row["match_win_rate"], row["lo"], row["hi"])])
        for _, row in turned.iterrows()
        for told in [f"{material.names[row['a']]} v {material.names[row['b']]}"]
    ]
    table = Table(
        name="longer",
        title="Matches won, by limits that hold however often one looks",
        heads=["Pairing", "Matches won by the first"],
        rows=rows,
        note="± is 95%, valid at every size at once; narrowest about the size that was planned first.",
        data=download(rates, "longer", "analysis.extended_rates(run)"),
    )
    return Section("longer", "Made longer", [f"{_what(material)}; those of the table do not."], [table])


def of_no_pairing(basis: Basis) -> Section | None:
    """Say the same of a run without pairings of two; None if it was not made longer."""
    return Section("longer", "Made longer", [f"{_what(basis)}."]) if basis.run.first_pairs else None


def _what(basis: Basis) -> str:
    unit = "card stream" if basis.run.is_three_handed else "pair"
    return WHAT.format(pairs=numbers.plural(basis.run.first_pairs, unit))
