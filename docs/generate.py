"""Write the tables of docs/ that come from code: `make docs`. A test fails when they are out of date."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from sim.batch.schema import TABLES, flat_columns
from sim.rows import Field
from sim.rules import OPTIONS, PRESETS

DOCS = Path(__file__).parent


def table(heads: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """Return a Markdown table."""
    heads = list(heads)
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(str(cell) for cell in line)} |" for line in lines)


def _text(value: object) -> str:
    return {True: "yes", False: "no"}.get(value, str(value)) if isinstance(value, bool) else str(value)


def rules_table() -> str:
    """Return every rule option with default, values, meaning and source."""
    return table(
        ["option", "default", "allowed", "meaning", "source"],
        (
            [
                f"`{n}`",
                f"`{_text(f.default)}`",
                f.metadata["allowed"],
                f.metadata["meaning"],
                f.metadata["source"],
            ]
            for n, f in OPTIONS.items()
        ),
    )


def presets_table() -> str:
    """Return every preset with what it changes."""
    rows = []
    for name, changes in PRESETS.items():
        told = ", ".join(f"`{option}={_text(value)}`" for option, value in changes.items())
        rows.append([f"`{name}`", told or "the defaults"])
    return table(["preset", "changes"], rows)


def columns_table(name: str) -> str:
    """Return the columns of ``matches`` or ``deals``."""
    return table(
        ["column", "type", "null", "unit", "meaning"],
        [
            ["`strategy_a`, `strategy_b`", "dictionary", "no", "", "strategy specs of side A and side B"],
            *(_field_row(field) for field in TABLES[name]),
        ],
    )


def _field_row(field: Field) -> list[str]:
    names = [c.name for c in flat_columns((field,))]
    shown = f"`{names[0]}`" if len(names) == 1 else f"`{names[0]}` .. `{names[-1]}`"
    kind = {"u": "uint", "i": "int"}[field.dtype[0]] + str(8 * int(field.dtype[1]))
    return [shown, kind, "no" if field.null is None else "yes", field.unit, field.doc]


GENERATED: dict[str, dict[str, Callable[[], str]]] = {
    "rules.md": {"options": rules_table, "presets": presets_table},
    "results.md": {"matches": lambda: columns_table("matches"), "deals": lambda: columns_table("deals")},
}
"""Which parts of which page are generated; each stands between two marks in the page."""


def refreshed(page: str) -> str:
    """Return a page with its generated parts made anew."""
    text = (DOCS / page).read_text(encoding="utf-8")
    for part, make in GENERATED[page].items():
        begin, end = f"<!-- begin {part} -->", f"<!-- end {part} -->"
        before, _, rest = text.partition(begin)
        _, _, after = rest.partition(end)
        text = f"{before}{begin}\n{make()}\n{end}{after}"
    return text


if __name__ == "__main__":
    for page in GENERATED:
        (DOCS / page).write_text(refreshed(page), encoding="utf-8")
