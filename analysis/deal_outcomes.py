"""How scored deals came out, counted in one scan of a run's deal rows: several tables are made of it."""

from __future__ import annotations

from functools import lru_cache

import pandas as pd

from analysis.asking import sql_text
from analysis.block_ratios import deal_block_pairs
from analysis.load import Pairing, Run, RunError

OUTCOME = ("block", "dealer", "scorer", "entered", "points")


@lru_cache(maxsize=4)
def deal_outcomes(run: Run) -> pd.DataFrame:
    """Return one row a pairing and outcome of scored deals, by block of pairs; not to be written to.

    Columns: a, b (specs) · block (`deal_block_pairs` pairs) · dealer, scorer (0 = A, 1 = B) · entered (columns that it
    was entered in, 0..3) · points · deals (count). Raises `RunError` when the run has no deal rows.
    """
    if not run.has_deals:
        raise RunError(f"{run.path}: no row a deal was kept, so what deals score is unknown")
    sql = sql_text("deal_outcomes").format(named=run.named, block_pairs=deal_block_pairs(run))
    return run.totals(sql, ("a", "b", *OUTCOME))


def outcomes_of(run: Run, of: Pairing) -> pd.DataFrame:
    """Return the rows of one pairing."""
    table = deal_outcomes(run)
    return table[(table["a"] == of[0]) & (table["b"] == of[1])]
