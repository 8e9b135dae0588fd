"""Keeping what is played: a new run folder whose manifest says how it went, and the sums of its parts by pairing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from experiments.outcomes import Counts, Pairing, Trio
from sim.batch.fingerprint import engine_fingerprint
from sim.batch.plan import Plan
from sim.batch.provenance import engine_version, library_versions, machine, now
from sim.batch.runner import PartSummary, Stopped
from sim.batch.store import RunFolder
from sim.batch.tally import Tally, add


def default_folder(plan: Plan, root: Path) -> Path:
    """Make and return the folder of a run for which the user names none: time, players and plan are in its name."""
    slug = "-v-".join(plan.names()[0]) if len(plan.pairings) == 1 else f"{len(plan.sides)}-players"
    slug = "".join(c if c.isalnum() or c in "-." else "-" for c in slug.replace(".py", "").replace("./", ""))[:60]
    name = f"{datetime.now(UTC):%Y%m%dT%H%M%S}-{slug.strip('-.')}-{plan.spec_hash()[:6]}"
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
def recording(plan: Plan, folder: Path, again: Sequence[str] = ()) -> Iterator[RunFolder]:
    """Give the new run folder of a plan; whoever plays sets its last status.

    `again` is the command that plays the experiment again, where that is more than to simulate the plan.

    On KeyboardInterrupt the manifest says ``interrupted``, on any other error ``failed``, and the exception goes on.
    Raises `sim.batch.store.FolderInUse` or `sim.batch.store.StoreError` when the folder cannot be written.
    """
    facts: dict[str, object] = {
        "run_id": folder.resolve().name,
        "spec_hash": plan.spec_hash(),
        "engine_version": engine_version(),
        "fingerprint": engine_fingerprint(),
        "versions": library_versions(),
        **machine(),
        "started": now(),
        **({"again": list(again)} if again else {}),
    }
    run = RunFolder.create(folder, plan, facts)
    try:
        yield run
    except BaseException as error:
        interrupted = isinstance(error, KeyboardInterrupt | Stopped)
        run.set_status("interrupted" if interrupted else "failed", finished=now())
        raise


class Ledger:
    """The sums of finished parts, by pairing, whatever the order in which they were finished."""

    def __init__(self) -> None:
        self._tallies: dict[tuple[str, ...], Tally] = {}
        self._blocks: dict[tuple[str, ...], dict[int, list[list[int]]]] = {}

    def add(self, summary: PartSummary) -> None:
        """Take note of a finished part."""
        names = summary.pairing
        known = self._tallies.get(names)
        self._tallies[names] = add(known, summary.tally) if known else summary.tally
        self._blocks.setdefault(names, {})[summary.line["first_pair"]] = summary.block_scores

    def pairing(self, names: tuple[str, ...]) -> Pairing | Trio:
        """Return how a pairing stands. Raises `KeyError` if no part of it was added."""
        if len(names) == 3:
            return Trio(names, self._tallies[names])
        return Pairing(names[0], names[1], self._tallies[names], self._block_scores(names))

    def _block_scores(self, names: tuple[str, ...]) -> Counts:
        blocks = [row for _, part in sorted(self._blocks[names].items()) for row in part]
        return np.array(blocks, dtype=np.int64).reshape(-1, 5)
