"""How good a lead is: the chance of winning one column from the points in it, by an exact recursion over deals.

Every scored deal is taken as drawn from all scored deals of a run with the same dealer, whatever the sheet says. From
there on nothing is estimated: the chance W(a, b, needs of A, needs of B, dealer) follows from the states that one more
deal leads to. `needs` are the wins a side has to enter elsewhere before its wins enter this column: for column c at the
start of a match c - 1 each.

Column 1 is entered by every win, so its chances are exact under every way of entering wins. For columns 2 and 3 they
are exact where the nth win enters columns 1 to n (`strict`, and columns that each side closes for itself); under
`carry` an earlier column that closes first makes a side need one win less, which the recursion does not know: against
matches resampled whole (`analysis.resampling`) its chances at 0-0 are right within a tenth of a point of a hundred, for
sides that win from 50 to 60 of 100 deals.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.block_ratios import deal_block_pairs
from analysis.deal_outcomes import deal_outcomes, outcomes_of
from analysis.intervals import LEVEL, mean_limits
from analysis.load import Pairing, Run

Floats = npt.NDArray[np.float64]
Needs = tuple[int, int]
GROUPS = 10
"""Blocks of pairs that are left out in turn to find out how sure a chance is."""


@dataclass(frozen=True)
class SheetRules:
    """The rules that decide what a scored deal does to a sheet of two sides, and who deals next.

    `strict`: a side's nth win enters the columns 1 to n, as far as they are open. `zero_counts`: a deal won with no
    points is a win.
    """

    target: int = 100
    columns: int = 3
    strict: bool = False
    next_dealer: str = "winner"
    zero_counts: bool = True

    def dealer_after(self, dealer: int, scorer: int) -> int:
        """Return the side that deals after a scored deal."""
        return {"winner": scorer, "loser": 1 - scorer, "alternate": 1 - dealer}[self.next_dealer]


def sheet_rules(rules: Mapping[str, Any]) -> SheetRules:
    """Return what matters here of a run's rules; a column open to each side until it closes it is entered strictly."""
    return SheetRules(
        target=int(rules["target"]),
        columns=int(rules["columns"]),
        strict=rules["carry"] == "strict" or rules["closing"] == "player",
        next_dealer=str(rules["next_dealer"]),
        zero_counts=bool(rules["count_zero_wins"]),
    )


@dataclass(frozen=True, eq=False)
class DealPoints:
    """How scored deals come out: `chance` of shape (2, 2, most points + 1), by dealer, scorer and points.

    For each dealer the chances add up to 1.
    """

    chance: Floats

    @classmethod
    def of_counts(cls, counts: Floats, *, even: bool = False) -> DealPoints:
        """Return the shares of counted deals, indexed as `chance`.

        `even` takes both sides for one player. A side that never dealt is given the outcomes of all deals.
        """
        if even:
            counts = counts + counts[::-1, ::-1]
        dealt = counts.sum(axis=(1, 2), keepdims=True)
        usual = counts.sum(axis=0, keepdims=True) / max(counts.sum(), 1)
        return cls(np.where(dealt > 0, counts / np.maximum(dealt, 1), usual))


def deal_counts(run: Run, of: Pairing | None = None) -> Floats:
    """Return the scored deals of a pairing, or of the whole run, by block of pairs.

    Counts of shape (blocks, 2, 2, most points + 1): block · dealer · scorer · points. There are at most `GROUPS`
    blocks, of about as many pair numbers each. Raises `RunError` when the run has no deal rows.
    """
    own = deal_outcomes(run) if of is None else outcomes_of(run, of)
    dealer, scorer, points = (own[name].to_numpy(dtype=np.int64) for name in ("dealer", "scorer", "points"))
    block = own["block"].to_numpy(dtype=np.int64) * deal_block_pairs(run) // -(-run.end // GROUPS)
    counts = np.zeros((int(block.max(initial=0)) + 1, 2, 2, int(points.max(initial=0)) + 1))
    np.add.at(counts, (block, dealer, scorer, points), own["deals"].to_numpy())
    return counts


def column_equity(deals: DealPoints, rules: SheetRules, needs: Needs = (0, 0)) -> Floats:
    """Return side A's chance of winning a column: shape (target, target, 2), by A's points, B's points and dealer.

    `needs` are the wins A and B must have elsewhere before they enter the column. A side that needs any has no points
    in it, and its axis has length 1. Solved from the target downwards, a row for all points of B at once: what A's next
    gain leads to, by where B may have got before it, which is the same for all rows. All sums are by `einsum`: they are
    too small to be shared between threads, as `@` would.
    """
    tables: dict[Needs, Floats] = {}
    chance = np.zeros((2, 2, max(deals.chance.shape[2], rules.target + 1)))
    chance[:, :, : deals.chance.shape[2]] = deals.chance
    for mine in range(needs[0] + 1):
        for theirs in range(needs[1] + 1):
            if (mine, theirs) == (0, 0):
                tables[0, 0] = _both_open(chance, rules)
            elif theirs == 0:
                tables[mine, 0] = _b_open(chance, rules, tables[mine - 1, 0][0])[None]
            elif mine == 0:  # the same seen from B
                seen = 1 - tables[0, theirs - 1][:, 0, ::-1]
                tables[0, theirs] = 1 - _b_open(chance[::-1, ::-1], rules, seen)[:, None, ::-1]
            else:
                after = tables[mine - 1, theirs][0, 0], tables[mine, theirs - 1][0, 0]
                tables[mine, theirs] = _none_open(chance, rules, after)[None, None]
    return tables[needs]


