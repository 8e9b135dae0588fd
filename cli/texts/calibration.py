"""The proof of calibration, line by line: what was promised and what simulated runs showed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from cli.texts.words import bold, dim, rounded_up, wrapped

if TYPE_CHECKING:
    from experiments.calibration.rule import Line

STATE_WIDTH, NAME_WIDTH, NOMINAL_WIDTH, REALISED_WIDTH, RUNS_WIDTH = 6, 38, 7, 12, 7
SIGNS = {"at least": ">=", "at most": "<="}
WARNING, MEAN = "warning", "mean"
"""Kinds of lines, as `experiments.calibration.rule` has them: it needs numpy, which --help should not wait for."""


def line_text(line: Line, group_before: str) -> str:
    """Say what one line found, under the heading of its group if it is the first of it."""
    heading = []
    if line.group != group_before:
        width = 4 + STATE_WIDTH + NAME_WIDTH
        titles = _columns("nominal", "realised", "runs")
        heading = [*([""] if group_before else []), f"{line.group:<{width}}{titles}"]
    begin = f"  {_mark(line.state)}{' ' * (STATE_WIDTH - len(line.state))}  "
    if line.detail:
        return "\n".join([*heading, *_told(line, begin)])
    return "\n".join([*heading, f"{begin}{line.name:<{NAME_WIDTH}}{_numbers(line)}"])


def _told(line: Line, begin: str) -> list[str]:
    """Return the lines of what has no numbers."""
    indent = " " * (4 + STATE_WIDTH)
    first, *later = wrapped(f"{line.name}: {line.detail}", indent, indent)
    return [begin + first.removeprefix(indent), *later]


def _numbers(line: Line) -> str:
    """Return the columns of a line."""
    if line.kind == MEAN:
        nominal, shown, error = f"{line.nominal:,.0f}", f"{line.realised:,.0f}", f"±{math.ceil(line.error):,}"
    else:
        nominal = f"{SIGNS.get(line.kind, '')}{100 * line.nominal:g}%"
        shown, error = f"{100 * line.realised:.1f}%", f"±{rounded_up(100 * line.error)}"
    text = _columns(nominal, f"{shown} {error}", f"{line.runs:,}")
    return text.replace(error, dim(error))


def _columns(nominal: str, realised: str, runs: str) -> str:
    return f" {nominal:>{NOMINAL_WIDTH}}  {realised:>{REALISED_WIDTH}} {runs:>{RUNS_WIDTH}}"


def _mark(state: str) -> str:
    if state == "ok":
        return click.style(state, fg="green")
    return bold(state) if state == "failed" else state


def proof_text(lines: Sequence[Line]) -> str:
    """Say what all lines together come to, and what their notes mean."""
    failed = [line for line in lines if line.state == "failed"]
    notes = [line for line in lines if line.state == "note"]
    if failed:
        names = ", ".join(line.name for line in failed)
        verdict = f"{len(failed)} of {len(lines)} promises are broken: {names}."
    else:
        verdict = f"All {len(lines)} promises are kept, to within what chance explains."
    text = ["", *(bold(part) for part in wrapped(verdict))]
    if any(line.kind == WARNING for line in notes):
        text += wrapped(
            "A plain interval holds for a number of pairs fixed beforehand, not for one who stops when it shows a"
            " winner: shown as a warning, no procedure of this program.",
            "  note  ",
            "        ",
        )
    careful = sum(line.kind != WARNING for line in notes)
    if careful:
        told = f"{careful} interval{' is' if careful == 1 else 's are'} wider than need be: safe, but less sharp."
        text += wrapped(told, "  note  ", "        ")
    return "\n".join(text)
