"""How sure a comparison is, and when it became so: its sequential test, both estimates, all endpoints."""

from __future__ import annotations

import pandas as pd

import analysis
from analysis.looks import asked
from reports import names, numbers
from reports.blocks import Cell, FigureBlock, Row, Section, Table, download
from reports.charts import sequential
from reports.charts.sequential import Found
from reports.material import Material
from reports.sections.common import block
from sim.batch.tally import BLOCK_PAIRS

FEWEST_LOOKS = 2
"""Fewer looks than this have no course to draw."""


def how_sure(material: Material) -> Section | None:
    """Show the test of a comparison; None of any other run, and of a comparison that was not finished."""
    if material.run.kind != "compare" or not material.run.summary:
        return None
    name, title = "sure", "How sure, and when"
    if is_mirror(material):
        return Section(name, title, ["A player against itself splits every pair: there is nothing to test."])
    found, course = found_of(material), analysis.course(material.run)
    if found.exchanged:
        course = sequential.turned(course)
    told = [_question(found), _stop(found, course), _estimates(found, course)]
    figures = [_figure(material, found, course)] if len(course) >= FEWEST_LOOKS else []
    return Section(name, title, told, tables=[_endpoints(material, found)], figures=figures)


def is_mirror(material: Material) -> bool:
    """Tell whether a player met itself and split every pair, as it must."""
    summary = material.run.summary
    return bool(summary["a"] == summary["b"] and summary["match_win_rate"] == 0.5)


def found_of(material: Material) -> Found:
    """Return what the test found; of a question that both sides are asked, the better player comes first."""
    summary = material.run.summary
    fair = summary["adjusted"]
    found = Found(
        a=material.names[summary["a"]],
        b=material.names[summary["b"]],
        test=asked(material.run),
        verdict=str(summary["verdict"]),
        raw=(summary["match_win_rate"], *summary["interval"]),
        adjusted=(fair["match_win_rate"], *fair["interval"]),
        allowed=int(summary["pairs_allowed"]),
        pairs=int(summary["pairs"]),
        behind=(summary["a"], summary["b"]) in material.losing,
    )
    return found.turned() if found.behind and found.test.mirrored else found


def endpoints_of(material: Material, found: Found) -> pd.DataFrame:
    """Return the table `analysis.measured` from the view of the player who comes first in `found`."""
    table = analysis.measured(material.run)
    if not found.exchanged:
        return table
    even = (table["unit"] == "share").astype(float)  # a share turns into 1 less it, a difference into 0 less it
    return table.assign(
        estimate=even - table["estimate"],
        lo=even - table["hi"],
        hi=even - table["lo"],
        favours=table["favours"].replace({"A": "B", "B": "A"}),
    )


def disagreeing(table: pd.DataFrame) -> pd.DataFrame:
    """Return the endpoints that surely favour the other player than the matches surely do."""
    other = {"A": "B", "B": "A"}.get(str(table["favours"].iloc[0]), "none")
    return table[table["favours"] == other]


def _question(found: Found) -> str:
    """Say what was asked, in shares of the matches."""
    test = found.test
    s0, s1 = (numbers.number(100 * share, 1).removesuffix(".0") for share in (test.s0, test.s1))
    whom = "a player" if test.mirrored else found.a
    sides = " Both players are asked." if test.mirrored else ""
    errors = numbers.span(*sorted(f"{100 * error:.3g}" for error in (test.alpha, test.beta)))
    return (
        f"The test ({test.name}) asks whether {whom} wins {s0}% of the matches or {s1}%.{sides} It looks after every "
        f"{BLOCK_PAIRS} pairs and stops when the evidence leaves the bounds {numbers.number(test.lower, 2)} and "
        f"{numbers.signed(test.upper, 2)}, which keep the chance of a wrong answer near {errors}%."
    )


def _stop(found: Found, course: pd.DataFrame) -> str:
    """Say when the test stopped, and why."""
    pairs = numbers.count(found.pairs)
    if course.empty:
        return f"With fewer than {BLOCK_PAIRS} pairs, here {pairs}, it never looked."
    evidence = float(course[sequential.deciding(course, found)].iloc[-1])
    looks = numbers.plural(len(course), "look")
    stood = numbers.signed(evidence, 2)
    if not found.stopped:
        return f"All {pairs} pairs were played, with {looks}, and the evidence stood between the bounds, at {stood}."
    said = names.capital(found.answer())
    return (
        f"It stopped after {looks}, at {pairs} of at most {numbers.count(found.allowed)} pairs, with the evidence at "
        f"{stood}. {said}."
    )


def _estimates(found: Found, course: pd.DataFrame) -> str:
    """Give the raw and the adjusted share, and the band that is valid while watching."""
    raw = numbers.share_with_error(*found.raw)
    fair = between(found.adjusted)
    won = f"{names.capital(found.a)} won {raw} of 100 matches"
    if course.empty:
        return f"{won}, 95% interval."
    last = course.iloc[-1]
    lo, hi = float(last["lo"]), float(last["hi"])
    live = f"The limits that hold however often one looks are {numbers.points(lo)} and {numbers.points(hi)}."
    if not found.stopped:
        return f"{won}, 95% interval; {fair} when allowing for the test. {live}"
    return (
        f"{won} when it stopped. A number at such a stop flatters the winner, since luck helps to stop; adjusted for "
        f"that it is {fair}. {live}"
    )


def between(share: tuple[float, float, float]) -> str:
    """Write an adjusted share with its limits, which need not lie evenly about it: ``51.8 (50.2 to 53.4)``."""
    return f"{numbers.points(share[0])} ({numbers.points(share[1])} to {numbers.points(share[2])})"


def _figure(material: Material, found: Found, course: pd.DataFrame) -> FigureBlock:
    """Draw the course of the test, both from the same view."""
    frame = course.copy()
    frame.attrs["found"] = found
    data = download(analysis.course(material.run), "course", "analysis.course(run)")
    return block(material, "course", (sequential.figure, sequential.words), frame, data)


def _endpoints(material: Material, found: Found) -> Table:
    """Return all endpoints, from the view of the player who comes first."""
    table = endpoints_of(material, found)
    who = {"A": found.a, "B": found.b, "neither": "undecided"}
    rows = []
    for _, row in table.iterrows():
        is_share = row["unit"] == "share"
        scale = 100 if is_share else 1
        value = float(row["estimate"])
        cell = Cell(
            numbers.percent(value) if is_share else numbers.signed(value),
            value,
            numbers.plus_minus(scale * value, scale * row["lo"], scale * row["hi"]),
        )
        cells = [cell, Cell("–", -1e9)] if is_share else [Cell("–", -1.0), cell]
        favours = Cell(who[row["favours"]], who[row["favours"]])
        rows.append(Row(Cell(names.capital(row["endpoint"]), str(row["endpoint"])), [*cells, favours]))
    heads = ["Measure", "Share", "Points a match", "Favours"]
    note = (
        "± is a 95% interval over duplicate pairs, as if their number had been fixed. Points a match are "
        f"{found.a}’s less {found.b}’s; settled points count the bonuses of the sheet, deal points do not."
    )
    data = download(analysis.measured(material.run), "measures", "analysis.measured(run)")
    title = f"Every measure, from the side of {found.a}"
    return Table("measures", title, heads, rows, note, data, best_first=False)
