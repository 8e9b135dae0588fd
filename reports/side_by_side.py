"""Several runs side by side: short names for all who met, how each run is told, and what they have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from analysis import Run
from analysis.conditions import conditions
from reports import names
from reports.condition_names import conditions_of, rules_told
from reports.material import ENOUGH_MATCHES
from reports.orient import Pairing, better_first, only


@dataclass(frozen=True)
class SeveralRuns:
    """Runs on one page, short names of all sides, and `analysis.conditions` of the runs.

    In `table` player a is the one who is ahead in the first run that has the pairing.
    """

    runs: Sequence[Run]
    names: dict[str, str]
    table: pd.DataFrame

    @property
    def pairings(self) -> list[Pairing]:
        """Return the pairings that at least two of the runs have."""
        return list(dict.fromkeys(zip(self.table["a"], self.table["b"], strict=True)))

    @property
    def featured(self) -> Pairing | None:
        """Return the pairing that most runs have, among those with matches enough; of several, what changes most."""
        return max(self.pairings, key=self._telling, default=None)

    @property
    def is_comparison(self) -> bool:
        """Tell whether the runs are about what changes: other rules for the featured pairing, or nothing but it."""
        if self.featured is None:
            return False
        runs = [self.runs[number] for number in only(self.table, self.featured)["run"]]
        nothing_else = len(runs) == len(self.runs) and all(len(run.pairings) == 1 for run in runs)
        return nothing_else or any(rules_told(runs))

    def _telling(self, pairing: Pairing) -> tuple[bool, int, float]:
        """Return what a pairing is chosen by: enough matches in each run, the number of runs, the widest change."""
        own = only(self.table, pairing)
        share = own["match_win_rate"]
        return 2 * int(own["pairs"].min()) >= ENOUGH_MATCHES, len(own), float(share.max() - share.min())

    def rows_of(self, pairing: Pairing) -> pd.DataFrame:
        """Return the rows of a pairing with short names, a ``label`` each, and the ``phrases`` of the labels."""
        own = names.renamed(only(self.table, pairing), self.names)
        told = conditions_of([self.runs[number] for number in own["run"]])
        own["label"] = [condition.label for condition in told]
        own.attrs["phrases"] = {condition.label: condition.phrase for condition in told}
        return own


def gather(runs: Sequence[Run]) -> SeveralRuns:
    """Ask `analysis` what the runs have in common."""
    sides = {side: run.players[side] for run in runs for pairing in run.pairings for side in pairing}
    return SeveralRuns(runs, names.side_labels(sides)[0], _leader_first(conditions(runs)))


def _leader_first(table: pd.DataFrame) -> pd.DataFrame:
    """Return the table with a the player who is ahead in the first run of the pairing."""
    firsts = table.drop_duplicates(["a", "b"])
    behind = firsts[firsts["match_win_rate"] < 0.5]
    losing = set(zip(behind["a"], behind["b"], strict=True))
    turned = better_first(table, losing, [("match_win_rate", "lo", "hi"), ("match_win_rate", "lo_all", "hi_all")])
    turn = pd.Series([pair in losing for pair in zip(table["a"], table["b"], strict=True)], dtype=bool)
    turned["match_win_rate"] = table["match_win_rate"].where(~turn, 1 - table["match_win_rate"])
    for name, other in (("change", "change"), ("change_lo", "change_hi"), ("change_hi", "change_lo")):
        turned[name] = table[name].where(~turn, -table[other])
    return turned
