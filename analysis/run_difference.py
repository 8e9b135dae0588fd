"""Two runs on the same cards, differenced pair by pair: what a change of a player is worth, luck cancelled twice.

Runs with one seed, one set of rules and one engine deal the same cards to the same pair numbers. The difference of
what side A makes of a pair in either run then has far less spread than the results themselves. Everything is seen from
side A of the first run; "run 1" and "run 2" are the runs in the order given.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.asking import sql_text
from analysis.intervals import LEVEL, Floats, mean_limits, simultaneous_level
from analysis.load import Pairing, Run, answers_over
from analysis.parts import Part
from analysis.run_matching import Meeting, NotComparable, edited_strategies, matched_pairings, refuse_other_cards

ENDPOINTS = ("match_score", "settled_points", "net_points", "net_deals")
"""What is differenced, from side A's view and a match (the mean of a pair's two legs): share of the match won, settled
points, points of the deals scored less those of the other side, deals won less those of the other side."""
STRETCH_PAIRS = 2**18
"""So many pair numbers are joined at a time; a few tens of megabytes."""


@dataclass(frozen=True, eq=False)
class PairingDifference:
    """One pairing differenced.

    `run_pairs` are the pairs that each run has, `pairs` those both have, `pairs_differ` how many of those did not come
    to the same. `verdict` is better, worse or undecided for side A in run 1, or same: no pair differs.
    `endpoints` has one row for each of `ENDPOINTS`: endpoint · mean_1, mean_2, difference (a match, run 1 less run 2) ·
    se · lo, hi (95%, Student's t over pairs) · lo_all, hi_all (95% for all pairings at once, by Sidak's formula) ·
    pairs_differ · variance_reduction ((var 1 + var 2) / var of the difference over pairs: how many times as many pairs
    two independent runs would need; inf where all pairs differ alike, NaN where nothing varies).
    `decisive` has the pairs that differ most: pair · match_score_1, _2 (0..1) · settled_points_1, _2 (a match).
    """

    meeting: Meeting
    run_pairs: tuple[int, int]
    pairs: int
    pairs_differ: int
    verdict: str
    endpoints: pd.DataFrame
    decisive: pd.DataFrame


@dataclass(frozen=True, eq=False)
class RunDifference:
    """Two runs differenced: the pairings of both, those left out, and the strategies whose source was edited."""

    runs: tuple[Run, Run]
    pairings: tuple[PairingDifference, ...]
    left_out: tuple[tuple[Pairing, ...], tuple[Pairing, ...]]
    edited: tuple[str, ...]


def run_difference(run1: Run, run2: Run, top: int = 5) -> RunDifference:
    """Difference two runs over the pairs that both have, with the `top` most decisive pairs of each pairing.

    Raises `NotComparable` when the runs have not the same cards and rules, no pairing or no pair in common, or are
    three-handed; `analysis.RunError` when a part file cannot be read or lacks the leg of a pair.
    """
    refuse_other_cards(run1, run2)
    runs, meetings = (run1, run2), matched_pairings(run1, run2)
    found = tuple(_pairing_difference(runs, meeting, top, len(meetings)) for meeting in meetings)
    left_out = tuple(
        tuple(sides for sides in run.pairings if sides not in {meeting.sides[number] for meeting in meetings})
        for number, run in enumerate(runs)
    )
    return RunDifference(runs, found, (left_out[0], left_out[1]), edited_strategies(run1, run2))


def _pairing_difference(runs: tuple[Run, Run], meeting: Meeting, top: int, count: int) -> PairingDifference:
    """Difference one of `count` pairings, a stretch of pairs at a time, one stretch a processor."""
    parts = [
        [part for part in run.parts if part.sides == sides] for run, sides in zip(runs, meeting.sides, strict=True)
    ]
    where = f"{runs[0].path} and {runs[1].path}"
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        answers = list(pool.map(lambda stretch: _ask(meeting, stretch, top, where), _stretches(parts)))
    sums = sum((answer[0].iloc[0] for answer in answers), start=pd.Series(0.0, index=_sum_columns()))
    if sums["torn"]:
        raise NotComparable(f"{where}: the matches of a pair of {meeting.label} are not one for each leg")
    if not sums["pairs"]:
        raise NotComparable(f"{where} have no pair of {meeting.label} in common yet")
    decisive = pd.concat([answer[1] for answer in answers], ignore_index=True)
    endpoints = _endpoints(sums, meeting, count)
    return PairingDifference(
        meeting,
        run_pairs=(sum(part.pairs for part in parts[0]), sum(part.pairs for part in parts[1])),
        pairs=int(sums["pairs"]),
        pairs_differ=int(sums["pairs_differ"]),
        verdict=_verdict(endpoints.iloc[0], sums),
        endpoints=endpoints,
        decisive=_most_decisive(decisive, top),
    )


Stretch = tuple[int, int, list[list[Part]]]
"""First and last pair number, and the parts of either run that reach into them."""


def _stretches(parts: list[list[Part]]) -> Iterator[Stretch]:
    """Yield the stretches of pair numbers in which both runs have parts."""
    end = min(max(part.first_pair + part.pairs for part in of_run) for of_run in parts)
    for first in range(0, end, STRETCH_PAIRS):
        last = first + STRETCH_PAIRS - 1
        inside = [[p for p in of_run if p.first_pair <= last and p.first_pair + p.pairs > first] for of_run in parts]
        if all(inside):
            yield first, last, inside


def _ask(meeting: Meeting, stretch: Stretch, top: int, where: str) -> list[pd.DataFrame]:
    """Return the sums over a stretch of pairs, one row, and its most decisive pairs."""
    first, last, parts = stretch
    views = {f"matches{number}": [part.file for part in of_run] for number, of_run in enumerate(parts, start=1)}
    sides = [
        sql_text("side_view").format(view=view, first=first, last=last, **_side_words(number == 2 and meeting.swapped))
        for number, view in enumerate(views, start=1)
    ]
    means = ",\n    ".join(f"sum(run{run}.{name}) / 2 AS {name}_{run}" for name in ENDPOINTS for run in (1, 2))
    sums = ",\n    ".join(f"{formula} AS {name}" for name, formula in _formulas())
    query = sql_text("pair_difference").format(run1=sides[0], run2=sides[1], means=means, sums=sums)
    return answers_over(views, [query, sql_text("decisive_pairs").format(top=top)], where)


def _side_words(from_side_b: bool) -> dict[str, str]:
    """Return what sql/side_view.sql needs to look at a pairing from side A, or from side B."""
    if from_side_b:
        return {"side": "b", "rival": "a", "winner": "1", "sign": "-1", "leg": "1 - leg"}
    return {"side": "a", "rival": "b", "winner": "0", "sign": "1", "leg": "leg"}


def _formulas() -> Iterator[tuple[str, str]]:
    """Yield the name and the SQL of every sum over pairs."""
    for name in ENDPOINTS:
        for run in (1, 2):
            yield f"{name}_{run}", f"coalesce(sum({name}_{run}), 0)"
            yield f"{name}_{run}_squares", f"coalesce(sum({name}_{run} * {name}_{run}), 0)"
        change = f"({name}_1 - {name}_2)"
        yield f"{name}_change_squares", f"coalesce(sum({change} * {change}), 0)"
        yield f"{name}_differ", f"count(*) FILTER ({change} <> 0)"


def _sum_columns() -> list[str]:
    return ["pairs", "torn", "pairs_differ", *(name for name, _ in _formulas())]


def _endpoints(sums: pd.Series, meeting: Meeting, count: int) -> pd.DataFrame:
    """Return the table of endpoints of one of `count` pairings from its sums over pairs."""
    pairs = np.full(len(ENDPOINTS), sums["pairs"])

    def of(suffix: str) -> Floats:
        return np.array([sums[f"{name}_{suffix}"] for name in ENDPOINTS], dtype=np.float64)

    change = of("1") - of("2")
    spread = _variance(change, of("change_squares"), pairs)
    table = pd.DataFrame({"endpoint": ENDPOINTS, "mean_1": of("1") / pairs, "mean_2": of("2") / pairs})
    table = table.assign(difference=change / pairs, se=np.sqrt(spread / pairs))
    for suffix, level in (("", LEVEL), ("_all", simultaneous_level(count))):
        table[f"lo{suffix}"], table[f"hi{suffix}"] = _limits(table, pairs, level, sums, meeting)
    apart = _variance(of("1"), of("1_squares"), pairs) + _variance(of("2"), of("2_squares"), pairs)
    with np.errstate(divide="ignore", invalid="ignore"):
        return table.assign(pairs_differ=of("differ").astype(np.int64), variance_reduction=apart / spread)


def _variance(total: Floats, squares: Floats, pairs: Floats) -> Floats:
    """Return the variance of values over pairs from their sum and sum of squares; NaN for a single pair."""
    left = squares - total**2 / pairs
    # All pairs alike leave a rounding error; it must not pass for a spread.
    left = np.where(left > 1e-12 * squares, left, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(left / (pairs - 1))


def _limits(
    table: pd.DataFrame, pairs: Floats, level: float, sums: pd.Series, meeting: Meeting
) -> tuple[Floats, Floats]:
    """Return the limits of the differences; where all pairs differ alike, what so many pairs can exclude.

    The match score lies in 0..1, so a difference in -1..1, and the exact limit for "none of n pairs was different"
    holds as in `analysis.intervals`. The other endpoints have no bounds: NaN. The same players who did the same are no
    sample of anything, and differ by exactly zero.
    """
    change, se = table["difference"].to_numpy(), table["se"].to_numpy()
    if meeting.same_players and not sums["pairs_differ"]:
        return change, change
    low, high = mean_limits(change, se, pairs, level)
    silent = (se == 0) | (pairs < 2)
    q = 1 - (0.5 - level / 2) ** (1 / pairs)
    is_score = table["endpoint"].to_numpy() == "match_score"
    low = np.where(silent, np.where(is_score, change - q * (1 + change), np.nan), low)
    return low, np.where(silent, np.where(is_score, change + q * (1 - change), np.nan), high)


def _verdict(score: pd.Series, sums: pd.Series) -> str:
    if not sums["pairs_differ"]:
        return "same"
    if score["lo_all"] > 0:
        return "better"
    return "worse" if score["hi_all"] < 0 else "undecided"


def _most_decisive(pairs: pd.DataFrame, top: int) -> pd.DataFrame:
    """Return the most decisive of the most decisive pairs of all stretches."""
    by = pairs.assign(
        score=-(pairs["match_score_1"] - pairs["match_score_2"]).abs(),
        points=-(pairs["settled_points_1"] - pairs["settled_points_2"]).abs(),
    )
    order = by.sort_values(["score", "points", "pair"]).index[:top]
    return pairs.loc[order].reset_index(drop=True)
