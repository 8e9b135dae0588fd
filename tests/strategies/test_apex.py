"""Apex: what it takes, the worth of its discards, its list of reasons to knock and the hands it samples."""

from __future__ import annotations

import numpy as np
import pytest

from sim.api import FULL_DECK, bit, deadwood, format_card, parse_card, parse_hand
from strategies import apex
from tests.support.player_questions import (
    Player,
    assert_compiled_answers_are_the_plain_ones,
    at_discard,
    at_draw,
)

PLAYER = Player(apex)


def turn_of(own: int, *, dealer: bool = False) -> int:
    """Return the turn of the deal in which a player has his own turn of that number."""
    return 2 * own - 1 + dealer


LATE = turn_of(11)

# --- the draw

SIX_LEFT = "9C 9D 9H JH QH KH 3S 5C 6S 4H"
"""Loose are 3S 4H 5C 6S: what costs nothing is worth six or less."""
ONE_LOOSE = "9C 9D 9H JH QH KH 5S 6S 7S {}"


@pytest.mark.parametrize("upcard", ["9S", "TH", "7S"], ids=["a set", "a run", "a new run"])
def test_takes_what_joins_a_meld_at_any_turn(upcard: str) -> None:
    assert PLAYER.takes(at_draw("9C 9D 9H JH QH KH 5S 6S AD 2D", upcard, turn=LATE))


@pytest.mark.parametrize(("upcard", "takes"), [("AC", True), ("2D", True), ("3D", False)])
def test_takes_aces_and_twos(upcard: str, takes: bool) -> None:
    assert PLAYER.takes(at_draw(ONE_LOOSE.format("2C"), upcard, turn=LATE)) == takes


@pytest.mark.parametrize(("loose", "takes"), [("TC", True), ("8C", False)])
def test_takes_what_lowers_deadwood_by_four(loose: str, takes: bool) -> None:
    # The six for a ten or for an eight.
    assert PLAYER.takes(at_draw(ONE_LOOSE.format(loose), "6D", turn=LATE)) == takes


@pytest.mark.parametrize(
    ("loose", "upcard"),
    [("8S 7D 6H", "7S"), ("7D 6D 8H", "7S"), ("8S 8D 6H", "7S")],
    ids=["as its corner", "as its pair", "as its neighbour"],
)
def test_takes_what_makes_a_triangle_before_turn_six(loose: str, upcard: str) -> None:
    hand = f"9C 9D 9H JH QH KH {loose} 4C"
    assert deadwood(parse_hand(hand)) == sum(int(card[0]) for card in loose.split()) + 4
    for dealer in (False, True):
        assert PLAYER.takes(at_draw(hand, upcard, turn=turn_of(5, dealer=dealer)))
        assert not PLAYER.takes(at_draw(hand, upcard, turn=turn_of(6, dealer=dealer)))


def test_takes_no_triangle_that_costs_deadwood() -> None:
    assert not PLAYER.takes(at_draw("9C 9D 9H JH QH KH 6S 6D 4C AC", "7S", turn=1))
    assert PLAYER.takes(at_draw("9C 9D 9H JH QH KH 6S 6D 7C AC", "7S", turn=1))


def test_pair_alone_is_no_triangle() -> None:
    assert not PLAYER.takes(at_draw("9C 9D 9H JH QH KH 7D 4C 2C AD", "7S", turn=1))


@pytest.mark.parametrize("upcard", ["3D", "3H"], ids=["a pair", "a pair and a neighbour"])
def test_takes_a_low_partial_meld_before_turn_ten(upcard: str) -> None:
    for dealer in (False, True):
        assert PLAYER.takes(at_draw(SIX_LEFT, upcard, turn=turn_of(9, dealer=dealer)))
        assert not PLAYER.takes(at_draw(SIX_LEFT, upcard, turn=turn_of(10, dealer=dealer)))


