"""Where a difference arises: A's share of deals, points, columns and matches, one below the other."""

from __future__ import annotations

import numpy as np
import pandas as pd

from analysis.load import Run
from analysis.moments import pair_moments, ratio
from analysis.pairing_rates import rate_limits

LADDER = {
    "deals won": ("deals_won_a", "deals_scored"),
    "points scored": ("points_a", "points_scored"),
    "column 1": ("column1_a", "column1_closed"),
    "column 2": ("column2_a", "column2_closed"),
    "column 3": ("column3_a", "column3_closed"),
    "matches won": ("win_a", "matches"),
}
"""Endpoint -> what A has of it, and all there is of it."""


def endpoints(run: Run) -> pd.DataFrame:
    """Return one row a pairing and endpoint: pairings as played, endpoints in the order of `LADDER`.

    Columns: a, b (specs) · endpoint (a key of `LADDER`; columns the sheet does not have are left out) · share
    of A (0..1) · se · lo, hi (95%, Student's t over duplicate pairs; ratios by the delta method). An endpoint
    that never happened in a pairing has no row.
    """
    moments = pair_moments(run)
    tables = []
    for endpoint, (u, v) in LADDER.items():
        if endpoint.startswith("column") and int(endpoint[-1]) > run.columns:
            continue
        share, se, _ = ratio(moments, u, v)
        lo, hi = rate_limits(moments, share, se)
        table = moments[["a", "b"]].assign(endpoint=endpoint, share=share, se=se, lo=lo, hi=hi)
        tables.append(table[~np.isnan(share)])
    return pd.concat(tables).sort_index(kind="stable").reset_index(drop=True)
