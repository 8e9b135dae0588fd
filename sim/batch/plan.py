"""What is to be played: strategies, pairings, rules, seed and size, and how that splits into parts.

A part is up to `PART_PAIRS` duplicate pairs of one pairing and a pure function of (plan, part number): the same
bytes whatever the threads, the machine or the number of times a run was interrupted.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations

from sim.batch.schema import SCHEMA_VERSION
from sim.decisions import StrategySpec
from sim.rules import Rules

PART_PAIRS = 16_384
MAX_PAIRS = 2**32
"""Pair numbers are 32 bits wide in the results."""


@dataclass(frozen=True)
class Part:
    """One unit of work: duplicate pairs `first_pair` .. `first_pair + pairs - 1` of a pairing (two strategies)."""

    number: int
    a: StrategySpec
    b: StrategySpec
    first_pair: int
    pairs: int


@dataclass(frozen=True)
class Plan:
    """A batch: every pairing plays `pairs` duplicate pairs under the same rules and seed."""

    strategies: tuple[StrategySpec, ...]
    pairings: tuple[tuple[int, int], ...]
    rules: Rules
    preset: str
    seed: int
    pairs: int
    detail: str = field(default="matches")

    def parts(self) -> Iterator[Part]:
        """Yield the parts in order: the first pairs of every pairing, then the next, so that a run can be extended."""
        number = 0
        for first in range(0, self.pairs, PART_PAIRS):
            for a, b in self.pairings:
                pairs = min(PART_PAIRS, self.pairs - first)
                yield Part(number, self.strategies[a], self.strategies[b], first, pairs)
                number += 1

    def total_pairs(self) -> int:
        """Return the duplicate pairs of all pairings together."""
        return self.pairs * len(self.pairings)

    def spec_hash(self) -> str:
        """Return 16 hex digits that name what is played, leaving out how much of it, where and how fast."""
        spec = {
            "strategies": [(s.text, s.params, s.sha) for s in self.strategies],
            "pairings": self.pairings,
            "rules": self.rules.options(),
            "seed": self.seed,
            "detail": self.detail,
            "schema": SCHEMA_VERSION,
        }
        return hashlib.sha256(json.dumps(spec, sort_keys=True).encode()).hexdigest()[:16]


def round_robin(players: int) -> tuple[tuple[int, int], ...]:
    """Return every pairing of so many players, each once."""
    return tuple(combinations(range(players), 2))
