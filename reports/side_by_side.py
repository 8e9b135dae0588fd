"""Several runs side by side: short names for all who met, how each run is told, and what they have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from analysis import Run
from analysis.conditions import conditions
from reports import names
from reports.condition_names import conditions_of, rules_told
from reports.material import ENOUGH_MATCHES
from reports.orient import Pairing, better_first


@dataclass(frozen=True)
class SeveralRuns:
    """Runs on one page, short names of all sides, and `analysis.conditions` of the runs.

    In `table` player a is the one who is ahead in the first run that has the pairing. `player_names` are short names
    of all who played, of partners each alone.
    """

    runs: Sequence[Run]
    names: dict[str, str]
    player_names: dict[str, str]
    table: pd.DataFrame

    @cached_property
    def _rows(self) -> dict[Pairing, pd.DataFrame]:
        """Return the rows of each pairing; a table of many is gone through once."""
        return {
            (str(a), str(b)): own.reset_index(drop=True) for (a, b), own in self.table.groupby(["a", "b"], sort=False)
        }

    @cached_property
    def spreads(self) -> dict[Pairing, float]:
        """Return how far apart the shares of each pairing lie in the runs that have it, 0..1."""
        return {
            pairing: float(own["match_win_rate"].max() - own["match_win_rate"].min())
            for pairing, own in self._rows.items()
        }

    @property
    def pairings(self) -> list[Pairing]:
        """Return the pairings that at least two of the runs have."""
        return list(self._rows)

    @cached_property
    def featured(self) -> Pairing | None:
        """Return the pairing that most runs have, among those with matches enough; of several, what changes most."""
        return max(self.pairings, key=self._telling, default=None)

    @property
    def is_comparison(self) -> bool:
        """Tell whether the runs are about what changes: other rules for the featured pairing, or nothing but it."""
        if self.featured is None:
            return False
        runs = [self.runs[number] for number in self._rows[self.featured]["run"]]
        nothing_else = len(runs) == len(self.runs) and all(len(run.pairings) == 1 for run in runs)
        return nothing_else or any(rules_told(runs))

    def _telling(self, pairing: Pairing) -> tuple[bool, int, float]:
        """Return what a pairing is chosen by: enough matches in each run, the number of runs, the widest change."""
        own = self._rows[pairing]
        return 2 * int(own["pairs"].min()) >= ENOUGH_MATCHES, len(own), self.spreads[pairing]

    def rows_of(self, pairing: Pairing) -> pd.DataFrame:
        """Return the rows of a pairing with short names, a ``label`` each, and the ``phrases`` of the labels."""
        own = names.renamed(self._rows[pairing], self.names)
        told = conditions_of([self.runs[number] for number in own["run"]], [int(number) + 1 for number in own["run"]])
        own["label"] = [condition.label for condition in told]
        own.attrs["phrases"] = {condition.label: condition.phrase for condition in told}
        return own


def gather(runs: Sequence[Run]) -> SeveralRuns:
    """Ask `analysis` what the runs have in common."""
    sides = {side: run.players[side] for run in runs for pairing in run.pairings for side in pairing}
    return SeveralRuns(runs, *names.side_labels(sides), _leader_first(conditions(runs)))


def _leader_first(table: pd.DataFrame) -> pd.DataFrame:
    """Return the table with a the player who is ahead in the first run of the pairing."""
    firsts = table.drop_duplicates(["a", "b"])
    behind = firsts[firsts["match_win_rate"] < 0.5]
    losing = set(zip(behind["a"], behind["b"], strict=True))
    turned = better_first(table, losing, [("match_win_rate", "lo", "hi"), ("match_win_rate", "lo_all", "hi_all")])
    turn = pd.Series([pair in losing for pair in zip(table["a"], table["b"], strict=True)], dtype=bool)
    for name, other in (("change", "change"), ("change_lo", "change_hi"), ("change_hi", "change_lo")):
        turned[name] = table[name].where(~turn, -table[other])
    return turned
