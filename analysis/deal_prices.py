"""What a deal is worth in one pairing: in chances of winning the match, and in points on the sheet.

Both tables need a run with a row a deal. In partnership play, where two deals make one entry, they are of rounds.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from analysis.asking import sql_text
from analysis.block_ratios import BlockSums, deal_block_pairs, mean_of, share_of
from analysis.deal_outcomes import outcomes_of
from analysis.deciding import deciding_deal
from analysis.intervals import Floats, mean_limits, share_limits, simultaneous_level
from analysis.load import Pairing, Run, RunError

PRICE_KEYS, ENTRY_KEYS = ("block", "mine", "theirs", "scorer"), ("block", "scorer", "entered")
ENOUGH_DEALS = 100
"""Fewer deals than this scored by either side in a state: no price of it."""


def deal_price(run: Run, of: Pairing) -> pd.DataFrame:
    """Return what scoring a deal is worth, one row for each state that occurred in a pairing.

    Counted are deals of matches still open: up to the one that decided the match (`analysis.deciding`), for matches are
    played out, and what follows changes nothing. A state is how many columns either side has opened before the deal,
    closed ones included. `of` is the pairing, (A, B) as played. Columns: a, b (specs) · mine, theirs (columns opened by
    A and by B, 0..3) · deals (scored in that state, count) · deals_a, deals_b (by whom) · win_if_a, win_if_b (A's share
    of the matches in which A, or B, scored the deal; 0..1, a tie is half a win) · price (win_if_a - win_if_b, -1..1:
    the same from B's view) · se, lo, hi (95%, Student's t over blocks of pairs) · lo_all, hi_all (95% for all states
    with a price at once, by Sidak's formula). price, se and limits are missing where a side scored fewer than
    `ENOUGH_DEALS`. Of a mirror (`Run.is_mirror`) the table is symmetric, and in states alike for both every deal is in
    deals_a once and in deals_b once. Raises `RunError` when the pairs of deals are not in the
    order of the matches, or there are too many deals or too few; inside a pair the order of the files is relied on.
    """
    sums = _sums(run, of, "deal_price", PRICE_KEYS)
    if sums.pop("torn").any():
        raise RunError(f"{run.path}/deals: the deals of {' v '.join(of)} are not in the order of the matches")
    kept = BlockSums.of_all(sums)
    rows = [
        {"a": of[0], "b": of[1], "mine": mine, "theirs": theirs, **_one_state(own, kept)}
        for mine, mine_own in kept.sums.groupby("mine", sort=True)
        for theirs, own in mine_own.groupby("theirs", sort=True)
    ]
    return _with_limits(pd.DataFrame(rows, columns=["a", "b", "mine", "theirs", *PRICE_COLUMNS]), len(kept.blocks))


PRICE_COLUMNS = ("deals", "deals_a", "deals_b", "win_if_a", "win_if_b", "price", "se")


def _one_state(own: pd.DataFrame, kept: BlockSums) -> dict[str, float]:
    """Return the counts and the price of one state from its sums by block and scorer."""
    scored = [own[own["scorer"] == side] for side in (0, 1)]
    deals = [kept.of(some, "deals") for some in scored]
    wins = [share_of(kept.of(some, "wins"), total) for some, total in zip(scored, deals, strict=True)]
    counts = [int(total.sum()) for total in deals]
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
    sums = _entered_sums(run, of).sort_values(["scorer", "entered", "block"], ignore_index=True)
    sums["entries"] = sums["wins"] * sums["entered"]
    sums["sheet_points"] = sums["points"] * sums["entered"]
    kept = BlockSums.of_all(sums)
    rows = [
        {"a": of[0], "b": of[1], "side": side, "player": of[scorer], "entered": entered, **means}
        for scorer, side in enumerate("AB")
        for entered, means in _entered(sums[sums["scorer"] == scorer], kept)
    ]
    return pd.DataFrame(rows)


def _entered_sums(run: Run, of: Pairing) -> pd.DataFrame:
    """Return how many deals, or rounds, were entered in how many columns, and their points, by block and scorer."""
    if run.deals_a_round > 1:
        return _sums(run, of, "deal_entries", ENTRY_KEYS)
    found = outcomes_of(run, of)
    found = found.assign(wins=found["deals"], points=found["points"] * found["deals"])
    return found.groupby([*ENTRY_KEYS], as_index=False)[["wins", "points"]].sum()


def _entered(own: pd.DataFrame, kept: BlockSums) -> Iterator[tuple[str, dict[str, float]]]:
    """Yield the means of one side's wins by number of columns entered, then of all of them."""
    all_wins = kept.of(own, "wins")
    for entered, some in own.groupby("entered", sort=True):
        yield str(entered), _means(some, all_wins, kept)
    yield "any", _means(own, all_wins, kept)


def _means(own: pd.DataFrame, all_wins: Floats, kept: BlockSums) -> dict[str, float]:
    """Return the count, the share and the means of some of a side's wins, each with its limits."""
    wins, blocks = kept.of(own, "wins"), len(kept.blocks)
    row: dict[str, float] = {"wins": int(wins.sum())}
    row |= mean_of(wins, all_wins).limited("share", share_limits, blocks)
    if row["share"] == 1:  # all of its wins: no estimate, so no interval
        row |= {"share_lo": 1.0, "share_hi": 1.0}
    for name in ("points", "entries", "sheet_points"):
        row |= mean_of(kept.of(own, name), wins).limited(name, mean_limits, blocks)
    return row


def _sums(run: Run, of: Pairing, query: str, keys: tuple[str, ...]) -> pd.DataFrame:
    """Return one of the queries' sums over blocks of pairs of a pairing."""
    scored = f"({sql_text('deal_rounds')})" if run.deals_a_round > 1 else "deals"
    sql = sql_text(query).format(scored=scored, block_pairs=deal_block_pairs(run), decided=deciding_deal(run))
    return run.totals(sql, ("a", "b", *keys), of)
