"""The solver for people: spreads as card texts, and a knock told card by card."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from numba import types

from sim.bits import U0, Mask, Number, Words
from sim.cards import FULL_DECK, NO_CARD, CardError, cards_of, format_card, format_hand, points_of
from sim.jit import entry
from sim.layoff import choose_spread, defend, left_over
from sim.melds import RANK_COLUMN, after_discard, deadwood, next_sets, points, run_cards, set_ranks
from sim.rules import Rules

Spread = list[str]
"""A spread as text: meld texts in text order, the cards of a meld in card-index order."""

MAX_CARDS = 11
MAX_CHOICES = 72
"""Room for the set choices of eleven cards: two ranks held by four, six ways each, and one held by three, two ways."""
_CHOICES = types.Array(types.uint64, 1, "C")
_ACES = int(RANK_COLUMN)


@entry(types.int64(types.uint64, _CHOICES))
def _best_sets(hand: Mask, found: Words) -> Number:
    """Write the set choices of all least-deadwood spreads into `found`; return how many there are."""
    least, count = deadwood(hand), 0
    ranks = set_ranks(hand)
    sets = U0
    while True:
        rest = hand & ~sets
        if points(rest & ~run_cards(rest)) == least:
            found[count] = sets
            count += 1
        sets = next_sets(hand, ranks, sets)
        if sets == U0:
            return count


@entry(types.int64(types.UniTuple(types.uint64, 3), _CHOICES))
def _best_defences(cards: tuple[Mask, Mask, Mask], found: Words) -> Number:
    """Write the defender's best choices of sets of his own into `found`; `cards` are his hand, sets and runs."""
    defender, sets, runs = cards
    least, _ = defend(defender, sets, runs)
    ranks = set_ranks(defender)
    count, own = 0, U0
    while True:
        if points(left_over(defender & ~own, sets, runs)) == least:
            found[count] = own
            count += 1
        own = next_sets(defender, ranks, own)
        if own == U0:
            return count


@entry(types.UniTuple(types.uint64, 2)(types.uint64, types.uint64, types.uint64))
def _chosen_spread(hand: Mask, known: Mask, others: Mask) -> tuple[Mask, Mask]:
    return choose_spread(hand, known, others)


def _choices() -> npt.NDArray[np.uint64]:
    return np.zeros(MAX_CHOICES, np.uint64)


def _touching(cards: int) -> Iterator[int]:
    """Yield the blocks of touching cards of a suit in a mask, in card-index order."""
    block = previous = 0
    for card in cards_of(cards):
        if block and (card != previous + 1 or card % 13 == 0):
            yield block
            block = 0
        block |= 1 << card
        previous = card
    if block:
        yield block


def run_melds(cards: int) -> list[int]:
    """Return the runs that a mask holds: its blocks of three or more touching cards of a suit."""
    return [block for block in _touching(cards) if block.bit_count() >= 3]


def set_melds(sets: int) -> list[int]:
    """Return the sets that make up a mask of cards melded in sets, by rank."""
    return [sets & _ACES << rank for rank in range(13) if sets & _ACES << rank]


def spread_melds(hand: int, sets: int) -> list[int]:
    """Return the melds of a spread: its sets, and the runs of the rest of the hand, as masks in text order."""
    return sorted(set_melds(sets) + run_melds(hand & ~sets), key=format_hand)


def spread_text(melds: list[int]) -> Spread:
    """Return melds as texts."""
    return [format_hand(meld) for meld in melds]


def best_spreads(hand: int) -> list[Spread]:
    """Return every least-deadwood spread of a hand of 1 to 11 cards, in text order.

    Touching runs of a suit are one run. A hand without melds has the one spread ``[]``. Raises `CardError` for more
    cards.
    """
    if hand.bit_count() > MAX_CARDS:
        raise CardError(f"a hand holds at most {MAX_CARDS} cards; this one has {hand.bit_count()}")
    found = _choices()
    count = _best_sets(hand, found)
    return sorted(spread_text(spread_melds(hand, int(sets))) for sets in found[:count])


def best_discard(hand: int, barred: int = NO_CARD) -> tuple[int, list[int]]:
    """Return the least deadwood of eleven cards after one discard, and every card that leaves it.

    `barred` is a card that may not be thrown (the upcard just taken). Cards are in card-index order. Raises
    `CardError` for any other number of cards.
    """
    if hand.bit_count() != MAX_CARDS:
        raise CardError(f"a discard is made from {MAX_CARDS} cards; this hand has {hand.bit_count()}")
    left, cards = after_discard(hand, 0 if barred == NO_CARD else 1 << barred)
    return int(left), list(cards_of(cards))


@dataclass(frozen=True)
class Discards:
    """What eleven cards may do. Cards in card-index order; knock includes gin."""

    deadwood: int
    best: list[int]
    knock: list[int]
    gin: list[int]
    big_gin: bool


@dataclass(frozen=True)
class Solution:
    """All there is to know about a hand; `discards` only for eleven cards."""

    hand: int
    deadwood: int
    spreads: list[Spread]
    discards: Discards | None

    def document(self) -> dict[str, object]:
        """Return the solution as `hollywood solve --json` prints it."""
        found: dict[str, object] = {"hand": format_hand(self.hand), "cards": self.hand.bit_count()}
        found |= {"deadwood": self.deadwood, "spreads": self.spreads}
        if self.discards is not None:
            found["deadwood_after_discard"] = self.discards.deadwood
            for name in ("best", "knock", "gin"):
                found[f"{name}_discards"] = [format_card(card) for card in getattr(self.discards, name)]
            found["big_gin"] = self.discards.big_gin
        return found


