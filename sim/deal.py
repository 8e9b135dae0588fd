"""The kernel of one deal, shuffle to score.

Everything that lies on the table during a deal is one record (`TABLE`), by side: 0 = A, 1 = B. `play_deal` asks the
two players for their decisions (`Players`: three first-class functions each) and returns how the deal went on:
`SCORED`, `DEAD`, or `ILLEGAL` with the offending move left on the table.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import types

from sim.bits import U0, Mask, Number, bit
from sim.jit import kernel
from sim.layoff import choose_spread, defend
from sim.melds import ALL_CARDS, best_discards, deadwood
from sim.rng import noise, seat_keys
from sim.rows import NOBODY, Ending
from sim.rules import ACE_IS_GIN, OFF, TIE_TO_KNOCKER, UPCARD
from sim.shuffle import N_CARDS, STOCK, UPCARD_PLACE, hand_at, shuffle_further, start_deck
from sim.view import DECISIONS

PLAYING, SCORED, DEAD, ILLEGAL = 0, 1, 2, 3
"""What a deal, or a turn of it, has come to."""
NOT_HELD, BARRED, OVER_LIMIT = 1, 2, 3
"""Why a discard is illegal."""
LAST_STOCK_CARDS = 2
"""With this many cards left in stock after a discard, the deal is dead (seed 000)."""
SPADES = 3

KNOCK, GIN, BIG_GIN = int(Ending.KNOCK), int(Ending.GIN), int(Ending.BIG_GIN)
UNDERCUT, WALL, TURN_CAP = int(Ending.UNDERCUT), int(Ending.WALL), int(Ending.TURN_CAP)

TABLE = np.dtype(
    [
        ("seed", np.uint64),
        ("pair", np.int64),
        ("leg", np.int64),
        ("deal", np.int64),
        ("dealer", np.int64),  # side
        ("cards", np.uint8, (N_CARDS,)),  # the card stream, shuffled as far as `shuffled`
        ("shuffled", np.int64),
        ("next_card", np.int64),  # place of the top of the stock in the stream
        ("hands", np.uint64, (2,)),
        ("deadwood", np.int64, (2,)),  # of the ten cards
        ("known", np.uint64, (2,)),  # cards a side took from the pile and still holds
        ("declined", np.uint64, (2,)),  # upcards a side could have taken and did not
        ("thrown", np.uint64, (2,)),  # cards a side has discarded
        ("pile", np.uint64),
        ("upcard", np.int64),
        ("turns", np.int64),  # completed turns of both sides
        ("limit", np.int64),
        ("multiplier", np.int64),
        ("noise_keys", np.uint64, (2,)),
        ("decisions", np.int64, (2,)),
        ("offender", np.int64),  # side whose move was illegal
        ("offence", np.int64),  # NOT_HELD, BARRED or OVER_LIMIT
        ("move", np.int64),  # the card it named
    ]
)


class Players(NamedTuple):
    """The decisions of side A and side B, as compiled functions of a view."""

    take_upcard: Any
    choose_discard: Any
    should_knock: Any


PLAYERS = types.NamedTuple(
    [types.UniTuple(types.FunctionType(signature), 2) for signature in DECISIONS.values()], Players
)


@kernel
def set_table(table: Any, views: Any, rules: Any) -> None:
    """Shuffle, deal ten cards to each seat and turn the upcard."""
    seed, pair, deal = table.seed, table.pair, table.deal
    table.shuffled = start_deck(table.cards, seed, pair, deal)
    keys = seat_keys(seed, pair, deal)
    table.next_card = STOCK
    table.upcard = np.int64(table.cards[UPCARD_PLACE])
    table.pile = bit(table.upcard)
    table.turns = 0
    table.limit = _knock_limit(rules, table.upcard)
    table.multiplier = 2 if rules.spade_doubles and table.upcard // 13 == SPADES else 1
    for side in range(2):
        seat = side ^ table.leg
        hand = hand_at(table.cards, 10 * seat)
        table.hands[side] = hand
        table.deadwood[side] = deadwood(hand)
        table.known[side] = table.declined[side] = table.thrown[side] = U0
        table.noise_keys[side] = keys[seat]
        table.decisions[side] = 0
        _show_deal(views[side], table, side)


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


@kernel
def _show_turn(view: Any, table: Any, side: Number, offer: Number) -> None:
    """Write into a view what a player sees before the draw."""
    other = 1 - side
    view.hand = table.hands[side]
    view.deadwood = table.deadwood[side]
    view.best_discards = U0
    view.barred = -1
    view.pile = table.pile
    view.upcard = table.upcard
    view.taken = table.known[other]
    view.declined = table.declined[other]
    view.thrown = table.thrown[other]
    view.stock_cards = N_CARDS - table.next_card
    view.turn = table.turns + 1
    view.offer = offer
    view.knocking = 0


@kernel
def _roll_noise(view: Any, table: Any, side: Number) -> None:
    """Give the view the random word of the next decision."""
    view.noise = noise(table.noise_keys[side], table.decisions[side])
    table.decisions[side] += 1


@kernel
def play_deal(players: Any, views: Any, rules: Any, table: Any, row: Any) -> Number:
    """Play one deal on a set table and write its result into `row` (a DEAL_ROW); return SCORED, DEAD or ILLEGAL."""
    _note_start(row, table)
    side = 1 - table.dealer
    takes = _wants_upcard(players, views, table, side, 1)
    if not takes:
        side = table.dealer
        takes = _wants_upcard(players, views, table, side, 1)
        if not takes:
            # Both have passed: the non-dealer draws from stock without being asked again (000).
            side = 1 - table.dealer
            _show_turn(views[side], table, side, 0)
    while True:
        state = _take_turn(players, views, rules, table, row, (side, takes))
        if state != PLAYING:
            return state
        if N_CARDS - table.next_card <= LAST_STOCK_CARDS:
            return _end_dead(row, table, WALL)
        if table.turns >= rules.turn_cap:
            return _end_dead(row, table, TURN_CAP)
        side = 1 - side
        takes = _wants_upcard(players, views, table, side, 0)


@kernel
def _wants_upcard(players: Any, views: Any, table: Any, side: Number, offer: Number) -> bool:
    view = views[side]
    _show_turn(view, table, side, offer)
    _roll_noise(view, table, side)
    if players.take_upcard[side](view):
        return True
    table.declined[side] |= bit(table.upcard)
    return False


@kernel
def _take_turn(players: Any, views: Any, rules: Any, table: Any, row: Any, turn: tuple[Number, bool]) -> Number:
    """Draw, then knock or discard; return PLAYING, SCORED or ILLEGAL."""
    side, takes = turn
    view = views[side]
    barred = _draw(table, side, takes, rules.throw_back)
    hand = table.hands[side]
    left, best = best_discards(hand, barred)
    view.hand, view.deadwood, view.best_discards = hand, left, best
    view.pile = table.pile
    view.barred = table.upcard if barred else -1
    view.stock_cards = N_CARDS - table.next_card
    knocks = False
    if left <= table.limit:
        _roll_noise(view, table, side)
        knocks = players.should_knock[side](view)
        if knocks and rules.big_gin != OFF and left == 0 and deadwood(hand) == 0:
            table.turns += 1
            return _score_gin(row, table, side, rules.big_gin, BIG_GIN)
    view.knocking = np.int64(knocks)
    _roll_noise(view, table, side)
    discard = players.choose_discard[side](view)
    if not _discard(table, side, discard, (barred, left, best, knocks)):
        return ILLEGAL
    if not knocks:
        return PLAYING
    if table.deadwood[side] == 0:
        return _score_gin(row, table, side, rules.gin_bonus, GIN)
    return _score_knock(row, table, rules, side)


@kernel
def _draw(table: Any, side: Number, takes: bool, throw_back: Number) -> Mask:
    """Move the upcard or the top of the stock into the hand; return the barred card as a mask, 0 if none."""
    if takes:
        card = bit(table.upcard)
        table.pile ^= card
        table.known[side] |= card
        table.hands[side] |= card
        return U0 if throw_back else card
    if table.next_card == table.shuffled:
        table.shuffled = shuffle_further(table.cards, table.shuffled, (table.seed, table.pair, table.deal))
    table.hands[side] |= bit(table.cards[table.next_card])
    table.next_card += 1
    return U0


@kernel
def _discard(table: Any, side: Number, card: Number, seen: tuple[Mask, Number, Mask, bool]) -> bool:
    """Throw a card if that is legal, else note the offence; tell which. `seen`: barred, left, best, knocks."""
    barred, left, best, knocks = seen
    hand = table.hands[side]
    thrown = bit(card) if 0 <= card < N_CARDS else U0
    offence = 0
    if not hand & thrown:
        offence = NOT_HELD
    elif barred & thrown:
        offence = BARRED
    else:
        rest = hand ^ thrown
        left = left if best & thrown else deadwood(rest)
        if knocks and left > table.limit:
            offence = OVER_LIMIT
    if offence:
        table.offender, table.offence, table.move = side, offence, card
        return False
    table.hands[side] = rest
    table.deadwood[side] = left
    table.known[side] &= ~thrown
    table.thrown[side] |= thrown
    table.pile |= thrown
    table.upcard = card
    table.turns += 1
    return True


@kernel
def _score_gin(row: Any, table: Any, side: Number, bonus: Number, ending: Number) -> Number:
    """Score gin or big gin: the defender's deadwood and the bonus, no layoffs."""
    defender = table.deadwood[1 - side]
    row.knocker_deadwood = 0
    row.defender_deadwood_before = row.defender_deadwood_after = defender
    return _end_scored(row, table, (ending, side, side), (defender + bonus) * table.multiplier)


