"""The answer of a comparison in sentences: what its sequential test found, both estimates, and what disagrees."""

from __future__ import annotations

import math

import pandas as pd

from reports import numbers
from reports.charts.sequential import Found
from reports.material import Material
from reports.names import capital
from reports.sections.course import between, disagreeing, endpoints_of, found_of, is_mirror
from reports.story import NINE_IN_TEN, over_pairs


def kind(material: Material) -> str:
    """Name the kind of run."""
    return "mirror match" if is_mirror(material) else "comparison"


def headline(material: Material) -> str:
    """Return what the test found as one sentence."""
    found = found_of(material)
    if is_mirror(material):
        return f"{capital(found.a)} against itself wins half of the matches, as it must"
    if found.verdict in ("A", "B"):
        seen = found if found.verdict == "A" else found.turned()
        wins = numbers.of_100(seen.adjusted[0])
        return f"{capital(seen.a)} is better than {seen.b}: it wins {wins} matches"
    if found.verdict == "undecided":
        return f"{capital(found.a)} or {found.b}: undecided after {_pairs(found.pairs)}"
    if found.test.mirrored:
        return f"{capital(found.a)} and {found.b} are as good as each other, to within {found.margin()}"
    return f"{capital(found.a)} is no worse than {found.b}, to within {found.margin()}"


def _pairs(count: int) -> str:
    return f"{numbers.big(count)} {'pair' if count == 1 else 'pairs'}"


def lead(material: Material) -> str:
    """Return two to four sentences: how surely, raw and adjusted; what disagrees, what the deals say."""
    if is_mirror(material):
        return "The seats being swapped, a player splits every pair with itself: 50.0% by construction."
    found = found_of(material)
    if found.verdict == "B":
        found = found.turned()
    table = endpoints_of(material, found)
    told = _undecided(material, found) if found.verdict == "undecided" else _stopped(found)
    return " ".join(text for text in (told, _disagreement(table, found), _deals(table, found)) if text)


def _stopped(found: Found) -> str:
    """Say after how many pairs the test stopped, and both estimates."""
    raw = numbers.percent_with_error(*found.raw)
    return (
        f"The test stopped after {over_pairs(found.pairs)}. {capital(found.a)} had won {raw} of the matches "
        f"by then; adjusted for the stop, which flatters the winner, it is {between(found.adjusted)} of 100."
    )


def _undecided(material: Material, found: Found) -> str:
    """Say what the sample leaves open, and what it could have shown."""
    raw = numbers.percent_with_error(*found.raw)
    either = max(abs(limit - 0.5) for limit in found.raw[1:])
    shows = NINE_IN_TEN * float(material.pairings["se"].iloc[0])
    could = "So few pairs show hardly any difference."
    if 0 < shows < 0.5:
        could = f"A difference of {numbers.points(shows)} points would have shown, nine times in ten."
    return (
        f"{capital(found.a)} wins {raw} of the matches over {over_pairs(found.pairs)}, and the test calls for more: "
        f"the two may differ by up to {numbers.points(either)} points. {could}"
    )


def _disagreement(table: pd.DataFrame, found: Found) -> str:
    """Name the endpoints that surely favour the other player than the matches surely do."""
    against = disagreeing(table)
    if against.empty:
        return ""
    ahead, other = (found.a, found.b) if table["favours"].iloc[0] == "A" else (found.b, found.a)
    return f"Not everything points one way: {ahead} wins more matches, but {other} {_more(against)}."


def _more(against: pd.DataFrame) -> str:
    """Say what the player who wins fewer matches has more of."""
    columns = [str(name).removeprefix("column ") for name in against["endpoint"] if str(name).startswith("column")]
    told = []
    if "deals won" in set(against["endpoint"]):
        row = against[against["endpoint"] == "deals won"].iloc[0]
        told.append(f"more deals, {numbers.percent(max(row['estimate'], 1 - row['estimate']))}")
    if columns:
        told.append(f"more of column{'s' if len(columns) > 1 else ''} {numbers.listed(columns)}")
    wins = [f"wins {numbers.listed(told)}"] if told else []
    for name in ("settled points", "deal points"):
        estimates = against.loc[against["endpoint"] == name, "estimate"]
        wins += [f"{numbers.number(abs(float(estimate)))} {name} a match more" for estimate in estimates]
    if not told:
        wins[0] = f"scores {wins[0]}"
    return numbers.listed(wins)


def _deals(table: pd.DataFrame, found: Found) -> str:
    """Say what share of the deals goes to the first player, unless it is named as disagreeing."""
    rows = table[table["endpoint"] == "deals won"]
    if rows.empty or "deals won" in set(disagreeing(table)["endpoint"]) or math.isnan(rows["lo"].iloc[0]):
        return ""
    row = rows.iloc[0]
    share = numbers.percent_with_error(row["estimate"], row["lo"], row["hi"])
    return f"{capital(found.a)} wins {share} of the deals."
