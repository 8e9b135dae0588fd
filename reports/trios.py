"""The page of a three-handed run: its tables, and its one section of findings, who wins."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

import pandas as pd

import analysis
from analysis import Run
from reports import names, numbers
from reports.blocks import Cell, Row, Section, Table, download, share_cell
from reports.material import Basis, ShortNames, basis
from reports.rules_in_words import rules_as_told
from reports.sections.who_wins import short_names

KEYS = ["a", "b", "c"]
EVEN = 1 / 3
"""What each of three equals wins."""
STREAMS = "card streams (the same cards played in all six seatings)"
UNIT = "The unit of every interval is the card stream: the same cards, played in all six seatings of the three."
WIN_RATES_ONLY = "Three-handed runs carry win rates only, so this page says who wins and not why."
MOST_TRIOS = 20
"""More trios than this are not listed; the CSV holds them."""


@dataclass(frozen=True)
class TrioMaterial(Basis):
    """The tables of one three-handed run, as `analysis` documents them."""

    trios: pd.DataFrame
    standings: pd.DataFrame

    @property
    def count(self) -> int:
        """Return the number of trios."""
        return len(self.trios) // 3


def gather(run: Run, called: ShortNames | None = None) -> TrioMaterial:
    """Ask `analysis` for the tables of a three-handed run; `called` as in `basis`."""
    return TrioMaterial(**vars(basis(run, called)), trios=analysis.trios(run), standings=analysis.trio_standings(run))


def kind(material: TrioMaterial) -> str:
    """Name the kind of run."""
    players = len(material.standings)
    if material.count == 1:
        return "three-handed comparison" if players > 1 else "three-handed mirror match"
    return "three-handed round robin" if _all_met(material) else f"{material.count} trios"


def _all_met(material: TrioMaterial) -> bool:
    """Tell whether every three of the players met."""
    return material.count == comb(len(material.standings), 3)


def who_wins(material: TrioMaterial) -> Section:
    """Show who wins the matches of the trio; of several, each player's mean and, if they are few, every trio."""
    if material.count == 1:
        tables = [_one_trio(material)]
    else:
        tables = [_standings(material), *([_every_trio(material)] if material.count <= MOST_TRIOS else [])]
    told = (
        f"{_meeting(material)} under {rules_as_told(material.run)}. Two play a deal while the third waits, and takes "
    )
    told += f"the seat of whoever did not score.{short_names(material)}"
    return Section("who-wins", "Who wins", [told, WIN_RATES_ONLY], tables)


def _meeting(material: TrioMaterial) -> str:
    """Say who met."""
    if len(material.standings) == 1:
        return f"{names.capital(material.names[material.trios['name'].iloc[0]])} met itself three-handed"
    if material.count == 1:
        return f"{names.capital(numbers.listed(places(material)))} met three-handed"
    players = names.capital(numbers.in_words(len(material.standings)))
    trios = numbers.in_words(material.count)
    return f"{players} players met three-handed, in {f'all {trios}' if _all_met(material) else trios} trios,"


def places(material: TrioMaterial) -> list[str]:
    """Name the players of the only trio in the order of play, one that has two places with the word twice."""
    times = material.trios["name"].value_counts(sort=False)
    return [f"{material.names[str(name)]}{' twice' if count == 2 else ''}" for name, count in times.items()]


def _one_trio(material: TrioMaterial) -> Table:
    """Return the sides of the only trio, best first."""
    table = material.trios.sort_values("rate", ascending=False, kind="stable")
    row = table.iloc[0]
    return Table(
        name="trio",
        title="Matches won, each of the three against the two others",
        heads=["Player", "Matches won", "Above a third"],
        rows=[Row(_name(material, row["name"]), _rates(row["rate"], row["lo"], row["hi"])) for _, row in _rows(table)],
        note=f"± is a 95% interval over {STREAMS}. A match takes {numbers.number(row['deals_per_match'])} deals; "
        f"{numbers.percent(row['tie_rate'])} end in a tie, a third of a win for each.",
        data=download(material.trios, "trios", "analysis.trios(run)"),
    )


def _standings(material: TrioMaterial) -> Table:
    """Return each player's mean over the trios it was in, best first."""
    rows = [
        Row(_name(material, row["player"]), _rates(row["matches_won"], row["matches_won_lo"], row["matches_won_hi"]))
        for _, row in _rows(material.standings)
    ]
    trios = numbers.plural(int(material.standings["trios"].max()), "trio")
    return Table(
        name="standings",
        title=f"Standings: each player’s mean over its {trios}",
        heads=["Player", "Matches won", "Above a third"],
        rows=rows,
        note=f"± is a 95% interval over {STREAMS}, the same in every trio. A tie is a third of a win for each.",
        data=download(material.standings, "standings", "analysis.trio_standings(run)"),
    )


def _every_trio(material: TrioMaterial) -> Table:
    """Return a row for each side of every trio, best first."""
    table = material.trios.sort_values("rate", ascending=False, kind="stable")
    against = [_rivals(material, row) for _, row in _rows(table)]
    order = sorted(set(against))
    rows = [
        Row(
            _name(material, row["name"]),
            [
                _rates(row["rate"], row["lo_all"], row["hi_all"])[0],
                Cell(rivals, order.index(rivals)),
                Cell(numbers.percent(row["tie_rate"]), float(row["tie_rate"])),
            ],
        )
        for (_, row), rivals in zip(_rows(table), against, strict=True)
    ]
    return Table(
        name="trios",
        title="Every trio: matches won by each player against the two others",
        heads=["Player", "Matches won", "Against", "Ties"],
        rows=rows,
        note=f"± is a 95% interval over {STREAMS}, for all {numbers.in_words(material.count)} trios at once.",
        data=download(material.trios, "trios", "analysis.trios(run)"),
    )


def _rows(table: pd.DataFrame) -> list[tuple[object, pd.Series]]:
    return list(table.iterrows())


def _name(material: TrioMaterial, player: str) -> Cell:
    """Return the cell that heads a row."""
    return Cell(material.names[player], material.names[player])


def _rates(rate: float, lo: float, hi: float) -> list[Cell]:
    """Return two cells: a share of matches with its interval, and how far it is above a third."""
    lead = 100 * (rate - EVEN)
    return [share_cell(rate, lo, hi), Cell(numbers.signed(lead), float(lead))]


def _rivals(material: TrioMaterial, row: pd.Series) -> str:
    """Name the two others of a trio."""
    others = [material.names[row[key]] for key in KEYS if key.upper() != row["side"]]
    return numbers.listed(others)
