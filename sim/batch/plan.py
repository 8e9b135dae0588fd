"""What is to be played: strategies, pairings, rules, seed and size, and how that splits into parts.

A part is up to `PART_PAIRS` duplicate pairs of one pairing and a pure function of (plan, part number): the same
bytes whatever the threads, the machine or the number of times a run was interrupted. A pairing is two sides, or three
in three-handed play, where "pair" means one card stream in all six seatings.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations

from sim.batch.schema import SCHEMA_VERSION
from sim.decisions import Side, StrategySpec
from sim.rules import THREE_HANDED, Rules

PART_PAIRS = 16_384
MAX_PAIRS = 2**32
"""Pair numbers are 32 bits wide in the results."""


@dataclass(frozen=True)
class Part:
    """One unit of work: duplicate pairs `first_pair` .. `first_pair + pairs - 1` of a pairing."""

    number: int
    sides: tuple[Side, ...]
    first_pair: int
    pairs: int

    @property
    def names(self) -> tuple[str, ...]:
        """The sides as text."""
        return tuple(side.text for side in self.sides)

    def players(self, rules: Rules) -> list[StrategySpec]:
        """Return the players in the order of the kernels: by table, and at each table by side."""
        return [side.players[table % len(side.players)] for table in range(rules.tables) for side in self.sides]


@dataclass(frozen=True)
class Plan:
    """A batch: every pairing (numbers of its sides) plays `pairs` duplicate pairs under the same rules and seed."""

    sides: tuple[Side, ...]
    pairings: tuple[tuple[int, ...], ...]
    rules: Rules
    preset: str
    seed: int
    pairs: int
    detail: str = field(default="matches")

    @property
    def strategies(self) -> tuple[StrategySpec, ...]:
        """Every strategy that plays, each once."""
        return tuple(dict.fromkeys(player for side in self.sides for player in side.players))

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables of the results that are kept (`sim.batch.schema.TABLES`)."""
        if self.rules.form == THREE_HANDED:
            return ("trios",)
        return ("matches", "deals") if self.detail == "deals" else ("matches",)

    def parts(self) -> Iterator[Part]:
        """Yield the parts in order: the first pairs of every pairing, then the next, so that a run can be extended."""
        number = 0
        for first in range(0, self.pairs, PART_PAIRS):
            for pairing in self.pairings:
                pairs = min(PART_PAIRS, self.pairs - first)
                yield Part(number, tuple(self.sides[side] for side in pairing), first, pairs)
                number += 1

    def names(self) -> list[tuple[str, ...]]:
        """Return the sides of each pairing, as text."""
        return [tuple(self.sides[side].text for side in pairing) for pairing in self.pairings]

    def total_pairs(self) -> int:
        """Return the duplicate pairs of all pairings together."""
        return self.pairs * len(self.pairings)

    def spec_hash(self) -> str:
        """Return 16 hex digits that name what is played, leaving out how much of it, where and how fast."""
        spec = {
            "sides": [[(s.text, s.params, s.sha) for s in side.players] for side in self.sides],
            "pairings": self.pairings,
            "rules": self.rules.options(),
            "form": self.rules.form,
            "seed": self.seed,
            "detail": self.detail,
            "schema": SCHEMA_VERSION,
        }
        return hashlib.sha256(json.dumps(spec, sort_keys=True).encode()).hexdigest()[:16]


def round_robin(players: int, sides: int = 2) -> tuple[tuple[int, ...], ...]:
    """Return every pairing of so many players, each once; a pairing of three-handed play has three sides."""
    return tuple(combinations(range(players), sides))
