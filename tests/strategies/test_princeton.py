"""Princeton: what a card may still meld, against deadwood, in positions built by hand and by a naive count of W."""

from __future__ import annotations

from itertools import combinations
from math import sqrt
from typing import Any

import numpy as np
import pytest

from sim.api import bit, deadwood, format_card, parse_card, parse_hand
from strategies import princeton, simple
from tests.support.player_questions import (
    Player,
    assert_compiled_answers_are_the_plain_ones,
    at_discard,
    at_draw,
)
from tests.support.strategy_positions import positions

PLAYER, ALL_HOPE, NO_HOPE = Player(princeton), Player(princeton, alpha=1), Player(princeton, alpha=0)
NOISES = [0, *(place << 60 for place in range(1, 16))]
"""Sixteen random words that between them pick each of up to sixteen cards."""


def all_thrown(player: Player, view: Any) -> set[str]:
    """Return every card that a player may throw in a position, by chance."""
    thrown = set()
    for noise in NOISES:
        view.noise = noise
        thrown.add(player.throws(view))
    return thrown


# --- the draw


@pytest.mark.parametrize(
    ("upcard", "takes"),
    [("5H", True), ("9H", True), ("4C", False), ("AC", False)],
    ids=["a run", "a set", "a pair", "a low card"],
)
def test_draws_as_simple_does(upcard: str, takes: bool) -> None:
    view = at_draw("9S 9D KC QH 7H 5C 3H 4H 6D 8S", upcard)
    assert PLAYER.takes(view) == Player(simple).takes(view) == takes


JACKS = "JC JD JS 2H 3H 4H 6D 6S 6C 9C"
"""The ten of clubs would make a run with a jack, but leave ten points instead of nine."""


def test_takes_what_melds_even_if_deadwood_rises() -> None:
    assert PLAYER.takes(at_draw(JACKS, "TC"))


@pytest.mark.parametrize(("upcard", "takes"), [("TC", False), ("JH", True)])
def test_takes_back_what_it_has_thrown_only_to_lower_its_deadwood(upcard: str, takes: bool) -> None:
    view = at_draw(JACKS, upcard)
    view.memory[princeton.THROWN] = bit(parse_card(upcard))
    assert PLAYER.takes(view) == takes


def test_remembers_all_it_throws() -> None:
    view = at_discard(LOOSE)
    assert PLAYER.throws(view) == "QC"
    view.hand = parse_hand("KS KH JC 9D 8S 6C 5H 4D 3C 2H AS")
    assert PLAYER.throws(view) == "JC"
    assert int(view.memory[princeton.THROWN]) == parse_hand("JC QC")


# --- W

LOOSE = "KS KH QC 9D 8S 6C 5H 4D 3C 2H AS"
"""Eleven loose cards. Beside the kings KC and KD complete something, beside the queen nothing does."""


def naive_hope(view: Any, card: int) -> float:
    """Count W of a card as it is described: over its partners, over the third cards that are not gone."""
    hand, pile, taken = int(view.hand), int(view.pile), int(view.taken)
    unseen = [c for c in range(52) if not (hand | pile | taken) >> c & 1]
    chance = (10 - taken.bit_count()) / len(unseen)
    own = [c for c in range(52) if hand >> c & 1]
    others = [c for c in own if c != card]
    ways = sum(_is_meld(card, partner, third) for partner in others for third in unseen)
    melded = any(_is_meld(card, *pair) for pair in combinations(others, 2))
    return ways * (1 - chance**4) + 2 * melded


