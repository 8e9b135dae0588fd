"""Heuristic: the danger of a discard, and a knock threshold that moves with the score, in positions built by hand."""

from __future__ import annotations

import pytest

from sim.api import parse_hand
from strategies import heuristic
from tests.support.player_questions import (
    Player,
    assert_compiled_answers_are_the_plain_ones,
    at_discard,
    at_draw,
)

PLAYER = Player(heuristic)
LOOSE = "5C 6C KD QH JS 9D 8H 3S 2D AH"
FOUR_TENS = "5C 6C 7C TD QH JS KS 8H 3S 2D AC"
"""TD, QH, JS and KS leave least. With all else unseen their dangers are 7, 6, 6 and 4."""
GIN = "AC 2C 3C 4C 5D 6D 7D 8D TD TH TS"
"""AC, 4C, 5D and 8D leave nothing. With all else unseen their dangers are 3, 5, 5 and 4."""


def thrown(hand: str, player: Player = PLAYER, /, **cards: str) -> str:
    return player.throws(at_discard(hand, **{field: parse_hand(text) for field, text in cards.items()}))


# --- the draw


@pytest.mark.parametrize(
    ("upcard", "takes"),
    [("7C", True), ("AC", True), ("TC", False), ("JC", False)],
    ids=["completes a meld", "lower than a loose card", "ten for a ten", "jack for a ten"],
)
def test_takes_the_upcard_only_if_deadwood_falls(upcard: str, takes: bool) -> None:
    assert PLAYER.takes(at_draw(LOOSE, upcard)) == takes


# --- the discard


def test_throws_what_leaves_least_however_dangerous() -> None:
    kept_by_him = "8C 8D 8S TD JD"
    assert thrown("5C 6C 7C AD 9D 3S 2D AC 2H 4S 4H", taken=kept_by_him) == "9D"


def test_unseen_cards_it_could_meld_with_count_one_each() -> None:
    assert thrown(FOUR_TENS) == "KS"


@pytest.mark.parametrize("seen", ["TC TH TS 8D", "9D JD QD 8D"], ids=["its rank", "its suit within two ranks"])
def test_cards_in_the_pile_do_not_count(seen: str) -> None:
    # Four fewer leave 3 of the danger of TD.
    assert thrown(FOUR_TENS, pile=seen) == "TD"


def test_cards_of_its_suit_further_away_do_not_count() -> None:
    assert thrown(FOUR_TENS, pile="7D KD 6D 5D") == "KS"


def test_cards_the_opponent_holds_count_two_each() -> None:
    # KS has KC and KD at two, KH and QS at one: 6, as QH and JS have; the first of them goes.
    assert thrown(FOUR_TENS, taken="KC KD") == "QH"
    assert thrown(FOUR_TENS, taken="KC") == "KS"


@pytest.mark.parametrize("how", ["thrown", "declined"])
def test_cards_the_opponent_threw_or_declined_take_two_off(how: str) -> None:
    # TC no longer unseen and two off: TD has 4 as KS, and comes first.
    assert thrown(FOUR_TENS, **{how: "TC"}, pile="TC") == "TD"
    assert thrown(FOUR_TENS, pile="TC") == "KS"


def test_throws_the_safest_even_if_a_dearer_card_would_leave_as_little() -> None:
    assert thrown(GIN) == "AC"


def test_throws_the_dearer_of_equally_safe_cards() -> None:
    assert thrown(GIN, pile="8C") == "8D"


def test_throws_the_first_in_hand_order_of_equally_safe_and_dear_cards() -> None:
    # With three of its rank seen TD has 4, as KS has.
    assert thrown(FOUR_TENS, pile="TC TH TS") == "TD"


def test_without_safety_weight_throws_the_dearest() -> None:
    careless = Player(heuristic, safety_weight=0)
    assert thrown(FOUR_TENS, careless) == "TD"
    assert thrown(GIN, careless) == "8D"


# --- the knock


def knocks_up_to(player: Player = PLAYER, /, **fields: object) -> int:
    """Return the most deadwood it knocks with."""
    limit = int(str(fields.get("knock_limit", 10)))
    knocks = [player.knocks(at_discard(GIN, **{**fields, "deadwood": points})) for points in range(limit + 1)]
    assert sorted(knocks, reverse=True) == knocks
    return sum(knocks) - 1


def column(points: int) -> list[int]:
    return [points, 0, 0]


def test_knocks_at_the_threshold_when_the_score_is_even() -> None:
    assert knocks_up_to() == 4
    assert knocks_up_to(my_points=column(60), their_points=column(60)) == 4
    assert knocks_up_to(Player(heuristic, knock_threshold=7)) == 7


@pytest.mark.parametrize(
    ("mine", "theirs", "most"),
    [
        (10, 0, 8),  # 4 + 400 // 90
        (0, 5, 2),  # 4 - 200 / 95 towards zero
        (5, 0, 6),
        (0, 10, 0),
        (90, 85, 10),  # the nearer the target the more a lead counts
        (85, 90, 0),
    ],
)
def test_threshold_moves_with_the_lead_over_what_is_missing_to_the_target(mine: int, theirs: int, most: int) -> None:
    assert knocks_up_to(my_points=column(mine), their_points=column(theirs)) == most


def test_score_awareness_weighs_the_lead() -> None:
    ahead = {"my_points": column(10), "their_points": column(0)}
    assert knocks_up_to(Player(heuristic, score_awareness=0), **ahead) == 4
    assert knocks_up_to(Player(heuristic, score_awareness=20), **ahead) == 6


def test_target_of_the_rules_is_what_counts() -> None:
    assert knocks_up_to(my_points=column(10), target=250) == 5


def test_threshold_is_never_above_the_limit() -> None:
    assert knocks_up_to(my_points=column(60), knock_limit=6) == 6
    assert not PLAYER.knocks(at_discard(GIN, my_points=column(60), knock_limit=6, deadwood=7))


def test_gin_is_knocked_with_however_far_behind() -> None:
    assert knocks_up_to(their_points=column(99)) == 0


def test_score_is_that_of_the_first_column_open_to_both() -> None:
    points = {"my_points": [0, 10, 0], "their_points": [40, 0, 90]}
    assert knocks_up_to(**points, my_needs=[0, 0, 0], their_needs=[0, 0, 0]) == 0
    assert knocks_up_to(**points, my_needs=[-1, 0, 0], their_needs=[0, 0, 0]) == 8
    assert knocks_up_to(**points, my_needs=[0, 0, 0], their_needs=[-1, 0, 0]) == 8
    assert knocks_up_to(**points, my_needs=[-1, -1, 0], their_needs=[0, 0, 0]) == 0


def test_score_is_even_when_no_column_is_open_to_both() -> None:
    points = {"my_points": [50, 60, 70], "their_points": [10, 10, 10]}
    assert knocks_up_to(**points, my_needs=[-1, -1, -1], their_needs=[0, 0, 0]) == 4


def test_compiled_answers_equal_the_plain_ones() -> None:
    assert_compiled_answers_are_the_plain_ones(heuristic)
