"""Players and card streams for tests of the reference engine: scripted, still, trading and greedy."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from sim.cards import N_CARDS, cards_of, parse_card, parse_hand
from tests.support.naive_melds import best_discards
from tests.support.reference_records import Seen


def deck(seat0: str = "", seat1: str = "", upcard: str = "", stock: str = "") -> list[int]:
    """Build a card stream that begins each part with the cards named; the rest fill the gaps, kings first."""
    parts = [[parse_card(card) for card in text.split()] for text in (seat0, seat1, upcard, stock)]
    named = {card for part in parts for card in part}
    rest = sorted(set(range(N_CARDS)) - named, key=lambda card: (-(card % 13), card))
    for part, size in zip(parts, (10, 10, 1, 31), strict=True):
        while len(part) < size:
            part.append(rest.pop(0))
    return [card for part in parts for card in part]


def shuffled(seed: int) -> list[int]:
    """Return a shuffled card stream, the same for the same seed."""
    return random.Random(seed).sample(range(N_CARDS), N_CARDS)


@dataclass
class Scripted:
    """Takes the upcards it is told to, throws the cards it is told to, then whatever was not dealt to it.

    It writes down every question and what it saw. `knock_at` is the stock at or below which it knocks.
    """

    takes: str = ""
    discards: list[str] = field(default_factory=list)
    knock_at: int = -1
    asked: list[tuple[str, Seen]] = field(default_factory=list)

    def take_upcard(self, seen: Seen) -> bool:
        self.asked.append(("take_upcard", seen))
        return bool(parse_hand(self.takes) >> seen.upcard & 1)

    def should_knock(self, seen: Seen) -> bool:
        self.asked.append(("should_knock", seen))
        return seen.stock_cards <= self.knock_at

    def choose_discard(self, seen: Seen) -> int:
        self.asked.append(("choose_discard", seen))
        if self.discards:
            return parse_card(self.discards.pop(0))
        # The last hand it held before this deal's first draw is the one it was dealt.
        dealt = [old.hand for _, old in self.asked if old.turn <= 2 and old.best_discards == 0][-1]
        return next(cards_of(seen.hand & ~dealt))


class Trader(Scripted):
    """Always takes the upcard and throws its lowest other card: two of them never end."""

    def take_upcard(self, seen: Seen) -> bool:
        return True

    def choose_discard(self, seen: Seen) -> int:
        return next(card for card in cards_of(seen.hand) if card != seen.barred)


class Greedy(Scripted):
    """Takes what lowers its deadwood, throws the highest of the best discards, knocks as soon as it may."""

    def take_upcard(self, seen: Seen) -> bool:
        self.asked.append(("take_upcard", seen))
        return best_discards(seen.hand | 1 << seen.upcard, seen.upcard)[0] < seen.deadwood

    def should_knock(self, seen: Seen) -> bool:
        self.asked.append(("should_knock", seen))
        return True

    def choose_discard(self, seen: Seen) -> int:
        self.asked.append(("choose_discard", seen))
        return max(cards_of(seen.best_discards), key=lambda card: (card % 13, card))
