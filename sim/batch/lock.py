"""One writer a run folder: a lock that the system lets go of when its holder ends, however that comes."""

from __future__ import annotations

import errno
import json
import os
import platform
import time
from pathlib import Path

LOCK = "lock"
TRIES, TRY_SECONDS = 4, 0.02
"""So often, and so far apart, it is tried to lock: whoever asks `is_locked` holds a lock too, for an instant."""


class RunInUse(RuntimeError):
    """Another process is writing this run; the message names it."""


class RunLock:
    """The lock of a run folder, held until `release`. Raises `RunInUse` when another process holds it.

    On file systems that know no locks there is none, and `is_held` is False.
    """

    def __init__(self, path: Path) -> None:
        import fcntl

        self._file = os.open(path / LOCK, os.O_RDWR | os.O_CREAT, 0o644)
        self.is_held = True
        for left in reversed(range(TRIES)):
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except OSError as error:
                if error.errno not in (errno.EWOULDBLOCK, errno.EACCES):
                    self.is_held = False
                    break
                if not left:
                    os.close(self._file)
                    raise RunInUse(f"{path} is being written by {_holder(path)}; wait for it, or stop it") from None
                time.sleep(TRY_SECONDS)
        os.ftruncate(self._file, 0)
        os.write(self._file, json.dumps({"pid": os.getpid(), "host": platform.node()}).encode())

    def release(self) -> None:
        """Let others write."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def is_locked(path: Path) -> bool:
    """Tell whether a process is writing this run now."""
    import fcntl

    try:
        with (path / LOCK).open("r", encoding="utf-8") as handle:
            fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except OSError as error:
        return error.errno in (errno.EWOULDBLOCK, errno.EACCES)
    return False


def _holder(path: Path) -> str:
    try:
        holder = json.loads((path / LOCK).read_text(encoding="utf-8"))
        return f"process {holder['pid']} on {holder['host']}"
    except (OSError, ValueError, LookupError, TypeError):
        return "another process"
