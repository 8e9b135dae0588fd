"""Naive twin of the score sheet: columns as plain lists, every option of the rules spelled out."""

from __future__ import annotations

from typing import Literal

from sim.rules import Rules

Side = int
Settlement = tuple[Side, int, bool]
"""Who won a column, his net points (below zero if boxes outweigh them), and whether it was a shutout."""


class MatchOverError(ValueError):
    """A win was entered on a sheet whose match is over."""


class NaiveSheet:
    """One match's score sheet for its two or three sides; lists are indexed by side, then by column from 0.

    `totals` are points, `boxes` entries, `closed_by` the side that reached a column's target first, or None.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.wins = [0] * rules.sides  # counted wins of each side, those that entered nothing included
        self.totals = [[0] * rules.columns for _ in range(rules.sides)]
        self.boxes = [[0] * rules.columns for _ in range(rules.sides)]
        self.closed_by: list[Side | None] = [None] * rules.columns
        self._settled: list[Settlement | None] = [None] * rules.columns

    @property
    def opened(self) -> list[list[bool]]:
        """Tell for each side and column whether the side has an entry in it, be it of zero points."""
        return [[boxes > 0 for boxes in columns] for columns in self.boxes]

    def is_open(self, side: Side, column: int) -> bool:
        """Tell whether a column still takes wins of this side."""
        if self.rules.closing == "player":
            return self.totals[side][column] < self.rules.target
        return self.closed_by[column] is None

    def needs(self, side: Side) -> list[int]:
        """Return for each column how many wins of this side come before one that enters it.

        0: the next win enters; -1: closed to this side. Wins are counted as if no column closed meanwhile.
        """
        return [
            self._wins_before(side, column) if self.is_open(side, column) else -1
            for column in range(self.rules.columns)
        ]

    def _wins_before(self, side: Side, column: int) -> int:
        """Return the wins before one enters this open column."""
        if self.rules.carry == "strict":  # the win numbered n enters the columns 1..n
            next_win = self.wins[side] + 1
            return max(0, column + 1 - next_win)
        if self.opened[side][column]:
            return 0
        # One unopened column is opened by each win, the lowest first.
        return sum(self.is_open(side, lower) and not self.opened[side][lower] for lower in range(column))

    def enter(self, side: Side, points: int) -> list[int]:
        """Enter a won deal and return the columns it entered, counted from 1.

        Raises `MatchOverError` when the match is over.
        """
        if self.is_over:
            raise MatchOverError(f"side {side} cannot enter {points}: the match is over")
        if points == 0 and not self.rules.count_zero_wins:
            return []
        entered = [column for column, wins in enumerate(self.needs(side)) if wins == 0]
        self.wins[side] += 1
        for column in entered:
            self.totals[side][column] += points
            self.boxes[side][column] += 1
        self._close_columns(side)
        return [column + 1 for column in entered]

    def _close_columns(self, side: Side) -> None:
        """Close and settle the columns that this side has just won."""
        for column, total in enumerate(self.totals[side]):
            if total >= self.rules.target and self.closed_by[column] is None:
                self.closed_by[column] = side
                if self.rules.sides == 2:  # three-handed, nothing is settled
                    # With closing=player the loser may still enter wins here; they no longer matter.
                    self._settled[column] = self._settle(side, column)

    def _settle(self, winner: Side, column: int) -> Settlement:
        """Return a column's settlement as it stands now."""
        loser = 1 - winner
        net = self.totals[winner][column] - self.totals[loser][column] + self.rules.game_bonus
        net += self.rules.box_bonus * (self.boxes[winner][column] - self.boxes[loser][column])
        shutout = self.boxes[loser][column] == 0
        if shutout and self.rules.shutout_doubles:
            net *= 2
        if column == 2 and self.rules.third_column_doubled:
            net *= 2
        return winner, net, shutout

    def settlement(self) -> list[Settlement | None]:
        """Return each column's settlement, None while nobody has won it and always among three sides."""
        return list(self._settled)

    @property
    def is_over(self) -> bool:
        """Tell whether the match has ended."""
        if self.rules.match_winner == "first_column":
            return any(winner is not None for winner in self.closed_by)
        return not any(
            self.is_open(side, column) for side in range(self.rules.sides) for column in range(self.rules.columns)
        )

    def winner(self) -> Side | Literal["tie"] | None:
        """Return the match's winner, ``tie``, or None while it goes on."""
        if not self.is_over:
            return None
        standings = [self._standing(side) for side in range(self.rules.sides)]
        best = max(standings)
        return "tie" if standings.count(best) > 1 else standings.index(best)

    def _standing(self, side: Side) -> int:
        """Return what the sides are compared by: columns won, settled points, or running totals."""
        if self.rules.match_winner == "majority":
            return self.closed_by.count(side)
        if self.rules.match_winner == "total":
            return sum(settled[1] for settled in self._settled if settled and settled[0] == side)
        return sum(self.totals[side])
