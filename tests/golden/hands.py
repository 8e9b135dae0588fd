"""Hands of a given deadwood, and deals that are worth given points to a given seat.

Every knocker holds the ace of clubs and no defender does, so two players who knock "with AC" (`KNOCKERS_KNOCK`) and
otherwise throw what they draw end each of these deals as it was laid out, whoever deals.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations

from sim.api import deadwood
from sim.cards import PIPS, parse_card, parse_hand
from sim.rules import Rules
from tests.support.scripted_players import deck
from tests.support.stacked_deals import Played, Script, play_deals, play_legs

A, B, C = 0, 1, 2
GIN_BONUS = 25
MELDS = "AC 2C 3C 7D 8D 9D JC JH JS"
TENTH = ["4C", "AH", "2H", "3S", "4D", "5S", "6C", "7S", "8S", "9C", "TC"]
KNOCKERS = {points: f"{MELDS} {card}" for points, card in enumerate(TENTH)}
"""Ten cards by their deadwood; no king or queen improves them."""
OWN_MELDS = ("4H 5H 6H", "KC KH KS", "QC QD QS")
LOOSE = ["AD", "2S", "3D", "4S", "5D", "6S", "7C", "8C", "9S", "9H", "TS", "TH", "QH", "QC", "KS", "KD"]
"""A defender's cards: no meld among the loose ones, and nothing that fits a knocker's melds."""
JACK = ["JD"]  # would fit: for gin only, where nothing is laid off
LOOSE_POINTS = {card: PIPS[parse_card(card) % 13] for card in LOOSE + JACK}
FLAT = ("AC 3D 5H 7S 9C JD KH 2C 4D 6H", "2S 4C 6D 8H TS QC AD 3H 5S 7C")
"""Ten cards for each seat, far from any knock."""
DEAD = deck(*FLAT)
"""A deal in which nobody can knock who throws what he draws."""
KNOCKERS_KNOCK = Script(knocks_with="AC")
A_FIRST = Rules(first_dealer="b")


@cache
def defender(points: int, without: str = "") -> str:
    """Return ten cards of this deadwood, 0 to 96, that go with every knocker, `without` some cards."""
    taken = set(without.split())
    if points == 0:
        return "4H 5H 6H 7H KC KH KS QC QD QS"
    for melds in (melds for size in (3, 2, 1, 0) for melds in combinations(OWN_MELDS, size)):
        kept = " ".join(melds).split()
        for loose in combinations(LOOSE if melds else LOOSE + JACK, 10 - len(kept)):
            if sum(map(LOOSE_POINTS.__getitem__, loose)) == points and taken.isdisjoint([*kept, *loose]):
                hand = {*kept, *loose}
                if len(hand) == 10 and deadwood(parse_hand(" ".join(hand))) == points:
                    return " ".join(sorted(hand))
    raise ValueError(f"no defender has {points} points")


def knock(seat: int, own: int, other: int, upcard: str = "2D", drawn: str = "") -> list[int]:
    """Return a deal in which a seat knocks with `own` deadwood, gin if none, against `other`."""
    knocker, other_hand = KNOCKERS[own], defender(other, f"{upcard} {drawn}")
    if seat == 0:
        return deck(knocker, other_hand, upcard, drawn)
    return deck(other_hand, knocker, upcard, drawn)


def worth(seat: int, points: int) -> list[int]:
    """Return a deal that gives a seat these points, 0 to 121: a knock, from 25 on gin with the bonus of 25.

    Nought is a tie of ten and ten, which scores so under ``tie=knocker``.
    """
    if points == 0:
        return knock(seat, 10, 10)
    return knock(seat, 1, points + 1) if points < GIN_BONUS else knock(seat, 0, points - GIN_BONUS)


def laid_out(events: Sequence[str]) -> list[list[int]]:
    """Return deals that come to these events, ``A 10`` or ``void``; in leg 0 side A has seat 0."""
    return [DEAD if event == "void" else worth("AB".index(event[0]), int(event[2:])) for event in events]


def play_events(events: Sequence[str], rules: Rules = A_FIRST) -> Played:
    """Play deals that come to these events, in leg 0, on the kernels."""
    return play_deals(laid_out(events), [KNOCKERS_KNOCK] * 2, rules)


def play_match(events: Sequence[str], rules: Rules = A_FIRST) -> Played:
    """Play the two legs that these events lead to; in leg 1 side B scores what A scores in leg 0."""
    return play_legs(laid_out(events), [KNOCKERS_KNOCK] * 2, rules)
