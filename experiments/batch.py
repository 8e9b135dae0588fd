"""A batch: runs one after another, each in a process of its own, and a folder that knows how far each one is."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from experiments.batch_runs import Drawn
from experiments.batch_spec import Batch
from experiments.recording import new_folder
from experiments.run_folders import BATCH
from sim.batch.lock import RunLock
from sim.batch.provenance import now
from sim.batch.status import COMPLETE, ENDED, FAILED, INTERRUPTED, RUNNING, STOPPED
from sim.batch.store import MANIFEST, FolderInUse, StoreError, write_text

BATCH_VERSION = 1
WAITING = "waiting"
STATES = (WAITING, RUNNING, COMPLETE, STOPPED, FAILED, INTERRUPTED)
"""How a run stands; of a run that died it goes on saying ``running``. A stopped one is done: its test had decided."""

Entry = dict[str, Any]
"""A run as batch.json keeps it: name, kind, settings, spec_hash, folder, state, and once it ended words or reason."""


class BatchChanged(ValueError):
    """A batch that cannot be gone on with, as its file, or a player's, means something else now."""


@dataclass(frozen=True)
class Job:
    """What the process of a run is told."""

    drawn: Drawn
    folder: Path
    resume: bool


Launch = Callable[[Job], Mapping[str, Any]]
"""Plays a job in a process of its own; returns its state with ``words``, or a ``reason`` if it failed."""


class BatchFolder:
    """The folder of a batch: a folder a run, and batch.json, which is written anew whenever a run's state changes."""

    def __init__(self, path: Path, document: dict[str, Any], lock: RunLock) -> None:
        self.path = path
        self._document = document
        self._lock = lock

    @classmethod
    def create(cls, path: Path, batch: Batch, seed: int) -> BatchFolder:
        """Make the folder of a new batch, `seed` being that of runs without one.

        Raises `sim.batch.store.FolderInUse` if something is there, `StoreError` if it cannot be made.
        """
        try:
            if path.exists() and (not path.is_dir() or any(path.iterdir())):
                raise FolderInUse(f'"{path}" is there already: name a new folder for the batch')
            path.mkdir(parents=True, exist_ok=True)
            runs = [{**_meaning(drawn), "folder": drawn.run.name, "state": WAITING} for drawn in batch.runs]
            document = {"schema_version": BATCH_VERSION, "file": str(batch.file), "seed": seed, "started": now()}
            folder = cls(path, {**document, "runs": runs}, RunLock(path))
            folder._save()
        except OSError as error:
            raise StoreError(f"{path} cannot be written: {error.strerror or error}") from error
        return folder

    @classmethod
    def reopen(cls, path: Path, batch: Batch) -> BatchFolder:
        """Open the folder of a batch again, to go on with it.

        Raises `BatchChanged`, `sim.batch.store.StoreError`, or `sim.batch.lock.RunInUse` when another process plays it.
        """
        document = read_batch_json(path)
        changes = list(_changes(document["runs"], [_meaning(drawn) for drawn in batch.runs]))
        if changes:
            told = "\n  ".join(changes)
            raise BatchChanged(f"{batch.file} is not what {path} was made from; start a new batch\n  {told}")
        return cls(path, document, RunLock(path))

    @property
    def entries(self) -> list[Entry]:
        """The runs as batch.json keeps them, in order."""
        entries: list[Entry] = self._document["runs"]
        return entries

    def jobs(self, batch: Batch) -> Iterator[tuple[Entry, Job]]:
        """Yield the runs that are not done: those that have begun are gone on with, also those that failed."""
        for entry, drawn in zip(self.entries, batch.runs, strict=True):
            if entry["state"] in ENDED:
                continue
            entry["folder"] = self._folder_of(entry)
            folder = self.path / entry["folder"]
            yield entry, Job(drawn, folder, resume=(folder / MANIFEST).is_file())

    def _folder_of(self, entry: Entry) -> str:
        """Return the folder for a run: its own, or a new one where one was begun that never became a run."""
        name, number = str(entry["folder"]), 1
        while (self.path / name).exists() and not (self.path / name / MANIFEST).is_file():
            number += 1
            name = f"{entry['name']}.{number}"
        return name

    def put(self, entry: Entry, state: str, **facts: Any) -> None:
        """Keep how a run stands now, in place of what was said of it before."""
        for key in ("words", "reason", "finished"):
            entry.pop(key, None)
        entry.update(facts, state=state)
        self._save()

    def _save(self) -> None:
        write_text(self.path / BATCH, json.dumps(self._document, indent=1) + "\n")

    def release(self) -> None:
        """Let others go on with the batch."""
        self._lock.release()

    def document(self) -> dict[str, Any]:
        """Return the batch as `batch --json` prints it."""
        runs = [{**entry, "folder": str(self.path / entry["folder"])} for entry in self.entries]
        return {**self._document, "folder": str(self.path), "runs": runs}


