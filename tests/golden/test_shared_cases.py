"""Every shared case of a deal's points, a Hollywood sheet, a rule or the flow of a deal, on the compiled kernels.

Points and sheets are played as stacked deals; melds are asked of the solver; the flow cases are proved by the tests of
the deal that name them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from sim.api import best_spreads, deadwood
from sim.cards import CardError, parse_hand
from sim.presets import preset_rules
from sim.rows import NOBODY, Ending
from sim.rules import Rules
from tests.golden import test_deal_rules as deal_rules
from tests.golden import test_deal_scores as deal_scores
from tests.golden.hands import A_FIRST, KNOCKERS_KNOCK, A, B, knock, laid_out, play_match
from tests.support.scripted_players import deck
from tests.support.shared_cases import Case, cases, sheet_options
from tests.support.stacked_deals import NEVER_KNOCKS, Played, play_deals

FLOW: dict[str, Callable[..., None]] = {
    "FL-01": deal_rules.test_when_both_pass_the_non_dealer_draws_from_stock_unasked,
    "FL-02": deal_rules.test_the_dealer_may_take_what_the_non_dealer_passed,
    "FL-03": deal_rules.test_when_both_pass_the_non_dealer_draws_from_stock_unasked,
    "FL-04": deal_rules.test_the_upcard_just_taken_may_not_be_thrown_back,
    "FL-06": deal_rules.test_only_that_one_draw_must_be_from_stock,
    "FL-07": deal_rules.test_with_two_cards_left_in_stock_the_deal_is_dead,
    "FL-09": deal_rules.test_who_draws_the_third_last_card_may_still_knock,
    "FL-10": deal_rules.test_after_a_dead_deal_the_same_dealer_deals_again,
    "FL-11": deal_rules.test_with_two_cards_left_in_stock_the_deal_is_dead,
    "FL-13": deal_rules.test_a_knock_above_the_limit_is_refused_and_changes_nothing,
    "FL-14": deal_rules.test_nobody_must_knock_gin_included,
    "FL-16": deal_scores.test_nobody_sees_hidden_cards,
    "FL-17": deal_rules.test_each_deal_is_ten_cards_each_an_upcard_and_31_in_stock,
    "FL-18": deal_rules.test_two_who_trade_upcards_for_ever_are_stopped_at_the_turn_cap,
    "FL-20": deal_rules.test_who_draws_the_third_last_card_may_still_knock,
    "FL-22": deal_scores.test_a_card_extends_a_meld_only_as_it_lies_after_earlier_layoffs,
}
"""The test that proves each flow case; it names the case."""
POINTS = [case for case in cases("hand_score") if "result" in case.expected]
ORDINARY = [case for case in cases("hand_score") if "game" in case.input]
UNDERCUT_THAT_ENDS = [case for case in cases("hand_score") if "scores_before" in case.input]
SHEETS = cases("hollywood_score")
MELDS = [case for case in cases("rules") if "meld" in case.input]
OKLAHOMA = [case for case in cases("rules") if "oklahoma_upcard" in case.input]
KINDS = ("hand_score", "hollywood_score", "rules", "flow")


def named(found: list[Case]) -> pytest.MarkDecorator:
    """Run a test once for each of these cases, under the case's own id."""
    return pytest.mark.parametrize("case", found, ids=lambda case: case.id)


def test_every_case_of_these_kinds_is_run_here_or_named_where_it_is() -> None:
    here = [*POINTS, *ORDINARY, *UNDERCUT_THAT_ENDS, *SHEETS, *MELDS, *OKLAHOMA]
    ids = [case.id for case in here] + list(FLOW)
    assert sorted(ids) == sorted(case.id for kind in KINDS for case in cases(kind))


@named(cases("flow"))
def test_the_test_of_a_flow_case_names_it(case: Case) -> None:
    assert case.id in (FLOW[case.id].__doc__ or "")


# --- points of a deal