def test_leaves_a_partial_meld_that_is_not_low_or_costs_deadwood_and_a_low_card_that_makes_none() -> None:
    assert not PLAYER.takes(at_draw(SIX_LEFT, "4D", turn=turn_of(9)))
    assert not PLAYER.takes(at_draw(ONE_LOOSE.format("2D"), "3D", turn=turn_of(9)))
    assert not PLAYER.takes(at_draw("9C 9D 9H JH QH KH 5S 5C 6S 4H", "3D", turn=turn_of(9)))


@pytest.mark.parametrize(
    ("known", "loose", "takes"),
    [("8D 9S", "5D", False), ("8C 6C", "5D", True), ("8C 7D", "5D", True), ("8C", "5D", False), ("8C 6C", "4D", False)],
)
def test_takes_what_two_known_cards_of_the_opponent_adjoin_at_a_cost_of_two(
    known: str, loose: str, takes: bool
) -> None:
    view = at_draw(ONE_LOOSE.format(loose), "7C", turn=LATE, taken=parse_hand(known))
    assert PLAYER.takes(view) == takes


def test_takes_back_what_it_has_thrown_only_to_lower_its_deadwood() -> None:
    for loose, takes in (("AD", False), ("2D", True)):
        view = at_draw(ONE_LOOSE.format(loose), "AC")
        assert PLAYER.takes(view)
        view.memory[apex.THROWN] = bit(parse_card("AC"))
        assert PLAYER.takes(view) == takes


# --- the discard


@pytest.mark.parametrize(
    ("others", "near"),
    [("", 0), ("7D", 2), ("7D 7C", 4), ("6H", 2), ("6H 8H", 5), ("5H", 1), ("5H 9H", 1), ("6D 8C", 0)],
)
def test_nearness_to_a_meld(others: str, near: int) -> None:
    assert apex._near(np.uint64(parse_hand(f"7H {others}")), parse_card("7H")) == near


def test_nearness_adds_up_over_rank_and_suit() -> None:
    assert apex._near(np.uint64(parse_hand("7H 7D 7C 7S 6H 8H 9H")), parse_card("7H")) == 4 + 5 + 1


def test_king_is_not_near_an_ace() -> None:
    assert apex._near(np.uint64(parse_hand("KH AH AS")), parse_card("KH")) == 0


@pytest.mark.parametrize(
    ("free", "melds"),
    [("7C 7D", 1), ("7C 7D 7S", 3), ("5H 6H", 1), ("6H 8H", 1), ("8H 9H", 1), ("5H 6H 8H 9H", 3), ("5H 9H 7C 6C", 0)],
)
def test_safety_counts_melds_of_three_the_opponent_may_hold(free: str, melds: int) -> None:
    assert apex._dangers(np.uint64(parse_hand(free)), parse_card("7H")) == melds


@pytest.mark.parametrize(("card", "melds"), [("KH", 4), ("AH", 4), ("QH", 5), ("2H", 5), ("3H", 6)])
def test_safety_of_cards_at_the_end_of_a_suit(card: str, melds: int) -> None:
    others = np.uint64(FULL_DECK & ~parse_hand(card))
    assert apex._dangers(others, parse_card(card)) == melds