@kernel
def _score_knock(row: Any, table: Any, rules: Any, side: Number) -> Number:
    """Spread, lay off and compare: the knocker scores, or the defender undercuts."""
    other = 1 - side
    hand, known = table.hands[side], table.known[other]
    sets, runs = choose_spread(hand, known, ALL_CARDS & ~(hand | table.pile | known))
    after, _ = defend(table.hands[other], sets, runs)
    mine = table.deadwood[side]
    row.knocker_deadwood = mine
    row.defender_deadwood_before = table.deadwood[other]
    row.defender_deadwood_after = after
    if mine < after or (mine == after and rules.tie == TIE_TO_KNOCKER):
        return _end_scored(row, table, (KNOCK, side, side), (after - mine) * table.multiplier)
    gain = mine - after + rules.undercut_bonus
    return _end_scored(row, table, (UNDERCUT, other, side), gain * table.multiplier)


@kernel
def _note_start(row: Any, table: Any) -> None:
    row.pair, row.leg, row.deal = table.pair, table.leg, table.deal
    row.dealer = table.dealer
    row.knock_limit = table.limit
    row.initial_deadwood[0], row.initial_deadwood[1] = table.deadwood[0], table.deadwood[1]


@kernel
def _end_scored(row: Any, table: Any, who: tuple[Number, Number, Number], scored: Number) -> Number:
    """Note a scored deal; `who` is (ending, scorer, knocker)."""
    row.ending, row.scorer, row.knocker = who
    row.points = scored
    row.turns = table.turns
    row.stock_left = N_CARDS - table.next_card
    return SCORED


@kernel
def _end_dead(row: Any, table: Any, ending: Number) -> Number:
    """Note a deal that nobody scores."""
    row.knocker_deadwood = row.defender_deadwood_before = row.defender_deadwood_after = NOBODY
    _end_scored(row, table, (ending, NOBODY, NOBODY), 0)
    return DEAD
