"""Three-handed play (named by sources 002 and 004; docs/rules.md) on the compiled kernels.

In leg 0 side A begins in seat 0, B in seat 1, and C waits.
"""

from __future__ import annotations

import pytest

from sim.presets import preset_rules
from sim.rows import NOBODY, TIE_OF_THREE, Ending
from sim.rules import RulesError
from tests.golden.hands import DEAD, KNOCKERS_KNOCK, A, B, C, knock, worth
from tests.support.stacked_deals import NEVER_KNOCKS, Played, play_deals, play_legs

THREE = preset_rules("three-handed")
TRIO = [KNOCKERS_KNOCK] * 3
SEATINGS = ["ABC", "ACB", "BAC", "BCA", "CAB", "CBA"]
"""Who begins in seat 0, in seat 1, and waiting, leg by leg (docs/rules.md)."""


def laid_out(events: list[str]) -> list[list[int]]:
    """Return deals that come to these events, ``C 10`` or ``void``, in leg 0: the loser makes room for who waits."""
    seats, waiting, streams = ["A", "B"], "C", []
    for event in events:
        if event == "void":
            streams.append(DEAD)
            continue
        seat = seats.index(event[0])
        streams.append(worth(seat, int(event[2:])))
        seats[1 - seat], waiting = waiting, seats[1 - seat]
    return streams


def played(events: list[str], options: dict[str, object] | None = None) -> Played:
    """Play the deals that come to these events in leg 0, and no more."""
    done = play_deals(laid_out(events), TRIO, THREE.with_options(options or {}))
    expected = [NOBODY if event == "void" else "ABC".index(event[0]) for event in events]
    assert done.deals["scorer"].tolist() == expected
    return done


def test_the_loser_goes_out_and_the_third_takes_his_seat() -> None:
    streams = [worth(seat, 20) for seat in (0, 1, 0, 1, 1)]
    rows = play_deals(streams, TRIO, THREE).deals
    # A-B: A. A-C: C takes B's seat 1 and wins. B-C: B takes A's seat 0 and wins. B-A: A in C's seat. C-A: A again.
    assert rows["scorer"].tolist() == rows["knocker"].tolist() == [A, C, B, A, A]


def test_who_knocked_and_was_undercut_is_the_loser() -> None:
    streams = [knock(0, 9, 4), worth(0, 20)]
    rows = play_deals(streams, TRIO, THREE).deals
    assert (rows["knocker"].tolist(), rows["scorer"].tolist()) == ([A, C], [B, C])
    assert rows["ending"].tolist() == [Ending.UNDERCUT, Ending.KNOCK]


@pytest.mark.parametrize(
    ("option", "dealers"),
    [
        ("winner", [A, C, B]),  # the winner stays and deals
        ("loser", [C, B, A]),  # whoever comes in for the loser deals
    ],
)
def test_who_deals_next(option: str, dealers: list[int]) -> None:
    """A, C and B score; C, B and A come in."""
    rows = played(["A 20", "C 20", "B 20", "A 20"], {"next_dealer": option}).deals
    assert rows["dealer"].tolist()[1:] == dealers


def test_alternating_dealers_change_seats() -> None:
    rows = played(["A 20", "C 20", "B 20", "A 20"], {"next_dealer": "alternate"}).deals
    by_seat = [(A, B), (A, C), (B, C), (B, A)]
    first = by_seat[0].index(rows["dealer"][0])
    assert rows["dealer"].tolist() == [by_seat[deal][(first + deal) % 2] for deal in range(4)]


@pytest.mark.parametrize("option", ["winner", "loser", "alternate"])
def test_after_a_dead_deal_the_same_two_play_again_and_the_same_deals(option: str) -> None:
    done = played(["void", "void", "B 20", "void", "B 20"], {"next_dealer": option})
    rows = done.deals
    assert rows["dealer"][0] == rows["dealer"][1] == rows["dealer"][2]
    assert rows["dealer"][3] == rows["dealer"][4]
    assert done.entered() == [[], [], [1], [], [1, 2]]
    assert rows["deal"].tolist() == list(range(5))


def test_who_waits_is_not_asked_and_plays_his_own_strategy_when_he_comes_in() -> None:
    scripts = [KNOCKERS_KNOCK, KNOCKERS_KNOCK, NEVER_KNOCKS]
    first = play_deals([worth(0, 20)], scripts, THREE)
    assert not first.questions(C)
    second = play_deals([worth(0, 20), worth(1, 20)], scripts, THREE)
    assert second.questions(C)
    assert second.deals["ending"].tolist() == [Ending.KNOCK, Ending.WALL]  # C could have knocked


def test_each_keeps_a_sheet_of_three_columns_filled_by_his_own_wins() -> None:
    """Source 000 for the staircase."""
    done = played(["A 10", "A 20", "B 5", "C 7", "C 8", "C 9", "A 1"])
    assert done.entered() == [[1], [1, 2], [1], [1], [1, 2], [1, 2, 3], [1, 2, 3]]
    assert [done.totals(side) for side in (A, B, C)] == [[31, 21, 1], [5, 0, 0], [24, 17, 9]]
    assert [done.boxes(side) for side in (A, B, C)] == [[3, 2, 1], [1, 0, 0], [3, 2, 1]]


