"""The most decisive deals: those that decided a match against the longest odds, and how to see each again."""

from __future__ import annotations

import pandas as pd

import analysis
from analysis.decisive_deals import ROUNDS, is_decided_by_columns
from reports import numbers
from reports.blocks import Cell, Row, Section, Table, download
from reports.commands import quoted, run_words
from reports.material import Material
from reports.sections.knocking import ENDINGS

NAME, TITLE = "decisive", "The most decisive deals"
MEANT = {3: "its second of three columns", 1: "the column"}
ARTICLES = {"knock": "a ", "undercut": "an "}
EVEN = 0.5
"""Winners who were likelier than this before the deal turned nothing round."""
AGAIN = "These commands show the deals of the table, in its order, move by move:"


def most_decisive(material: Material) -> Section | None:
    """Show the deals that decided a match against the longest odds; None with too few matches or no deal rows."""
    if not (material.enough and material.run.has_deals):
        return None
    if material.run.deals_a_round > 1:
        why = "Between partners no single deal decides a match, since two are netted in each round: not shown."
        return Section(NAME, TITLE, [why])
    if not is_decided_by_columns(material.run):
        return Section(NAME, TITLE, ["Under these rules columns won do not decide a match, so this is not shown."])
    table = analysis.most_decisive(material.run)
    table = table[table["before"] < EVEN].reset_index(drop=True)
    if not len(table):
        return Section(NAME, TITLE, [f"{_definition(material)} None of these came against the odds."])
    commands = [replay_words(material, row) for _, row in table.iterrows()]
    return Section(NAME, TITLE, [_text(material, table), AGAIN], [_table(material, table)], commands=commands)


def _text(material: Material, table: pd.DataFrame) -> str:
    """Say what decisive means here, and tell of the first of them."""
    first = table.iloc[0]
    winner, rival = _sides(material, first)
    where = f" in column {first['column']}" if material.run.columns > 1 else ""
    against = "itself" if winner == rival else rival
    score = f"{first['winner_points']}–{first['rival_points']}"
    how = ARTICLES.get(first["ending"], "") + ENDINGS.get(first["ending"], first["ending"])
    return (
        f"{_definition(material)} Of all such deals of this run, these came against the longest odds. The first: "
        f"{winner} against {against}, at {score}{where}, scored {first['points']} by {how}, and so won "
        f"a match that from there it wins in {numbers.of_100(float(first['before']))} cases."
    )


def _definition(material: Material) -> str:
    return f"A match is decided by the deal that gives one player {MEANT[material.run.columns]}."


def _sides(material: Material, row: pd.Series) -> tuple[str, str]:
    """Return the short names of the winner and of its rival."""
    a, b = (material.names[row[side]] for side in "ab")
    return (a, b) if row["winner"] == "A" else (b, a)


def _table(material: Material, table: pd.DataFrame) -> Table:
    """Return a row a deal, the most unlikely first."""
    return Table(
        name="decisive-deals",
        title="The deals that decided a match against the longest odds",
        heads=["Match and deal", "Chance, before → after", "Won by", "How", "Points", "Score before"],
        rows=[_row(material, row) for _, row in table.iterrows()],
        note="Chance: the winner’s, of 100, to win the match, just before the deal was dealt and after it. From "
        f"{numbers.count(ROUNDS[-1][1])} matches played on from that sheet with deals drawn from the scored deals of "
        "the pairing; ± is the 95% interval for that drawing alone. Score before: the winner’s points and its rival’s "
        "in the column that decided. Pairs, legs and deals count from 0.",
        data=download(table, "decisive-deals", "analysis.most_decisive(run)"),
        best_first=False,
    )


def _row(material: Material, row: pd.Series) -> Row:
    winner, rival = _sides(material, row)
    if len(material.pairings) > 1:
        winner = f"{winner} (v {rival})"
    before, lo, hi = (100 * float(row[name]) for name in ("before", "lo", "hi"))
    score = f"{row['winner_points']}–{row['rival_points']}"
    score += f", column {row['column']}" if material.run.columns > 1 else ""
    head = f"pair {row['pair']}, leg {row['leg']}, deal {row['deal']}"
    return Row(
        Cell(head, 2 * int(row["pair"]) + int(row["leg"])),
        [
            Cell(f"{numbers.number(before)} → 100", before, numbers.plus_minus(before, lo, hi)),
            Cell(winner, winner),
            Cell(ENDINGS.get(row["ending"], row["ending"]), row["ending"]),
            Cell(str(row["points"]), int(row["points"])),
            Cell(score, int(row["winner_points"]) - int(row["rival_points"])),
        ],
    )


def replay_words(material: Material, row: pd.Series) -> list[str]:
    """Return the command line that shows a deal of the run move by move, as quoted words."""
    words = ["hollywood", "replay", run_words(material.run)]
    words += [row["a"], row["b"]] if len(material.run.planned) > 1 else []
    words += ["--pair", str(row["pair"]), "--leg", str(row["leg"]), "--deal", str(row["deal"])]
    return quoted(words)