def _is_meld(*cards: int) -> bool:
    ranks, suits = sorted(c % 13 for c in cards), {c // 13 for c in cards}
    return len(set(ranks)) == 1 or (len(suits) == 1 and ranks[2] - ranks[0] == 2 and ranks[1] - ranks[0] == 1)


def scores(view: Any, alpha: float, scale: float) -> dict[str, float]:
    """Return the score of every card that may be thrown."""
    found = {}
    for card in range(52):
        if int(view.hand) >> card & 1 and card != view.barred:
            left = deadwood(int(view.hand) & ~(1 << card))
            found[format_card(card)] = alpha * scale * naive_hope(view, card) + (1 - alpha) * left
    return found


@pytest.mark.parametrize(("alpha", "scale"), [(0.16, 1), (1, 1), (0, 1), (0.4, 4)])
def test_throws_the_card_of_least_alpha_w_and_deadwood(alpha: float, scale: float) -> None:
    player = Player(princeton, alpha=alpha, scale=scale)
    asked = [view for decision, view in positions(150) if decision == "choose_discard" and not view.knocking]
    for view in asked:
        expected = scores(view, alpha, scale)
        assert expected[player.throws(view)] == pytest.approx(min(expected.values()))
    assert len(asked) == 150


@pytest.mark.parametrize(
    ("card", "ways"),
    [("5C", 4), ("6C", 3), ("5D", 2), ("8C", 1), ("QS", 1), ("KS", 1), ("AH", 0)],
)
def test_counts_the_third_cards_of_every_partner(card: str, ways: int) -> None:
    # 5C: 4C and 7C with 6C, 5H and 5S with 5D; 6C: the runs again, and 7C with 8C; Q and K: JS alone.
    hand, unseen = (np.uint64(parse_hand(text)) for text in ("5C 6C 5D 8C QS KS AH", "4C 7C 5H 5S JS"))
    assert princeton._third_cards(hand, unseen, parse_card(card)) == ways


def test_prefers_to_keep_a_pair_that_may_become_a_set() -> None:
    assert all_thrown(PLAYER, at_discard(LOOSE)) == {"QC"}


def test_equal_scores_are_settled_by_chance() -> None:
    assert all_thrown(NO_HOPE, at_discard(LOOSE)) == {"KS", "KH", "QC"}


def test_third_cards_in_the_pile_or_with_the_opponent_count_nothing() -> None:
    gone = parse_hand("KC KD")
    assert all_thrown(PLAYER, at_discard(LOOSE, pile=gone)) == {"KS", "KH", "QC"}
    assert all_thrown(PLAYER, at_discard(LOOSE, taken=gone)) == {"KS", "KH", "QC"}
    assert all_thrown(PLAYER, at_discard(LOOSE, pile=parse_hand("KC"))) == {"QC"}


def test_unseen_card_counts_less_the_more_likely_the_opponent_holds_it() -> None:
    # 40 unseen cards, ten of them his; then the pile has grown to 21 and he has shown two: eight of 18.
    assert princeton._to_be_had(at_discard(LOOSE, pile=parse_hand("KC"))) == 1 - (10 / 40) ** 4
    pile = (
        (1 << 52) - 1 & ~parse_hand(LOOSE) & ~parse_hand("AD 2D 3D 5D 6D 7D 8D TD JD QD KD AC 2C 4C 5C 7C 8C 9C TC JC")
    )
    view = at_discard(LOOSE, pile=pile, taken=parse_hand("TC JC"))
    assert princeton._to_be_had(view) == pytest.approx(1 - (8 / 18) ** 4)


def test_card_in_a_meld_counts_two_more() -> None:
    # The jacks are melded, but no third card is left for them; AS and 2S have 3S.
    hand, pile = "JC JD JH KS 9C 7D 6H 4S 3C 2S AS", parse_hand("JS TC QC TD QD TH QH")
    assert "JC" not in all_thrown(ALL_HOPE, at_discard(hand, pile=pile))
    assert "JC" in all_thrown(Player(princeton, alpha=1, melded=0), at_discard(hand, pile=pile))


# --- fading


@pytest.mark.parametrize(("own_turn", "alpha"), [(1, 1 - sqrt(0.1)), (5, 1 - sqrt(0.5)), (10, 0.0), (17, 0.0)])
def test_alpha_fades_with_the_own_turn(own_turn: int, alpha: float) -> None:
    p = princeton.Params(fading=True)
    for turn in (2 * own_turn - 1, 2 * own_turn):
        assert princeton._alpha(at_discard(LOOSE, turn=turn), p) == pytest.approx(alpha)
    assert princeton._alpha(at_discard(LOOSE), princeton.Params(alpha=0.3)) == 0.3


def test_fading_plays_for_deadwood_from_the_tenth_turn_on() -> None:
    player = Player(princeton, fading=True)
    assert all_thrown(player, at_discard(LOOSE, turn=17)) == {"QC"}
    assert all_thrown(player, at_discard(LOOSE, turn=19)) == {"KS", "KH", "QC"}


# --- the knock

NINE = "AC 2C 3C 7D 7H 7S 4H 3D AS AD KC"
"""Without the king nine points are left."""


def test_knocks_as_soon_as_it_may() -> None:
    assert PLAYER.knocks(at_discard(NINE))
    assert PLAYER.throws(at_discard(NINE, knocking=1)) == "KC"


def test_knocks_only_if_the_card_it_throws_allows_it() -> None:
    # Only without the king are six points left. All hope keeps him for KH and KS, and would throw the six.
    view = at_discard("JD QD KD AC 2C 3C 9C 9H 9S 6H KC", knock_limit=6)
    assert PLAYER.throws(view) == "KC"
    assert PLAYER.knocks(view)
    assert ALL_HOPE.throws(view) == "6H"
    assert not ALL_HOPE.knocks(view)


def test_with_a_knock_throws_only_cards_that_allow_it() -> None:
    for decision, view in positions(400):
        if decision == "choose_discard" and view.knocking:
            card = parse_card(ALL_HOPE.throws(view))
            assert deadwood(int(view.hand) & ~(1 << card)) <= view.knock_limit


def test_never_throws_the_upcard_it_has_just_taken() -> None:
    assert all_thrown(NO_HOPE, at_discard(LOOSE, "QC")) == {"KS", "KH"}


def test_compiled_answers_equal_the_plain_ones() -> None:
    assert_compiled_answers_are_the_plain_ones(princeton)
