"""What a reader must know before trusting a run: how complete it is and what was left out."""

from __future__ import annotations

from dataclasses import dataclass

from analysis.load import Run
from analysis.moments import pair_moments


@dataclass(frozen=True)
class Quality:
    """Counts of a run. `planned_matches` is what was asked for, `matches` what was finished and counts.

    `walls` and `turn_caps` are dead deals by cause, `ties` matches that nobody won, `unlisted` match files
    without a line in parts.jsonl, `seconds` the time spent playing the counted parts, added up over threads.
    """

    status: str
    partial: bool
    planned_matches: int
    matches: int
    deals: int
    walls: int
    turn_caps: int
    ties: int
    parts: int
    unlisted: tuple[str, ...]
    missing_pairings: tuple[tuple[str, str], ...]
    seconds: float


def quality(run: Run) -> Quality:
    """Return how complete the run is, from its spec, its parts and its matches."""
    totals = pair_moments(run)[["matches", "deals", "wall", "turn_cap", "ties"]].sum()
    planned = [(str(entry["a"]), str(entry["b"])) for entry in run.spec["pairings"]]
    return Quality(
        status=str(run.manifest["status"]),
        partial=run.is_partial,
        planned_matches=2 * int(run.spec["pairs"]) * len(planned),
        matches=int(totals["matches"]),
        deals=int(totals["deals"]),
        walls=int(totals["wall"]),
        turn_caps=int(totals["turn_cap"]),
        ties=int(totals["ties"]),
        parts=len(run.parts),
        unlisted=run.unlisted,
        missing_pairings=tuple(pairing for pairing in planned if pairing not in run.pairings),
        seconds=sum(part.seconds for part in run.parts),
    )
