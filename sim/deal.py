"""The kernel of one deal, from the offer of the upcard to the score.

`play_deal` asks the two players for their decisions (`Players`: three first-class functions each) and returns how the
deal went on: `SCORED`, `DEAD`, or `ILLEGAL` with the offending move left on the table.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import types

from sim.bits import U0, Mask, Number, bit
from sim.cards import N_CARDS
from sim.deal_end import BIG_GIN, GIN, TURN_CAP, WALL, end_dead, note_start, score_gin, score_knock
from sim.jit import inlined
from sim.melds import after_discard, deadwood
from sim.rng import noise
from sim.rows import CARD_BITS, FIRST_MOVER, ILLEGAL, KNOCKED, PLAYING, TOOK
from sim.rules import OFF
from sim.shuffle import card_at
from sim.table import Desk, set_table, show_turn
from sim.view import DECISIONS

LEGAL, NOT_HELD, BARRED, OVER_LIMIT = 0, 1, 2, 3
"""Whether and why a discard is illegal."""
LAST_STOCK_CARDS = 2
"""With this many cards left in stock after a discard, the deal is dead (seed 000)."""


class Players(NamedTuple):
    """The decisions of several players, as compiled functions of a view: four in a match, two in a deal."""

    take_upcard: Any
    choose_discard: Any
    should_knock: Any


MAX_PLAYERS = 4
"""Players of a match: two, three, or two sides of two."""
PLAYERS = types.NamedTuple(
    [types.UniTuple(types.FunctionType(signature), MAX_PLAYERS) for signature in DECISIONS.values()], Players
)


@inlined
def _roll_noise(view: Any, mine: Any) -> None:
    """Give the view the random word of the next decision."""
    view.noise = noise(mine.noise_key, mine.decisions)
    mine.decisions += 1


@inlined
def play_deal(players: Any, desk: Desk, deck: Any, row: Any) -> Number:
    """Play the deal of a prepared deck and write its result into `row` (a DEAL_ROW); return SCORED, DEAD or ILLEGAL.

    The table says which leg it is and who deals.
    """
    table = desk.table
    set_table(desk, deck)
    note_start(row, desk)
    side, takes = _offer_upcard(players, desk)
    table.moves[FIRST_MOVER] = side
    while True:
        state = _take_turn(players, desk, deck, row, (side, takes))
        if state != PLAYING:
            return state
        if N_CARDS - table.next_card <= LAST_STOCK_CARDS:
            return end_dead(row, table, WALL)
        if table.turns >= desk.rules.turn_cap:
            return end_dead(row, table, TURN_CAP)
        side = 1 - side
        show_turn(desk.views[side], table, desk.holdings[side], desk.holdings[1 - side])
        takes = _wants_upcard(players, desk, side)


@inlined
def _offer_upcard(players: Any, desk: Desk) -> tuple[Number, bool]:
    """Offer the first upcard to the non-dealer, then to the dealer; return who plays first and whether he takes it.

    When both pass, the non-dealer draws from stock without being asked again (000).
    """
    dealer = desk.table.dealer
    for side in (1 - dealer, dealer):
        view = desk.views[side]
        show_turn(view, desk.table, desk.holdings[side], desk.holdings[1 - side])
        view.offer = 1
        if _wants_upcard(players, desk, side):
            view.offer = 0
            return side, True
    side = 1 - dealer
    show_turn(desk.views[side], desk.table, desk.holdings[side], desk.holdings[dealer])
    return side, False


@inlined
def _wants_upcard(players: Any, desk: Desk, side: Number) -> bool:
    view, mine = desk.views[side], desk.holdings[side]
    _roll_noise(view, mine)
    if players.take_upcard[side](view):
        return True
    mine.declined |= bit(desk.table.upcard)
    return False


@inlined
def _take_turn(players: Any, desk: Desk, deck: Any, row: Any, turn: tuple[Number, bool]) -> Number:
    """Draw, then knock or discard; return PLAYING, SCORED or ILLEGAL. `turn` is the side and whether it takes."""
    side, takes = turn
    view, mine, rules, table = desk.views[side], desk.holdings[side], desk.rules, desk.table
    drawn = _take(table, mine) if takes else _draw(table, mine, deck)
    barred = bit(drawn) if takes and not rules.throw_back else U0
    left, best = after_discard(mine.hand, barred)
    view.hand, view.deadwood, view.best_discards = mine.hand, left, best
    view.pile = table.pile
    view.drawn = drawn
    view.barred = drawn if barred else -1
    view.stock_cards = N_CARDS - table.next_card
    knocks = False
    if left <= table.limit:
        _roll_noise(view, mine)
        knocks = players.should_knock[side](view)
        if knocks and rules.big_gin != OFF and left == 0 and deadwood(mine.hand) == 0:
            _note_move(table, CARD_BITS, takes, True)
            return score_gin(row, desk, side, (rules.big_gin, BIG_GIN))
    view.knocking = np.int64(knocks)
    _roll_noise(view, mine)
    discard = players.choose_discard[side](view)
    offence = _discard(table, mine, discard, (barred, left, best, knocks))
    if offence:
        table.offender, table.offence, table.move = side, offence, discard
        return ILLEGAL
    _note_move(table, discard, takes, knocks)
    if not knocks:
        return PLAYING
    if mine.deadwood == 0:
        return score_gin(row, desk, side, (rules.gin_bonus, GIN))
    return score_knock(row, desk, side)


@inlined
def _take(table: Any, mine: Any) -> Number:
    """Move the upcard into the hand and return it."""
    card = table.upcard
    table.pile ^= bit(card)
    mine.known |= bit(card)
    mine.hand |= bit(card)
    return card


@inlined
def _draw(table: Any, mine: Any, deck: Any) -> Number:
    """Move the top of the stock into the hand and return it."""
    card = card_at(deck, table.next_card)
    table.next_card += 1
    mine.hand |= bit(card)
    return card


@inlined
def _discard(table: Any, mine: Any, card: Number, seen: tuple[Mask, Number, Mask, bool]) -> Number:
    """Throw a card and return LEGAL, or why it is not. `seen`: barred, least deadwood, cards that leave it, knocks."""
    barred, left, best, knocks = seen
    thrown = bit(card) if 0 <= card < N_CARDS else U0
    if not mine.hand & thrown:
        return NOT_HELD
    if barred & thrown:
        return BARRED
    rest = mine.hand ^ thrown
    if not best & thrown:
        left = deadwood(rest)
    if knocks and left > table.limit:
        return OVER_LIMIT
    mine.hand = rest
    mine.deadwood = left
    mine.known &= ~thrown
    mine.thrown |= thrown
    table.pile |= thrown
    table.upcard = card
    return LEGAL


@inlined
def _note_move(table: Any, card: Number, takes: bool, knocks: bool) -> None:
    """Count a completed turn and keep what was done in it."""
    table.moves[table.turns] = card | TOOK * takes | KNOCKED * knocks
    table.turns += 1
