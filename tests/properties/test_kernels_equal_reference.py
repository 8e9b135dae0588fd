"""The deal, sheet and match kernels against the plain-Python reference engine, row by row and move by move."""

from __future__ import annotations

from typing import Any

import pytest

from sim.rows import NEVER, NOBODY, TIE, Ending
from sim.rules import preset_rules
from tests.support.kernel_match import kernel_rows, reference_match
from tests.support.reference_engine import DealLog, MatchLog

SEED = 99

# Together these use every value of every option of the deal and the sheet.
VARIANTS: dict[str, dict[str, object]] = {
    "hollywood": {},
    "eaai": {"columns": 1, "undercut_bonus": 25, "next_dealer": "alternate"},
    "loser deals, closing by player": {"undercut_bonus": 25, "next_dealer": "loser", "closing": "player"},
    "oklahoma": {"columns": 1, "knock_limit": "upcard", "spade_doubles": True},
    "ace means gin, strict carry": {"knock_limit": "upcard", "upcard_ace": "gin", "carry": "strict"},
    "straight gin": {"knock_limit": 0, "big_gin": 31},
    "throwing back, low turn cap": {"throw_back": True, "turn_cap": 12, "knock_limit": 6},
    "knocker wins ties, zero wins do not count": {"tie": "knocker", "count_zero_wins": False},
    "knocker wins ties, zero wins count": {"tie": "knocker", "gin_bonus": 20, "target": 60},
    "settled in full": {
        "game_bonus": 100,
        "box_bonus": 25,
        "shutout_doubles": True,
        "third_column_doubled": True,
        "match_winner": "total",
        "first_dealer": "cut",
    },
    "first column decides": {"match_winner": "first_column", "first_dealer": "b"},
    "big gin, A deals first": {
        "big_gin": 50,
        "first_dealer": "a",
        "closing": "player",
        "match_winner": "total",
    },
}
PAIRINGS = [("greedy", "threshold:knock_at=5"), ("simple", "gin-only"), ("simple", "random")]


@pytest.mark.parametrize("options", VARIANTS.values(), ids=VARIANTS.keys())
@pytest.mark.parametrize(("a", "b"), PAIRINGS)
def test_kernel_and_reference_engine_play_the_same_matches(a: str, b: str, options: dict[str, object]) -> None:
    rules = preset_rules("hollywood", options)
    pairs = 1 if "random" in (a, b) or "gin-only" in (a, b) else 2
    rows = kernel_rows(a, b, rules, SEED, pairs)
    start = 0
    for row in rows.matches:
        log = reference_match(a, b, rules, SEED, row)
        deals = rows.deals[start : start + int(row["deals_played"])]
        start += len(deals)
        leg = int(row["leg"])
        assert [_deal_row(r) for r in deals] == [_deal_log(log, i, leg) for i in range(len(log.deals))]
        _assert_match_row(row, log, leg)
    assert start == len(rows.deals)


def _deal_row(row: Any) -> dict[str, object]:
    return {name: row[name].tolist() for name in row.dtype.names if name not in ("pair", "leg")}


def _deal_log(match: MatchLog, index: int, leg: int) -> dict[str, object]:
    log: DealLog = match.deals[index]
    deadwoods = (log.knocker_deadwood, log.defender_deadwood_before, log.defender_deadwood_after)
    before, after, last = (NOBODY if points < 0 else points for points in deadwoods)
    return {
        "deal": index,
        "dealer": match.dealer_seats[index] ^ leg,
        "ending": int(Ending[log.ending]),
        "scorer": NOBODY if log.scorer_seat is None else log.scorer_seat ^ leg,
        "knocker": NOBODY if log.knocker_seat is None else log.knocker_seat ^ leg,
        "points": log.points,
        "turns": log.turns,
        "stock_left": log.stock_left,
        "knocker_deadwood": before,
        "defender_deadwood_before": after,
        "defender_deadwood_after": last,
        "initial_deadwood": [log.initial_deadwood[side ^ leg] for side in range(2)],
        "knock_limit": log.knock_limit,
        "columns_entered": sum(1 << column - 1 for column in match.entered[index]),
    }


def _assert_match_row(row: Any, log: MatchLog, leg: int) -> None:
    sheet, columns = log.sheet, log.sheet.rules.columns
    scored = [(d.ending, d.scorer_seat ^ leg, d.points) for d in log.deals if d.scorer_seat is not None]
    assert row["match_winner"] == {"tie": TIE}.get(str(sheet.winner()), sheet.winner())
    assert row["column_points"][:columns].tolist() == [[sheet.totals[s][c] for s in (0, 1)] for c in range(columns)]
    assert row["column_boxes"][:columns].tolist() == [[sheet.boxes[s][c] for s in (0, 1)] for c in range(columns)]
    winners = [NOBODY if side is None else side for side in sheet.closed_by]
    assert row["column_winner"].tolist() == winners + [NOBODY] * (3 - columns)
    nets = [won for won in sheet.settlement() if won is not None]
    assert row["settlement"] == sum(net if side == 0 else -net for side, net, _ in nets)
    for side in range(2):
        mine = [(ending, points) for ending, scorer, points in scored if scorer == side]
        assert row["deals_won"][side] == len(mine)
        assert row["deal_points"][side] == sum(points for _, points in mine)
        assert row["gins"][side] == sum(ending == "GIN" for ending, _ in mine)
        assert row["big_gins"][side] == sum(ending == "BIG_GIN" for ending, _ in mine)
        assert row["undercuts"][side] == sum(ending == "UNDERCUT" for ending, _ in mine)
        knocks = [ending == "KNOCK" for ending, scorer, _ in scored if scorer == side]
        undercut = [ending == "UNDERCUT" for ending, scorer, _ in scored if scorer != side]
        assert row["knocks"][side] == sum(knocks) + sum(undercut)
        for column in range(columns):
            first = [
                i for i, entered in enumerate(log.entered) if column + 1 in entered and _scorer(log, i, leg) == side
            ]
            assert row["column_opened"][column][side] == (first[0] if first else NEVER)
    assert row["walls"] == sum(d.ending == "WALL" for d in log.deals)
    assert row["turn_caps"] == sum(d.ending == "TURN_CAP" for d in log.deals)


def _scorer(log: MatchLog, index: int, leg: int) -> int | None:
    seat = log.deals[index].scorer_seat
    return None if seat is None else seat ^ leg
