"""How long matches last, and how lopsided they end."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pandas as pd

from analysis.asking import sql_text
from analysis.intervals import part_limits
from analysis.load import Run
from analysis.moments import pair_moments, ratio
from analysis.pairing_rates import pairings

QUANTILES = {"median": 0.5, "low": 0.1, "high": 0.9, "long": 0.95, "longest": 1.0}
"""Named numbers of deals; low..high encloses the middle eight of ten matches."""


def match_length(run: Run) -> pd.DataFrame:
    """Return how many matches took how many deals: one row a pairing and number of deals that occurred.

    Columns: a, b (specs) · deals (of the match, dead ones included) · matches (count) · share of the
    pairing's matches.
    """
    return _match_length(run).copy()


@lru_cache(maxsize=4)
def _match_length(run: Run) -> pd.DataFrame:
    """Return the table `match_length`, kept because two tables are made of it."""
    sql = sql_text("match_length").format(named=run.named)
    table = run.totals(sql, ("a", "b", "deals")).astype({"deals": np.int64, "matches": np.int64})
    table["share"] = table["matches"] / table.groupby(["a", "b"])["matches"].transform("sum")
    return table


def match_summary(run: Run) -> pd.DataFrame:
    """Return one row a pairing: how long its matches are, and how often one side takes all.

    Columns: a, b (specs) · median, low, high (deals; low..high holds the middle eight of ten matches) · long,
    longest (deals not exceeded by 95 and by 100 of 100 matches) · mean, mean_lo, mean_hi (deals a match, 95%,
    t over pairs) · sweep, sweep_a, sweep_b (share of matches in which either, A or B won all three columns)
    with _lo and _hi · shutout1..3 (share of closed columns in which the loser had no entry) with _lo and _hi.
    Limits of shares are `intervals.part_limits`. Sweeps and the columns 2 and 3 are left out of a sheet with
    one column.
    """
    lengths = _match_length(run).groupby(["a", "b"], sort=False)
    means = pairings(run)
    table = means[["a", "b"]].copy()
    for name, quantile in QUANTILES.items():
        table[name] = [_quantile(own, quantile) for _, own in lengths]
    for name, source in (("mean", ""), ("mean_lo", "_lo"), ("mean_hi", "_hi")):
        table[name] = means[f"deals_per_match{source}"]
    return _with_shares(run, table)


def _with_shares(run: Run, table: pd.DataFrame) -> pd.DataFrame:
    """Add the shares of sweeps and shutouts, with their limits."""
    ratios = {f"shutout{c}": (f"shutout{c}", f"column{c}_closed") for c in range(1, run.columns + 1)}
    if run.columns == 3:
        ratios |= {name: (name, "matches") for name in ("sweep", "sweep_a", "sweep_b")}
    for name, (u, v) in ratios.items():
        share, se, pairs = ratio(pair_moments(run), u, v)
        table[name] = share
        table[f"{name}_lo"], table[f"{name}_hi"] = part_limits(share, se, pairs)
    return table


def _quantile(lengths: pd.DataFrame, quantile: float) -> int:
    """Return the least number of deals that at least this part of the matches did not exceed."""
    reached = lengths["share"].cumsum() >= quantile - 1e-12
    return int(lengths["deals"][reached].iloc[0]) if reached.any() else int(lengths["deals"].iloc[-1])
