"""Who wins three-handed matches: each side of every trio, and each player over all trios it was in.

A side's score is what it made of the six seatings of one card stream, in thirds of a match: 3 a match won, 1 for a
tie. Card streams are the independent units, as duplicate pairs are between two.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pandas as pd

from analysis.asking import sql_text
from analysis.intervals import Floats, share_limits, simultaneous_level
from analysis.load import Run, RunError
from analysis.moments import column
from analysis.players import View, block_pairs, mean_over_views

KEYS = ["a", "b", "c"]
SEATINGS = 6
MOST = 3 * SEATINGS
"""The highest score of a card stream: all six matches won."""
MEASURES = ("deals", "dead", "ties", "score_a", "score_b", "score_c")


def trios(run: Run) -> pd.DataFrame:
    """Return one row a trio and side: trios in the order of play, then sides A, B, C.

    Columns: a, b, c (who plays each side) · side ("A", "B", "C") · name (who plays this side) · pairs (card streams),
    matches, deals (counts, of the trio) · rate (share of the matches that the side won, 0..1; a tie is a third for
    each) · se, lo, hi (95%, Student's t over card streams) · lo_all, hi_all (95% for all trios of the run at once, by
    Sidak's formula; equal to lo, hi for one) · tie_rate, deals_per_match (of the trio) · mirror (one player on all
    three sides: a third each by construction, and no estimate) · best (lo_all lies above the hi_all of every other
    player of the trio).
    """
    sums = trio_blocks(run).groupby(KEYS, sort=False, as_index=False).sum()
    mirror = ((sums["a"] == sums["b"]) & (sums["b"] == sums["c"])).to_numpy()
    pairs = column(sums, "pairs")
    counts = {name: column(sums, name).astype(np.int64) for name in ("pairs", "matches", "deals")}
    level = simultaneous_level(len(sums))
    tables = []
    for side in KEYS:
        rate, se = _rate(sums, side)
        limits = {"lo": share_limits(rate, se, pairs)[0], "hi": share_limits(rate, se, pairs)[1]}
        limits["lo_all"], limits["hi_all"] = share_limits(rate, se, pairs, level)
        known = mirror & (se == 0)
        limits = {name: np.where(known, rate, limit) for name, limit in limits.items()}
        table = sums[KEYS].assign(side=side.upper(), name=sums[side], **counts, rate=rate, se=se, **limits)
        tie_rate = column(sums, "ties") / column(sums, "matches")
        tables.append(table.assign(tie_rate=tie_rate, deals_per_match=table["deals"] / table["matches"], mirror=known))
    table = pd.concat(tables).sort_index(kind="stable").reset_index(drop=True)
    return table.assign(best=_best(table))


def _rate(sums: pd.DataFrame, side: str) -> tuple[Floats, Floats]:
    """Return a side's share of the matches of each trio and its standard error, arrays of shape (n_trios,)."""
    pairs, squares = column(sums, "pairs"), column(sums, f"squares_{side}")
    mean = column(sums, f"score_{side}") / pairs
    spread = squares - pairs * mean**2
    # Card streams all alike leave a rounding error; it must not pass for a spread.
    spread = np.where(spread > 1e-12 * squares, spread, 0.0)
    return mean / MOST, np.sqrt(spread / np.maximum(pairs - 1, 1) / pairs) / MOST


def _best(table: pd.DataFrame) -> list[bool]:
    """Tell for each row of the table whether its player surely wins more than the other players of the trio."""
    best: list[bool] = []
    for _, trio in table.groupby(KEYS, sort=False):
        for name, low in zip(trio["name"], trio["lo_all"], strict=True):
            rivals = trio.loc[trio["name"] != name, "hi_all"]
            best.append(len(rivals) > 0 and low > float(rivals.max()))
    return best


def trio_standings(run: Run) -> pd.DataFrame:
    """Return one row a player, the most matches won first: its mean over the trios it was in.

    Columns: player · trios (count) · matches_won (share of the matches, 0..1; a tie is a third) · matches_won_lo,
    matches_won_hi (95%, Student's t over card streams). Each value is the plain mean over trios. Its error comes from
    blocks of card streams, common to all trios, as that of `analysis.standings`: all trios are dealt the same cards.
    """
    views: dict[str, list[View]] = {}
    for names, own in trio_blocks(run).groupby(KEYS, sort=False):
        sums = {name: column(own, name) for name in ("matches", "most", "score_a", "score_b", "score_c")}
        for side, player in zip(KEYS, names, strict=True):
            views.setdefault(str(player), []).append(View(own["block"].to_numpy(np.int64), sums, {"me": side}))
    means = {player: mean_over_views(own, ("score_{me}", "most"), SEATINGS) for player, own in views.items()}
    table = pd.DataFrame({"player": list(means), "trios": [len(views[player]) for player in means]})
    value, se, pairs = (np.array([mean[name] for mean in means.values()]) for name in ("value", "se", "pairs"))
    lo, hi = share_limits(value, se, pairs)
    table = table.assign(matches_won=value, matches_won_lo=lo, matches_won_hi=hi)
    return table.sort_values(["matches_won", "player"], ascending=[False, True], ignore_index=True)


@lru_cache(maxsize=4)  # every table of a report starts from the same scan
def trio_blocks(run: Run) -> pd.DataFrame:
    """Return sums over blocks of card streams: one row a trio and block, trios in the order of play.

    Columns: a, b, c, block · pairs (card streams), matches, deals, dead (deals nobody scored), ties (counts) ·
    score_a.., squares_a.. (sums of the sides' scores and of their squares over card streams) · most (the highest score
    possible). Raises `RunError` when the seatings of a card stream are not in adjacent rows.
    """
    legs = range(1, SEATINGS)
    ahead = [f"lead(pair, {leg}) OVER () = pair AND lead(leg, {leg}) OVER () = {leg}" for leg in legs]
    sums = [f"{' + '.join([name, *(f'lead({name}, {leg}) OVER ()' for leg in legs)])} AS {name}" for name in MEASURES]
    query = sql_text("trio_blocks").format(
        block_pairs=block_pairs(run), whole=" AND ".join(ahead), stream_sums=",\n        ".join(sums)
    )
    table = run.totals(query, (*KEYS, "block"))
    if table["torn"].any():
        names = table.loc[table["torn"] > 0, KEYS].iloc[0]
        raise RunError(
            f"{run.path}/trios: the seatings of a card stream of {' v '.join(names)} are not in adjacent rows"
        )
    return table.assign(most=MOST * table["pairs"])
