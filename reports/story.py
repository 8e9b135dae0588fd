"""The answer of a run in sentences: headline and lead, written by rules from the same tables as the figures."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from analysis import beats_all, cycle
from analysis.completeness import Quality
from reports import numbers
from reports.charts.ladder import by_endpoint, disagree
from reports.material import Material
from reports.names import capital
from reports.orient import Pairing

NINE_IN_TEN = 1.959964 + 1.281552
"""Standard errors that a difference must have to be seen nine times in ten at the 95% level."""
ON_PAIRS = "(the same cards played twice with the seats swapped)"
SIDE_A = {"a": "who deals first", "b": "who deals second"}
"""Value of the rules' `first_dealer` -> what tells side A from side B where a player meets itself."""


def headline(material: Material) -> str:
    """Return the answer as one sentence that a card player understands."""
    contested = material.contested
    if contested.empty:
        return _headline_of_itself(material)
    if len(contested) == 1:
        return _headline_of_one(contested.iloc[0], material.names)
    return _headline_of_many(material)


def lead(material: Material) -> str:
    """Return two or three sentences: how surely, why, what is undecided."""
    contested = material.contested
    if contested.empty:
        return _lead_of_itself(material)
    told = _lead_of_one(contested.iloc[0]) if len(contested) == 1 else _lead_of_many(material)
    return " ".join(sentence for sentence in (told, _disagreement(material)) if sentence)


def partial_notice(quality: Quality) -> str:
    """Return what is missing of a run that was not finished, an empty text for a finished one."""
    if not quality.partial:
        return ""
    return (
        f"This run is {'still running' if quality.status == 'running' else quality.status}: "
        f"{numbers.count(quality.matches)} of {numbers.count(quality.planned_matches)} matches were finished when this "
        "page was made, and only these count."
    )


def over_pairs(count: int) -> str:
    """Write a number of duplicate pairs, and what these are: for the first use on a page."""
    return f"{numbers.count(count)} duplicate {'pair' if count == 1 else 'pairs'} {ON_PAIRS}"


def _headline_of_itself(material: Material) -> str:
    """Say how long equals play, or how a player that does not split its pairs fares against itself."""
    name, row = material.names[str(material.pairings["a"].iloc[0])], material.pairings.iloc[0]
    if row["mirror"]:
        median = int(material.summary["median"].iloc[0])
        return f"{capital(name)} against itself takes about {numbers.plural(median, 'deal')} a match"
    who = SIDE_A.get(str(material.run.spec["rules"]["first_dealer"]), "side A")
    if row["undecided"]:
        matches = numbers.big(int(row["matches"]))
        return f"{capital(name)} against itself: undecided after {matches} matches whether {who} does better"
    return f"{capital(who)} wins {numbers.of_100(row['match_win_rate'])} matches of {name} against itself"


def _lead_of_itself(material: Material) -> str:
    """Say that equals split every pair, or how surely one side of them does better."""
    if not material.pairings["mirror"].iloc[0]:
        return _lead_of_one(material.pairings.iloc[0])
    return (
        f"The seats being swapped, a {material.who} splits every pair with itself: 50.0% of the matches by "
        "construction. What the run shows is how the deals and matches of such equals go."
    )


def _headline_of_one(row: pd.Series, names: dict[str, str]) -> str:
    """Say who wins a single pairing, or that it is undecided."""
    better, worse = names[row["a"]], names[row["b"]]
    if row["undecided"]:
        return f"{capital(better)} or {worse}: undecided after {numbers.big(int(row['matches']))} matches"
    return f"{capital(better)} wins {numbers.of_100(row['match_win_rate'])} matches against {worse}"


def _lead_of_one(row: pd.Series) -> str:
    """Say how surely a single pairing is decided, or what the sample could have shown."""
    share = numbers.percent_with_error(row["match_win_rate"], row["lo"], row["hi"])
    pairs = over_pairs(int(row["pairs"]))
    if not row["undecided"]:
        return f"That is {share} over {pairs}, 95% interval."
    if row["pairs"] < 2:
        return f"{share} over {pairs}: one pair shows next to nothing."
    either = max(row["hi"] - 0.5, 0.5 - row["lo"])
    return (
        f"{share} over {pairs}: the two may differ by up to {numbers.points(either)} points either way. "
        f"A difference of {numbers.points(NINE_IN_TEN * row['se'])} points would most likely have shown."
    )


