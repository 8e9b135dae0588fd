"""How far ahead is safe: what a lead in a column is worth, and what a good start is worth in the match."""

from __future__ import annotations

import pandas as pd

import analysis
from analysis import Run
from analysis.equity import deal_counts
from analysis.resampling import MATCHES
from reports import names, numbers
from reports.blocks import Cell, FigureBlock, Row, Section, Table, download
from reports.charts import equity
from reports.material import ENOUGH_MATCHES, Material
from reports.orient import better_first
from reports.sections.common import block

NAME, TITLE = "safe", "How far ahead is safe"
MOST_POINTS = 300
"""A column to more points than this is not solved for the page."""
ROWS = 20
"""The page carries the chances at so many scores of either side, equally spaced; `analysis.leads` has all."""
SAFE = 0.9
"""From this chance on a lead is called safe."""
FEWEST = 100
"""Fewer resampled matches than this that began so: no share is told."""


def how_safe(material: Material) -> Section | None:
    """Show what a lead in a column is worth in the featured pairing; None with too few matches or no deal rows."""
    if int(material.of_featured(material.pairings)["matches"].iloc[0]) < ENOUGH_MATCHES:
        return None
    if not material.run.has_deals:
        return None
    if material.run.deals_a_round > 1:
        return Section(NAME, TITLE, ["Partners enter what two deals net, so what a lead is worth is not shown."])
    if not has_leads(material.run):
        target = numbers.count(material.run.spec["rules"]["target"])
        far = f"A column to {target} points is too long to be solved for a page, which stops at"
        return Section(NAME, TITLE, [f"{far} {MOST_POINTS}: analysis.leads(run, {material.as_played}) solves it."])
    table = analysis.leads(material.run, material.as_played)
    frame = names.renamed(seen_from_better(table, material), material.names)
    frame.attrs["won"] = _what_is_won(material)
    starts = [_starts_table(material)] if material.run.spec["rules"]["match_winner"] == "majority" else []
    maps = [_map(material, table, frame)] if equity.has_shades(frame) else []
    return Section(NAME, TITLE, [_text(material, frame)], starts, maps)


def has_leads(run: Run) -> bool:
    """Tell whether the page shows what a lead is worth in a run that keeps deal rows."""
    return run.deals_a_round == 1 and int(run.spec["rules"]["target"]) <= MOST_POINTS


def _what_is_won(material: Material) -> str:
    """Name what a lead wins: columns, or matches where the only column is the match."""
    only = material.run.columns == 1 and material.run.spec["rules"]["match_winner"] == "majority"
    return "matches" if only else "columns"


def seen_from_better(table: pd.DataFrame, material: Material) -> pd.DataFrame:
    """Return `analysis.leads` with the better player as a."""
    turned = better_first(table, material.losing, [("chance", "lo", "hi")])
    if material.as_played in material.losing:
        turned["points_a"], turned["points_b"] = table["points_b"], table["points_a"]
        turned["a_deals"], turned["b_deals"] = 1 - table["b_deals"], 1 - table["a_deals"]
    return turned


def _map(material: Material, table: pd.DataFrame, frame: pd.DataFrame) -> FigureBlock:
    frame.attrs["deals"] = deal_counts(material.run, material.as_played).sum()
    step = max(int(table["points_a"].max() + 1) // ROWS, 1)
    some = table[(table["points_a"] % step == 0) & (table["points_b"] % step == 0)]
    data = download(some, "leads", f"analysis.leads(run, {material.as_played})")
    return block(material, "equity", (equity.figure, equity.words), frame, data)


def _text(material: Material, frame: pd.DataFrame) -> str:
    """Say what the chances rest on, how they agree with the columns played, and from where a lead is safe."""
    a, b = (material.names[player] for player in material.featured)
    start = frame[(frame["points_a"] == 0) & (frame["points_b"] == 0)].iloc[0]
    safe = numbers.points(SAFE, 0)
    told = (
        "These chances follow exactly from the points that scored deals bring, taking every deal as drawn from all "
        "deals of this pairing with the same dealer, whatever the sheet says."
    )
    if a == b:
        return f"{told} {_from_where(frame, 'The player ahead', 'the opponent', safe)}"
    column = "first columns" if material.run.columns > 1 else "matches"
    checked = f" From 0–0 they give {a} {numbers.points(start['chance'])} of 100 {column}{_as_played(material)}."
    return told + checked + " " + _from_where(frame, names.capital(a), b, safe)


def _as_played(material: Material) -> str:
    """Say how many first columns were in fact won, where the page tells of columns."""
    rows = material.of_featured(material.endpoints).set_index("endpoint")
    name = "column 1" if "column 1" in rows.index else "matches won" if material.run.columns == 1 else ""
    if not name:
        return ""
    share, lo, hi = (float(rows[part][name]) for part in ("share", "lo", "hi"))
    return f"; in the run it won {numbers.share_with_error(share, lo, hi)}"


def _from_where(frame: pd.DataFrame, one: str, other: str, safe: str) -> str:
    """Say with how many points of the other a score is as good as won."""
    target, won = int(frame["points_a"].max()) + 1, frame.attrs["won"]
    sure = frame[frame["chance"] >= SAFE].groupby("points_a")["points_b"].max()
    if not equity.has_shades(frame):
        least = numbers.points(float(frame["chance"].min()), 0)
        return f"{one} wins {least} of 100 {won} or more from every score, so there is no lead to map."
    told = []
    for mine in (60 * target // 100, 80 * target // 100, 95 * target // 100):
        if mine in sure.index and sure[mine] < target - 1:
            told.append(f"with {mine} points while {other} has {sure[mine]} or fewer")
    return f"{one} wins {safe} of 100 {won} or more {numbers.listed(told)}." if told else ""


def _starts_table(material: Material) -> Table:
    """Return what winning the first deals is worth in matches, most deals first."""
    table = analysis.good_starts(material.run, material.as_played)
    own = material.of_featured(better_first(table, material.losing))
    sides = ["A"] if material.featured[0] == material.featured[1] else ["A", "B"]
    rows = []
    for first in sorted(own["won_first"].unique(), reverse=True):
        deals = "the first deal" if first == 1 else f"the first {numbers.in_words(first)} deals"
        cells = [_cell(own[(own["won_first"] == first) & (own["side"] == side)].iloc[0]) for side in sides]
        rows.append(Row(Cell(deals, int(first)), cells))
    heads = [names.capital(material.names[material.featured["AB".index(side)]]) for side in sides]
    return Table(
        name="starts",
        title="Matches won after winning the first deals, per 100",
        heads=["Whoever wins", *heads],
        rows=rows,
        note=f"From {numbers.count(MATCHES)} matches put together from the scored deals of this "
        "pairing; ± is the 95% interval for that drawing alone.",
        data=download(table, "good-starts", f"analysis.good_starts(run, {material.as_played})"),
    )


def _cell(row: pd.Series) -> Cell:
    """Return one share with its interval."""
    if int(row["matches"]) < FEWEST:
        return Cell("too few", -1.0)
    value, lo, hi = (100 * float(row[name]) for name in ("match_win_rate", "lo", "hi"))
    return Cell(numbers.number(value), value, numbers.plus_minus(value, lo, hi))
