"""A run looked at from outside, while another process plays it or after: everything is read, nothing written."""

from __future__ import annotations

import json
import os
import platform
import re
import tomllib
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from experiments.progress_file import WRITE_SECONDS, Standing, read_progress
from sim.batch.lines import PARTS, line_texts
from sim.batch.lock import LOCK, is_locked
from sim.batch.spec import SPEC
from sim.batch.status import DIED, RUNNING
from sim.batch.store import LOG, read_manifest

SILENCE = timedelta(seconds=5 * WRITE_SECONDS)
"""Where there are no locks, a run that has written nothing for so long is taken for dead."""


class Watched:
    """A run folder that is looked at again and again."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._parts = _Parts(path / PARTS)

    def state(self) -> str:
        """Return "running", "died" or how it ended: complete, stopped, interrupted, failed.

        Raises `sim.batch.store.StoreError` for a folder that is none of a run.
        """
        if is_locked(self.path):
            return RUNNING
        status = str(read_manifest(self.path).get("status"))
        if status != RUNNING:
            return status
        # Another process may have begun to go on with it after the first look at the lock.
        return RUNNING if is_locked(self.path) or _is_heard_of(self.path) else DIED

    def standing(self) -> Standing:
        """Return how far it is, as its process tells, else by its finished parts.

        What a process that is gone has left behind says nothing of the one that goes on with the run.
        """
        told, holder = read_progress(self.path), _json(self.path / LOCK)
        if told is not None and all(told[name] == holder.get(name) for name in ("pid", "host")):
            return Standing.read(told)
        return self.kept()

    def kept(self) -> Standing:
        """Return how far it is by its finished parts alone, which is what is left when it ends."""
        pairs, deals = self._parts.sums()
        return Standing(pairs, max(_total_pairs(self.path), pairs), deals)

    def reason(self) -> str:
        """Return why a run has failed, from run.log; nothing if that does not say."""
        try:
            log = (self.path / LOG).read_text(encoding="utf-8")
        except (OSError, ValueError):
            return ""
        entries = [" ".join(entry.split()) for entry in re.split(r"^\d{4}-\d\d-\d\dT\S+ ", log, flags=re.MULTILINE)]
        last = max((place for place, entry in enumerate(entries) if entry == "failed"), default=0)
        return entries[last - 1] if last > 1 else ""


class _Parts:
    """parts.jsonl, of which every look reads only what was appended since the last."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._read = 0
        self._found: dict[int, tuple[int, int]] = {}

    def sums(self) -> tuple[int, int]:
        """Return the pairs and the deals of the finished parts; of a part written again the last line counts."""
        for text in self._new().splitlines():
            try:
                line = json.loads(text)
                self._found[line["part"]] = line["pairs"], line["deals_played"]
            except (ValueError, LookupError, TypeError):
                continue  # who goes on with the run is told
        return sum(pairs for pairs, _ in self._found.values()), sum(deals for _, deals in self._found.values())

    def _new(self) -> bytes:
        """Return the whole lines that were appended since the last look."""
        try:
            with self._file.open("rb") as handle:
                handle.seek(self._read)
                text = handle.read()
        except FileNotFoundError:  # a copy of a run kept elsewhere has a file a line
            return "\n".join(text for _, text in line_texts(self._file.parent)).encode()
        except OSError:
            return b""
        whole = text[: text.rfind(b"\n") + 1]
        self._read += len(whole)
        return whole


def _total_pairs(path: Path) -> int:
    try:
        spec = tomllib.loads((path / SPEC).read_text(encoding="utf-8"))
        return int(spec["pairs"]) * len(spec["pairings"])
    except (OSError, ValueError, LookupError, TypeError):
        return 0


def _is_heard_of(path: Path) -> bool:
    """Tell whether the process of a run lives although its lock is free, as on file systems that know no locks."""
    told = read_progress(path)
    if told is None:
        return False
    try:
        silence = datetime.now(UTC) - datetime.fromisoformat(told["time"])
        return silence < SILENCE and (told["host"] != platform.node() or _is_alive(int(told["pid"])))
    except (ValueError, TypeError):
        return False


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)  # signal 0 is sent to nobody: it only asks
    except PermissionError:
        return True
    except OSError:
        return False
    return True


def _json(file: Path) -> dict[str, Any]:
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
