"""Each player's mean over its opponents, with errors that know that all pairings are dealt the same cards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.asking import sql_text
from analysis.intervals import Floats, mean_limits, part_limits, share_limits
from analysis.load import Run

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

STANDING_NAMES = ("win", "deals_won", "points", "column1", "column2", "column3", "sweep")
BLOCK_MEASURES = (
    *("matches", "deals", "deals_scored", "column1_closed", "column2_closed", "column3_closed", "wall", "turn_cap"),
    *(f"{name}_{side}" for name in (*STANDING_NAMES, "gin", "big_gin", "knock", "undercut") for side in "ab"),
)
"""Every measure that a mean over opponents asks for: they are summed in one scan of the run."""

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
    views = _views(block_sums(run))
    rows = [
        {"player": player, "measure": measure, **mean_over_views(own, names)}
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


@lru_cache(maxsize=4)
def block_sums(run: Run) -> pd.DataFrame:
    """Return sums of `BLOCK_MEASURES` over blocks of pairs: columns a, b, block and the measures."""
    query = sql_text("block_sums").format(
        block_pairs=block_pairs(run), sums=", ".join(f"sum({name}) AS {name}" for name in BLOCK_MEASURES)
    )
    return run.totals(sql_text("measures").format(named=run.named) + query, ("a", "b", "block"))


def block_pairs(run: Run, most: int = MAX_BLOCKS) -> int:
    """Return how many pairs make a block, which holds the same range of pair numbers in every pairing.

    There are at most `most`, so memory does not grow with the run.
    """
    return -(-run.end // most)


@dataclass(frozen=True)
class View:
    """One pairing as a player sees it: block numbers, sums by block, and his side: {"me": "a", "them": "b"}."""

    block: npt.NDArray[np.int64]
    sums: Mapping[str, Floats]
    sides: Mapping[str, str]

    def of(self, name: str) -> Floats:
        """Return the sums by block of a measure, named with {me} and {them}."""
        return self.sums[name.format(**self.sides)]


def _views(blocks: pd.DataFrame) -> dict[str, list[View]]:
    """Return each player's pairings with others, in the order of play."""
    views: dict[str, list[View]] = {}
    for (a, b), own in blocks.groupby(["a", "b"], sort=False):
        if a != b:
            sums = {name: own[name].to_numpy(dtype=np.float64) for name in BLOCK_MEASURES}
            number = own["block"].to_numpy(dtype=np.int64)
            views.setdefault(str(a), []).append(View(number, sums, {"me": "a", "them": "b"}))
            views.setdefault(str(b), []).append(View(number, sums, {"me": "b", "them": "a"}))
    return views


def mean_over_views(views: list[View], names: tuple[str, str], legs: int = 2) -> dict[str, float]:
    """Return the mean of a ratio over pairings: opponents (how many views), value, se and pairs.

    The error adds up block residuals across pairings, since the same block means the same cards in each; `legs` is how
    many matches are played with the same cards.
    """
    values = []
    residuals = np.zeros(1 + max(int(view.block.max()) for view in views))
    for view in views:
        u, v = view.of(names[0]), view.of(names[1])
        if v.sum() > 0:
            values.append(u.sum() / v.sum())
            residuals[view.block] += (u - values[-1] * v) / v.sum()
    return {
        "opponents": len(views),
        "value": float(np.mean(values)) if values else np.nan,
        "se": _block_error(residuals / len(values)) if values else np.nan,
        "pairs": max(view.of("matches").sum() for view in views) / legs,
    }


def _block_error(residuals: Floats) -> float:
    """Return the standard error of a sum over independent blocks, whose residuals are these."""
    blocks = len(residuals)
    total = float((residuals**2).sum())
    if blocks < 2:
        return 0.5
    return float(np.sqrt(total * blocks / (blocks - 1))) if total > 1e-24 else 0.0
