"""The deal kernel scores as the shared cases say, in deals whose cards are laid out by hand.

Of the shared cases of kind ``hand_score`` these are all that give the deadwood of a knock; those that give a
game (HS-18 to HS-20) are proved on the sheet, in ``test_sheet.py``. The layoffs themselves are in
``test_layoff.py``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.api import bind_strategy, deadwood
from sim.batch.fingerprint import STOCK_DRAWER
from sim.cards import N_CARDS, cards_of, parse_card, parse_hand
from sim.match import block_kernel, line_up, new_desk
from sim.rows import DEAL_ROW, FINISHED, MATCH_ROW, Ending
from sim.rules import Rules
from sim.shuffle import KEPT_DECKS
from tests.support.scripted_players import deck
from tests.support.shared_cases import Case, cases

A, B = 0, 1
MELDS = "AC 2C 3C 7D 8D 9D JC JH JS"
KNOCKERS = {0: f"{MELDS} 4C", 1: f"{MELDS} AH", 8: f"{MELDS} 8S", 9: f"{MELDS} 9H", 10: f"{MELDS} TC"}
"""Ten cards by their deadwood. None can be improved by the king of diamonds."""
FOES = {
    0: "4H 5H 6H 7H QC QD QS KC KH KS",
    4: "4H 5H 6H 4S QC QD QS KC KH KS",
    5: "4H 5H 6H 5S QC QD QS KC KH KS",
    7: "4H 5H 6H 7S QC QD QS KC KH KS",
    10: "4H 5H 6H TS QC QD QS KC KH KS",
    20: "4H 5H 6H QC QD QS 2H 3D 6S 9S",
    30: "4H 5H 6H QC QD QS AD 9S TH KC",
    70: "AD 2S 3S 5H 9H TS QH QD KS KC",
}
"""Ten cards by their deadwood. None can be laid off on a knocker."""


def first_deal(seat_0: str, seat_1: str, upcard: str, drawn: str, rules: Rules) -> Any:
    """Play a deal with two players who draw from stock and knock at once; side A has seat 0 and begins."""
    stream = deck(seat_0, seat_1, upcard, drawn)
    players = [bind_strategy(STOCK_DRAWER, "test_deal_points", {}) for _ in range(2)]
    desk = new_desk(rules.with_options({"first_dealer": "b", "columns": 1, "target": 1}), 0, ((), ()))
    for deal in range(KEPT_DECKS):  # a deck is not shuffled if it holds the deal that is asked for
        record = desk.decks[deal]
        record.pair, record.deal, record.cards, record.shuffled = 0, deal, stream, N_CARDS
        record.hands = [parse_hand(seat_0), parse_hand(seat_1)]
        record.deadwood = [deadwood(hand) for hand in record.hands.tolist()]
    matches, deals = np.zeros(2, MATCH_ROW), np.zeros(5_000, DEAL_ROW)
    assert block_kernel()(line_up(*players), desk, 0, matches, deals, True)[0] == FINISHED
    return deals[0]


SCORES = [case for case in cases("hand_score") if "winner" in case.expected and "game" not in case.input]


@pytest.mark.parametrize("case", SCORES, ids=lambda case: case.id)
def test_points_of_a_deal(case: Case) -> None:
    given, expected = case.input, case.expected
    options = {"tie": given.get("tie", "undercut"), "big_gin": given.get("big_gin_bonus", "off")}
    options |= {"undercut_bonus": 25, "spade_doubles": given.get("spade_double", False)}
    foe = FOES[given["defender_deadwood"]]
    upcard = "AS" if given.get("spade_double") else "2D"
    drawn = "5C" if given.get("big_gin") else "KD"
    row = first_deal(KNOCKERS[given["knocker_deadwood"]], foe, upcard, drawn, Rules().with_options(options))
    assert row["knocker"] == A
    assert row["knocker_deadwood"] == given["knocker_deadwood"]
    assert row["defender_deadwood_before"] == row["defender_deadwood_after"] == given["defender_deadwood"]
    assert Ending(row["ending"]).name == expected["result"].upper()
    assert row["scorer"] == {"knocker": A, "defender": B}[expected["winner"]]
    assert row["points"] == expected["points"]


def test_the_hands_are_what_they_claim() -> None:
    laid_off = parse_hand("4C 5C 6D TD JD")
    for points, hand in [*KNOCKERS.items(), *FOES.items()]:
        assert (deadwood(parse_hand(hand)), len(list(cards_of(parse_hand(hand))))) == (points, 10)
    assert not any(parse_hand(hand) & (laid_off | parse_hand("KD 2D AS")) for hand in FOES.values())


def test_a_spade_upcard_doubles_only_where_the_rules_say_so() -> None:
    plain = first_deal(KNOCKERS[8], FOES[20], "AS", "KD", Rules())
    doubled = first_deal(KNOCKERS[8], FOES[20], "AS", "KD", Rules(spade_doubles=True))
    other_suit = first_deal(KNOCKERS[8], FOES[20], "2D", "KD", Rules(spade_doubles=True))
    assert [row["points"] for row in (plain, doubled, other_suit)] == [12, 24, 12]


def test_the_first_upcard_sets_the_knock_limit_in_oklahoma() -> None:
    (case,) = [case for case in cases("rules") if "oklahoma_upcard" in case.input]
    limits = {card: (limit, limit) for card, limit in case.expected["limits"].items()} | {"AD": (1, 0)}
    for card, (ace_one, ace_gin) in limits.items():
        clear = next(foe for foe in FOES.values() if not parse_hand(foe) >> parse_card(card) & 1)
        for limit, options in ((ace_one, {"upcard_ace": "one"}), (ace_gin, {"upcard_ace": "gin"})):
            rules = Rules(knock_limit="upcard").with_options(options)
            assert first_deal(KNOCKERS[0], clear, card, "KD", rules)["knock_limit"] == limit
        assert first_deal(KNOCKERS[0], clear, card, "KD", Rules())["knock_limit"] == 10


@pytest.mark.parametrize(("limit", "knocks"), [(8, True), (7, False)])
def test_nobody_knocks_above_the_limit(limit: int, knocks: bool) -> None:
    row = first_deal(KNOCKERS[8], FOES[70], "2D", "KD", Rules(knock_limit=limit))
    assert bool(row["turns"] == 1) is knocks


def test_the_defender_lays_off_on_a_knock_but_not_on_gin() -> None:
    foe = "4H 5H 6H QC QD QS 5C 6D TD JD"
    knocked = first_deal(KNOCKERS[1], foe, "2D", "KD", Rules())
    assert (knocked["defender_deadwood_before"], knocked["defender_deadwood_after"]) == (31, 5)
    gin = first_deal(KNOCKERS[0], foe, "2D", "KD", Rules())
    assert (gin["defender_deadwood_before"], gin["defender_deadwood_after"], gin["points"]) == (31, 31, 56)
