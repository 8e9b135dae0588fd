"""Looks at an installation: versions, the cache of compiled kernels, the folder of runs, the terminal.

Each look returns a state and what was found. Nothing heavy is imported before a look needs it.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import tempfile
import tomllib
from importlib import metadata
from pathlib import Path

from experiments.doctor.selftest import FAILED, NOTE, OK, Found

DISTRIBUTION = "hollywood-gin-lab"
INSTALL = "run make setup, or pip install -e ."
WANTED_BY = (DISTRIBUTION, "numba")
"""Whose metadata tell which versions are wanted; llvmlite is numba's affair."""
LITTLE_ROOM = 10**9
"""Free bytes below which a run may not fit."""
COLD = "cold: they are compiled at the first start, once, in about 15 seconds"
"""What is found where no kernel is on disk."""
WRITTEN = "\u00b1\u00b7"
"""Characters beyond ASCII that results are written with."""


# --- environment


def own_version() -> Found:
    """Tell the version installed, and whether it is that of the sources."""
    try:
        version = metadata.version(DISTRIBUTION)
    except metadata.PackageNotFoundError:
        return FAILED, f"{DISTRIBUTION} is not installed, only its sources are here; {INSTALL}"
    if metadata.requires(DISTRIBUTION) is None:
        return NOTE, f"{version}, installed without its list of libraries: their versions are not all compared"
    checkout = Path(__file__).parents[2] / "pyproject.toml"
    if checkout.is_file():
        project = tomllib.loads(checkout.read_text(encoding="utf-8")).get("project", {})
        sources = project.get("version")
        if project.get("name") == DISTRIBUTION and sources != version:
            return NOTE, f"installed as {version}, but the sources are {sources}; {INSTALL}"
    return OK, version


def python() -> Found:
    """Compare Python with the range that the distribution wants."""
    try:
        wanted = str(metadata.metadata(DISTRIBUTION).json.get("requires_python", ""))
    except metadata.PackageNotFoundError:
        wanted = ""
    return _compared(platform.python_version(), wanted, "use another Python")


def processor() -> Found:
    """Tell the processor."""
    from sim.batch.provenance import cpu_model

    return OK, cpu_model()


def cores() -> Found:
    """Tell how many cores there are, and how many of them this process may use."""
    cores = os.cpu_count() or 1
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else cores
    if usable < cores:
        return NOTE, f"{cores}, of which this process may use {usable}: give --threads {usable}"
    return OK, f"{cores}, so {cores} thread{'s' * (cores > 1)} unless --threads says otherwise"


def memory() -> Found:
    """Tell how much memory there is."""
    try:
        size = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # not on this system
        return NOTE, "this system does not say"
    return OK, _size(size)


def _size(count: int) -> str:
    """Write a number of bytes."""
    return f"{count / 1e9:,.1f} GB" if count >= 1e9 else f"{count / 1e6:,.1f} MB"


def jit() -> Found:
    """Tell whether kernels are compiled."""
    from sim.jit import JIT_IS_ON

    if JIT_IS_ON:
        return OK, "on: kernels are compiled"
    return NOTE, "off: all is played in plain Python, far slower; unset NUMBA_DISABLE_JIT"


# --- libraries


def library(name: str) -> Found:
    """Tell which version of a library is installed, which are wanted, and whether they agree."""
    wanted = _wanted(name)
    remedy = f"run make setup, or pip install '{name}{wanted or ''}'"
    try:
        version = metadata.version(name)
    except metadata.PackageNotFoundError:
        return (FAILED, f"not installed; {remedy}") if wanted is not None else (NOTE, "not installed, nor asked for")
    return _compared(version, wanted or "", remedy)


def _wanted(name: str) -> str | None:
    """Return the versions wanted of a library, such as ``>=2.0,<2.6``, empty for any; None if nobody asks for it."""
    try:
        from packaging.requirements import Requirement
    except ImportError:
        return None
    found = [Requirement(line) for distribution in WANTED_BY for line in _requires(distribution)]
    asked = [n for n in found if n.name == name and (n.marker is None or n.marker.evaluate({"extra": ""}))]
    limits = sorted(
        {str(limit) for need in asked for limit in need.specifier}, key=lambda limit: (limit[0] != ">", limit)
    )
    return ",".join(limits) if asked else None


