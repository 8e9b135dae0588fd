"""What one side made of several pairings: deals and points, added up."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from experiments.outcomes import Pairing


@dataclass(frozen=True)
class SideSums:
    """Sums over all matches of a side: deals it won and lost, and the points of these, each deal counted once."""

    matches: int = 0
    deals_won: int = 0
    deals_lost: int = 0
    points: int = 0
    points_lost: int = 0

    @property
    def deal_win_rate(self) -> float:
        """Its share of the scored deals (0..1)."""
        return self.deals_won / max(self.deals_won + self.deals_lost, 1)

    @property
    def points_a_win(self) -> float | None:
        """Points of a deal that it won; None if it won none."""
        return self.points / self.deals_won if self.deals_won else None

    @property
    def net_points(self) -> float:
        """Deal points a match, its own minus the opponents'."""
        return (self.points - self.points_lost) / max(self.matches, 1)

    def document(self) -> dict[str, Any]:
        """Return the sums as JSON shows them."""
        return {
            "deal_win_rate": self.deal_win_rate,
            "points_per_deal_won": self.points_a_win,
            "net_points_per_match": self.net_points,
        }


def sums_of(sides: Iterable[tuple[Pairing, int]]) -> SideSums:
    """Return the sums of a side (0 = A, 1 = B) of each of these pairings."""
    totals = [0] * 5
    for pairing, side in sides:
        t = pairing.tally
        deals = t["deals_won"], t["deals_scored"] - t["deals_won"]
        points = t["deal_points_a"], t["deal_points_b"]
        new = (2 * t["pairs"], deals[side], deals[1 - side], points[side], points[1 - side])
        totals = [total + more for total, more in zip(totals, new, strict=True)]
    return SideSums(*totals)
