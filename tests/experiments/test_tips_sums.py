"""What the tips count equals a slow recount in plain Python, and effects follow from it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from analysis import Run, load_run
from experiments.simulate import Request, make_plan, simulate
from experiments.tips import measures
from experiments.tips.measures import SQL, effect, pair_sums
from experiments.tips.tip import CASES, LOWEST, MISSES, RATIO, TIMES, Measurement, Meeting
from sim.batch.runner import Watch

Sums = dict[int, list[float]]
TARGET = 100
Match = tuple[Any, list[Any]]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Run]:
    """A few real matches with a row a deal: columns that close for both, and for each side by itself."""
    home = tmp_path_factory.mktemp("tips")
    for rules in ("hollywood", "hollywood-003", "gin"):
        plan = make_plan(Request(("heuristic", "simple"), 8, None, rules, {}, 3, "deals"))
        simulate(plan, home / rules, 1, Watch())
    return {rules: load_run(home / rules) for rules in ("hollywood", "hollywood-003", "gin")}


# --- what is counted, beside a recount in plain Python


def matches(run: Run) -> Iterator[Match]:
    """Yield every match with its deals in order."""
    deals = {key: list(own.itertuples()) for key, own in run.query("FROM deals ORDER BY deal").groupby(["pair", "leg"])}
    for row in run.query("FROM matches").itertuples():
        yield row, deals[row.pair, row.leg]


def count(run: Run, cases: Callable[[Match, Run], Iterator[float]]) -> Sums:
    """Add up the cases of each pair: how many, and how much of them counts."""
    sums: Sums = {}
    for match in matches(run):
        for part in cases(match, run):
            own = sums.setdefault(match[0].pair, [0.0, 0.0])
            own[0] += part
            own[1] += 1
    return sums


def score_of(match: Any, side: int) -> float:
    return 0.5 if match.match_winner == 2 else float(match.match_winner == side)


def leader(match: Any, deals: list[Any]) -> int:
    """Return who leads after these deals: +1 A, -1 B, 0 neither."""
    lead = 0
    for column in range(3):
        points = [sum(d.points for d in deals if d.scorer == s and d.columns_entered >> column & 1) for s in (0, 1)]
        first = next((d.scorer for d in deals if reached(deals, column, d)), None)
        if first is not None:
            lead += 1 if first == 0 else -1
        else:
            lead += (points[0] > points[1]) - (points[0] < points[1])
    return (lead > 0) - (lead < 0)


def reached(deals: list[Any], column: int, deal: Any) -> bool:
    """Tell whether the scorer of a deal has the target in a column once it is entered."""
    own = [d for d in deals if d.deal <= deal.deal and d.scorer == deal.scorer and d.columns_entered >> column & 1]
    return int(sum(d.points for d in own)) >= TARGET


def won(found: Match, _run: Run) -> Iterator[float]:
    yield score_of(found[0], 0)


def length(found: Match, _run: Run) -> Iterator[float]:
    yield len(found[1])


def turns(found: Match, _run: Run) -> Iterator[float]:
    yield from (deal.turns for deal in found[1])


def from_behind(found: Match, _run: Run) -> Iterator[float]:
    match, deals = found
    last = max(d for d in (match.column1_closed, match.column2_closed, match.column3_closed) if not pd.isna(d))
    ahead = leader(match, deals[: (int(last) + 1) // 2])
    if ahead and match.match_winner < 2:
        yield float((ahead == 1) != (match.match_winner == 0))


def changes(found: Match, _run: Run) -> Iterator[float]:
    match, deals = found
    leaders = [lead for n in range(1, len(deals) + 1) if (lead := leader(match, deals[:n]))]
    yield sum(one != other for one, other in zip(leaders[1:], leaders, strict=False))


def wins(found: Match, run: Run) -> Iterator[tuple[int, Any, int]]:
    """Yield each win with its number and the columns open to its side until then."""
    by_player = run.spec["rules"]["closing"] == "player"
    number = [0, 0]
    points = [[0, 0, 0], [0, 0, 0]]
    for deal in found[1]:
        if pd.isna(deal.scorer):
            continue
        side = int(deal.scorer)
        number[side] += 1
        most = points[side] if by_player else [max(own) for own in zip(*points, strict=True)]
        yield number[side], deal, sum((most[c] < TARGET) << c for c in range(3))
        for column in range(3):
            points[side][column] += deal.points * (deal.columns_entered >> column & 1)


def late_misses(found: Match, run: Run) -> Iterator[float]:
    yield from (float(deal.columns_entered != still) for number, deal, still in wins(found, run) if number >= 3)


def early_misses(found: Match, run: Run) -> Iterator[float]:
    for number, deal, still in wins(found, run):
        if still == 7:
            yield float(deal.columns_entered != (1, 3, 7)[min(number, 3) - 1])


def entered_all(found: Match, run: Run) -> Iterator[float]:
    yield from (float(deal.columns_entered == 7) for number, deal, _ in wins(found, run) if number >= 3)


def first_three(found: Match, run: Run) -> Iterator[float]:
    sides = [int(deal.scorer) for number, deal, _ in wins(found, run) if number == 3]
    yield from [score_of(found[0], sides[0])] if sides else []


def first(found: Match, run: Run) -> Iterator[float]:
    yield from [score_of(found[0], int(deal.scorer)) for _, deal, _ in wins(found, run)][:1]


def undercut(low: int, high: int) -> Callable[[Match, Run], Iterator[float]]:
    def cases(found: Match, _run: Run) -> Iterator[float]:
        for deal in found[1]:
            if deal.ending in (0, 3) and low <= deal.knocker_deadwood <= high:
                yield float(deal.ending == 3)

    return cases


TWINS = {
    "matches_won": won,
    "deals_a_match": length,
    "turns_a_deal": turns,
    "comebacks": from_behind,
    "lead_changes": changes,
    "third_win_misses": late_misses,
    "early_win_misses": early_misses,
    "all_three_entered": entered_all,
    "first_to_three": first_three,
    "first_win": first,
    "low_knocks_undercut": undercut(1, 5),
    "high_knocks_undercut": undercut(6, 10),
}


def test_every_query_has_a_twin() -> None:
    assert set(TWINS) == {file.stem for file in SQL.glob("*.sql")} - set(measures.BASES.values())


@pytest.mark.parametrize("query", TWINS)
def test_sums_over_pairs_equal_a_recount(query: str, runs: dict[str, Run]) -> None:
    for name, run in runs.items():
        if name != "gin" or query not in ("third_win_misses", "early_win_misses", "all_three_entered"):
            found = {row.pair: [row.part, row.whole] for row in pair_sums(query, run).itertuples() if row.whole}
            assert found == count(run, TWINS[query]), name


def test_win_that_missed_a_column_is_found(runs: dict[str, Run], tmp_path: Path) -> None:
    run = runs["hollywood"]
    deals = pq.read_table(run.parts[0].deals)
    rows = deals.to_pandas()
    place = int(np.flatnonzero(rows["columns_entered"] == 7)[0])
    entered = rows["columns_entered"].to_numpy().copy()
    entered[place] = 3
    column = pa.array(entered, deals.schema.field("columns_entered").type)
    spoilt = deals.set_column(deals.schema.get_field_index("columns_entered"), "columns_entered", column)
    pq.write_table(spoilt, tmp_path / "deals.parquet")
    broken = replace(run, parts=(replace(run.parts[0], deals=tmp_path / "deals.parquet"),))
    assert pair_sums("third_win_misses", run)["part"].sum() == 0
    assert pair_sums("third_win_misses", broken)["part"].sum() == 1


# --- effects


def jackknife(values: Callable[[np.ndarray[Any, Any]], float], pairs: int) -> float:
    """Return the standard error of a statistic by leaving out one pair at a time."""
    keep = [np.delete(np.arange(pairs), k) for k in range(pairs)]
    left = np.array([values(which) for which in keep])
    return float(np.sqrt((pairs - 1) / pairs * ((left - left.mean()) ** 2).sum()))


def test_effect_is_the_ratio_of_sums_with_the_error_that_leaving_out_pairs_gives(runs: dict[str, Run]) -> None:
    deals = pair_sums("deals_a_match", runs["hollywood"]), pair_sums("deals_a_match", runs["gin"])
    match, game = (table["part"].to_numpy() for table in deals)
    meeting = Meeting("heuristic", "simple", deals=True)
    m = Measurement("both", "deals_a_match", (meeting, meeting), TIMES, RATIO)
    found = effect(m, [runs["hollywood"], runs["gin"]], 0.95)
    assert found.value == pytest.approx(match.sum() / game.sum())
    se = jackknife(lambda which: match[which].sum() / game[which].sum(), len(match))
    assert (found.high - found.low) / 2 == pytest.approx(2.365 * se, rel=0.1)  # Student's t, 7 degrees of freedom


def test_player_who_has_to_beat_two_has_the_lower_of_his_shares(runs: dict[str, Run]) -> None:
    meeting = Meeting("heuristic", "simple")
    alone = [effect(Measurement("a", "matches_won", (meeting,)), [run]) for run in runs.values()]
    both = effect(Measurement("a", "matches_won", (meeting,) * 3, join=LOWEST), list(runs.values()))
    assert both.value == min(e.value for e in alone)
    assert (both.low, both.high) == (min(e.low for e in alone), min(e.high for e in alone))


def test_none_of_many_has_an_upper_limit_and_none_of_none_has_no_value(runs: dict[str, Run]) -> None:
    m = Measurement("every win", "third_win_misses", (Meeting("a", "b", deals=True),), MISSES, true_if=(0, 0))
    found = effect(m, [runs["hollywood"]])
    assert (found.value, found.low) == (0, 0)
    assert found.high == pytest.approx(1 - 0.025 ** (1 / 8))
    empty = pd.DataFrame({"pair": [0], "part": [0.0], "whole": [0.0]})
    nothing = measures._limited(CASES, empty, 0.95)
    assert math.isnan(nothing.value)
    assert nothing.cases == 0
