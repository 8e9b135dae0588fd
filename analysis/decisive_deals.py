"""The deals that decided a match against the longest odds: where one deal turned a match round.

A match is decided by the deal that gives one side most of the columns: its second of three, or the only one. How
unlikely that was is told by the winner's chance of the match just before that deal was dealt: the share that it wins of
matches played on from the same sheet and dealer, with deals drawn from all scored deals of the pairing.

One scan of the run orders all matches by what the deciding column alone says (`analysis.equity`, even sides); the first
`CANDIDATES` of them are then played on in rounds, ever more often and ever fewer. Where each side closes a column for
itself (`closing=player`), the rival plays on in the column that decided, so that the match row does not have its points
of then: the scan orders by the winner's alone, and the first `BY_WINNER` get the rival's from the deal rows.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd

from analysis.asking import quoted, sql_text
from analysis.deciding import deciding_deal
from analysis.equity import DealPoints, Floats, SheetRules, column_equity, deal_counts, sheet_rules
from analysis.intervals import part_limits
from analysis.load import Run, RunError
from analysis.resampling import Bools, Ints, Sheets, play_on
from sim.rows import Ending

CANDIDATES = 200
ROUNDS = ((200, 200), (20, 2_000), (10, 10_000))
"""How many candidates are played on, and how often each."""
BY_WINNER = 20_000
"""How many candidates are looked at twice, where the first look knows the winner's points only."""
STEPS = 100
"""Steps into which the first look divides the way to the target."""
ROUNDING = 1e-4
"""The query has the odds to four digits."""

COLUMNS = (
    *("a", "b", "pair", "leg", "deal", "winner", "ending", "points"),
    *("column", "winner_points", "rival_points", "closed", "before", "lo", "hi"),
)


def most_decisive(run: Run, top: int = 5) -> pd.DataFrame:
    """Return the deals that decided a match against the longest odds, the most unlikely first.

    One row a deal, fewer than `top` of a small run. Columns: a, b (specs) · pair, leg, deal (index in its match, from
    0) · winner ("A", "B": who scored it, and has won the match with it) · ending (knock, gin, big_gin, undercut) ·
    points · column (1..3, the one whose closing decided) · winner_points, rival_points (in that column, before the
    deal) · closed (columns the deal closed) · before (the winner's chance of the match before the deal, 0..1) · lo, hi
    (95%, Wilson, for the resampling alone). At most 10 rows can be had; the same run gives the same ones. The
    legs of a mirror (`Run.is_mirror`) are alike, so only leg 0 counts. Raises `RunError` when the run has no deal rows,
    or when its matches are not decided by columns won with single deals (`match_winner`, partnership).
    """
    _refuse_undecidable(run)
    rules = sheet_rules(run.spec["rules"])
    odds = _column_odds(run, rules)
    found = _best(run, rules, odds)
    if not len(found):
        return pd.DataFrame(columns=[*COLUMNS])
    sheets = _sheets_before(run, found, rules)
    if _closes_by_player(run):
        rows = _second_look(found, sheets, odds)
        found, sheets = found.iloc[rows].reset_index(drop=True), sheets.take(rows)
    chances = _play_on_in_rounds(run, found, sheets)
    rows = np.array(sorted(chances, key=lambda row: (chances[row], row))[:top], dtype=np.int64)
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


def _closes_by_player(run: Run) -> bool:
    return bool(run.spec["rules"]["closing"] == "player")


