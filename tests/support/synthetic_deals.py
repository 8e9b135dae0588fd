"""Deal rows for runs of dice: what `tests.support.synthetic_run` throws for each deal, with a plausible course to it.

Every row agrees with the row of its match: who scored, how the deal ended, its points, the columns they were entered
in. What the match row knows nothing of (deadwood, turns, stock) comes from dice of its own, the same in both legs. The
deadwood adds up to the points, with these exceptions: an undercut worth more than the knock limit allows, and a deal
doubled by a spade.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sim.rows import DEAL_ROW, NOBODY, Ending
from sim.rules import Rules

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Rows = npt.NDArray[np.void]
STOCK_CARDS = 31
LAST_STOCK_CARDS = 2
DICE = 8
"""Dice of the course of a deal: own turn, two of knocked deadwood, layoff, upcard, two hands, draws from stock."""


@dataclass(frozen=True)
class Outcome:
    """How some deals ended: scoring side, ending (an `Ending`), points, and which are dead; all of shape (n_rows,)."""

    scorer: Ints
    ending: Ints
    points: Ints
    dead: Bools


class DealLog:
    """The deal rows of a block of pairs, as they are played."""

    def __init__(self, rules: Rules, first_dealer: Ints, seed: tuple[int, int], pairs: int) -> None:
        self._rules, self._pairs = rules, pairs
        self._rng = np.random.default_rng([*seed, 1])
        self._dealer = first_dealer.astype(np.int64)
        self._kept: list[Rows] = []

    def add(self, live: Ints, matches: Rows, deal: int, outcome: Outcome) -> None:
        """Note a deal of the matches `live`, indices into the block whose rows are `matches`."""
        dice = np.repeat(self._rng.random((DICE, self._pairs)), 2, axis=1)[:, live]
        rows = np.zeros(len(live), DEAL_ROW)
        rows["pair"], rows["leg"], rows["deal"] = matches["pair"], matches["leg"], deal
        rows["dealer"] = self._dealer[live]
        _note_ending(rows, outcome)
        rows["knock_limit"] = self._limit(dice[4])
        _note_deadwood(rows, dice, self._rules, outcome.points)
        _note_turns(rows, dice)
        seats = (30 + 50 * dice[5:7]).astype(np.int64)
        for side in (0, 1):
            rows["initial_deadwood"][:, side] = np.where(matches["leg"] == side, seats[0], seats[1])
        self._kept.append(rows)
        self._pass_deal(live, outcome)

    def enter(self, tables: int, side: int, columns: npt.NDArray[np.uint8]) -> None:
        """Note the columns (a bit mask) a side entered the last round in: at each table where it scored."""
        for rows in self._kept[-tables:]:
            rows["columns_entered"] |= np.where(rows["scorer"] == side, columns, 0).astype(np.uint8)

    def rows(self) -> Rows:
        """Return the `DEAL_ROW` records of the block, by pair, leg and deal."""
        kept = np.concatenate(self._kept)
        return kept[np.lexsort((kept["deal"], kept["leg"], kept["pair"]))]

    def _limit(self, die: Floats) -> Ints:
        limit = self._rules.knock_limit
        return np.full(len(die), limit) if isinstance(limit, int) else 1 + (10 * die).astype(np.int64)

    def _pass_deal(self, live: Ints, outcome: Outcome) -> None:
        """Let the side deal next whose turn it is by the rules; a dead deal is dealt again by the same."""
        turn = {"winner": outcome.scorer, "loser": 1 - outcome.scorer, "alternate": 1 - self._dealer[live]}
        self._dealer[live] = np.where(outcome.dead, self._dealer[live], turn[self._rules.next_dealer])


def _note_ending(rows: Rows, outcome: Outcome) -> None:
    scorer = np.where(outcome.dead, NOBODY, outcome.scorer)
    undercut = outcome.ending == Ending.UNDERCUT
    rows["scorer"] = scorer
    rows["knocker"] = np.where(undercut & ~outcome.dead, 1 - outcome.scorer, scorer)
    rows["ending"] = np.where(outcome.dead, Ending.WALL, outcome.ending)
    rows["points"] = np.where(outcome.dead, 0, outcome.points)


def _note_deadwood(rows: Rows, dice: Floats, rules: Rules, points: Ints) -> None:
    """Fill in the deadwood of both, so that the score comes to the points; undercut knocks are rather high ones."""
    limit, ending = rows["knock_limit"].astype(np.int64), rows["ending"]
    low = np.minimum(limit, 1)
    knock = low + (dice[1] * (limit - low + 1)).astype(np.int64)
    high = low + (np.maximum(dice[1], dice[2]) * (limit - low + 1)).astype(np.int64)
    margin = points - rules.undercut_bonus
    caught = np.minimum(np.maximum(high, margin), limit)
    knocker = np.select([ending == Ending.GIN, ending == Ending.UNDERCUT], [0, caught], knock)
    after = np.select(
        [ending == Ending.GIN, ending == Ending.UNDERCUT],
        [points - rules.gin_bonus, knocker - np.clip(margin, 0, knocker)],
        knocker + points,
    )
    after = np.clip(after, 0, 98)
    layoff = np.where((ending != Ending.GIN) & (dice[3] < 0.3), (30 * dice[3]).astype(np.int64), 0)
    dead = ending == Ending.WALL
    rows["knocker_deadwood"] = np.where(dead, NOBODY, knocker)
    rows["defender_deadwood_after"] = np.where(dead, NOBODY, after)
    rows["defender_deadwood_before"] = np.where(dead, NOBODY, np.minimum(after + layoff, 98))


def _note_turns(rows: Rows, dice: Floats) -> None:
    """Fill in the length of each deal; who did not deal plays first, so that his last turn makes an odd number."""
    dead = rows["ending"] == Ending.WALL
    own = np.where(rows["ending"] == Ending.GIN, 3, 1) + (12 * dice[0] ** 1.5).astype(np.int64)
    turns = 2 * own - (rows["knocker"] != rows["dealer"])
    drawn = np.minimum((turns * (0.6 + 0.4 * dice[7])).astype(np.int64), STOCK_CARDS - LAST_STOCK_CARDS - 1)
    rows["turns"] = np.where(dead, 29 + (8 * dice[0]).astype(np.int64), turns)
    rows["stock_left"] = np.where(dead, LAST_STOCK_CARDS, STOCK_CARDS - drawn)
