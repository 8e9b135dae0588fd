"""What a match of the reference engine comes to in the terms of the kernels: deal rows, match rows and moves."""

from __future__ import annotations

from sim.rows import (
    CARD_BITS,
    KNOCKED,
    N_COLUMNS,
    NEVER,
    NOBODY,
    TIE,
    TIE_OF_THREE,
    TOOK,
    Ending,
)
from sim.rules import THREE_HANDED
from tests.support.naive_sheet import Side
from tests.support.reference_engine import NO_DEADWOOD, DealLog, MatchLog

Row = dict[str, object]
"""The fields of a row by name, as plain numbers and lists."""


def deal_row(match: MatchLog, index: int) -> Row:
    """Return every field of DEAL_ROW but pair and leg."""
    deal, seats = match.deals[index], match.seats[index]
    return {
        "deal": index,
        "dealer": seats[match.dealer_seats[index]],
        "ending": int(Ending[deal.ending]),
        "scorer": _side_at(seats, deal.scorer_seat),
        "knocker": _side_at(seats, deal.knocker_seat),
        "points": deal.points,
        "turns": deal.turns,
        "stock_left": deal.stock_left,
        "knocker_deadwood": _points_or_nobody(deal.knocker_deadwood),
        "defender_deadwood_before": _points_or_nobody(deal.defender_deadwood_before),
        "defender_deadwood_after": _points_or_nobody(deal.defender_deadwood_after),
        "initial_deadwood": _initial_deadwood(match, index),
        "knock_limit": deal.knock_limit,
        "columns_entered": sum(1 << column - 1 for column in match.entered[index]),
    }


def _side_at(seats: tuple[Side, Side], seat: int | None) -> int:
    return NOBODY if seat is None else seats[seat]


def _points_or_nobody(points: int) -> int:
    return NOBODY if points == NO_DEADWOOD else points


def _initial_deadwood(match: MatchLog, index: int) -> list[int]:
    """Return the deadwood dealt: by side when both sides are at the table, else by seat."""
    by_seat, seats = match.deals[index].initial_deadwood, match.seats[index]
    if match.sheet.rules.form == THREE_HANDED:
        return by_seat
    return [by_seat[seats.index(side)] for side in (0, 1)]


def move_bytes(deal: DealLog) -> list[int]:
    """Return the turns of a deal, a byte each.

    A pass in the offer has no byte; it shows in whose hand the first card thrown came from.
    """
    turns, took = list[int](), 0
    for _, kind, card in deal.moves:
        if kind in ("take", "draw"):
            took = TOOK if kind == "take" else 0
        elif kind == "big_gin":
            turns.append(took | KNOCKED | CARD_BITS)
        elif kind in ("knock", "discard"):
            turns.append(took | card | (KNOCKED if kind == "knock" else 0))
    return turns


def match_row(match: MatchLog) -> Row:
    """Return every field of MATCH_ROW but pair and leg, with as many sides as play."""
    sides, endings = range(match.sheet.rules.sides), [deal.ending for deal in match.deals]
    return {
        "first_dealer": match.seats[0][match.dealer_seats[0]],
        "deals_played": len(match.deals),
        "match_winner": _winner(match),
        "deals_won": [len(_scored_by(match, side)) for side in sides],
        "deal_points": [sum(deal.points for deal in _scored_by(match, side)) for side in sides],
        "gins": [_knocked_by(match, side).count("GIN") for side in sides],
        "big_gins": [_knocked_by(match, side).count("BIG_GIN") for side in sides],
        "knocks": [
            _knocked_by(match, side).count("KNOCK") + _knocked_by(match, side).count("UNDERCUT") for side in sides
        ],
        "undercuts": [sum(deal.ending == "UNDERCUT" for deal in _scored_by(match, side)) for side in sides],
        "walls": endings.count("WALL"),
        "turn_caps": endings.count("TURN_CAP"),
        "settlement": _settlement(match),
        **_columns(match),
    }


def _scored_by(match: MatchLog, side: Side) -> list[DealLog]:
    return [d for d, seats in zip(match.deals, match.seats, strict=True) if _side_at(seats, d.scorer_seat) == side]


def _knocked_by(match: MatchLog, side: Side) -> list[str]:
    """Return how the deals ended in which this side knocked."""
    pairs = zip(match.deals, match.seats, strict=True)
    return [deal.ending for deal, seats in pairs if _side_at(seats, deal.knocker_seat) == side]


def _winner(match: MatchLog) -> object:
    winner = match.sheet.winner()
    if winner == "tie":
        return TIE_OF_THREE if match.sheet.rules.form == THREE_HANDED else TIE
    return winner


def _settlement(match: MatchLog) -> int:
    """Return the settled points of all columns from side A's view."""
    return sum(net if side == 0 else -net for side, net, _ in filter(None, match.sheet.settlement()))


def _columns(match: MatchLog) -> Row:
    """Return the fields of the three columns; those that are not played stay empty."""
    sheet, sides, played = match.sheet, range(match.sheet.rules.sides), match.sheet.rules.columns
    unplayed = N_COLUMNS - played
    return {
        "column_winner": [NOBODY if side is None else side for side in sheet.closed_by] + [NOBODY] * unplayed,
        "column_points": [[sheet.totals[s][c] if c < played else 0 for s in sides] for c in range(N_COLUMNS)],
        "column_boxes": [[sheet.boxes[s][c] if c < played else 0 for s in sides] for c in range(N_COLUMNS)],
        "column_opened": [[_first_entry(match, s, c) for s in sides] for c in range(N_COLUMNS)],
        "column_closed": [NEVER if index is None else index for index in match.closed_at],
    }


def _first_entry(match: MatchLog, side: Side, column: int) -> int:
    """Return the index of the deal that gave a side its first entry in a column, counted from 0."""
    entries = enumerate(zip(match.entered, match.entered_by, strict=True))
    return next((index for index, (entered, by) in entries if by == side and column + 1 in entered), NEVER)
