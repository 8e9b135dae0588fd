"""Knocking, from deal rows: what one may knock with, with what and when each side knocks, what each ending pays."""

from __future__ import annotations

import pandas as pd

import analysis
from reports import names, numbers
from reports.blocks import Cell, FigureBlock, Row, Section, Table, download, share_cell
from reports.charts import knock_bars, risk
from reports.material import ENOUGH_MATCHES, Material
from reports.orient import better_first
from reports.rows import each
from reports.rules_in_words import may_knock
from reports.sections.common import block, versus

NAME, TITLE = "knocking", "Knocking"
SHARE = ["share", "share_lo", "share_hi"]
ENDINGS = {"big_gin": "big gin", "wall": "dead at the wall", "turn_cap": "dead at the turn cap"}
"""Ending -> what it is called, where that is not its name."""


NO_RISK = (
    f"Nowhere are there {risk.FEWEST} knocks with the same deadwood in the same turns, so the risk of an undercut is "
    "not drawn."
)


def knocking(material: Material) -> Section | None:
    """Show the risk of an undercut, with what and when each side of the featured pairing knocks, and what it pays.

    None where nobody may knock, which the section on endings says, and without deal rows, which `deal_worth` says.
    """
    if not (material.run.has_deals and may_knock(material.run.spec["rules"])):
        return None
    matches = int(material.of_featured(material.pairings)["matches"].iloc[0])
    if matches < ENOUGH_MATCHES:
        too_few = f"{names.capital(numbers.plural(matches, 'match', 'matches'))} are too few to look into the knocks."
        return Section(NAME, TITLE, [too_few])
    summary = _featured(material, analysis.knock_summary(material.run, material.as_played))
    risky = _risk_figure(material, summary)
    figures = [figure for figure in (risky, *_bar_figures(material, summary)) if figure]
    text = [_lead(material, summary), *([] if risky else [NO_RISK])]
    return Section(NAME, TITLE, text, [_points_table(material)], figures)


def _featured(material: Material, table: pd.DataFrame) -> pd.DataFrame:
    """Return a table of the featured pairing with the better player as A and before B, and short names."""
    own = better_first(table, material.losing).sort_values("side", kind="stable", ignore_index=True)
    return names.renamed(own, {**material.names, "": ""})


def _lead(material: Material, summary: pd.DataFrame) -> str:
    """Say how many knocks of each side are undercut, and what a turn is."""
    told = "; ".join(_undercut(row) for _, row in summary.iterrows()) or "nobody knocked or went gin"
    start = f"{versus(material)}: " if len(material.pairings) > 1 else ""
    turn = "A turn here is one of the knocker’s own, a draw and a discard."
    return f"{names.capital(start + told)}. {turn}"


def _undercut(row: pd.Series) -> str:
    """Say how many of a side's knocks are undercut, or that it knocked too seldom to tell."""
    if row["knocks"] == 0:
        return f"{row['player']} never knocked short of gin"
    if row["knocks"] < knock_bars.FEWEST:
        seldom = numbers.plural(int(row["knocks"]), "time")
        return f"{row['player']} knocked {seldom} short of gin, too seldom to tell more"
    share = numbers.share_with_error(row["undercut"], row["undercut_lo"], row["undercut_hi"])
    return f"of 100 knocks of {row['player']}, {share} are undercut"


def _risk_figure(material: Material, summary: pd.DataFrame) -> FigureBlock | None:
    """Draw how often knocks are undercut, unless there are nowhere knocks enough."""
    table = analysis.undercut_risk(material.run)
    if risk.drawn(table).empty:
        return None
    frame = table.copy()
    frame.attrs["whose"] = _whose(material, summary)
    data = download(table, "undercut-risk", "analysis.undercut_risk(run)")
    return block(material, "undercut-risk", (risk.figure, risk.words), frame, data)


def _whose(material: Material, summary: pd.DataFrame) -> str:
    """Say whose knocks the risk is about, and against whom."""
    if len(material.pairings) > 1:
        count = numbers.in_words(len(material.players))
        return f"all {count} {material.who}s, {numbers.plural(len(material.pairings), 'pairing')} pooled"
    if material.featured[0] == material.featured[1]:
        return versus(material)
    knocked = list(summary.loc[summary["knocks"] > 0, "player"])
    if len(knocked) > 1:
        return f"{knocked[0]} and {knocked[1]} against each other"
    rival = next(material.names[player] for player in material.featured if material.names[player] != knocked[0])
    return f"{knocked[0]} against {rival}"


def _bar_figures(material: Material, summary: pd.DataFrame) -> list[FigureBlock]:
    """Draw with what, and when, each side ends deals."""
    if not (summary["ended"] >= knock_bars.FEWEST).any():
        return []
    played = material.as_played
    figures = []
    for what, table in (
        ("deadwood", analysis.knock_deadwood(material.run, played)),
        ("turns", analysis.knock_turns(material.run, played)),
    ):
        own = _featured(material, table)
        frame = knock_bars.of_sides(own, summary)
        shown = own[own["side"].isin(frame["side"])]
        frame.attrs |= {"versus": versus(material), "few": _few(summary)}
        frame.attrs["error"] = numbers.widest_half(shown["lo"], shown["hi"])
        data = download(table, f"knock-{what}", f"analysis.knock_{what}(run, {played})")
        figures.append(block(material, f"knock-{what}", (knock_bars.figure, knock_bars.words), frame, data))
    return figures


def _few(summary: pd.DataFrame) -> str:
    """Say who ended too few deals to be drawn: a sentence after a space, or an empty text."""
    few = summary[summary["ended"] < knock_bars.FEWEST]
    return "".join(
        f" {names.capital(row['player'])} ended {numbers.plural(int(row['ended']), 'deal')}: too few to draw."
        for _, row in few.iterrows()
    )


def _points_table(material: Material) -> Table:
    """Return what each ending of the featured pairing's deals pays, the most frequent first."""
    played = material.as_played
    table = analysis.points_by_ending(material.run, played)
    own = _featured(material, table).sort_values("share", ascending=False, kind="stable")
    rows = [
        Row(Cell(head, head), [share_cell(*row[SHARE]), _points(row)])
        for head, row in zip(_heads(own), each(own), strict=True)
    ]
    both = " (both of its sides as one)" if played[0] == played[1] else ""
    return Table(
        name="points-by-ending",
        title=f"What each ending scores: {versus(material)}{both}",
        heads=["Scored by", "Share of deals", "Points a deal"],
        rows=rows,
        note="An undercut is scored by the defender. ± is a 95% interval over blocks of pairs; points of fewer than "
        f"{knock_bars.FEWEST} deals are not shown.",
        data=download(table, "points-by-ending", f"analysis.points_by_ending(run, {played})"),
    )


def _heads(table: pd.DataFrame) -> list[str]:
    """Name the rows: who scored, and by what."""
    called = table["ending"].replace(ENDINGS)
    return [
        f"nobody: {ending}" if side == "nobody" else f"{player}, {ending}"
        for side, player, ending in zip(table["side"], table["player"], called, strict=True)
    ]


def _points(row: pd.Series) -> Cell:
    """Return the mean points, unless nobody scores or there are too few deals."""
    if row["side"] == "nobody":
        return Cell("–", -1.0)
    if row["deals"] < knock_bars.FEWEST:
        return Cell("too few", -1.0)
    error = numbers.plus_minus(row["points"], row["points_lo"], row["points_hi"])
    return Cell(numbers.number(row["points"]), float(row["points"]), error)
