"""The sections of the page on tips: all verdicts at a glance, and what is said of each tip."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from reports import numbers
from reports.blocks import Cell, FigureBlock, Row, Section, Table, download, figure_block
from reports.charts import tips as chart
from reports.commands import quoted

MISSES = "misses"
HOLDS, BY_RULES, DEPENDS, FAILS, OPEN = "holds", "true by the rules", "it depends", "does not hold", "undecided"
ORDER = (BY_RULES, HOLDS, DEPENDS, FAILS, OPEN)
Entry = Mapping[str, Any]
"""A tip or a measurement, as tips.json keeps it."""
MEANING = (
    "A tip holds if every measurement of it, under each of the rules, bears it out, and does not if all refute it. "
    "It depends if one bears it out and another refutes it. Else it is undecided: more pairs may tell."
)
FIGURES = (("claim", "claims"), ("advice", "advice"))


def verdicts(document: Entry) -> Section:
    """Return the verdicts at a glance: a table of all tips, and what was measured of claims and of advice."""
    heads = ["Tip", "Verdict", "Effect", "Source"]
    table = Table(
        "verdicts-table",
        "Each tip with its verdict; effect: what was measured, from the least to the most",
        heads,
        [_verdict_row(tip) for tip in document["tips"]],
        "× is times as much as in the game compared with, % a share of the matches won or of the cases.",
        best_first=False,
    )
    figures = [_figure(document, kind, what) for kind, what in FIGURES]
    return Section("verdicts", "The verdicts", [MEANING], [table], [f for f in figures if f])


def _verdict_row(tip: Entry) -> Row:
    verdict = str(tip["verdict"])
    cells = [
        Cell(verdict, ORDER.index(verdict)),
        Cell(_range(tip), 0 if not _shown(tip) else float(_shown(tip)[0]["value"] or 0)),
        Cell(str(tip["source"]), int(tip["source"])),
    ]
    return Row(Cell(str(tip["title"]), str(tip["title"])), cells)


def _shown(tip: Entry) -> list[Entry]:
    return [row for row in tip["measurements"] if row["shown"]]


def _range(tip: Entry) -> str:
    """Write from where to where the effects of a tip go, for each unit; of a rule how many cases break it."""
    rows = _shown(tip)
    if not rows:
        broken = sum(round(row["value"] * row["cases"]) for row in tip["measurements"] if row["unit"] == MISSES)
        return f"{numbers.count(broken) if broken else 'no'} exceptions"
    told = []
    for unit in dict.fromkeys(row["unit"] for row in rows):
        values = sorted(row["value"] for row in rows if row["unit"] == unit and row["value"] is not None)
        if values:
            low, high = (_bare(unit, value) for value in (values[0], values[-1]))
            told.append(numbers.span(low, high) + ("×" if unit == chart.TIMES else "%"))
    return ", ".join(told) or "none"


def _bare(unit: str, value: float) -> str:
    return numbers.number(value, 2) if unit == chart.TIMES else numbers.points(value)


def _figure(document: Entry, kind: str, what: str) -> FigureBlock | None:
    """Draw what was measured of the claims, or of the advice; None if none of it was measured."""
    tips = [{**tip, "measurements": _shown(tip)} for tip in document["tips"] if tip["kind"] == kind]
    if not any(tip["measurements"] for tip in tips):
        return None
    frame = frame_of(tips)
    pairs = numbers.span(*(numbers.count(int(n)) for n in (frame["pairs"].min(), frame["pairs"].max())))
    frame.attrs |= {
        "what": what,
        "basis": f"bars are 95% intervals over duplicate pairs ({pairs} each), for all "
        f"{document['intervals']} of the list at once",
    }
    data = frame.drop(columns=["text"])
    return figure_block(what, (chart.figure, chart.words), frame, download(data, what, "tips.json"))


def frame_of(tips: Sequence[Entry]) -> pd.DataFrame:
    """Return one row a measurement, as `reports.charts.tips.figure` wants it; a missing end is NaN or infinite."""
    rows = [
        {
            "tip": tip["title"],
            "who": row["who"],
            "rules": rules_shown(row["rules"]),
            "unit": row["unit"],
            "value": math.nan if row["value"] is None else row["value"],
            "lo": math.nan if row["limits"][0] is None else row["limits"][0],
            "hi": math.nan if row["limits"][1] is None else row["limits"][1],
            "true_from": row["true_if"][0],
            "true_to": math.inf if row["true_if"][1] is None else row["true_if"][1],
            "outcome": row["outcome"],
            "cases": row["cases"],
            "pairs": row["pairs"],
        }
        for tip in tips
        for row in tip["measurements"]
    ]
    frame = pd.DataFrame(rows)
    return frame.assign(text=[chart.value_text(row) for _, row in frame.iterrows()])


def rules_shown(text: str) -> str:
    """Return what rules are called on the page: a preset, or the name of a file."""
    return Path(text).stem if text.endswith(".toml") else text


def of_tip(tip: Entry, intervals: int) -> Section:
    """Return what is said of one tip: what the source says, how it was measured, what came out, the command."""
    paragraphs = [
        f"What source {tip['source']} says: {tip['says']}",
        f"How it was measured: {tip['how']}",
        f"What came out: {came_out(tip)}",
    ]
    title = f"{tip['title']}: {tip['verdict']}"
    return Section(str(tip["name"]), title, paragraphs, [_table(tip, intervals)], commands=[quoted(tip["again"])])


def came_out(tip: Entry) -> str:
    """Say in a sentence or two what was found of a tip."""
    rows = [row for row in tip["measurements"] if row["outcome"] and (row["shown"] or row["unit"] == MISSES)]
    if rows[0]["unit"] == MISSES:
        return _broken(rows)
    cases = dict.fromkeys((row["outcome"], row["rules"]) for row in sorted(rows, key=_place))
    told = [
        _sentence(outcome, rules, [row for row in rows if (row["outcome"], row["rules"]) == (outcome, rules)])
        for outcome, rules in cases
    ]
    way = " Of the ways to follow it, the best under each of the rules is named." if tip["any_way"] else ""
    return " ".join(told) + way


def _place(row: Entry) -> int:
    return ORDER.index(row["outcome"])


def _broken(rows: Sequence[Entry]) -> str:
    """Say how many cases broke a rule."""
    broken = sum(round(row["value"] * row["cases"]) for row in rows)
    return f"Of {numbers.big(_cases(rows))} wins {numbers.count(broken) if broken else 'none'} broke the rule."


def _cases(rows: Sequence[Entry]) -> int:
    return sum(int(row["cases"]) for row in rows)


def _sentence(outcome: str, rules: str, rows: Sequence[Entry]) -> str:
    """Say what was measured under some rules with one outcome."""
    said = {HOLDS: "it holds", FAILS: "it does not hold"}.get(outcome, outcome)
    items = [f"{row['who']} {_written(row)}" for row in rows]
    return f"Under {rules_shown(rules)} {said}: {'; '.join(items)}."


def _written(row: Entry) -> str:
    (_, own), *_ = frame_of([{"title": "", "measurements": [row]}]).iterrows()
    text = str(own["text"])
    return f"{text} times" if row["unit"] == chart.TIMES else text.replace(" ", "% ", 1)


def _table(tip: Entry, intervals: int) -> Table:
    """Return all that was measured of a tip."""
    frame = frame_of([tip])
    heads = ["Measured", "Rules", "Effect", "Outcome", "Of so many"]
    rows = []
    for place, row in frame.iterrows():
        text, error = _effect(row)
        cells = [
            Cell(str(row["rules"]), list(dict.fromkeys(frame["rules"])).index(row["rules"])),
            Cell(text, -1.0 if math.isnan(row["value"]) else float(row["value"]), error),
            Cell(row["outcome"] or "for scale", ORDER.index(row["outcome"]) if row["outcome"] else len(ORDER)),
            Cell(numbers.count(int(row["cases"])), int(row["cases"])),
        ]
        rows.append(Row(Cell(str(row["who"]), f"{place:04}"), cells))
    note = (
        "± is a 95% interval over duplicate pairs (the same cards played twice with the seats swapped); where it "
        f"decides, for all {intervals} of the list at once."
    )
    data = download(frame.drop(columns=["text"]), str(tip["name"]), "tips.json")
    title = "Every measurement; × is times as much, % of 100 matches or cases"
    return Table(f"{tip['name']}-table", title, heads, rows, note, data, best_first=False)


def _effect(row: pd.Series) -> tuple[str, str]:
    """Return an effect and its ± for a table; of a rule that no case broke the upper limit instead."""
    text, _, error = str(row["text"]).partition(" ")
    if row["unit"] == MISSES and row["value"] == 0:
        return "never", f"at most {numbers.percent(row['hi'], 2)}"
    if text == "none":
        return text, ""
    return text + ("×" if row["unit"] == chart.TIMES else "%"), error
