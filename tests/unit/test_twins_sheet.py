"""The naive twins of points and sheet give the answers of the shared checked cases and of the rules page."""

from __future__ import annotations

from typing import Any

import pytest

from sim.presets import preset_rules
from sim.rules import Rules
from tests.support.naive_layoff import score_deal
from tests.support.naive_sheet import MatchOverError, NaiveSheet
from tests.support.reference_engine import sheet_info_of
from tests.support.shared_cases import Case, cases, greedy_points, sheet_options

EAAI = preset_rules("eaai")
SIDES = "AB"


def named(found: list[Case]) -> pytest.MarkDecorator:
    """Run a test once for each of these cases, under the case's own id."""
    return pytest.mark.parametrize("case", found, ids=lambda case: case.id)


def play_events(rules: Rules, events: list[str]) -> tuple[NaiveSheet, list[list[int] | str]]:
    """Enter events such as ``A 10`` and ``void``; return the sheet and what each event entered."""
    sheet, entered = NaiveSheet(rules), list[list[int] | str]()
    for event in events:
        if event == "void":
            entered.append([])
            continue
        side, points = event.split()
        try:
            entered.append(sheet.enter(SIDES.index(side), int(points)))
        except MatchOverError:
            entered.append("rejected")
    return sheet, entered


def by_side(values: list[list[int]]) -> dict[str, list[int]]:
    return dict(zip(SIDES, values, strict=True))


# --- points of a deal


@named([case for case in cases("hand_score") if "winner" in case.expected and "game" not in case.input])
def test_points_of_a_deal(case: Case) -> None:
    given = case.input
    rules = EAAI.with_options({"tie": given.get("tie", "undercut"), "big_gin": given.get("big_gin_bonus", "off")})
    score = score_deal(
        given["knocker_deadwood"],
        given["defender_deadwood"],
        big_gin=given.get("big_gin", False),
        rules=rules,
        doubled=given.get("spade_double", False),
    )
    expected = case.expected
    assert score == (expected["result"].upper(), expected["winner"], expected["points"])


def test_undercut_that_ends_the_game_pays_the_bonus_to_the_undercutter() -> None:
    (case,) = [case for case in cases("hand_score") if case.id == "HS-18"]
    given, expected = case.input, case.expected
    sheet = NaiveSheet(EAAI.with_options({"target": given["target"], "game_bonus": given["game_bonus"]}))
    for side, points in given["scores_before"].items():
        sheet.enter(SIDES.index(side), points)
    _, scorer, points = score_deal(
        given["knocker_deadwood"], given["defender_deadwood"], big_gin=False, rules=EAAI, doubled=False
    )
    assert (scorer, points) == ("defender", expected["hand_points"])
    sheet.enter(SIDES.index(expected["hand_winner"]), points)
    assert by_side(sheet.totals) == {side: [total] for side, total in expected["scores_after"].items()}
    assert sheet.is_over is expected["game_over"]
    assert sheet.settlement()[0] == (SIDES.index(expected["game_bonus_to"]), 125 - 90 + 100, False)


@named([case for case in cases("hand_score") if "game" in case.input])
def test_ordinary_gin_rummy_is_a_sheet_of_one_column(case: Case) -> None:
    given, totals = case.input, case.expected["totals"]
    rules = EAAI.with_options(
        {
            "target": given["target"],
            "game_bonus": given["game_bonus"],
            "box_bonus": given["box"],
            "shutout_doubles": given.get("shutout") == "double",
        }
    )
    sheet, _ = play_events(rules, [f"{side} {n}" if side in SIDES else "void" for side, n in given["game"]])
    (settled,) = sheet.settlement()
    assert settled is not None
    winner, net, shutout = settled
    assert sheet.winner() == winner == SIDES.index(case.expected.get("winner", "A"))
    assert net == totals[SIDES[winner]] - totals[SIDES[1 - winner]]
    assert shutout is case.expected.get("shutout", False)
    if "raw" in case.expected:
        assert by_side(sheet.totals) == {side: [total] for side, total in case.expected["raw"].items()}
        assert by_side(sheet.boxes) == {side: [count] for side, count in case.expected["boxes"].items()}


# --- the sheet


def sheet_rules(case: Case, **options: object) -> Rules:
    """Read the rules of a Hollywood case; where it settles nothing, bonuses do not matter."""
    return Rules().with_options({**sheet_options(case), **options})


def as_settled(column: dict[str, Any] | None) -> tuple[int, int, bool] | None:
    return None if column is None else (SIDES.index(column["winner"]), column["net"], column["shutout"])


def as_closed(expected: dict[str, Any]) -> list[int | None]:
    return [None if side is None else SIDES.index(side) for side in expected["closed_by"]]


@named(cases("hollywood_score"))
def test_hollywood_sheet(case: Case) -> None:
    sheet, entered = play_events(sheet_rules(case), case.input["events"])
    expected = case.expected
    assert entered == expected["entered"]
    assert by_side(sheet.totals) == expected["totals"] == expected.get("hand_check", expected["totals"])
    assert by_side(sheet.boxes) == expected["boxes"]
    assert sheet.closed_by == as_closed(expected)
    if "settlement" in expected:
        assert sheet.settlement() == [as_settled(settled) for settled in expected["settlement"]]


