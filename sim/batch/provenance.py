"""How a run was made: versions, machine and command, for the manifest; and the engine version for every file."""

from __future__ import annotations

import os
import platform
import sys
from datetime import UTC, datetime
from functools import cache
from importlib import metadata
from pathlib import Path

LIBRARIES = ("numpy", "numba", "llvmlite", "pyarrow")


@cache  # reading it anew takes half a millisecond, and every part names it
def engine_version() -> str:
    """Return the version of this project."""
    return metadata.version("hollywood-gin-lab")


def now() -> str:
    """Return the time, UTC, in ISO form to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def library_versions() -> dict[str, str]:
    """Return the versions of Python and of the libraries that compute and write."""
    return {"python": platform.python_version(), **{name: metadata.version(name) for name in LIBRARIES}}


def cpu_model() -> str:
    """Return the processor's name as the system gives it."""
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def machine() -> dict[str, object]:
    """Return where and by which command this process runs."""
    return {"cpu": cpu_model(), "cores": os.cpu_count(), "host": platform.node(), "argv": sys.argv}
