"""Partnership play (source 003: partners' hand scores are combined, on a Hollywood sheet) on the compiled kernels.

Players are A1, B1, A2, B2; deals 2r and 2r + 1 are the two tables of round r. In leg 0 side A has seat 0 at both.
"""

from __future__ import annotations

import pytest

from sim.presets import preset_rules
from sim.rows import NOBODY, Ending
from tests.golden.hands import KNOCKERS_KNOCK, A, B, knock, laid_out
from tests.support.stacked_deals import KNOCKS, NEVER_KNOCKS, Played, play_deals, play_legs

PARTNERS = preset_rules("partnership", {"first_dealer": "b"})
FOUR = [KNOCKERS_KNOCK] * 4
A1, B1, A2, B2 = range(4)


def rounds(events: list[str], options: dict[str, object] | None = None) -> Played:
    """Play rounds given by the events at tables 1, 2, 1, 2, ..."""
    return play_deals(laid_out(events), FOUR, PARTNERS.with_options(options or {}))


def memories(events: list[str]) -> list[list[int]]:
    """Return what each player remembers: a memory is wiped at each deal of its player, and else stays as it is."""
    return [view.memory.tolist() for view in rounds(events).desk.views] if events else [[0] * 8] * 4


def test_a1_meets_b1_at_the_first_table_and_a2_meets_b2_at_the_second() -> None:
    events = ["A 30", "A 12", "A 31", "A 13"]
    for count, at_table in enumerate([[A1, B1], [A2, B2], [A1, B1], [A2, B2]], start=1):
        before, after = memories(events[: count - 1]), memories(events[:count])
        assert [player for player in range(4) if before[player] != after[player]] == at_table


@pytest.mark.parametrize("passive", range(4))
def test_partners_play_their_own_strategies_at_their_own_tables(passive: int) -> None:
    """All four could knock at once; only who never knocks lets the deal of his table go by."""
    scripts = [KNOCKS] * 4
    scripts[passive] = NEVER_KNOCKS
    side, table = passive % 2, passive // 2
    streams = [knock(side, 8, 80), knock(side, 8, 80)]
    scripts[passive ^ 1] = scripts[passive ^ 1 ^ 2] = NEVER_KNOCKS  # the other side has nothing to knock with
    rows = play_deals(streams, scripts, PARTNERS).deals
    assert rows["ending"][table] == Ending.WALL
    assert (rows["ending"][1 - table], rows["scorer"][1 - table]) == (Ending.KNOCK, side)


def test_the_same_side_deals_at_both_tables() -> None:
    played = rounds(["A 30", "B 12", "B 30", "A 12", "A 1", "A 1"])
    assert played.deals["dealer"].tolist() == [B, B, A, A, B, B]


@pytest.mark.parametrize(
    ("events", "net"),
    [
        (["A 30", "A 12"], (42, 0)),
        (["A 30", "B 12"], (18, 0)),
        (["A 12", "B 30"], (0, 18)),
        (["B 12", "A 13"], (1, 0)),
        (["B 30", "B 55"], (0, 85)),
        (["void", "B 12"], (0, 12)),
        (["A 7", "void"], (7, 0)),
    ],
    ids=str,
)
def test_the_net_of_both_tables_enters_as_one_win_and_one_box(events: list[str], net: tuple[int, int]) -> None:
    """A dead deal at one table counts nothing."""
    played = rounds(events)
    assert (played.totals(A), played.totals(B)) == ([net[0], 0, 0], [net[1], 0, 0])
    assert (played.boxes(A)[0], played.boxes(B)[0]) == (int(net[0] > 0), int(net[1] > 0))
    assert played.entered() == [[], [1]]  # noted with the second deal of the round


@pytest.mark.parametrize("events", [["A 20", "B 20"], ["B 55", "A 55"], ["void", "void"]], ids=str)
@pytest.mark.parametrize("option", ["winner", "loser", "alternate"])
def test_a_net_of_nothing_enters_nothing_and_the_same_side_deals_again(events: list[str], option: str) -> None:
    played = rounds([*events, "A 30", "B 12"], {"next_dealer": option})
    assert played.entered() == [[], [], [], [1]]
    assert played.deals["dealer"].tolist() == [B, B, B, B]
    assert (played.totals(A), played.boxes(A)) == ([18, 0, 0], [1, 0, 0])


@pytest.mark.parametrize(("option", "dealer"), [("winner", A), ("loser", B), ("alternate", A)])
def test_the_winner_of_the_net_decides_who_deals_next(option: str, dealer: int) -> None:
    """B wins the deal of the second table, A the net."""
    played = rounds(["A 30", "B 12", "A 1"], {"next_dealer": option})
    assert played.deals["dealer"].tolist() == [B, B, dealer]


