"""What lies on the table in a deal, what each side holds, and what of it the players see.

Two records: `TABLE` is shared, a `HOLDING` belongs to one side; sides are 0 = A, 1 = B.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from sim.bits import U0, Number, bit
from sim.cards import N_CARDS
from sim.jit import inlined, kernel
from sim.rows import MOVE_BYTES
from sim.rules import ACE_IS_GIN, UPCARD
from sim.shuffle import STOCK, UPCARD_PLACE

SPADES = 3

TABLE = np.dtype(
    [
        ("pair", np.int64),
        ("leg", np.int64),
        ("swap", np.int64),  # seat = side xor swap
        ("deal", np.int64),
        ("seated", np.int64, (2,)),  # which players of the match play this deal
        ("waiting", np.int64),  # the player who sits out, in three-handed play
        ("net", np.int64),  # points of side A less side B at the earlier tables of a round
        ("dead", np.int64),  # deals in a row that brought nothing to the sheet
        ("dealer", np.int64),  # side
        ("next_card", np.int64),  # place of the top of the stock in the card stream
        ("pile", np.uint64),
        ("upcard", np.int64),
        ("turns", np.int64),  # completed turns of both sides
        ("limit", np.int64),
        ("multiplier", np.int64),
        ("offender", np.int64),  # side whose move was illegal
        ("offence", np.int64),  # NOT_HELD, BARRED or OVER_LIMIT
        ("move", np.int64),  # the card it named
        ("moves", np.uint8, (MOVE_BYTES,)),  # a byte for each completed turn, then who began (sim.rows)
    ]
)
"""What both sides share in a deal.

In a deal "side" means one of the two at the table; in three-handed play `seated` says who they are.
"""

HOLDING = np.dtype(
    [
        ("hand", np.uint64),
        ("deadwood", np.int64),  # of the ten cards
        ("known", np.uint64),  # cards taken from the pile and still held
        ("declined", np.uint64),  # upcards that could have been taken and were not
        ("thrown", np.uint64),  # cards discarded
        ("noise_key", np.uint64),
        ("decisions", np.int64),
    ]
)
"""What one side has in a deal."""


class Desk(NamedTuple):
    """What a thread plays on, as records: views of the players, holdings of the two at the table, rules, table, sheet.

    A match has a view for each of up to four players, a deal those of the two who play it.
    """

    views: Any
    holdings: Any
    rules: Any
    table: Any
    sheet: Any


@inlined
def set_table(desk: Desk, deck: Any) -> None:
    """Deal: the upcard, the stock, and the hands to the sides that own the seats."""
    table, rules = desk.table, desk.rules
    table.next_card = STOCK
    table.upcard = np.int64(deck.cards[UPCARD_PLACE])
    table.pile = bit(table.upcard)
    table.turns = 0
    table.limit = _knock_limit(rules, table.upcard)
    table.multiplier = 2 if rules.spade_doubles and table.upcard // 13 == SPADES else 1
    for side in range(2):
        seat = side ^ table.swap
        mine = desk.holdings[side]
        mine.hand = deck.hands[seat]
        mine.deadwood = deck.deadwood[seat]
        mine.noise_key = deck.noise_keys[seat]
        mine.decisions = 0
        mine.known = mine.declined = mine.thrown = U0
        _show_deal(desk.views[side], table, side)


@kernel
def _knock_limit(rules: Any, upcard: Number) -> Number:
    if rules.knock_limit != UPCARD:
        return rules.knock_limit
    if upcard % 13 == 0:
        return 0 if rules.upcard_ace == ACE_IS_GIN else 1
    return min(upcard % 13 + 1, 10)


@kernel
def _show_deal(view: Any, table: Any, side: Number) -> None:
    """Write into a view what stays the same for the whole deal."""
    view.knock_limit = table.limit
    view.multiplier = table.multiplier
    view.is_dealer = np.int64(table.dealer == side)
    for word in range(view.memory.size):
        view.memory[word] = U0


@inlined
def show_turn(view: Any, table: Any, mine: Any, theirs: Any) -> None:
    """Write into a view what a player sees before the draw."""
    view.hand = mine.hand
    view.deadwood = mine.deadwood
    view.best_discards = U0
    view.drawn = view.barred = -1
    view.pile = table.pile
    view.upcard = table.upcard
    view.taken = theirs.known
    view.declined = theirs.declined
    view.thrown = theirs.thrown
    view.stock_cards = N_CARDS - table.next_card
    view.turn = table.turns + 1
    view.offer = 0
    view.knocking = 0
