"""The reference engine plays a deal as the shared flow cases say; the cases are named with each test."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import TypeVar

import pytest

from sim.cards import NO_CARD, cards_of, parse_card, parse_hand
from sim.rules import Rules
from tests.support.naive_layoff import fits
from tests.support.naive_melds import deadwood, mask_of
from tests.support.naive_sheet import NaiveSheet
from tests.support.reference_engine import (
    NO_DEADWOOD,
    Deal,
    DealLog,
    IllegalMove,
    Player,
    Seen,
    play_deal,
    play_match,
    sheet_info_of,
)
from tests.support.shared_cases import cases

PROVEN: set[str] = set()
Test = TypeVar("Test", bound=Callable[..., None])


def proves(*case_ids: str) -> Callable[[Test], Test]:
    """Mark the flow cases that a test proves."""
    PROVEN.update(case_ids)
    return lambda test: test


@dataclass
class Scripted:
    """Plays from lists: upcards to take, discards in order, knock or not; remembers all it was asked and saw."""

    discards: list[str] = field(default_factory=list)
    takes: set[str] = field(default_factory=set)
    knocks: bool = False
    asked: list[tuple[str, Seen]] = field(default_factory=list)

    def take_upcard(self, seen: Seen) -> bool:
        self.asked.append(("take_upcard", seen))
        return seen.upcard in {parse_card(card) for card in self.takes}

    def should_knock(self, seen: Seen) -> bool:
        self.asked.append(("should_knock", seen))
        return self.knocks

    def choose_discard(self, seen: Seen) -> int:
        self.asked.append(("choose_discard", seen))
        return parse_card(self.discards.pop(0)) if self.discards else next(cards_of(seen.best_discards))


class Greedy(Scripted):
    """Takes what lowers its deadwood, throws the last of the best discards, knocks when it may."""

    def take_upcard(self, seen: Seen) -> bool:
        self.asked.append(("take_upcard", seen))
        return deadwood_of_best_ten(seen.hand | 1 << seen.upcard, seen.upcard) < seen.deadwood

    def should_knock(self, seen: Seen) -> bool:
        return True


def deadwood_of_best_ten(hand: int, barred: int) -> int:
    return min(deadwood(hand & ~(1 << card)) for card in cards_of(hand) if card != barred)


def deck(seat0: str, seat1: str = "", upcard: str = "", stock: str = "") -> list[int]:
    """Build a card stream from the cards that matter; the others fill the gaps, highest index first."""
    given = [list(map(parse_card, text.split())) for text in (seat0, seat1, upcard, stock)]
    rest = [card for card in reversed(range(52)) if card not in sum(given, [])]
    for cards, size in zip(given, (10, 10, 1, 31), strict=True):
        while len(cards) < size:
            cards.append(rest.pop(0))
    return sum(given, [])


def shuffled(seed: int) -> list[int]:
    return random.Random(seed).sample(range(52), 52)


def start(cards: list[int], players: list[Player], rules: Rules = Rules()) -> Deal:  # noqa: B008 - frozen
    """Return a deal not yet played, dealt by seat 1, so that its table can be looked at."""
    return Deal(cards, 1, rules, players, sheet_info_of(NaiveSheet(rules)), lambda seat, n: 100 * seat + n)


def kinds(log: DealLog) -> list[tuple[int, str]]:
    return [(seat, kind) for seat, kind, _ in log.moves]


FLAT = "AC 3D 5H 7S 9C JD KH 2C 4D 6H"  # no meld, and far from a knock


@proves("FL-01", "FL-02", "FL-03")
def test_both_pass_and_the_nondealer_draws_from_stock_unasked() -> None:
    players = [Scripted(), Scripted()]
    log = play_deal(deck(FLAT), 1, Rules(), players)
    assert kinds(log)[:3] == [(0, "pass"), (1, "pass"), (0, "draw")]
    offers = [[seen.offer for what, seen in player.asked if what == "take_upcard"] for player in players]
    assert [asked[0] for asked in offers] == [1, 1]
    assert not any(offers[0][1:] + offers[1][1:])
    assert [what for what, _ in players[0].asked[:2]] == ["take_upcard", "choose_discard"]


LAID = "AC 2C 3C 4D 5D 6D 7H 8H 9H TS"


@proves("FL-04")
@pytest.mark.parametrize("knocks", [False, True])
def test_the_upcard_just_taken_may_not_be_thrown_back(knocks: bool) -> None:
    for card, legal in (("TS", True), ("JS", False)):
        player = Scripted(takes={"JS"}, discards=[card], knocks=knocks)
        cards = deck(LAID, upcard="JS")
        if not legal:
            with pytest.raises(IllegalMove, match="thrown back") as refused:
                play_deal(cards, 1, Rules(), [player, Scripted()])
            kind = "knock" if knocks else "discard"
            assert (refused.value.seat, refused.value.move) == (0, (kind, parse_card("JS")))
            cards_back = play_deal(cards, 1, Rules(throw_back=True), [replace(player, discards=[card]), Scripted()])
            assert cards_back.moves[1] == (0, kind, parse_card("JS"))
        else:
            log = play_deal(cards, 1, Rules(), [player, Scripted()])
            assert log.moves[1][2] == parse_card("TS")
    assert player.asked[-1][1].barred == parse_card("JS")


@proves("FL-06")
def test_only_that_one_draw_is_from_stock_by_force() -> None:
    players = [Scripted(discards=["KS"]), Scripted(takes={"KS"})]
    log = play_deal(deck(FLAT, stock="KS"), 1, Rules(), players)
    assert log.moves[2:5] == [(0, "draw", 51), (0, "discard", 51), (1, "take", 51)]
    # What each may know of it: the upcard both passed, the king thrown, the king taken.
    _, seen = players[0].asked[2]
    assert (seen.taken, cards_of_count(seen.declined)) == (1 << 51, 1)
    _, seen = players[1].asked[1]
    assert seen.thrown == 1 << 51 and seen.declined == seen.pile & ~(1 << 51)


def cards_of_count(mask: int) -> int:
    return mask.bit_count()
