"""Who wins: the standings, the pairings as dots and bars, and from four players a map."""

from __future__ import annotations

from dataclasses import replace

import analysis
from reports import names, numbers
from reports.blocks import FigureBlock, Section, download
from reports.charts import heat, pairings
from reports.material import Basis, Material
from reports.rules_in_words import rules_as_told, what_a_round_is
from reports.sections.common import block
from reports.standings import standings_table


def who_wins(material: Material) -> Section:
    """Show the standings, the pairings as dots and bars, and from four players a map."""
    ranked = settings_alone(material)
    tables = [standings_table(ranked)] if len(ranked.standings) else []
    figures = []
    if len(material.contested) > 1:
        figures.append(_pairings_figure(material))
    if heat.FEWEST <= len(material.standings) <= heat.MOST and _most_met(material):
        figures.append(_heat_figure(material))
    return Section("who-wins", "Who wins", [_meeting(material)], tables, figures)


def settings_alone(material: Material) -> Material:
    """Return the material of a sweep with the standings of its settings alone: its opponents are not what is ranked."""
    opponents = material.run.manifest.get("experiment", {}).get("opponents")
    if not opponents:
        return material
    settings = {pairing[0] for pairing in material.run.planned}
    own = material.standings[material.standings["player"].isin(settings)]
    return replace(material, standings=own.reset_index(drop=True))


def _most_met(material: Material) -> bool:
    """Tell whether three in four of all possible pairings were played: a map of a sweep would be mostly empty."""
    players = len(material.standings)
    return 8 * len(material.pairings) >= 3 * players * (players - 1)


def _meeting(material: Material) -> str:
    """Say who met under which rules."""
    count = len(material.players)
    if count == 1:
        who = f"{names.capital(material.names[material.players[0]])} met itself"
    elif count == 2:
        who = f"{names.capital(material.names[material.players[0]])} met {material.names[material.players[1]]}"
    else:
        who = f"{names.capital(numbers.in_words(count))} {material.who}s met in {meeting_kind(material)}"
    told = f"{who} under {rules_as_told(material.run)}. {what_a_round_is(material.run)}".strip()
    return told + short_names(material)


def meeting_kind(material: Material) -> str:
    """Name the kind of run: a comparison, a round robin, or some pairings."""
    contested = material.contested
    players = len(set(contested["a"]) | set(contested["b"]))
    if players <= 2:
        return "a comparison" if players else "a mirror match"
    return "a round robin" if len(contested) == players * (players - 1) // 2 else f"{len(contested)} pairings"


def short_names(basis: Basis) -> str:
    """Explain the short names, where there are few: a sentence after a space, or an empty text."""
    short = {spec: name for spec, name in basis.names.items() if spec != name}
    if not short:
        return ""
    if len(short) > 4 or sum(map(len, short)) > 100:
        return " Short names stand for the players listed at the end of this page."
    return " " + names.capital(numbers.listed([f"{name} is {spec}" for spec, name in short.items()])) + "."


def _pairings_figure(material: Material) -> FigureBlock:
    frame = names.renamed(material.pairings, material.names)
    table = analysis.pairings(material.run).merge(analysis.pair_scores(material.run), on=["a", "b"])
    data = download(table, "pairings", "analysis.pairings(run)")
    return block(material, "pairings", (pairings.figure, pairings.words), frame, data)


def _heat_figure(material: Material) -> FigureBlock:
    ranked = list(material.standings["player"])
    frame = heat.cells(material.pairings, ranked)
    data = download(frame, "map", "analysis.pairings(run)")
    for column in ("row", "column"):
        frame[column] = frame[column].map(material.names)
    circle = analysis.cycle(material.pairings)
    frame.attrs["cycle"] = tuple(material.names[player] for player in circle) if circle else None
    return block(material, "map", (heat.figure, heat.words), frame, data)
