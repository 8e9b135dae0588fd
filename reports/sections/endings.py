"""How deals end: by pairing, or by player for many pairings."""

from __future__ import annotations

import analysis
from reports import names, numbers
from reports.blocks import Section, download
from reports.charts import endings
from reports.material import Material
from reports.orient import better_first
from reports.rules_in_words import what_endings_pay
from reports.sections.common import block, ranked


def how_deals_end(material: Material) -> Section | None:
    """Show the endings by pairing, or by player for many pairings; None with too few matches."""
    if not material.enough:
        return None
    many = len(material.pairings) > endings.MOST_PAIRINGS
    table = analysis.endings_by_player(material.run) if many else analysis.endings(material.run)
    ordered = ranked(material, table) if many else better_first(table, material.losing)
    frame = endings.by_side(names.renamed(ordered, material.names))
    frame.attrs["error"] = numbers.widest_half(table["lo"], table["hi"])
    frame.attrs["big_gin"] = bool((table["ending"] == "big_gin").any())
    source = "analysis.endings_by_player(run)" if many else "analysis.endings(run)"
    data = download(table, "endings", source)
    drawn = block(material, "endings", (endings.figure, endings.words), frame, data)
    return Section("endings", "How deals end", [what_endings_pay(material.run)], figures=[drawn])
