"""What the three drawings of a sweep share: which one fits, and the words, which are the same for all.

The table is that of `analysis.settings`, with short names nowhere. Attributes of it: ``knobs`` (the parameters),
``against`` (short names of the opponents; none if the settings met each other), ``planned`` (pairs asked for) and
``who`` (player or side).
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from reports import numbers
from reports.words import Words, alt_items

MOST_COLUMNS, MOST_LINES = 10, 24
"""A map of two parameters has at most so many values across and down."""
MOST_NAMED = 5


def shape(table: pd.DataFrame) -> str:
    """Return which drawing fits the settings: curve, map or rows."""
    knobs = table.attrs["knobs"]
    if len(knobs) == 1 and is_numeric(table[f"value_{knobs[0]}"]):
        return "curve"
    sizes = sorted(table[f"value_{knob}"].nunique() for knob in knobs)
    fits = len(sizes) == 2 and sizes[0] > 1 and sizes[0] <= MOST_COLUMNS and sizes[1] <= MOST_LINES
    return "map" if fits else "rows"


def is_numeric(values: pd.Series) -> bool:
    """Tell whether all values are numbers."""
    return bool(pd.to_numeric(values, errors="coerce").notna().all())


def in_order(table: pd.DataFrame) -> pd.DataFrame:
    """Return the settings by their values where these are numbers, else as given."""
    keys = [f"value_{knob}" for knob in table.attrs["knobs"] if is_numeric(table[f"value_{knob}"])]
    return table.sort_values(keys, key=pd.to_numeric, kind="stable", ignore_index=True) if keys else table


def good_ones(table: pd.DataFrame) -> str:
    """Name the settings that are as good as the best; neighbours in order as a range, at most five one by one."""
    ordered = in_order(table)
    good = ordered[ordered["plateau"]]
    labels, places = [str(label) for label in good["setting"]], list(good.index)
    if len(labels) > 2 and places == list(range(places[0], places[-1] + 1)) and shape(table) == "curve":
        return f"{labels[0]} to {labels[-1]}"
    more = [f"{numbers.in_words(len(labels) - MOST_NAMED)} more"] if len(labels) > MOST_NAMED else []
    return numbers.listed([*labels[:MOST_NAMED], *more])


def best(table: pd.DataFrame) -> pd.Series:
    """Return the setting with the most matches won of those not dropped."""
    return table[table["best"]].iloc[0]


def spelled(row: pd.Series) -> str:
    """Name a setting in a sentence: ``knock_at 10``, ``knock_at 10 and hunt 2``."""
    values = [(str(name).removeprefix("value_"), row[name]) for name in row.index if str(name).startswith("value_")]
    return numbers.listed([f"{name} {value}" for name, value in values])


def knob_names(table: pd.DataFrame) -> str:
    """Name the parameters as the labels of the settings list them: ``knock_at``, ``knock_at/hunt``."""
    return "/".join(table.attrs["knobs"])


def whom(table: pd.DataFrame) -> str:
    """Name the opponents: ``simple and greedy``, or that the settings met each other."""
    against: Sequence[str] = table.attrs["against"]
    if not against:
        others = len(table) - 1
        return "the other one" if others == 1 else f"the {numbers.in_words(others)} others"
    more = len(against) - MOST_NAMED
    return numbers.listed([*against[:MOST_NAMED], *([f"{numbers.in_words(more)} more"] if more > 0 else [])])


def share(row: pd.Series) -> str:
    """Write a setting's share of the matches with its limits: ``49.5 ±0.5``."""
    return numbers.share_with_error(row["matches_won"], row["lo"], row["hi"])


def words_of(table: pd.DataFrame, kind: str, marks: tuple[str, str], out: str = "Hollow grey") -> Words:
    """Say what the sweep found; `kind` names the drawing, `marks` its bars and how it is read, `out` what is out."""
    top, ordered = best(table), in_order(table)
    bars, how = marks
    items = [_spoken(row) for _, row in ordered.iterrows()]
    ranked = table.sort_values("matches_won", kind="stable")
    return Words(
        title=title(table),
        grey=f"Share of matches won against {whom(table)}, {_pairs(table)}; {bars} for all "
        f"{numbers.in_words(len(table))} at once.",
        how=f"{how} With {top['setting']} it wins {share(top)} of 100 matches.{_out(table, out)}",
        alt=f"{kind}: matches won by {knob_names(table)}. "
        + alt_items(items, _spoken(ranked.iloc[0]), _spoken(ranked.iloc[-1]))
        + f" As good as the best: {good_ones(table)}.",
    )


def title(table: pd.DataFrame) -> str:
    """State which settings are best."""
    knob = knob_names(table) if len(table.attrs["knobs"]) == 1 else "setting"
    good = int(table["plateau"].sum())
    if good == len(table):
        return f"No {knob} is clearly better than another"
    if good == 1:
        return f"Best is {best(table)['setting']}; no other {knob} is as good"
    return f"As good as the best: {good_ones(table)}; the others are clearly worse"


def _pairs(table: pd.DataFrame) -> str:
    """Say how many pairs the settings played, and what became of those that played fewer."""
    most = int(table["pairs"].max())
    of_each = "a pairing" if not table.attrs["against"] else "with each"
    told = f"{numbers.count(most)} duplicate pairs {of_each if len(table.attrs['against']) != 1 else ''}".strip()
    out = table.loc[table["dropped"], "pairs"]
    if out.empty or int(out.min()) == most:
        return told
    span = numbers.span(numbers.count(int(out.min())), numbers.count(int(out.max())))
    return f"{told} ({span} for those dropped on the way)"


def _out(table: pd.DataFrame, mark: str) -> str:
    """Say how dropped settings are marked."""
    if not table["dropped"].any():
        return ""
    return f" {mark}: clearly worse than the leader, and dropped on the way; its share is of the pairs it had."


def _spoken(row: pd.Series) -> str:
    said = numbers.spoken(row["matches_won"], row["lo"], row["hi"])
    return f"{row['setting']} {said}{', dropped' if row['dropped'] else ''}"
