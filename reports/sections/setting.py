"""Where to set a player's parameters: the settings of a sweep as a curve, a map, or rows."""

from __future__ import annotations

import pandas as pd

import analysis
from reports import names, numbers
from reports.blocks import Chart, Section, download
from reports.charts import settings, settings_map, settings_rows, threshold
from reports.material import Material
from reports.sections.common import block

DRAWINGS: dict[str, Chart] = {
    "curve": (threshold.figure, threshold.words),
    "map": (settings_map.figure, settings_map.words),
    "rows": (settings_rows.figure, settings_rows.words),
}


def where_to_set(material: Material) -> Section | None:
    """Show the settings of a sweep; None of any other run, and of a sweep that was not finished."""
    if material.run.kind != "sweep" or not material.run.summary:
        return None
    table = settings_told(material)
    told = [_what(material, table), _how_judged(table)]
    data = download(analysis.settings(material.run), "settings", "analysis.settings(run)")
    drawn = block(material, "settings", DRAWINGS[settings.shape(table)], table, data)
    return Section("setting", f"Where to set {numbers.listed(table.attrs['knobs'])}", told, figures=[drawn])


def settings_told(material: Material) -> pd.DataFrame:
    """Return the table `analysis.settings` with what its drawings and sentences need to know of the run."""
    table, asked = analysis.settings(material.run), material.run.manifest["experiment"]
    table.attrs |= {
        "knobs": [str(name) for name in asked["arms"][0]["values"]],
        "against": [material.names.get(name, name) for name in asked["opponents"]],
        "planned": int(material.run.spec["pairs"]),
    }
    return table


def _what(material: Material, table: pd.DataFrame) -> str:
    """Say what was varied, and against whom."""
    player, asked = material.run.manifest["experiment"]["player"], material.run.manifest["experiment"]["params"]
    count = numbers.plural(len(table), "setting")
    met = f"each met {settings.whom(table)}" if table.attrs["against"] else "they met each other"
    return f"{names.capital(player)} was played with {count}, {numbers.listed(asked)}: {met}, all with the same cards."


def _how_judged(table: pd.DataFrame) -> str:
    """Say what the race dropped, and what it takes to be as good as the best."""
    out = table[table["dropped"]]
    judged = (
        "As good as the best is every setting that no other one clearly beats; with 95% confidence the truly best "
        "one is among them."
    )
    if out.empty:
        return judged
    span = numbers.span(numbers.count(int(out["pairs"].min())), numbers.count(int(out["pairs"].max())))
    verb = "was" if len(out) == 1 else "were"
    raced = f"{names.capital(numbers.plural(len(out), 'setting'))} fell clearly behind and {verb} dropped after {span}"
    early = int(table["pairs"].max()) < table.attrs["planned"]
    end = ", and the race ended there, with one setting left" if early else ""
    return f"{raced} pairs{end}. {judged}"
