"""The answer of a sweep in sentences: where to set the knob, against whom, and what is undecided."""

from __future__ import annotations

import pandas as pd

from reports import numbers
from reports.charts import settings
from reports.material import Material
from reports.names import capital
from reports.sections.setting import settings_told
from reports.story import over_pairs

MOST_NAMED = 3
"""More opponents than this are left to the lead."""


def kind(material: Material) -> str:
    """Name the kind of run: ``sweep of threshold``."""
    return f"sweep of {material.run.manifest['experiment']['player']}"


def headline(material: Material) -> str:
    """Return the best setting as one sentence, or all that are as good."""
    table = settings_told(material)
    top, knobs = settings.best(table), table.attrs["knobs"]
    wins = f"{numbers.of_100(top['matches_won'])} matches"
    against = f" against {settings.whom(table)}" if len(table.attrs["against"]) <= MOST_NAMED else ""
    good = int(table["plateau"].sum())
    if good == 1:
        return f"Best is {settings.spelled(top)}: it wins {wins}{against}"
    setting = knobs[0] if len(knobs) == 1 else "setting"
    if good == len(table):
        return f"Undecided: no {setting} of {numbers.in_words(good)} is clearly better than another"
    which = f"{setting} {settings.good_ones(table)}"
    if len(knobs) > 1:
        which = f"{numbers.in_words(good)} of {numbers.in_words(len(table))} settings"
    return f"As good as the best: {which}, winning up to {wins}{against}"


def lead(material: Material) -> str:
    """Return two to four sentences: how surely, against whom, what is next best, what was dropped or is undecided."""
    table = settings_told(material)
    told = [_share_of_best(material, table), _next(table), _open(table), _dropped(table), _only(table)]
    return " ".join(text for text in told if text)


def _share_of_best(material: Material, table: pd.DataFrame) -> str:
    """Say how much the best setting wins, against whom, over how many pairs."""
    top = settings.best(table)
    player = capital(str(material.run.manifest["experiment"]["player"]))
    at_once = f", for all {numbers.in_words(len(table))} settings at once"
    each = " a pairing" if len(table.attrs["against"]) != 1 else ""
    share = numbers.percent_with_error(top["matches_won"], top["lo"], top["hi"])
    return (
        f"{player} with {settings.spelled(top)} wins {share} of the matches against {settings.whom(table)}, over "
        f"{over_pairs(int(top['pairs']))}{each}; 95% interval{at_once}."
    )


def _next(table: pd.DataFrame) -> str:
    """Name the best of the settings that are clearly worse and were played to the end."""
    worse = table[~table["plateau"] & ~table["dropped"]]
    if worse.empty:
        return ""
    row = worse.sort_values("matches_won", kind="stable").iloc[-1]
    behind = numbers.points(row["behind"])
    if row["behind_lo"] > 0:  # else only the sharper test, of each against the best alone, can tell
        behind += " " + numbers.plus_minus(100 * row["behind"], 100 * row["behind_lo"], 100 * row["behind_hi"])
    return f"The best of the others is {row['setting']}, {behind} points behind."


def _open(table: pd.DataFrame) -> str:
    """Say which settings cannot be told apart."""
    good = table[table["plateau"]]
    if len(good) < 2:
        return ""
    worst = max(good["behind_hi"])
    told = f"Which of {settings.good_ones(table)} is best is undecided"
    if worst > 0.5:
        return f"{told}: so few pairs show hardly any difference."
    return f"{told}: they may be up to {numbers.points(worst)} points apart."


def _dropped(table: pd.DataFrame) -> str:
    """Say how many settings the race dropped."""
    count = int(table["dropped"].sum())
    if not count:
        return ""
    those = "The only other one" if count == 1 and len(table) == 2 else capital(numbers.plural(count, "setting"))
    return f"{those} fell clearly behind on the way and {'was' if count == 1 else 'were'} dropped."


def _only(table: pd.DataFrame) -> str:
    """Say whom the finding is about."""
    if table.attrs["against"]:
        return ""
    return "The settings met each other: against another player another one may be best."
