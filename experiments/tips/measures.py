"""From the runs of a measurement to its effect: sums over duplicate pairs, and an interval for all effects at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from analysis import Run
from analysis.intervals import LEVEL, Floats, mean_limits, part_limits, share_limits
from experiments.tips.tip import CASES, LOWEST, MISSES, RATIO, TIMES, Measurement

SQL = Path(__file__).parent / "sql"
BASES = {
    "comebacks": "leads",
    "lead_changes": "leads",
    "third_win_misses": "entries",
    "early_win_misses": "entries",
    "all_three_entered": "entries",
    "first_to_three": "entries",
}
"""Queries that start from a view which another file makes."""


@dataclass(frozen=True)
class Effect:
    """An effect with its limits; `cases` is how many it is a share or a mean of, `pairs` the independent units."""

    value: float
    low: float
    high: float
    cases: int
    pairs: int


def effect(measurement: Measurement, runs: Sequence[Run], level: float = LEVEL) -> Effect:
    """Return the effect of a measurement in the runs of its meetings, with limits at a level.

    Standard errors are the delta method's over pairs, which the runs have in common: the same seed deals the same
    cards. Limits as `analysis.intervals` has them: of matches won `share_limits`, of other shares `part_limits`, of
    ratios `mean_limits`. Of several meetings in each of which A must do well, values and limits are the lowest.
    """
    sums = [pair_sums(measurement.query, run) for run in runs]
    if measurement.join == RATIO:
        one, other = sums
        return _limited(measurement.unit, one.merge(other, on="pair", suffixes=("", "_other")), level)
    found = [_limited(measurement.unit, own, level) for own in sums]
    if measurement.join != LOWEST:
        return found[0]
    return Effect(
        min(e.value for e in found),
        min(e.low for e in found),
        min(e.high for e in found),
        min(e.cases for e in found),
        min(e.pairs for e in found),
    )


def pair_sums(query: str, run: Run) -> pd.DataFrame:
    """Return part and whole for each pair of a run, as a file of sql/ says: columns pair, part, whole."""
    rules = run.spec["rules"]
    base = BASES.get(query)
    facts = {
        "target": rules["target"],
        "by_player": str(rules["closing"] == "player").upper(),
        "count_zero_wins": str(rules["count_zero_wins"]).upper(),
    }
    start = (SQL / f"{base}.sql").read_text(encoding="utf-8").format(**facts) if base else ""
    return run.query(start + (SQL / f"{query}.sql").read_text(encoding="utf-8")).sort_values("pair", ignore_index=True)


def _limited(unit: str, sums: pd.DataFrame, level: float) -> Effect:
    """Return sum of parts by sum of wholes; divided by the same of the columns ``_other``, if there are any."""
    pairs, cases = len(sums), sums["whole"].sum()
    names = [("part", 1), ("whole", -1)]
    if "part_other" in sums:
        names += [("part_other", -1), ("whole_other", 1)]
        cases = min(cases, sums["whole_other"].sum())
    value, relative = 1.0, np.zeros(pairs)
    for name, power in names:
        own = sums[name].to_numpy(dtype=np.float64)
        total = own.sum()
        if total == 0:  # nothing to count: no value; or none of many: a share of 0 without spread
            value = 0.0 if name == "part" and cases else np.nan
            relative = np.zeros(pairs)
            break
        value *= total**power
        relative += power * own / total
    se = abs(value) * _spread(relative)
    low, high = _limits(unit)(np.array(value), np.array(se), np.array(float(max(pairs, 1))), level)
    return Effect(float(value), float(low), float(high), int(cases), pairs)


def _spread(relative: Floats) -> float:
    """Return the standard error of a sum over pairs relative to it; rounding alone is no spread."""
    pairs, squares = len(relative), float((relative**2).sum())
    return (squares * pairs / (pairs - 1)) ** 0.5 if pairs > 1 and squares > 1e-20 else 0.0


def _limits(unit: str) -> Callable[[Floats, Floats, Floats, float], tuple[Floats, Floats]]:
    return mean_limits if unit == TIMES else part_limits if unit in (CASES, MISSES) else share_limits
