"""Naive twin of the meld kernel: exhaustive search over every disjoint set of melds.

Nothing here is clever: list all melds of the hand, try every way to lay some of them down together, and keep
the least deadwood. It shares nothing with `sim` but the card index and its text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations

from sim.cards import NO_CARD, cards_of, format_cards, points_of

Meld = frozenset[int]
Arrangement = tuple[Meld, ...]


def mask_of(cards: Iterable[int]) -> int:
    """Write cards as a 52-bit hand mask."""
    return sum(1 << card for card in set(cards))


def is_set(cards: frozenset[int]) -> bool:
    """Tell whether these are three or four cards of one rank."""
    return len(cards) in (3, 4) and len({card % 13 for card in cards}) == 1


def is_run(cards: frozenset[int]) -> bool:
    """Tell whether these are three or more consecutive cards of one suit, ace low."""
    one_suit = len({card // 13 for card in cards}) == 1
    return len(cards) >= 3 and one_suit and max(cards) - min(cards) == len(cards) - 1


def all_melds(hand: int) -> list[frozenset[int]]:
    """List every set and every run that the cards of a hand can make, long runs and their parts alike."""
    cards = list(cards_of(hand))
    same_rank = [[card for card in cards if card % 13 == rank] for rank in range(13)]
    same_suit = [[card for card in cards if card // 13 == suit] for suit in range(4)]
    # Within one suit the cards are in rank order, so a run is always a slice of the list.
    slices = (
        frozenset(suit[start:stop])
        for suit in same_suit
        for start in range(len(suit))
        for stop in range(start + 3, len(suit) + 1)
    )
    picks = (frozenset(pick) for rank in same_rank for size in (3, 4) for pick in combinations(rank, size))
    return [meld for meld in picks if is_set(meld)] + [meld for meld in slices if is_run(meld)]


def arrangements(hand: int) -> Iterator[Arrangement]:
    """Yield every set of disjoint melds of a hand, the empty one included."""
    return _extend((), all_melds(hand))


def _extend(chosen: Arrangement, candidates: list[Meld]) -> Iterator[Arrangement]:
    """Yield the chosen melds, alone and with every disjoint choice from the candidates."""
    yield chosen
    for place, meld in enumerate(candidates):
        yield from _extend((*chosen, meld), [later for later in candidates[place + 1 :] if not later & meld])


def leftover(hand: int, arrangement: Arrangement) -> int:
    """Return the cards of a hand outside the melds, as a mask."""
    return hand & ~mask_of(card for meld in arrangement for card in meld)


@lru_cache(maxsize=200_000)  # every discard of eleven cards asks again for most of the same tens
def deadwood(hand: int) -> int:
    """Return the least deadwood points of a hand over all arrangements."""
    return min(points_of(leftover(hand, arrangement)) for arrangement in arrangements(hand))


def merge_touching_runs(arrangement: Arrangement) -> frozenset[Meld]:
    """Join runs of one suit that touch, so that 3-4-5 with 6-7-8 is the one run 3-8."""
    for one, other in combinations(arrangement, 2):
        if is_run(one) and is_run(other) and is_run(one | other):
            rest = tuple(meld for meld in arrangement if meld not in (one, other))
            return merge_touching_runs((*rest, one | other))
    return frozenset(arrangement)


def spread_text(spread: Iterable[Meld]) -> list[str]:
    """Write a spread as the sorted list of its meld texts, each with its cards in card-index order."""
    return sorted(format_cards(sorted(meld)) for meld in spread)


def best_spreads(hand: int) -> list[list[str]]:
    """List all distinct minimum-deadwood spreads as meld texts; a hand without melds has the spread []."""
    least = deadwood(hand)
    spreads = {
        merge_touching_runs(arrangement)
        for arrangement in arrangements(hand)
        if points_of(leftover(hand, arrangement)) == least
    }
    return sorted(spread_text(spread) for spread in spreads)


def deadwood_by_discard(hand: int, barred: int = NO_CARD) -> dict[int, int]:
    """Map each card that may be discarded to the deadwood it leaves, in card-index order."""
    return {card: deadwood(hand & ~(1 << card)) for card in cards_of(hand) if card != barred}


def best_discards(hand: int, barred: int = NO_CARD) -> tuple[int, list[int]]:
    """Return the least deadwood after a legal discard, and every card that achieves it."""
    left = deadwood_by_discard(hand, barred)
    least = min(left.values())
    return least, [card for card in left if left[card] == least]


def knock_discards(hand: int, limit: int, barred: int = NO_CARD) -> list[int]:
    """List the legal discards that leave at most `limit` deadwood points."""
    return [card for card, left in deadwood_by_discard(hand, barred).items() if left <= limit]


def gin_discards(hand: int, barred: int = NO_CARD) -> list[int]:
    """List the legal discards that leave ten melded cards."""
    return knock_discards(hand, 0, barred)


def is_big_gin(hand: int) -> bool:
    """Tell whether these are eleven cards, all melded."""
    return hand.bit_count() == 11 and deadwood(hand) == 0
