"""Heisenbot: collects melds, low cards and early triangles; throws the worst class of card, the safest of it first.

Draw: takes the upcard if it lies in a meld of the eleven cards, or is an ace or a two, or, before its turn
triangle_until, if it is part of a triangle: a pair and a neighbour in suit of one of the two.

Discard: sorts its unmelded cards into triangles, doubles (pairs and neighbours in suit) and deadwood, and throws from
the lowest class; from turn doubles_until on doubles are deadwood. Within a class the safest card goes: the one in the
fewest melds of three whose other two cards are neither in its hand nor in the discard pile (0 to 6); then the highest
rank, then the first in hand order.

Knock: with gin always; not while either player leads by score_gap or more; before early_turn and after late_turn at
once; with sure_deadwood or less; not with fewer than few_cards unmelded cards; otherwise at once. Uses no chance.

Decided here: turns are the player's own; the score is that of the first column open to both; only unmelded cards form
triangles; of equal spreads the first in the solver's order is meant; a card lies in a meld if any meld has it; with a
knock, or without a loose card, it throws the safest of the dearest best discards. It never takes back a card it has
thrown in the same deal, which is not in the source: two such players would trade aces and twos for ever (in 6.7% of
their deals). The source's likelihoods of the opponent's cards enter no decision, so they are not kept.

Source: Eicholtz, Moss, Traino and Roberson, AAAI-21 (Heisenbot), by way of an unofficial re-implementation, so second
hand; one of its files has 22 for score_gap. No win rates against players of this project were published.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from sim.api import (
    RANK_COLUMN,
    Param,
    Strategy,
    TurnView,
    bit,
    dearest,
    helper,
    lowest,
    popcount,
    ranks_of,
    trailing_zeros,
)
from strategies.groups import paired, touching
from strategies.tools import ALIKE, DECK, barred_card, in_a_meld, loose_cards, own_turn, race

LOW_RANKS = 2
"""Aces and twos are worth taking by themselves."""
THROWN = 0
"""The word of memory that keeps the cards it has thrown (mask)."""
SUIT_MASK = np.uint64((1 << 13) - 1)
ONE, TWO = np.uint64(1), np.uint64(2)


class Params(NamedTuple):
    """When to collect triangles and doubles, and when to knock."""

    triangle_until: Annotated[int, Param(1, 30, "own turns", "before this turn takes upcards for triangles")] = 5
    doubles_until: Annotated[int, Param(1, 30, "own turns", "from this turn on doubles count as deadwood")] = 8
    score_gap: Annotated[int, Param(1, 200, "points", "no knock short of gin with this lead or deficit")] = 30
    early_turn: Annotated[int, Param(0, 30, "own turns", "before this turn knocks at once")] = 4
    late_turn: Annotated[int, Param(0, 60, "own turns", "after this turn knocks at once")] = 13
    sure_deadwood: Annotated[int, Param(0, 10, "points", "knocks with this much or less in any turn")] = 5
    few_cards: Annotated[int, Param(0, 10, "cards", "above sure_deadwood, no knock with fewer unmelded cards")] = 3


def take_upcard(view: TurnView, p: Params) -> bool:
    """Take the upcard for a meld, as a low card, or for an early triangle."""
    card = bit(view.upcard)
    eleven = view.hand | card
    if view.memory[THROWN] & card:
        return False
    if view.upcard % 13 < LOW_RANKS or in_a_meld(eleven, card):
        return True
    return bool(own_turn(view) < p.triangle_until and _triangles(loose_cards(eleven)) & card)


def choose_discard(view: TurnView, p: Params) -> int:
    """Throw the safest card of the lowest class; with a knock, or nothing loose, of the dearest best ones."""
    cards = _lowest_class(view, p)
    if view.knocking or not cards:
        cards = dearest(view.best_discards)[1]
    card = _safest(cards, DECK & ~(view.hand | view.pile))
    view.memory[THROWN] |= bit(card)
    return card


@helper
def _safest(cards: np.uint64, free: np.uint64) -> int:
    """Return the card, 0..51, of some cards in fewest melds with free cards, of several the highest rank."""
    best, least = 0, 1_000
    while cards:
        card = trailing_zeros(cards)
        cards ^= lowest(cards)
        # Ranks are below 13: safety decides first, then the higher rank; the first in hand order stays.
        worth = 13 * _melds_with(card, free) - card % 13
        if worth < least:
            least, best = worth, card
    return best


def should_knock(view: TurnView, p: Params) -> bool:
    """Knock with gin, early, late or low, unless the score is far apart or few cards are loose."""
    if view.deadwood == 0:
        return True
    mine, theirs = race(view)
    if abs(mine - theirs) >= p.score_gap:
        return False
    turn = own_turn(view)
    if turn < p.early_turn or turn > p.late_turn or view.deadwood <= p.sure_deadwood:
        return True
    ten = view.hand & ~lowest(dearest(view.best_discards)[1])
    return popcount(loose_cards(ten)) >= p.few_cards


@helper
def _lowest_class(view: TurnView, p: Params) -> np.uint64:
    """Return the cards of the lowest class from which one may go (mask); 0 if no loose card may."""
    loose = loose_cards(np.uint64(view.hand))
    free = loose & ~barred_card(view)
    triangles, doubles = _triangles(loose), _neighbours(loose) | paired(loose)
    above = triangles if own_turn(view) >= p.doubles_until else doubles
    if free & ~above:
        return free & ~above
    return free & ~triangles if free & ~triangles else free


@helper
def _neighbours(cards: np.uint64) -> np.uint64:
    """Return the cards of a mask that touch another of it in suit."""
    return cards & touching(cards)


@helper
def _triangles(cards: np.uint64) -> np.uint64:
    """Return the cards of a mask that are in a triangle: a corner with its rank and its neighbours in suit."""
    corners = _neighbours(cards) & paired(cards)
    return cards & (corners | touching(corners) | (ranks_of(corners) * RANK_COLUMN))


@helper
def _melds_with(card: int, free: np.uint64) -> int:
    """Return the number of melds of three that a card makes with two of the free cards, 0 to 6."""
    alike, rank = popcount(ALIKE[card] & free), card % 13
    suit = (free >> np.uint64(card - rank)) & SUIT_MASK
    # Bits 0 to 4: free from two ranks below to two above; both below, both above, one on each side.
    window = (suit << TWO) >> np.uint64(rank)
    same_side, around = window & (window >> ONE), window & (window >> TWO)
    return alike * (alike - 1) // 2 + popcount((same_side & np.uint64(0b01001)) | (around & TWO))


STRATEGY = Strategy(
    name="heisenbot",
    summary="collects melds, low cards and triangles, throws the safest of the worst",
    source="Heisenbot (Eicholtz et al., AAAI-21), unofficial re-implementation",
    take_upcard=take_upcard,
    choose_discard=choose_discard,
    should_knock=should_knock,
    params=Params,
)
