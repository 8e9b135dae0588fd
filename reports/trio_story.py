"""The answer of a three-handed run in sentences: headline and lead, from the same tables as the page."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from reports import numbers
from reports.names import capital
from reports.trios import EVEN, STREAMS, TrioMaterial


def headline(material: TrioMaterial) -> str:
    """Return the answer as one sentence: who wins most matches, or that it is undecided."""
    if material.count > 1:
        return _headline_of_many(material)
    ranked = _ranked(material)
    top = ranked.iloc[0]
    name = capital(material.names[top["name"]])
    if len(ranked) == 1:
        return f"{name} against itself takes {numbers.number(top['deals_per_match'])} deals a match"
    if top["best"]:
        rivals = numbers.listed([material.names[rival] for rival in ranked["name"][1:]])
        won = f"{name} wins {numbers.of_100(top['rate'])} matches"
        if top["places"] == 2:
            return f"{won} in each of its two places, against {rivals}"
        return f"{won} against {rivals}{' in both other places' if len(ranked) == 2 else ''}"
    level = [material.names[other] for other in ranked["name"][ranked["hi"] >= top["lo"]]]
    matches = numbers.big(int(top["matches"]))
    return f"{capital(_either(level))}: undecided after {matches} matches"


def lead(material: TrioMaterial) -> str:
    """Return two or three sentences: how surely, and what is undecided."""
    if material.count > 1:
        return _lead_of_many(material)
    ranked = _ranked(material)
    top = ranked.iloc[0]
    if len(ranked) == 1:
        return "One player in all three places wins a third of the matches in each, by construction."
    streams = STREAMS.replace("streams", "stream", 1) if top["pairs"] == 1 else STREAMS
    over = f"over {numbers.count(int(top['pairs']))} {streams}, 95% interval"
    others = [f"{material.names[row['name']]} {_share(row)}" for _, row in ranked.iloc[1:].iterrows()]
    even = f"a third of the matches, {numbers.percent(EVEN)}, would be even"
    if top["best"]:
        return f"That is {_share(top)} {over}; {even}. {capital(numbers.listed(others))}."
    told = numbers.listed([f"{material.names[top['name']]} {_share(top)}", *others])
    return f"{capital(told)} {over}; {even}. Intervals that meet leave the order open."


def _ranked(material: TrioMaterial) -> pd.DataFrame:
    """Return the players of the only trio, best first, each with its `places`; it does equally well in all of them."""
    table = material.trios.assign(places=material.trios.groupby("name")["side"].transform("count"))
    return table.sort_values("rate", ascending=False, kind="stable").drop_duplicates("name")


def _share(row: pd.Series) -> str:
    """Write a player's share of the matches in one place, with its interval: ``42.2% ±1.0``."""
    error = numbers.plus_minus(100 * row["rate"], 100 * row["lo"], 100 * row["hi"])
    twice = "in each of its two places" if row["places"] == 2 else ""
    return " ".join(text for text in (numbers.percent(row["rate"]), error, twice) if text)


def _either(texts: Sequence[str]) -> str:
    """Join texts as alternatives: ``a, b or c``."""
    return " or ".join([", ".join(texts[:-1]), texts[-1]] if len(texts) > 1 else texts)


def _headline_of_many(material: TrioMaterial) -> str:
    """Say who wins most over all trios, and whom that does not surely leave behind."""
    table, top = material.standings, material.standings.iloc[0]
    told = f"{capital(material.names[top['player']])} wins the most matches, {numbers.of_100(top['matches_won'])}"
    rivals = table["player"][1:][table["matches_won_hi"][1:] >= top["matches_won_lo"]]
    level = [material.names[rival] for rival in rivals]
    if not level:
        return told
    more = [f"{numbers.in_words(len(level) - 2)} more"] if len(level) > 2 else []
    return f"{told}, undecided against {numbers.listed([*level[:2], *more])}"


def _lead_of_many(material: TrioMaterial) -> str:
    """Say how surely the leader leads, and in how many trios one player surely wins most."""
    top = material.standings.iloc[0]
    share = numbers.share_with_error(top["matches_won"], top["matches_won_lo"], top["matches_won_hi"])
    trios, count = numbers.plural(int(top["trios"]), "trio"), numbers.in_words(material.count)
    decided = int(material.trios["best"].sum())
    surely = (
        f"in {numbers.in_words(decided) if decided else 'none'} of the {count} trios one player surely wins the most"
    )
    if decided == material.count:
        surely = f"in each of the {count} trios one player surely wins the most"
    return (
        f"{capital(material.names[top['player']])} wins {share} of 100 matches on average over its {trios}, where a "
        f"third would be even. {capital(surely)}, all of them taken together at 95%."
    )
