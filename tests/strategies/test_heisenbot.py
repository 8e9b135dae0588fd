"""Heisenbot: what it collects, what it throws first and its tree of knocks, in positions built by hand."""

from __future__ import annotations

import numpy as np
import pytest

from sim.api import FULL_DECK, bit, parse_card, parse_hand
from strategies import heisenbot
from tests.support.player_questions import (
    Player,
    assert_compiled_answers_are_the_plain_ones,
    at_discard,
    at_draw,
)

PLAYER = Player(heisenbot)


def turn_of(own: int, *, dealer: bool = False) -> int:
    """Return the turn of the deal in which a player has his own turn of that number."""
    return 2 * own - 1 + dealer


# --- the draw

LOOSE = "9S TD KC QH 7S 5C 3S 4H 5D 8H"
LATE = turn_of(9)


@pytest.mark.parametrize("upcard", ["5H", "9H"])
def test_takes_what_completes_a_meld(upcard: str) -> None:
    assert PLAYER.takes(at_draw("9S TD KC QH 7H 5C 3S 4H 5D 8H", upcard, turn=LATE))


def test_takes_what_extends_a_meld() -> None:
    assert PLAYER.takes(at_draw("5C 5D 5H KC QH 7S 9S JD 3S 8H", "5S", turn=LATE))
    assert PLAYER.takes(at_draw("6C 7C 8C KC QH 7S 9S JD 3S 8H", "9C", turn=LATE))


@pytest.mark.parametrize(("upcard", "takes"), [("AC", True), ("2C", True), ("3C", False)])
def test_takes_aces_and_twos(upcard: str, takes: bool) -> None:
    assert PLAYER.takes(at_draw(LOOSE, upcard, turn=LATE)) == takes


@pytest.mark.parametrize(
    ("hand", "upcard"),
    [
        ("9S TD KC QH 7S 5C 3S 4H 2D 8H", "9D"),  # 9D with 9S and TD
        ("TC TD KC QH 7S 5C 3S 4H 2D 8H", "9D"),  # TD with TC and 9D
        ("9D TD KC QH 7S 5C 3S 4H 2D 8H", "9S"),  # 9D with 9S and TD
    ],
    ids=["as its corner", "as its neighbour", "as its pair"],
)
def test_takes_part_of_a_triangle_before_turn_five(hand: str, upcard: str) -> None:
    for dealer in (False, True):
        assert PLAYER.takes(at_draw(hand, upcard, turn=turn_of(4, dealer=dealer)))
        assert not PLAYER.takes(at_draw(hand, upcard, turn=turn_of(5, dealer=dealer)))


@pytest.mark.parametrize("upcard", ["9D", "TC"], ids=["a pair", "a neighbour"])
def test_leaves_what_makes_no_more_than_a_double(upcard: str) -> None:
    assert not PLAYER.takes(at_draw("9S 9H KC QD 7S 5C 3S JC 2D 4H", "TD", turn=1))
    assert not PLAYER.takes(at_draw("9S KC QH 7S 5C 3S 4H 2D JC 6H", upcard, turn=1))


def test_melded_cards_form_no_triangle() -> None:
    # TD would be TS's pair; but its neighbour 9S is melded with the nines.
    assert not PLAYER.takes(at_draw("9C 9H 9S TD KC QH 7S 5C 3S 4H", "TS", turn=1))
    assert PLAYER.takes(at_draw("9C AH 9S TD KC QH 7S 5C 3S 4H", "TS", turn=1))


@pytest.mark.parametrize("upcard", ["AC", "5H"], ids=["a low card", "a meld"])
def test_never_takes_back_a_card_it_has_thrown(upcard: str) -> None:
    view = at_draw(LOOSE, upcard)
    assert PLAYER.takes(view)
    view.memory[0] = bit(parse_card(upcard))
    assert not PLAYER.takes(view)


