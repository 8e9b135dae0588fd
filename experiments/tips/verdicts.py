"""What a tip's effects come to: one outcome each, and the verdict on the tip."""

from __future__ import annotations

from collections.abc import Iterable

from experiments.tips.measures import Effect
from experiments.tips.tip import MISSES, Measurement

HOLDS, FAILS, OPEN, BY_RULES, DEPENDS = "holds", "does not hold", "undecided", "true by the rules", "it depends"
ENOUGH_CASES = 100
"""Fewer cases than this decide nothing."""


def outcome(measurement: Measurement, effect: Effect) -> str:
    """Return whether an effect makes its tip true, refutes it or leaves it undecided.

    Of a rule, one case that breaks it refutes it, and none leaves it true by the rules.
    """
    if effect.cases < ENOUGH_CASES:
        return OPEN
    if measurement.unit == MISSES:
        return FAILS if effect.value > 0 else BY_RULES
    low, high = measurement.true_if
    if low < effect.low and effect.high < high:
        return HOLDS
    if effect.high < low + measurement.slack or effect.low > high - measurement.slack:
        return FAILS
    return OPEN


def best_way(outcomes: Iterable[str]) -> str:
    """Return how a tip stands of which one way of following it has to pay: it fails only if all ways do."""
    found = set(outcomes)
    return HOLDS if HOLDS in found else OPEN if OPEN in found else FAILS


def verdict(outcomes: Iterable[str]) -> str:
    """Return the verdict on a tip from the outcomes that count: all alike, or it depends, or undecided."""
    found = set(outcomes)
    if found == {BY_RULES}:
        return BY_RULES
    if FAILS in found and found & {HOLDS, BY_RULES}:
        return DEPENDS
    if OPEN in found or not found:
        return OPEN
    return FAILS if FAILS in found else HOLDS
