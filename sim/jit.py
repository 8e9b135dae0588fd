"""The only place that picks Numba options and the cache folder.

Numba's disk cache looks only at the file of the decorated function: edit a function it calls in another file and
the old machine code still runs. So the cache lives in a folder named after every source that holds kernels and
every library that compiles them; change any of them and a new folder is used. The decorators:

- `kernel`: a function that is compiled with its callers and has no cache of its own;
- `inlined`: a kernel without a call of its own, for the parts of the deal loop; `pasted`: one that returns records;
- `entry`: a function with an explicit signature that Python calls, found in the disk cache by later processes.

With ``NUMBA_DISABLE_JIT=1`` all return the plain Python function.
"""

from __future__ import annotations

import atexit
import functools
import hashlib
import os
import re
import shutil
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import llvmlite
import numba
import numpy as np
import platformdirs
from numba import types
from numba.core.errors import NumbaExperimentalFeatureWarning

F = TypeVar("F", bound=Callable[..., Any])

JIT_IS_ON = not numba.config.DISABLE_JIT


def source_fingerprint(folder: Path) -> str:
    """Return 16 hex digits over the text of every kernel source in `folder` and the compiling libraries.

    Kernel sources are the ``*.py`` files directly in the folder; they are cheap to read (about 1 ms).
    """
    digest = hashlib.sha256()
    for source in sorted(folder.glob("*.py")):
        digest.update(source.name.encode() + b"\0" + source.read_bytes() + b"\0")
    digest.update(repr((sys.version_info[:3], numba.__version__, llvmlite.__version__, np.__version__)).encode())
    return digest.hexdigest()[:16]


def cache_root() -> Path:
    """Return the folder under which compiled code is kept: $NUMBA_CACHE_DIR or the user's cache folder."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    return Path(chosen) if chosen else platformdirs.user_cache_path("hollywood-gin")


def _usable_cache(root: Path, name: str) -> Path:
    """Make the cache folder of today's sources and drop those unused for a month.

    Where it cannot be written, Numba would silently keep code beside the sources, where it goes stale; so a folder
    for this process alone is used instead.
    """
    folder = root / name
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            os.utime(folder)
    except OSError as error:
        sys.stderr.write(f"warning: {folder} cannot be written ({error.strerror}): kernels are compiled anew\n")
        alone = tempfile.mkdtemp(prefix="hollywood-gin-")
        atexit.register(shutil.rmtree, alone, ignore_errors=True)
        return Path(alone)
    for other in root.iterdir():
        if re.fullmatch("[0-9a-f]{16}", other.name) and time.time() - other.stat().st_mtime > UNUSED_SECONDS:
            shutil.rmtree(other, ignore_errors=True)
    return folder


UNUSED_SECONDS = 30 * 86_400
CACHE_DIR = _usable_cache(cache_root(), source_fingerprint(Path(__file__).parent))
# Decisions are first-class functions by design; docs/performance.md says what was measured.
warnings.filterwarnings("ignore", "First-class function type feature", NumbaExperimentalFeatureWarning)
# Read by Numba each time it meets cache=True, so it must be set before the first `entry` below.
numba.config.CACHE_DIR = str(CACHE_DIR)


def kernel(function: F) -> F:
    """Compile a function as part of whatever entry calls it."""
    return numba.njit(nogil=True, error_model="numpy")(function)


def player_code(function: F) -> F:
    """Compile a strategy's function: array indices are checked, so that a view cannot be left (no cost measured)."""
    return numba.njit(nogil=True, error_model="numpy", forceinline=True, boundscheck=True)(function)


def inlined(function: F) -> F:
    """Compile a function into its callers without a call.

    LLVM finds these too large to inline by itself; but a call passes the players and the desk as some thirty words
    on the stack, several times a turn: 0.82 M deals/s a core with calls, 1.06 M without.
    """
    return numba.njit(nogil=True, error_model="numpy", forceinline=True)(function)


def pasted(function: F) -> F:
    """Compile a function into its callers as if written there, so that it may return records (as tuples of them)."""
    return numba.njit(nogil=True, error_model="numpy", inline="always")(function)


def entry(signature: Any) -> Callable[[F], F]:
    """Compile a function for one explicit signature, now or from the disk cache; the GIL is released.

    With the JIT off the plain function gets its arguments as that signature would pass them.
    """
    if JIT_IS_ON:
        return numba.njit(signature, nogil=True, error_model="numpy", cache=True)
    return functools.partial(_plain_entry, signature)


def _plain_entry(signature: Any, function: F) -> F:
    @functools.wraps(function)
    def call(*arguments: Any) -> Any:
        typed = [_as_passed(kind, value) for kind, value in zip(signature.args, arguments, strict=True)]
        with np.errstate(over="ignore"):  # 64-bit words wrap on purpose
            return function(*typed)

    return cast(F, call)


def _as_passed(kind: Any, value: Any) -> Any:
    """Return an argument as compiled code would see it: words as uint64, whether alone or in a tuple."""
    if isinstance(kind, types.UniTuple):
        return tuple(_as_passed(kind.dtype, item) for item in value)
    return np.uint64(value) if kind == types.uint64 else value
