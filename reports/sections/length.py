"""How long matches last, and how often one side takes all."""

from __future__ import annotations

import analysis
from reports import names, numbers
from reports.blocks import Section, download
from reports.charts import length
from reports.material import Material
from reports.orient import better_first
from reports.rules_in_words import plays_out
from reports.sections.common import block


def how_long(material: Material) -> Section | None:
    """Show how long matches last and how often one side takes all; None with too few matches."""
    if not material.enough:
        return None
    lengths = better_first(analysis.match_length(material.run), material.losing)
    frame = length.of_pairings(names.renamed(lengths, material.names), names.renamed(material.summary, material.names))
    data = download(analysis.match_summary(material.run), "match-length", "analysis.match_summary(run)")
    drawn = block(material, "length", (length.figure, length.words), frame, data)
    return Section("length", "How long a match lasts", _sweeps(material), figures=[drawn])


def _sweeps(material: Material) -> list[str]:
    """Say how often one side takes all three columns, and how often a column is a shutout.

    Nothing of a sheet with one column, nor of a match that ends with its first column.
    """
    table = material.summary
    if "sweep" not in table or not plays_out(material.run):
        return []
    sweeps, shutouts = (
        numbers.span(numbers.points(table[name].min(), 0), numbers.points(table[name].max(), 0))
        for name in ("sweep", "shutout3")
    )
    error = numbers.widest_half(
        [*table["sweep_lo"], *table["shutout3_lo"]], [*table["sweep_hi"], *table["shutout3_hi"]]
    )
    return [
        f"In {sweeps} of 100 matches one side takes all three columns; in {shutouts} of 100 the loser of the third "
        f"column has no entry in it when it is won (95% intervals within {error} points)."
    ]
