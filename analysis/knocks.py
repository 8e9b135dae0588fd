"""When players knock, with what, how often they are undercut, and what each ending pays.

All of it is counted in deal rows, so the run needs them. A turn here is the knocker's own: the deal rows count the
turns of both, and the last of them is the knocker's, so his is half of that, rounded up. Where a player meets himself,
both sides are counted as one; and where leg 1 then is leg 0 seen from the other side (`Run.is_mirror`), leg 0 alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np
import pandas as pd

from analysis.asking import sql_text
from analysis.block_ratios import BlockRatio, BlockSums, deal_block_pairs, mean_of
from analysis.intervals import LEVEL, Floats, mean_limits, part_limits, simultaneous_level
from analysis.load import Pairing, Run, RunError
from sim.rows import Ending

LAST_TURNS = (5, 8)
"""The last turn of each band of turns but the last band, which is open."""
BANDS = ("1-5", "6-8", "9+")
ENDINGS = tuple(ending.name.lower() for ending in Ending)
"""Their names, by the number of `ending` in a deal row."""
KNOCK, UNDERCUT = ENDINGS.index("knock"), ENDINGS.index("undercut")
ORDER = ("gin", "big_gin", "knock", "undercut", "wall", "turn_cap")
SIDES = ("A", "B", "nobody")
NOBODY = SIDES.index("nobody")


def undercut_risk(run: Run) -> pd.DataFrame:
    """Return how often a knock is undercut, by the knocker's deadwood and turn: one row for each of both that occurred.

    All knocks of the run short of gin are pooled. Columns: deadwood (points) · turns (the knocker's own turn: "1-5",
    "6-8", "9+") · knocks, undercuts (counts) · share (of those knocks that were undercut, 0..1) · lo, hi (95%, Wilson's
    interval on the effective number of knocks, blocks of pairs being the independent units; that of a share of 0 or 1
    takes as few deals for independent as there can be) · lo_all, hi_all (the same, 95% for all rows at once, by Sidak's
    formula).
    """
    sums = _risks(run)
    # The same deal may be knocked in by every pairing that is dealt it, in each leg.
    copies = sum(1 if run.is_mirror(pairing) else 2 for pairing in run.pairings)
    cells, rows = list(_groups(sums, "deadwood", "band")), []
    level = simultaneous_level(len(cells))
    for deadwood, number, own in cells:
        knocks, undercuts = (own[name].to_numpy(np.float64) for name in ("knocks", "undercuts"))
        units = max(float(len(own)), knocks.sum() / copies)
        counts = {"knocks": int(knocks.sum()), "undercuts": int(undercuts.sum())}
        ratio = mean_of(undercuts, knocks)
        share, at_once = _limited_share(ratio, units), _limited_share(ratio, units, level=level)
        limits = {"lo_all": at_once["lo"], "hi_all": at_once["hi"]}
        rows.append({"deadwood": deadwood, "turns": BANDS[number], **counts, **share, **limits})
    columns = ["deadwood", "turns", "knocks", "undercuts", "share", "lo", "hi", "lo_all", "hi_all"]
    return pd.DataFrame(rows, columns=columns)


def _risks(run: Run) -> pd.DataFrame:
    """Return all knocks short of gin and how many were undercut, by block, deadwood and band of turns."""
    found = _all_counts(run)
    found = found[found["ending"].isin((KNOCK, UNDERCUT))]
    band = sum((found["turn"] > last).astype(np.int64) for last in LAST_TURNS)
    undercuts = found["deals"].where(found["ending"] == UNDERCUT, 0)
    found = found.assign(band=band, knocks=found["deals"], undercuts=undercuts)
    return found.groupby(["block", "deadwood", "band"], as_index=False)[["knocks", "undercuts"]].sum()


def knock_deadwood(run: Run, of: Pairing) -> pd.DataFrame:
    """Return with what deadwood each side of a pairing ended deals: one row a side, ending and deadwood.

    `of` is the pairing, (A, B) as played. Columns: a, b (specs) · side ("A", "B": who ended the deal) · player (its
    spec) · ending (gin, big_gin, or knock: undercut or not) · deadwood (points) · deals (count) · share of the deals
    the side ended (0..1) · lo, hi (95%, `intervals.part_limits`, by blocks of pairs).
    """
    return _distribution(_counts(run, of), of, "deadwood")


def knock_turns(run: Run, of: Pairing) -> pd.DataFrame:
    """Return in which turn of its own each side of a pairing ended deals, as `knock_deadwood` with the column turn."""
    return _distribution(_counts(run, of), of, "turn")


def knock_summary(run: Run, of: Pairing) -> pd.DataFrame:
    """Return one row for each side of a pairing that ended a deal: how many, how early, and with what.

    `of` is the pairing, (A, B) as played. Columns: a, b (specs) · side ("A", "B") · player (its spec) · ended, gins
    (big ones included), knocks (counts; a knock is short of gin, undercut or not) · turn (mean own turn in which it
    ended a deal), turn_lo, turn_hi, turn_median · deadwood (mean of its knocks, points), deadwood_lo, deadwood_hi,
    deadwood_median (missing without knocks) · undercut (share of its knocks that were undercut, 0..1), undercut_lo,
    undercut_hi (95%, `intervals.part_limits`). Limits of means are 95%, Student's t, all over blocks of pairs; a median
    is the least value that half of the cases do not exceed.
    """
    counts, rows = _counts(run, of), []
    for side, name in enumerate(SIDES[:2]):
        ended = counts.sums[counts.sums["side"] == side]
        knocks = ended[ended["ending"].isin((KNOCK, UNDERCUT))]
        of_all, of_knocks = (int(own["deals"].sum()) for own in (ended, knocks))
        if of_all:
            who = {"a": of[0], "b": of[1], "side": name, "player": of[side]}
            cases = {"ended": of_all, "gins": of_all - of_knocks, "knocks": of_knocks}
            means = _mean(counts, ended, "turn") | _mean(counts, knocks, "deadwood") | _undercut(counts, knocks)
            rows.append({**who, **cases, **means})
    return pd.DataFrame(rows, columns=SUMMARY_COLUMNS)


SUMMARY_COLUMNS = (
    *("a", "b", "side", "player", "ended", "gins", "knocks"),
    *(f"{name}{suffix}" for name in ("turn", "deadwood") for suffix in ("", "_lo", "_hi", "_median")),
    *("undercut", "undercut_lo", "undercut_hi"),
)


def points_by_ending(run: Run, of: Pairing) -> pd.DataFrame:
    """Return how deals of a pairing end and what they score: one row a scoring side and ending that occurred.

    `of` is the pairing, (A, B) as played. Columns: a, b (specs) · side ("A", "B": who scored, an undercut being scored
    by the defender; "nobody") · player (its spec, "" for nobody) · ending (gin, big_gin, knock, undercut; wall and
    turn_cap for nobody) · deals (count) · share of all deals, dead ones included (0..1), share_lo, share_hi (95%,
    `intervals.part_limits`) · points (mean of such a deal, bonuses included), points_lo, points_hi (95%, Student's t).
    All limits are over blocks of pairs.
    """
    counts, rows = _counts(run, of), []
    undercut_of_rival = (counts.sums["ending"] == UNDERCUT) & (of[0] != of[1])
    scorer = counts.sums["side"].where(~undercut_of_rival, 1 - counts.sums["side"].astype(np.int64))
    total = counts.of(counts.sums, "deals")
    for side, ending, own in _groups(counts.sums.assign(scorer=scorer), "scorer", "ending"):
        deals, points = counts.of(own, "deals"), counts.of(own, "points")
        row = {"a": of[0], "b": of[1], "side": SIDES[side], "player": (*of, "")[side], "ending": ENDINGS[ending]}
        share = _limited_share(mean_of(deals, total), len(total), "share_")
        mean = _limited_mean(mean_of(points, deals), "points", deals)
        rows.append({**row, "deals": int(deals.sum()), **share, **mean})
    rows.sort(key=lambda row: (SIDES.index(str(row["side"])), ORDER.index(str(row["ending"]))))
    return pd.DataFrame(rows)


@lru_cache(maxsize=2)  # every table starts from the same scan
def _all_counts(run: Run) -> pd.DataFrame:
    """Return the answer to sql/knock_counts.sql."""
    _need_deals(run)
    side = "if(strategy_a = strategy_b, 0, knocker)" if any(a == b for a, b in run.pairings) else "knocker"
    filled = {"named": run.named, "side": side, "counted": run.each_once, "block_pairs": deal_block_pairs(run)}
    sql = sql_text("knock_counts").format(**filled)
    return run.totals(sql, ("a", "b", "block", "side", "ending", "turn", "deadwood"))


def _counts(run: Run, of: Pairing) -> BlockSums:
    """Return the rows of one pairing."""
    found = _all_counts(run)
    return BlockSums.of_all(found[(found["a"] == of[0]) & (found["b"] == of[1])])


def _distribution(counts: BlockSums, of: Pairing, name: str) -> pd.DataFrame:
    """Return the share of each ending and value in the deals that a side ended."""
    ended = counts.sums[counts.sums["side"] != NOBODY]
    ended = ended.assign(ending=ended["ending"].where(ended["ending"] != UNDERCUT, KNOCK))
    totals = [counts.of(ended[ended["side"] == side], "deals") for side in (0, 1)]
    rows = []
    for side, ending, some in _groups(ended, "side", "ending"):
        who = {"a": of[0], "b": of[1], "side": SIDES[side], "player": of[side], "ending": ENDINGS[ending]}
        for value, _, own in _groups(some, name, "side"):
            deals = counts.of(own, "deals")
            share = _limited_share(mean_of(deals, totals[side]), float(np.count_nonzero(totals[side])))
            rows.append({**who, name: value, "deals": int(deals.sum()), **share})
    columns = ["a", "b", "side", "player", "ending", name, "deals", "share", "lo", "hi"]
    return pd.DataFrame(rows, columns=columns)


def _mean(counts: BlockSums, own: pd.DataFrame, name: str) -> dict[str, float]:
    """Return mean, limits and median of a column over some deals, NaN where there are none."""
    deals, total = counts.of(own, "deals"), counts.of(own.assign(total=own[name] * own["deals"]), "total")
    by_value = own.groupby(name, sort=True)["deals"].sum()
    values, is_half = by_value.index.to_numpy(np.float64), by_value.cumsum().to_numpy() * 2 >= by_value.sum()
    median = float(values[is_half.argmax()]) if len(values) else np.nan
    return _limited_mean(mean_of(total, deals), name, deals) | {f"{name}_median": median}


def _undercut(counts: BlockSums, knocks: pd.DataFrame) -> dict[str, float]:
    """Return the share of some knocks that were undercut, and its limits."""
    total = counts.of(knocks, "deals")
    undercuts = counts.of(knocks[knocks["ending"] == UNDERCUT], "deals")
    share = _limited_share(mean_of(undercuts, total), float(np.count_nonzero(total)), "undercut_")
    share["undercut"] = share.pop("share")
    return share


def _limited_mean(ratio: BlockRatio, name: str, cases: Floats) -> dict[str, float]:
    """Return a mean and its limits as columns of a table; `cases` are how many it is of, by block."""
    return ratio.limited(name, mean_limits, int(np.count_nonzero(cases)))


def _limited_share(ratio: BlockRatio, units: float, prefix: str = "", level: float = LEVEL) -> dict[str, float]:
    """Return a share and its limits as columns of a table; `units` of its cases may be taken for independent."""
    se = 0.0 if np.isnan(ratio.se) else ratio.se
    lo, hi = part_limits(np.array([ratio.value]), np.array([se]), np.array([float(units)]), level)
    return {"share": ratio.value, f"{prefix}lo": float(lo[0]), f"{prefix}hi": float(hi[0])}


def _groups(table: pd.DataFrame, one: str, other: str) -> Iterator[tuple[int, int, pd.DataFrame]]:
    """Yield the rows of each value of two columns of whole numbers, in order, after the two values."""
    for keys, own in table.groupby([one, other], sort=True):
        first, second = (int(str(key)) for key in keys)
        yield first, second, own


def _need_deals(run: Run) -> None:
    if not run.has_deals:
        raise RunError(f"{run.path}: this run keeps no row a deal, so knocks cannot be looked at one by one")
