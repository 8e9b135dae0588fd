"""How a strategy plays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.texts.words import bold

if TYPE_CHECKING:
    from sim.decisions import Strategy


def strategy_text(strategy: Strategy, sha: str) -> str:
    """Say how a strategy plays, its parameters with unit, default and range, and its source."""
    from strategies.registry import about, params_of

    defaults = strategy.params._field_defaults
    lines = [bold(f"{strategy.name}: {strategy.summary}"), "", *about(strategy).splitlines(), ""]
    for name, note in params_of(strategy).items():
        told = f"{note.meaning}; {note.low:g}:{note.high:g} {note.unit}" if note else "no description"
        lines.append(f"  {name}={defaults[name]}   {told}")
    lines += ["  no parameters"] if not defaults else []
    lines += [f"  source   {strategy.source}", f"  version  {sha}"]
    return "\n".join(lines)
