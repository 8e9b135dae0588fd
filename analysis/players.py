"""Each player's mean over its opponents, with errors that know that all pairings are dealt the same cards."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import numpy as np
import pandas as pd

from analysis.intervals import Floats, mean_limits, part_limits, share_limits
from analysis.load import Run
from analysis.moments import sql_text

MAX_BLOCKS = 2000
"""Most blocks of pairs that a run is cut into; a run of up to this many pairs has one pair a block."""

STANDINGS = {
    "matches_won": ("win_{me}", "matches"),
    "deals_won": ("deals_won_{me}", "deals_scored"),
    "points_per_deal": ("points_{me}", "deals_won_{me}"),
    "column1": ("column1_{me}", "column1_closed"),
    "column2": ("column2_{me}", "column2_closed"),
    "column3": ("column3_{me}", "column3_closed"),
    "all_three": ("sweep_{me}", "matches"),
}
"""Table column -> ratio, with the player's own side as {me}."""

Ratios = Mapping[str, tuple[str, str]]


def standings(run: Run) -> pd.DataFrame:
    """Return one row a player, the most matches won first; a player met only by itself has none.

    Columns: player (spec) · opponents (count) · for each of `STANDINGS` that the sheet has: its value, and
    the 95% limits as ``<name>_lo`` and ``<name>_hi``. matches_won, deals_won, column1.., all_three are shares
    (0..1), points_per_deal is points a deal that the player scored. Each value is the plain mean over the
    opponents met; its error comes from blocks of pairs, common to all pairings.
    """
    wanted = {name: names for name, names in STANDINGS.items() if _on_sheet(name, run.columns)}
    long = player_means(run, wanted)
    columns = [name + suffix for name in wanted for suffix in ("", "_lo", "_hi")]
    rows = [_one_row(str(player), own) for player, own in long.groupby("player", sort=True)]
    table = pd.DataFrame(rows, columns=["player", "opponents", *columns])
    order = ["matches_won", "deals_won", "player"]
    return table.sort_values(order, ascending=[False, False, True], ignore_index=True)


def _one_row(player: str, own: pd.DataFrame) -> dict[str, object]:
    """Return one player's means as a row of the table `standings`."""
    row: dict[str, object] = {"player": player, "opponents": int(own["opponents"].iloc[0])}
    for measure, value, lo, hi in own[["measure", "value", "lo", "hi"]].itertuples(index=False):
        row |= {str(measure): value, f"{measure}_lo": lo, f"{measure}_hi": hi}
    return row


def _on_sheet(name: str, columns: int) -> bool:
    """Tell whether a sheet of this many columns has the table column."""
    return columns == 3 or name not in ("column1", "column2", "column3", "all_three")


def player_means(run: Run, ratios: Ratios, parts_of_whole: bool = False) -> pd.DataFrame:
    """Return the mean over opponents of some ratios: one row a player and measure.

    Columns: player, measure, opponents, value, se, lo, hi. In `ratios`, {me} and {them} stand for the sides.
    Limits are Student's t over pairs, kept in 0..1 for shares; `parts_of_whole` asks for
    `intervals.part_limits`.
    """
    measures = {name for names in ratios.values() for name in _both_sides(names)}
    views = _views(block_sums(run, tuple(sorted(measures))))
    rows = [
        {"player": player, "measure": measure, **_mean_over_opponents(own, names)}
        for player, own in views.items()
        for measure, names in ratios.items()
    ]
    table = pd.DataFrame(rows, columns=["player", "measure", "opponents", "value", "se", "pairs"])
    value, se, pairs = (table[name].to_numpy(dtype=np.float64) for name in ("value", "se", "pairs"))
    of_shares = (part_limits if parts_of_whole else share_limits)(value, se, pairs)
    of_points = mean_limits(value, se, pairs)
    is_points = (table["measure"] == "points_per_deal").to_numpy()
    for number, name in enumerate(("lo", "hi")):
        table[name] = np.where(is_points, of_points[number], of_shares[number])
    return table


def _both_sides(names: tuple[str, str]) -> set[str]:
    """Return the measures of a ratio seen from either side."""
    return {name.format(me=me, them=them) for name in names for me, them in ("ab", "ba")}


@lru_cache(maxsize=4)
def block_sums(run: Run, measures: tuple[str, ...]) -> pd.DataFrame:
    """Return sums of measures over blocks of pairs: columns a, b, block, matches and the measures.

    A block holds the pairs of one range of pair numbers, the same range in every pairing; there are at most
    `MAX_BLOCKS`, so memory does not grow with the run.
    """
    last = max(part.first_pair + part.pairs for part in run.parts)
    names = sorted({"matches", *measures})
    query = sql_text("block_sums").format(
        block_pairs=-(-last // MAX_BLOCKS), sums=", ".join(f"sum({name}) AS {name}" for name in names)
    )
    return run.totals(sql_text("measures") + query, ("a", "b", "block"))


View = tuple[pd.DataFrame, dict[str, str]]
"""One pairing's blocks, and the player's side in it: {"me": "a", "them": "b"}, or the other way round."""


def _views(blocks: pd.DataFrame) -> dict[str, list[View]]:
    """Return each player's pairings with others, in the order of play."""
    views: dict[str, list[View]] = {}
    for (a, b), own in blocks.groupby(["a", "b"], sort=False):
        if a != b:
            views.setdefault(str(a), []).append((own, {"me": "a", "them": "b"}))
            views.setdefault(str(b), []).append((own, {"me": "b", "them": "a"}))
    return views


def _mean_over_opponents(views: list[View], names: tuple[str, str]) -> dict[str, float]:
    """Return the mean of a ratio over pairings; its error adds up block residuals across pairings."""
    values = []
    residuals = np.zeros(1 + max(int(own["block"].max()) for own, _ in views))
    for own, sides in views:
        u, v = (own[name.format(**sides)].to_numpy(dtype=np.float64) for name in names)
        if v.sum() > 0:
            value = u.sum() / v.sum()
            values.append(value)
            np.add.at(residuals, own["block"].to_numpy(dtype=np.int64), (u - value * v) / v.sum())
    pairs = max(own["matches"].sum() for own, _ in views) / 2
    mean = float(np.mean(values)) if values else np.nan
    return {
        "opponents": len(views),
        "value": mean,
        "se": _block_error(residuals / max(len(values), 1)) if values else np.nan,
        "pairs": pairs,
    }


def _block_error(residuals: Floats) -> float:
    """Return the standard error of a sum over independent blocks, whose residuals are these."""
    blocks = len(residuals)
    total = float((residuals**2).sum())
    if blocks < 2:
        return 0.5
    return float(np.sqrt(total * blocks / (blocks - 1))) if total > 1e-24 else 0.0
