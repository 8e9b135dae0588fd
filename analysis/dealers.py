"""Whether dealing helps: who scores the deals by who dealt them, and who wins the matches by who dealt first."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from analysis.asking import sql_text
from analysis.block_ratios import BlockSums, deal_block_pairs, share_of
from analysis.deal_outcomes import deal_outcomes
from analysis.intervals import mean_limits, share_limits, simultaneous_level
from analysis.load import Run


def dealer_effect(run: Run) -> pd.DataFrame:
    """Return who scores deals by who dealt them, one row a pairing in the order of play; needs a row a deal.

    Columns: a, b (specs) · deals (scored ones, count) · share of them scored by their dealer, share_lo, share_hi ·
    dealt_by_a (share of them that A dealt) · a_dealing, a_dealing_lo, a_dealing_hi (A's share of the deals that A
    dealt) · a_receiving, a_receiving_lo, a_receiving_hi (A's share of those that B dealt) · effect (a_dealing -
    a_receiving, -1..1: what dealing goes with, the same for B) · lo, hi (95%) · lo_all, hi_all (95% for all pairings at
    once, by Sidak's formula). All shares are 0..1; limits are Student's t over blocks of pairs. A better player who
    deals more often makes share larger than one half, but not effect.
    """
    found = deal_outcomes(run)
    table = found[["a", "b"]].drop_duplicates(ignore_index=True)
    table = table.join(pd.DataFrame([_one_pairing(own) for _, own in found.groupby(["a", "b"], sort=False)]))
    effect, se, blocks = (table[name].to_numpy(np.float64) for name in ("effect", "se", "blocks"))
    for suffix, level in (("", 0.95), ("_all", simultaneous_level(len(table)))):
        lo, hi = mean_limits(effect, se, blocks, level)
        table[f"lo{suffix}"], table[f"hi{suffix}"] = np.clip(lo, -1, 1), np.clip(hi, -1, 1)
    return table.drop(columns=["se", "blocks"])


def _one_pairing(own: pd.DataFrame) -> dict[str, float]:
    """Return one pairing's shares from its outcomes: sums by block, ab dealt by A and scored by B, and so on."""
    kept = BlockSums.of_all(own)
    aa, ab, ba, bb = (
        kept.of(own[(own["dealer"] == dealer) & (own["scorer"] == scorer)], "deals")
        for dealer, scorer in ((0, 0), (0, 1), (1, 0), (1, 1))
    )
    by_a, by_b, blocks = aa + ab, ba + bb, len(kept.blocks)
    dealing, receiving = share_of(aa, by_a), share_of(ba, by_b)
    effect, deals = dealing - receiving, float((by_a + by_b).sum())
    return {
        "deals": int(deals),
        **share_of(aa + bb, by_a + by_b).limited("share", share_limits, blocks),
        "dealt_by_a": float(by_a.sum()) / deals if deals else np.nan,
        **dealing.limited("a_dealing", share_limits, blocks),
        **receiving.limited("a_receiving", share_limits, blocks),
        "effect": effect.value,
        "se": effect.se,
        "blocks": blocks,
    }


def first_dealer(run: Run) -> pd.DataFrame:
    """Return how many matches the side that dealt first won, one row a pairing in the order of play.

    Columns: a, b (specs) · matches (count) · share of them won by the first dealer (0..1; a tie is half a win) · lo, hi
    (95%, Student's t over blocks of pairs). The seat that deals first is the same in both legs of a pair, so that each
    side deals first in half of the matches, unless the rules say who does.
    """
    sql = sql_text("dealer_first").format(named=run.named, block_pairs=deal_block_pairs(run))
    sums = run.totals(sql, ("a", "b", "block"))
    rows = [_one_share(own) for _, own in sums.groupby(["a", "b"], sort=False)]
    return sums[["a", "b"]].drop_duplicates(ignore_index=True).join(pd.DataFrame(rows))


def _one_share(own: pd.DataFrame) -> Mapping[str, float]:
    """Return the first dealer's share of one pairing's matches."""
    wins, matches = own["wins"].to_numpy(np.float64), own["matches"].to_numpy(np.float64)
    share = share_of(wins, matches).limited("share", share_limits, len(own))
    return {"matches": int(matches.sum()), "share": share["share"], "lo": share["share_lo"], "hi": share["share_hi"]}
