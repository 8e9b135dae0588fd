"""What a reader must know before trusting a run: how complete it is and what was left out."""

from __future__ import annotations

from dataclasses import dataclass

from analysis.load import Pairing, Run
from analysis.moments import pair_moments
from analysis.trio_rates import trio_blocks


@dataclass(frozen=True)
class Quality:
    """Counts of a run. `planned_matches` is what was asked for, `matches` what was finished and counts.

    `dead` are the deals that nobody scored, `turn_caps` those of them that ended at the turn cap, not at the wall
    (None in a three-handed run, which does not tell). `ties` are matches that nobody won, `unlisted` match files
    without a line in parts.jsonl, `seconds` the time spent playing the counted parts, added up over threads.
    """

    status: str
    partial: bool
    planned_matches: int
    matches: int
    deals: int
    dead: int
    turn_caps: int | None
    ties: int
    parts: int
    unlisted: tuple[str, ...]
    missing_pairings: tuple[Pairing, ...]
    seconds: float


def quality(run: Run) -> Quality:
    """Return how complete the run is, from its spec, its parts and its matches."""
    matches, deals, dead, turn_caps, ties = _of_trios(run) if run.is_three_handed else _of_two_sides(run)
    return Quality(
        status=str(run.manifest["status"]),
        partial=run.is_partial,
        planned_matches=run.legs * int(run.spec["pairs"]) * len(run.planned),
        matches=matches,
        deals=deals,
        dead=dead,
        turn_caps=turn_caps,
        ties=ties,
        parts=sum(part.merged for part in run.parts),
        unlisted=run.unlisted,
        missing_pairings=tuple(pairing for pairing in run.planned if pairing not in run.pairings),
        seconds=sum(part.seconds for part in run.parts),
    )


Counts = tuple[int, int, int, int | None, int]
"""Matches, deals, dead deals, those at the turn cap, ties."""


def _of_two_sides(run: Run) -> Counts:
    sums = pair_moments(run)[["matches", "deals", "wall", "turn_cap", "ties"]].sum()
    matches, deals, walls, turn_caps, ties = (int(value) for value in sums)
    return matches, deals, walls + turn_caps, turn_caps, ties


def _of_trios(run: Run) -> Counts:
    matches, deals, dead, ties = (int(value) for value in trio_blocks(run)[["matches", "deals", "dead", "ties"]].sum())
    return matches, deals, dead, None, ties
