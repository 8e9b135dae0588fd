"""What a pairing came to, endpoint by endpoint: matches, columns, points, deals; and where these disagree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from analysis.intervals import mean_limits, share_limits
from experiments.outcomes import Pairing, ratio_limits


@dataclass(frozen=True)
class Endpoint:
    """One way to measure who did better, from A's side, with its 95% interval over duplicate pairs.

    `unit` is "share" (0..1, `even` is one half) or "points a match" (A's minus B's, `even` is 0). A single pair has no
    interval of points: NaN.
    """

    name: str
    unit: str
    estimate: float
    low: float
    high: float
    even: float

    @property
    def favours(self) -> str:
        """Return the side that the whole interval speaks for: A, B, or neither."""
        if self.low > self.even:
            return "A"
        return "B" if self.high < self.even else "neither"

    def document(self) -> dict[str, Any]:
        """Return the endpoint as `compare --json` prints it."""
        return {
            "endpoint": self.name,
            "unit": self.unit,
            "estimate": self.estimate,
            "interval": [self.low, self.high] if np.isfinite(self.low) else None,
            "favours": self.favours,
        }


def endpoints(p: Pairing) -> list[Endpoint]:
    """Return every endpoint of a pairing, matches first; a column that nobody won is left out."""
    t, pairs = p.tally, int(p.tally["pairs"])
    found = [Endpoint("matches", "share", p.match_win_rate, *p.interval, even=0.5)]
    for column, rate in enumerate(p.column_rates):
        if rate is not None:
            aa, ab, bb = (t[f"columns_{which}"][column] for which in ("aa", "ab", "bb"))
            residuals = (1 - rate) ** 2 * aa - 2 * rate * (1 - rate) * ab + rate**2 * bb
            won = t["columns_a"][column] + t["columns_b"][column]
            limits = ratio_limits(rate, residuals, won, pairs)
            found.append(Endpoint(f"column {column + 1}", "share", rate, *limits, even=0.5))
    net = t["deal_points_a"] - t["deal_points_b"]
    found.append(_points("settled points", t["settled"], t["settled_squared"], pairs))
    found.append(_points("deal points", net, t["net_squared"], pairs))
    found.append(Endpoint("deals won", "share", p.deal_win_rate, *p.deal_interval, even=0.5))
    return found


def _points(name: str, total: int, squares: int, pairs: int) -> Endpoint:
    """Return the endpoint of points a match, from their sum and sum of squares over pairs of two matches."""
    mean = total / (2 * pairs)
    variance = max(squares / 4 - pairs * mean**2, 0.0) / max(pairs - 1, 1)
    low, high = mean_limits(np.array(mean), np.array((variance / pairs) ** 0.5), np.array(pairs))
    return Endpoint(name, "points a match", mean, float(low), float(high), even=0.0)


def against_matches(found: Sequence[Endpoint]) -> list[Endpoint]:
    """Return the endpoints that plainly favour the other side than the matches plainly do."""
    other = {"A": "B", "B": "A"}.get(found[0].favours)
    return [endpoint for endpoint in found[1:] if endpoint.favours == other]


@dataclass(frozen=True)
class Legs:
    """How A's results in the two legs of a pair go together, and what playing pairs has gained.

    `rho` is their correlation, 0 where a leg has no spread; `gain` is 1 / (1 + rho): how many times as many matches,
    dealt independently, would tell as much. It is infinite for a player against itself.
    """

    rho: float
    gain: float


def legs(p: Pairing) -> Legs:
    """Return how the two legs of a pairing's pairs go together."""
    joint = np.array(p.tally["leg_scores"], dtype=np.float64).reshape(3, 3) / p.tally["pairs"]
    score = np.array([0.0, 0.5, 1.0])
    first, second = joint.sum(axis=1), joint.sum(axis=0)
    means = first @ score, second @ score
    spread = (first @ score**2 - means[0] ** 2) * (second @ score**2 - means[1] ** 2)
    if spread <= 1e-12:
        return Legs(0.0, 1.0)
    rho = float(np.clip((score @ joint @ score - means[0] * means[1]) / spread**0.5, -1, 1))
    return Legs(rho, 1 / (1 + rho) if rho > -1 + 1e-12 else float("inf"))


def first_mover(pairings: Sequence[Pairing]) -> Endpoint:
    """Return the share of all matches won by the side that made the match's first move (0..1).

    All pairings play the same cards, so their errors may go together; the interval allows for the worst, that they all
    do: its limits are the means of those of the pairings.
    """
    rates, lows, highs = [], [], []
    for p in pairings:
        pairs = int(p.tally["pairs"])
        rate = p.tally["first_mover"] / (4 * pairs)
        variance = max(p.tally["first_mover_squared"] / 16 - pairs * rate**2, 0.0) / max(pairs - 1, 1)
        low, high = share_limits(np.array(rate), np.array((variance / pairs) ** 0.5), np.array(pairs))
        rates.append(rate)
        lows.append(float(low))
        highs.append(float(high))
    estimate, lowest, highest = (float(np.mean(values)) for values in (rates, lows, highs))
    return Endpoint("first mover", "share", estimate, lowest, highest, even=0.5)
