"""The knocker's spread and the defender's best answer: kernels against shared cases and the naive twin."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import chain
from typing import NamedTuple

import numpy as np
import pytest

from sim.api import best_spreads, deadwood
from sim.cards import FULL_DECK, cards_of, parse_card, parse_hand, points_of
from sim.layoff import choose_spread, defend
from sim.presets import preset_rules
from sim.rules import Rules
from sim.solve import Showdown, showdown, spread_melds, spread_text
from tests.support import naive_layoff as naive
from tests.support.naive_melds import arrangements, leftover, mask_of
from tests.support.shared_cases import SPREAD_CHOICES, TWO_WAYS, Case, cases, layoffs

EAAI = preset_rules("eaai")
LAYOFFS = pytest.mark.parametrize("case", cases("layoff"), ids=lambda case: case.id)


class Position(NamedTuple):
    """A knock, as masks; `others` are neither in the knocker's hand nor in the pile nor known."""

    knocker: int
    defender: int
    known: int
    others: int


def chosen(hand: int, known: int, others: int) -> list[int]:
    """Return the melds of the kernel's spread."""
    sets, runs = choose_spread(np.uint64(hand), np.uint64(known), np.uint64(others))
    melds = spread_melds(hand, int(sets))
    assert sum(melds) == sets | runs
    return melds


def answered(defender: int, spread: list[int]) -> tuple[int, int]:
    """Return the kernel's least deadwood of the defender and the cards he keeps in sets."""
    sets = sum(meld for meld in spread if len({card % 13 for card in cards_of(meld)}) == 1)
    left, kept = defend(np.uint64(defender), np.uint64(sets), np.uint64(sum(spread) - sets))
    return int(left), int(kept)


def positions(seed: int, count: int, wanted: Callable[[int], bool] = bool) -> Iterator[Position]:
    """Draw knocks among a few adjacent ranks, where melds clash, with a knocker's hand that is `wanted`."""
    rng = random.Random(seed)
    while count:
        width = rng.randint(4, 8)
        low = rng.randrange(14 - width)
        deck = [suit * 13 + rank for suit in range(4) for rank in range(low, low + width)]
        deck += rng.sample([card for card in range(52) if card not in deck], 6)
        rng.shuffle(deck)
        knocker, defender, rest = mask_of(deck[:10]), deck[10:20], deck[20:]
        if wanted(knocker):
            known = mask_of(rng.sample(defender, rng.choice((0, 0, 1, 2, 3, 5))))
            pile = mask_of(rng.sample(rest, rng.randrange(len(rest))))
            yield Position(knocker, mask_of(defender), known, FULL_DECK & ~(knocker | pile | known))
            count -= 1


def several_spreads(hand: int) -> bool:
    return len(best_spreads(hand)) > 1


def may_knock(hand: int) -> bool:
    return 1 <= int(deadwood(hand)) <= 10


def lay_off(shown: Showdown, defender: int) -> int:
    """Carry out the layoffs of a showdown one by one, each of which must fit; return the cards kept."""
    melds = {text: parse_hand(text) for text in shown.spread}
    for layoff in shown.layoffs:
        card, meld = layoff.split(" on ")
        assert defender >> parse_card(card) & 1, layoff
        assert naive.fits(parse_card(card), melds[meld]), layoff
        melds[meld] |= parse_hand(card)
        defender &= ~parse_hand(card)
    return defender


# --- the shared cases


def _score(case: Case) -> tuple[str, str, int]:
    scored = case.expected.get("hand_score_default", case.expected)
    return scored["result"], scored["winner"], scored["points"]


