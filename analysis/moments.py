"""Sums over duplicate pairs, and the ratios, differences and standard errors that follow from them.

A ratio here is (sum of u) / (sum of v) over pairs, where u and v are measures of sql/measures.sql. With v =
matches that is the mean over pairs. Its standard error is the delta method's, with pairs as the independent
units: se^2 = n/(n-1) * sum (u_i - r v_i)^2 / (sum v)^2, which for v = matches equals sd(Y)/sqrt(n).
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.asking import sql_text
from analysis.load import Run, RunError

Floats = npt.NDArray[np.float64]

RATIOS: tuple[tuple[str, str], ...] = (
    ("win_a", "matches"),
    ("deals", "matches"),
    ("ties", "matches"),
    ("deals_won_a", "deals_scored"),
    ("points_a", "points_scored"),
    ("points_a", "deals_won_a"),
    ("points_b", "deals_won_b"),
    *((f"column{c}_a", f"column{c}_closed") for c in (1, 2, 3)),
    ("sweep", "matches"),
    ("sweep_a", "matches"),
    ("sweep_b", "matches"),
    *((f"shutout{c}", f"column{c}_closed") for c in (1, 2, 3)),
    *((f"{ending}_{side}", "deals") for ending in ("gin", "big_gin", "knock", "undercut") for side in "ab"),
    ("wall", "deals"),
    ("turn_cap", "deals"),
    *((f"first{c}_{side}", "matches") for c in (1, 2, 3) for side in "ab"),
    *((f"first{c}_{side}_win", f"first{c}_{side}") for c in (1, 2, 3) for side in "ab"),
)
"""Every ratio that a table asks for: its second moments are computed in the one scan of the run."""

DIFFERENCES = tuple(((f"first{c}_a_win", f"first{c}_a"), (f"first{c}_b_win", f"first{c}_b")) for c in (1, 2, 3))
"""Every difference of two ratios that a table asks for."""


@lru_cache(maxsize=4)  # every table of a report starts from the same scan
def pair_moments(run: Run) -> pd.DataFrame:
    """Return sums and sums of products over pairs: one row a pairing, in the order of play.

    Columns: a, b, pairs, n_0..n_4 (pairs with 0, 1/2, 1, 3/2, 2 wins), each measure's sum under its name, and
    sums of products as ``u*v`` in alphabetical order. Memory does not grow with the run. Raises `RunError`
    when the legs of a pair are not in adjacent rows.
    """
    names = sorted({name for ratio in RATIOS for name in ratio})
    query = sql_text("pair_moments").format(
        pair_sums=",\n        ".join(f"lead({name}) OVER () + {name} AS {name}" for name in names),
        sums=", ".join(f"sum({name}) AS {name}" for name in names),
        products=", ".join(f'sum({u} * {v}) AS "{u}*{v}"' for u, v in sorted(_products())),
    )
    table = run.totals(sql_text("measures").format(named=run.named) + query, ("a", "b"))
    if table["torn"].any():
        a, b = table.loc[table["torn"] > 0, ["a", "b"]].iloc[0]
        raise RunError(f"{run.path}/matches: the two legs of a pair of {a} v {b} are not in adjacent rows")
    return table


def _products() -> set[tuple[str, str]]:
    """Return the pairs of measures whose products are needed, each in alphabetical order."""
    wanted = {pair for u, v in RATIOS for pair in ((u, u), (u, v), (v, v))}
    wanted |= {pair for one, other in DIFFERENCES for pair in product(one, other)}
    return {(min(pair), max(pair)) for pair in wanted}


def ratio(moments: pd.DataFrame, u: str, v: str) -> tuple[Floats, Floats, Floats]:
    """Return value, standard error and number of pairs of sum(u)/sum(v), arrays of shape (n_pairings,).

    Value and error are NaN where sum(v) is 0. With one pair the spread is unknown: the error is then 0.5, the
    largest that a share can have.
    """
    pairs, total = column(moments, "pairs"), column(moments, v)
    with np.errstate(divide="ignore", invalid="ignore"):
        value = column(moments, u) / total
        squares = _residual_products(moments, (u, value, v), (u, value, v))
        # All pairs alike leave a rounding error; it must not pass for a spread.
        squares = np.where(squares > 1e-12 * column(moments, f"{u}*{u}"), squares, 0.0)
        se = np.sqrt(squares * pairs / (pairs - 1)) / total
    return value, np.where(np.isnan(value), np.nan, np.where(pairs < 2, 0.5, se)), pairs


def ratio_difference(
    moments: pd.DataFrame, one: tuple[str, str], other: tuple[str, str]
) -> tuple[Floats, Floats, Floats]:
    """Return value, standard error and number of pairs of one ratio minus another of the same pairs.

    The error is NaN with one pair, and where one of the ratios has no value.
    """
    first, first_se, pairs = ratio(moments, *one)
    second, second_se, _ = ratio(moments, *other)
    residuals = (one[0], first, one[1]), (other[0], second, other[1])
    with np.errstate(divide="ignore", invalid="ignore"):
        scale = pairs / (pairs - 1) / column(moments, one[1]) / column(moments, other[1])
        covariance = scale * _residual_products(moments, *residuals)
        variance = np.maximum(first_se**2 + second_se**2 - 2 * covariance, 0)
    return first - second, np.where(pairs < 2, np.nan, np.sqrt(variance)), pairs


Residual = tuple[str, Floats, str]
"""What is left of u_i when r v_i is taken away: the names u and v around the ratio r."""


def _residual_products(moments: pd.DataFrame, one: Residual, other: Residual) -> Floats:
    """Return the sum over pairs of the product of two residuals."""
    (u, r, v), (x, s, y) = one, other

    def total(left: str, right: str) -> Floats:
        return column(moments, f"{min(left, right)}*{max(left, right)}")

    return total(u, x) - s * total(u, y) - r * total(v, x) + r * s * total(v, y)


def column(moments: pd.DataFrame, name: str) -> Floats:
    """Return one sum, for each pairing."""
    return moments[name].to_numpy(dtype=np.float64)