def test_remembers_all_it_throws() -> None:
    for knocking in (0, 1):
        view = at_discard(CLASSES, memory=[1, 0, 0, 0, 0, 0, 0, 0], knocking=knocking)
        card = PLAYER.throws(view)
        assert view.memory.tolist() == [1 | 1 << parse_card(card), 0, 0, 0, 0, 0, 0, 0]


# --- the discard

CLASSES = "5C 6C 7C 9D 9S TD KC KH 2D 4S JH"
"""A run, the triangle 9D 9S TD, the double KC KH, and three cards of no use: 2D, 4S, JH."""
NO_DEADWOOD = "5C 6C 7C 8C 9D 9S TD KC KH 2D 2S"
ONLY_A_TRIANGLE = "5C 6C 7C 8C 3C 3D 3H 3S 9D 9S TD"


def thrown(hand: str, barred: str = "", /, own_turn: int = 5, **cards: str) -> str:
    fields = {field: parse_hand(text) for field, text in cards.items()}
    return PLAYER.throws(at_discard(hand, barred, turn=turn_of(own_turn), **fields))


def test_throws_deadwood_before_doubles_and_the_highest_of_the_safest() -> None:
    # 2D and JH are in five melds each, 4S in six.
    assert thrown(CLASSES) == "JH"


def test_throws_the_card_in_fewest_possible_melds() -> None:
    assert thrown(CLASSES, pile="2C 2H") == "2D"
    assert thrown(CLASSES, pile="4C 4D 4H 3S 5S") == "4S"


def test_cards_the_opponent_is_known_to_hold_make_no_discard_safer() -> None:
    assert thrown(CLASSES, taken="2C 2H") == "JH"


@pytest.mark.parametrize("dealer", [False, True])
def test_doubles_count_as_deadwood_from_turn_eight(dealer: bool) -> None:
    def throws(own: int) -> str:
        return PLAYER.throws(at_discard(CLASSES, turn=turn_of(own, dealer=dealer)))

    # KH is in one meld only: the other kings; JH stands in the way of its run.
    assert [throws(own) for own in (7, 8, 14)] == ["JH", "KH", "KH"]


def test_throws_doubles_before_triangles() -> None:
    # The kings are in two melds each, the twos in three.
    assert thrown(NO_DEADWOOD) == "KC"
    assert thrown(NO_DEADWOOD, own_turn=9) == "KC"
    # 9D is then in no meld that is still free, and stays all the same.
    assert thrown(NO_DEADWOOD, pile="9C 7D") == "KC"


def test_suited_neighbours_are_a_double_as_a_pair_is() -> None:
    # KH, in no meld that is still free, is the safest, and a double until turn eight.
    assert thrown("5C 6C 7C 9D 9S TD QH KH 2D 4S 7H", own_turn=7, pile="KC KD") == "7H"
    assert thrown("5C 6C 7C 9D 9S TD QH KH 2D 4S 7H", own_turn=8, pile="KC KD") == "KH"


def test_king_and_ace_are_no_neighbours() -> None:
    kings_and_aces = "5C 6C 7C 9D 9S TD KC AD 4S 4H 2H"
    assert thrown(kings_and_aces) == "KC"
    assert thrown(kings_and_aces, pile="AC AH") == "AD"


def test_breaks_a_triangle_when_nothing_else_is_loose() -> None:
    # 9D is in two melds, 9S and TD in four.
    assert thrown(ONLY_A_TRIANGLE) == "9D"


def test_throws_another_card_when_the_first_was_just_taken() -> None:
    assert thrown(CLASSES, "JH") == "2D"
    assert thrown(NO_DEADWOOD, "KC") == "KH"


def test_breaks_a_meld_when_its_only_loose_card_was_just_taken() -> None:
    # The ends of the run of four clubs cost nothing; 4C is the dearer.
    assert thrown("AC 2C 3C 4C 5D 5H 5S 9H TH JH KS", "KS") == "4C"


