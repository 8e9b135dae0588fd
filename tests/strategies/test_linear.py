"""Linear on positions made by hand, and its forecast term by term."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sim.api import after_discard, deadwood, make_view, parse_card, parse_hand
from sim.view import TURN_VIEW
from strategies import linear, simple
from strategies.draws import (
    would_meld,
)
from strategies.linear import Params, choose_discard, forecast, should_knock
from strategies.registry import bind, parse_spec
from strategies.tools import spread_of
from tests.support.strategy_positions import positions

P = Params()
ALL = (1 << 52) - 1


def after_draw(hand: str, *, barred: str = "", **fields: Any) -> Any:
    """Return a view of eleven cards after the draw; `barred` is the upcard if it was taken."""
    mine = parse_hand(hand)
    left, best = after_discard(mine, parse_hand(barred))
    taken = {"barred": parse_card(barred)} if barred else {}
    table = {"turn": 9, "knock_limit": 10, "noise": 1 << 63, **taken, **fields}
    return make_view(hand=mine, deadwood=left, best_discards=best, **table)


def forecast_of(hand: str, p: Params = P, gone: str = "") -> float:
    """Return the forecast of ten cards, all others unseen but those gone."""
    mine = parse_hand(hand)
    return forecast(np.uint64(mine), np.uint64(ALL & ~mine & ~parse_hand(gone)), p)


# --- the draw


def test_draws_as_simple() -> None:
    assert linear.STRATEGY.take_upcard is simple.take_upcard


# --- the forecast


NO_HITS = P._replace(by_hit=0)


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("AC 2C 3C 4D 4H 4S 7S 8S 9S TS", 7.104 + 39.97 + 3 * 0.117),
        ("AC 2C 3C 4D 4H 4S 7S 8S 9S JD", 7.104 - 0.963 * 10 + 13.52 + 3 * 0.117),
        ("AC 2C 3C 4D 4H 4S 7S 8S 9S AD", 7.104 - 0.963 + 13.52 + 3 * 0.117),
        ("AC 2C 3C 4D 4H 4S 7S 8S JD AH", 7.104 - 0.963 * 26 + 2 * 0.117),
        ("KC QD 9H 8S 7C 5D 4H 2S AC TD", 7.104 - 0.963 * 66),
    ],
)
def test_forecast_adds_deadwood_and_bonuses_and_melds(hand: str, expected: float) -> None:
    assert forecast_of(hand, NO_HITS) == pytest.approx(expected)


def test_touching_runs_and_a_set_that_clashes_are_counted_as_in_the_spread() -> None:
    # Six cards in a row are one meld.
    assert forecast_of("3C 4C 5C 6C 7C 8C 5D AH KS QS", NO_HITS) == pytest.approx(7.104 - 0.963 * 26 + 0.117)
    # The set takes its five from four in a row.
    assert forecast_of("5C 5D 5H 6C 7C 8C KS QH JD 9S", NO_HITS) == pytest.approx(7.104 - 0.963 * 39 + 2 * 0.117)


@pytest.mark.parametrize(
    ("hand", "hits", "gone"),
    [
        ("KC KD 9H 7S 5C 3D AH JS 6C QH", 2 + 2, ""),  # KH KS; 4C 7C
        ("KC KD 9H 7S 5C 3D AH JS 6C QH", 1 + 1, "KH 4C"),
        ("KC QC 9H 7S 5C 3D AH 2S 8D TD", 2, ""),  # JC and the 9D in the gap
        ("AC 2C 3C 9H 7S 5D JD KH 8C TS", 1, ""),  # 4C lengthens the run
    ],
)
def test_forecast_adds_each_unseen_card_that_would_meld(hand: str, hits: int, gone: str) -> None:
    assert forecast_of(hand, gone=gone) - forecast_of(hand, NO_HITS, gone=gone) == pytest.approx(0.264 * hits)


def test_cards_that_would_meld_are_those_in_a_meld_of_the_larger_hand() -> None:
    for hand, cards in (("QC KC 4D 6D 9S 9H", "JC 5D 9C 9D"), ("AH 2H KH KS QD", "3H KC KD")):
        mine = parse_hand(hand)
        assert int(would_meld(np.uint64(mine))) & ~mine == parse_hand(cards)


# --- the discard


def test_throws_the_loose_card_of_the_best_forecast() -> None:
    asked = 0
    for decision, view in positions(300):
        if decision == "choose_discard" and not view.knocking and view.deadwood > 0:
            hand, barred = int(view.hand), 1 << int(view.barred) if view.barred >= 0 else 0
            legal = hand & ~barred
            sheds = legal & ~int(spread_of(np.uint64(hand))) or legal
            unseen = np.uint64(ALL & ~int(view.hand | view.pile | view.taken))
            values = {c: forecast(np.uint64(hand ^ 1 << c), unseen, P) for c in range(52) if sheds >> c & 1}
            assert values.get(choose_discard(view, P)) == max(values.values())
            asked += 1
    assert asked > 200


def test_breaks_no_meld_for_a_better_forecast() -> None:
    eleven = "KC KD KH AC 2C 3C 4D 4H 4S 2H 7S"
    shy = P._replace(by_point=10)
    assert choose_discard(after_draw(eleven), shy) == parse_card("2H")


def test_throws_any_card_if_only_the_barred_one_is_loose() -> None:
    eleven = "AC 2C 3C 4D 4H 4S 7S 8S 9S TS KH"
    view = after_draw(eleven, barred="KH")
    assert view.deadwood > 0
    assert choose_discard(view, P) != parse_card("KH")


def test_prefers_a_low_hand_to_hits() -> None:
    # Without the queen eleven are left and a pair of kings; without a king it is low.
    eleven = "KD AC 2C 3C 4D 4H 4S 5H 6H 7H 9S"
    assert choose_discard(after_draw(eleven), P) == parse_card("KD")


def test_chance_decides_between_equal_discards() -> None:
    eleven = "KC KD AC 2C 3C 4D 4H 4S 7S 8S 9S"
    cards = {choose_discard(after_draw(eleven, noise=word << 58), P) for word in range(64)}
    assert cards == {parse_card("KC"), parse_card("KD")}


# --- the knock

LOW = "AC 2C 3C 4D 4H 4S 7S 8S 9S 5D KH"
GIN = "AC 2C 3C 4D 4H 4S 7S 8S 9S TS KH"


def test_knocks_with_gin_alone() -> None:
    assert should_knock(after_draw(GIN), P)
    assert not should_knock(after_draw(LOW), P)


@pytest.mark.parametrize(("knock_at", "knocks"), [(4, False), (5, True), (10, True)])
def test_knocks_at_its_threshold_or_less(knock_at: int, knocks: bool) -> None:
    assert should_knock(after_draw(LOW), P._replace(knock_at=knock_at)) == knocks
    assert should_knock(after_draw(GIN), P._replace(knock_at=knock_at))


def test_holds_if_the_card_it_would_throw_leaves_too_much() -> None:
    hopeful = P._replace(knock_at=10, by_point=0, if_low=0, by_hit=10)
    # Without the king nine are left; but with the jack it would be in a run, and nothing would go with the six.
    view = after_draw("QC QD QH AC 2C 3C 4C 5C 3H 6S KD")
    assert view.deadwood == 9
    assert choose_discard(view, hopeful) == parse_card("6S")
    assert not should_knock(view, hopeful)


def test_knocking_discard_leaves_at_most_the_limit() -> None:
    asked = 0
    for decision, view in positions(1_000):
        if decision == "choose_discard" and view.knocking:
            card = choose_discard(view, P._replace(by_point=10))
            assert deadwood(int(view.hand) ^ 1 << card) <= view.knock_limit
            asked += 1
    assert asked > 100


# --- compiled


@pytest.mark.parametrize("knock_at", [0, 10])
def test_compiled_answers_equal_those_of_plain_python(knock_at: int) -> None:
    compiled, p = bind(parse_spec(str(Path(linear.__file__)))), P._replace(knock_at=knock_at)
    for decision, view in positions(300):
        if decision == "take_upcard":
            continue  # that of simple
        view = np.array([np.array(view, TURN_VIEW)], TURN_VIEW).view(np.recarray)[0]
        view.params[: len(p)] = p
        assert getattr(compiled, decision)(view) == getattr(linear, decision)(view, p)