def test_a_column_closes_for_all_when_one_reaches_the_target_in_it() -> None:
    done = played(["B 40", "B 70", "A 30", "C 20", "C 25"])
    assert done.entered() == [[1], [1, 2], [2], [2], [2, 3]]
    assert done.desk.sheet[0].winner.tolist() == [B, NOBODY, NOBODY]
    assert [done.totals(side) for side in (A, B, C)] == [[0, 30, 0], [110, 70, 0], [0, 45, 25]]


def test_closing_by_player_leaves_it_open_to_the_others() -> None:
    """Source 003 for the option."""
    done = played(["B 40", "B 70", "A 30", "C 20", "C 80", "C 5"], {"closing": "player"})
    assert done.entered() == [[1], [1, 2], [1], [1], [1, 2], [2, 3]]
    assert done.desk.sheet[0].winner.tolist() == [B, NOBODY, NOBODY]
    assert done.totals(C) == [100, 85, 5]


@pytest.mark.parametrize(
    ("events", "columns", "winner"),
    [
        (["A 100", "C 100", "B 100"], [A, C, B], TIE_OF_THREE),  # one column each
        (["A 100", "A 100", "B 100"], [A, A, B], A),
        (["B 60", "B 60", "A 10", "C 100", "C 100"], [B, C, C], C),
        (["B 50", "B 50", "B 100"], [B, B, B], B),
    ],
    ids=str,
)
def test_most_columns_win_the_match_and_one_each_is_a_tie(events: list[str], columns: list[int], winner: int) -> None:
    row = played(events).matches[0]
    assert row["column_winner"].tolist() == columns
    assert (row["match_winner"], row["deals_played"], row["settlement"]) == (winner, len(events), 0)


@pytest.mark.parametrize(
    ("events", "winner"),
    [
        (["A 40", "A 30", "A 20", "C 30", "C 40", "C 50"], C),  # C 120 + 90 + 50 to A's 90 + 50 + 20
        (["B 60", "B 30", "B 5", "C 100"], B),  # C closes column 1; B has 95 + 35 + 5
        (["B 60", "B 20", "A 100"], TIE_OF_THREE),  # 80 + 20 to 100
    ],
    ids=str,
)
def test_with_first_column_the_highest_total_over_all_columns_wins(events: list[str], winner: int) -> None:
    """Source 003 for the option; equal totals are a tie."""
    row = played(events, {"match_winner": "first_column"}).matches[0]
    assert (row["match_winner"], row["deals_played"]) == (winner, len(events))


def test_a_player_sees_his_columns_and_those_of_the_player_he_meets() -> None:
    views = played(["A 10", "A 20", "B 5", "C 7"]).desk.views  # the last deal: B meets C
    assert (views[B].my_points.tolist(), views[B].their_points.tolist()) == ([5, 0, 0], [0, 0, 0])
    assert (views[C].my_points.tolist(), views[C].their_points.tolist()) == ([0, 0, 0], [5, 0, 0])
    views = played(["A 10", "A 20", "B 5", "C 7", "C 8"]).desk.views  # C meets A
    assert views[C].their_points.tolist() == views[A].my_points.tolist() == [30, 20, 0]
    assert views[A].their_points.tolist() == views[C].my_points.tolist() == [7, 0, 0]


@pytest.mark.parametrize("seat", [0, 1])
def test_one_card_stream_is_played_in_all_six_seatings(seat: int) -> None:
    """The seat owns the cards: its first holder in each leg scores. Who waited did not play."""
    rules = THREE.with_options({"columns": 1, "target": 1})
    done = play_legs([worth(seat, 20)], TRIO, rules)
    winners = ["ABC".index(seating[seat]) for seating in SEATINGS]
    assert done.deals["scorer"].tolist() == done.matches["match_winner"].tolist() == winners
    assert done.deals["leg"].tolist() == done.matches["leg"].tolist() == list(range(6))
    at_table = [{"ABC".index(side) for side in seating[:2]} for seating in SEATINGS]
    assert all(dealer in sides for dealer, sides in zip(done.deals["dealer"].tolist(), at_table, strict=True))


@pytest.mark.parametrize("option", ["random", "cut"])
def test_chance_picks_the_same_first_dealing_seat_in_all_six(option: str) -> None:
    rules = THREE.with_options({"columns": 1, "target": 1, "first_dealer": option})
    first = play_legs([worth(0, 20)], TRIO, rules).matches["first_dealer"].tolist()
    seats = [seating.index("ABC"[side]) for seating, side in zip(SEATINGS, first, strict=True)]
    assert seats in ([0] * 6, [1] * 6)


def test_who_waits_comes_in_in_every_leg() -> None:
    """Two deals: seat 0 wins, then seat 1, which the waiting player has taken."""
    rules = THREE.with_options({"columns": 1, "target": 21})
    done = play_legs([worth(0, 20), worth(1, 21)], TRIO, rules)
    assert done.matches["match_winner"].tolist() == ["ABC".index(seating[2]) for seating in SEATINGS]


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("game_bonus", 100),
        ("box_bonus", 25),
        ("shutout_doubles", "yes"),
        ("third_column_doubled", "yes"),
        ("match_winner", "total"),
        ("first_dealer", "a"),
        ("first_dealer", "b"),
    ],
)
def test_options_that_make_no_sense_are_refused(option: str, value: object) -> None:
    """Nothing is settled, and who is named first dealer may be waiting."""
    with pytest.raises(RulesError, match=f'rule option "{option}" cannot be "{value}" in three-handed play: allowed'):
        preset_rules("three-handed", {option: value})