def _headline_of_many(material: Material) -> str:
    """Say who beats all, or who leads and what keeps him from it, or that there is a circle."""
    names = material.names
    top = material.standings.iloc[0]
    wins = numbers.of_100(top["matches_won"])
    name = capital(names[top["player"]])
    rivals = numbers.in_words(len(material.standings) - 1)
    if beats_all(material.pairings) == top["player"]:
        return f"{name} beats all {rivals} rivals, winning {wins} matches"
    circle = cycle(material.pairings)
    if circle:
        x, y, z = (names[player] for player in circle)
        return f"No one is best: {x} beats {y}, {y} beats {z}, and {z} beats {x}"
    against = _of_player(material.contested, str(top["player"]))
    for trouble, phrase in ((against["lost"], "yet loses to"), (against["open"], "undecided against")):
        if trouble:
            others = numbers.listed([names[rival] for rival in trouble[:2]])
            more = f" and {numbers.in_words(len(trouble) - 2)} more" if len(trouble) > 2 else ""
            return f"{name} wins the most matches, {wins}, {phrase} {others}{more}"
    return f"{name} wins the most matches, {wins}"


def _of_player(contested: pd.DataFrame, player: str) -> dict[str, list[str]]:
    """Return the rivals a player loses to and those it is undecided with."""
    own = contested[(contested["a"] == player) | (contested["b"] == player)]
    rivals = own["a"].where(own["a"] != player, own["b"])
    lost = ~own["undecided"] & (own["a"] != player)  # the better player is A
    return {"lost": list(rivals[lost]), "open": list(rivals[own["undecided"]])}


def _lead_of_many(material: Material) -> str:
    """Say by how much the leader wins, and what is undecided."""
    top = material.standings.iloc[0]
    name = capital(material.names[top["player"]])
    error = numbers.share_with_error(top["matches_won"], top["matches_won_lo"], top["matches_won_hi"])
    contested = material.contested
    own = contested[(contested["a"] == top["player"]) & ~contested["undecided"]]
    leads = sorted(100 * (own["match_win_rate"] - 0.5))
    by = ""
    if leads:
        span = numbers.span(numbers.number(leads[0], 0), numbers.number(leads[-1], 0))
        by = f", ahead of {numbers.plural(len(leads), 'rival')} by {span} points"
    unsure = contested[contested["undecided"]]
    told = what_is_open(material, list(zip(unsure["a"], unsure["b"], strict=True)), len(contested))
    return f"{name} wins {error} of 100 matches on average{by}. {told}"


def what_is_open(material: Material, unsure: Sequence[Pairing], count: int) -> str:
    """Name the undecided of `count` pairings, or say how many they are, or that there are none."""
    every = "both" if count == 2 else f"all {numbers.in_words(count)}"
    if not unsure:
        return f"{capital(every)} pairings are decided at 95%, taken together."
    if len(unsure) > 2:
        which = every if len(unsure) == count else f"{numbers.in_words(len(unsure))} of the {numbers.in_words(count)}"
        return f"{capital(which)} pairings are undecided at 95%, taken together."
    named = [f"{material.names[one]} against {material.names[other]}" for one, other in unsure]
    return f"Undecided: {numbers.listed(named)}."


def _disagreement(material: Material) -> str:
    """Name the endpoints of the featured pairing that surely favour the other player.

    If there are none: what deals and points say of a single pairing, nothing for several.
    """
    frame = material.of_featured(material.endpoints)
    shares = {name: numbers.of_100(row["share"]) for name, row in by_endpoint(frame).items()}
    better, worse = (material.names[player] for player in material.featured)
    deals, points = f"{shares.get('deals won')} deals", f"{shares.get('points scored')} points"
    against = [name for name in ("deals won", "points scored") if disagree(frame, name)]
    if not against:
        if len(material.pairings) > 1 or len(shares) < 3:
            return ""
        return f"{capital(better)} wins {deals} and scores {points}."
    said = {"deals won": f"wins only {deals}", "points scored": f"scores only {points}"}
    told = numbers.listed([said[name] for name in against])
    return f"Not everything points one way: against {worse}, {better} {told}, yet wins more matches."
