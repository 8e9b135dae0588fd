"""Where runs are kept, and finding one by the text a user gives."""

from __future__ import annotations

import json
from pathlib import Path

import click

ROOT = Path("runs")


def _started(manifest: Path) -> tuple[str, str]:
    """Return when a run was started, and its name; an unreadable manifest counts as older than any other."""
    try:
        started = str(json.loads(manifest.read_text(encoding="utf-8")).get("started", ""))
    except (OSError, ValueError, AttributeError):
        started = ""
    return started, manifest.parent.name


def is_url(text: str) -> bool:
    """Tell whether text names a run on another file system, such as s3://bucket/run."""
    return "://" in text


def find_run(text: str, *, rows: bool = True) -> Path:
    """Return the run folder a user means: a path, ``last``, the beginning of the name of one in runs/, or a URL.

    A run at a URL is fetched, without `rows` all but its Parquet files.
    """
    if is_url(text):
        from experiments.remote import stage

        return stage(text, parts=rows)
    if Path(text).exists():
        return Path(text)
    runs = [manifest.parent for manifest in sorted(ROOT.glob("*/manifest.json"), key=_started)]
    if text == "last" and not runs:
        raise click.UsageError(f'there is no run in "{ROOT}/" yet; name a run folder')
    found = runs[-1:] if text == "last" else [run for run in runs if run.name.startswith(text)]
    if len(found) > 1:
        raise click.UsageError(f'"{text}" begins the names of {len(found)} runs, such as {found[0].name}')
    return found[0] if found else Path(text)


def run_folder(text: str, *, rows: bool = True) -> Path:
    """Return the run folder a user means, as `find_run`; what is no folder is refused."""
    folder = find_run(text, rows=rows)
    if not text.strip() or not folder.is_dir():
        raise click.UsageError(f'no run "{text}"; name a run folder, the beginning of one in runs/, or last')
    return folder
