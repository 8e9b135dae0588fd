"""Slow, obvious versions of simultaneous inference: loops over arms, blocks and draws."""

from __future__ import annotations

import math

import numpy as np
from scipy import stats

from analysis import simultaneous
from analysis.simultaneous import DRAWS, FEW_BLOCKS, Arms


class Slow:
    """What `analysis.simultaneous` says, by loops over arms, blocks and draws, for arms that all show a spread."""

    def __init__(self, arms: Arms) -> None:
        self.arms, (self.blocks, self.count) = arms, arms.sums.shape
        total = sum(int(n) for n in arms.pairs)
        self.mean = [sum(arms.sums[b][j] for b in range(self.blocks)) / total for j in range(self.count)]
        self.total = total

    def residuals(self, j: int, k: int | None = None) -> list[float]:
        """Residuals of arm j, or of arm j minus arm k."""
        own = [self.arms.sums[b][j] - self.arms.pairs[b] * self.mean[j] for b in range(self.blocks)]
        return own if k is None else [x - y for x, y in zip(own, self.residuals(k), strict=True)]

    def error(self, residuals: list[float]) -> float:
        squares = sum(r**2 / n for r, n in zip(residuals, self.arms.pairs, strict=True))
        return math.sqrt(float(squares) / (self.blocks - 1) / self.total)

    def critical(self, many: list[list[float]], level: float, safe: float, sign: bool) -> float:
        """Critical value for all of these residuals; `sign` if only one side matters."""
        tail = safe
        if self.blocks > FEW_BLOCKS:
            units = [np.array(r) / math.sqrt(sum(x * x for x in r)) for r in many]
            largest = []
            for row in simultaneous._multipliers(self.blocks).astype(np.float64):
                each = [float(row @ unit) for unit in units]
                largest.append(max(each) if sign else max(abs(t) for t in each))
            normal = stats.norm.sf(sorted(largest)[math.ceil((DRAWS + 1) * level) - 1])
            weight = FEW_BLOCKS / self.blocks
            tail = weight * safe + (1 - weight) * max(normal, safe)
        return float(stats.t.isf(tail, self.blocks - 1))

    def bands(self, level: float) -> list[tuple[float, float]]:
        many = [self.residuals(j) for j in range(self.count)]
        critical = self.critical(many, level, (1 - level ** (1 / self.count)) / 2, sign=False)
        halves = [critical * self.error(r) for r in many]
        return [(m - h, m + h) for m, h in zip(self.mean, halves, strict=True)]

    def plateau(self, level: float) -> list[bool]:
        good = []
        for j in range(self.count):
            others = [k for k in range(self.count) if k != j]
            many = [self.residuals(k, j) for k in others]
            critical = self.critical(many, level, (1 - level) / len(others), sign=True)
            ahead = [(self.mean[k] - self.mean[j]) / self.error(r) for k, r in zip(others, many, strict=True)]
            good.append(max(ahead) <= critical)
        return good

    def differences(self, level: float) -> list[tuple[int, int, float, float]]:
        couples = [(j, k) for j in range(self.count) for k in range(j + 1, self.count)]
        many = [self.residuals(j, k) for j, k in couples]
        critical = self.critical(many, level, (1 - level ** (1 / len(couples))) / 2, sign=False)
        return [
            (j, k, self.mean[j] - self.mean[k], critical * self.error(r))
            for (j, k), r in zip(couples, many, strict=True)
        ]