def test_knocks_with_the_dearest_of_the_best_discards() -> None:
    view = at_discard("AS 2S 3S 4S JD JH JS 2H 2D 3H KC", knocking=1)
    assert PLAYER.throws(view) == "KC"
    # 6S 7S are a double and stay in play; but a knock without 7S is the lowest.
    assert thrown("AC 2C 3C 4C 9D 9H 9S 6S 7S 2H AD") == "AD"
    assert PLAYER.throws(at_discard("AC 2C 3C 4C 9D 9H 9S 6S 7S 2H AD", knocking=1)) == "7S"


@pytest.mark.parametrize(
    ("card", "melds"), [("KS", 4), ("AC", 4), ("QH", 5), ("2D", 5), ("JS", 6), ("3C", 6), ("7H", 6)]
)
def test_counts_three_sets_and_up_to_three_runs(card: str, melds: int) -> None:
    index = parse_card(card)
    assert heisenbot._melds_with(index, np.uint64(FULL_DECK & ~(1 << index))) == melds


@pytest.mark.parametrize(
    ("free", "melds"),
    [("7C 7D", 1), ("7C 7D 7S", 3), ("5H 6H", 1), ("6H 8H", 1), ("8H 9H", 1), ("6H 8H 9H", 2), ("5H 9H 7C 6C 8D", 0)],
)
def test_counts_only_melds_of_free_cards(free: str, melds: int) -> None:
    assert heisenbot._melds_with(parse_card("7H"), np.uint64(parse_hand(free))) == melds


# --- the knock

TWO_LOOSE = "AS 2S 3S 4S JC JD JH JS 3H 4D KC"
THREE_LOOSE = "AS 2S 3S 4S JD JH JS 2H 2D 3H KC"
"""Both knock with seven."""
FIVE = "AS 2S 3S 4S JC JD JH JS 2H 3D KC"
GIN = "AC 2C 3C 4C 5D 6D 7D 8D TD TH TS"


def knocks(hand: str, own_turn: int = 8, mine: int = 0, theirs: int = 0, *, dealer: bool = False) -> bool:
    turn = turn_of(own_turn, dealer=dealer)
    return PLAYER.knocks(at_discard(hand, turn=turn, my_points=[mine, 0, 0], their_points=[theirs, 0, 0]))


@pytest.mark.parametrize(("mine", "theirs"), [(0, 0), (95, 0), (0, 95)])
def test_knocks_with_gin_at_any_score(mine: int, theirs: int) -> None:
    assert knocks(GIN, 8, mine, theirs)


@pytest.mark.parametrize("hand", [FIVE, THREE_LOOSE])
@pytest.mark.parametrize("own_turn", [1, 8, 14])
def test_never_knocks_short_of_gin_with_the_score_thirty_apart(hand: str, own_turn: int) -> None:
    assert knocks(hand, own_turn, 29, 0)
    assert knocks(hand, own_turn, 0, 29)
    assert not knocks(hand, own_turn, 30, 0)
    assert not knocks(hand, own_turn, 40, 70)


@pytest.mark.parametrize("dealer", [False, True])
def test_knocks_before_turn_four_and_after_turn_thirteen(dealer: bool) -> None:
    assert [own for own in range(1, 20) if knocks(TWO_LOOSE, own, dealer=dealer)] == [1, 2, 3, *range(14, 20)]


def test_knocks_with_five_or_less_however_few_the_cards() -> None:
    assert knocks(FIVE)


def test_above_five_knocks_only_with_three_loose_cards() -> None:
    assert not knocks(TWO_LOOSE)
    assert knocks(THREE_LOOSE)


def test_score_is_that_of_the_first_column_open_to_both() -> None:
    view = at_discard(FIVE, my_points=[50, 0, 0], my_needs=[0, 0, 0], their_needs=[0, 0, 0])
    assert not PLAYER.knocks(view)
    view.their_needs[0] = -1
    assert PLAYER.knocks(view)


def test_compiled_answers_equal_the_plain_ones() -> None:
    assert_compiled_answers_are_the_plain_ones(heisenbot)
