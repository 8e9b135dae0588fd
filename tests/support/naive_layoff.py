"""Naive twin of the layoff kernel: the defender's best answer, the knocker's spread, the points of a deal.

Two searches that share only `fits`: the defender lays off card by card in every order; exposure tries every
final state of every meld. A test holds one to the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from functools import lru_cache

from sim.cards import cards_of, parse_hand, points_of
from sim.rules import Rules
from tests.support.naive_melds import arrangements, best_spreads, leftover, mask_of

NOTHING: frozenset[int] = frozenset()


def fits(card: int, meld: int) -> bool:
    """Tell whether a card extends this meld as it now lies: fourth of a set, or next to an end of a run."""
    cards = list(cards_of(meld))
    if len({held % 13 for held in cards}) == 1:
        return card % 13 == cards[0] % 13 and card not in cards
    # Neighbours in one suit: a king and the next suit's ace are neighbours by index only.
    return card // 13 == cards[0] // 13 and card in (cards[0] - 1, cards[-1] + 1)


def defender_final(spread: Sequence[int], defender: int) -> int:
    """Return the defender's least deadwood after melds and layoffs chosen together.

    `spread` holds the knocker's melds as masks. Every set of own melds is tried, the empty one included,
    because it may pay to break a meld and lay its cards off.
    """
    rests = {leftover(defender, own_melds) for own_melds in arrangements(defender)}
    return min(_least_left(tuple(spread), rest) for rest in rests)


@lru_cache(maxsize=200_000)  # many orders of laying off lead to the same table
def _least_left(spread: tuple[int, ...], rest: int) -> int:
    """Return the least points left of the cards outside own melds, over every order of laying off."""
    return min([points_of(rest), *(_least_left(grown, kept) for grown, kept in _one_layoff(spread, rest))])


def _one_layoff(spread: tuple[int, ...], rest: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield the spread and the cards kept after each possible layoff of a single card."""
    for card in cards_of(rest):
        for place, meld in enumerate(spread):
            if fits(card, meld):
                yield (*spread[:place], meld | 1 << card, *spread[place + 1 :]), rest & ~(1 << card)


def exposure(spread: Sequence[int], cards: Set[int], through: Set[int] = NOTHING) -> int:
    """Return the greatest points that `cards` could lay off on a spread, chains included.

    Cards of `through` may serve as links of a chain but their points do not count.
    """
    return _most_points(tuple(spread), mask_of(cards | through), mask_of(cards))


def _most_points(spread: tuple[int, ...], free: int, counted: int) -> int:
    """Return the greatest counted points, over every way to extend the melds one after the other."""
    if not spread:
        return 0
    return max(
        points_of(laid & counted) + _most_points(spread[1:], free & ~laid, counted)
        for laid in _extensions(spread[0], free & _kindred(spread[0]))
    )


def _kindred(meld: int) -> int:
    """Return the cards that this one meld could ever take: those of its rank, or of its suit."""
    first, second, *_ = cards_of(meld)
    same_rank = first % 13 == second % 13
    return mask_of(c for c in range(52) if (c % 13 == first % 13 if same_rank else c // 13 == first // 13))


@lru_cache(maxsize=50_000)
def _extensions(meld: int, free: int) -> frozenset[int]:
    """Return every set of free cards that can be laid on one meld, each as a mask; nothing at all is one."""
    found = {0}
    for card in cards_of(free):
        if fits(card, meld):
            found |= {1 << card | more for more in _extensions(meld | 1 << card, free & ~(1 << card))}
    return frozenset(found)


def knocker_spread(hand10: int, known: int, others: int) -> list[int]:
    """Return the spread a knocker lays down, as meld masks in the order of its sorted meld texts.

    Among his minimum-deadwood spreads: least exposure to the cards `known` in the defender's hand, then to
    `others` (outside his own hand and the discard pile; chains may pass through known cards), then the
    spread's text.
    """
    known_cards, other_cards = set(cards_of(known)), set(cards_of(others))

    def rank(text: list[str]) -> tuple[int, int, list[str]]:
        melds = [parse_hand(meld) for meld in text]
        return exposure(melds, known_cards), exposure(melds, other_cards, known_cards), text

    texts = best_spreads(hand10)
    chosen = min(texts, key=rank) if len(texts) > 1 else texts[0]  # no choice, no search
    return [parse_hand(meld) for meld in chosen]


def score_deal(
    knocker_deadwood: int, defender_deadwood: int, *, big_gin: bool, rules: Rules, doubled: bool
) -> tuple[str, str, int]:
    """Return a knock's ending, who scores (``knocker`` or ``defender``), and the points.

    `defender_deadwood` is what is left after his layoffs. Raises ValueError for a big gin that the rules do
    not have.
    """
    ending, scorer, points = _undoubled(knocker_deadwood, defender_deadwood, big_gin, rules)
    return ending, scorer, 2 * points if doubled else points


def _undoubled(knocker: int, defender: int, big_gin: bool, rules: Rules) -> tuple[str, str, int]:
    """Return ending, scorer and points of a deal before a spade upcard doubles them."""
    if big_gin:
        if not isinstance(rules.big_gin, int):
            raise ValueError(f'big gin with the rule option big_gin = "{rules.big_gin}"')
        return "BIG_GIN", "knocker", defender + rules.big_gin
    if knocker == 0:  # gin cannot be undercut, not even by zero
        return "GIN", "knocker", defender + rules.gin_bonus
    if defender < knocker or (defender == knocker and rules.tie == "undercut"):
        return "UNDERCUT", "defender", knocker - defender + rules.undercut_bonus
    return "KNOCK", "knocker", defender - knocker
