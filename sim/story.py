"""What is told of a deal and of a match that was played again, and the same as a document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sim.cards import format_card, format_hand
from sim.evening import SIDES, Evening, Line, score_evening
from sim.follow import Turn
from sim.rows import NOBODY, Ending
from sim.rules import PARTNERSHIP, Rules
from sim.shuffle import STOCK, UPCARD_PLACE
from sim.solve import Laydown


@dataclass(frozen=True)
class DealStory:
    """One deal: who sits where, the cards, every turn, and how it ended.

    `sides` sit in the order of the table; `hands` and `seats` are in the same order. `passed` are the sides that
    refused the upcard in the opening offer, in order. `row` is the DEAL_ROW the kernel wrote; None if the deal broke
    off, which `trouble` explains. `win` is what it brought to the sheet: a side and its points, or None.
    """

    deal: int
    table: int
    dealer: int
    sides: tuple[int, int]
    seats: tuple[int, int]
    hands: tuple[int, int]
    stream: tuple[int, ...]
    passed: tuple[int, ...]
    turns: tuple[Turn, ...]
    knock_limit: int
    multiplier: int
    row: Any
    laydown: Laydown | None
    win: tuple[int, int] | None
    trouble: str | None = None

    @property
    def upcard(self) -> int:
        """The first upcard."""
        return self.stream[UPCARD_PLACE]

    @property
    def ending(self) -> Ending | None:
        """How the deal ended; None if it broke off."""
        return None if self.row is None else Ending(int(self.row.ending))


@dataclass(frozen=True)
class MatchStory:
    """One match of a pair: its deals, and the row the kernel wrote (None if it was broken off)."""

    pair: int
    leg: int
    rules: Rules
    deals: tuple[DealStory, ...]
    row: Any

    def evening(self, names: Sequence[str]) -> Evening:
        """Return the match as it would be written down at the table: an entry a deal, or a round of partners."""
        return Evening(tuple(names), tuple(self._line(deal) for deal in self.deals if self.is_entry(deal)))

    def is_entry(self, deal: DealStory) -> bool:
        """Tell whether the sheet is written after a deal: after every one, of partners after the second table's."""
        return deal.table == self.rules.tables - 1

    def _line(self, deal: DealStory) -> Line:
        if deal.win is None:
            return Line(None, "void", 0)
        label = "" if self.rules.form == PARTNERSHIP or deal.ending is None else LABELS[deal.ending]
        return Line(deal.win[0], label, deal.win[1])


LABELS = {Ending.KNOCK: "", Ending.GIN: "gin", Ending.BIG_GIN: "big gin", Ending.UNDERCUT: "undercut"}


def match_document(match: MatchStory, deals: Sequence[DealStory]) -> dict[str, Any]:
    """Return a match with some of its deals as a document."""
    names = SIDES[: match.rules.sides]
    scored = score_evening(match.evening(names), match.rules)
    sheets = [{name: [0] * match.rules.columns for name in names}]
    for after in scored.sheets_after:
        points = after["points"][: match.rules.columns]
        sheets.append({name: points[:, side].tolist() for side, name in enumerate(names)})
    document: dict[str, Any] = {"leg": match.leg, "deals_played": None, "match_winner": None}
    if match.row is not None:
        winner = int(match.row.match_winner)
        document["deals_played"] = int(match.row.deals_played)
        document["match_winner"] = SIDES[winner] if winner < match.rules.sides else "tie"
    document["deals"] = [_deal_document(match, deal, sheets) for deal in deals]
    return document


def _deal_document(match: MatchStory, deal: DealStory, sheets: Sequence[object]) -> dict[str, Any]:
    letters = [SIDES[side] for side in deal.sides]
    document: dict[str, Any] = {
        "deal": deal.deal,
        "table": deal.table + 1,
        "dealer": SIDES[deal.dealer],
        "seats": dict(zip(letters, deal.seats, strict=True)),
        "knock_limit": deal.knock_limit,
        "multiplier": deal.multiplier,
        "hands": {letter: format_hand(hand) for letter, hand in zip(letters, deal.hands, strict=True)},
        "upcard": format_card(deal.upcard),
        "stock": " ".join(format_card(card) for card in deal.stream[STOCK:]),
        "passed": [SIDES[side] for side in deal.passed],
        "turns": [_turn_document(turn) for turn in deal.turns],
    }
    if deal.row is None:
        return {**document, "broken_off": deal.trouble}
    document |= _ending_document(deal)
    entry = deal.deal // match.rules.tables
    if match.is_entry(deal):
        document |= {"sheet_before": sheets[entry], "sheet_after": sheets[entry + 1]}
    return document


def _turn_document(turn: Turn) -> dict[str, Any]:
    return {
        "side": SIDES[turn.side],
        "drew": format_card(turn.drawn),
        "from": "pile" if turn.taken else "stock",
        "threw": None if turn.thrown < 0 else format_card(turn.thrown),
        "knocked": turn.knocked,
        "deadwood": turn.deadwood,
    }


def _ending_document(deal: DealStory) -> dict[str, Any]:
    row, laid = deal.row, deal.laydown
    points = ("knocker_deadwood", "defender_deadwood_before", "defender_deadwood_after")
    return {
        "ending": Ending(int(row.ending)).name.lower(),
        "knocker": None if row.knocker == NOBODY else SIDES[int(row.knocker)],
        "scorer": None if row.scorer == NOBODY else SIDES[int(row.scorer)],
        "points": int(row.points),
        **{name: None if row[name] == NOBODY else int(row[name]) for name in points},
        "spread": None if laid is None else laid.spread,
        "defence": None if laid is None else laid.defence,
        "layoffs": None if laid is None else laid.layoffs,
        "columns_entered": [column + 1 for column in range(3) if int(row.columns_entered) >> column & 1],
    }
