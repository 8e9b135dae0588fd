"""Where runs are kept, and finding one by the text a user gives."""

from __future__ import annotations

from pathlib import Path

import click

ROOT = Path("runs")


def find_run(text: str) -> Path:
    """Return the run folder a user means: a path, ``last``, or the beginning of the name of one in runs/."""
    if Path(text).exists():
        return Path(text)
    runs = sorted(manifest.parent for manifest in ROOT.glob("*/manifest.json"))
    if text == "last" and not runs:
        raise click.UsageError(f'there is no run in "{ROOT}/" yet; name a run folder')
    found = runs[-1:] if text == "last" else [run for run in runs if run.name.startswith(text)]
    if len(found) > 1:
        raise click.UsageError(f'"{text}" begins the names of {len(found)} runs, such as {found[0].name}')
    return found[0] if found else Path(text)
