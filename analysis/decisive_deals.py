"""The deals that decided a match against the longest odds: where one deal turned a match round.

A match is decided by the deal that gives one side most of the columns: its second of three, or the only one. How
unlikely that was is told by the winner's chance of the match just before that deal was dealt: the share that it wins of
matches played on from the same sheet and dealer, with deals drawn from all scored deals of the pairing.

One scan of the run orders all matches by what the deciding column alone says (`analysis.equity`, even sides); the first
`CANDIDATES` of them are then played on in rounds, ever more often and ever fewer.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd

from analysis.equity import DealPoints, Floats, SheetRules, column_equity, deal_counts, sheet_rules
from analysis.intervals import part_limits
from analysis.load import Run, RunError
from analysis.moments import sql_text
from analysis.resampling import Sheets, play_on

CANDIDATES = 200
ROUNDS = ((200, 200), (20, 2_000), (10, 10_000))
"""How many candidates are played on, and how often each."""
STEPS = 100
"""Steps into which the first look divides the way to the target."""

COLUMNS = (
    *("a", "b", "pair", "leg", "deal", "winner", "ending", "points"),
    *("column", "winner_points", "rival_points", "closed", "before", "lo", "hi"),
)
ENDINGS = {0: "knock", 1: "gin", 2: "big_gin", 3: "undercut"}


def most_decisive(run: Run, top: int = 5) -> pd.DataFrame:
    """Return the deals that decided a match against the longest odds, the most unlikely first.

    One row a deal, fewer than `top` of a small run. Columns: a, b (specs) · pair, leg, deal (index in its match, from
    0) · winner ("A", "B": who scored it, and has won the match with it) · ending (knock, gin, big_gin, undercut) ·
    points · column (1..3, the one whose closing decided) · winner_points, rival_points (in that column, before the
    deal) · closed (columns the deal closed) · before (the winner's chance of the match before the deal, 0..1) · lo, hi
    (95%, Wilson, for the resampling alone). At most 10 rows can be had; the same run gives the same ones. A player
    against itself plays both legs alike, so only leg 0 counts. Raises `RunError` when the run has no deal rows, or
    when its matches are not decided by columns won with single deals (`match_winner`, partnership).
    """
    _refuse_undecidable(run)
    rules = sheet_rules(run.spec["rules"])
    found = run.query(_first_look(run, rules)).astype(dict.fromkeys(("pair", "leg", "deal", "points"), np.int64))
    if not len(found):
        return pd.DataFrame(columns=[*COLUMNS])
    sheets = _sheets_before(run, found, rules)
    chances = _play_on_in_rounds(run, found, sheets)
    rows = np.array(sorted(chances, key=lambda row: (chances[row], row))[:top])
    return _table(found.iloc[rows], sheets.take(rows), np.array([chances[row] for row in rows]))


def _refuse_undecidable(run: Run) -> None:
    """Raise `RunError` unless one deal after another is entered, and most of the columns win the match."""
    if not is_decided_by_columns(run):
        raise RunError(f"{run.path}: its matches are not decided by columns won with single deals")
    if not run.has_deals:
        raise RunError(f"{run.path}: no row a deal was kept, so its decisive deals are unknown")


def is_decided_by_columns(run: Run) -> bool:
    """Tell whether a match is decided by the deal that gives one of two sides most of the columns."""
    return run.spec["rules"]["match_winner"] == "majority" and run.deals_a_round == 1 and not run.is_three_handed


def _first_look(run: Run, rules: SheetRules) -> str:
    """Return the query for the candidates, with the odds of one column filled in."""
    even = DealPoints.of_counts(deal_counts(run).sum(axis=0), even=True)
    at = np.minimum((np.arange(STEPS) * rules.target + STEPS - 1) // STEPS, rules.target - 1)
    odds = column_equity(even, rules).mean(axis=2)[np.ix_(at, at)]
    second, both = (
        "column1_winner = column2_winner",
        "column2_winner = column3_winner AND column2_closed = column3_closed",
    )
    names = {
        "closed": f"if({second}, column2_closed, column3_closed)",
        **{f"points_{side}": f"if({second}, column2_points_{side}, column3_points_{side})" for side in "ab"},
        **{f"near_{side}": f"if({second} OR ({both}), column2_points_{side}, column3_points_{side})" for side in "ab"},
    }
    if rules.columns == 1:
        both_names = product(("points", "near"), "ab")
        names = {"closed": "column1_closed"} | {f"{name}_{side}": f"column1_points_{side}" for name, side in both_names}
    filled = {"odds": ", ".join(f"{chance:.4f}" for chance in odds.ravel()), "steps": STEPS, "target": rules.target}
    return sql_text("decisive_deals").format(most=CANDIDATES, **filled, **names)


def _sheets_before(run: Run, found: pd.DataFrame, rules: SheetRules) -> Sheets:
    """Return the sheet of each match as it was before the deal that decided it."""
    keys = found[["a", "b", "pair", "leg", "deal"]].itertuples(index=True, name=None)
    wanted = ", ".join(
        f"({number}, {_quoted(a)}, {_quoted(b)}, {', '.join(map(str, at))})" for number, a, b, *at in keys
    )
    rows = run.query(sql_text("decisive_deals_before").format(matches=wanted))
    sheets = Sheets.blank(len(found), rules)
    for _, deals in rows.groupby(rows.groupby("number").cumcount()):
        sheets.enter(*(deals[name].to_numpy(dtype=np.int64) for name in ("number", "scorer", "points")))
    return sheets


def _quoted(text: str) -> str:
    """Return text as an SQL string."""
    return "'" + text.replace("'", "''") + "'"


def _play_on_in_rounds(run: Run, found: pd.DataFrame, sheets: Sheets) -> dict[int, float]:
    """Return the winner's chance of the match of the likeliest rows, played on most often."""
    alive = np.arange(len(found))
    for number, (most, times) in enumerate(ROUNDS):
        alive = alive[:most]
        rng = np.random.default_rng([int(run.spec["seed"]), number])
        chance = np.zeros(len(found))
        for (a, b), own in found.iloc[alive].groupby(["a", "b"], sort=False):
            deals = DealPoints.of_counts(deal_counts(run, (str(a), str(b))).sum(axis=0), even=a == b)
            rows = own.index.to_numpy()
            chance[rows] = _chances(sheets.take(np.repeat(rows, times)), own, deals, rng)
        alive = alive[np.argsort(chance[alive], kind="stable")]
    return {int(row): float(chance[row]) for row in alive}


def _chances(sheets: Sheets, own: pd.DataFrame, deals: DealPoints, rng: np.random.Generator) -> Floats:
    """Return the share of matches that the winner of each row wins, played on equally often from its sheet."""
    dealer, winner = (own[name].to_numpy(dtype=np.int64) for name in ("dealer", "winner"))
    times = len(sheets.wins) // len(own)
    play_on(sheets, np.repeat(dealer, times), deals, rng)
    return np.asarray((sheets.ahead().reshape(-1, times) == (winner == 0)[:, None]).mean(axis=1))


def _table(found: pd.DataFrame, sheets: Sheets, before: Floats) -> pd.DataFrame:
    """Return the table `most_decisive` of some candidates, in this order."""
    rows, winner = np.arange(len(found)), found["winner"].to_numpy(dtype=np.int64)
    after = sheets.take(rows)
    after.enter(rows, winner, found["points"].to_numpy(dtype=np.int64))
    won = after.winner == winner[:, None]
    column = np.argmax(won.cumsum(axis=1) > sheets.rules.columns // 2, axis=1)
    limits = part_limits(before, np.sqrt(before * (1 - before) / ROUNDS[-1][1]), np.full(len(found), ROUNDS[-1][1]))
    table = found[["a", "b", "pair", "leg", "deal"]].reset_index(drop=True)
    table["winner"] = np.array(["A", "B"])[winner]
    table["ending"] = found["ending"].map(ENDINGS).to_numpy()
    table["points"] = found["points"].to_numpy()
    table["column"] = column + 1
    table["winner_points"] = sheets.points[rows, column, winner]
    table["rival_points"] = sheets.points[rows, column, 1 - winner]
    table["closed"] = (after.winner != sheets.winner).sum(axis=1)
    table["before"], table["lo"], table["hi"] = before, *limits
    return table[[*COLUMNS]]
