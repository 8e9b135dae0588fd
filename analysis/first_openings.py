"""Who opens each column first, and how often the match is won then: what goes with it, not what it causes."""

from __future__ import annotations

import numpy as np
import pandas as pd

from analysis.intervals import mean_limits, part_limits
from analysis.load import Run
from analysis.moments import column, pair_moments, ratio, ratio_difference


def first_open(run: Run) -> pd.DataFrame:
    """Return one row a pairing, column and side that opened the column first.

    Columns: a, b (specs) · column (1..3) · first ("A", "B": who opened it first) · player (its spec) ·
    matches (count) · share, share_lo, share_hi (of all matches) · win_rate of A in these matches, lo, hi
    (missing if there are none). Limits are 95%, `intervals.part_limits`, clustered by pair.
    """
    moments = pair_moments(run)
    tables = []
    for number in range(1, run.columns + 1):
        for side in "ab":
            name = f"first{number}_{side}"
            share, share_se, pairs = ratio(moments, name, "matches")
            rate, se, _ = ratio(moments, f"{name}_win", name)
            share_lo, share_hi = part_limits(share, share_se, pairs)
            lo, hi = part_limits(rate, se, pairs)
            tables.append(
                moments[["a", "b"]].assign(
                    column=number,
                    first=side.upper(),
                    player=moments[side],
                    matches=column(moments, name).astype(np.int64),
                    share=share,
                    share_lo=share_lo,
                    share_hi=share_hi,
                    win_rate=rate,
                    lo=lo,
                    hi=hi,
                )
            )
    return pd.concat(tables).sort_index(kind="stable").reset_index(drop=True)


def first_open_gaps(run: Run) -> pd.DataFrame:
    """Return A's matches won having opened a column first, minus those won having opened it second.

    One row a pairing and column. Columns: a, b, column · gap (-1..1) · lo, hi (95%, Student's t over pairs;
    missing where a side never was first, or with one pair).
    """
    moments = pair_moments(run)
    tables = []
    for number in range(1, run.columns + 1):
        one, other = ((f"first{number}_{side}_win", f"first{number}_{side}") for side in "ab")
        gap, se, pairs = ratio_difference(moments, one, other)
        lo, hi = mean_limits(gap, se, pairs)
        tables.append(moments[["a", "b"]].assign(column=number, gap=gap, lo=lo, hi=hi))
    return pd.concat(tables).sort_index(kind="stable").reset_index(drop=True)