def worths(hand: str, cards: str, **fields: object) -> list[tuple[str, int]]:
    """Return the three cards it thinks least useful, and their scores."""
    view = at_discard(hand, **fields)
    entries = apex._three_least_useful(view, np.uint64(parse_hand(cards)))
    return [(format_card(entry % 64), entry // 64 - apex.SCORE_ABOVE_ALL) for entry in entries if entry]


HAND = "KC KD 9S 8S 7H 5D 3C AH JS JH QC"
ALL_GONE = FULL_DECK & ~parse_hand(HAND)
"""The pile that leaves the opponent no meld: safety 0."""


def test_score_is_pips_less_nearness() -> None:
    # KC: a pair and a neighbour; KD a pair; JS a pair.
    assert worths(HAND, "KC KD 7H", pile=ALL_GONE) == [("KD", 940), ("KC", 880), ("7H", 700)]


def test_nearness_counts_half_from_turn_eight() -> None:
    for dealer in (False, True):
        early, late = (turn_of(own, dealer=dealer) for own in (7, 8))
        assert worths(HAND, "KC KD", pile=ALL_GONE, turn=early) == [("KD", 940), ("KC", 880)]
        assert worths(HAND, "KC KD", pile=ALL_GONE, turn=late) == [("KD", 970), ("KC", 940)]


def test_score_falls_with_every_meld_the_opponent_may_hold() -> None:
    # 7C 7D and 5H 6H may be his.
    free = parse_hand("7C 7D 5H 6H")
    assert worths(HAND, "7H", pile=ALL_GONE & ~free) == [("7H", 700 - 2 * 15)]


def test_declined_card_is_thrown_sooner() -> None:
    assert worths(HAND, "KC", pile=ALL_GONE, declined=parse_hand("KC")) == [("KC", 900)]


def test_throws_of_the_three_the_one_that_leaves_least_deadwood() -> None:
    # Kings and queens, each in a pair and with a neighbour, are worth 880, the nine 900.
    hand = "KC KD QC QD 9S 7H 6S 5D 3C 2S AH"
    gone = FULL_DECK & ~parse_hand(hand)
    assert worths(hand, hand, pile=gone) == [("9S", 900), ("KD", 880), ("QD", 880)]
    assert PLAYER.throws(at_discard(hand, pile=gone)) == "KD"


def test_throws_no_melded_card_and_not_the_upcard_just_taken() -> None:
    hand = "KC KD KH QS QC QD 9S 7H 5D 3C AH"
    assert PLAYER.throws(at_discard(hand)) == "9S"
    assert PLAYER.throws(at_discard(hand, "9S")) == "7H"


def test_with_only_the_upcard_loose_it_breaks_a_meld() -> None:
    assert PLAYER.throws(at_discard("7C 7D 7H AS 2S 3S 4S 9C 9D 9H KC", "KC")) == "4S"


def test_with_a_knock_throws_the_dearest_that_leaves_least_deadwood() -> None:
    # The king of spades, without a neighbour, would go otherwise.
    hand = "7C 7D 7H AS 2S 3S 9H QC KC KS 4D"
    assert PLAYER.throws(at_discard(hand)) == "KS"
    assert PLAYER.throws(at_discard(hand, knocking=1)) == "QC"


def test_remembers_all_it_throws() -> None:
    view = at_discard(HAND)
    thrown = {PLAYER.throws(view)}
    view.hand = parse_hand("KC KD 9S 8S 7H 5D 3C AH 2C 4H 6D")
    thrown.add(PLAYER.throws(view))
    assert int(view.memory[apex.THROWN]) == sum(1 << parse_card(card) for card in thrown)


# --- the knock

TWO_LOOSE = "AS 2S 3S 4S JC JD JH JS 3H 4D KC"
THREE_LOOSE = "AS 2S 3S 4S JD JH JS 2H 2D 3H KC"
"""Both knock with seven."""
FIVE = "AS 2S 3S 4S JC JD JH JS 2H 3D KC"
FIVE_OF_THREE = "AS 2S 3S 4S JD JH JS AH 2D 2H KC"
"""Both knock with five, of two loose cards and of three."""
GIN = "AC 2C 3C 4C 5D 6D 7D 8D TD TH TS"
MELDED = "5C 6C 7C 9C 9D 9H QC QD QH"


def knocks(hand: str, own_turn: int = 8, lead: int = 0, *, dealer: bool = False, **fields: object) -> bool:
    """Tell whether it knocks, `lead` points ahead in the first column."""
    score = {"my_points": [50 + lead, 0, 0], "their_points": [50, 0, 0]}
    return PLAYER.knocks(at_discard(hand, turn=turn_of(own_turn, dealer=dealer), **score, **fields))


@pytest.mark.parametrize("lead", [-50, -22, 0, 22, 49])
def test_knocks_with_gin_at_any_score(lead: int) -> None:
    assert knocks(GIN, 8, lead)


def test_knocks_with_eight_cards_in_stock() -> None:
    assert knocks(TWO_LOOSE, 8, 50, stock_cards=8)
    assert not knocks(TWO_LOOSE, 8, 50, stock_cards=9)


@pytest.mark.parametrize("lead", [-22, 22])
def test_waits_with_two_loose_cards_and_the_score_far_apart_before_turn_twelve(lead: int) -> None:
    assert [own for own in range(1, 16) if knocks(FIVE, own, lead)] == [12, 13, 14, 15]
    assert all(knocks(FIVE, own, lead // 22 * 21) for own in range(1, 16))
    assert all(knocks(FIVE_OF_THREE, own, lead) for own in range(1, 16))


def test_knocks_with_five_or_less() -> None:
    assert knocks(FIVE)
    assert not knocks(TWO_LOOSE)


@pytest.mark.parametrize("dealer", [False, True])
def test_knocks_up_to_turn_three_and_from_turn_thirteen_on(dealer: bool) -> None:
    assert [own for own in range(1, 20) if knocks(TWO_LOOSE, own, dealer=dealer)] == [1, 2, 3, *range(13, 20)]


def test_waits_with_two_loose_cards_even_when_behind() -> None:
    assert not knocks(TWO_LOOSE, 8, -10, taken=parse_hand("KH KD QS QC 9S 9H 7D 6H 5C 8C"))


@pytest.mark.parametrize(
    ("last", "does"),
    [("8S", True), ("7S", False), ("5S", False)],
    ids=["one point more than its own", "as many: an undercut", "laid off: an undercut"],
)
def test_otherwise_knocks_if_the_sampled_hands_bring_more_than_minus_three(last: str, does: bool) -> None:
    # All ten cards of the opponent are known, so that every sample is the same hand.
    assert knocks(THREE_LOOSE, taken=parse_hand(f"{MELDED} {last}"), undercut_bonus=10) == does


def test_knocks_when_behind_whatever_the_samples_say() -> None:
    taken = parse_hand(f"{MELDED} 7S")
    asked = [knocks(THREE_LOOSE, lead=lead, taken=taken, undercut_bonus=10) for lead in (-1, 0, 1)]
    assert asked == [True, False, False]


# --- the samples


@pytest.mark.parametrize(
    ("last", "bonus", "points"),
    [("8S", 25, 1), ("KS", 25, 3), ("7S", 25, -25), ("7S", 10, -10), ("5S", 25, -32)],
)
def test_a_sample_counts_what_the_deal_would_score(last: str, bonus: int, points: int) -> None:
    ten = np.uint64(parse_hand("AS 2S 3S 4S JD JH JS 2H 2D 3H"))
    view = at_discard(THREE_LOOSE, taken=parse_hand(f"{MELDED} {last}"), undercut_bonus=bonus)
    assert apex._sampled_points(view, ten, 25) == points


def test_mean_of_samples_is_that_of_hands_dealt_from_the_unseen_cards() -> None:
    # Of two unseen cards he holds one: KH, ten points more than seven, or 7S, an undercut.
    mine, known, unseen = (parse_hand(text) for text in (THREE_LOOSE, MELDED, "KH 7S"))
    view = at_discard(THREE_LOOSE, taken=known, pile=FULL_DECK & ~(mine | known | unseen), undercut_bonus=25)
    ten, means = np.uint64(mine & ~parse_hand("KC")), []
    for noise in range(1, 200):
        view.noise = noise * 0x9E3779B97F4A7C15 % 2**64
        means.append(apex._sampled_points(view, ten, 25))
    assert np.mean(means) == pytest.approx((3 - 25) / 2, abs=1)
    assert apex._sampled_points(view, ten, 25) == means[-1]


def test_compiled_answers_equal_the_plain_ones() -> None:
    assert_compiled_answers_are_the_plain_ones(apex)
