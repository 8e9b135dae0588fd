"""Cards, hands and their text.

A card is an integer 0..51: ``suit * 13 + rank``, suits C D H S = 0..3, ranks A 2 .. K = 0..12 (ace low).
A hand is a 52-bit mask: bit ``card`` is set when the card is held. Text is ``AS 2S TD KH``; ``10D`` and lower
case are understood too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

RANKS = "A23456789TJQK"
SUITS = "CDHS"
N_CARDS = 52
FULL_DECK = (1 << N_CARDS) - 1
NO_CARD = -1
"""Stands for "no card" wherever a card index is expected: nothing barred, no upcard."""

PIPS = tuple(min(rank + 1, 10) for rank in range(13))
"""Deadwood points of each rank: ace 1, 2-10 face value, J Q K 10 (seed 000)."""


class CardError(ValueError):
    """Card text that cannot be read; the message names the card and what is allowed."""


def parse_card(text: str) -> int:
    """Read one card, ``AS``, ``10d`` or ``td``, as its index 0..51.

    Raises `CardError` naming the text when it is no card.
    """
    upper = text.strip().upper()
    if upper.startswith("10"):
        upper = "T" + upper[2:]
    if len(upper) != 2 or upper[0] not in RANKS or upper[1] not in SUITS:
        raise CardError(
            f'unknown card "{text}": a card is a rank (A 2-9 T or 10, J Q K) and a suit (C D H S), such as TD'
        )
    return SUITS.index(upper[1]) * 13 + RANKS.index(upper[0])


def format_card(card: int) -> str:
    """Write a card index 0..51 as two characters, such as ``TD``."""
    return RANKS[card % 13] + SUITS[card // 13]


def parse_hand(text: str, *, max_cards: int = N_CARDS) -> int:
    """Read cards separated by blanks or commas as a 52-bit hand mask.

    Raises `CardError` naming the card that is unknown, held twice, or the first one too many.
    """
    hand = 0
    for count, word in enumerate(re.findall(r"[^\s,]+", text), start=1):
        card = parse_card(word)
        if hand >> card & 1:
            raise CardError(f'card "{word}" appears twice in the hand "{text.strip()}"')
        if count > max_cards:
            raise CardError(f'card "{word}" is one too many: at most {max_cards} cards are allowed here')
        hand |= 1 << card
    return hand


def cards_of(hand: int) -> Iterator[int]:
    """Yield the card indices of a hand mask in card-index order."""
    bits = int(hand)
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


def format_cards(cards: Iterable[int]) -> str:
    """Write cards in the order given, separated by blanks."""
    return " ".join(format_card(card) for card in cards)


def format_hand(hand: int) -> str:
    """Write a hand mask as card texts in card-index order, separated by blanks."""
    return format_cards(cards_of(hand))


def points_of(hand: int) -> int:
    """Add up the deadwood points of all cards of a hand mask, melds or not."""
    return sum(PIPS[card % 13] for card in cards_of(hand))
