"""Where the runs in a folder are: a folder each, those of a batch in the folder of the batch.

It imports next to nothing, so that a run is found by its name at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

MANIFEST = "manifest.json"  # kept equal to sim.batch.store.MANIFEST by a test: importing that one loads pyarrow
BATCH = "batch.json"
"""What tells the folder of a batch (`experiments.batch`) from that of a run."""


class Spot(NamedTuple):
    """A folder where a run is or may be: whether it has a manifest, and what kept it from being looked into."""

    path: Path
    has_manifest: bool
    error: OSError | None = None


def spots(root: Path) -> list[Spot]:
    """Return every folder in `root` that is or may be a run, by name; in place of a batch, the runs in it.

    Hidden folders are none, and no deeper ones are looked for. A folder that cannot be looked into keeps no other from
    being found.
    """
    return [spot for folder in _folders(root) for spot in _spots_in(folder)]


def _spots_in(folder: Path) -> list[Spot]:
    """Return the runs that a folder holds, if it is a batch; else the folder."""
    own = _look(folder)
    if own.has_manifest or own.error:
        return [own]
    try:
        inside = [_look(path) for path in _folders(folder)]
    except OSError as error:
        return [own._replace(error=error)]
    is_batch = any(spot.has_manifest for spot in inside)
    return [spot for spot in inside if spot.has_manifest or spot.error] if is_batch else [own]


def _look(folder: Path) -> Spot:
    try:
        return Spot(folder, (folder / MANIFEST).is_file())
    except OSError as error:  # such as a folder of another user, mode 700
        return Spot(folder, False, error)


def _folders(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.iterdir()) if path.is_dir() and not path.name.startswith("."))
