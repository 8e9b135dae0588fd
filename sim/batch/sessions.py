"""Sessions of a cluster in a run folder: each has a folder of its own, where workers write files until they are whole.

The folder is the sign that the session goes on: workers look for it, and leave off when it is gone. Only the process
that holds the lock of the run makes or removes one; where there are no locks, only the one that made it.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import uuid4

SESSION = ".cluster-"
"""How the folder of a session begins, inside the run folder."""
OVER = "-over"
"""How it ends when the session is over and it is being removed."""
TRIES, WAIT_SECONDS = 50, 0.02
"""A worker in the middle of making a file can still put it into a folder being removed: so it is tried again."""


@contextmanager
def session(folder: Path) -> Iterator[Path]:
    """Give the folder of a new session in a run folder; it is gone at the end."""
    path = folder.absolute() / f"{SESSION}{uuid4().hex[:8]}"
    path.mkdir()
    try:
        yield path
    finally:
        _remove(path)


def clear_sessions(folder: Path) -> None:
    """Remove what sessions left in a run folder whose clients died. Workers that still play for them leave off."""
    for path in list(folder.glob(f"{SESSION}*")):
        if path.is_dir() and not path.is_symlink():
            _remove(path)


def _remove(path: Path) -> None:
    """Rename a folder, so that workers find it gone, then remove it; what stays, the next session or resume clears."""
    if not path.name.endswith(OVER):
        with suppress(OSError):
            path = path.rename(path.with_name(f"{path.name}{OVER}"))
    for _ in range(TRIES):
        shutil.rmtree(path, ignore_errors=True)
        if not path.exists():
            return
        time.sleep(WAIT_SECONDS)
