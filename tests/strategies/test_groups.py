"""What princeton, ginbot, tracking and apex share: hands sorted into groups, random cards, a simple layoff."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from sim.api import deadwood, format_card, parse_card, parse_hand, run_cards
from sim.layoff import defend
from strategies import groups as grouping
from strategies import tools
from tests.support.player_questions import at_discard
from tests.support.strategy_positions import positions

CARDS = "KC KD 9S 8S 7H 5D 3C AH JS JH QC"

# --- how the hand is sorted


def groups(hand: str) -> list[set[str]]:
    """Return the cards in sets, in runs, in partial groups, and the loose ones, as texts."""
    masks = grouping.sorted_hand(np.uint64(parse_hand(hand)))
    return [{format_card(card) for card in range(52) if int(mask) >> card & 1} for mask in masks]


def cards(text: str) -> set[str]:
    return set(text.split())


def test_sorts_into_melds_partial_groups_and_loose_cards() -> None:
    found = groups("7C 7D 7H AS 2S 3S QH KH 9C 9S 5D")
    assert found == [cards("7C 7D 7H"), cards("AS 2S 3S"), cards("QH KH 9C 9S"), cards("5D")]


@pytest.mark.parametrize(
    ("hand", "sets", "runs"),
    [
        ("6C 7C 8C 8D 8H", "8C 8D 8H", ""),  # 16 points against 13
        ("6C 7C 8C 7D 7H", "", "6C 7C 8C"),  # 14 either way
        ("6C 7C 8C 6D 6H", "", "6C 7C 8C"),  # 12 against 15
        ("6C 7C 8C 9C 9D 9H", "9C 9D 9H", "6C 7C 8C"),
        ("6C 7C 8C 8D 8H 8S", "8D 8H 8S", "6C 7C 8C"),
    ],
)
def test_runs_come_first_unless_a_set_leaves_fewer_points(hand: str, sets: str, runs: str) -> None:
    assert groups(hand)[:2] == [cards(sets), cards(runs)]


def test_partial_runs_come_before_pairs() -> None:
    assert groups("5C 6C 5D KS")[2:] == [cards("5C 6C"), cards("5D KS")]


def test_king_and_ace_or_a_gap_are_no_partial_run() -> None:
    assert groups("KC AC 3D 5D")[2:] == [set(), cards("KC AC 3D 5D")]


def test_melds_are_always_those_of_a_least_deadwood_spread() -> None:
    for _, view in positions(500):
        loose = int(grouping.loose_cards(view.hand))
        assert sum(min(card % 13 + 1, 10) for card in range(52) if loose >> card & 1) == deadwood(int(view.hand))


@pytest.mark.parametrize(
    ("sets", "runs", "spare"),
    [
        ("7C 7D 7H", "AS 2S 3S", ""),
        ("7C 7D 7H 7S", "", "7C 7D 7H 7S"),
        ("", "AS 2S 3S 4S 5S", "AS 5S"),
        ("", "AS 2S 3S 4S 5S 6S 7S", "AS 4S 7S"),
        ("", "JS QS KS AH 2H 3H", ""),
    ],
)
def test_long_melds_spare_what_does_not_break_them(sets: str, runs: str, spare: str) -> None:
    masks = (np.uint64(parse_hand(text)) for text in (sets, runs))
    assert int(grouping.spare_melded(*masks)) == parse_hand(spare)


@pytest.mark.parametrize(("turn", "own"), [(1, 1), (2, 1), (3, 2), (4, 2), (15, 8), (16, 8)])
def test_own_turns_are_counted_from_one_for_either_player(turn: int, own: int) -> None:
    assert tools.own_turn(at_discard(CARDS, turn=turn)) == own


def test_runs_of_three_with_a_card_keep_to_its_suit() -> None:
    for card in range(52):
        for mates in grouping.RUN_MATES[card].tolist():
            ranks = sorted(c % 13 for c in range(52) if (mates | 1 << card) >> c & 1)
            assert mates == 0 or (len(ranks) == 3 and ranks[2] - ranks[0] == 2)
            assert mates >> 13 * (card // 13) < 1 << 13
            assert mates & (1 << 13 * (card // 13)) - 1 == 0
    assert [int(m).bit_count() for m in grouping.RUN_MATES[parse_card("QH")]] == [2, 2, 0]


# --- the score


def test_score_is_that_of_the_first_column_open_to_both() -> None:
    view = at_discard(CARDS, my_points=[50, 20, 7], their_points=[30, 40, 0], my_needs=[0, 0, 0], their_needs=[0, 1, 2])
    assert tools.score_lead(view) == 20
    view.their_needs[0] = -1
    assert tools.score_lead(view) == -20
    view.my_needs[1] = -1
    assert tools.score_lead(view) == 7
    view.my_needs[2] = -1
    assert tools.score_lead(view) == 0


# --- chance and layoffs


def test_random_cards_are_as_many_as_asked_for_and_each_as_likely() -> None:
    cards, noise, seen = np.uint64(parse_hand(CARDS)), np.uint64(1), dict.fromkeys(range(52), 0)
    for _ in range(3_000):
        chosen, noise = grouping.some_cards(cards, 4, noise)
        noise = np.uint64(noise)
        assert int(chosen).bit_count() == 4
        for card in range(52):
            seen[card] += int(chosen) >> card & 1
    for card, times in seen.items():
        assert times == (pytest.approx(12_000 / 11, abs=120) if int(cards) >> card & 1 else 0)
    assert grouping.some_cards(cards, 20, noise)[0] == cards


@pytest.mark.parametrize(
    ("sets", "runs", "defender", "left"),
    [
        ("", "5H 6H 7H", "8H 9H 4H KS", 10),
        ("", "5H 6H 7H", "9H TH", 19),
        ("9C 9D 9S", "6H 7H 8H", "9H TH", 0),
        ("9C 9D 9S", "", "9H TH", 10),
        ("", "JH QH KH", "AH TH", 1),
        ("7C 7D 7S", "", "7H 8H 9H AC", 1),
    ],
    ids=["both ends", "a hole", "on by way of a set's card", "on a set", "not round the corner", "own melds stay"],
)
def test_layoff(sets: str, runs: str, defender: str, left: int) -> None:
    assert grouping.after_layoff(*(np.uint64(parse_hand(text)) for text in (defender, sets, runs))) == left


def test_layoff_is_mostly_the_best_defence_and_never_better() -> None:
    hands = [int(view.hand) for decision, view in positions(1_000) if decision == "take_upcard"]
    equal = 0
    for knocker, defender in pairwise(hands):
        others = np.uint64(defender & ~knocker)
        sets = np.uint64(grouping.melded_sets(np.uint64(knocker)))
        runs = np.uint64(run_cards(np.uint64(knocker & ~int(sets))))
        estimate, best = grouping.after_layoff(others, sets, runs), defend(others, sets, runs)[0]
        assert estimate >= best
        equal += estimate == best
    assert equal > 0.97 * len(hands)