def solve(hand: int, barred: int = NO_CARD, knock_limit: int = 10) -> Solution:
    """Solve a hand of 1 to 11 cards; `barred` may not be thrown, `knock_limit` is the most to knock with."""
    discards = _solve_discards(hand, barred, knock_limit) if hand.bit_count() == MAX_CARDS else None
    return Solution(hand, deadwood(hand), best_spreads(hand), discards)


def _solve_discards(hand: int, barred: int, knock_limit: int) -> Discards:
    left = {card: deadwood(hand & ~(1 << card)) for card in cards_of(hand) if card != barred}
    least, best = best_discard(hand, barred)
    return Discards(
        deadwood=least,
        best=best,
        knock=[card for card, points_left in left.items() if points_left <= knock_limit],
        gin=[card for card, points_left in left.items() if points_left == 0],
        big_gin=deadwood(hand) == 0,
    )


@dataclass(frozen=True)
class Showdown:
    """A knock told in full. Deadwood and points in points; layoffs as texts such as ``8C on 9C TC JC``."""

    knocker_deadwood: int
    gin: bool
    spread: Spread
    defender_before: int
    defender_after: int
    layoffs: list[str]
    ending: str
    scorer: str
    points: int


@dataclass(frozen=True)
class Laydown:
    """The cards of a knock laid down: the knocker's spread, the defender's melds and layoffs, and what he keeps.

    Deadwood in points. Layoffs are texts such as ``8C on 9C TC JC``; on gin there are none.
    """

    spread: Spread
    defence: Spread
    layoffs: list[str]
    defender_before: int
    defender_after: int


def lay_down(knocker: int, defender: int, known: int = 0, others: int | None = None) -> Laydown:
    """Lay down ten cards against ten, as the engine does for every player.

    `known` are the cards the knocker knows in the defender's hand, `others` those that may be there besides; without
    them he knows his own ten only (docs/rules.md, the deal, 8).
    """
    unseen = FULL_DECK & ~knocker if others is None else others
    sets, runs = map(int, _chosen_spread(knocker, known, unseen))
    spread, before = spread_text(spread_melds(knocker, sets)), deadwood(defender)
    if deadwood(knocker) == 0:
        return Laydown(spread, best_spreads(defender)[0], [], before, before)
    own, layoffs, after = _lay_off(defender, sets, runs)
    return Laydown(spread, spread_text(spread_melds(defender, own)), layoffs, before, after)


def showdown(knocker: int, defender: int, rules: Rules) -> Showdown:
    """Score a knock of ten cards against ten cards, the knocker knowing only his own.

    Raises ValueError when the knocker holds more deadwood than the rules let him knock with.
    """
    mine = deadwood(knocker)
    # Oklahoma's limit comes from an upcard that is not known here; no upcard allows more than ten.
    limit = 10 if isinstance(rules.knock_limit, str) else rules.knock_limit
    if mine > limit:
        raise ValueError(f"the knocker holds {mine} points of deadwood; at most {limit} may be knocked with")
    laid = lay_down(knocker, defender)
    told = mine, mine == 0, laid.spread, laid.defender_before, laid.defender_after, laid.layoffs
    if mine == 0:
        return Showdown(*told, "gin", "knocker", laid.defender_after + rules.gin_bonus)
    lead = laid.defender_after - mine
    if lead > 0 or (lead == 0 and rules.tie == "knocker"):
        return Showdown(*told, "knock", "knocker", lead)
    return Showdown(*told, "undercut", "defender", rules.undercut_bonus - lead)


def _lay_off(defender: int, sets: int, runs: int) -> tuple[int, list[str], int]:
    """Return the sets the defender melds and the layoffs of a best defence with fewest of them, and his deadwood."""
    found = _choices()
    count = _best_defences((defender, sets, runs), found)
    ways = []
    for own in found[:count].tolist():
        rest = defender & ~own
        loose = rest & ~sum(run_melds(rest))
        texts, laid = _layoff_texts(loose, rest, sets, runs)
        ways.append((len(texts), texts, own, points_of(loose & ~laid)))
    _, texts, own, left = min(ways)
    return own, texts, left


def _layoff_texts(loose: int, rest: int, sets: int, runs: int) -> tuple[list[str], int]:
    """Lay off what can be: on runs first, outwards from each end, then on sets. Return the texts and the cards.

    A chain may pass through a run of the defender's own, whose cards are not counted as laid off.
    """
    texts, laid = [], 0
    for run in run_melds(runs):
        for step, edge in ((-1, 12), (1, 0)):
            card = (run & -run if step < 0 else run).bit_length() - 1 + step
            while card >= 0 and card % 13 != edge and rest >> card & 1:
                if loose & ~laid & 1 << card:
                    texts.append(f"{format_card(card)} on {format_hand(run)}")
                    laid |= 1 << card
                card += step
    for meld in set_melds(sets):
        rank = ((meld & -meld).bit_length() - 1) % 13
        fourth = loose & ~laid & ~meld & _ACES << rank
        texts += [f"{format_hand(fourth)} on {format_hand(meld)}"] if fourth else []
        laid |= fourth
    return texts, laid