def _column_odds(run: Run, rules: SheetRules) -> Floats:
    """Return the chance of winning one column between even sides, shape (STEPS, STEPS): by steps to the target.

    With a target of more points than steps, points are taken in steps: solving costs the cube of the target.
    """
    counts = deal_counts(run).sum(axis=0)
    target = min(rules.target, STEPS)
    if target < rules.target:
        counts = _in_steps(counts, STEPS / rules.target)
    even = DealPoints.of_counts(counts, even=True)
    at = np.minimum((np.arange(STEPS) * target + STEPS - 1) // STEPS, target - 1)
    return np.asarray(column_equity(even, replace(rules, target=target)).mean(axis=2)[np.ix_(at, at)])


def _in_steps(counts: Floats, size: float) -> Floats:
    """Return deals counted by points (last axis) as counted by steps; a part of a step is shared out, so means stay."""
    steps = np.arange(counts.shape[2]) * size
    whole = np.floor(steps).astype(np.int64)
    shares, points = np.zeros((len(steps), int(whole[-1]) + 2)), np.arange(len(steps))
    shares[points, whole], shares[points, whole + 1] = 1 - (steps - whole), steps - whole
    return np.asarray(counts @ shares)


def _first_look(run: Run, rules: SheetRules, odds: Floats, least: int) -> str:
    """Return the query for the candidates of at least so many points, with the odds of one column filled in."""
    second, both = (
        "column1_winner = column2_winner",
        "column2_winner = column3_winner AND column2_closed = column3_closed",
    )
    names = {
        **{f"points_{side}": f"if({second}, column2_points_{side}, column3_points_{side})" for side in "ab"},
        **{f"near_{side}": f"if({second} OR ({both}), column2_points_{side}, column3_points_{side})" for side in "ab"},
    }
    if rules.columns == 1:
        both_names = product(("points", "near"), "ab")
        names = {f"{name}_{side}": f"column1_points_{side}" for name, side in both_names}
    same = "own_a = strategy_a AND own_b = strategy_b"
    filled: dict[str, object] = {"odds": ", ".join(f"{chance:.4f}" for chance in odds.ravel())}
    filled |= {"steps": STEPS, "target": rules.target, "least": least, "named": run.named}
    filled |= {"most": _candidates(run), "closed": deciding_deal(run), "counted": run.each_once}
    filled |= {"same_pairing": same if len(run.pairings) > 1 else "TRUE"}
    return sql_text("decisive_deals").format(**filled, **names)


def _candidates(run: Run) -> int:
    """Return how many candidates the first look gives."""
    return BY_WINNER if _closes_by_player(run) else CANDIDATES


def _best(run: Run, rules: SheetRules, odds: Floats) -> pd.DataFrame:
    """Return the candidates of the whole run.

    Long odds take many points at once, so deals of many points are looked at first, and the others only if the best of
    them, which have the winner at the target less their points and the rival a point before it, could come before a
    candidate. So it is exact, and the join of matches and deals is mostly of one deal in a hundred.
    """
    for least in _least_points(run):
        some = run.below_one_another(_first_look(run, rules, odds, least))
        found = pd.concat(some, ignore_index=True)
        found = found.sort_values(["odds", "a", "b", "pair", "leg"], ignore_index=True).head(_candidates(run))
        winner, rival = (
            max(points, 0) * STEPS // rules.target for points in (rules.target - least + 1, rules.target - 1)
        )
        if len(found) == _candidates(run) and found["odds"].iloc[-1] < odds[min(winner, STEPS - 1), rival] - ROUNDING:
            break
    return found.astype(dict.fromkeys(("pair", "leg", "deal", "points"), np.int64))


def _least_points(run: Run) -> list[int]:
    """Return the least points of the deals to look at: those of one in a hundred, of one in ten, and 0."""
    deals = deal_counts(run).sum(axis=(0, 1, 2))
    at_least = deals[::-1].cumsum()[::-1]
    return [*(int(np.argmax(at_least <= share * at_least[0])) for share in (0.01, 0.1)), 0]


def _second_look(found: pd.DataFrame, sheets: Sheets, odds: Floats) -> Ints:
    """Return the `CANDIDATES` against the longest odds, from both sides' points before the deal."""
    rows, winner = np.arange(len(found)), found["winner"].to_numpy(dtype=np.int64)
    column, closed = _deciding_columns(found, sheets)
    needed = closed & (np.arange(closed.shape[1]) <= column[:, None])
    rival = np.where(needed, sheets.points[rows, :, 1 - winner], 0).max(axis=1)
    steps = [points * STEPS // sheets.rules.target for points in (sheets.points[rows, column, winner], rival)]
    return np.asarray(np.argsort(odds[steps[0], steps[1]], kind="stable")[:CANDIDATES])


def _deciding_columns(found: pd.DataFrame, sheets: Sheets) -> tuple[Ints, Bools]:
    """Return the column (from 0) that gave each winner most of them, and which columns the deal closed."""
    rows, winner = np.arange(len(found)), found["winner"].to_numpy(dtype=np.int64)
    after = sheets.take(rows)
    after.enter(rows, winner, found["points"].to_numpy(dtype=np.int64))
    won = (after.winner == winner[:, None]).cumsum(axis=1)
    return np.argmax(won > sheets.rules.columns // 2, axis=1), np.asarray(after.winner != sheets.winner)


def _sheets_before(run: Run, found: pd.DataFrame, rules: SheetRules) -> Sheets:
    """Return the sheet of each match as it was before the deal that decided it."""
    place = {(a, b): number for number, (a, b) in enumerate(run.pairings)}
    wanted = found[["pair", "leg", "deal"]].rename(columns={"deal": "decided"}).reset_index(names="number")
    wanted["pairing"] = [place[pairing] for pairing in zip(found["a"], found["b"], strict=True)]
    filled = {
        "matches": ", ".join(f"unnest('{wanted[name].tolist()}'::BIGINT[]) AS {name}" for name in wanted),
        "pairings": ", ".join(f"({number}, {quoted(a)}, {quoted(b)})" for (a, b), number in place.items()),
        "same_pairing": "deals.strategy_a = pairings.a AND deals.strategy_b = pairings.b" if len(place) > 1 else "TRUE",
    }
    rows = _with_parts_of(run, found).query(sql_text("decisive_deals_before").format(**filled))
    sheets = Sheets.blank(len(found), rules)
    for _, deals in rows.groupby(rows.groupby("number").cumcount()):
        sheets.enter(*(deals[name].to_numpy(dtype=np.int64) for name in ("number", "scorer", "points")))
    return sheets


def _with_parts_of(run: Run, found: pd.DataFrame) -> Run:
    """Return the run with those parts alone that hold candidates."""
    pairs = {pairing: np.sort(own["pair"].to_numpy()) for pairing, own in found.groupby(["a", "b"])}
    ends = ((part.first_pair, part.first_pair + part.pairs) for part in run.parts)
    places = (np.searchsorted(pairs.get(part.sides, []), end) for part, end in zip(run.parts, ends, strict=True))
    return replace(run, parts=tuple(part for part, (lo, hi) in zip(run.parts, places, strict=True) if lo < hi))


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
    return {int(row): float(chance[row]) for row in alive if np.isfinite(chance[row])}


def _chances(sheets: Sheets, own: pd.DataFrame, deals: DealPoints, rng: np.random.Generator) -> Floats:
    """Return the share of matches that the winner of each row wins, played on equally often from its sheet.

    Those that come to no end do not count; NaN where none does.
    """
    dealer, winner = (own[name].to_numpy(dtype=np.int64) for name in ("dealer", "winner"))
    times = len(sheets.wins) // len(own)
    play_on(sheets, np.repeat(dealer, times), deals, rng)
    decided = sheets.is_decided().reshape(-1, times)
    won = decided & (sheets.ahead().reshape(-1, times) == (winner == 0)[:, None])
    with np.errstate(invalid="ignore"):
        return np.asarray(won.sum(axis=1) / decided.sum(axis=1))


def _table(found: pd.DataFrame, sheets: Sheets, before: Floats) -> pd.DataFrame:
    """Return the table `most_decisive` of some candidates, in this order."""
    rows, winner = np.arange(len(found)), found["winner"].to_numpy(dtype=np.int64)
    column, closed = _deciding_columns(found, sheets)
    limits = part_limits(before, np.sqrt(before * (1 - before) / ROUNDS[-1][1]), np.full(len(found), ROUNDS[-1][1]))
    table = found[["a", "b", "pair", "leg", "deal"]].reset_index(drop=True)
    table["winner"] = np.array(["A", "B"])[winner]
    table["ending"] = [Ending(ending).name.lower() for ending in found["ending"]]
    table["points"] = found["points"].to_numpy()
    table["column"] = column + 1
    table["winner_points"] = sheets.points[rows, column, winner]
    table["rival_points"] = sheets.points[rows, column, 1 - winner]
    table["closed"] = closed.sum(axis=1)
    table["before"], table["lo"], table["hi"] = before, *limits
    return table[[*COLUMNS]]
