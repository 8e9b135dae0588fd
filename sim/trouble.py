"""What went wrong when a block of pairs could not be finished, in words."""

from __future__ import annotations

from typing import Any

from sim.cards import N_CARDS, format_card
from sim.deal import BARRED, NOT_HELD
from sim.match import MAX_DEAD_DEALS, MAX_DEALS
from sim.rows import FIRST_MOVER, STALEMATE


def offence_text(table: Any) -> str:
    """Say what was illegal about the move that a `sim.table.TABLE` record holds, from its player's side: ``it ...``."""
    card = format_card(int(table.move)) if 0 <= table.move < N_CARDS else f"card number {table.move}"
    if table.offence == NOT_HELD:
        return f"it threw {card}, which it does not hold"
    if table.offence == BARRED:
        return f"it threw {card}, which it had just taken from the pile"
    return f"it knocked and threw {card}, which leaves more than {table.limit} points of deadwood"


def unfinished_text(state: int) -> str:
    """Say why a match does not end: a stalemate, or too many deals."""
    if state == STALEMATE:
        return f"no deal scored in {MAX_DEAD_DEALS:,}: these players never finish a match"
    return f"the match is not over after {MAX_DEALS:,} deals, the most that fit a row"


def side_to_move(desk: Any) -> int:
    """Return the side at the table whose decision a desk is waiting for, 0 or 1; `desk` is a `sim.match.DeskArrays`.

    Before the first turn is over nobody has noted who began: the non-dealer is asked for the upcard, then the dealer,
    and if both pass the non-dealer plays, whose second decision that is.
    """
    table = desk.table[0]
    if table.turns:
        return int(table.moves[FIRST_MOVER]) ^ (int(table.turns) & 1)
    other = 1 - int(table.dealer)
    asked, answered = desk.holdings["decisions"][1 - other], desk.holdings["decisions"][other]
    took = desk.views[table.seated[other]].offer == 0
    return other if not asked or answered > 1 or took else 1 - other