def play_batch(folder: BatchFolder, batch: Batch, launch: Launch, tell: Callable[[Entry], None]) -> bool:
    """Play what is left of a batch and return whether all its runs are done.

    A run that fails does not keep the others from being played. `tell` hears of each run when its state has changed. On
    KeyboardInterrupt, which `launch` lets through when the run's process has ended, the run is marked and it goes on.
    """
    for entry, job in folder.jobs(batch):
        folder.put(entry, RUNNING, started=now())
        tell(entry)
        try:
            told = dict(launch(job))
        except KeyboardInterrupt:
            folder.put(entry, INTERRUPTED, finished=now())
            raise
        folder.put(entry, told.pop("state"), finished=now(), **told)
        tell(entry)
    return all(entry["state"] in ENDED for entry in folder.entries)


def default_batch_folder(file: Path, root: Path) -> Path:
    """Make and return the folder of a batch for which the user names none: time and file are in its name."""
    return new_folder(root, re.sub("[^A-Za-z0-9-]+", "-", file.stem).strip("-")[:60] or "batch")


def read_batch_json(path: Path) -> dict[str, Any]:
    """Return what batch.json says; `sim.batch.store.StoreError` when there is none or it is not whole."""
    file = path / BATCH
    try:
        document = json.loads(file.read_text(encoding="utf-8"))
        if document["schema_version"] != BATCH_VERSION:
            raise ValueError(f"schema version {document['schema_version']}, this program writes {BATCH_VERSION}")
        if not isinstance(document["seed"], int):
            raise TypeError("seed is no number")
        for entry in document["runs"]:
            if entry["state"] not in STATES or not all(isinstance(entry[key], str) for key in ("name", "folder")):
                raise ValueError(f"run {entry['name']}")
    except FileNotFoundError:
        raise StoreError(f"{file}: missing, so this is not the folder of a batch") from None
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise StoreError(f"{file}: not the state of a batch ({error})") from error
    return dict(document)


def _meaning(drawn: Drawn) -> Entry:
    """Return what a run is, all that its data depend on."""
    return {
        "name": drawn.run.name,
        "kind": drawn.run.kind,
        "settings": dict(drawn.run.settings),
        "spec_hash": drawn.plan.spec_hash(),
    }


def _changes(kept: list[Entry], wanted: list[Entry]) -> Iterator[str]:
    """Say how the runs of a file differ from those that a batch was made of."""
    was, now_is = ({entry["name"]: entry for entry in entries} for entries in (kept, wanted))
    yield from (f'"{name}" is gone' for name in was if name not in now_is)
    yield from (f'"{name}" is new' for name in now_is if name not in was)
    for name in was:
        if name in now_is:
            yield from (f'"{name}": {change}' for change in _run_changes(was[name], now_is[name]))
    if list(was) != list(now_is) and set(was) == set(now_is):
        yield "the experiments are in another order"


def _run_changes(was: Entry, now_is: Entry) -> Iterator[str]:
    """Say how a run differs from what it was."""
    before = {"kind": was.get("kind"), **was.get("settings", {})}
    after = {"kind": now_is["kind"], **now_is["settings"]}
    keys = [key for key in {**before, **after} if before.get(key) != after.get(key)]
    yield from (f"{key} was {before.get(key, 'not given')}, is {after.get(key, 'not given')}" for key in keys)
    if not keys and was.get("spec_hash") != now_is["spec_hash"]:
        yield "a file of its players or rules was changed"
