"""Whole matches made of resampled deals: what a recursion over one column cannot tell, such as two columns of three.

The columns of a sheet go together, since most wins enter all of them. So matches are played on with deals drawn from
the scored deals of a run, thousands at a time, and counted. The sheets keep the rules of docs/rules.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.equity import DealPoints, SheetRules, deal_counts, sheet_rules
from analysis.intervals import part_limits
from analysis.load import Pairing, Run

Ints = npt.NDArray[np.int64]
Scorers = npt.NDArray[np.int8]
Bools = npt.NDArray[np.bool_]
OPEN = -1
STARTS = 3
"""How many first deals `good_starts` looks at."""
MATCHES = 40_000
"""Matches that `good_starts` resamples."""
MOST_DEALS = 1_000
"""A resampled match that is still undecided after so many scored deals is given up, and does not count."""


@dataclass
class Sheets:
    """The sheets of n matches: points and opened (n, columns, 2), winner (n, columns; `OPEN`), wins (n, 2)."""

    rules: SheetRules
    points: Ints
    opened: Bools
    winner: Ints
    wins: Ints

    @classmethod
    def blank(cls, count: int, rules: SheetRules) -> Sheets:
        """Return the sheets of matches that have not begun."""
        shape = (count, rules.columns)
        none = np.zeros((*shape, 2), np.int64)
        return cls(rules, none, none.astype(np.bool_), np.full(shape, OPEN), np.zeros((count, 2), np.int64))

    def take(self, rows: Ints) -> Sheets:
        """Return copies of some sheets, as often as they are named."""
        return Sheets(self.rules, self.points[rows], self.opened[rows], self.winner[rows], self.wins[rows])

    def enter(self, rows: Ints, scorer: Ints, points: Ints) -> Ints:
        """Enter a scored deal on each sheet of `rows`; return the columns entered, 1 + 2 + 4 for columns 1, 2, 3."""
        if not self.rules.zero_counts:
            rows, scorer, points = (values[points > 0] for values in (rows, scorer, points))
        mask = np.zeros(len(rows), np.int64)
        blank = np.ones(len(rows), np.bool_)  # no open column without an entry yet, going from column 1
        for column in range(self.rules.columns):
            is_open, has = self.winner[rows, column] == OPEN, self.opened[rows, column, scorer]
            if self.rules.strict:
                enters = is_open & (self.wins[rows, scorer] >= column)
            else:
                enters = is_open & (has | blank)
                blank &= has | ~is_open
            at, side = rows[enters], scorer[enters]
            self.opened[at, column, side] = True
            self.points[at, column, side] += points[enters]
            closes = self.points[at, column, side] >= self.rules.target
            self.winner[at[closes], column] = side[closes]
            mask += enters << column
        self.wins[rows, scorer] += 1
        return mask

    def columns_won(self) -> Ints:
        """Return how many columns each side has won, shape (n, 2)."""
        return np.stack([(self.winner == side).sum(axis=1) for side in (0, 1)], axis=1)

    def ahead(self) -> Bools:
        """Return whether side A has won more columns than B."""
        won = self.columns_won()
        return np.asarray(won[:, 0] > won[:, 1])

    def is_decided(self) -> Bools:
        """Return whether a side has most of the columns."""
        return np.asarray((self.columns_won() > self.rules.columns // 2).any(axis=1))


def play_on(
    sheets: Sheets, dealer: Ints, deals: DealPoints, rng: np.random.Generator, *, decided: bool = True
) -> Scorers:
    """Play matches on with drawn deals; return who scored each of them, shape (scored deals, n), `OPEN` once over.

    `dealer` is the side that deals next in each match. A match goes on until one side has most of the columns; unless
    `decided`, until all are closed; at most for `MOST_DEALS`. `sheets` are written on.
    """
    most = deals.chance.shape[2]
    steps = np.cumsum(deals.chance.reshape(2, -1), axis=1)
    steps = np.concatenate([dealt / dealt[-1] + side for side, dealt in enumerate(steps)])
    dealer = dealer.copy()
    scorers: list[Scorers] = []
    live = _going_on(sheets, np.arange(len(dealer)), decided)
    while len(live) and len(scorers) < MOST_DEALS:
        outcome = np.searchsorted(steps, rng.random(len(live)) + dealer[live], side="right") % (2 * most)
        scorer, points = np.divmod(outcome, most)
        sheets.enter(live, scorer, points)
        dealer[live] = _next_dealers(sheets.rules, dealer[live], scorer)
        scored = np.full(len(dealer), OPEN, np.int8)
        scored[live] = scorer
        scorers.append(scored)
        live = _going_on(sheets, live, decided)
    return np.array(scorers, np.int8).reshape(-1, len(dealer))


def _going_on(sheets: Sheets, rows: Ints, decided: bool) -> Ints:
    """Return those of some matches that go on."""
    winner = sheets.winner[rows]
    if not decided:
        return np.asarray(rows[(winner == OPEN).any(axis=1)])
    most = sheets.rules.columns // 2
    return np.asarray(rows[((winner == 0).sum(axis=1) <= most) & ((winner == 1).sum(axis=1) <= most)])


def _next_dealers(rules: SheetRules, dealer: Ints, scorer: Ints) -> Ints:
    """Return who deals after a scored deal of each match."""
    return {"winner": scorer, "loser": 1 - scorer, "alternate": 1 - dealer}[rules.next_dealer]


def good_starts(run: Run, of: Pairing | None = None) -> pd.DataFrame:
    """Return how many matches a side wins that wins the first deals: one row a side and number of deals, 1 to 3.

    Of one pairing (the first, unless named), from `MATCHES` matches resampled from its scored deals, the same for the
    same run; the first dealer is drawn. Columns: a, b (specs) · side ("A", "B") · won_first (scored deals won, from the
    first on) · matches (resampled, that began so) · match_win_rate (share of these in which the side won most columns;
    NaN with none) · lo, hi (95%, Wilson, for the resampling alone). A player against itself is taken as even. Raises
    `RunError` when the run has no deal rows.
    """
    a, b = of = of or run.pairings[0]
    rules, counts = sheet_rules(run.spec["rules"]), deal_counts(run, of).sum(axis=0)
    rng = np.random.default_rng(int(run.spec["seed"]))
    sheets = Sheets.blank(MATCHES, rules)
    scorers = play_on(sheets, rng.integers(0, 2, MATCHES), DealPoints.of_counts(counts, even=a == b), rng)
    table = _starts(scorers, sheets)
    table.insert(0, "a", a)
    table.insert(1, "b", b)
    return table


def _starts(scorers: Scorers, sheets: Sheets) -> pd.DataFrame:
    """Return the table `good_starts` without the players; `scorers` as `play_on` returns them, with its sheets."""
    decided, a_won = sheets.is_decided(), sheets.ahead()
    won = []
    for side, first in product((0, 1), range(1, STARTS + 1)):
        began = (scorers[:first] == side).all(axis=0) & (len(scorers) >= first) & decided
        won.append((side, first, (a_won if side == 0 else ~a_won)[began]))
    rows = [("AB"[side], first, len(own), own.mean() if len(own) else np.nan) for side, first, own in won]
    table = pd.DataFrame(rows, columns=["side", "won_first", "matches", "match_win_rate"])
    share, cases = (table[name].to_numpy(dtype=np.float64) for name in ("match_win_rate", "matches"))
    se = np.sqrt(share * (1 - share) / np.maximum(cases, 1))
    table["lo"], table["hi"] = part_limits(share, se, np.maximum(cases, 1))
    return table
