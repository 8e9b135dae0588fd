"""Compact a run that has ended: fewer, larger files, so that it is read faster; each pairing's rows stay in order."""

from __future__ import annotations

import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from experiments.steps import Tell, tell_nobody
from sim.batch.lock import RunLock
from sim.batch.merge import bundles, left_behind, merge
from sim.batch.mirror import mirrored_at
from sim.batch.part_lines import PartLine, files_of, is_in_place, read_lines
from sim.batch.status import ENDED
from sim.batch.store import StoreError, add_to_log, read_manifest, write_lines


class CannotCompact(ValueError):
    """A run that cannot be compacted as it is; the message says why, and what to do."""


GROWTH = 4 / 3
"""So many times as large may merged files be: rows of version 0.3 were packed more tightly."""


@dataclass(frozen=True)
class Compacted:
    """What a compaction made of the `files` of a run, `size` bytes together.

    `freed` are the bytes of files that an earlier one, which was broken off, had left.
    """

    run: Path
    files: tuple[int, int]
    size: tuple[int, int]
    freed: int
    seconds: float

    def document(self) -> dict[str, Any]:
        """Return the compaction as `runs compact --json` prints it."""
        return {
            "run": str(self.run),
            "files_before": self.files[0],
            "files": self.files[1],
            "bytes_before": self.size[0],
            "bytes": self.size[1],
            "freed": self.freed,
            "seconds": round(self.seconds, 3),
        }


def compact(path: Path, tell: Tell = tell_nobody) -> Compacted:
    """Merge the files of a run that has ended.

    The merged files are written beside the old ones, read back and compared with them; then parts.jsonl, which says
    which files count, is replaced in one go; then the old files are removed. Broken off at any moment, it leaves a run
    that can be read, and the next compaction removes what does not count. Raises `CannotCompact`,
    `sim.batch.lock.RunInUse`, `sim.batch.store.StoreError`, `sim.batch.part_lines.LinesError`.
    """
    read_manifest(path)
    url = mirrored_at(path)
    if url is not None:
        raise CannotCompact(f"{url}: only a run in a folder of this machine can be compacted; copy it to one")
    lock = RunLock(path)
    try:
        return _compact(path, tell)
    except OSError as error:
        raise StoreError(f"{error.filename or path} cannot be written: {error.strerror or error}") from error
    finally:
        lock.release()


def _compact(path: Path, tell: Tell) -> Compacted:
    began = time.monotonic()
    lines = read_lines(path)
    _refuse_unfit(path, lines)
    freed = _remove(left_behind(path, lines))
    many = [bundle for bundle in bundles(lines) if len(bundle) > 1]
    _refuse_full_disk(path, [line for bundle in many for line in bundle])
    merged: dict[int, PartLine] = {}
    for done, bundle in enumerate(many, start=1):
        merged[bundle[0]["part"]] = merge(path, bundle)
        tell("files merged", done, len(many))
    gone = {line["part"] for bundle in many for line in bundle[1:]}
    after = [merged.get(line["part"], line) for line in lines if line["part"] not in gone]
    if many:
        write_lines(path, after)
        _remove(left_behind(path, after))
    files, size = zip(_counts(lines), _counts(after), strict=True)
    if many:
        add_to_log(path, f"compacted: {files[0]} files became {files[1]}")
    return Compacted(path, files, size, freed, time.monotonic() - began)


def _refuse_unfit(path: Path, lines: Sequence[PartLine]) -> None:
    status = read_manifest(path).get("status")
    if status not in ENDED:
        told = f"finish it first with: hollywood runs resume {path}"
        raise CannotCompact(f"{path} is {status}, and only a run that has ended can be compacted; {told}")
    missing = [line["part"] for line in lines if not is_in_place(path, line)]
    if missing:
        told = f"files of part {missing[0]} are gone or cut short"
        raise CannotCompact(f"{path}: {told}; see: hollywood runs verify {path}")


def _refuse_full_disk(path: Path, lines: Sequence[PartLine]) -> None:
    """Refuse what the disk cannot hold: the old files go only when all new ones are there."""
    need, free = round(GROWTH * _counts(lines)[1]), shutil.disk_usage(path).free
    if need > free:
        raise CannotCompact(f"{path}: the merged files may take {need:,} bytes, and the disk has {free:,} free")


def _counts(lines: Sequence[PartLine]) -> tuple[int, int]:
    """Return how many files these lines have, and how many bytes."""
    entries = [entry for line in lines for entry in files_of(line).values()]
    return len(entries), sum(int(entry["bytes"]) for entry in entries)


def _remove(files: Sequence[Path]) -> int:
    """Remove files and return how many bytes they had."""
    freed = sum(file.stat().st_size for file in files)
    for file in files:
        file.unlink()
    return freed
