"""The kernel of one deal, shuffle to score.

What lies on the table is one record (`TABLE`), what each side holds another (`HOLDING`); sides are 0 = A, 1 = B.
`play_deal` asks the two players for their decisions (`Players`: three first-class functions each) and returns how the
deal went on: `SCORED`, `DEAD`, or `ILLEGAL` with the offending move left on the table.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import types

from sim.bits import U0, Mask, Number, bit
from sim.jit import inlined, kernel
from sim.layoff import choose_spread, defend
from sim.melds import ALL_CARDS, after_discard, deadwood
from sim.rng import noise
from sim.rows import NOBODY, Ending
from sim.rules import ACE_IS_GIN, OFF, TIE_TO_KNOCKER, UPCARD
from sim.shuffle import N_CARDS, STOCK, UPCARD_PLACE, card_at
from sim.view import DECISIONS

PLAYING, SCORED, DEAD, ILLEGAL = 0, 1, 2, 3
"""What a deal, or a turn of it, has come to."""
LEGAL, NOT_HELD, BARRED, OVER_LIMIT = 0, 1, 2, 3
"""Whether and why a discard is illegal."""
LAST_STOCK_CARDS = 2
"""With this many cards left in stock after a discard, the deal is dead (seed 000)."""
SPADES = 3

KNOCK, GIN, BIG_GIN = int(Ending.KNOCK), int(Ending.GIN), int(Ending.BIG_GIN)
UNDERCUT, WALL, TURN_CAP = int(Ending.UNDERCUT), int(Ending.WALL), int(Ending.TURN_CAP)

TABLE = np.dtype(
    [
        ("pair", np.int64),
        ("leg", np.int64),
        ("deal", np.int64),
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
    ]
)
"""What both sides share in a deal."""

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
    """What a thread plays on, as records: views and holdings of side A and side B, rules, table and sheet."""

    views: Any
    holdings: Any
    rules: Any
    table: Any
    sheet: Any


class Players(NamedTuple):
    """The decisions of side A and side B, as compiled functions of a view."""

    take_upcard: Any
    choose_discard: Any
    should_knock: Any


PLAYERS = types.NamedTuple(
    [types.UniTuple(types.FunctionType(signature), 2) for signature in DECISIONS.values()], Players
)


@inlined
def _set_table(desk: Desk, deck: Any) -> None:
    """Deal: the upcard, the stock, and the hands to the sides that own the seats."""
    table, rules = desk.table, desk.rules
    table.next_card = STOCK
    table.upcard = np.int64(deck.cards[UPCARD_PLACE])
    table.pile = bit(table.upcard)
    table.turns = 0
    table.limit = _knock_limit(rules, table.upcard)
    table.multiplier = 2 if rules.spade_doubles and table.upcard // 13 == SPADES else 1
    for side in range(2):
        seat = side ^ table.leg
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
def _show_turn(view: Any, table: Any, mine: Any, theirs: Any) -> None:
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
    _set_table(desk, deck)
    _note_start(row, desk)
    side, takes = _offer_upcard(players, desk)
    while True:
        state = _take_turn(players, desk, deck, row, (side, takes))
        if state != PLAYING:
            return state
        if N_CARDS - table.next_card <= LAST_STOCK_CARDS:
            return _end_dead(row, table, WALL)
        if table.turns >= desk.rules.turn_cap:
            return _end_dead(row, table, TURN_CAP)
        side = 1 - side
        _show_turn(desk.views[side], table, desk.holdings[side], desk.holdings[1 - side])
        takes = _wants_upcard(players, desk, side)


@inlined
def _offer_upcard(players: Any, desk: Desk) -> tuple[Number, bool]:
    """Offer the first upcard to the non-dealer, then to the dealer; return who plays first and whether he takes it.

    When both pass, the non-dealer draws from stock without being asked again (000).
    """
    dealer = desk.table.dealer
    for side in (1 - dealer, dealer):
        view = desk.views[side]
        _show_turn(view, desk.table, desk.holdings[side], desk.holdings[1 - side])
        view.offer = 1
        if _wants_upcard(players, desk, side):
            view.offer = 0
            return side, True
    side = 1 - dealer
    _show_turn(desk.views[side], desk.table, desk.holdings[side], desk.holdings[dealer])
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
            table.turns += 1
            return _score_gin(row, desk, side, (rules.big_gin, BIG_GIN))
    view.knocking = np.int64(knocks)
    _roll_noise(view, mine)
    discard = players.choose_discard[side](view)
    offence = _discard(table, mine, discard, (barred, left, best, knocks))
    if offence:
        table.offender, table.offence, table.move = side, offence, discard
        return ILLEGAL
    if not knocks:
        return PLAYING
    if mine.deadwood == 0:
        return _score_gin(row, desk, side, (rules.gin_bonus, GIN))
    return _score_knock(row, desk, side)


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
    table.turns += 1
    return LEGAL


@inlined
def _score_gin(row: Any, desk: Desk, side: Number, gin: tuple[Number, Number]) -> Number:
    """Score gin or big gin, `gin` being (bonus, ending): the defender's deadwood and the bonus, no layoffs."""
    bonus, ending = gin
    left = desk.holdings[1 - side].deadwood
    row.knocker_deadwood = 0
    row.defender_deadwood_before = row.defender_deadwood_after = left
    return _end_scored(row, desk.table, (ending, side, side), left + bonus)


@inlined
def _score_knock(row: Any, desk: Desk, side: Number) -> Number:
    """Spread, lay off and compare: the knocker scores, or the defender undercuts."""
    mine, theirs, rules = desk.holdings[side], desk.holdings[1 - side], desk.rules
    unseen = ALL_CARDS & ~(mine.hand | desk.table.pile | theirs.known)
    sets, runs = choose_spread(mine.hand, theirs.known, unseen)
    left, _ = defend(theirs.hand, sets, runs)
    row.knocker_deadwood = mine.deadwood
    row.defender_deadwood_before = theirs.deadwood
    row.defender_deadwood_after = left
    lead = left - mine.deadwood
    if lead > 0 or (lead == 0 and rules.tie == TIE_TO_KNOCKER):
        return _end_scored(row, desk.table, (KNOCK, side, side), lead)
    return _end_scored(row, desk.table, (UNDERCUT, 1 - side, side), rules.undercut_bonus - lead)


@inlined
def _note_start(row: Any, desk: Desk) -> None:
    table = desk.table
    row.pair, row.leg, row.deal = table.pair, table.leg, table.deal
    row.dealer = table.dealer
    row.knock_limit = table.limit
    for side in range(2):
        row.initial_deadwood[side] = desk.holdings[side].deadwood


@inlined
def _end_scored(row: Any, table: Any, who: tuple[Number, Number, Number], scored: Number) -> Number:
    """Note a scored deal; `who` is (ending, scorer, knocker), `scored` the points before any doubling."""
    row.ending, row.scorer, row.knocker = who
    row.points = scored * table.multiplier
    row.turns = table.turns
    row.stock_left = N_CARDS - table.next_card
    return SCORED


@inlined
def _end_dead(row: Any, table: Any, ending: Number) -> Number:
    """Note a deal that nobody scores."""
    row.knocker_deadwood = row.defender_deadwood_before = row.defender_deadwood_after = NOBODY
    _end_scored(row, table, (ending, NOBODY, NOBODY), 0)
    return DEAD
