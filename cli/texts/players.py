"""Who plays and how, and what a check of a player found."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.texts.words import bold, short_count, wrapped
from sim.rules import option_text
from strategies.measured import measured
from strategies.registry import MODULES, WRAPPERS, about, layers_of, params_of, parse_spec

if TYPE_CHECKING:
    from experiments.check import Finding
    from sim.decisions import Strategy, Wrapper


def players_text() -> str:
    """List strategies and wrappers: name, speed where it was measured, how it plays, and its source."""
    speeds = {name: figures["deals_per_second"] for name, figures in measured()["players"].items()}
    rows = [(name, layers_of(parse_spec(name))[0].player) for name in MODULES]
    rows += [(f"+{name}", layers_of(parse_spec(f"greedy+{name}"))[1].player) for name in WRAPPERS]
    width = max(len(name) for name, _ in rows)
    lines = []
    for name, player in rows:
        speed = f"{short_count(speeds[name])}/s" if name in speeds else ""
        lines += wrapped(f"{player.summary} [{player.source}]", f"{name:<{width}} {speed:>7}  ", " " * (width + 10))
    return "\n".join(lines)


def finding_text(finding: Finding) -> str:
    """Say what one part of the contract came to, and show the deal that breaks it."""
    from cli.texts.replays import replay_text

    mark = click.style("ok", fg="green") + "    " if finding.passed else bold("failed")
    lines = [f"{mark}  {finding.name:<13} {finding.told}"]
    return "\n".join([*lines, "", replay_text(finding.replay), ""] if finding.replay else lines)


def strategy_text(strategy: Strategy | Wrapper, sha: str) -> str:
    """Say how a strategy plays, its parameters with unit, default and range, and its source."""
    defaults = strategy.params._field_defaults
    width = max((len(f"{name}={option_text(value)}") + 2 for name, value in defaults.items()), default=0)
    lines = [bold(f"{strategy.name}: {strategy.summary}"), "", *about(strategy).splitlines(), ""]
    for name, note in params_of(strategy).items():
        told = f"{note.meaning}; {note.low:g}:{note.high:g} {note.unit}".rstrip() if note else "no description"
        lines += wrapped(told, f"  {name}={option_text(defaults[name])}".ljust(width + 2), " " * (width + 2))
    lines += ["  no parameters"] if not defaults else []
    lines += [f"  source   {strategy.source}", f"  version  {sha}"]
    return "\n".join(lines)
