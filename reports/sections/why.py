"""Where the difference arises in one pairing: ladder, column openings, first to open."""

from __future__ import annotations

import pandas as pd

import analysis
from analysis import Run
from reports import names, numbers
from reports.blocks import FigureBlock, Section, download
from reports.charts import first, ladder, openings
from reports.commands import again_commands
from reports.material import ENOUGH_MATCHES, Material
from reports.orient import better_first
from reports.sections.common import block, of_featured

PAIRS = 20_000
"""How many pairs the page proposes where there are too few: seconds to play."""


def why(material: Material) -> Section:
    """Show where the difference arises in the featured pairing: ladder, column openings, first to open."""
    if int(material.of_featured(material.pairings)["matches"].iloc[0]) < ENOUGH_MATCHES:
        return Section("why", "Why", [_too_few(material)], commands=_with_more_pairs(material.run))
    figures = [_ladder_figure(material), _openings_figure(material), _first_figure(material)]
    drawn = [figure for figure in figures if figure]
    return Section("why", _why_title(material), _why_text(material), figures=drawn)


def _ladder_figure(material: Material) -> FigureBlock | None:
    """Draw the ladder, unless a player plays itself; one column is the same as the match."""
    if material.featured[0] == material.featured[1]:
        return None
    frame = of_featured(material, material.endpoints)
    if material.run.columns == 1:
        pairs = frame.attrs["pairs"]
        frame = frame[frame["endpoint"] != "column 1"].reset_index(drop=True)
        frame.attrs["pairs"] = pairs
    data = download(analysis.endpoints(material.run), "endpoints", "analysis.endpoints(run)")
    return block(material, "ladder", (ladder.figure, ladder.words), frame, data)


def _openings_figure(material: Material) -> FigureBlock:
    played = material.as_played
    table = analysis.openings(material.run, played)
    curves = _one_side_of_mirror(material, of_featured(material, better_first(table, material.losing)))
    halves = of_featured(material, better_first(analysis.half_open(material.run, played), material.losing))
    long = int(material.of_featured(material.summary)["long"].iloc[0])
    frame = openings.at_rounds(openings.of_pairing(curves, halves, long), material.run.deals_a_round)
    frame.attrs["pairs"] = halves.attrs["pairs"]
    data = download(table, "openings", f"analysis.openings(run, {played})")
    return block(material, "openings", (openings.figure, openings.words), frame, data)


def _first_figure(material: Material) -> FigureBlock | None:
    """Draw what goes with opening first, if any column has matches enough on one side."""
    table = analysis.first_open(material.run)
    own = of_featured(material, better_first(table, material.losing, [("win_rate", "lo", "hi")]))
    gaps = of_featured(material, better_first(analysis.first_open_gaps(material.run), material.losing))
    frame = own.merge(gaps.rename(columns={"lo": "gap_lo", "hi": "gap_hi"}), on=["a", "b", "column"])
    frame["overall"] = float(material.of_featured(material.pairings)["match_win_rate"].iloc[0])
    frame = _one_side_of_mirror(material, frame)
    frame.attrs["pairs"] = own.attrs["pairs"]
    if (frame["matches"] < first.FEWEST).all():
        return None
    data = download(table, "first-to-open", "analysis.first_open(run)")
    return block(material, "first", (first.figure, first.words), frame, data)


def _one_side_of_mirror(material: Material, frame: pd.DataFrame) -> pd.DataFrame:
    """Keep side A only where a player plays itself: side B is the same player."""
    if material.featured[0] != material.featured[1]:
        return frame
    side = "side" if "side" in frame else "first"
    return frame[frame[side] == "A"].reset_index(drop=True)


def _why_title(material: Material) -> str:
    """State whom the later columns favour, if they surely do."""
    frame = material.of_featured(material.endpoints)
    deals = ladder.by_endpoint(frame).get("deals won")
    stairs = ladder.staircase(frame)
    if deals is None or stairs * ladder.favours(deals) <= 0:
        return "Why"
    favoured = material.names[material.featured[0 if stairs > 0 else 1]]
    return f"Why: later columns favour {favoured}, who wins more deals"


def _why_text(material: Material) -> list[str]:
    """Say what the featured pairing's deals, points and columns look like, and why it is the one shown."""
    a, b = (material.names[player] for player in material.featured)
    if a == b:
        return [f"{names.capital(a)} played itself, so only the pace of its matches can be shown."]
    row = material.of_featured(material.pairings).iloc[0]
    frame = material.of_featured(material.endpoints)
    shares = dict(zip(frame["endpoint"], frame["share"], strict=True))
    deals, points = (numbers.of_100(shares.get(name, 0.5)) for name in ("deals won", "points scored"))
    shown = ""
    if len(material.pairings) > 1:
        of_best = " of the best setting" if material.run.kind == "sweep" and material.run.summary else ""
        shown = f"Shown is {a} against {b}, the pairing{of_best} in which points and matches differ most. "
    before = " before they are netted" if material.run.deals_a_round > 1 else ""
    rival = f", against {_points_a_deal(row, 'b')} for {b}" if row["points_per_deal_b"] > 0 else ""  # it won none else
    text = (
        f"{shown}{names.capital(a)} wins {deals} deals and scores {points} points{before}: {_points_a_deal(row, 'a')} "
        f"a deal it wins{rival}."
    )
    return [text + _columns(frame, "round won" if material.run.deals_a_round > 1 else "win")]


def _points_a_deal(row: pd.Series, side: str) -> str:
    """Write the points a deal that one side scores, with their interval."""
    name = f"points_per_deal_{side}"
    error = numbers.plus_minus(row[name], row[f"{name}_lo"], row[f"{name}_hi"])
    return f"{numbers.number(row[name])} {error} points"


def _columns(frame: pd.DataFrame, win: str) -> str:
    """Say how the columns differ, where they surely do; `win` names what is entered in them."""
    rows = ladder.by_endpoint(frame)
    if "column 3" not in rows:
        return ""
    first, third = (numbers.percent(rows[name]["share"]) for name in ("column 1", "column 3"))
    stairs = ladder.staircase(frame)
    if not stairs:
        return f" Its shares of the columns cannot be told apart: {first} of the first, {third} of the third."
    text = f" Its share {'rises' if stairs > 0 else 'falls'} from {first} of the first columns to {third} of the third"
    if stairs * ladder.favours(rows["deals won"]) > 0:
        return f"{text}: each {win} opens one column more, so who wins often is in all three sooner."
    return f"{text}."


def _too_few(material: Material) -> str:
    """Say that there are too few matches to look into."""
    matches = int(material.pairings["matches"].min())
    return (
        f"{names.capital(numbers.plural(matches, 'match', 'matches'))} a pairing are too few to look into: columns, "
        f"endings and lengths are shown from {ENOUGH_MATCHES} on. To play more:"
    )


def _with_more_pairs(run: Run) -> list[list[str]]:
    """Return the commands that made a run, with pairs enough to look into."""
    return [
        [str(PAIRS) if before == "--pairs" else word for before, word in zip(["", *words], words, strict=False)]
        for words in again_commands(run.spec, run.manifest)
    ]
