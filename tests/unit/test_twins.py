"""The naive twins of melds and layoffs give the answers of the shared checked cases.

Points and sheet are in ``test_twins_sheet.py``, the flow of a deal in ``test_twins_flow.py``.
"""

from __future__ import annotations

import pytest

from sim.cards import (
    FULL_DECK,
    NO_CARD,
    CardError,
    cards_of,
    format_card,
    parse_card,
    parse_hand,
    points_of,
)
from sim.presets import preset_rules
from sim.rules import Rules
from tests.support.naive_layoff import defender_final, exposure, fits, knocker_spread, score_deal
from tests.support.naive_melds import (
    all_melds,
    arrangements,
    best_discards,
    best_spreads,
    deadwood,
    deadwood_by_discard,
    gin_discards,
    is_big_gin,
    knock_discards,
    leftover,
)
from tests.support.reference_deal import knock_limit_of
from tests.support.shared_cases import SPREAD_CHOICES, TWO_WAYS, Case, cases, hands10, hands11, layoffs

NOT_EXPRESSED = {
    "layoff: any_spread_up_to_10": "the gain from spreading fewer melds; the rules forbid it",
    "layoffs.csv: naive_wrong_method": "the answer of a method nobody here implements",
    "hollywood_score HW-20: other_readings": "a misreading that no rule option offers",
    "hand_score HS-20: flat shutout variant": "named in the note only; no rule option offers it",
    "deadwood: published": "what the source printed, sometimes for another question; deadwood is checked",
    "flow FL-02, FL-03: error": "nobody can move unasked; the order of the questions is checked",
}
"""Parts of shared cases that the three twin test files leave out, and why. No case is left out whole."""

EVERY = 2  # every second row of the long tables: about four seconds
EAAI = preset_rules("eaai")


def named(kind: str) -> pytest.MarkDecorator:
    """Run a test once for each shared case of a kind, under the case's own id."""
    return pytest.mark.parametrize("case", cases(kind), ids=lambda case: case.id)


def texts(cards: list[int]) -> list[str]:
    return [format_card(card) for card in cards]


def masks(spread: list[str]) -> list[int]:
    return [parse_hand(meld) for meld in spread]


@named("deadwood")
def test_deadwood_is_least_over_all_spreads(case: Case) -> None:
    hand, expected = parse_hand(case.input["hand"]), case.expected
    assert deadwood(hand) == expected["deadwood"]
    assert best_spreads(hand) == sorted(sorted(spread) for spread in expected["spreads"])
    if "best_discards" in expected:
        least, discards = best_discards(hand)
        assert (least, texts(discards)) == (expected["best_after_discard"], expected["best_discards"])
        assert is_big_gin(hand) is expected["big_gin"]


@named("discard")
def test_best_discard_is_least_over_all_eleven(case: Case) -> None:
    hand, expected = parse_hand(case.input["hand"]), case.expected
    left = {format_card(card): points for card, points in deadwood_by_discard(hand).items()}
    assert left == expected["deadwood_by_discard"]
    least, discards = best_discards(hand)
    assert (least, texts(discards)) == (expected["best_after_discard"], expected["best_discards"])
    assert is_big_gin(hand) is expected["big_gin"]


@named("knock")
def test_knock_needs_one_legal_discard_within_the_limit(case: Case) -> None:
    hand, limit = parse_hand(case.input["hand"]), case.input["knock_limit"]
    forbidden = case.input["forbidden_discard"]
    barred = parse_card(forbidden[0]) if forbidden else NO_CARD
    assert texts(knock_discards(hand, limit, barred)) == case.expected["legal_knock_discards"]
    assert texts(gin_discards(hand, barred)) == case.expected["gin_discards"]
    assert is_big_gin(hand) is case.expected["big_gin"]


@pytest.mark.parametrize("case", [case for case in cases("rules") if "meld" in case.input], ids=lambda c: c.id)
def test_what_is_a_meld(case: Case) -> None:
    try:
        hand = parse_hand(case.input["meld"])
    except CardError:
        valid = False  # one card named twice
    else:
        valid = frozenset(cards_of(hand)) in all_melds(hand)
    assert valid is case.expected["valid"]


def test_upcard_sets_the_knock_limit_in_oklahoma() -> None:
    (case,) = [case for case in cases("rules") if "oklahoma_upcard" in case.input]
    ace_one = Rules(knock_limit="upcard")
    ace_gin = Rules(knock_limit="upcard", upcard_ace="gin")
    for card, limit in case.expected["limits"].items():
        assert knock_limit_of(ace_one, parse_card(card)) == knock_limit_of(ace_gin, parse_card(card)) == limit
        assert knock_limit_of(Rules(), parse_card(card)) == 10
    assert (knock_limit_of(ace_one, 0), knock_limit_of(ace_gin, 0)) == (1, 0)


