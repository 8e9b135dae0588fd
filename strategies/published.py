"""What others have published about these players: shares of games to 100 won, under the rules of preset ``eaai``.

Source of all figures: the papers and repositories named in the players' own files; each `source` says which.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Published:
    """A published share of games won (fractions), its interval where one is given, and what to know about it."""

    rate: float
    low: float | None
    high: float | None
    source: str
    remark: str = ""

    def text(self) -> str:
        """Write the figure as the page shows it."""
        interval = "" if self.low is None or self.high is None else f" [{100 * self.low:.1f}, {100 * self.high:.1f}]"
        return f"{100 * self.rate:.1f}%{interval}"


_THRESHOLD = "threshold variants of the EAAI reference player, 6,000 games each"
_BASELINE = "against their heuristic baseline, not simple itself"
_HEURISTIC = "jdh8/gin-rummy-engine, 12,000 games"

PUBLISHED: dict[tuple[str, str], Published] = {
    ("gin-only", "simple"): Published(0.680, 0.668, 0.691, _THRESHOLD),
    ("threshold:knock_at=2", "simple"): Published(0.600, 0.588, 0.613, _THRESHOLD),
    ("threshold:knock_at=4", "simple"): Published(0.557, 0.544, 0.569, _THRESHOLD),
    ("threshold:knock_at=6", "simple"): Published(0.522, 0.509, 0.535, _THRESHOLD),
    ("threshold:knock_at=8", "simple"): Published(0.497, 0.484, 0.509, _THRESHOLD),
    ("heuristic", "simple"): Published(0.598, 0.590, 0.606, _HEURISTIC),
    ("gold", "heuristic"): Published(0.378, 0.371, 0.386, _HEURISTIC),
    ("heuristic", "marjj"): Published(0.292, 0.284, 0.300, _HEURISTIC),
    ("marjj", "simple"): Published(0.792, 0.771, 0.812, "the original Java player, 1,500 games"),
    ("marjj", "heuristic"): Published(0.708, 0.700, 0.716, _HEURISTIC),
    ("linear", "simple"): Published(
        0.620, None, None, "sangttruong/ginrummy, 10,000 games", "72.9% after their adjustment for the cards dealt"
    ),
    ("linear:knock_at=10", "simple"): Published(
        0.589, None, None, "sangttruong/ginrummy, 10,000 games", "56.8% after their adjustment for the cards dealt"
    ),
    ("princeton", "simple"): Published(
        0.570,
        None,
        None,
        "OpponentHandEstimationPlayer, 300 games",
        _BASELINE,
    ),
    ("princeton:fading=yes", "simple"): Published(0.610, None, None, "Hein et al., AAAI-21", _BASELINE),
}
