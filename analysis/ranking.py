"""What the pairings together say: a player who beats all, or a circle of three."""

from __future__ import annotations

from itertools import permutations

import pandas as pd


def beaten_by(pairings: pd.DataFrame) -> dict[tuple[str, str], float]:
    """Return for every decided pairing of the table: (winner, loser) -> the winner's lead over one half."""
    decided = pairings[~pairings["undecided"] & ~pairings["mirror"] & (pairings["a"] != pairings["b"])]
    lead = decided["match_win_rate"] - 0.5
    return {
        ((str(a), str(b)) if gain > 0 else (str(b), str(a))): abs(float(gain))
        for a, b, gain in zip(decided["a"], decided["b"], lead, strict=True)
    }


def beats_all(pairings: pd.DataFrame) -> str | None:
    """Return the player who has met and beats every other, all pairings being decided; None if none."""
    beaten = beaten_by(pairings)
    players = set(pairings["a"]) | set(pairings["b"])
    for player in sorted(players):
        if all((player, rival) in beaten for rival in players - {player}) and len(players) > 1:
            return str(player)
    return None


def cycle(pairings: pd.DataFrame) -> tuple[str, str, str] | None:
    """Return three players of whom each beats the next and the last the first, or None.

    Of several such circles, the one whose closest result is the least close.
    """
    beaten = beaten_by(pairings)
    players = sorted(set(pairings["a"]) | set(pairings["b"]))
    best: tuple[float, tuple[str, str, str]] | None = None
    for x, y, z in permutations(players, 3):
        steps = ((x, y), (y, z), (z, x))
        if x < min(y, z) and all(step in beaten for step in steps):
            closest = min(beaten[step] for step in steps)
            best = max(best, (closest, (x, y, z))) if best else (closest, (x, y, z))
    return best[1] if best else None
