"""Write the tables of docs/ that come from code: `make docs`. A test fails when they are out of date."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from sim.batch.schema import SIDE_LETTERS, TABLES, field_columns
from sim.presets import PRESETS
from sim.rows import Field
from sim.rules import OPTIONS, option_text

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
    declared = TABLES[name]
    letters = SIDE_LETTERS[: declared.sides]
    names = ", ".join(f"`strategy_{letter}`" for letter in letters)
    sides = " and ".join(f"side {letter.upper()}" for letter in letters)
    return table(
        ["column", "type", "null", "unit", "meaning"],
        [
            [names, "dictionary", "no", "", f"what {sides} play"],
            *(_field_row(field, declared.sides) for field in declared.fields),
        ],
    )


def _field_row(field: Field, sides: int) -> list[str]:
    names = [c.name for c in field_columns(field, sides)]
    shown = f"`{names[0]}`" if len(names) == 1 else f"`{names[0]}` .. `{names[-1]}`"
    kind = {"u": "uint", "i": "int"}[field.dtype[0]] + str(8 * int(field.dtype[1]))
    return [shown, kind, "no" if field.null is None else "yes", field.unit, field.doc]


GENERATED: dict[str, dict[str, Callable[[], str]]] = {
    "rules.md": {"options": rules_table, "presets": presets_table},
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
