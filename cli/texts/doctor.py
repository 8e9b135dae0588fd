"""What the doctor found, check by check, and what it comes to."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from cli.texts.words import LINE_WIDTH, bold

if TYPE_CHECKING:
    from experiments.doctor.checks import Check

STATE_WIDTH, NAME_WIDTH = 6, 14


def check_text(check: Check, group_before: str) -> str:
    """Say what one check found, under the heading of its group if it is the first of it."""
    begin = f"  {check.state:<{STATE_WIDTH}}  {check.name:<{NAME_WIDTH}}  "
    # A path is never broken, so that it can be copied.
    lines = textwrap.wrap(
        check.detail,
        LINE_WIDTH,
        initial_indent=begin,
        subsequent_indent=" " * len(begin),
        break_long_words=False,
        break_on_hyphens=False,
    )
    lines = lines or [begin.rstrip()]
    lines[0] = lines[0].replace(check.state, _mark(check.state), 1)
    if check.group == group_before:
        return "\n".join(lines)
    return "\n".join([*([""] if group_before else []), check.group, *lines])


def _mark(state: str) -> str:
    if state == "ok":
        return click.style(state, fg="green")
    return bold(state) if state == "failed" else state


def verdict_text(checks: Sequence[Check]) -> str:
    """Say what all checks together come to."""
    failed = [check.name for check in checks if check.state == "failed"]
    notes = sum(check.state == "note" for check in checks)
    noted = f" {notes} note{'s' * (notes > 1)}." if notes else ""
    if not failed:
        return "\n" + bold(f"All is well: {len(checks)} checks.{noted}")
    told = f"{len(failed)} of {len(checks)} checks failed: {', '.join(failed)}.{noted}"
    return "\n" + bold("\n".join(textwrap.wrap(told, LINE_WIDTH, break_on_hyphens=False)))
