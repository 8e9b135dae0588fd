"""Slow, obvious versions of the tables: every match in pandas, then pair by pair."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow.parquet as pq
from scipy import stats

Floats = npt.NDArray[np.float64]


def matches(folder: Path) -> pd.DataFrame:
    """Return all matches of a run, with what the tables ask of them."""
    files = sorted((folder / "matches").glob("*.parquet"))
    table: pd.DataFrame = pd.concat([pq.read_table(file).to_pandas() for file in files], ignore_index=True)
    table["a"], table["b"] = table["strategy_a"].astype(str), table["strategy_b"].astype(str)
    table["win_a"] = np.select([table["match_winner"] == 0, table["match_winner"] == 2], [1.0, 0.5], 0.0)
    table["win_b"] = 1 - table["win_a"]
    table["one"] = 1.0
    table["deals_scored"] = table["deals_won_a"] + table["deals_won_b"]
    table["points_scored"] = table["deal_points_a"] + table["deal_points_b"]
    table["column2_a"] = table["column2_winner"] == 0
    for column in (1, 2, 3):
        opened = [table[f"column{column}_opened_{side}"].astype(float).fillna(np.inf) for side in "ab"]
        table[f"first{column}_a"] = (opened[0] < opened[1]).astype(float)
        table[f"first{column}_b"] = (opened[1] < opened[0]).astype(float)
    return table


def pairing(table: pd.DataFrame, a: str, b: str) -> pd.DataFrame:
    """Return the matches of one pairing."""
    met = np.flatnonzero((table["a"] == a) & (table["b"] == b))
    return table.iloc[met]


def pair_ratio(table: pd.DataFrame, u: str, v: str) -> tuple[float, float]:
    """Return sum(u)/sum(v) over the matches of a pairing, and its error with pairs as clusters, written out."""
    sums = table[["pair", u, v]].astype(float).groupby("pair").sum()
    of_u, of_v = sums[u].to_numpy(dtype=np.float64), sums[v].to_numpy(dtype=np.float64)
    value = of_u.sum() / of_v.sum()
    n = len(sums)
    return float(value), float(np.sqrt(n / (n - 1) * ((of_u - value * of_v) ** 2).sum()) / of_v.sum())


def pair_means(table: pd.DataFrame, name: str) -> Floats:
    """Return the mean over both legs of every pair, Y_i."""
    return table.groupby("pair")[name].mean().to_numpy(dtype=np.float64)


def t_half(se: float, n: int, level: float = 0.95) -> float:
    """Return half of a Student interval."""
    return float(stats.t.ppf(0.5 + level / 2, n - 1) * se)


def records(table: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of a table as dictionaries."""
    return [{str(name): value for name, value in row.items()} for row in table.to_dict("records")]


def look_up(table: pd.DataFrame, *keys: str) -> dict[tuple[Any, ...], dict[str, Any]]:
    """Return the rows of a table by the values of some columns."""
    return {tuple(row[key] for key in keys): row for row in records(table)}


def opened(table: pd.DataFrame, side: str, column: int) -> Floats:
    """Return the deal index at which a side opened a column in every match, infinite if never."""
    numbers = table[f"column{column}_opened_{side.lower()}"].astype(float).fillna(np.inf)
    return np.asarray(numbers, dtype=np.float64)