def _both_open(chance: Floats, rules: SheetRules) -> Floats:
    """Return the chances where every win of either side enters the column, shape (target, target, 2)."""
    target = rules.target
    visits = _visits(chance, rules, chance[:, 0, 0])
    table = np.zeros((target, target, 2))
    for mine in range(target - 1, -1, -1):
        gains = np.zeros((2, target))
        for dealer in (0, 1):
            points = chance[dealer, 0]
            below = table[mine + 1 :, :, rules.dealer_after(dealer, 0)]
            gains[dealer] = points[target - mine :].sum() + np.einsum("s,sb->b", points[1 : target - mine], below)
        table[mine] = np.einsum("ij,j->i", visits, gains.ravel()).reshape(2, target).T
    return table


def _b_open(chance: Floats, rules: SheetRules, after: Floats) -> Floats:
    """Return the chances where A needs wins, shape (target, 2); `after` are those where it needs one win less."""
    wins, void = _wins(chance[:, 0], rules)
    gains = np.stack([wins[dealer] * after[:, rules.dealer_after(dealer, 0)] for dealer in (0, 1)])
    visits = _visits(chance, rules, void)
    return np.asarray(np.einsum("ij,j->i", visits, gains.ravel()).reshape(2, rules.target).T)


def _none_open(chance: Floats, rules: SheetRules, after: tuple[Floats, Floats]) -> Floats:
    """Return the chances where both need wins, by dealer; `after` are those after a win of A, and of B."""
    system, gains = np.eye(2), np.zeros(2)
    for side in (0, 1):
        wins, void = _wins(chance[:, side], rules)
        for dealer in (0, 1):
            then = rules.dealer_after(dealer, side)
            system[dealer, then] -= void[dealer]
            gains[dealer] += wins[dealer] * after[side][then]
    return np.asarray(np.linalg.solve(system, gains), dtype=np.float64)


def _wins(points: Floats, rules: SheetRules) -> tuple[Floats, Floats]:
    """Return by dealer how likely a side wins a deal that counts, and one that does not; `points` are by dealer."""
    void = np.zeros(2) if rules.zero_counts else points[:, 0]
    return points.sum(axis=1) - void, void


def _visits(chance: Floats, rules: SheetRules, idle: Floats) -> Floats:
    """Return how often each state of a row is expected from each other before A next gains: shape (2 target, 2 target).

    States are ordered by dealer, then by B's points. `idle` is by dealer the chance of a deal A scores that leaves all
    points as they are. How often depends only on the points between two states, and follows from fewer points to more.
    """
    target = rules.target
    step, often = np.zeros((target, 2, 2)), np.zeros((target, 2, 2))  # by points gained, dealer before, dealer after
    for dealer in (0, 1):
        step[:, dealer, rules.dealer_after(dealer, 1)] += chance[dealer, 1, :target]
        step[0, dealer, rules.dealer_after(dealer, 0)] += idle[dealer]
    often[0] = stay = np.linalg.inv(np.eye(2) - step[0])
    for gained in range(1, target):
        often[gained] = stay @ np.einsum("gij,gjk->ik", step[1 : gained + 1], often[gained - 1 :: -1])
    between = np.arange(target)[None, :] - np.arange(target)[:, None]
    visits = np.where((between >= 0)[:, :, None, None], often[np.maximum(between, 0)], 0)
    return visits.transpose(2, 0, 3, 1).reshape(2 * target, 2 * target)


def leads(run: Run, of: Pairing | None = None) -> pd.DataFrame:
    """Return the chance of winning column 1 from every state of it, for one pairing (the first, unless named).

    One row a state. Columns: a, b (specs) · points_a, points_b (in the column so far) · chance (of side A, 0..1, the
    mean of the two next) · a_deals, b_deals (the chance when A, when B deals next) · lo, hi (95%, t over blocks of
    pairs left out in turn; NaN with one block). A player against itself is taken as even. Raises `RunError` when the
    run has no deal rows.
    """
    a, b = of = of or run.pairings[0]
    counts, rules = deal_counts(run, of), sheet_rules(run.spec["rules"])

    def solved(some: Floats) -> Floats:
        return column_equity(DealPoints.of_counts(some, even=a == b), rules)

    table = solved(counts.sum(axis=0))
    blocks = [block for block in range(len(counts)) if counts[block].any()]
    without = np.array([solved(counts.sum(axis=0) - counts[block]).mean(axis=2) for block in blocks])
    chance = table.mean(axis=2)
    lo, hi = _jackknife_limits(chance, without)
    mine, theirs = np.meshgrid(np.arange(rules.target), np.arange(rules.target), indexing="ij")
    columns = {"points_a": mine, "points_b": theirs, "chance": chance}
    columns |= {"a_deals": table[:, :, 0], "b_deals": table[:, :, 1], "lo": lo, "hi": hi}
    frame = pd.DataFrame({name: values.ravel() for name, values in columns.items()})
    frame.insert(0, "a", a)
    frame.insert(1, "b", b)
    return frame


def _jackknife_limits(value: Floats, without: Floats) -> tuple[Floats, Floats]:
    """Return 95% limits from the values with each block left out, shape (blocks, ...), kept inside 0..1."""
    blocks = len(without)
    if blocks < 2:
        return np.full_like(value, np.nan), np.full_like(value, np.nan)
    se = np.sqrt((blocks - 1) / blocks * ((without - without.mean(axis=0)) ** 2).sum(axis=0))
    lo, hi = mean_limits(value, se, np.full_like(value, blocks), LEVEL)
    return np.clip(lo, 0, 1), np.clip(hi, 0, 1)
