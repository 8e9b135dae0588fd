"""When each side gets onto the score in each column: the staircase of Hollywood scoring, deal by deal."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pandas as pd

from analysis.asking import sql_text
from analysis.intervals import Floats, part_limits
from analysis.load import Pairing, Run

GROUP = ["a", "b", "column", "side"]


def openings(run: Run, of: Pairing | None = None) -> pd.DataFrame:
    """Return the share of matches in which a side has opened a column by deal n.

    One row for every n to the last such opening of the pairing, by pairing, column and side. Columns: a, b
    (specs) · side ("A", "B") · player (its spec) · column (1..3) · deal (n, from 1, dead deals counted) ·
    share of all matches (0..1) · lo, hi (95%, `intervals.part_limits`, clustered by pair).
    `of` restricts the table to one pairing, (A, B) as played.
    """
    return _openings(run, of).copy()


@lru_cache(maxsize=4)
def _openings(run: Run, of: Pairing | None) -> pd.DataFrame:
    """Return the table `openings`, kept because two tables are made of it."""
    opened = [f"column{column}_opened_{side}" for column in range(1, run.columns + 1) for side in "ab"]
    sql = sql_text("openings").format(
        named=run.named,
        opened=", ".join(opened),
        in_leg1=", ".join(f"{name}_1" for name in opened),
        opened_in_leg1=", ".join(f"lead({name}) OVER () AS {name}_1" for name in opened),
        number=" ".join(f"WHEN GROUPING({name}) THEN {number}" for number, name in enumerate(opened)),
        sets=", ".join(f"(a, b, {name}, {name}_1)" for name in opened),
    )
    joint = run.totals(sql, (*GROUP, "leg0", "leg1"), of)
    return pd.concat([_curve(own) for _, own in joint.groupby(GROUP, sort=False)], ignore_index=True)


def _curve(joint: pd.DataFrame) -> pd.DataFrame:
    """Turn counts of pairs by opening deal in both legs into one curve: rows of the table `openings`."""
    a, b, column, side = joint[GROUP].iloc[0]
    weight = joint["pairs"].to_numpy(dtype=np.float64)
    legs = [joint[name].to_numpy(dtype=np.float64, na_value=np.inf) for name in ("leg0", "leg1")]
    opened = np.concatenate([leg[np.isfinite(leg)] for leg in legs])
    deals = np.arange(1, 2 + (int(opened.max()) if len(opened) else 0))
    one, two, both = (_opened_by(first, weight, deals) for first in (*legs, np.maximum(*legs)))
    pairs = weight.sum()
    share, squares = (one + two) / (2 * pairs), one + two + 2 * both
    # c = legs of a pair opened by then (0, 1, 2): the sum of (c - 2 share)^2, and from it sd(c/2) /
    # sqrt(pairs).
    spread = np.maximum(squares - 4 * pairs * share**2, 0)
    spread = np.where(spread > 1e-9 * pairs, spread, 0)
    se = np.sqrt(spread / 4 / pairs / max(pairs - 1, 1))
    lo, hi = part_limits(share, se, np.full(len(deals), pairs))
    player = a if side == "a" else b
    keys = {"a": a, "b": b, "side": str(side).upper(), "player": player, "column": column}
    return pd.DataFrame({**keys, "deal": deals, "share": share, "lo": lo, "hi": hi})


def _opened_by(first: Floats, weight: Floats, deals: np.ndarray[tuple[int], np.dtype[np.int64]]) -> Floats:
    """Return how many pairs had opened by each deal n; `first` is the index, from 0, of the opening deal."""
    happened = first < len(deals)
    counts = np.bincount(first[happened].astype(np.int64), weight[happened], minlength=len(deals))
    return np.asarray(np.cumsum(counts), dtype=np.float64)


def half_open(run: Run, of: Pairing | None = None) -> pd.DataFrame:
    """Return by which deal half of all matches had each column open, one row a pairing, side and column.

    Columns: a, b, side, player, column · half_open_by (deal number, Int64; missing if never) · earliest,
    latest (Int64: the deals by which the upper and the lower 95% limit reach one half) · ever, ever_lo,
    ever_hi (share of matches in which the side opened the column at all, 0..1).
    """
    table = _openings(run, of)
    groups = table.groupby([*GROUP, "player"], sort=False)
    last = groups[["share", "lo", "hi"]].last()
    last.columns = pd.Index(["ever", "ever_lo", "ever_hi"])
    for name, curve in (("half_open_by", "share"), ("earliest", "hi"), ("latest", "lo")):
        reached = table[table[curve] >= 0.5].groupby([*GROUP, "player"], sort=False)["deal"].first()
        last[name] = reached.astype("Int64")
    columns = [
        "a",
        "b",
        "side",
        "player",
        "column",
        "half_open_by",
        "earliest",
        "latest",
        "ever",
        "ever_lo",
        "ever_hi",
    ]
    return last.reset_index()[columns]
