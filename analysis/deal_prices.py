"""What a deal is worth in one pairing: in chances of winning the match, and in points on the sheet.

Both tables need a run with a row a deal. In partnership play, where two deals make one entry, they are of rounds.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.block_ratios import BlockRatio, mean_of, share_of
from analysis.intervals import Floats, mean_limits, share_limits, simultaneous_level
from analysis.load import Pairing, Run
from analysis.moments import sql_text
from analysis.players import block_pairs

Blocks = npt.NDArray[np.int64]
PRICE_KEYS, ENTRY_KEYS = ("block", "mine", "theirs", "scorer"), ("block", "scorer", "entered")
ENOUGH_DEALS = 100
"""Fewer deals than this scored by either side in a state: no price of it."""


def deal_price(run: Run, of: Pairing) -> pd.DataFrame:
    """Return what scoring a deal is worth, one row for each state that occurred in a pairing.

    A state is how many columns either side has opened before the deal, closed ones included. `of` is the pairing, (A,
    B) as played. Columns: a, b (specs) · mine, theirs (columns opened by A and by B, 0..3) · deals (scored in that
    state, count) · deals_a, deals_b (by whom) · win_if_a, win_if_b (A's share of the matches in which A, or B,
    scored the deal; 0..1, a tie is half a win) · price (win_if_a - win_if_b, -1..1: the same from B's view) · se, lo,
    hi (95%, Student's t over blocks of pairs) · lo_all, hi_all (95% for all states with a price at once, by Sidak's
    formula). price, se and limits are missing where a side scored fewer than `ENOUGH_DEALS`. Where a player meets
    himself, leg 1 is leg 0 seen from the other side: the table is symmetric, and in states alike for both every deal
    is in deals_a once and in deals_b once.
    """
    sums = _sums(run, of, "deal_price", PRICE_KEYS)
    blocks = _places(sums)
    rows = [
        {"a": of[0], "b": of[1], "mine": mine, "theirs": theirs, **_one_state(own, blocks)}
        for mine, mine_own in sums.groupby("mine", sort=True)
        for theirs, own in mine_own.groupby("theirs", sort=True)
    ]
    return _with_limits(pd.DataFrame(rows, columns=["a", "b", "mine", "theirs", *PRICE_COLUMNS]), len(blocks))


PRICE_COLUMNS = ("deals", "deals_a", "deals_b", "win_if_a", "win_if_b", "price", "se")


def _one_state(own: pd.DataFrame, blocks: Blocks) -> dict[str, float]:
    """Return the counts and the price of one state from its sums by block and scorer."""
    deals = {side: _by_block(own[own["scorer"] == side], "deals", blocks) for side in (0, 1)}
    wins = {side: share_of(_by_block(own[own["scorer"] == side], "wins", blocks), deals[side]) for side in (0, 1)}
    counts = [int(deals[side].sum()) for side in (0, 1)]
    price = wins[0] - wins[1]
    enough = min(counts) >= ENOUGH_DEALS
    return {
        "deals": sum(counts),
        "deals_a": counts[0],
        "deals_b": counts[1],
        "win_if_a": wins[0].value,
        "win_if_b": wins[1].value,
        "price": price.value if enough else np.nan,
        "se": price.se if enough else np.nan,
    }


def _with_limits(table: pd.DataFrame, blocks: int) -> pd.DataFrame:
    """Add the limits of the prices, one by one and for all at once."""
    price, se = table["price"].to_numpy(np.float64), table["se"].to_numpy(np.float64)
    for suffix, level in (("", 0.95), ("_all", simultaneous_level(int(np.isfinite(price).sum())))):
        lo, hi = mean_limits(price, se, np.full(len(table), float(blocks)), level)
        table[f"lo{suffix}"], table[f"hi{suffix}"] = np.clip(lo, -1, 1), np.clip(hi, -1, 1)
    return table


def deal_entries(run: Run, of: Pairing) -> pd.DataFrame:
    """Return what a won deal brings, by the number of columns that it was entered in, and over all.

    One row a side and number of columns, and one for all its wins. `of` is the pairing, (A, B) as played. Columns: a,
    b (specs) · side ("A", "B") · player (its spec) · entered ("0".."3", "any") · wins (count) · share of the side's
    wins (0..1), share_lo, share_hi · points (mean of such a deal, points), points_lo, points_hi · entries (mean number
    of columns entered a win), entries_lo, entries_hi · sheet_points (mean of points times columns entered: what the
    win adds to the sheet), sheet_points_lo, sheet_points_hi. Limits are 95%, Student's t over blocks of pairs. Numbers
    of columns that never occurred have no row.
    """
    sums = _sums(run, of, "deal_entries", ENTRY_KEYS).sort_values(["scorer", "entered", "block"], ignore_index=True)
    sums["entries"] = sums["wins"] * sums["entered"]
    sums["sheet_points"] = sums["points"] * sums["entered"]
    blocks = _places(sums)
    rows = [
        {"a": of[0], "b": of[1], "side": side, "player": of[scorer], "entered": entered, **means}
        for scorer, side in enumerate("AB")
        for entered, means in _entered(sums[sums["scorer"] == scorer], blocks)
    ]
    return pd.DataFrame(rows)


def _entered(own: pd.DataFrame, blocks: Blocks) -> Iterator[tuple[str, dict[str, float]]]:
    """Yield the means of one side's wins by number of columns entered, then of all of them."""
    all_wins = _by_block(own, "wins", blocks)
    for entered, some in own.groupby("entered", sort=True):
        yield str(entered), _means(some, all_wins, blocks)
    yield "any", _means(own, all_wins, blocks)


def _means(own: pd.DataFrame, all_wins: Floats, blocks: Blocks) -> dict[str, float]:
    """Return the count, the share and the means of some of a side's wins, each with its limits."""
    wins = _by_block(own, "wins", blocks)
    count = np.array([float(len(blocks))])
    row: dict[str, float] = {"wins": int(wins.sum())}
    share = mean_of(wins, all_wins)
    whole = share.value == 1  # all of its wins: no estimate, so no interval
    row |= _limited("share", share, (np.ones(1), np.ones(1)) if whole else share_limits(*_arrays(share), count))
    for name in ("points", "entries", "sheet_points"):
        mean = mean_of(_by_block(own, name, blocks), wins)
        row |= _limited(name, mean, mean_limits(*_arrays(mean), count))
    return row


def _arrays(ratio: BlockRatio) -> tuple[Floats, Floats]:
    """Return value and standard error as arrays of one element."""
    return np.array([ratio.value]), np.array([ratio.se])


def _limited(name: str, ratio: BlockRatio, limits: tuple[Floats, Floats]) -> dict[str, float]:
    """Return three columns of the table: value, lower and upper limit."""
    return {name: ratio.value, f"{name}_lo": float(limits[0][0]), f"{name}_hi": float(limits[1][0])}


def _sums(run: Run, of: Pairing, query: str, keys: tuple[str, ...]) -> pd.DataFrame:
    """Return one of the queries' sums over blocks of pairs of a pairing."""
    scored = sql_text("deal_rounds" if run.deals_a_round > 1 else "deal_scored")
    sql = sql_text(query).format(scored=scored, block_pairs=block_pairs(run))
    return run.totals(sql, ("a", "b", *keys), of)


def _places(sums: pd.DataFrame) -> Blocks:
    """Return the blocks of a pairing, in order."""
    return np.unique(sums["block"].to_numpy(np.int64))


def _by_block(own: pd.DataFrame, name: str, blocks: Blocks) -> Floats:
    """Return sums of a column for every block, 0 where there are no rows; shape (n_blocks,)."""
    where = np.searchsorted(blocks, own["block"].to_numpy(np.int64))
    return np.bincount(where, own[name].to_numpy(np.float64), len(blocks)).astype(np.float64)
