"""Damaged files of a run are set aside, so that a resume plays their parts again; and what else does not count."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sim.batch.lines import PARTS
from sim.batch.lock import RunInUse, RunLock
from sim.batch.merge import file_of
from sim.batch.part_lines import PartLine, files_of
from sim.batch.plan import Plan
from sim.batch.schema import TABLES
from sim.batch.verify import Fault

BAD = ".bad"
"""What is added to the name of a damaged file that is set aside."""


def names_of_damage(plan: Plan, lines: Sequence[PartLine], faults: Sequence[Fault]) -> list[str]:
    """Return the files by whose absence a resume knows what to play again.

    Where only the line of a part is wrong, the first of its files stands for it.
    """
    wrong = {fault.part for fault in faults if fault.part is not None}
    of_lines = {file_of(plan.tables[0], line) for line in lines if line["part"] in wrong}
    files = {file_of(table, line) for line in lines for table in plan.tables}
    return sorted(({fault.file for fault in faults} | of_lines) & files)


def set_aside(path: Path, names: Sequence[str]) -> tuple[list[str], list[str]]:
    """Rename these files of a run, if they are there; return which were, and what hindered it."""
    done: list[str] = []
    there = [name for name in names if (path / name).is_file()]
    if not there:
        return [], []
    try:
        lock = RunLock(path)
        try:
            for name in there:
                (path / name).replace(path / f"{name}{BAD}")
                done.append(name)
        finally:
            lock.release()
    except (RunInUse, OSError) as error:
        return done, [f"not everything that is damaged could be set aside: {error}"]
    return done, []


def left_over(path: Path, lines: Sequence[PartLine]) -> list[str]:
    """Name what does not count: files in no line, temporary ones, those set aside; and a line that is not whole."""
    listed = {file_of(table, line) for line in lines for table in files_of(line)}
    files = [file for table in TABLES for file in sorted((path / table).glob("*")) if file.is_file()]
    names = [file.relative_to(path).as_posix() for file in [*files, *sorted(path.glob(".*.tmp"))]]
    told = [f"{name} does not count: {_why(name)}; it may be deleted" for name in names if name not in listed]
    content = (path / PARTS).read_bytes() if (path / PARTS).is_file() else b""
    if content and not content.endswith(b"\n"):
        told.append(f"the last line of {PARTS} does not count: the run died while it was written")
    return told


def _why(name: str) -> str:
    if name.endswith(BAD):
        return "it was set aside"
    return "it was not finished" if name.endswith(".tmp") else f"it is in no line of {PARTS}"
