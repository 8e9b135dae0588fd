"""What a run takes on disk, and whether the disk can hold it."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import NamedTuple

from sim.batch.part_lines import extents
from sim.batch.plan import Plan
from sim.rules import PARTNERSHIP, THREE_HANDED, TWO_HANDED

DEALS_A_MATCH = {TWO_HANDED: 15, PARTNERSHIP: 22, THREE_HANDED: 18}
MATCH_BYTES = {TWO_HANDED: 25.6, PARTNERSHIP: 27.5, THREE_HANDED: 4.4}
DEAL_BYTES = 8.2
"""Measured: the players greedy and simple (and gin-only), the preset hollywood and those of the other forms."""


class Need(NamedTuple):
    """About how many deals are still to be played, how many bytes they take, and how many are free."""

    deals: int
    size: int
    free: int


def disk_need(plan: Plan, folder: Path) -> Need:
    """Return what playing a plan into a folder still needs; what is in place there is not counted again.

    The folder need not be there yet.
    """
    in_place = sum(one.pairs for one in extents(folder))
    matches = plan.rules.legs * max(plan.total_pairs() - in_place, 0)
    deals = matches * DEALS_A_MATCH[plan.rules.form]
    return Need(deals, round(row_bytes(plan, matches, deals)), free_bytes(folder))


def free_bytes(folder: Path) -> int:
    """Return how many bytes are free on the disk of a folder, which need not be there yet."""
    return shutil.disk_usage(_first_that_is(folder)).free


def row_bytes(plan: Plan, matches: float, deals: float) -> float:
    """Return how many bytes the rows of so many matches and deals take, of those tables that a plan keeps."""
    return matches * MATCH_BYTES[plan.rules.form] + (deals * DEAL_BYTES if "deals" in plan.tables else 0)


def _first_that_is(folder: Path) -> Path:
    """Return the folder, or the nearest above it that is there."""
    whole = folder.resolve()
    return next((path for path in (whole, *whole.parents) if path.exists()), whole)