@named(POINTS)
def test_points_of_a_deal(case: Case) -> None:
    given, expected = case.input, case.expected
    options = {"tie": given.get("tie", "undercut"), "big_gin": given.get("big_gin_bonus", "off")}
    options |= {"undercut_bonus": 25, "spade_doubles": given.get("spade_double", False)}
    own, other = given["knocker_deadwood"], given["defender_deadwood"]
    stream = knock(A, own, other, "AS" if given.get("spade_double") else "2D", "5C" if given.get("big_gin") else "")
    row = play_deals([stream], [KNOCKERS_KNOCK] * 2, A_FIRST.with_options(options)).deals[0]
    assert (row["knocker_deadwood"], row["defender_deadwood_after"]) == (own, other)
    assert Ending(row["ending"]).name == expected["result"].upper()
    assert (row["scorer"], row["points"]) == ({"knocker": A, "defender": B}[expected["winner"]], expected["points"])


@named(UNDERCUT_THAT_ENDS)
def test_an_undercut_that_ends_the_match_pays_its_bonus_to_the_undercutter(case: Case) -> None:
    given, expected = case.input, case.expected
    rules = preset_rules("eaai", {"target": given["target"], "game_bonus": given["game_bonus"], "first_dealer": "b"})
    before = laid_out([f"{side} {points}" for side, points in given["scores_before"].items()])
    last = knock("AB".index(given["knocker"]), given["knocker_deadwood"], given["defender_deadwood"])
    played = play_deals([*before, last], [KNOCKERS_KNOCK] * 2, rules)
    row, winner = played.matches[0], "AB".index(expected["game_bonus_to"])
    assert (played.deals[-1]["scorer"], played.deals[-1]["points"]) == (winner, expected["hand_points"])
    assert row["column_points"][0, :2].tolist() == list(expected["scores_after"].values())
    assert (row["match_winner"], row["column_closed"][0]) == (winner, 2)
    paid = abs(int(np.diff(row["column_points"][0, :2].astype(int))[0])) + given["game_bonus"]
    assert row["settlement"] == (paid if winner == A else -paid)


@named(ORDINARY)
def test_ordinary_gin_rummy_is_a_sheet_of_one_column(case: Case) -> None:
    given, expected = case.input, case.expected
    options = {"target": given["target"], "game_bonus": given["game_bonus"], "box_bonus": given["box"]}
    options |= {"shutout_doubles": given.get("shutout") == "double", "first_dealer": "b"}
    events = ["void" if side == "void" else f"{side} {points}" for side, points in given["game"]]
    row = play_match(events, preset_rules("eaai", options)).matches[0]
    assert "AB"[row["match_winner"]] == expected.get("winner", "A")
    assert row["settlement"] == expected["totals"]["A"] - expected["totals"]["B"]
    if "raw" in expected:
        assert row["column_points"][0, :2].tolist() == list(expected["raw"].values())
        assert row["column_boxes"][0, :2].tolist() == list(expected["boxes"].values())


# --- Hollywood sheets


def case_rules(case: Case) -> Rules:
    """Read the rules of a Hollywood case; a win worth nothing takes a tie that goes to the knocker."""
    ties = {"tie": "knocker"} if any(event.endswith(" 0") for event in case.input["events"]) else {}
    return A_FIRST.with_options({**sheet_options(case), **ties})


def as_played(case: Case, rules: Rules) -> tuple[Played, dict[str, Any]]:
    """Play the deals of a case but those rejected; return also the sheet as they leave it, by (column, side)."""
    count = len([columns for columns in case.expected["entered"] if columns != "rejected"])
    played = play_deals(laid_out(case.input["events"][:count]), [KNOCKERS_KNOCK] * 2, rules)
    row, sheet = played.matches[0], played.desk.sheet[0]
    if played.desk.table[0].leg == 1:  # the match is over and the sheet of the next one is blank
        return played, {"points": row.column_points, "boxes": row.column_boxes, "winner": row.column_winner}
    return played, {"points": sheet.points, "boxes": sheet.boxes, "winner": sheet.winner}


def by_side(numbers: Any) -> dict[str, list[int]]:
    """Return numbers of shape (column, side) as the cases have them."""
    return {"A": numbers[:, A].tolist(), "B": numbers[:, B].tolist()}


