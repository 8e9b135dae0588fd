"""Runs on remote file systems: the local folder through which each is written and read."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import platformdirs

from sim.batch.lock import RunInUse, is_locked
from sim.batch.mirror import Mirror, note_mirror
from sim.batch.store import FolderInUse


def _local_twin(url: str) -> Path:
    """Return the local folder of a URL: always the same, so that what was fetched once need not be fetched again."""
    name = hashlib.sha256(url.rstrip("/").encode()).hexdigest()[:16]
    return platformdirs.user_cache_path("hollywood-gin-lab") / "runs" / name


def stage_new(url: str) -> Path:
    """Return the empty local folder of a run to be made at a URL.

    Raises `sim.batch.store.FolderInUse` when something is there, `sim.batch.mirror.RemoteError`, and
    `sim.batch.lock.RunInUse` when a process of this machine is writing there.
    """
    local = _local_twin(url)
    if is_locked(local):
        raise RunInUse(f"{url} is being written by a process of this machine")
    if Mirror(local, url).sizes():
        raise FolderInUse(f'"{url}" is there already: name a new folder for the run')
    shutil.rmtree(local, ignore_errors=True)
    note_mirror(local, url)
    return local


def stage(url: str, *, parts: bool = True, anew: bool = False) -> Path:
    """Bring a run to its local folder and return that; with `parts` off all but its rows, to go on with it.

    What was fetched before is not fetched again unless `anew` asks for it, as who looks for damage must.
    Nothing is fetched while a process of this machine writes the run: its local folder is ahead of the remote one.
    Raises `sim.batch.mirror.RemoteError`.
    """
    local = _local_twin(url)
    if not is_locked(local):
        note_mirror(local, url)
        Mirror(local, url).fetch(parts=parts, anew=anew)
    return local


def sizes_elsewhere(local: Path) -> dict[str, int] | None:
    """Return the sizes of the files of a run that is kept elsewhere, by name; None of one that is here.

    One that a process of this machine is writing is here. Raises `sim.batch.mirror.RemoteError`.
    """
    mirror = Mirror.of(local)
    return None if mirror is None or is_locked(local) else mirror.sizes()
