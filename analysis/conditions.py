"""One pairing in several runs, such as under other rules: what it comes to in each, and what the change is worth.

A condition is a run as one pairing sees it. Runs with one seed deal the same cards to the same pair numbers, whatever
the rules; what the two results then have in common is taken out of the error of their difference.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from analysis.asking import sql_text
from analysis.intervals import LEVEL, Floats, mean_limits, share_limits, simultaneous_level
from analysis.load import Pairing, Run, answers_over
from analysis.pairing_rates import pairings

STRETCH_PAIRS = 2**20
"""So many pair numbers are joined at a time; some tens of megabytes."""
COLUMNS = ["match_win_rate", "se", "pairs", "lo", "hi", "lo_all", "hi_all"]
SUMS = ["pairs", "score_1", "score_2", "products"]
CHANGE = ["change", "change_se", "change_lo", "change_hi"]


def conditions(runs: Sequence[Run]) -> pd.DataFrame:
    """Return a row for each run that has a pairing which others have too: by pairing as first met, then by run.

    Three-handed runs and players who meet themselves are left out; the sides may be swapped from run to run. Columns:
    a, b (specs, as the first of its runs names the sides) · run (its place in `runs`, from 0) · swapped (the sides, in
    this run) · match_win_rate of a (0..1) · se · pairs · lo, hi (95%, Student's t over duplicate pairs) · lo_all,
    hi_all (95% for all runs of the pairing at once) · change (match_win_rate less that of the pairing's first run),
    change_se, change_lo, change_hi (95% for all changes of the table at once); NaN in that first run.
    """
    rows = [row for number, run in enumerate(runs) for row in _rows(run, number)]
    table = pd.DataFrame(rows, columns=["a", "b", "run", "swapped", *COLUMNS])
    table = _as_first_named(table)
    times = table.groupby(["a", "b"])["run"].transform("size")
    table = table[times > 1].reset_index(drop=True)
    met = {pair: place for place, pair in enumerate(dict.fromkeys(zip(table["a"], table["b"], strict=True)))}
    order = [met[pair] for pair in zip(table["a"], table["b"], strict=True)]
    table = table.assign(order=order).sort_values(["order", "run"], kind="stable", ignore_index=True)
    return _with_changes(_with_limits(table.drop(columns="order")), runs)


def _rows(run: Run, number: int) -> list[dict[str, object]]:
    """Return what a run says of each pairing of two players."""
    if run.is_three_handed:
        return []
    table = pairings(run)
    kept = table[table["a"] != table["b"]]
    names = ["a", "b", "match_win_rate", "se", "pairs"]
    return [dict(zip(names, row, strict=True)) | {"run": number} for row in kept[names].itertuples(index=False)]


def _as_first_named(table: pd.DataFrame) -> pd.DataFrame:
    """Return the table with the sides of each pairing as the first of its runs names them."""
    first: dict[frozenset[str], Pairing] = {}
    for a, b in zip(table["a"], table["b"], strict=True):
        first.setdefault(frozenset((a, b)), (a, b))
    named = [first[frozenset(pair)] for pair in zip(table["a"], table["b"], strict=True)]
    swapped = pd.Series([pair[0] != a for pair, a in zip(named, table["a"], strict=True)], dtype=bool)
    return table.assign(
        a=[pair[0] for pair in named],
        b=[pair[1] for pair in named],
        swapped=swapped,
        match_win_rate=table["match_win_rate"].where(~swapped, 1 - table["match_win_rate"]).astype(np.float64),
    )


def _with_limits(table: pd.DataFrame) -> pd.DataFrame:
    """Return the table with the limits of every share."""
    table["lo"], table["hi"] = _share_limits(table, LEVEL)
    for _, own in table.groupby(["a", "b"]):
        low, high = _share_limits(own, simultaneous_level(len(own)))
        table.loc[own.index, "lo_all"], table.loc[own.index, "hi_all"] = low, high
    return table


def _share_limits(table: pd.DataFrame, level: float) -> tuple[Floats, Floats]:
    """Return the limits of the shares of some rows."""
    rate, se, pairs = (table[name].to_numpy(dtype=np.float64) for name in COLUMNS[:3])
    return share_limits(rate, se, pairs, level)


def _with_changes(table: pd.DataFrame, runs: Sequence[Run]) -> pd.DataFrame:
    """Return the table with each run's change from the first run of its pairing."""
    table = table.assign(**dict.fromkeys(CHANGE, np.nan))
    first = table.groupby(["a", "b"])["run"].transform("first") == table["run"]
    level = simultaneous_level(int((~first).sum()))
    for _, own in table.groupby(["a", "b"], sort=False):
        base = own.iloc[0]
        for at, row in own.iloc[1:].iterrows():
            se = _change_se((base, row), runs)
            change = row["match_win_rate"] - base["match_win_rate"]
            table.loc[at, CHANGE] = [change, se, *_change_limits((base, row), se, level)]
    return table


def _change_se(rows: tuple[pd.Series, pd.Series], runs: Sequence[Run]) -> float:
    """Return the standard error of the second share less the first, which share the luck of the cards if one seed."""
    base, row = rows
    variance = float(base["se"] ** 2 + row["se"] ** 2)
    if runs[base["run"]].spec["seed"] == runs[row["run"]].spec["seed"]:
        common, covariance = _covariance(rows, runs)
        variance -= 2 * covariance * common / float(base["pairs"] * row["pairs"])
    # Runs that came to the same in every pair leave a rounding error; it must not pass for a spread.
    return float(np.sqrt(variance)) if variance > 1e-12 else 0.0


def _change_limits(rows: tuple[pd.Series, pd.Series], se: float, level: float) -> tuple[float, float]:
    """Return the limits of a change: Student's t, or the farthest ends of both shares where one shows no spread."""
    base, row = rows
    pairs = np.array([min(base["pairs"], row["pairs"])], dtype=np.float64)
    if min(base["se"], row["se"], se) == 0 or pairs[0] < 2:
        low, high = _share_limits(pd.DataFrame(rows), level)
        return float(low[1] - high[0]), float(high[1] - low[0])
    change = np.array([row["match_win_rate"] - base["match_win_rate"]])
    low, high = mean_limits(change, np.array([se]), pairs, level)
    return max(float(low[0]), -1.0), min(float(high[0]), 1.0)


def _covariance(rows: tuple[pd.Series, pd.Series], runs: Sequence[Run]) -> tuple[float, float]:
    """Return how many pairs both runs have, and the covariance over these of a's share of a pair."""
    files, winners = {}, {}
    for number, row in enumerate(rows, start=1):
        sides = (row["b"], row["a"]) if row["swapped"] else (row["a"], row["b"])
        files[f"matches{number}"] = [part.file for part in runs[row["run"]].parts if part.sides == sides]
        winners[f"winner{number}"] = int(row["swapped"])
    # A part may be missing in the middle of a run that is not finished, so count from the last pair number there is.
    end = max(runs[row["run"]].end for row in rows)
    query = sql_text("common_pairs")
    asked = [query.format(first=at, last=at + STRETCH_PAIRS - 1, **winners) for at in range(0, end, STRETCH_PAIRS)]
    where = " and ".join(str(runs[row["run"]].path) for row in rows)
    sums = sum((answer.iloc[0] for answer in answers_over(files, asked, where)), start=pd.Series(0.0, index=SUMS))
    pairs = float(sums["pairs"])
    if pairs < 2:
        return pairs, 0.0
    return pairs, float(sums["products"] - sums["score_1"] * sums["score_2"] / pairs) / (pairs - 1)
