"""Keeping what is played: a run folder whose manifest says how it went, and the sums of its parts by pairing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from experiments.outcomes import Counts, Pairing, Trio
from experiments.progress_file import telling
from sim.batch.fingerprint import engine_fingerprint
from sim.batch.mirror import RemoteError
from sim.batch.plan import Part, Plan
from sim.batch.provenance import engine_version, library_versions, machine, now
from sim.batch.runner import PartSummary, Stopped, Watch
from sim.batch.spec import read_plan
from sim.batch.store import RunFolder
from sim.batch.tally import Tally, add


class CannotResume(ValueError):
    """A run that this program would not go on with in the same way; the message says what differs."""


@dataclass(frozen=True)
class Target:
    """Where an experiment is kept: a new folder, or with `resume` the one of a run that ended before it was done.

    `experiment` is what the manifest keeps of the question asked (kind and settings), `again` the command.
    """

    folder: Path
    resume: bool = False
    experiment: Mapping[str, Any] = field(default_factory=dict)
    again: tuple[str, ...] = ()


def default_folder(plan: Plan, root: Path) -> Path:
    """Make and return the folder of a run for which the user names none: time, players and plan are in its name."""
    slug = "-v-".join(plan.names()[0]) if len(plan.pairings) == 1 else f"{len(plan.sides)}-players"
    slug = "".join(c if c.isalnum() or c in "-." else "-" for c in slug.replace(".py", "").replace("./", ""))[:60]
    return new_folder(root, f"{slug.strip('-.')}-{plan.spec_hash()[:6]}")


def new_folder(root: Path, name: str) -> Path:
    """Make and return a folder whose name begins with the time, UTC."""
    name = f"{datetime.now(UTC):%Y%m%dT%H%M%S}-{name}"
    folder, number = root / name, 1
    while True:
        try:
            folder.mkdir(parents=True)
        except FileExistsError:  # another run of this very second
            number += 1
            folder = root / f"{name}-{number}"
        else:
            return folder


@contextmanager
def recording(plan: Plan, target: Target) -> Iterator[RunFolder]:
    """Give the run folder of a plan, new or opened again; whoever plays closes it with its last status.

    On KeyboardInterrupt the manifest says ``interrupted``, on any other error ``failed``, and the exception goes on.
    Raises `sim.batch.store.FolderInUse` or `sim.batch.store.StoreError` when the folder cannot be written,
    `sim.batch.lock.RunInUse` when another process writes it, `CannotResume`.
    """
    run = _reopened(plan, target) if target.resume else RunFolder.create(target.folder, plan, _facts(plan, target))
    try:
        with telling(run):
            yield run
    except BaseException as error:
        interrupted = isinstance(error, KeyboardInterrupt | Stopped)
        run.log(f"{type(error).__name__}: {error}")
        with suppress(OSError, RemoteError):  # a full disk has no room for this either: what went wrong is to be told
            run.close("interrupted" if interrupted else "failed")
        raise


def _facts(plan: Plan, target: Target) -> dict[str, object]:
    """Return what the manifest of a new run says."""
    return {
        "run_id": target.folder.resolve().name,
        "spec_hash": plan.spec_hash(),
        "engine_version": engine_version(),
        "fingerprint": engine_fingerprint(),
        "versions": library_versions(),
        **machine(),
        "started": now(),
        **({"experiment": dict(target.experiment)} if target.experiment else {}),
        **({"again": list(target.again)} if target.again else {}),
    }


def _reopened(plan: Plan, target: Target) -> RunFolder:
    """Open a run again, if this engine would play it as before. Raises `CannotResume`."""
    run = RunFolder.reopen(target.folder)
    try:
        refuse_other(target.folder, run.manifest, plan)
        before = read_plan(target.folder).pairs
    except BaseException:
        run.release()
        raise
    facts: dict[str, object] = {"again": list(target.again)} if target.again else {}
    if plan.pairs > before:  # the size that was fixed before anything was seen
        facts["first_pairs"] = run.manifest.get("first_pairs", before)
    run.write_spec(plan)
    run.set_status("running", resumed=now(), **facts)
    return run


def refuse_other(folder: Path, manifest: Mapping[str, Any], plan: Plan) -> None:
    """Raise `CannotResume` if another engine played the run of a folder, or it is not of this plan."""
    for what, told, now_is in (
        ("fingerprint", "this engine deals or scores otherwise", engine_fingerprint()),
        ("spec_hash", "its specification was changed", plan.spec_hash()),
    ):
        was = manifest.get(what)
        if was != now_is:
            raise CannotResume(f"{folder}: {told} ({what} {was} then, {now_is} now)")


def unfinished(run: RunFolder, parts: Iterable[Part], ledger: Ledger, watch: Watch) -> Iterator[Part]:
    """Yield the parts that are still to be played; those in place go to the ledger and the watch at once."""
    for part in parts:
        summary = kept_part(run, part)
        if summary is None:
            yield part
        else:
            ledger.add(summary)
            watch.advance(part.pairs, 0)


def kept_part(run: RunFolder, part: Part) -> PartSummary | None:
    """Return the summary of a part that is in place, all its pairs; None if it is still to be played."""
    line = run.finished.get(part.number)
    return PartSummary(line) if line is not None and line["pairs"] == part.pairs else None


class Ledger:
    """The sums of finished parts, by pairing, whatever the order in which they were finished."""

    def __init__(self) -> None:
        self._tallies: dict[tuple[str, ...], Tally] = {}
        self._blocks: dict[tuple[str, ...], dict[int, npt.NDArray[np.uint16]]] = {}

    def add(self, summary: PartSummary) -> None:
        """Take note of a finished part."""
        names = summary.pairing
        known = self._tallies.get(names)
        self._tallies[names] = add(known, summary.tally) if known else summary.tally
        blocks = np.array(summary.block_scores, dtype=np.uint16)  # 640 bytes a part: as lists they would be 10,000
        self._blocks.setdefault(names, {})[summary.line["first_pair"]] = blocks

    def tally(self, names: tuple[str, ...]) -> Tally:
        """Return the sums of a pairing. Raises `KeyError` if no part of it was added."""
        return self._tallies[names]

    def pairing(self, names: tuple[str, ...]) -> Pairing | Trio:
        """Return how a pairing stands. Raises `KeyError` if no part of it was added."""
        if len(names) == 3:
            return Trio(names, self._tallies[names])
        return Pairing(names[0], names[1], self._tallies[names], self._block_scores(names))

    def pairs(self) -> int:
        """Return the duplicate pairs of all pairings together."""
        return sum(int(tally["pairs"]) for tally in self._tallies.values())

    def _block_scores(self, names: tuple[str, ...]) -> Counts:
        parts = self._blocks[names]
        return np.concatenate([parts[first].reshape(-1, 5) for first in sorted(parts)]).astype(np.int64)
