"""How deals end, and who scores them."""

from __future__ import annotations

import numpy as np
import pandas as pd

from analysis.intervals import part_limits
from analysis.load import Run
from analysis.moments import column, pair_moments, ratio
from analysis.players import player_means

SCORED = ("gin", "big_gin", "knock", "undercut")
DEAD = ("wall", "turn_cap")


def endings(run: Run) -> pd.DataFrame:
    """Return one row a pairing, scorer and ending: its share of all deals, dead ones included.

    Columns: a, b (specs) · scorer ("A", "B", "nobody") · ending (gin, big_gin, knock, undercut; wall and
    turn_cap for nobody) · deals (count of such deals) · share (0..1) · lo, hi (95%, `intervals.part_limits`,
    clustered by pair). An ending is listed under the side that scored: an undercut under the defender.
    Endings that the rules do not have are left out: big gin, or, where nobody may knock, knock and undercut.
    """
    moments = pair_moments(run)
    kinds = [(f"{ending}_{side}", side.upper(), ending) for side in "ab" for ending in _scored(run)]
    kinds += [(ending, "nobody", ending) for ending in DEAD]
    tables = []
    for name, scorer, ending in kinds:
        share, se, pairs = ratio(moments, name, "deals")
        lo, hi = part_limits(share, se, pairs)
        deals = column(moments, name).astype(np.int64)
        table = moments[["a", "b"]].assign(scorer=scorer, ending=ending, deals=deals, share=share, lo=lo, hi=hi)
        tables.append(table)
    return pd.concat(tables).sort_index(kind="stable").reset_index(drop=True)


def endings_by_player(run: Run) -> pd.DataFrame:
    """Return how the deals of each player's matches end: the mean over the opponents it met.

    Columns: player (spec) · scorer ("player", "rivals", "nobody") · ending, as in `endings` · share of all
    deals (0..1) · lo, hi (95%, `intervals.part_limits`, by blocks of pairs).
    """
    ratios = {f"player {ending}": (f"{ending}_{{me}}", "deals") for ending in _scored(run)}
    ratios |= {f"rivals {ending}": (f"{ending}_{{them}}", "deals") for ending in _scored(run)}
    ratios |= {f"nobody {ending}": (ending, "deals") for ending in DEAD}
    table = player_means(run, ratios, parts_of_whole=True).rename(columns={"value": "share"})
    names = [str(measure).split(" ") for measure in table["measure"]]
    table = table.assign(scorer=[scorer for scorer, _ in names], ending=[ending for _, ending in names])
    return table[["player", "scorer", "ending", "share", "lo", "hi"]]


def _scored(run: Run) -> tuple[str, ...]:
    """Return the endings with a scorer that the rules allow."""
    rules = run.spec["rules"]
    missing = {"big_gin": rules["big_gin"] == "off", "knock": rules["knock_limit"] == 0}
    missing["undercut"] = missing["knock"]
    return tuple(ending for ending in SCORED if not missing.get(ending, False))
