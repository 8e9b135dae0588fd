"""Sigra on positions made by hand, and against its definition: every meld, every discard and every draw tried."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sim.api import after_discard, bit, deadwood, make_view, parse_card, parse_hand
from sim.view import TURN_VIEW
from strategies import sigra
from strategies.draws import (
    sets_and_runs,
)
from strategies.registry import bind, parse_spec
from strategies.sigra import Params, Table, choose_discard, hand_value, should_knock, take_upcard
from strategies.tools import spread_of
from tests.support.strategy_positions import positions

P = Params()
ALL = (1 << 52) - 1
NO_FEAR, NO_HOPE = P._replace(fear=0), P._replace(hope=0)


def after_draw(hand: str, *, barred: str = "", **fields: Any) -> Any:
    """Return a view of eleven cards after the draw; `barred` is the upcard if it was taken."""
    mine = parse_hand(hand)
    left, best = after_discard(mine, parse_hand(barred))
    taken = {"barred": parse_card(barred)} if barred else {}
    table = {"turn": 9, "knock_limit": 10, "noise": 1 << 63, **taken, **fields}
    return make_view(hand=mine, deadwood=left, best_discards=best, **table)


def at_draw(hand: str, upcard: str, **fields: Any) -> Any:
    """Return a view at the draw, the pile holding the upcard alone."""
    mine, card = parse_hand(hand), parse_card(upcard)
    return make_view(hand=mine, upcard=card, pile=int(bit(card)), deadwood=deadwood(mine), turn=1, **fields)


def value(hand: str, p: Params = P, *, taken: str = "", refused: str = "", gone: str = "") -> float:
    """Return the value of a hand, all cards unseen but its own, those taken, refused (whole ranks) and gone."""
    mine, his = parse_hand(hand), parse_hand(taken)
    unseen = ALL & ~(mine | his | parse_hand(gone))
    ranks = {card % 13 for card in range(52) if parse_hand(refused) >> card & 1}
    in_sets = sum(1 << card for card in range(52) if card % 13 not in ranks)
    return hand_value(np.uint64(mine), Table(np.uint64(unseen), np.uint64(his), np.uint64(in_sets)), p)


# --- the value of a hand


def test_value_of_a_hand_is_its_deadwood_less_hope() -> None:
    hand = "KC 9D 9H 2C 3C 4C 6S 6D 6H AD"
    assert value(hand, NO_HOPE) == 29
    assert value(hand) == pytest.approx(29 - 0.85 * 2 * (9 + 9) / 42)


@pytest.mark.parametrize(
    ("loose", "melds", "gone", "unseen"),
    [
        ("9D 9H", 2 * (9 + 9), "", 42),
        ("9D 9H", 1 * (9 + 9), "9S", 41),
        ("8D 9D", 2 * (8 + 9), "", 42),
        ("8D TD", 1 * (8 + 10), "", 42),
        ("8D JD", 0, "", 42),
        ("QD KD", 1 * (10 + 10), "", 42),
        # Each pair of a run of gaps counts by itself.
        ("6D 8D TD", (6 + 8) + (8 + 10), "", 42),
    ],
)
def test_hope_counts_the_unseen_cards_that_would_meld_loose_cards(
    loose: str, melds: int, gone: str, unseen: int
) -> None:
    rest = "AC 2C 3C AS 2S 3S 4S 5S"[: 3 * (10 - len(loose.split())) - 1]
    wanted = -0.85 * melds / unseen
    assert value(f"{loose} {rest}", gone=gone) - value(f"{loose} {rest}", NO_HOPE, gone=gone) == pytest.approx(wanted)


def test_fear_counts_a_card_that_completes_two_known_of_the_opponent_in_full() -> None:
    hand = "6D KC 2C 3C 4C JS JD JH AC AS"
    for held, more in MORE.items():
        assert value(hand, NO_HOPE) - value(hand, NO_HOPE, taken=held) == pytest.approx(6 + more / 40)


MORE = {
    # By what the opponent holds: the points he would wait for with one card of 40 unseen.
    "4D 5D": 6 + 4 + 4,  # 6D with 5D and 7D; 4C with 4D and either other four
    "5D 7D": 6 + 6,  # 6D with 4D and 5D, or 7D and 8D
    "7D 8D": 6,  # 6D with 5D and 7D
    "6H 6S": 6 + 6,  # 6D with 6C and either
}


def test_fear_counts_a_card_beside_one_known_by_the_chance_of_the_third() -> None:
    # With the 6S he waits for the 6D if he also has the 6C or 6H; 41 cards are unseen.
    hand = "6D KC 2C 3C 4C 9S 9D 9H AC AS"
    assert value(hand, NO_HOPE) - value(hand, NO_HOPE, taken="6S") == pytest.approx(6 * 2 / 41)


def test_no_set_is_feared_of_a_rank_the_opponent_has_refused() -> None:
    hand = "6D KC 2C 3C 4C 9S 9D 9H AC AS"
    assert value(hand, NO_HOPE, taken="6S 6H", refused="6C") == value(hand, NO_HOPE)
    assert value(hand, NO_HOPE, taken="4D 5D", refused="6C") < value(hand, NO_HOPE)


def test_fear_needs_all_other_cards_of_the_meld_to_be_the_opponents() -> None:
    # The 6C and the 6D are both mine: of the four sixes no three can be his with one of them.
    hand = "6D 6C KC 2C 3C 4C 9S 9D 9H AS"
    alone = value(hand, NO_HOPE) - value(hand, NO_HOPE, taken="6S")
    assert alone == pytest.approx((6 + 6) * 1 / 41)


def test_split_spread_is_the_first_least_deadwood_one() -> None:
    for _, view in positions(500):
        hand = np.uint64(view.hand)
        sets, runs = sets_and_runs(hand)
        assert sets & runs == 0
        assert sets | runs == spread_of(hand)


# --- the decisions, by definition


MELDS = [[13 * s + rank for s in suits] for rank in range(13) for suits in combinations(range(4), 3)]
MELDS += [[13 * s + first + k for k in range(3)] for s in range(4) for first in range(11)]
WITH_CARD = [[{*meld} - {card} for meld in MELDS if card in meld] for card in range(52)]


def cards_of(mask: int) -> set[int]:
    return {card for card in range(52) if mask >> card & 1}


def value_by_definition(hand: set[int], unseen: set[int], taken: set[int], refused: set[int]) -> float:
    """Return the value of a hand as the description has it; `refused` are ranks."""
    mask = sum(1 << card for card in hand)
    pips = [min(card % 13 + 1, 10) for card in range(52)]
    hoped = feared = 0.0
    for card in hand:
        for others in WITH_CARD[card]:
            if len(others & hand) == 1 and len(others & unseen) == 1 and not spread(mask) >> card & 1:
                hoped += pips[card] / len(unseen)
            is_set = len({other % 13 for other in others}) == 1
            if others & taken and others <= taken | unseen and not (is_set and card % 13 in refused):
                feared += pips[card] / len(unseen) ** len(others & unseen)
    return int(deadwood(mask)) - 0.85 * hoped - feared


@cache
def spread(mask: int) -> int:
    return int(spread_of(np.uint64(mask)))


def best_by_definition(eleven: set[int], sheds: set[int], *table: set[int]) -> dict[int, float]:
    """Return the value that each discard leaves."""
    return {card: value_by_definition(eleven - {card}, *table) for card in sheds}


def table_of(view: Any) -> tuple[set[int], set[int], set[int]]:
    """Return the unseen cards, those the opponent took, and the ranks he refused."""
    unseen = cards_of(ALL & ~int(view.hand | view.pile | view.taken))
    return unseen, cards_of(int(view.taken)), {card % 13 for card in cards_of(int(view.thrown | view.declined))}


def test_throws_what_leaves_the_hand_of_least_value() -> None:
    asked = 0
    for decision, view in positions(150):
        if decision == "choose_discard" and not view.knocking and view.deadwood > 0:
            hand = cards_of(int(view.hand))
            values = best_by_definition(hand, hand - {int(view.barred)}, *table_of(view))
            assert values[choose_discard(view, P)] == pytest.approx(min(values.values()))
            asked += 1
    assert asked > 100


def test_takes_the_upcard_only_if_that_beats_the_mean_of_all_draws() -> None:
    answers = []
    for decision, view in positions(24):
        if decision == "take_upcard":
            unseen, taken, refused = table_of(view)
            hand, card = cards_of(int(view.hand)), int(view.upcard)
            with_upcard = min(best_by_definition(hand | {card}, hand, unseen, taken, refused).values())
            draws = [
                min(best_by_definition(hand | {u}, hand | {u}, unseen - {u}, taken, refused).values()) for u in unseen
            ]
            answers.append(bool(take_upcard(view, P)))
            assert answers[-1] == (with_upcard < sum(draws) / len(draws))
    assert set(answers) == {True, False}


# --- the decisions, by hand


def test_takes_upcard_that_melds() -> None:
    assert take_upcard(at_draw("5C 6C TD TH 2S 3H KS 9D 7S QC", "7C"), P)


def test_leaves_upcard_that_helps_nothing() -> None:
    assert not take_upcard(at_draw("5C 6C TD TH 2S 3H 4S 9D 7S 8C", "KH"), P)


def test_leaves_upcard_as_good_as_the_stock() -> None:
    # Gin already, and no card is feared: whatever is drawn is thrown again, and hope there is none.
    assert not take_upcard(at_draw("AC 2C 3C 4D 4H 4S 7S 8S 9S TS", "JS"), P)


def test_keeps_what_may_meld_at_the_price_of_deadwood() -> None:
    # The nine alone against the two kings with two to come: one point dearer.
    eleven = "9C KD KH AC 2C 3C 4D 4H 4S AS AD"
    assert choose_discard(after_draw(eleven), P._replace(hope=5)) == parse_card("9C")
    assert choose_discard(after_draw(eleven), NO_HOPE) in {parse_card("KD"), parse_card("KH")}


def test_keeps_what_the_opponent_waits_for() -> None:
    eleven = "KC KD AC 2C 3C 4D 4H 4S 7S 8S 9S"
    assert choose_discard(after_draw(eleven, taken=parse_hand("QC JC")), NO_HOPE) == parse_card("KD")
    assert choose_discard(after_draw(eleven, taken=parse_hand("QD JD")), NO_HOPE) == parse_card("KC")


def test_chance_decides_between_equal_discards() -> None:
    eleven = "KC KD AC 2C 3C 4D 4H 4S 7S 8S 9S"
    cards = {choose_discard(after_draw(eleven, noise=word << 58), P) for word in range(64)}
    assert cards == {parse_card("KC"), parse_card("KD")}


def test_does_not_throw_back_the_card_just_taken() -> None:
    view = after_draw("KC KD AC 2C 3C 4D 4H 4S 7S 8S 9S", barred="KC", taken=parse_hand("QD JD"))
    assert choose_discard(view, P) == parse_card("KD")


# --- the knock

LOW = "AC 2C 3C 4D 4H 4S 7S 8S 9S 5D KH"
GIN = "AC 2C 3C 4D 4H 4S 7S 8S 9S TS KH"


def test_stubborn_knocks_with_gin_alone() -> None:
    assert should_knock(after_draw(GIN), P)
    assert not should_knock(after_draw(LOW), P)


def test_not_stubborn_it_knocks_at_ten_or_less() -> None:
    assert should_knock(after_draw(LOW), P._replace(stubborn=False))
    assert should_knock(after_draw(GIN), P._replace(stubborn=False))


def test_not_stubborn_it_holds_if_the_card_it_would_throw_leaves_too_much() -> None:
    fields: dict[str, Any] = {"taken": parse_hand("QH JH"), "knock_limit": 9}
    view = after_draw("AC 2C 3C 4D 4H 4S 7S 7D 7H KH 9C", **fields)
    assert not should_knock(view, P._replace(stubborn=False))
    knocking = after_draw("AC 2C 3C 4D 4H 4S 7S 7D 7H KH 9C", knocking=1, **fields)
    assert (choose_discard(view, P), choose_discard(knocking, P)) == (parse_card("9C"), parse_card("KH"))


# --- compiled


def test_compiled_answers_equal_those_of_plain_python() -> None:
    compiled = bind(parse_spec(str(Path(sigra.__file__))))
    for decision, view in positions(300):
        view = np.array([np.array(view, TURN_VIEW)], TURN_VIEW).view(np.recarray)[0]
        view.params[: len(P)] = P
        assert getattr(compiled, decision)(view) == getattr(sigra, decision)(view, P)
