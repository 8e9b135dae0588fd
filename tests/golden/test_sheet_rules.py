"""The Hollywood sheet, sentence by sentence, filled by deals that are played on the compiled kernels."""

from __future__ import annotations

import pytest

from sim.rows import NEVER, NOBODY, TIE
from tests.golden.hands import A_FIRST, KNOCKERS_KNOCK, A, B, laid_out, play_events, play_match
from tests.support.stacked_deals import play_deals

BOB = ["A 10", "B 18", "A 30", "A 4"]
SEAN = ["A 10", "A 4", "A 12"]
SWEEP = ["B 7", "A 10", "A 5", "A 100"]
"""A closes all three columns with one deal, at 115-7, 105-0 and 100-0, with 3-1, 2-0 and 1-0 boxes."""


def test_bob_and_alexandra() -> None:
    """Source 000, the example: Bob 44 / 34 / 4, Alexandra 18 / 0 / 0."""
    played = play_events(BOB)
    assert (played.totals(A), played.totals(B)) == ([44, 34, 4], [18, 0, 0])


def test_sean_and_clint() -> None:
    """Source 001, the score sheet: 26 / 16 / 12; then Clint's 29 has credit in game 1 alone."""
    assert play_events(SEAN).totals(A) == [26, 16, 12]
    played = play_events([*SEAN, "B 29"])
    assert (played.totals(A), played.totals(B)) == ([26, 16, 12], [29, 0, 0])


def test_the_nth_win_of_a_player_enters_his_first_n_columns() -> None:
    """Sources 000, 001, 003: the third and all later wins enter all three; each player's own count decides."""
    played = play_events(["A 1", "B 2", "B 3", "A 4", "A 5", "A 6", "void", "B 7", "B 8"])
    assert played.entered() == [[1], [1], [1, 2], [1, 2], [1, 2, 3], [1, 2, 3], [], [1, 2, 3], [1, 2, 3]]
    assert (played.totals(A), played.totals(B)) == ([16, 15, 11], [20, 18, 15])
    assert (played.boxes(A), played.boxes(B)) == ([4, 3, 2], [4, 3, 2])


def test_a_dead_deal_enters_nothing_and_advances_nobody() -> None:
    """Sources 000, 003: no score is recorded for either column."""
    played = play_events(["A 22", "void", "A 13", "void", "void", "B 9"])
    assert played.entered() == [[1], [], [1, 2], [], [], [1]]
    assert played.desk.sheet[0].wins.tolist() == [2, 1, 0]


def test_a_column_closes_at_the_target_and_not_before() -> None:
    """Source 000: "100 points or more"."""
    almost = play_events(["A 40", "A 59"])
    assert (almost.totals(A), almost.desk.sheet[0].winner[0]) == ([99, 59, 0], NOBODY)
    assert play_events(["A 40", "A 59", "A 1"]).desk.sheet[0].winner.tolist() == [A, NOBODY, NOBODY]
    assert play_events(["A 40", "A 60"]).desk.sheet[0].winner.tolist() == [A, NOBODY, NOBODY]


def test_more_than_100_is_a_target_of_101() -> None:
    """Source 004: "exceeds 100"; 001: "100 points, or whatever point total was decided upon"."""
    rules = A_FIRST.with_options({"target": 101})
    assert play_events(["A 100"], rules).desk.sheet[0].winner[0] == NOBODY
    assert play_events(["A 101"], rules).desk.sheet[0].winner[0] == A


def test_the_deal_that_closes_a_column_still_enters_the_others_and_overshoot_counts() -> None:
    """Sources 000, 001."""
    played = play_events(["A 32", "A 28", "A 95"])
    assert (played.totals(A), played.entered()[-1]) == ([155, 123, 95], [1, 2, 3])
    assert played.desk.sheet[0].winner.tolist() == [A, A, NOBODY]


def test_a_closed_column_is_frozen_for_both() -> None:
    """Source 001: "subsequent scores apply only to games still in play"."""
    played = play_events(["B 5", "A 60", "A 45", "A 10", "B 20", "B 30"])
    assert (played.totals(A), played.totals(B)) == ([105, 55, 10], [5, 50, 30])
    assert played.entered()[3:] == [[2, 3], [2], [2, 3]]
    assert played.desk.sheet[0].closed.tolist() == [2, NEVER, NEVER]


