"""Replayed pairs under every preset: the story of each deal is played out again here, card by card, by plain rules.

Nothing of the followed moves is believed: hands, stock and pile are kept anew, deadwood, spread and layoffs come from
the naive solver, the points from the naive scorer.
"""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from experiments.replay import Replay, replay_free
from sim.cards import FULL_DECK, NO_CARD, cards_of, parse_hand, points_of
from sim.follow import Follower
from sim.presets import PRESETS
from sim.rows import CARD_BITS, KNOCKED, NOBODY, TOOK, Ending
from sim.rules import PARTNERSHIP, THREE_HANDED, TWO_HANDED, Rules
from sim.story import DealStory, MatchStory
from tests.support.naive_layoff import defender_final, knocker_spread, score_deal
from tests.support.naive_melds import deadwood, mask_of
from tests.support.reference_deal import knock_limit_of

SEED = 20_262
PAIRS = (0, 60)
"""In pair 60 of `hollywood` a knocker chooses his spread by what lies in the discard pile."""
PLAYERS = {
    TWO_HANDED: ("greedy", "simple"),
    PARTNERSHIP: ("greedy/simple", "threshold:knock_at=0"),
    THREE_HANDED: ("greedy", "simple", "threshold:knock_at=3"),
}
OPTIONS: dict[str, dict[str, object]] = {
    "short": {"turn_cap": 8, "next_dealer": "loser"},
    "loose": {"throw_back": True, "tie": "knocker", "count_zero_wins": False, "carry": "strict"},
    "big": {"big_gin": 31, "knock_limit": 0, "match_winner": "first_column"},
}
"""Options that no preset has, tried on every form of play."""
CASES = [(preset, "") for preset in PRESETS] + [
    (preset, name) for preset in ("hollywood", "partnership", "three-handed") for name in OPTIONS
]
every_case = pytest.mark.parametrize(("preset", "name"), CASES, ids=[" ".join(filter(None, case)) for case in CASES])


@cache
def replayed(preset: str, name: str, pair: int) -> Replay:
    return replay_free(PLAYERS[PRESETS[preset].form], preset, OPTIONS.get(name, {}), SEED, pair)


def matches(preset: str, name: str) -> list[MatchStory]:
    """Return the matches of the pairs of a case."""
    return [match for pair in PAIRS for match in replayed(preset, name, pair).matches]


class Retold:
    """The cards of a deal, moved as its turns say; every step is checked against the rules of play."""

    def __init__(self, deal: DealStory, rules: Rules) -> None:
        self.deal, self.rules = deal, rules
        seats = [deal.stream[:10], deal.stream[10:20]]
        self.hands = {side: set(seats[seat]) for side, seat in zip(deal.sides, deal.seats, strict=True)}
        self.known: dict[int, set[int]] = {side: set() for side in deal.sides}
        self.pile, self.stock = [deal.stream[20]], list(deal.stream[21:])
        self.other = {deal.sides[0]: deal.sides[1], deal.sides[1]: deal.sides[0]}

    def play(self) -> None:
        """Play all turns, the first by who took the upcard or, after two passes, by the non-dealer."""
        first = self.other[self.deal.dealer]
        offered = (first, self.deal.dealer)
        for number, turn in enumerate(self.deal.turns):
            if number == 0:
                assert self.deal.passed == (offered[: offered.index(turn.side)] if turn.taken else offered)
                assert turn.taken or turn.side == first
            else:
                assert turn.side == self.other[self.deal.turns[number - 1].side]
            self._turn(number)

    def _turn(self, number: int) -> None:
        turn = self.deal.turns[number]
        hand = self.hands[turn.side]
        assert turn.drawn == (self.pile.pop() if turn.taken else self.stock.pop(0))
        hand.add(turn.drawn)
        if turn.taken:
            self.known[turn.side].add(turn.drawn)
        if turn.thrown != NO_CARD:
            assert not turn.taken or turn.thrown != turn.drawn or self.rules.throw_back
            hand.remove(turn.thrown)
            self.known[turn.side].discard(turn.thrown)
            self.pile.append(turn.thrown)
        assert turn.deadwood == deadwood(mask_of(hand))
        assert not turn.knocked or number == len(self.deal.turns) - 1
        assert not turn.knocked or turn.deadwood <= self.deal.knock_limit

    def mask(self, side: int) -> int:
        """Return the hand of a side as a mask."""
        return mask_of(self.hands[side])


def retold(match: MatchStory, deal: DealStory) -> Retold:
    told = Retold(deal, match.rules)
    told.play()
    return told


def deals_of(preset: str, name: str) -> list[tuple[MatchStory, DealStory]]:
    return [(match, deal) for match in matches(preset, name) for deal in match.deals]


# --- the cards


@every_case
def test_the_stream_holds_every_card_once_and_the_hands_are_those_of_the_seats(preset: str, name: str) -> None:
    for match, deal in deals_of(preset, name):
        assert sorted(deal.stream) == list(range(52))
        assert sorted(deal.seats) == [0, 1]
        for hand, seat, side in zip(deal.hands, deal.seats, deal.sides, strict=True):
            assert hand == mask_of(deal.stream[10 * seat : 10 * seat + 10])
            if match.rules.form != THREE_HANDED:
                assert seat == side ^ match.leg
                assert deal.row.initial_deadwood[side] == deadwood(hand)
        assert deal.hands[0] & deal.hands[1] == 0
        assert deal.upcard == deal.stream[20]


