"""Who hears how far a check or a compaction is."""

from __future__ import annotations

from collections.abc import Callable

Tell = Callable[[str, int, int], None]
"""Hears what is being done, how much of it is done, and how much there is."""


def tell_nobody(_what: str, _done: int, _in_all: int) -> None:
    """Hear and forget."""
