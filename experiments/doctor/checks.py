"""Whether this installation is sound: versions, cache, folders, terminal, and a self-test; for `hollywood doctor`.

Nothing heavy is imported before a check needs it, and a check that breaks off is a check that failed: the doctor must
be able to tell of an installation in which hardly anything works.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from experiments.doctor import installation, selftest
from experiments.doctor.selftest import FAILED, NOTE, OK, Found

LIBRARIES = ("numpy", "numba", "llvmlite", "pyarrow", "duckdb", "pandas", "scipy", "matplotlib", "statsmodels", "choix")


@dataclass(frozen=True)
class Check:
    """One thing looked at: its group and name, its state (ok, failed or note) and what was found."""

    group: str
    name: str
    state: str
    detail: str

    def document(self) -> dict[str, str]:
        """Return the check as `hollywood doctor --json` prints it."""
        return {"group": self.group, "name": self.name, "state": self.state, "detail": self.detail}


def examine(runs: Path, encoding: str, compiling: Callable[[], None] = lambda: None) -> Iterator[Check]:
    """Make one check after another.

    `runs` is the folder that runs are kept in, `encoding` that of stdout; `compiling` is called before the self-test
    when the kernels are not on disk yet, so that some seconds pass until the next check.
    """
    found = {}
    for group, looks in _groups(runs, encoding).items():
        for name, look in looks:
            found[name] = check = _made(group, name, look)
            yield check
    if found["kernels"].detail == installation.COLD:
        compiling()
    yield from _self_test(jit_is_off=found["jit"].state == NOTE)


def _groups(runs: Path, encoding: str) -> dict[str, list[tuple[str, Callable[[], Found]]]]:
    """Return what is looked at before the self-test: names and looks, by group."""
    return {
        "environment": [
            ("hollywood", installation.own_version),
            ("python", installation.python),
            ("platform", lambda: (OK, platform.platform())),
            ("processor", installation.processor),
            ("cores", installation.cores),
            ("memory", installation.memory),
            ("jit", installation.jit),
        ],
        "libraries": [(name, partial(installation.library, name)) for name in LIBRARIES],
        "cache": [
            ("cache folder", installation.cache_folder),
            ("compiled code", installation.cache_contents),
            ("kernels", installation.kernels),
        ],
        "surroundings": [
            ("runs", partial(installation.runs_folder, runs)),
            ("free space", partial(installation.free_space, runs)),
            ("colour", installation.colour),
            ("encoding", partial(installation.encoding, encoding)),
        ],
    }


def _made(group: str, name: str, look: Callable[[], Found]) -> Check:
    """Make a check; one that breaks off has failed."""
    try:
        return Check(group, name, *look())
    except Exception as error:  # whatever is broken, the other checks still tell something
        told = str(error).strip().splitlines() or [""]
        return Check(group, name, FAILED, f"broke off with {type(error).__name__}: {told[0]}")


def _self_test(*, jit_is_off: bool) -> Iterator[Check]:
    try:
        answers = selftest.stored_answers()
    except (OSError, ValueError) as error:
        yield Check("self-test", "answers", FAILED, f"the stored answers cannot be read: {error}; reinstall")
        return
    for name, test in selftest.SOLVING:
        yield _made("self-test", name, partial(test, answers))
    if jit_is_off:
        yield Check("self-test", "kernels", NOTE, "not tested: without compiled code they take too long")
        return
    for name, test in selftest.PLAYING:
        yield _made("self-test", name, partial(test, answers))