def test_all_three_columns_are_played_out_even_after_two_are_won() -> None:
    """Sources 000, 001, 003: "The match is decided once all three games have reached 100"."""
    events = ["A 60", "A 60", "A 55", "B 70", "B 20", "B 80"]
    played = play_match(events)
    row = played.matches[0]
    assert row["column_closed"].tolist() == [1, 2, 5]
    assert row["column_winner"].tolist() == [A, A, B]
    assert (row["deals_played"], row["match_winner"]) == (6, A)


def test_one_deal_can_close_all_three_columns_and_end_the_match() -> None:
    """Sources 000, 001: "When Game 3 ends the match ends and a new series can begin"."""
    played = play_deals([*laid_out(SWEEP), *laid_out(["A 1"])], [KNOCKERS_KNOCK] * 2, A_FIRST)
    assert played.matches[0]["column_closed"].tolist() == [3, 3, 3]
    # What would be deal 4 is deal 0 of the next series, on a blank sheet, with the sides' seats swapped.
    assert played.deals[-1][["leg", "deal", "scorer"]].tolist() == (1, 0, A)
    assert (played.totals(A), played.totals(B)) == ([7, 0, 0], [0, 0, 0])


# --- carry and strict


def test_a_player_who_is_shut_out_starts_in_the_next_column_that_is_open() -> None:
    """Source 001: "his next score is entered as the first score in the next game in progress"."""
    played = play_events(["A 40", "A 35", "A 30", "B 20", "B 25", "B 15"])
    assert played.entered()[3:] == [[2], [2, 3], [2, 3]]
    assert (played.totals(A), played.totals(B)) == ([105, 65, 30], [0, 60, 40])


def test_under_strict_rules_the_nth_win_enters_columns_1_to_n_as_far_as_they_are_open() -> None:
    """Source 000 to the letter: a win can be lost."""
    rules = A_FIRST.with_options({"carry": "strict"})
    played = play_events(["A 40", "A 35", "A 30", "B 20", "B 25", "B 15"], rules)
    assert played.entered()[3:] == [[], [2], [2, 3]]
    assert (played.totals(B), played.boxes(B)) == ([0, 40, 15], [0, 2, 1])


def test_no_win_is_ever_lost_under_carry() -> None:
    """Source 001. Each win of a match enters at least one column."""
    played = play_match(["B 5", "A 60", "A 45", "A 60", "B 30", "B 12", "B 121"])
    assert all(played.entered())
    assert played.matches[0]["column_points"][:, :2].tolist() == [[105, 5], [105, 0], [60, 163]]


# --- closing


def test_closing_by_player_leaves_a_column_open_to_who_has_not_the_target() -> None:
    """Source 003: "that single column is finished", of the player; the match ends when both finished all three."""
    rules = A_FIRST.with_options({"closing": "player", "game_bonus": 100, "box_bonus": 25})
    events = ["A 50", "B 20", "A 60", "B 90", "B 100", "B 5", "A 100"]
    played = play_match(events, rules)
    row = played.matches[0]
    assert played.entered()[:7] == [[1], [1], [1, 2], [1, 2], [2, 3], [], [2, 3]]
    assert row["deals_played"] == 7
    assert row["column_points"][:, :2].tolist() == [[110, 110], [160, 190], [100, 100]]
    # Won, and settled as it then stands, by who gets there first.
    assert (row["column_winner"].tolist(), row["column_closed"].tolist()) == ([A, B, B], [2, 4, 4])
    assert row["settlement"] == (110 - 20 + 100 + 25) - (190 - 60 + 100 + 25) - (100 + 100 + 25)
    assert row["match_winner"] == B


def test_closing_by_column_closes_it_for_both() -> None:
    """Source 000: "That player is the winner of that game"."""
    played = play_events(["A 50", "B 20", "A 60", "B 90"])
    assert (played.totals(B), played.entered()[3]) == ([20, 90, 0], [2])


# --- who wins the match


DIVIDED = ["B 60", "B 30", "A 100", "A 90", "B 65", "A 10", "B 100"]
"""A wins columns 1 and 2 by 10 and 5 points, B column 3 by 155."""


@pytest.mark.parametrize(("option", "winner"), [("majority", A), ("total", B)])
def test_majority_of_columns_or_total_of_settled_points(option: str, winner: int) -> None:
    """Sources 000, 003: two of three games decide "even if the losing player's single highest total is larger"."""
    rows = play_match(DIVIDED, A_FIRST.with_options({"match_winner": option})).matches
    assert rows["match_winner"].tolist() == [winner, 1 - winner]
    assert rows["settlement"].tolist() == [10 + 5 - 155, 155 - 10 - 5]