@LAYOFFS
def test_shared_layoffs_card_by_card(case: Case) -> None:
    knocker, defender = parse_hand(case.input["knocker"]), parse_hand(case.input["defender"])
    expected, shown = case.expected, showdown(knocker, defender, EAAI)
    assert (shown.knocker_deadwood, shown.gin) == (expected["knocker_deadwood"], expected["gin"])
    assert shown.defender_before == expected["defender_raw"]
    found = {tuple(sorted(a["melds"])): a for a in expected["arrangements"]}
    assert best_spreads(knocker) == [list(spread) for spread in sorted(found)]
    arrangement = found[tuple(shown.spread)]
    assert shown.defender_after == arrangement["defender_final"]
    assert sorted(shown.layoffs) == sorted(arrangement["layoffs"])
    assert deadwood(lay_off(shown, defender)) == shown.defender_after
    if expected["knocker_best"] == expected["defender_best"]:
        assert (shown.ending, shown.scorer, shown.points) == _score(case)


@LAYOFFS
def test_the_defender_answers_every_best_spread_of_the_shared_layoffs(case: Case) -> None:
    defender = parse_hand(case.input["defender"])
    for arrangement in case.expected["arrangements"]:
        if not case.expected["gin"]:  # nothing is laid off on gin
            spread = [parse_hand(meld) for meld in arrangement["melds"]]
            assert answered(defender, spread)[0] == arrangement["defender_final"]


def test_1800_shared_knocks_come_out_as_checked() -> None:
    exact = 0
    for row in layoffs():
        knocker, defender = parse_hand(row.knocker), parse_hand(row.defender)
        shown = showdown(knocker, defender, EAAI)
        assert (shown.knocker_deadwood, shown.defender_before) == (row.knocker_deadwood, row.defender_raw), row
        assert len(best_spreads(knocker)) == row.n_spreads
        assert shown.spread in best_spreads(knocker)
        assert row.final_defender_best <= shown.defender_after <= row.final_knocker_best, row
        if row.final_defender_best == row.final_knocker_best:
            exact += 1
            assert (shown.ending, shown.scorer, shown.points) == (row.result, row.winner, row.points), row
        if shown.gin:
            assert (shown.layoffs, shown.defender_after) == ([], row.defender_raw), row
        assert deadwood(lay_off(shown, defender)) == shown.defender_after, row
    assert exact == 1_696  # the others turn on the knocker's choice among two or three spreads


# --- the naive twin


def test_knocker_spreads_as_the_naive_search_over_all_best_spreads() -> None:
    by_known = by_others = by_text = 0
    for at in positions(1, 400, several_spreads):
        spread = chosen(at.knocker, at.known, at.others)
        assert spread == naive.knocker_spread(at.knocker, at.known, at.others), at
        ranks = sorted(_exposure([parse_hand(meld) for meld in text], at) for text in best_spreads(at.knocker))
        by_known += ranks[0][0] < ranks[1][0]
        by_others += ranks[0][0] == ranks[1][0] and ranks[0] != ranks[1]
        by_text += ranks[0] == ranks[1]
    # Each of the three criteria has decided often enough to be tested.
    assert min(by_known, by_others, by_text) >= 20


def _exposure(spread: list[int], at: Position) -> tuple[int, int]:
    known, others = set(cards_of(at.known)), set(cards_of(at.others))
    return naive.exposure(spread, known), naive.exposure(spread, others, known)


def test_knocker_never_spreads_more_than_his_least_deadwood() -> None:
    for at in positions(2, 600):
        spread = chosen(at.knocker, at.known, at.others)
        assert spread_text(spread) in best_spreads(at.knocker)
        assert spread == naive.knocker_spread(at.knocker, at.known, at.others), at


def test_defender_answers_as_the_naive_search_over_melds_and_layoffs() -> None:
    drawn = chain(positions(3, 400), positions(5, 300, several_spreads), positions(6, 300, may_knock))
    broken = 0
    for at in drawn:
        spread = chosen(at.knocker, at.known, at.others)
        left, kept = answered(at.defender, spread)
        assert left == naive.defender_final(spread, at.defender), at
        # The sets he keeps are part of an optimum.
        assert kept & ~at.defender == 0
        assert naive.defender_final(spread, at.defender & ~kept) == left, at
        broken += left < _melds_first(spread, at.defender)
    assert broken > 10  # it does happen that he must break a meld


