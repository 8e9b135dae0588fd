"""What runs take on disk, in words, and the refusal of those that the disk cannot hold."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from cli.texts.words import short_count, size_text
from experiments.defaults import COMPARE, SWEEP

if TYPE_CHECKING:
    from experiments.disk_need import Need

MAY_END_EARLY = frozenset({COMPARE, SWEEP})
"""Kinds of experiments that play all of their plan only if they must, so that nobody knows what they will take."""


def need_text(need: Need, *, at_most: bool = False) -> str:
    """Say what is needed: deals, and bytes on disk."""
    return f"{'up to' if at_most else 'about'} {short_count(need.deals)} deals, {size_text(need.size)} on disk"


def refuse_too_large(need: Need, folder: Path, what: str = "this run takes") -> None:
    """Raise RuntimeError, which says what to do, if the disk of a folder cannot hold what is needed."""
    if need.size > need.free:
        told = f"{what} {need_text(need)}, and the disk of {folder.resolve()} has {size_text(need.free)} free"
        raise RuntimeError(f"{told}: make room, play fewer pairs, or name a folder on a larger disk with --out")
