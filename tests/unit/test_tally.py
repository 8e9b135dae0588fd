"""Sums over pairs: every field of a tally is what counting row by row comes to, and tallies of parts add up."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from sim.batch.tally import BLOCK_PAIRS, Tally, add, block_scores, pair_scores, tally
from sim.records import records
from sim.rows import MATCH_ROW, NOBODY, TIE
from tests.support.strategy_runs import plan_of, play

GAMES: dict[str, dict[str, object]] = {
    "three columns": {},
    "many ties": {"match_winner": "total", "target": 1},
    "one column, dead deals": {"columns": 1, "turn_cap": 10},
    "cut for the first deal": {"first_dealer": "cut", "game_bonus": 100},
}


def drawn_rows(pairs: int, seed: int = 5) -> Any:
    """Return match rows with every value drawn by chance, over the whole range of its field."""
    rng = np.random.default_rng(seed)
    rows = records(2 * pairs, MATCH_ROW)
    rows["match_winner"] = rng.choice([0, 1, TIE], len(rows))
    rows["first_dealer"] = rng.integers(0, 2, len(rows))
    rows["column_winner"] = rng.choice([0, 1, NOBODY], rows["column_winner"].shape)
    rows["deals_won"] = rng.integers(0, 2**16, rows["deals_won"].shape)
    rows["deals_played"] = rng.integers(0, 2**16, len(rows))
    rows["deal_points"] = rng.integers(0, 2**24, rows["deal_points"].shape)
    rows["settlement"] = rng.integers(-(2**24), 2**24, len(rows))
    return rows


def leg_score(row: Any) -> int:
    """Return A's result of a match in halves."""
    return {0: 2, 1: 0, TIE: 1}[int(row["match_winner"])]


def naive_tally(rows: Any) -> Tally:
    """Count pair by pair in plain integers."""
    found: dict[str, Any] = {"pairs": 0, "deals": 0, "leg_scores": [0] * 9}
    found |= {f"columns_{which}": [0, 0, 0] for which in ("a", "b", "aa", "ab", "bb")}
    found |= dict.fromkeys(("deals_won", "deals_scored", "won_squared", "won_scored", "scored_squared"), 0)
    found |= dict.fromkeys(("deal_points_a", "deal_points_b", "net_squared", "settled", "settled_squared"), 0)
    found |= {"first_mover": 0, "first_mover_squared": 0}
    for pair in range(len(rows) // 2):
        legs = rows[2 * pair], rows[2 * pair + 1]
        found["pairs"] += 1
        found["deals"] += sum(int(leg["deals_played"]) for leg in legs)
        found["leg_scores"][3 * leg_score(legs[0]) + leg_score(legs[1])] += 1
        for column in range(3):
            a, b = (sum(int(leg["column_winner"][column]) == side for leg in legs) for side in (0, 1))
            for which, value in {"a": a, "b": b, "aa": a * a, "ab": a * b, "bb": b * b}.items():
                found[f"columns_{which}"][column] += value
        won, lost = (sum(int(leg["deals_won"][side]) for leg in legs) for side in (0, 1))
        points_a, points_b = (sum(int(leg["deal_points"][side]) for leg in legs) for side in (0, 1))
        settled = sum(int(leg["settlement"]) for leg in legs)
        first = sum(leg_score(leg) if leg["first_dealer"] == 1 else 2 - leg_score(leg) for leg in legs)
        for name, value in {
            "deals_won": won,
            "deals_scored": won + lost,
            "won_squared": won**2,
            "won_scored": won * (won + lost),
            "scored_squared": (won + lost) ** 2,
            "deal_points_a": points_a,
            "deal_points_b": points_b,
            "net_squared": (points_a - points_b) ** 2,
            "settled": settled,
            "settled_squared": settled**2,
            "first_mover": first,
            "first_mover_squared": first**2,
        }.items():
            found[name] += value
    return found


def naive_pair_scores(rows: Any) -> list[int]:
    scores = [leg_score(rows[place]) + leg_score(rows[place + 1]) for place in range(0, len(rows), 2)]
    return [scores.count(score) for score in range(5)]


@pytest.mark.parametrize("options", GAMES.values(), ids=GAMES)
def test_tally_of_played_matches_is_what_counting_them_comes_to(options: dict[str, object]) -> None:
    rows = play(plan_of("greedy", "simple", pairs=120, options=options)).matches
    assert tally(rows) == naive_tally(rows)


def test_tally_of_the_widest_rows_is_what_counting_them_comes_to() -> None:
    rows = drawn_rows(300)
    found = tally(rows)
    assert found == naive_tally(rows)
    assert all(found["leg_scores"])


def test_tally_goes_into_json_and_comes_back_the_same() -> None:
    found = tally(drawn_rows(20))
    assert json.loads(json.dumps(found)) == found


def test_tallies_of_parts_add_up_to_that_of_the_whole() -> None:
    rows = drawn_rows(100)
    one, two, three = (tally(rows[2 * first : 2 * last]) for first, last in ((0, 1), (1, 37), (37, 100)))
    assert add(add(one, two), three) == add(one, add(three, two)) == tally(rows)


def test_pair_scores_count_what_both_legs_came_to_with_ties_as_halves() -> None:
    rows = drawn_rows(300)
    assert pair_scores(tally(rows)) == naive_pair_scores(rows)
    legs = {"leg_scores": [1, 2, 4, 8, 16, 32, 64, 128, 256]}
    assert pair_scores(legs) == [1, 2 + 8, 4 + 16 + 64, 32 + 128, 256]


@pytest.mark.parametrize("pairs", [1, BLOCK_PAIRS - 1, BLOCK_PAIRS, BLOCK_PAIRS + 1, 3 * BLOCK_PAIRS + 7])
def test_block_scores_are_pair_scores_of_every_256_pairs(pairs: int) -> None:
    rows = drawn_rows(pairs)
    assert BLOCK_PAIRS == 256
    assert block_scores(rows) == [naive_pair_scores(rows[first : first + 512]) for first in range(0, len(rows), 512)]


def test_blocks_of_parts_in_turn_are_those_of_the_whole() -> None:
    rows = drawn_rows(2 * BLOCK_PAIRS + 9)
    assert block_scores(rows[: 2 * BLOCK_PAIRS]) + block_scores(rows[2 * BLOCK_PAIRS :]) == block_scores(rows)


def test_block_without_extreme_scores_still_has_five_counts() -> None:
    rows = drawn_rows(BLOCK_PAIRS + 3)
    rows["match_winner"] = 1
    assert block_scores(rows) == [[BLOCK_PAIRS, 0, 0, 0, 0], [3, 0, 0, 0, 0]]
