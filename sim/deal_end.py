"""The end of a deal: spread, layoffs, points, and the row that keeps them. Source of the rules: docs/rules.md."""

from __future__ import annotations

from typing import Any

from sim.bits import Number
from sim.cards import N_CARDS
from sim.jit import inlined
from sim.layoff import choose_spread, defend
from sim.melds import ALL_CARDS
from sim.rows import DEAD, NOBODY, SCORED, Ending
from sim.rules import TIE_TO_KNOCKER
from sim.table import Desk

KNOCK, GIN, BIG_GIN = int(Ending.KNOCK), int(Ending.GIN), int(Ending.BIG_GIN)
UNDERCUT, WALL, TURN_CAP = int(Ending.UNDERCUT), int(Ending.WALL), int(Ending.TURN_CAP)


@inlined
def score_gin(row: Any, desk: Desk, side: Number, gin: tuple[Number, Number]) -> Number:
    """Score gin or big gin, `gin` being (bonus, ending): the defender's deadwood and the bonus, no layoffs."""
    bonus, ending = gin
    left = desk.holdings[1 - side].deadwood
    row.knocker_deadwood = 0
    row.defender_deadwood_before = row.defender_deadwood_after = left
    return _end_scored(row, desk.table, (ending, side, side), left + bonus)


@inlined
def score_knock(row: Any, desk: Desk, side: Number) -> Number:
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
def note_start(row: Any, desk: Desk) -> None:
    """Note which deal a row is of, and what was dealt."""
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
def end_dead(row: Any, table: Any, ending: Number) -> Number:
    """Note a deal that nobody scores."""
    row.knocker_deadwood = row.defender_deadwood_before = row.defender_deadwood_after = NOBODY
    _end_scored(row, table, (ending, NOBODY, NOBODY), 0)
    return DEAD
