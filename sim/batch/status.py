"""How a run stands, in the words of its manifest; and what is said of one whose process is gone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

RUNNING, COMPLETE, STOPPED, INTERRUPTED, FAILED = "running", "complete", "stopped", "interrupted", "failed"
ENDED = (COMPLETE, STOPPED)
"""Nothing is left to be played: all was, or a test had decided, or what was clearly worse had been dropped."""
UNFINISHED = (RUNNING, INTERRUPTED, FAILED)
"""Less was played than was asked for."""
DIED = "died"
"""Of a run that says it is running and that no process plays."""


def pairs_at_first(manifest: Mapping[str, Any], end: int) -> int:
    """Return how many pairs a pairing a run was to have before more were played; 0 if none were.

    `end` is the first pair number after all that were played. 0 it is of a comparison too, whose test allows for every
    look that it takes, and of a race that had ended: nothing was left of it to play.
    """
    first = int(manifest.get("first_pairs", 0))
    return 0 if manifest.get("experiment", {}).get("kind") == "compare" or end <= first else first
