"""Everything a page of two sides is made of: the tables of one run, the better player first, and short names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

import analysis
from analysis import Run
from analysis.completeness import Quality
from reports.names import side_labels
from reports.orient import Pairing, behind, better_first, only
from reports.rules_in_words import plays_out

ENOUGH_MATCHES = 100
"""Fewer matches than this in a pairing: nothing is drawn of it but who won."""


@dataclass(frozen=True)
class Basis:
    """What every page starts from: the run, short names of its sides and of its players, and how complete it is."""

    run: Run
    names: dict[str, str]
    player_names: dict[str, str]
    quality: Quality

    @property
    def who(self) -> str:
        """Return what meets in this run: a player, or in partnership play a side of two."""
        return "side" if self.run.deals_a_round > 1 else "player"


ShortNames = tuple[Mapping[str, str], Mapping[str, str]]
"""Short names of sides and of players, as `reports.names.side_labels` gives them."""


def basis(run: Run, called: ShortNames | None = None) -> Basis:
    """Return what every page starts from; `called` are short names that several runs share, unless each has its own."""
    met = dict.fromkeys(side for pairing in run.pairings for side in pairing)
    sides, players = called or side_labels({side: run.players[side] for side in met})
    return Basis(run, {side: sides[side] for side in met}, dict(players), analysis.quality(run))


@dataclass(frozen=True)
class Material(Basis):
    """The tables of one run of two sides, as `analysis` documents them; in each pairing A is the better player.

    `featured` is the pairing that the figures on why are about, the better player first.
    """

    losing: set[Pairing]
    pairings: pd.DataFrame
    standings: pd.DataFrame
    endpoints: pd.DataFrame
    summary: pd.DataFrame
    featured: Pairing

    @property
    def contested(self) -> pd.DataFrame:
        """Return the rows of `pairings` in which two players met, none against itself."""
        return self.pairings[self.pairings["a"] != self.pairings["b"]]

    @property
    def enough(self) -> bool:
        """Tell whether every pairing has matches enough to be drawn."""
        return int(self.pairings["matches"].min()) >= ENOUGH_MATCHES

    @property
    def players(self) -> list[str]:
        """Return the players, strongest first; a player met only by itself comes in the order of play."""
        met = [*self.pairings["a"], *self.pairings["b"]]
        ranked: list[str] = list(self.standings["player"]) if len(self.pairings) > 1 else []
        return list(dict.fromkeys([*ranked, *met]))

    @property
    def as_played(self) -> Pairing:
        """Return the featured pairing with its sides as they were played."""
        a, b = self.featured
        return (b, a) if (b, a) in self.losing else (a, b)

    def of_featured(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Return the rows of the featured pairing in a table with the better player first."""
        return only(frame, self.featured)


def gather(run: Run, called: ShortNames | None = None) -> Material:
    """Ask `analysis` for the tables of a run of two sides; `called` as in `basis`."""
    pairings = analysis.pairings(run)
    losing = behind(pairings)
    endpoints = better_first(_told(analysis.endpoints(run), run), losing, [("share", "lo", "hi")])
    return Material(
        **vars(basis(run, called)),
        losing=losing,
        pairings=turned_rates(pairings, losing),
        standings=analysis.standings(run),
        endpoints=endpoints,
        summary=better_first(_without_sides(analysis.match_summary(run)), losing),
        featured=most_telling(_of_best_setting(endpoints, run)),
    )


def _told(endpoints: pd.DataFrame, run: Run) -> pd.DataFrame:
    """Return the endpoints, without the columns where these are not played out: shares of those that close mislead."""
    return endpoints if plays_out(run) else endpoints[~endpoints["endpoint"].str.startswith("column")]


def _without_sides(summary: pd.DataFrame) -> pd.DataFrame:
    """Return the table without the sweeps of either side, which no figure shows."""
    return summary.drop(columns=[name for name in summary.columns if name.startswith(("sweep_a", "sweep_b"))])


def _of_best_setting(endpoints: pd.DataFrame, run: Run) -> pd.DataFrame:
    """Return the endpoints of a sweep's best setting; all of them in any other run."""
    if run.kind != "sweep" or not run.summary:
        return endpoints
    found = analysis.settings(run)
    best = found["player"][found["best"]].iloc[0]
    own = endpoints[(endpoints["a"] == best) | (endpoints["b"] == best)]
    return own.reset_index(drop=True) if len(own) else endpoints


def turned_rates(pairings: pd.DataFrame, losing: set[Pairing]) -> pd.DataFrame:
    """Return the table of pairings with the better player as A."""
    table = better_first(pairings, losing, [("match_win_rate", "lo", "hi"), ("match_win_rate", "lo_all", "hi_all")])
    turn = pd.Series([pair in losing for pair in zip(pairings["a"], pairings["b"], strict=True)])
    for suffix in ("", "_lo", "_hi"):
        a, b = f"points_per_deal_a{suffix}", f"points_per_deal_b{suffix}"
        table[a], table[b] = pairings[a].where(~turn, pairings[b]), pairings[b].where(~turn, pairings[a])
    return table


def most_telling(endpoints: pd.DataFrame) -> Pairing:
    """Return the pairing in which the share of points and the share of matches lie farthest apart."""
    shares = endpoints.pivot_table(index=["a", "b"], columns="endpoint", values="share", sort=False)
    if "points scored" not in shares:
        first = endpoints.iloc[0]
        return str(first["a"]), str(first["b"])
    apart = (shares["matches won"] - shares["points scored"]).abs()
    a, b = apart.index[int(apart.to_numpy().argmax())]
    return str(a), str(b)
