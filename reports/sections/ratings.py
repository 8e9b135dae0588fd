"""How strong the players of a tournament are: ratings on one scale, the mix nobody beats, the first move."""

from __future__ import annotations

import pandas as pd

import analysis
from analysis.ratings import FEWEST_BLOCKS
from reports import names, numbers
from reports.blocks import Section, download
from reports.charts import ratings
from reports.material import Material
from reports.sections.common import block
from sim.batch.tally import BLOCK_PAIRS

LEAST_WEIGHT = 0.005
"""A smaller part of a mix is not named."""


def how_strong(material: Material) -> Section | None:
    """Show the ratings of a tournament; None of any other run, and of a tournament that was not finished."""
    if material.run.kind != "tournament" or not material.run.summary:
        return None
    table = analysis.rated(material.run)
    told = [_what(table, material), _unbounded(table, material), _mix(table, material), _first_move(material)]
    frame = names.renamed(ratings.neighbours(table), material.names)
    frame.attrs |= {"pairs": int(material.run.spec["pairs"]), "pairings": len(material.pairings)}
    data = download(_as_rows(table), "ratings", "analysis.rated(run)")
    figures = [block(material, "ratings", (ratings.figure, ratings.words), frame, data)]
    return Section("ratings", "How strong each is", [text for text in told if text], figures=figures)


def _as_rows(table: pd.DataFrame) -> pd.DataFrame:
    """Return the table with lists of players as text."""
    return table.assign(**{name: table[name].map("; ".join) for name in ("beats", "undecided_with")})


def _what(table: pd.DataFrame, material: Material) -> str:
    """Explain ratings, and say what their order rests on."""
    told = (
        f"A rating puts all {material.who}s on one scale, 0 being the mean of these {numbers.in_words(len(table))}: it "
        "holds in this field, not against others."
    )
    pairs = int(material.run.spec["pairs"])
    if pairs < FEWEST_BLOCKS * BLOCK_PAIRS:
        told += (
            f" Below {numbers.count(FEWEST_BLOCKS * BLOCK_PAIRS)} pairs a pairing, as here, the intervals of ratings "
            "are somewhat too narrow."
        )
    at_once = int(material.pairings["undecided"].sum())
    in_steps = int(table["undecided_with"].map(len).sum()) // 2
    if in_steps < at_once:
        more = numbers.plural(at_once - in_steps, "pairing")
        told += (
            f" Who beats whom is tested here from the clearest pairing to the closest (Holm, 5% for all); the wider "
            f"intervals for all at once, further down, leave {more} more open."
        )
    return told


def _unbounded(table: pd.DataFrame, material: Material) -> str:
    """Name who won or lost every match."""
    told = []
    for said in ("won all", "lost all"):
        who = [material.names[player] for player in table.loc[table["unbounded"] == said, "player"]]
        if who:
            told.append(f"{numbers.listed(who)} {said.split()[0]} every match")
    if not told:
        return ""
    return f"{names.capital(numbers.listed(told))}: nothing bounds such a rating, so none is given."


def _mix(table: pd.DataFrame, material: Material) -> str:
    """Say which mix nobody in the field beats, and who can be exploited most."""
    if table["mix"].isna().any():
        return "Not everyone met everyone, so no mix can be told that nobody beats."
    parts = table[table["mix"] >= LEAST_WEIGHT].sort_values("mix", ascending=False, kind="stable")
    first = parts.iloc[0]
    if len(parts) == 1 and first["exploitability"] == 0:
        told = f"Nobody here wins more than half of the matches against {material.names[first['player']]}."
    elif len(parts) == 1:
        told = f"A mix that nobody here beats on average is nearly all {material.names[first['player']]}."
    else:
        mix = [f"{numbers.percent(row['mix'], 0)} {material.names[row['player']]}" for _, row in parts.iterrows()]
        told = f"A mix that nobody here beats on average: {numbers.listed(mix)}."
    worst = table.iloc[int(table["exploitability"].to_numpy().argmax())]
    if not worst["exploiter"]:
        return told
    wins = numbers.percent(0.5 - float(worst["exploitability"]))
    return (
        f"{told} The easiest to exploit is {material.names[worst['player']]}, which wins {wins} of the matches against "
        f"{material.names[worst['exploiter']]}. Both are as estimated, without interval."
    )


def _first_move(material: Material) -> str:
    """Say what the first move of the match is worth; nothing where the rules say which side has it."""
    if material.run.spec["rules"]["first_dealer"] in ("a", "b"):
        return ""
    found = material.run.summary["first_mover"]
    share, (lo, hi) = float(found["estimate"]), found["interval"]
    told = numbers.share_with_error(share, lo, hi)
    known = "" if not lo <= 0.5 <= hi else ": whether that is worth anything is undecided"
    return f"The side that makes the first move of the match wins {told} of 100{known}."
