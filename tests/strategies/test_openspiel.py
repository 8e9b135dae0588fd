"""OpenSpiel: what it takes, what it throws and when it knocks, in positions built by hand."""

from __future__ import annotations

import pytest

from sim.api import deadwood, parse_card
from strategies import openspiel
from tests.support.player_questions import (
    Player,
    assert_compiled_answers_are_the_plain_ones,
    at_discard,
    at_draw,
)

LOOSE = "5C 6C KD QH JS 9D 8H 3S 2D AH"
ONE_ABOVE = "5C 6C 7C 9D 9H 9S 2D 2S 4D KH"
PLAYER = Player(openspiel)


def thrown(hand: str, barred: str = "", /, **fields: object) -> str:
    return PLAYER.throws(at_discard(hand, barred, **fields))


# --- the draw


def test_takes_an_upcard_that_melds() -> None:
    assert PLAYER.takes(at_draw(LOOSE, "7C"))


def test_leaves_an_upcard_that_only_lowers_deadwood() -> None:
    assert not PLAYER.takes(at_draw(LOOSE, "AC"))


def test_leaves_an_upcard_whose_meld_is_not_in_the_best_spread() -> None:
    # 7C 7D 7H would break the run of clubs and leave more.
    assert not PLAYER.takes(at_draw("7C 8C 9C 7H KD QH TS 4D 3S AD", "7D"))


@pytest.mark.parametrize(("limit", "takes"), [(9, True), (8, False)])
def test_takes_an_unmelded_upcard_that_allows_a_knock(limit: int, takes: bool) -> None:
    # Without the king 2D 2S 4D AC are left: nine.
    assert PLAYER.takes(at_draw(ONE_ABOVE, "AC", knock_limit=limit)) == takes


def test_first_upcard_is_judged_like_any_other() -> None:
    for upcard in ("7C", "AC", "9S"):
        offered, later = (at_draw(LOOSE, upcard, offer=offer) for offer in (1, 0))
        assert PLAYER.takes(offered) == PLAYER.takes(later)


# --- the discard


def test_throws_a_king_before_cards_that_cost_as_much() -> None:
    assert thrown("5C 6C 7C TD JS QH KS 8H 3S 2D AC") == "KS"


def test_throws_the_first_of_a_rank_in_hand_order() -> None:
    assert thrown("5C 6C 7C TD KS KD QH 8H 3S 2D AC") == "KD"


def test_throws_from_the_best_spread_of_eleven_not_what_leaves_least() -> None:
    # Melded 6C 7C 8C 9C and the eights, 7D is the highest loose card and leaves 14; throwing 9C leaves 13.
    assert thrown("6C 7C 8C 9C 5D 7D 8D 2H 7H 8H 8S") == "7D"


def test_throws_a_card_that_keeps_gin_when_all_are_melded() -> None:
    view = at_discard("AC 2C 3C 4C 5D 5H 5S 9H TH JH QH", knocking=1)
    card = parse_card(PLAYER.throws(view))
    assert deadwood(int(view.hand) & ~(1 << card)) == 0


def test_throws_the_next_highest_when_the_highest_was_just_taken() -> None:
    assert thrown("5C 6C 7C TD JS QH KS 8H 3S 2D AC", "KS") == "QH"


def test_breaks_a_meld_at_least_cost_when_its_only_loose_card_was_just_taken() -> None:
    # The ends of the run of four clubs cost nothing.
    assert thrown("AC 2C 3C 4C 5D 5H 5S 9H TH JH KS", "KS") == "AC"


# --- the knock


def test_knocks_whenever_it_may() -> None:
    assert PLAYER.knocks(at_discard(f"{ONE_ABOVE} AC"))


def test_knocks_with_its_highest_loose_card() -> None:
    assert thrown(f"{ONE_ABOVE} AC", knocking=1) == "KH"


def test_knocks_with_a_best_discard_when_no_loose_card_allows_it() -> None:
    hand = "2C AD 3D 4D 5D AH 2H 4H AS 3S 4S"
    assert thrown(hand) == "4H"  # leaves 11
    assert thrown(hand, knocking=1) == "5D"  # leaves 10


def test_compiled_answers_equal_the_plain_ones() -> None:
    assert_compiled_answers_are_the_plain_ones(openspiel)
