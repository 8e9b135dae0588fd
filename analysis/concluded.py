"""What experiments concluded, as tables: the settings of a sweep, the ratings of a tournament, a test's endpoints.

The numbers are those that the experiment itself wrote when it ended, its summary.json, so that a page says what the
terminal said.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from analysis.load import Run, RunError

SETTING_COLUMNS = (
    *("player", "setting", "pairs", "matches_won", "lo", "hi", "dropped", "best", "plateau"),
    *("behind", "behind_lo", "behind_hi", "deals_won", "points_per_deal", "net_points"),
)


def settings(run: Run) -> pd.DataFrame:
    """Return one row a setting of a sweep, in the order they were given.

    Columns: player (spec, as in the run's pairings) · setting (its values, as text, "/" between several) · pairs
    (against each opponent) · matches_won (mean over the opponents, 0..1), lo, hi (95% for all settings at once,
    whenever a race dropped some) · dropped (by the race) · best (has most of those not dropped) · plateau (no other is
    clearly better) · behind, behind_lo, behind_hi (share of the best less this one's; 95% for all differences at once;
    NaN of dropped ones) · deals_won (share of the scored deals) · points_per_deal (of a deal it won; NaN if none) ·
    net_points (deal points a match, its own less the opponents') · ``value_<name>`` (text) for each parameter.
    Raises `RunError` of a run that is no finished sweep.
    """
    arms = _summary(run, "sweep")["arms"]
    behind = _behind(run.summary["matrix"], arms)
    rows = []
    for player, arm in zip(_players_of(run), arms, strict=True):
        own = (player, "/".join(arm["values"].values()), arm["pairs"], arm["match_win_rate"], *arm["interval_all"])
        found = arm["dropped"], arm["best"], arm["plateau"], *behind.get(arm["player"], (np.nan,) * 3)
        sums = arm["deal_win_rate"], _number(arm["points_per_deal_won"]), arm["net_points_per_match"]
        values = {f"value_{name}": value for name, value in arm["values"].items()}
        rows.append({**dict(zip(SETTING_COLUMNS, (*own, *found, *sums), strict=True)), **values})
    return pd.DataFrame(rows)


def _players_of(run: Run) -> list[str]:
    """Return the settings of a sweep as the run's pairings name them: in their order, each before its opponents."""
    opponents = run.manifest["experiment"]["opponents"]
    if opponents:
        return [pairing[0] for pairing in run.planned[:: len(opponents)]]
    return list(dict.fromkeys(side for pairing in run.planned for side in pairing))


def _behind(matrix: Mapping[str, Any], arms: Sequence[Mapping[str, Any]]) -> dict[str, tuple[float, float, float]]:
    """Return by how much each setting that was not dropped is behind the best: difference and limits."""
    best = matrix["players"].index(next(arm["player"] for arm in arms if arm["best"]))
    rows = (matrix[name][best] for name in ("difference", "low", "high"))
    return dict(zip(matrix["players"], zip(*rows, strict=True), strict=True))


def rated(run: Run) -> pd.DataFrame:
    """Return one row a player of a tournament, the highest rating first.

    Columns: player (spec) · rank (from 1) · rating, lo, hi (Elo points about the field's mean of 0, 95%) · unbounded
    ("won all" or "lost all" its matches, so that the rating is only as large as the number of pairs allows; else empty)
    · matches_won (mean over the opponents, 0..1) · deals_won · points_per_deal (of a deal it won; NaN if none) ·
    net_points (deal points a match, own less the opponents') · beats, undecided_with (tuples of specs; all pairings
    judged at once, Holm, 5%) · mix (weight in the equilibrium, 0..1) · exploitability (by how much more than half the
    best answer wins against it) · exploiter (spec); the last three are missing where not everyone met.
    Raises `RunError` of a run that is no finished tournament.
    """
    summary = _summary(run, "tournament")
    extremes = {player: said for said in ("won all", "lost all") for player in summary[said.replace(" ", "_")]}
    rows = [
        {
            "player": standing["player"],
            "rank": standing["rank"],
            "rating": standing["rating"],
            **dict(zip(("lo", "hi"), standing["rating_interval"], strict=True)),
            "unbounded": extremes.get(standing["player"], ""),
            "matches_won": standing["match_win_rate"],
            "deals_won": standing["deal_win_rate"],
            "points_per_deal": _number(standing["points_per_deal_won"]),
            "net_points": standing["net_points_per_match"],
            "beats": tuple(standing["beats"]),
            "undecided_with": tuple(standing["undecided_with"]),
            "mix": _number(standing["mix"]),
            "exploitability": _number(standing["exploitability"]),
            "exploiter": standing["exploiter"],
        }
        for standing in summary["standings"]
    ]
    return pd.DataFrame(rows)


def measured(run: Run) -> pd.DataFrame:
    """Return one row an endpoint of a comparison, the matches first, from side A's view.

    Columns: endpoint · unit ("share", 0..1, or "points a match", A's less B's) · estimate, lo, hi (95% over duplicate
    pairs, as if their number had been fixed; NaN for the points of a single pair) · favours (A, B or neither: the side
    that the whole interval speaks for). Raises `RunError` of a run that is no finished comparison.
    """
    rows = []
    for found in _summary(run, "compare")["endpoints"]:
        lo, hi = found["interval"] or (np.nan, np.nan)
        told = found["endpoint"], found["unit"], found["estimate"], lo, hi, found["favours"]
        rows.append(dict(zip(("endpoint", "unit", "estimate", "lo", "hi", "favours"), told, strict=True)))
    return pd.DataFrame(rows)


def _summary(run: Run, kind: str) -> Mapping[str, Any]:
    """Return what an experiment of this kind concluded."""
    if run.kind != kind or not run.summary:
        raise RunError(f"{run.path}: not a finished {'comparison' if kind == 'compare' else kind}")
    return run.summary


def _number(value: float | None) -> float:
    return np.nan if value is None else float(value)
