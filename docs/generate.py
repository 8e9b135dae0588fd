"""Write the tables of docs/ that come from code: `make docs`. A test fails when they are out of date."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

from experiments.validate import PRESETS as MEASURED_UNDER
from experiments.validate import YARDSTICKS, players
from sim.api import Strategy, Wrapper
from sim.batch.schema import TABLES, column_docs
from sim.presets import PRESETS
from sim.rules import OPTIONS, option_text
from strategies.measured import measured
from strategies.published import PUBLISHED
from strategies.registry import MODULES, WRAPPERS, layers_of, parse_spec

DOCS = Path(__file__).parent


def table(heads: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """Return a Markdown table."""
    heads = list(heads)
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(str(cell) for cell in line)} |" for line in lines)


def rules_table() -> str:
    """Return every rule option with default, values, meaning and source."""
    return table(
        ["option", "default", "allowed", "meaning", "source"],
        (
            [
                f"`{n}`",
                f"`{option_text(f.default)}`",
                f.metadata["allowed"],
                f.metadata["meaning"],
                f.metadata["source"],
            ]
            for n, f in OPTIONS.items()
        ),
    )


def presets_table() -> str:
    """Return every preset with what it is, what it changes, and its source."""
    rows = []
    for name, preset in PRESETS.items():
        told = ", ".join(f"`{option}={option_text(value)}`" for option, value in preset.changes.items())
        rows.append([f"`{name}`", preset.about, told or "none", preset.source])
    return table(["preset", "what it is", "options changed", "source"], rows)


def columns_table(name: str) -> str:
    """Return the columns of a result table."""
    return table(
        ["column", "type", "null", "unit", "meaning"],
        (
            [_names(doc.names), doc.type, "yes" if doc.null else "no", doc.unit, doc.meaning]
            for doc in column_docs(name)
        ),
    )


def _names(names: tuple[str, ...]) -> str:
    """Return the names of columns that belong together, of many the first and the last."""
    if names[0].startswith("strategy"):
        return ", ".join(f"`{name}`" for name in names)
    return f"`{names[0]}`" if len(names) == 1 else f"`{names[0]}` .. `{names[-1]}`"


def _share(figures: dict[str, Any] | None) -> str:
    """Write a measured share of matches won with its interval."""
    if figures is None:
        return ""
    half = 50 * (figures["high"] - figures["low"])
    return f"{100 * figures['rate']:.1f} ±{math.ceil(round(half, 6) * 10) / 10:.1f}"


def _published(name: str) -> str:
    told = [(rival, found) for (player, rival), found in PUBLISHED.items() if player == name]
    return "; ".join(
        f"{rival} {found.text()}" + (f" ({found.remark})" if found.remark else "") for rival, found in told
    )


def _by_player() -> dict[str, Any]:
    """Return the measured figures in the order in which players are measured."""
    found = measured()["players"]
    return {name: found[name] for name in players() if name in found}


def validation_table(preset: str) -> str:
    """Return the measured strength of every player under a preset, under `eaai` beside what was published."""
    heads = ["player", *(f"v {rival}, %" for rival in YARDSTICKS)]
    rows = [[f"`{name}`", *(_share(f[preset].get(rival)) for rival in YARDSTICKS)] for name, f in _by_player().items()]
    if preset == "eaai":
        heads += ["published", "deals/s"]
        for row, (name, found) in zip(rows, _by_player().items(), strict=True):
            row += [_published(name), f"{round(found['deals_per_second'], -3):,}"]
    return table(heads, rows)


def measured_how() -> str:
    """Say how the tables were made."""
    found = measured()
    pairs = {f[preset][r]["pairs"] for f in found["players"].values() for preset in MEASURED_UNDER for r in f[preset]}
    sizes = " or ".join(f"{count:,}" for count in sorted(pairs, reverse=True))
    return (
        f"{sizes} duplicate pairs each, seed {found['seed']}, engine {found['engine']}, {found['measured'][:10]};"
        f" ±: 95% over pairs. Speed: deals a second against simple under `hollywood`, one thread, {found['processor']}."
    )


def players_table() -> str:
    """Return every player and wrapper with how it plays and its source."""
    found = [(name, layers_of(parse_spec(name))[0].player) for name in MODULES]
    found += [(f"+{name}", layers_of(parse_spec(f"greedy+{name}"))[1].player) for name in WRAPPERS]
    rows = [[f"`{name}`", player.summary, _parameters(player), player.source] for name, player in found]
    return table(["player", "how it plays", "parameters and defaults", "source"], rows)


def _parameters(player: Strategy | Wrapper) -> str:
    values = player.params._field_defaults.items()
    return ", ".join(f"`{name}={option_text(value)}`" for name, value in values) or "none"


GENERATED: dict[str, dict[str, Callable[[], str]]] = {
    "rules.md": {"options": rules_table, "presets": presets_table},
    "strategies.md": {
        "players": players_table,
        "how": measured_how,
        **{preset: partial(validation_table, preset) for preset in MEASURED_UNDER},
    },
    "results.md": {name: partial(columns_table, name) for name in TABLES},
}
"""Which parts of which page are generated; each stands between two marks in the page."""


def refreshed(page: str) -> str:
    """Return a page with its generated parts made anew."""
    text = (DOCS / page).read_text(encoding="utf-8")
    for part, make in GENERATED[page].items():
        begin, end = f"<!-- begin {part} -->", f"<!-- end {part} -->"
        if text.count(begin) != 1 or text.count(end) != 1:
            raise ValueError(f'docs/{page} must hold "{begin}" and "{end}" once each')
        before, _, rest = text.partition(begin)
        _, _, after = rest.partition(end)
        text = f"{before}{begin}\n{make()}\n{end}{after}"
    return text


if __name__ == "__main__":
    for page in GENERATED:
        (DOCS / page).write_text(refreshed(page), encoding="utf-8")
