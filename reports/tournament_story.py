"""The answer of a tournament in sentences: who is best, how surely, and what is undecided."""

from __future__ import annotations

import pandas as pd

import analysis
from reports import numbers
from reports.material import Material
from reports.names import capital
from reports.orient import Pairing
from reports.story import over_pairs, what_is_open

MOST_NAMED = 3


def kind(material: Material) -> str:
    """Name the kind of run: a tournament, or a gauntlet, in which one met all others."""
    return "gauntlet" if _is_gauntlet(material) else "tournament"


def _is_gauntlet(material: Material) -> bool:
    players = len(material.run.players)
    return len(material.run.planned) < players * (players - 1) // 2


def headline(material: Material) -> str:
    """Return the answer as one sentence: who is best, a circle, or what the highest rated leaves open."""
    table, names = analysis.rated(material.run), material.names
    if _is_gauntlet(material):
        return _headline_of_gauntlet(material, table)
    top = table.iloc[0]
    name, wins = capital(names[top["player"]]), numbers.of_100(top["matches_won"])
    rivals = len(table) - 1
    if len(top["beats"]) == rivals:
        everyone = "both rivals" if rivals == 2 else f"all {numbers.in_words(rivals)} rivals"
        return f"{name} is best: it beats {everyone}, winning {wins} matches"
    circle = _circle(table)
    if circle:
        x, y, z = (names[player] for player in circle)
        return f"No one is best: {x} beats {y}, {y} beats {z}, and {z} beats {x}"
    lost = _lost_to(table, top)
    but = [f"loses to {_named(lost, names)}"] if lost else []
    but += [f"is undecided against {_named(list(top['undecided_with']), names)}"] if top["undecided_with"] else []
    return f"{name} rates highest, yet {' and '.join(but)}"


def _headline_of_gauntlet(material: Material, table: pd.DataFrame) -> str:
    """Say how many of the others the one who met all beats."""
    runner = table[table["player"] == material.run.planned[0][0]].iloc[0]
    lost = _lost_to(table, runner)
    name, rivals = capital(material.names[runner["player"]]), len(table) - 1
    beaten = len(runner["beats"])
    everyone = "both rivals" if rivals == 2 else f"all {numbers.in_words(rivals)} rivals"
    if beaten == rivals or len(lost) == rivals:
        return f"{name} {'beats' if beaten else 'loses to'} {everyone}"
    told = [f"beats {numbers.in_words(beaten) if beaten else 'none'} of {numbers.in_words(rivals)} rivals"]
    told += [f"loses to {_named(lost, material.names)}"] if lost else []
    unsure = list(runner["undecided_with"])
    told += [f"is undecided against {_named(unsure, material.names)}"] if unsure else []
    return f"{name} {numbers.listed(told)}"


def _lost_to(table: pd.DataFrame, player: pd.Series) -> list[str]:
    """Return who surely beats a player."""
    return [str(row["player"]) for _, row in table.iterrows() if player["player"] in row["beats"]]


def _named(players: list[str], names: dict[str, str]) -> str:
    """Name some players, at most three and how many more."""
    more = len(players) - MOST_NAMED
    told = [names[player] for player in players[:MOST_NAMED]]
    return numbers.listed([*told, *([f"{numbers.in_words(more)} more"] if more > 0 else [])])


def _circle(table: pd.DataFrame) -> tuple[str, str, str] | None:
    """Return the highest rated and two others who beat each other in a circle, if there are such."""
    beats = {str(row["player"]): row["beats"] for _, row in table.iterrows()}
    top = str(table["player"].iloc[0])
    for second in beats[top]:
        for third in beats[second]:
            if top in beats[third]:
                return top, second, third
    return None


def lead(material: Material) -> str:
    """Return two or three sentences: how surely, over how many pairs, and which pairings are undecided."""
    table = analysis.rated(material.run)
    row = table[table["player"] == material.run.planned[0][0]].iloc[0] if _is_gauntlet(material) else table.iloc[0]
    own = material.standings[material.standings["player"] == row["player"]].iloc[0]
    share = numbers.share_with_error(own["matches_won"], own["matches_won_lo"], own["matches_won_hi"])
    won = (
        f"{capital(material.names[row['player']])} wins {share} of 100 matches on average, 95% interval, over "
        f"{over_pairs(int(material.run.spec['pairs']))} a pairing."
    )
    return f"{won} {what_is_open(material, _unsure(table), len(material.run.planned))}"


def _unsure(table: pd.DataFrame) -> list[Pairing]:
    """Return the pairings that are undecided, the higher rated first."""
    rank = {str(player): place for place, player in enumerate(table["player"])}
    return [
        (str(row["player"]), other)
        for _, row in table.iterrows()
        for other in row["undecided_with"]
        if rank[str(row["player"])] < rank[other]
    ]
