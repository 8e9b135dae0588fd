"""The tips in words: a line of how many hold, then each with its verdict and what was measured."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cli.texts.commands import folded
from cli.texts.words import LINE_WIDTH, bold, cut_middle, dim, rounded_up, short_count, wrapped

if TYPE_CHECKING:
    from experiments.tips.tip import Tip

Entry = dict[str, Any]
WHO, RULES = 30, 13
SAID = {
    "true by the rules": "{} by the rules",
    "holds": "{} in play",
    "it depends": "{} depend{s}",
    "does not hold": "{} do{es} not",
    "undecided": "{} {is} undecided",
}
"""How so many tips of each verdict are told, in the order in which they are."""


def list_text(tips: Sequence[Tip]) -> str:
    """Name the tips: each with its kind and source, and what it says."""
    lines = []
    for tip in tips:
        lines.append(f"{bold(tip.name)}  {tip.kind}, source {tip.source}")
        lines += wrapped(tip.says, "  ", "  ")
    return "\n".join(lines)


def tips_text(document: Entry, folder: Path) -> str:
    """Say which tips hold, and what was measured of each."""
    tips = document["tips"]
    lines = [*map(bold, wrapped(headline(tips)))]
    for tip in tips:
        lines += ["", *_tip(tip)]
    many = document["intervals"]
    lines += [
        "",
        *wrapped(
            f"± is 95%, for all {many} intervals of the list at once. x is times as much as in the game compared with, "
            "% of the matches won or of the cases. It depends: one measurement bears the tip out, another does not.",
            "  ",
            "  ",
        ),
        f"  {short_count(document['matches'])} matches · {short_count(document['deals'])} deals",
        *map(dim, wrapped(f"rules  {', '.join(document['rules'])}, seed {document['seed']}", "  ", "    ")),
        *folded(document["again"], "  again  ", "           "),
        f"  saved  {folder}",
        f"  page   {shlex.quote(str(folder / 'report.html'))}",
    ]
    return "\n".join(lines)


def headline(tips: Sequence[Entry]) -> str:
    """Say how many tips hold."""
    if len(tips) == 1:
        return f"{tips[0]['title']}: {tips[0]['verdict']}."
    verdicts = [tip["verdict"] for tip in tips]
    hold = sum(verdict in ("holds", "true by the rules") for verdict in verdicts)
    told = [_counted(said, verdicts.count(verdict)) for verdict, said in SAID.items() if verdict in verdicts]
    return f"{hold} of {len(tips)} tips hold: {', '.join(told)}."


def _counted(said: str, count: int) -> str:
    one = count == 1
    return said.format(count, s="s" if one else "", es="es" if one else "", **{"is": "is" if one else "are"})


def _tip(tip: Entry) -> list[str]:
    """Return a tip with its verdict and its measurements; of ways to follow it, the best under each of the rules."""
    lines = [bold(line) for line in wrapped(f"{tip['title']}: {tip['verdict']}", later="  ")]
    rows = [row for row in tip["measurements"] if row["shown"] or not row["outcome"] or row["unit"] == "misses"]
    return lines + [_row(row) for row in rows]


def _row(row: Entry) -> str:
    who, rules = cut_middle(row["who"], WHO), cut_middle(Path(row["rules"]).stem, RULES)
    line = f"  {who:<{WHO}}  {rules:<{RULES}}  {_effect(row):<12}  {row['outcome'] or 'for scale'}"
    return line[:LINE_WIDTH].rstrip()


def _effect(row: Entry) -> str:
    """Write an effect with its ±: ``1.36x ±0.02``, ``55.8% ±0.6``, ``0 of 16,610``."""
    value, (low, high) = row["value"], row["limits"]
    if value is None:
        return "none"
    if row["unit"] == "misses":
        return f"{round(value * row['cases'])} of {short_count(row['cases'])}"
    half = None if low is None or high is None else max(high - value, value - low)
    if row["unit"] == "times":
        return f"{value:.2f}x" + (f" ±{float(rounded_up(10 * half)) / 10:.2f}" if half is not None else "")
    return f"{100 * value:.1f}%" + (f" ±{rounded_up(100 * half)}" if half is not None else "")