def test_the_nth_win_of_the_net_enters_the_first_n_columns() -> None:
    """Source 000 for the staircase: it counts rounds, not deals."""
    played = rounds(["A 30", "A 12", "A 5", "B 2", "B 40", "A 1", "A 9", "A 9"])
    assert played.entered()[1::2] == [[1], [1, 2], [1], [1, 2, 3]]
    assert (played.totals(A), played.totals(B)) == ([63, 21, 18], [39, 0, 0])
    assert not any(played.entered()[0::2])


def test_undercut_gin_and_bonuses_count_in_the_net_as_scored() -> None:
    """At the first table A knocks and is undercut by B for 15; at the second A has gin for 25 + 5."""
    played = play_deals([knock(A, 9, 4), knock(A, 0, 5)], FOUR, PARTNERS)
    assert played.deals["points"].tolist() == [15, 30]
    assert (played.totals(A), played.boxes(A), played.boxes(B)) == ([15, 0, 0], [1, 0, 0], [0, 0, 0])
    row = played.matches[0]
    assert row["deals_won"][:2].tolist() == [1, 1]  # deals are counted singly
    assert row["deal_points"][:2].tolist() == [30, 15]


def test_the_deals_of_round_r_are_2r_and_2r_plus_1() -> None:
    rows = rounds(["A 30", "B 12", "void", "void", "A 5", "B 4"]).deals
    assert rows["deal"].tolist() == list(range(6))


def test_all_four_see_the_sheet_but_not_the_first_tables_deal() -> None:
    events = ["A 30", "B 12", "A 50", "B 7"]
    for count, players in ((3, (A1, B1)), (4, (A2, B2))):
        views = rounds(events[:count]).desk.views
        for player in players:
            mine, theirs = views[player].my_points.tolist(), views[player].their_points.tolist()
            assert (mine, theirs)[player % 2] == [18, 0, 0]  # the net of round 0, and nothing of A's 50
            assert (theirs, mine)[player % 2] == [0, 0, 0]
    second = rounds(events[:2]).desk.views
    assert not second[A2].my_points.any()
    assert not second[B2].their_points.any()


def test_the_swap_of_a_pair_swaps_the_sides_at_both_tables() -> None:
    played = play_legs(laid_out(["A 60", "A 40"]), FOUR, PARTNERS.with_options({"columns": 1, "target": 100}))
    legs = [played.deals[played.deals["leg"] == leg] for leg in (0, 1)]
    assert [len(rows) for rows in legs] == [2, 2]
    assert [rows["scorer"].tolist() for rows in legs] == [[A, A], [B, B]]
    assert legs[0]["points"].tolist() == legs[1]["points"].tolist() == [60, 40]
    assert played.matches["match_winner"].tolist() == [A, B]
    assert legs[0]["initial_deadwood"].tolist() == legs[1]["initial_deadwood"][:, ::-1].tolist()


def test_a_match_ends_with_the_round_that_closes_the_last_column() -> None:
    """Sources 000, 001; a column is opened and closed by the second deal of its round."""
    events = ["A 60", "A 30", "B 20", "B 1", "A 60", "A 50", "void", "A 100"]
    played = play_legs(laid_out(events), FOUR, PARTNERS.with_options({"box_bonus": 25}))
    row = played.matches[0]
    assert (row["deals_played"], row["match_winner"], row["walls"]) == (8, A, 1)
    assert row["column_points"][:, :2].tolist() == [[200, 21], [110, 0], [100, 0]]
    assert row["column_opened"][:, A].tolist() == [1, 5, 7]
    assert row["column_closed"].tolist() == [5, 5, 7]
    assert row["settlement"] == (200 - 21 + 25 * (2 - 1)) + (110 + 25) + (100 + 25)


def test_first_dealer_is_a_side_that_deals_at_both_tables_of_the_first_round() -> None:
    for first in ("a", "b"):
        played = rounds(["A 30", "B 12"], {"first_dealer": first})
        assert played.deals["dealer"].tolist() == ["ab".index(first)] * 2


def test_only_the_second_deal_of_a_round_can_enter_anything() -> None:
    """A scored deal keeps its scorer in its row all the same."""
    rows = rounds(["A 30", "void"]).deals
    assert rows["scorer"].tolist() == [A, NOBODY]
    assert rows["columns_entered"].tolist() == [0, 1]


@pytest.mark.parametrize(
    ("options", "entered"),
    [({}, [2]), ({"closing": "player"}, [1]), ({"carry": "strict"}, [])],
    ids=str,
)
def test_the_options_of_the_sheet_hold_for_partners(options: dict[str, object], entered: list[int]) -> None:
    """A's 110 closes column 1; where B's 38 goes is up to the options (001, 003, 000)."""
    assert rounds(["A 100", "A 10", "B 40", "A 2"], options).entered() == [[], [1], [], entered]


def test_partners_can_play_one_column() -> None:
    """Source 000: ordinary gin rummy."""
    assert rounds(["A 50", "A 10", "A 3", "A 2"], {"columns": 1}).entered() == [[], [1], [], [1]]