@named("layoff")
def test_defender_melds_and_lays_off_his_best(case: Case) -> None:
    knocker, defender = parse_hand(case.input["knocker"]), parse_hand(case.input["defender"])
    expected = case.expected
    assert deadwood(knocker) == expected["knocker_deadwood"]
    assert deadwood(defender) == expected["defender_raw"]
    spreads = {tuple(sorted(a["melds"])): a for a in expected["arrangements"]}
    assert [tuple(spread) for spread in best_spreads(knocker)] == sorted(spreads)
    if expected["gin"]:
        assert score_deal(0, deadwood(defender), big_gin=False, rules=EAAI, doubled=False) == scored(case)
        return
    finals = [defender_final(masks(list(spread)), defender) for spread in spreads]
    assert finals == [a["defender_final"] for a in spreads.values()]
    assert (max(finals), min(finals)) == (expected["knocker_best"], expected["defender_best"])
    own = expected["knocker_deadwood"]
    assert score_deal(own, max(finals), big_gin=False, rules=EAAI, doubled=False) == scored(case)


def scored(case: Case) -> tuple[str, str, int]:
    """Read the deal's score that a case expects under the preset eaai."""
    default = case.expected.get("hand_score_default", case.expected)
    return default["result"].upper(), default["winner"], default["points"]


@named("layoff")
def test_published_layoffs_are_legal_and_reach_the_optimum(case: Case) -> None:
    for arrangement in case.expected["arrangements"]:
        grown = {meld: parse_hand(meld) for meld in arrangement["melds"]}
        rest = parse_hand(case.input["defender"])
        for layoff in arrangement["layoffs"]:
            card, meld = layoff.split(" on ")
            assert fits(parse_card(card), grown[meld]), layoff
            grown[meld] |= parse_hand(card)
            rest &= ~parse_hand(card)
        assert deadwood(rest) == arrangement["defender_final"]


@named("layoff")
def test_knocker_does_not_peek(case: Case) -> None:
    knocker, defender = parse_hand(case.input["knocker"]), parse_hand(case.input["defender"])
    spread = knocker_spread(knocker, 0, FULL_DECK & ~knocker)
    final = defender_final(spread, defender)
    if not case.expected["gin"]:
        assert case.expected["defender_best"] <= final <= case.expected["knocker_best"]


@pytest.mark.parametrize(("known", "others", "spread"), SPREAD_CHOICES)
def test_knocker_goes_by_known_cards_then_others_then_text(known: str, others: str, spread: list[str]) -> None:
    knocker = parse_hand(TWO_WAYS)
    assert knocker_spread(knocker, parse_hand(known), parse_hand(others)) == masks(spread)


def test_exposure_counts_no_points_for_links() -> None:
    run = masks(["5S 6S 7S"])
    eight, nine = parse_card("8S"), parse_card("9S")
    assert exposure(run, {nine}) == 0
    assert exposure(run, {nine}, {eight}) == 9
    assert exposure(run, {nine, eight}) == 17


def closure(spread: list[int], free: int) -> int:
    """Lay off whatever fits, on runs before sets: a third way to the most that free cards could lay off."""
    runs_first = sorted(spread, key=lambda meld: len({card % 13 for card in cards_of(meld)}) == 1)
    for place, meld in enumerate(runs_first):
        for card in cards_of(free):
            if fits(card, meld):
                grown = [*runs_first[:place], meld | 1 << card, *runs_first[place + 1 :]]
                return 1 << card | closure(grown, free & ~(1 << card))
    return 0


@pytest.mark.slow
def test_exposure_agrees_with_the_defender_search() -> None:
    for row in layoffs()[::EVERY]:
        knocker, defender = parse_hand(row.knocker), parse_hand(row.defender)
        for spread in map(masks, best_spreads(knocker)):
            rests = {leftover(defender, own) for own in arrangements(defender)}
            least = min(points_of(rest) - exposure(spread, set(cards_of(rest))) for rest in rests)
            assert least == defender_final(spread, defender), row
            others = FULL_DECK & ~(knocker | defender)
            counted = exposure(spread, set(cards_of(others)), set(cards_of(defender)))
            assert counted == points_of(closure(spread, others | defender) & others), row


def test_ten_cards_have_exact_deadwood() -> None:
    for row in hands10()[::EVERY]:
        hand = parse_hand(row.hand)
        assert (deadwood(hand), len(best_spreads(hand))) == (row.deadwood, row.n_optimal_spreads), row


def test_eleven_cards_have_exact_best_discards() -> None:
    for row in hands11()[::EVERY]:
        hand = parse_hand(row.hand)
        least, discards = best_discards(hand)
        assert deadwood(hand) == row.deadwood_11, row
        assert (least, texts(discards)) == (row.best_after_discard, row.best_discards), row


def test_knocks_have_exact_defender_finals_and_points() -> None:
    for row in layoffs()[::EVERY]:
        knocker, defender = parse_hand(row.knocker), parse_hand(row.defender)
        spreads = [masks(spread) for spread in best_spreads(knocker)]
        own, raw = deadwood(knocker), deadwood(defender)
        finals = [defender_final(spread, defender) if own else raw for spread in spreads]
        assert (own, raw, len(spreads)) == (row.knocker_deadwood, row.defender_raw, row.n_spreads), row
        assert (max(finals), min(finals)) == (row.final_knocker_best, row.final_defender_best), row
        score = score_deal(own, max(finals), big_gin=False, rules=EAAI, doubled=False)
        assert score == (row.result.upper(), row.winner, row.points), row
        unseen = FULL_DECK & ~knocker
        assert knocker_spread(knocker, 0, unseen) in spreads
