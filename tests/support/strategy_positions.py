"""Random positions that no strategy need have led to: views for each of the three decisions."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

from sim.api import after_discard, bit, deadwood
from sim.cards import NO_CARD
from sim.view import make_view

SEED = 5


class Position(NamedTuple):
    """One question to a strategy: the decision asked for and the view it is asked with."""

    decision: str
    view: Any


@cache
def positions(count: int) -> tuple[Position, ...]:
    """Return the questions of so many random positions, always the same ones."""
    dice = random.Random(SEED)
    return tuple(question for _ in range(count) for question in _questions(dice))


def _questions(dice: random.Random) -> Iterator[Position]:
    """Yield what may be asked in one random position: at the draw, then after it, with and without a knock."""
    cards = _cards_with_melds(dice)
    hand, upcard, stock_card, others = _mask(cards[:10]), cards[10], cards[11], cards[12:]
    thrown, taken = _mask(others[:6]), _mask(others[6:8])
    table = {
        "upcard": upcard,
        "thrown": thrown | bit(upcard),
        "taken": taken,
        "declined": _mask(others[:3]),
        "knock_limit": dice.choice([10, 10, 10, 0, dice.randint(1, 9)]),
        "turn": dice.randint(1, 60),
        "is_dealer": dice.randint(0, 1),
        "target": 100,
        "gin_bonus": 25,
        "undercut_bonus": 10,
        "big_gin_bonus": dice.choice([-1, 31]),
        "my_points": [dice.randint(0, 99) for _ in range(3)],
        "their_needs": [dice.randint(-1, 2) for _ in range(3)],
    }

    def view(**fields: object) -> Any:
        return make_view(**table, **fields, noise=dice.getrandbits(64))

    stock_cards, pile = dice.randint(3, 31), thrown | bit(upcard)
    yield Position(
        "take_upcard",
        view(hand=hand, deadwood=deadwood(hand), pile=pile, stock_cards=stock_cards, offer=dice.randint(0, 1)),
    )
    takes, may_throw_back = dice.random() < 0.5, dice.random() < 0.2
    drawn = upcard if takes else stock_card
    barred = drawn if takes and not may_throw_back else NO_CARD
    eleven = hand | bit(drawn)
    left, best = after_discard(eleven, bit(barred) if barred != NO_CARD else 0)
    after = {
        "hand": eleven,
        "drawn": drawn,
        "barred": barred,
        "deadwood": left,
        "best_discards": best,
        "pile": thrown if takes else pile,
        "stock_cards": stock_cards - (not takes),
    }
    yield Position("choose_discard", view(**after))
    if left <= int(str(table["knock_limit"])):
        yield Position("should_knock", view(**after))
        yield Position("choose_discard", view(**after, knocking=1))


def _cards_with_melds(dice: random.Random) -> list[int]:
    """Return a shuffled deck whose first ten cards hold up to three melds, so that knocks are not rare."""
    deck = dice.sample(range(52), 52)
    first: list[int] = []
    for _ in range(dice.randint(0, 3)):
        meld = _meld(dice)
        if not set(meld) & set(first) and len(first) + len(meld) <= 10:
            first += meld
    return first + [card for card in deck if card not in first]


def _meld(dice: random.Random) -> list[int]:
    length = dice.choice([3, 3, 4])
    if dice.random() < 0.5:
        rank = dice.randrange(13)
        return [13 * suit + rank for suit in dice.sample(range(4), length)]
    first = 13 * dice.randrange(4) + dice.randrange(14 - length)
    return list(range(first, first + length))


def _mask(cards: Sequence[int]) -> int:
    return sum(1 << card for card in cards)