def test_the_total_of_settled_points_can_tie() -> None:
    rules = A_FIRST.with_options({"match_winner": "total", "target": 50})
    rows = play_match(["A 60", "A 50", "B 110"], rules).matches
    assert (rows["match_winner"].tolist(), rows["settlement"].tolist()) == ([TIE, TIE], [0, 0])
    majority = play_match(["A 60", "A 50", "B 110"], rules.with_options({"match_winner": "majority"})).matches
    assert majority["match_winner"].tolist() == [A, B]


@pytest.mark.parametrize(
    ("events", "winner"),
    [
        (["B 40", "B 20", "B 30", "A 100"], B),  # A has closed column 1; B leads by 90 + 50 + 30 to 100
        (["B 40", "B 20", "A 100"], A),
        (["B 60", "B 20", "A 100"], TIE),
    ],
)
def test_first_column_stops_there_and_compares_the_running_totals(events: list[str], winner: int) -> None:
    """Source 003: "stop after any one game finishes and simply compare running totals across all three columns"."""
    row = play_match(events, A_FIRST.with_options({"match_winner": "first_column"})).matches[0]
    assert (row["match_winner"], row["deals_played"]) == (winner, len(events))
    assert row["column_winner"].tolist() == [A, NOBODY, NOBODY]


# --- settlement


@pytest.mark.parametrize(
    ("options", "columns"),
    [
        ({}, (108, 105, 100)),  # the totals alone
        ({"game_bonus": 100}, (208, 205, 200)),  # 003
        ({"game_bonus": 100, "box_bonus": 25}, (258, 255, 225)),  # 003: 25 a box, 3-1, 2-0, 1-0
        ({"game_bonus": 100, "box_bonus": 25, "shutout_doubles": "yes"}, (258, 510, 450)),  # house rule
        ({"game_bonus": 100, "box_bonus": 25, "third_column_doubled": "yes"}, (258, 255, 450)),  # house rule
        ({"shutout_doubles": "yes", "third_column_doubled": "yes"}, (108, 210, 400)),
    ],
    ids=str,
)
def test_settlement_of_a_column(options: dict[str, object], columns: tuple[int, ...]) -> None:
    """Winner's total less loser's, game bonus and boxes; doubled as the rules say. B sees it the other way round."""
    rows = play_match(SWEEP, A_FIRST.with_options(options)).matches
    assert rows["settlement"].tolist() == [sum(columns), -sum(columns)]
    assert rows["column_points"][0][:, :2].tolist() == [[115, 7], [105, 0], [100, 0]]
    assert rows["column_boxes"][0][:, :2].tolist() == [[3, 1], [2, 0], [1, 0]]


def test_each_column_is_settled_when_it_closes() -> None:
    """Source 003: "settled for that column exactly as in standard Gin Rummy"; boxes are counted in each column."""
    rules = A_FIRST.with_options({"game_bonus": 100, "box_bonus": 25, "shutout_doubles": "yes"})
    played = play_events(["B 20", "A 45", "A 60", "B 33", "B 50", "B 25", "A 10"], rules)
    assert played.desk.sheet[0].settled.tolist() == [105 - 20 + 100 + 25, -(108 - 60 + 100 + 2 * 25), 0]


def test_one_entry_of_the_loser_cancels_the_shutout() -> None:
    """House rule."""
    rules = A_FIRST.with_options({"columns": 1, "shutout_doubles": "yes"})
    assert play_match(["A 50", "A 50"], rules).matches["settlement"].tolist() == [200, -200]
    assert play_match(["A 50", "B 1", "A 50"], rules).matches["settlement"].tolist() == [99, -99]


def test_boxes_can_outweigh_the_column() -> None:
    """Source 003: boxes reward whoever won more hands, though the other won the column."""
    rules = A_FIRST.with_options({"columns": 1, "box_bonus": 25})
    row = play_match([*["B 1"] * 5, "A 100"], rules).matches[0]
    assert (row["column_winner"][0], row["match_winner"], row["settlement"]) == (A, A, 100 - 5 + 25 * (1 - 5))


def test_one_column_is_ordinary_gin_rummy() -> None:
    """Source 000: Hollywood changes only how a won hand is recorded."""
    row = play_match(["A 40", "B 30", "A 70"], A_FIRST.with_options({"columns": 1})).matches[0]
    assert (row["deals_played"], row["match_winner"]) == (3, A)
    assert row["column_points"][:, :2].tolist() == [[110, 30], [0, 0], [0, 0]]
