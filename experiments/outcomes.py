"""What a simulation came to: each pairing with its rates and intervals, as a document and for the terminal."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from analysis.intervals import share_limits
from analysis.sequential import SCORES
from sim.batch.plan import Plan
from sim.batch.tally import SEATINGS, Tally, pair_scores

Counts = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Pairing:
    """How one pairing went, from A's side. Rates are fractions; intervals are 95% over duplicate pairs.

    `blocks` holds the pairs by A's score for each block of pairs in turn: shape (blocks, 5).
    """

    a: str
    b: str
    tally: Tally
    blocks: Counts = field(default_factory=lambda: np.zeros((0, 5), np.int64))

    @property
    def matches(self) -> int:
        """Matches played, two for each pair."""
        return 2 * int(self.tally["pairs"])

    @property
    def match_win_rate(self) -> float:
        """A's share of the matches, ties half."""
        return score_moments(self.tally).mean

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% interval of `match_win_rate`."""
        pairs, mean, variance = score_moments(self.tally)
        return _limits(mean, (variance / pairs) ** 0.5, pairs)

    @property
    def deal_win_rate(self) -> float:
        """A's share of the scored deals."""
        return float(self.tally["deals_won"] / max(self.tally["deals_scored"], 1))

    @property
    def deal_interval(self) -> tuple[float, float]:
        """The 95% interval of `deal_win_rate`: a ratio of sums over pairs, by the delta method."""
        t, rate = self.tally, self.deal_win_rate
        squares = t["won_squared"] - 2 * rate * t["won_scored"] + rate**2 * t["scored_squared"]
        return ratio_limits(rate, squares, max(t["deals_scored"], 1), int(t["pairs"]))

    @property
    def deals_per_match(self) -> float:
        """Deals a match, dead ones included."""
        return float(self.tally["deals"] / self.matches)

    @property
    def column_rates(self) -> list[float | None]:
        """A's share of columns 1, 2, 3; None for a column that is not on the sheet or that nobody won."""
        won = zip(self.tally["columns_a"], self.tally["columns_b"], strict=True)
        return [a / (a + b) if a + b else None for a, b in won]

    def document(self) -> dict[str, Any]:
        """Return the pairing as `simulate --json` prints it."""
        return {
            "a": self.a,
            "b": self.b,
            "match_win_rate": self.match_win_rate,
            "interval": list(self.interval),
            "deals_per_match": self.deals_per_match,
            "deal_win_rate": self.deal_win_rate,
            "column_win_rates": self.column_rates,
            "pair_scores": pair_scores(self.tally),
        }


class ScoreMoments(NamedTuple):
    """Number of pairs, and the mean and sample variance of A's pair score; of one pair the variance is 0."""

    pairs: int
    mean: float
    variance: float


def score_moments(sums: Tally) -> ScoreMoments:
    """Return the moments of the pair scores of a tally."""
    counts = np.array(pair_scores(sums))
    pairs = int(counts.sum())
    mean = float(counts @ SCORES / pairs)
    return ScoreMoments(pairs, mean, float(counts @ (SCORES - mean) ** 2) / max(pairs - 1, 1))


def ratio_limits(rate: float, squares: float, whole: int, pairs: int) -> tuple[float, float]:
    """Return the 95% interval of a share that is a ratio of sums over pairs, by the delta method.

    `squares` is the sum over pairs of the squared residuals, part - rate * whole, and `whole` the sum below the line.
    """
    return _limits(rate, (max(squares, 0.0) * pairs / max(pairs - 1, 1)) ** 0.5 / whole, pairs)


def _limits(mean: float, se: float, pairs: int) -> tuple[float, float]:
    low, high = share_limits(np.array(mean), np.array(se), np.array(pairs))
    return float(low), float(high)


@dataclass(frozen=True)
class Trio:
    """How three-handed play went between three sides. Rates are fractions, 95% intervals over card streams."""

    names: tuple[str, ...]
    tally: Tally

    @property
    def matches(self) -> int:
        """Matches played, six for each card stream."""
        return SEATINGS * int(self.tally["pairs"])

    @property
    def match_win_rates(self) -> list[float]:
        """Each side's share of the matches, a tie a third to each."""
        return [total / (3 * self.matches) for total in self.tally["scores"]]

    @property
    def intervals(self) -> list[tuple[float, float]]:
        """The 95% intervals of `match_win_rates`."""
        pairs, most = int(self.tally["pairs"]), 3 * SEATINGS
        limits = []
        for total, squares in zip(self.tally["scores"], self.tally["scores_squared"], strict=True):
            # In whole numbers, so that sides which share every card stream evenly have no spread at all.
            variance = (pairs * squares - total * total) / (pairs * max(pairs - 1, 1) * most**2)
            limits.append(_limits(total / (pairs * most), (variance / pairs) ** 0.5, pairs))
        return limits

    @property
    def tie_rate(self) -> float:
        """Share of the matches that nobody won."""
        return float(self.tally["ties"] / self.matches)

    @property
    def deals_per_match(self) -> float:
        """Deals a match, dead ones included."""
        return float(self.tally["deals"] / self.matches)

    def document(self) -> dict[str, Any]:
        """Return the trio as `simulate --json` prints it."""
        return {
            **dict(zip("abc", self.names, strict=True)),
            "match_win_rates": self.match_win_rates,
            "intervals": [list(limits) for limits in self.intervals],
            "tie_rate": self.tie_rate,
            "deals_per_match": self.deals_per_match,
        }


@dataclass(frozen=True)
class Outcome:
    """What a simulation came to."""

    run: Path
    plan: Plan
    seconds: float
    pairings: tuple[Pairing | Trio, ...]

    @property
    def deals(self) -> int:
        """Deals played, in all pairings together."""
        return sum(int(p.tally["deals"]) for p in self.pairings)

    def document(self) -> dict[str, Any]:
        """Return the outcome as `simulate --json` prints it and summary.json keeps it."""
        return {
            "run": str(self.run),
            "seed": self.plan.seed,
            "pairs": self.plan.pairs,
            "deals": self.deals,
            "seconds": round(self.seconds, 3),
            "deals_per_second": round(self.deals / self.seconds) if self.seconds else None,
            "rules": self.plan.preset,
            "pairings": [pairing.document() for pairing in self.pairings],
        }
