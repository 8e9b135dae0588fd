"""Presets and their options, shown and compared."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from cli.texts.words import bold, cut_middle, wrapped
from sim.presets import DEFAULT_PRESET, PRESETS, changed_options, preset_rules
from sim.rules import OPTIONS, option_text

if TYPE_CHECKING:
    from sim.presets import ChosenRules

VALUE_WIDTH = 14
NAME_WIDTH = max(map(len, OPTIONS))


def presets_text() -> str:
    """List the presets, each with one line on it."""
    width = max(map(len, PRESETS))
    return "\n".join(
        line
        for name, preset in PRESETS.items()
        for line in _wrapped(f"{name:<{width}}  ", f"{preset.about} ({preset.source})")
    )


def _wrapped(head: str, text: str) -> list[str]:
    """Write text behind a head, further lines under its beginning."""
    return wrapped(text, head, " " * len(head))


def _title(name: str, chosen: ChosenRules) -> Iterator[str]:
    preset = PRESETS[chosen.preset]
    told = f"{preset.about} (source {preset.source})" if name == chosen.preset else f"your own, from {chosen.preset}"
    first, *more = _wrapped("", f"{name}: {told}")
    yield bold(first)
    yield from more
    yield f"  who plays: {chosen.rules.form}; * differs from {DEFAULT_PRESET}"


def rules_text(name: str, chosen: ChosenRules) -> str:
    """Show every option with its value, a star where it differs from `hollywood`, what it means and its source."""
    changed = changed_options(preset_rules(DEFAULT_PRESET), chosen.rules)
    values = {option: option_text(value) for option, value in chosen.rules.options().items()}
    width = max(map(len, values.values()))
    lines = list(_title(name, chosen))
    for option, value in values.items():
        mark = "*" if option in changed else " "
        lines += _wrapped(f"  {option:<{NAME_WIDTH}} {value:<{width}} {mark} ", _meaning(option))
    return "\n".join(lines)


def _meaning(option: str) -> str:
    metadata = OPTIONS[option].metadata
    return f"{metadata['meaning']} [{metadata['source']}]"


def difference_text(names: tuple[str, str], both: tuple[ChosenRules, ChosenRules]) -> str:
    """Show the options in which two rules differ, with both values, what each means and its source."""
    one, other = both[0].rules, both[1].rules
    changed = changed_options(one, other)
    if one == other:
        return bold(f"{names[0]} and {names[1]} play by the same rules.")
    count = len(changed) + (one.form != other.form)
    rows = [("", *(cut_middle(name, VALUE_WIDTH) for name in names), "")]
    rows += [("who plays", one.form, other.form, "")] if one.form != other.form else []
    for option, value in changed.items():
        rows.append((option, option_text(one.options()[option]), option_text(value), _meaning(option)))
    widths = [max(len(row[place]) for row in rows) for place in range(3)]
    lines = [bold(f"{names[0]} and {names[1]} differ in {_counted(count)}.")]
    for option, before, after, meaning in rows:
        head = f"  {option:<{widths[0]}}  {before:<{widths[1]}}  {after:<{widths[2]}}  "
        lines += _wrapped(head, meaning) if meaning else [head.rstrip()]
    return "\n".join(lines)


def _counted(options: int) -> str:
    return "one thing" if options == 1 else f"{options} things"


def rules_document(name: str, chosen: ChosenRules) -> dict[str, Any]:
    """Return rules as `hollywood rules show --json` prints them."""
    options = {
        option: {
            "value": value,
            "allowed": str(OPTIONS[option].metadata["allowed"]),
            "meaning": OPTIONS[option].metadata["meaning"],
            "source": OPTIONS[option].metadata["source"],
        }
        for option, value in chosen.rules.options().items()
    }
    return {"rules": name, "preset": chosen.preset, "form": chosen.rules.form, "options": options}