@every_case
def test_all_legs_of_a_pair_have_the_same_cards_and_the_same_seat_deals_first(preset: str, name: str) -> None:
    for pair in PAIRS:
        legs = replayed(preset, name, pair).matches
        assert [match.leg for match in legs] == list(range(legs[0].rules.legs))
        first = [match.deals[0] for match in legs]
        assert len({deal.seats[deal.sides.index(deal.dealer)] for deal in first}) == 1
        for deals in zip(*(match.deals for match in legs), strict=False):
            assert len({deal.stream for deal in deals}) == 1


@every_case
def test_every_turn_follows_from_the_cards(preset: str, name: str) -> None:
    for match, deal in deals_of(preset, name):
        told = retold(match, deal)
        assert (len(deal.turns), len(told.stock)) == (deal.row.turns, deal.row.stock_left)
        limit = knock_limit_of(match.rules, deal.upcard)
        assert deal.knock_limit == deal.row.knock_limit == limit
        assert deal.multiplier == 1 + (match.rules.spade_doubles and deal.upcard // 13 == 3)


@every_case
def test_follower_knows_what_each_holds_openly_and_what_lies_in_the_pile(preset: str, name: str) -> None:
    for match, deal in deals_of(preset, name):
        told = retold(match, deal)
        follower = Follower(deal.sides, deal.hands, deal.stream, deal.sides.index(deal.dealer))
        moves = [t.thrown & CARD_BITS | TOOK * t.taken | KNOCKED * t.knocked for t in deal.turns]
        passed, turns = follower.follow(deal.sides.index(deal.turns[0].side), moves)
        assert (passed, turns) == (deal.passed, deal.turns)
        assert follower.hands == [told.mask(side) for side in deal.sides]
        assert follower.known == [mask_of(told.known[side]) for side in deal.sides]
        assert follower.pile == mask_of(told.pile)


# --- the end of a deal


@every_case
def test_a_deal_ends_as_its_last_turn_says(preset: str, name: str) -> None:
    for match, deal in deals_of(preset, name):
        row, last = deal.row, deal.turns[-1]
        if row.scorer == NOBODY:
            assert not last.knocked
            assert deal.laydown is None
            assert row.points == 0
            dead = row.stock_left == 2 if deal.ending == Ending.WALL else len(deal.turns) == match.rules.turn_cap
            assert dead
            continue
        assert last.knocked
        assert (last.side, last.deadwood) == (row.knocker, row.knocker_deadwood)
        assert (last.thrown == NO_CARD) is (deal.ending == Ending.BIG_GIN)
        ending, scorer, points = score_deal(
            last.deadwood,
            int(row.defender_deadwood_after),
            big_gin=last.thrown == NO_CARD,
            rules=match.rules,
            doubled=deal.multiplier == 2,
        )
        assert Ending[ending.upper()] == deal.ending
        assert ((scorer == "knocker") == (row.scorer == row.knocker), points) == (True, row.points)


@every_case
def test_what_is_laid_down_is_the_best_of_both(preset: str, name: str) -> None:
    """Compares with the naive solver, and adds up what the texts leave in the defender's hand."""
    for match, deal in deals_of(preset, name):
        if deal.laydown is None:
            continue
        told, laid, row = retold(match, deal), deal.laydown, deal.row
        knocker, other = told.mask(row.knocker), told.mask(told.other[row.knocker])
        known = mask_of(told.known[told.other[row.knocker]])
        spread = knocker_spread(knocker, known, FULL_DECK & ~(knocker | mask_of(told.pile) | known))
        assert [parse_hand(meld) for meld in laid.spread] == spread
        assert laid.defender_before == row.defender_deadwood_before == deadwood(other)
        left = deadwood(other) if row.knocker_deadwood == 0 else defender_final(spread, other)
        assert laid.defender_after == row.defender_deadwood_after == left
        gone = [*laid.defence, *(text.partition(" on ")[0] for text in laid.layoffs)]
        cards = [card for text in gone for card in cards_of(parse_hand(text))]
        assert len(set(cards)) == len(cards)
        assert mask_of(cards) & ~other == 0
        assert points_of(other & ~mask_of(cards)) == left
        assert {text.partition(" on ")[2] for text in laid.layoffs} <= set(laid.spread)


def test_every_ending_was_told() -> None:
    seen = Counter(deal.ending for preset, name in CASES for _, deal in deals_of(preset, name))
    assert seen.keys() == set(Ending)
    assert sum(deal.multiplier == 2 for preset, name in CASES for _, deal in deals_of(preset, name)) > 5
    layoffs = [deal for preset, name in CASES for _, deal in deals_of(preset, name) if deal.laydown]
    assert sum(bool(deal.laydown and deal.laydown.layoffs) for deal in layoffs) > 20
