"""Marjj on positions made by hand, and its look ahead against trying every draw and every discard."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sim.api import after_discard, bit, deadwood, make_view, parse_card, parse_hand
from sim.view import TURN_VIEW
from strategies import marjj
from strategies.draws import (
    add_value,
    least_after_draws,
    mean_value,
)
from strategies.marjj import Params, choose_discard, danger, should_knock, take_upcard
from strategies.registry import bind, parse_spec
from strategies.tools import (
    own_turn,
)
from tests.support.strategy_positions import positions

P = Params()
ALL = (1 << 52) - 1


def at_draw(hand: str, upcard: str, pile: str = "") -> Any:
    """Return a view at the draw; the pile is what lies under the upcard."""
    mine, card = parse_hand(hand), parse_card(upcard)
    return make_view(hand=mine, upcard=card, pile=parse_hand(pile) | bit(card), deadwood=deadwood(mine), turn=1)


def after_draw(hand: str, *, barred: str = "", **fields: Any) -> Any:
    """Return a view of eleven cards after the draw; `barred` is the upcard if it was taken."""
    mine = parse_hand(hand)
    left, best = after_discard(mine, parse_hand(barred))
    taken = {"barred": parse_card(barred)} if barred else {}
    table = {"pile": 0, "turn": 9, "knock_limit": 10, "noise": 1 << 63, **taken, **fields}
    return make_view(hand=mine, deadwood=left, best_discards=best, **table)


def thrown(hand: str, p: Params = P, **fields: Any) -> int:
    """Return the card thrown from eleven."""
    return choose_discard(after_draw(hand, **fields), p)


# --- the draw


def test_takes_upcard_that_is_melded_and_lowers_deadwood() -> None:
    assert take_upcard(at_draw("5C 6C TD TH 2S 3H KS 9D 7S QC", "7C"), P)


def test_leaves_upcard_that_lowers_deadwood_but_melds_with_nothing() -> None:
    assert not take_upcard(at_draw("5C 6C TD TH 2S 3H KS 9D 7S QC", "AH"), P)


def test_leaves_upcard_that_melds_but_does_not_lower_deadwood() -> None:
    # Tens against the run: either way ten points are left.
    assert not take_upcard(at_draw("TC JC QC TD 4D 4H 4S 2H 2S 2D", "TH"), P)


@pytest.mark.parametrize(("gone", "takes"), [("", True), ("AH 5H", False), ("AH 5H 3S", False)])
def test_upcard_must_be_melded_in_the_spread_that_fewest_points_lay_off_on(gone: str, takes: bool) -> None:
    # The set of threes (the 3S lays off) or the run 2H 3H 4H (the AH and 5H do): six points are left by both.
    # With nothing to choose the run is found first.
    assert take_upcard(at_draw("3D 3H 2H 4H KC 7S 9D JC QS 8C", "3C", gone), P) == takes


# --- which cards may be thrown


def test_throws_for_gin_at_once() -> None:
    assert thrown("AC 2C 3C 4D 4H 4S 7S 8S 9S TS 2D") == parse_card("2D")


def test_breaks_no_meld_of_every_best_spread() -> None:
    for seed in range(20):
        assert thrown("TC JC QC KD 9H 4D 4H 4S 8S 7D KH", noise=seed << 59) not in parsed("TC JC QC 4D 4H 4S")


def test_may_throw_a_card_loose_in_only_one_of_the_best_spreads() -> None:
    # Run or set of jacks: queen and king of hearts, or the two other jacks; the opponent has both black queens.
    eleven = "JC JD JH QH KH AC 2C 3C 5S 6S 7S"
    candidates = {thrown(eleven, p=P._replace(hope=0, caution=c), taken=parse_hand("KC KD KS")) for c in (0, 10)}
    assert candidates & parsed("JC JD")


def test_does_not_throw_back_the_card_just_taken() -> None:
    eleven = "KC 2D 3D 5H 6H 8S 9S AC 2C 4D 7H"
    assert thrown(eleven, p=P._replace(cheaper=0)) == parse_card("KC")
    assert thrown(eleven, p=P._replace(cheaper=0), barred="KC") == parse_card("9S")


def test_keeps_cards_more_than_five_points_cheaper_than_the_dearest() -> None:
    # The four is of least use; but it is cheaper than the king by six.
    eleven = "KC KD 4S QH QD JS JC TC 9C 8D 7H"
    safe = parse_hand("4C 4D 4H 3S 5S 2S 6S")
    assert thrown(eleven, p=P._replace(hope=0, caution=10), pile=safe) != parse_card("4S")
    assert thrown(eleven, p=P._replace(hope=0, caution=10, cheaper=6, worse=6), pile=safe) == parse_card("4S")


def test_leaves_at_most_five_more_deadwood_than_the_least() -> None:
    # Throwing the seven leaves three more than throwing the king.
    eleven = "KC 7S 2D 2H 2S 3C 4C 5C AC AD AH"
    safe = parse_hand("7C 7D 7H 6S 8S 5S 9S")
    assert thrown(eleven, p=P._replace(hope=0, caution=10, worse=3), pile=safe) == parse_card("7S")
    assert thrown(eleven, p=P._replace(hope=0, caution=10, worse=2), pile=safe) == parse_card("KC")


def test_all_eleven_melded_throws_any_card_but_the_barred_one() -> None:
    eleven = "AC 2C 3C 4C 4D 4H 4S 7S 8S 9S TS"
    cards = {thrown(eleven, barred="TS", noise=seed << 58) for seed in range(64)}
    assert cards <= parsed(eleven) - parsed("TS")


# --- the score


def test_score_is_deadwood_and_hope_and_danger() -> None:
    for view in discards(400):
        if view.deadwood > 0 and not view.knocking:
            assert choose_discard(view, P) in best_by_definition(view)


def best_by_definition(view: Any) -> set[int]:
    """Return the cards of least score, trying everything."""
    hand, barred = int(view.hand), 1 << int(view.barred) if view.barred >= 0 else 0
    sheds = [card for card in range(52) if hand & ~barred & dear_loose(hand, barred) & 1 << card]
    left = {card: int(deadwood(hand ^ 1 << card)) for card in sheds}
    weight = 18 * 0.9 ** (own_turn(view) - 1)
    unseen = ALL & ~int(view.hand | view.pile | view.taken)
    scores = {
        card: after + weight * sum(best_draws(hand ^ 1 << card, unseen)[:7]) / 7 + danger(view, card)
        for card, after in left.items()
        if after <= min(left.values()) + 5
    }
    return {card for card, score in scores.items() if score <= min(scores.values()) + 1e-9}


def dear_loose(hand: int, barred: int) -> int:
    """Return the cards that are loose in a best spread and cost at most five less than the dearest of them."""
    cards = [card for card in range(52) if hand >> card & 1]
    least, cost = deadwood(hand), {card: min(card % 13 + 1, 10) for card in cards}
    # A card is loose in a best spread if it can be taken away for just its points.
    loose = [c for c in cards if not barred >> c & 1 and deadwood(hand ^ 1 << c) == least - cost[c]]
    if not loose:
        return ALL
    return sum(1 << card for card in loose if cost[card] >= max(cost[c] for c in loose) - 5)


def best_draws(ten: int, unseen: int) -> list[int]:
    """Return the least deadwood after each draw from the unseen cards, in order."""
    return sorted(int(after_discard(ten | 1 << card, 0)[0]) for card in range(52) if unseen >> card & 1)


def discards(count: int) -> list[Any]:
    """Return views of random positions after the draw."""
    return [view for decision, view in positions(count) if decision == "choose_discard"]


def test_look_ahead_is_the_best_of_every_draw_and_discard() -> None:
    dice = random.Random(3)
    for _ in range(300):
        deck = dice.sample(range(52), 52)
        hand, unseen = (sum(1 << card for card in cards) for cards in (deck[:10], deck[10 : dice.randint(13, 52)]))
        wanted = (best_draws(hand, unseen) + [127] * 8)[:8]
        assert list(int(least_after_draws(np.uint64(hand), np.uint64(unseen))).to_bytes(8, "little")) == wanted


def test_byte_values_keep_the_eight_least_in_order() -> None:
    dice = random.Random(4)
    values = [dice.randint(0, 127) for _ in range(40)]
    least = np.uint64(0x7F7F7F7F7F7F7F7F)
    for seen, value in enumerate(values, 1):
        least = add_value(least, value)
        lanes = (sorted(values[:seen]) + [127] * 8)[:8]
        assert list(int(least).to_bytes(8, "little")) == lanes
        for count in range(1, 9):
            assert mean_value(least, count) == sum(lanes[:count]) / count


def test_hope_fades_from_turn_to_turn() -> None:
    # A pair with four outs, or nine points less: hope says one thing, deadwood the other.
    eleven = "KC 9D 9H AC 2C 3C 4D 4H 4S 7D 5S"
    assert thrown(eleven, p=P._replace(caution=0), turn=1) == parse_card("KC")
    hopeful, late = (thrown("KC KD 8S AC 2C 3C 4D 4H 4S 7H 5S", P._replace(caution=0), turn=t) for t in (1, 80))
    assert hopeful == parse_card("8S")
    assert late in parsed("KC KD")


# --- danger


@pytest.mark.parametrize(
    ("card", "own", "pile", "taken", "expected"),
    [
        # Nothing known: only the four for a rank of which just this card is gone.
        ("6H", "", "", "", 4),
        # The suit: adjacent cards gone count five each, those two away three.
        ("6H", "5H", "", "", 4 - 5),
        ("6H", "", "8H", "", 4 - 3),
        ("6H", "4H 8H", "", "", 4 - 6),
        ("6H", "", "4H 5H", "", 4 - 8),
        # No run is left: one neighbour and one card on the other side are gone.
        ("6H", "5H", "7H", "", 4 - 10),
        ("6H", "5H", "8H", "", 4 - 10),
        ("6H", "4H", "7H", "", 4 - 10),
        # Cards the opponent holds: five and three, or twenty for a run.
        ("6H", "", "", "5H", 4 + 5),
        ("6H", "", "", "8H", 4 + 3),
        ("6H", "", "", "4H 8H", 4 + 6),
        ("6H", "", "", "4H 5H", 4 + 20),
        ("6H", "", "", "5H 7H", 4 + 20),
        ("6H", "", "", "7H 8H", 4 + 20),
        ("6H", "4H", "", "5H", 4 - 3 + 5),
        # The rank.
        ("6H", "6S", "", "", -4),
        ("6H", "6S", "6C", "", -10),
        ("6H", "6S", "6C 6D", "", -10),
        ("6H", "", "", "6S", 4),
        ("6H", "", "", "6S 6C", 20),
        ("6H", "6D", "", "6S 6C", 20 - 4),
        # The ends of a suit: nothing below an ace, nothing above a king, and nothing above a queen either.
        ("AH", "", "", "", 4 - 8),
        ("AH", "2H", "", "", 4 - 10),
        ("2H", "", "", "", 4 - 3),
        ("2H", "AH", "", "", 4 - 8),
        ("2H", "3H", "", "", 4 - 10),
        ("KH", "", "", "", 4 - 8),
        ("QH", "", "", "", 4 - 8),
        ("QH", "JH", "", "", 4 - 10),
        ("JH", "", "", "", 4),
        ("KH", "AS 2S", "", "", 4 - 8),
        ("JH", "", "", "QH KH", 4 + 20),
    ],
)
def test_danger_of_a_card(card: str, own: str, pile: str, taken: str, expected: int) -> None:
    view = make_view(hand=parse_hand(f"{card} {own}"), pile=parse_hand(pile), taken=parse_hand(taken))
    assert danger(view, parse_card(card)) == expected


def test_throws_the_safer_of_two_like_cards() -> None:
    eleven = "KC KD AC 2C 3C 4D 4H 4S 7S 8S 9S"
    assert thrown(eleven, P._replace(hope=0), taken=parse_hand("QC JC")) == parse_card("KD")
    assert thrown(eleven, P._replace(hope=0), pile=parse_hand("QC")) == parse_card("KC")


# --- the knock

LOW = "AC 2C 3C 4D 4H 4S 7S 8S 9S 5D KH"
"""Five points are left after the king."""


@pytest.mark.parametrize(("turn", "knocks"), [(1, True), (2, True), (5, True), (6, True), (7, False), (30, False)])
def test_knocks_short_of_gin_in_its_first_three_turns_only(turn: int, knocks: bool) -> None:
    assert should_knock(after_draw(LOW, turn=turn), P) == knocks


def test_knocks_with_gin_at_any_time() -> None:
    assert should_knock(after_draw("AC 2C 3C 4D 4H 4S 7S 8S 9S TS KH", turn=40), P)


def test_knocks_with_its_threshold_or_less() -> None:
    assert should_knock(after_draw(LOW, turn=1), P._replace(knock_at=5))
    assert not should_knock(after_draw(LOW, turn=1), P._replace(knock_at=4))


def test_holds_when_the_card_it_would_throw_leaves_too_much() -> None:
    # It would rather throw the safe nine than the king the opponent waits for: eleven points are left.
    view = after_draw("AC 2C 3C 4D 4H 4S 7S 7D 7H KC 9S", turn=1, **WAITING)
    assert view.deadwood == 9
    assert should_knock(view, P._replace(hope=0))
    wary = after_draw("AC 2C 3C 4D 4H 4S 7S 7D 7H KC 9S", turn=1, knock_limit=9, **WAITING)
    assert not should_knock(wary, P._replace(hope=0))


WAITING: dict[str, Any] = {"taken": parse_hand("KD KH"), "pile": parse_hand("9C 9D 8S")}


def test_knocking_discard_leaves_at_most_the_limit() -> None:
    eleven = "AC 2C 3C 4D 4H 4S 7S 7D 7H KC 9S"
    free = after_draw(eleven, turn=1, knock_limit=9, **WAITING)
    bound = after_draw(eleven, turn=1, knock_limit=9, knocking=1, **WAITING)
    assert choose_discard(free, P._replace(hope=0)) == parse_card("9S")
    assert choose_discard(bound, P._replace(hope=0)) == parse_card("KC")


# --- compiled


def test_compiled_answers_equal_those_of_plain_python() -> None:
    compiled = bind(parse_spec(str(Path(marjj.__file__))))
    for decision, view in positions(300):
        view = np.array([np.array(view, TURN_VIEW)], TURN_VIEW).view(np.recarray)[0]
        view.params[: len(P)] = P
        assert getattr(compiled, decision)(view) == getattr(marjj, decision)(view, P)


def parsed(text: str) -> set[int]:
    """Return the cards of a text."""
    return {parse_card(card) for card in text.split()}
