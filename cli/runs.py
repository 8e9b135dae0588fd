"""Where runs are kept, and finding one by the text a user gives."""

from __future__ import annotations

from pathlib import Path

import click

ROOT = Path("runs")


def find_run(text: str) -> Path:
    """Return the run folder a user means: a path, or ``last`` for the newest one in runs/."""
    if text != "last":
        return Path(text)
    runs = sorted(manifest.parent for manifest in ROOT.glob("*/manifest.json"))
    if not runs:
        raise click.UsageError(f'there is no run in "{ROOT}/" yet; name a run folder')
    return runs[-1]
