"""How far a run is, in one line, and how it ended."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from cli.texts.words import LINE_WIDTH, bold, pairs_text, plus_minus, short_count, size_text, wrapped
from sim.batch.status import COMPLETE, DIED, ENDED, FAILED, INTERRUPTED, STOPPED

if TYPE_CHECKING:
    from experiments.progress_file import Standing

REWRITTEN_WIDTH = LINE_WIDTH - 1
"""A line that fills the last column too is broken by some terminals, and then not rewritten."""
WANTED = ("left", "note", "estimate", "speed", "memory", "deals")
"""What a line says besides pairs, the most important first."""


def standing_line(standing: Standing, width: int | None = None) -> str:
    """Say how far a run is; with a `width`, as much of it as fits."""
    pieces = _pieces(standing)
    long = f"{standing.pairs:,} of {standing.total:,} pairs"
    if width is None:
        return " · ".join([_head(standing, long), *pieces.values()])
    short = f"{short_count(standing.pairs)} of {short_count(standing.total)} pairs"
    needed = {"left", "note"} if standing.note else {"left", "estimate", "speed"}
    line, dropped = _fitted(_head(standing, long), pieces, width)
    return _fitted(_head(standing, short), pieces, width)[0] if needed & dropped else line


def _head(standing: Standing, pairs: str) -> str:
    return f"  {100 * standing.pairs // max(standing.total, 1)}%  {pairs}"


def _pieces(standing: Standing) -> dict[str, str]:
    """Return what is known, in the order in which it is shown."""
    estimate = ""
    if standing.estimate is not None and not standing.note:
        share, low, high = standing.estimate
        estimate = f"A {100 * share:.1f}% {plus_minus((low, high))}"
    pieces = {
        "deals": f"{short_count(standing.deals)} deals" if standing.deals else "",
        "speed": f"{short_count(standing.deals_per_second)} deals/s" if standing.deals_per_second else "",
        "note": standing.note,
        "left": "" if standing.seconds_left is None else f"{time_text(standing.seconds_left)} left",
        "estimate": estimate,
        "memory": size_text(standing.memory) if standing.memory else "",
    }
    return {name: text for name, text in pieces.items() if text}


def _fitted(head: str, pieces: dict[str, str], width: int) -> tuple[str, set[str]]:
    """Return the line of what fits, and which pieces do not."""
    chosen: set[str] = set()
    room = width - len(head)
    for name in WANTED:
        if name in pieces and len(pieces[name]) + 3 <= room:
            chosen.add(name)
            room -= len(pieces[name]) + 3
    return " · ".join([head, *(pieces[name] for name in pieces if name in chosen)]), pieces.keys() - chosen


def time_text(seconds: int) -> str:
    """Write a time as 0:05, 12:00 or, with its hours, 7:03:59."""
    minutes, hours = seconds // 60 % 60, seconds // 3600
    return f"{hours}:{minutes:02d}:{seconds % 60:02d}" if hours else f"{minutes}:{seconds % 60:02d}"


def resume_line(run: str) -> str:
    """Say by which command a run is gone on with."""
    return f"  go on with: hollywood runs resume {shlex.quote(run)}"


def ended_text(run: Path, state: str, kept: Standing, reason: str) -> str:
    """Say how a run ended or that its process has died, what is kept of it and what to do next."""
    from cli.texts.commands import shown

    name = shown(run)
    so_far = f"{kept.pairs:,} of {pairs_text(kept.total)}"
    told = {
        COMPLETE: f"complete: {pairs_text(kept.pairs)}.",
        STOPPED: f"stopped: it was decided after {pairs_text(kept.pairs)}.",
        INTERRUPTED: f"interrupted: {so_far} are kept.",
        FAILED: f"failed: {reason or 'run.log does not say why'}",
        DIED: f"died: its process is gone; {so_far} are kept.",
    }.get(state, f"{state}: {so_far} are kept.")
    lines = [*map(bold, wrapped(told, "", "  "))]
    if state in ENDED:
        lines.append(f"  next   hollywood report {shlex.quote(name)}")
    elif state == FAILED:
        lines.append(f"  {so_far} are kept in {name}")
    else:
        lines.append(resume_line(name))
    return "\n".join(lines)