def _melds_first(spread: list[int], defender: int) -> int:
    """Return what is left when the defender fixes his melds before he lays off: the common mistake."""
    least = deadwood(defender)
    rests = [leftover(defender, own) for own in arrangements(defender)]
    return min(naive.defender_final(spread, rest) for rest in rests if points_of(rest) == least)


def test_layoffs_told_card_by_card_are_legal_and_reach_the_optimum() -> None:
    told = 0
    for at in positions(4, 200, may_knock):
        shown = showdown(at.knocker, at.defender, EAAI)
        unseen = FULL_DECK & ~at.knocker
        assert [parse_hand(meld) for meld in shown.spread] == naive.knocker_spread(at.knocker, 0, unseen)
        assert deadwood(lay_off(shown, at.defender)) == shown.defender_after == _final(shown, at.defender)
        told += len(shown.layoffs)
    assert told > 200


def _final(shown: Showdown, defender: int) -> int:
    return naive.defender_final([parse_hand(meld) for meld in shown.spread], defender)


# --- rules, one by one


@pytest.mark.parametrize(("known", "others", "spread"), SPREAD_CHOICES)
def test_knocker_goes_by_known_cards_then_others_then_text(known: str, others: str, spread: list[str]) -> None:
    assert spread_text(chosen(parse_hand(TWO_WAYS), parse_hand(known), parse_hand(others))) == spread


@pytest.mark.parametrize(
    ("spread", "defender", "left"),
    [
        (["5S 6S 7S"], "4S 3S 8S 9S TS", 0),  # chains at both ends
        (["QS KS JS"], "AS AC", 2),  # no wrap: a king has no upper neighbour
        (["AS 2S 3S"], "KH KS", 20),  # nor an ace a lower one, in its suit or by card number
        (["JD QD KD"], "AH TD", 1),
        (["7C 7D 7H"], "7S 8S", 8),  # a set takes its fourth, and no run grows from it
        (["7C 7D 7H 7S"], "8S", 8),
        (["7C 7D 7H", "4S 5S 6S"], "7S 8S 9S", 0),  # better a run of his own or on the run
        (["9C 9D 9H", "TS JS QS"], "9S 8S", 0),  # a card that fits two melds goes where another can follow
        (["5S 6S 7S", "9C TC JC"], "8S 8C 8D 9S 7C", 8),  # he breaks his eights
        ([], "8S 8C 8D 9S", 9),
    ],
)
def test_defender_lays_off_as_the_rules_say(spread: list[str], defender: str, left: int) -> None:
    melds = [parse_hand(meld) for meld in spread]
    assert answered(parse_hand(defender), melds)[0] == left == naive.defender_final(melds, parse_hand(defender))


FOUR, ALSO_FOUR = "AC 2C 3C 7D 8D 9D JH JS JC 4S", "5H 6H 7H KC KD KH QC QD QS 4D"


def test_equal_deadwood_undercuts_unless_the_rules_leave_ties_to_the_knocker() -> None:
    knocker, defender = parse_hand(FOUR), parse_hand(ALSO_FOUR)
    undercut = showdown(knocker, defender, EAAI)
    assert (undercut.ending, undercut.scorer, undercut.points) == ("undercut", "defender", 25)
    kept = showdown(knocker, defender, Rules(tie="knocker"))
    assert (kept.ending, kept.scorer, kept.points) == ("knock", "knocker", 0)


def test_more_than_the_limit_cannot_be_knocked_with() -> None:
    knocker, defender = parse_hand(FOUR), parse_hand(ALSO_FOUR)
    assert showdown(knocker, defender, Rules(knock_limit=4)).knocker_deadwood == 4
    with pytest.raises(ValueError, match="at most 3"):
        showdown(knocker, defender, Rules(knock_limit=3))
