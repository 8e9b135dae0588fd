"""Playing parts: the rows agree with each other and with the sheet, and a bad player stops the run with a reason."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from experiments.simulate import simulate
from sim.batch import plan as plans
from sim.batch import runner
from sim.batch.runner import FIRST_CHUNK_PAIRS, play_part
from sim.batch.tally import add, pair_scores, tally
from sim.presets import preset_rules
from sim.rows import NEVER, NOBODY, TIE, Ending
from strategies.registry import bind
from tests.support.naive_sheet import NaiveSheet
from tests.support.strategy_runs import Onlooker, Rows, plan_of, play, run_into

VARIANTS: dict[str, dict[str, object]] = {
    "hollywood": {},
    "strict, big gin": {"carry": "strict", "big_gin": 31},
    "closing by player": {"closing": "player", "box_bonus": 25, "game_bonus": 100},
    "total": {"match_winner": "total", "shutout_doubles": True, "third_column_doubled": True, "target": 60},
    "first column": {"match_winner": "first_column", "spade_doubles": True},
    "one column, short deals": {"columns": 1, "turn_cap": 10, "tie": "knocker", "count_zero_wins": False},
}


# --- rows


@pytest.mark.parametrize("options", VARIANTS.values(), ids=VARIANTS)
def test_deals_entered_on_a_naive_sheet_give_the_match_rows(options: dict[str, object]) -> None:
    rows = play(plan_of("simple", "threshold:knock_at=4", pairs=60, options=options))
    for match, deals in _by_match(rows):
        sheet = NaiveSheet(preset_rules("hollywood", options))
        opened = np.full((3, 2), NEVER)
        closed = np.full(3, NEVER)
        for deal in deals:
            entered = [] if deal["scorer"] == NOBODY else sheet.enter(int(deal["scorer"]), int(deal["points"]))
            assert sum(1 << column - 1 for column in entered) == deal["columns_entered"]
            for column in range(sheet.rules.columns):
                if column + 1 in entered and opened[column, deal["scorer"]] == NEVER:
                    opened[column, deal["scorer"]] = deal["deal"]
                if sheet.closed_by[column] is not None and closed[column] == NEVER:
                    closed[column] = deal["deal"]
        assert sheet.is_over
        assert match["column_opened"][:, :2].tolist() == opened.tolist()
        assert match["column_closed"].tolist() == closed.tolist()
        _assert_sheet(match, sheet)


def _by_match(rows: Rows) -> Iterator[tuple[Any, Any]]:
    """Yield each match row with its deal rows."""
    start = 0
    for match in rows.matches:
        deals = rows.deals[start : start + int(match["deals_played"])]
        start += len(deals)
        assert {(int(deal["pair"]), int(deal["leg"])) for deal in deals} == {(int(match["pair"]), int(match["leg"]))}
        assert deals["deal"].tolist() == list(range(len(deals)))
        yield match, deals
    assert start == len(rows.deals)


def _assert_sheet(match: Any, sheet: NaiveSheet) -> None:
    for column, winner in enumerate(sheet.closed_by):
        assert match["column_winner"][column] == (NOBODY if winner is None else winner)
        for side in (0, 1):
            assert match["column_points"][column, side] == sheet.totals[side][column]
            assert match["column_boxes"][column, side] == sheet.boxes[side][column]
    settled = [(net if winner == 0 else -net) for winner, net, _ in filter(None, sheet.settlement())]
    assert match["settlement"] == sum(settled)
    assert match["match_winner"] == (TIE if sheet.winner() == "tie" else sheet.winner())


def test_counts_of_a_match_add_up_over_its_deals() -> None:
    rows = play(plan_of("simple", "gin-only", pairs=100, options={"big_gin": 31, "turn_cap": 20}))
    assert {Ending(ending) for ending in rows.deals["ending"]} == set(Ending) - {Ending.WALL}
    for match, deals in _by_match(rows):
        for side in (0, 1):
            won, knocked = deals["scorer"] == side, deals["knocker"] == side
            ending = deals["ending"]
            assert match["deals_won"][side] == won.sum()
            assert match["deal_points"][side] == deals["points"][won].sum()
            assert match["gins"][side] == (knocked & (ending == Ending.GIN)).sum()
            assert match["big_gins"][side] == (knocked & (ending == Ending.BIG_GIN)).sum()
            assert match["knocks"][side] == (knocked & np.isin(ending, (Ending.KNOCK, Ending.UNDERCUT))).sum()
            assert match["undercuts"][side] == (won & (ending == Ending.UNDERCUT)).sum()
        assert match["walls"] == (deals["ending"] == Ending.WALL).sum()
        assert match["turn_caps"] == (deals["ending"] == Ending.TURN_CAP).sum()
        assert match["first_dealer"] == deals["dealer"][0]


def test_tally_of_a_run_adds_up_over_its_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = plan_of("greedy", "simple", pairs=40)
    rows = play(plan).matches
    first, second = tally(rows[:32]), tally(rows[32:])
    whole = tally(rows)
    assert add(first, second) == whole
    assert (whole["pairs"], sum(whole["leg_scores"]), whole["deals"]) == (40, 40, rows["deals_played"].sum())
    points_for_a = sum(score * count for score, count in enumerate(pair_scores(whole))) / 2
    assert points_for_a == (rows["match_winner"] == 0).sum()


def test_room_for_deals_grows_when_the_first_guess_was_too_small(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = plan_of("greedy", "random", pairs=300)
    roomy = play(plan)
    monkeypatch.setattr(runner, "DEALS_A_PAIR", 1)
    onlooker = Onlooker()
    (part,) = plan.parts()
    cramped = play_part(plan, part, bind, onlooker)
    assert cramped.deals is not None
    assert Rows(cramped.matches, cramped.deals).digest() == roomy.digest()
    # Room for 300 deals is used up in the third call, which was to play 64 pairs.
    assert any(pairs % FIRST_CHUNK_PAIRS for pairs, _ in onlooker.calls[:-1])
    assert (onlooker.pairs, onlooker.deals) == (300, len(roomy.deals))


def test_watch_is_told_of_every_pair_and_deal(tmp_path: Path) -> None:
    onlooker = Onlooker()
    outcome = simulate(plan_of("greedy", "simple", pairs=300), tmp_path / "run", 1, onlooker)
    assert (onlooker.pairs, onlooker.deals) == (300, outcome.deals)
    assert onlooker.calls[0][0] == FIRST_CHUNK_PAIRS


@pytest.mark.parametrize(("seconds", "then"), [(0.001, 320), (0.1, 80), (0.2, 40), (0.4, 20)])
def test_kernel_calls_are_sized_to_be_heard_of_often(seconds: float, then: int) -> None:
    assert runner._next_chunk(40, seconds) == then
    assert runner._next_chunk(1, 100.0) == 1


def test_memory_does_not_grow_with_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plans, "PART_PAIRS", 256)

    def peak(pairs: int) -> int:
        plan, folder = plan_of("greedy", "simple", pairs=pairs), tmp_path / str(pairs)
        tracemalloc.start()
        run_into(folder, plan)
        _, highest = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return highest

    peak(256)
    assert peak(6 * 256) < 1.2 * peak(3 * 256)
