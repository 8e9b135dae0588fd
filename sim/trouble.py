"""What went wrong when a block of pairs could not be finished, in words."""

from __future__ import annotations

from typing import Any

from sim.cards import N_CARDS, format_card
from sim.deal import BARRED, NOT_HELD
from sim.match import MAX_DEAD_DEALS, MAX_DEALS
from sim.rows import STALEMATE


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
