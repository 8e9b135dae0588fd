"""Where runs are kept, and finding one by the text a user gives."""

from __future__ import annotations

import json
from pathlib import Path

import click

from experiments.run_folders import MANIFEST, spots

ROOT = Path("runs")


def _started(run: Path) -> tuple[str, str]:
    """Return when a run was started, and its name; an unreadable manifest counts as older than any other."""
    try:
        started = str(json.loads((run / MANIFEST).read_text(encoding="utf-8")).get("started", ""))
    except (OSError, ValueError, AttributeError):
        started = ""
    return started, run.name


def _runs(root: Path) -> list[Path]:
    """Return the runs in a folder, oldest first."""
    found = [spot.path for spot in spots(root) if spot.has_manifest] if root.is_dir() else []
    return sorted(found, key=_started)


def _is_meant(run: Path, text: str) -> bool:
    """Tell whether text is the beginning of a run's name; of one in a batch it may be BATCH/RUN, each the beginning."""
    asked, names = text.split("/"), run.relative_to(ROOT).parts
    if len(asked) > len(names):
        return False
    return all(map(str.startswith, names[-len(asked) :], asked))


def is_url(text: str) -> bool:
    """Tell whether text names a run on another file system, such as s3://bucket/run."""
    return "://" in text


def find_run(text: str, *, rows: bool = True, anew: bool = False) -> Path:
    """Return the run folder a user means: a path, ``last``, the beginning of the name of one in runs/, or a URL.

    A run in a batch is found as one beside it is, and as BATCH/RUN, both of which may be beginnings. A run at a URL is
    fetched, without `rows` all but its Parquet files, and those that were fetched before only with `anew`.
    """
    if is_url(text):
        from experiments.remote import stage

        return stage(text, parts=rows, anew=anew)
    if Path(text).exists():
        return Path(text)
    runs = _runs(ROOT)
    if text == "last" and not runs:
        raise click.UsageError(f'there is no run in "{ROOT}/" yet; name a run folder')
    found = runs[-1:] if text == "last" else [run for run in runs if _is_meant(run, text)]
    exact = [run for run in found if text in (run.name, run.relative_to(ROOT).as_posix())]
    found = exact or found
    if len(found) > 1:
        newest = found[-1].relative_to(ROOT).as_posix()
        raise click.UsageError(f'"{text}" begins the names of {len(found)} runs, the newest of them {newest}')
    return found[0] if found else Path(text)


def run_folder(text: str, *, rows: bool = True, anew: bool = False) -> Path:
    """Return the run folder a user means, as `find_run`; what is no folder is refused."""
    folder = find_run(text, rows=rows, anew=anew)
    if not text.strip() or not folder.is_dir():
        raise click.UsageError(f'no run "{text}"; name a run folder, the beginning of one in runs/, or last')
    return folder