def _requires(distribution: str) -> list[str]:
    try:
        return metadata.requires(distribution) or []
    except metadata.PackageNotFoundError:
        return []


def _compared(version: str, wanted: str, remedy: str) -> Found:
    """Tell whether a version lies in a range."""
    if not wanted:
        return OK, version
    try:
        from packaging.specifiers import SpecifierSet
    except ImportError:  # it comes with matplotlib
        return NOTE, f"{version}, wanted {wanted} (not compared: the library packaging is missing)"
    if SpecifierSet(wanted).contains(version, prereleases=True):
        return OK, f"{version}, wanted {wanted}"
    return FAILED, f"{version}, wanted {wanted}; {remedy}"


# --- cache


def _cache() -> Path:
    """Return the cache folder of today's sources, whether or not it can be used."""
    from sim import jit

    return jit.cache_root() / jit.source_fingerprint(Path(jit.__file__).parent)


def kernels() -> Found:
    """Tell whether the kernels are on disk, compiled."""
    from sim.jit import JIT_IS_ON

    if not JIT_IS_ON:
        return NOTE, "none: the JIT is off"
    if any(_cache().rglob("match.play_block-*.nbc")):
        return OK, "warm: compiled, and found on disk"
    return NOTE, COLD


def cache_folder() -> Found:
    """Tell where compiled code is kept, and whether it can be."""
    folder = _cache()
    trouble = _trouble(folder)
    if trouble is None:
        return OK, f"{folder}"
    remedy = "kernels are compiled anew in every process; set NUMBA_CACHE_DIR to a folder that can be written"
    return FAILED, f"{folder} cannot be written ({trouble}): {remedy}"


def _trouble(folder: Path) -> str | None:
    """Try to make a folder and to write in it; return why that fails."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return None
    except OSError as error:
        return error.strerror or str(error)


def cache_contents() -> Found:
    """Tell how much compiled code there is."""
    root = _cache().parent
    versions = [path for path in root.iterdir() if re.fullmatch("[0-9a-f]{16}", path.name)] if root.is_dir() else []
    size = sum(file.stat().st_size for version in versions for file in version.rglob("*") if file.is_file())
    count = f"{len(versions)} version{'s' * (len(versions) != 1)} of the kernels"
    return OK, f"{count}, {_size(size)}; unused ones go after a month"


# --- surroundings


def _existing(folder: Path) -> Path:
    """Return a folder, or the nearest one above it that exists."""
    return next(path for path in (folder.absolute(), *folder.absolute().parents) if path.exists())


def runs_folder(runs: Path) -> Found:
    """Tell whether runs can be written."""
    place = _existing(runs)
    trouble = _trouble(place) if place.is_dir() else "it is a file"
    if trouble is not None:
        return FAILED, f"{place} cannot be written ({trouble}); work in another folder, or give --out"
    return OK, f"{place}" if runs.exists() else f"{runs.absolute()}, to be made"


def free_space(runs: Path) -> Found:
    """Tell how much room there is for runs."""
    free = shutil.disk_usage(_existing(runs)).free
    if free < LITTLE_ROOM:
        return NOTE, f"{_size(free)} on the disk of the runs: large runs may not fit"
    return OK, f"{_size(free)} on the disk of the runs"


def colour() -> Found:
    """Tell whether text is coloured."""
    if os.environ.get("NO_COLOR"):
        return NOTE, "off: NO_COLOR is set"
    if os.environ.get("TERM") == "dumb":
        return NOTE, "off: TERM is dumb"
    return OK, "on a terminal"


def encoding(name: str) -> Found:
    """Tell whether stdout can show all that results are written with."""
    try:
        WRITTEN.encode(name)
    except UnicodeEncodeError:
        return FAILED, f"{name} has no plus-minus sign, which results are written with; set PYTHONIOENCODING=utf-8"
    return OK, name
