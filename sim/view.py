"""What a player may see when it decides: `TurnView`, the signatures of the three decisions, and their adapters.

In compiled code a view is a pointer to a record (`TURN_VIEW`), one for each seat, of which the deal kernel rewrites
only what changed. That is faster than passing a tuple by value (3.2 ns against 4.7 ns a call with 22 fields, and the
view has 59 numbers), and leaves room for fields to come. An opponent's hidden cards are in no field.
"""

from __future__ import annotations

from typing import Annotated, Any, Protocol, get_type_hints

import numpy as np
import numpy.typing as npt
from numba import from_dtype, types

from sim.records import records

MEMORY_WORDS = 8
MAX_PARAMS = 8
"""A strategy or a wrapper has at most eight parameters."""
MAX_ALL_PARAMS = 24
"""A player and its wrappers together have at most so many."""
PARAM_ROOM = MAX_ALL_PARAMS + MAX_PARAMS
"""Numbers behind a view: each layer reads eight from its first parameter on."""

# The annotation says what a strategy sees; the metadata is the field of the record behind it.
Cards = Annotated[int, (np.uint64,)]
Integer = Annotated[int, (np.int64,)]
ByColumn = Annotated[npt.NDArray[np.int64], (np.int64, (3,))]
Memory = Annotated[npt.NDArray[np.uint64], (np.uint64, (MEMORY_WORDS,))]


class TurnView(Protocol):
    """All that a player may know at one decision. Masks are 52-bit hands; cards are 0..51; -1 is "no card".

    To be read only: what a strategy writes here changes nothing but its own later views. `memory` is the exception.
    """

    hand: Cards
    """Own cards: ten at the draw, eleven after it (mask)."""
    best_discards: Cards
    """After the draw: every legal discard that leaves `deadwood` (mask). 0 before the draw."""
    pile: Cards
    """The whole discard pile, upcard included (mask)."""
    taken: Cards
    """Cards the opponent took from the pile and still holds (mask)."""
    declined: Cards
    """Upcards the opponent could have taken and did not, passes in the offer included (mask)."""
    thrown: Cards
    """Every card the opponent has discarded in this deal (mask)."""
    noise: Cards
    """A fresh random 64-bit word for this decision."""
    upcard: Integer
    """Top of the discard pile when this turn began, taken since or not."""
    drawn: Integer
    """After the draw: the card just drawn, from pile or stock. Before it -1."""
    barred: Integer
    """After taking the upcard: that card, which may not be thrown back. Else -1."""
    deadwood: Integer
    """Least deadwood in points: of the ten cards before the draw, after it of ten cards after `best_discards`."""
    stock_cards: Integer
    """Cards left in stock, 2..31."""
    turn: Integer
    """One more than the turns completed by both players in this deal; 1 in the opening offer."""
    offer: Integer
    """1 while the first upcard is offered (refusing means passing), else 0."""
    knocking: Integer
    """1 when `should_knock` has just said yes: the discard must leave at most `knock_limit`. Else 0."""
    knock_limit: Integer
    """Most deadwood one may knock with in this deal, in points."""
    multiplier: Integer
    """2 when a spade upcard doubles this deal, else 1."""
    is_dealer: Integer
    """1 for the dealer of this deal, else 0."""
    target: Integer
    """Points that close a column."""
    gin_bonus: Integer
    """Points added for gin."""
    undercut_bonus: Integer
    """Points added when the defender undercuts."""
    big_gin_bonus: Integer
    """Whole bonus for eleven melded cards; -1 when big gin is off."""
    my_points: ByColumn
    """Own points in columns 1, 2, 3 at the start of this deal, shape (3,)."""
    their_points: ByColumn
    """The opponent's points in columns 1, 2, 3, shape (3,)."""
    my_boxes: ByColumn
    """Own wins (boxes) in columns 1, 2, 3, shape (3,)."""
    their_boxes: ByColumn
    """The opponent's wins (boxes) in columns 1, 2, 3, shape (3,)."""
    my_needs: ByColumn
    """Wins still needed before a win of mine enters each column: 0 = the next one does, -1 = closed, shape (3,)."""
    their_needs: ByColumn
    """The same for the opponent, shape (3,)."""
    memory: Memory
    """Eight words private to this seat, zero at each deal, kept between decisions: a strategy's only state."""


TURN_VIEW = np.dtype(
    [(name, *hint.__metadata__[0]) for name, hint in get_type_hints(TurnView, include_extras=True).items()]
    + [("params", np.float64, (PARAM_ROOM,))]
)
"""The record behind a `TurnView`, and behind it the parameters of its player, for the adapters only."""

VIEW = from_dtype(TURN_VIEW)
VIEWS = types.Array(VIEW, 1, "C")

DECISIONS = {
    "take_upcard": types.boolean(VIEW),
    "choose_discard": types.int64(VIEW),
    "should_knock": types.boolean(VIEW),
}
"""The three decisions of a player and their compiled signatures."""


def new_views(count: int) -> npt.NDArray[Any]:
    """Return blank views of so many players, shape (count,), usable compiled or not."""
    return records(count, TURN_VIEW)


def make_view(**fields: object) -> TurnView:
    """Return a view with the given fields set, the others blank (masks and numbers 0, cards -1): for tests."""
    view = new_views(1)[0]
    view.upcard = view.drawn = view.barred = -1
    view.multiplier = 1
    for name, value in fields.items():
        if name not in (TURN_VIEW.names or ()):
            raise AttributeError(f'a view has no field "{name}"; it has {" ".join(TURN_VIEW.names or ())}')
        view[name] = value
    return view
