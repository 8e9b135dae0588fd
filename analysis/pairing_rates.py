"""Who wins the matches of each pairing, from side A's view, and how surely."""

from __future__ import annotations

import numpy as np
import pandas as pd

from analysis.anytime import anytime_limits
from analysis.intervals import Floats, mean_limits, share_limits, simultaneous_level
from analysis.load import Run
from analysis.moments import column, pair_moments, ratio


def pairings(run: Run) -> pd.DataFrame:
    """Return one row a pairing, in the order of play.

    Columns: a, b (specs) · pairs, matches, deals (counts) · match_win_rate of A (0..1; a tie is half a win) ·
    se, lo, hi (95%, Student's t over duplicate pairs) · lo_all, hi_all (95% for all pairings of the run at
    once, by Sidak's formula; equal to lo, hi for one) · rho (correlation of A's result in the two legs; 0
    where a leg has no spread) · variance_reduction (1/(1+rho): how many times as many matches dealt
    independently would be needed; inf for a mirror) · deals_per_match, points_per_deal_a, points_per_deal_b
    (points a deal that the side scored), each with _lo and _hi · tie_rate · mirror (A plays itself and, by
    construction, splits every pair: the rate is exactly one half) · undecided (lo_all..hi_all touches one
    half).
    """
    moments = pair_moments(run)
    rate, se, pairs = ratio(moments, "win_a", "matches")
    mirror = is_mirror(moments, rate, se)
    lo, hi = rate_limits(moments, rate, se)
    lo_all, hi_all = rate_limits(moments, rate, se, simultaneous_level(len(moments)))
    table = moments[["a", "b"]].assign(
        pairs=pairs.astype(np.int64),
        matches=column(moments, "matches").astype(np.int64),
        deals=column(moments, "deals").astype(np.int64),
        match_win_rate=rate,
        se=np.where(mirror, 0.0, se),
        lo=lo,
        hi=hi,
        lo_all=lo_all,
        hi_all=hi_all,
        rho=_leg_correlation(moments),
    )
    return table.assign(
        variance_reduction=[np.inf if rho == -1 else 1 / (1 + rho) for rho in table["rho"]],
        **_mean_columns(moments, "deals_per_match", ("deals", "matches")),
        **_mean_columns(moments, "points_per_deal_a", ("points_a", "deals_won_a")),
        **_mean_columns(moments, "points_per_deal_b", ("points_b", "deals_won_b")),
        tie_rate=ratio(moments, "ties", "matches")[0],
        mirror=mirror,
        undecided=~mirror & (lo_all <= 0.5) & (hi_all >= 0.5),
    )


def extended_rates(run: Run) -> pd.DataFrame:
    """Return the match win rates of a run that was made longer, with limits that hold however often one looks.

    One row a pairing that is no mirror, in the order of play; none of a run that was not made longer
    (`Run.first_pairs`). Columns: a, b (specs) · pairs (count) · match_win_rate of A (0..1) · lo, hi (95%,
    `analysis.anytime`, planned for the pairs that it was to have at first) · lo_all, hi_all (the same, 95% for all
    rows at once, by Sidak's formula).
    """
    moments = pair_moments(run)
    rate, se, pairs = ratio(moments, "win_a", "matches")
    told = ~is_mirror(moments, rate, se) & (run.first_pairs > 0)
    table = moments[["a", "b"]].assign(pairs=pairs.astype(np.int64), match_win_rate=rate)
    for suffix, level in (("", 0.95), ("_all", simultaneous_level(int(told.sum())))):
        lo, hi = anytime_limits(rate, se * np.sqrt(pairs), pairs, max(run.first_pairs, 1), level, share=True)
        table[f"lo{suffix}"], table[f"hi{suffix}"] = lo, hi
    return table[told].reset_index(drop=True)


def _mean_columns(moments: pd.DataFrame, name: str, names: tuple[str, str]) -> dict[str, Floats]:
    """Return the three columns of a mean that is no share: value, lower and upper limit."""
    value, se, pairs = ratio(moments, *names)
    lo, hi = mean_limits(value, se, pairs)
    return {name: value, f"{name}_lo": lo, f"{name}_hi": hi}


def pair_scores(run: Run) -> pd.DataFrame:
    """Return how many pairs gave A 0, 1/4, 1/2, 3/4 and 1 of their two matches: a, b, n_0 .. n_4 (counts)."""
    moments = pair_moments(run)
    counts = [f"n_{k}" for k in range(5)]
    return moments[["a", "b", *counts]].astype(dict.fromkeys(counts, np.int64))


def is_mirror(moments: pd.DataFrame, share: Floats, se: Floats) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Tell for each pairing whether A plays itself and splits every pair: its share is no estimate.

    A pairing of a player with itself is no mirror when the rules favour side A, as ``first_dealer=a`` does.
    """
    alike = (moments["a"] == moments["b"]).to_numpy()
    even_pairs = (se == 0) | (column(moments, "pairs") == 1)
    return np.asarray(alike & even_pairs & (share == 0.5))


def rate_limits(moments: pd.DataFrame, share: Floats, se: Floats, level: float = 0.95) -> tuple[Floats, Floats]:
    """Return the limits of A's share of something: Student's t over pairs, exactly the share for a mirror."""
    lo, hi = share_limits(share, se, column(moments, "pairs"), level)
    mirror = is_mirror(moments, share, se)
    return np.where(mirror, share, lo), np.where(mirror, share, hi)


def _leg_correlation(moments: pd.DataFrame) -> Floats:
    """Return corr(X_i1, X_i2) of A's match results, in -1..1; 0 where one leg has no spread."""
    pairs = column(moments, "pairs")
    both, first = column(moments, "win_a"), column(moments, "leg0_win")
    both_squares, first_squares = column(moments, "win_a*win_a"), column(moments, "leg0_win*leg0_win")
    products = column(moments, "leg0_win*win_a") - first_squares
    second = both - first
    second_squares = both_squares - 2 * products - first_squares
    spread = (first_squares - first**2 / pairs) * (second_squares - second**2 / pairs)
    covariance = products - first * second / pairs
    with np.errstate(divide="ignore", invalid="ignore"):
        rho = covariance / np.sqrt(spread)
    return np.where(spread > 0, np.clip(rho, -1, 1), 0.0)