def closed_by(sheet: dict[str, Any]) -> list[str | None]:
    """Return who closed each column."""
    return [None if side == NOBODY else "AB"[side] for side in sheet["winner"].tolist()]


@named(SHEETS)
def test_hollywood_sheet(case: Case) -> None:
    expected = case.expected
    played, sheet = as_played(case, case_rules(case))
    assert by_side(sheet["points"]) == expected["totals"] == expected.get("hand_check", expected["totals"])
    assert expected["totals"] == {**expected["totals"], **expected.get("published", {})}
    assert by_side(sheet["boxes"]) == expected["boxes"]
    assert closed_by(sheet) == expected["closed_by"]
    assert played.entered() == [columns for columns in expected["entered"] if columns != "rejected"]


@named([case for case in SHEETS if "settlement" in case.expected])
def test_settlement_of_a_hollywood_sheet(case: Case) -> None:
    """Each column where the match goes on, their sum where it is over."""
    played, _ = as_played(case, case_rules(case))
    columns = [settled or {"winner": "A", "net": 0} for settled in case.expected["settlement"]]
    nets = [settled["net"] if settled["winner"] == "A" else -settled["net"] for settled in columns]
    if played.desk.table[0].leg == 1:
        assert played.matches[0]["settlement"] == sum(nets)
    else:
        assert played.desk.sheet[0].settled.tolist() == nets


@named([case for case in SHEETS if "rejected" in case.expected["entered"]])
def test_after_the_last_column_has_closed_nothing_is_entered(case: Case) -> None:
    """The next deal is the first one of another match."""
    count = case.expected["entered"].index("rejected")
    played = play_deals(laid_out(case.input["events"][: count + 1]), [KNOCKERS_KNOCK] * 2, case_rules(case))
    assert played.deals["leg"].tolist() == [0] * count + [1]
    assert (played.deals["deal"][count], played.matches[0]["deals_played"]) == (0, count)


READINGS: dict[str, dict[str, object]] = {
    "strict": {"carry": "strict"},
    "zero not counted": {"count_zero_wins": False},
}
WRONG = {"sequential opening (wrong)"}
"""A misreading that no option offers: our sheet must differ from it."""
OTHERS = [(case, reading) for case in SHEETS for reading in case.expected.get("other_readings", {})]


@pytest.mark.parametrize(("case", "reading"), OTHERS, ids=[f"{case.id}-{reading}" for case, reading in OTHERS])
def test_other_readings_of_a_sheet_are_options(case: Case, reading: str) -> None:
    expected = case.expected["other_readings"][reading]
    _, sheet = as_played(case, case_rules(case).with_options(READINGS.get(reading, {})))
    same = by_side(sheet["points"]) == expected["totals"] and closed_by(sheet) == expected["closed_by"]
    assert same is (reading not in WRONG)


# --- rules


@named(MELDS)
def test_what_is_a_meld(case: Case) -> None:
    try:
        hand = parse_hand(case.input["meld"])
    except CardError:
        valid = False  # one card named twice
    else:
        valid = bool(deadwood(hand) == 0 and len(best_spreads(hand)[0]) == 1)
    assert valid is case.expected["valid"]


@named(OKLAHOMA)
def test_the_first_upcard_sets_the_knock_limit_in_oklahoma_only(case: Case) -> None:
    limits: dict[str, tuple[int, int]] = {card: (limit, limit) for card, limit in case.expected["limits"].items()}
    (ace,) = case.input["oklahoma_upcard"].keys() - limits
    limits[ace] = (1, 0)
    for card, both in limits.items():
        for limit, word in zip(both, ("one", "gin"), strict=True):
            rules = A_FIRST.with_options({"knock_limit": "upcard", "upcard_ace": word})
            assert play_deals([deck(upcard=card)], [NEVER_KNOCKS] * 2, rules).deals[0]["knock_limit"] == limit
        assert play_deals([deck(upcard=card)], [NEVER_KNOCKS] * 2, A_FIRST).deals[0]["knock_limit"] == 10