READINGS: dict[str, dict[str, object]] = {
    "strict": {"carry": "strict"},
    "zero not counted": {"count_zero_wins": False},
}


@pytest.mark.parametrize("reading", READINGS)
def test_other_readings_are_options(reading: str) -> None:
    found = [case for case in cases("hollywood_score") if reading in case.expected.get("other_readings", {})]
    assert found
    for case in found:
        sheet, _ = play_events(sheet_rules(case, **READINGS[reading]), case.input["events"])
        expected = case.expected["other_readings"][reading]
        assert by_side(sheet.totals) == expected["totals"], case.id
        assert sheet.closed_by == as_closed(expected), case.id


@named(cases("hollywood_score"))
@pytest.mark.parametrize("options", [{}, {"carry": "strict"}, {"closing": "player"}], ids=str)
def test_needs_foretell_the_columns_of_the_next_win(case: Case, options: dict[str, object]) -> None:
    sheet = NaiveSheet(sheet_rules(case, **options))
    for event in [event for event in case.input["events"] if event != "void"]:
        if sheet.is_over:
            break
        side = SIDES.index(event[0])
        needs = sheet.needs(side)
        entered = sheet.enter(side, int(event[2:]))
        assert entered == [column for column, wins in enumerate(needs, start=1) if wins == 0]
        # Whatever stays open has come one win nearer, and columns close in order.
        for before, after in zip(needs, sheet.needs(side), strict=True):
            assert after in (-1, max(0, before - 1))
        closed = [winner is not None for winner in sheet.closed_by]
        assert closed == sorted(closed, reverse=True)


def test_closing_by_player_settles_at_the_first_and_plays_on() -> None:
    rules = Rules(closing="player", box_bonus=25, game_bonus=100)
    sheet, entered = play_events(rules, ["A 50", "B 20", "A 60", "B 90"])
    assert entered == [[1], [1], [1, 2], [1, 2]]  # column 1 is won by A and still open to B
    assert sheet.totals == [[110, 60, 0], [110, 90, 0]]
    assert sheet.closed_by == [0, None, None]
    assert sheet.settlement()[0] == (0, 110 - 20 + 100 + 25 * (2 - 1), False)
    assert sheet.enter(1, 100) == [2, 3]
    assert sheet.enter(1, 5) == []  # B has finished all three, A has not
    assert sheet.closed_by == [0, 1, 1]
    assert [sheet.enter(0, 100), sheet.is_over] == [[2, 3], True]
    assert (sheet.closed_by, sheet.winner()) == ([0, 1, 1], 1)
    with pytest.raises(MatchOverError):
        sheet.enter(0, 1)


def test_majority_and_total_can_name_different_winners() -> None:
    events = ["B 60", "B 30", "A 100", "A 90", "B 65", "A 10", "B 100"]
    majority, _ = play_events(Rules(), events)
    assert majority.settlement() == [(0, 10, False), (0, 5, False), (1, 155, False)]
    assert majority.winner() == 0
    total, _ = play_events(Rules(match_winner="total"), events)
    assert (total.settlement(), total.winner()) == (majority.settlement(), 1)


def test_first_column_compares_running_totals_and_can_tie() -> None:
    rules = Rules(match_winner="first_column")
    assert play_events(rules, ["A 99"])[0].winner() is None
    ahead, _ = play_events(rules, ["B 40", "B 20", "B 30", "A 100"])
    assert (ahead.closed_by, ahead.winner()) == ([0, None, None], 1)  # B: 90 + 50 + 30 over all three
    tied, _ = play_events(rules, ["B 40", "B 20", "A 100"])
    assert (tied.totals, tied.winner()) == ([[100, 0, 0], [60, 20, 0]], 0)
    tied, _ = play_events(rules, ["B 60", "B 20", "A 100"])
    assert (tied.totals, tied.winner()) == ([[100, 0, 0], [80, 20, 0]], "tie")


def test_total_of_settled_points_can_tie() -> None:
    events = ["A 150", "A 100", "B 250"]
    sheet, _ = play_events(Rules(match_winner="total"), events)
    assert sheet.settlement() == [(0, 150, True), (0, 100, True), (1, 250, True)]
    assert sheet.winner() == "tie"


def test_third_column_settles_double_on_top_of_a_shutout() -> None:
    rules = Rules(third_column_doubled=True, shutout_doubles=True)
    sheet, _ = play_events(rules, ["A 100", "A 100", "A 100"])
    assert sheet.settlement() == [(0, 200, True), (0, 200, True), (0, 400, True)]


def test_sheet_is_seen_from_each_seat() -> None:
    sheet = NaiveSheet(Rules(columns=1))
    sheet.enter(0, 30)
    info = sheet_info_of(sheet, leg=1)
    assert info.points == [[0, 0, 0], [30, 0, 0]]
    assert (info.boxes[1], info.needs[0]) == ([1, 0, 0], [0, -1, -1])


def test_greedy_points_are_the_published_counts() -> None:
    # Published as 20,000 deals; ten are missing from the counts, as dead deals would be.
    assert sum(greedy_points().values()) == 19_990
