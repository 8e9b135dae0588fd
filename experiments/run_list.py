"""What there is to say of the runs in a folder without opening their results: kind, state, size, what to do next."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from experiments.run_folders import BATCH, Spot, spots
from sim.batch import plan as plans
from sim.batch.lines import PARTS
from sim.batch.lock import is_locked
from sim.batch.mirror import mirrored_at
from sim.batch.part_lines import LinesError, is_among, is_in_place, pieces, read_lines
from sim.batch.spec import SPEC, SpecError
from sim.batch.status import DIED, ENDED, RUNNING
from sim.batch.store import LOG, StoreError, read_manifest

DAMAGED = "damaged"
LOG_LINES = 8


@dataclass(frozen=True)
class RunState:
    """A run as its folder tells it.

    `status` is the manifest's (interrupted, complete, stopped, failed), or "running" if a process is writing it now,
    "died" if none is though the manifest says so, "damaged" if it ended and a part is no longer in place. `pairs`,
    `parts` and `deals` count the parts in place, `planned_pairs` is for all pairings; `seconds` is the time played,
    `bytes` the size on disk. `missing` are the parts that are listed and not in place, `log` the last lines of run.log.
    """

    path: Path
    manifest: Mapping[str, Any]
    spec: Mapping[str, Any]
    status: str
    parts: int
    planned_parts: int
    pairs: int
    planned_pairs: int
    deals: int
    seconds: float
    bytes: int
    missing: tuple[int, ...]
    log: tuple[str, ...]

    @property
    def run_id(self) -> str:
        """The name of the folder, of a run in a batch behind its name; that in the manifest is of when it was made.

        Of a run that is kept elsewhere it is the URL.
        """
        url = mirrored_at(self.path)
        if url is not None:
            return url
        path = self.path.resolve()
        return f"{path.parent.name}/{path.name}" if (path.parent / BATCH).is_file() else path.name

    @property
    def kind(self) -> str:
        """The experiment: simulate, compare, sweep or tournament."""
        again = self.manifest.get("again") or ("hollywood", "simulate")
        return str(self.manifest.get("experiment", {}).get("kind", again[1]))

    @property
    def started(self) -> str:
        """When it was started: UTC, in ISO form."""
        return str(self.manifest.get("started", ""))

    @property
    def is_to_resume(self) -> bool:
        """Whether there is something left that a resume would play."""
        return self.status not in (*ENDED, RUNNING)

    def document(self) -> dict[str, Any]:
        """Return the run as `runs list --json` prints it."""
        return {
            "id": self.run_id,
            "path": str(self.path),
            "kind": self.kind,
            "status": self.status,
            "pairs": self.pairs,
            "planned_pairs": self.planned_pairs,
            "deals": self.deals,
            "bytes": self.bytes,
            "started": self.started,
        }


@dataclass(frozen=True)
class Unreadable:
    """A folder among the runs that cannot be read, and why."""

    path: Path
    reason: str

    def document(self) -> dict[str, str]:
        """Return the folder as `runs list --json` prints it."""
        return {"id": self.path.name, "path": str(self.path), "error": self.reason}


def list_runs(root: Path) -> list[RunState | Unreadable]:
    """Return every folder in `root` that is or may be a run: newest first, then those that cannot be read.

    The runs of a batch are among them.
    """
    found = [_state_or_reason(spot) for spot in spots(root)]
    runs = sorted((run for run in found if isinstance(run, RunState)), key=lambda run: (run.started, run.run_id))
    return [*reversed(runs), *(run for run in found if isinstance(run, Unreadable))]


def _state_or_reason(spot: Spot) -> RunState | Unreadable:
    try:
        if spot.error:
            raise spot.error
        return run_state(spot.path)
    except (StoreError, SpecError, LinesError, OSError) as error:
        told = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) else str(error)
        return Unreadable(spot.path, told.removeprefix(f"{spot.path}{os.sep}"))


def run_state(path: Path, elsewhere: Mapping[str, int] | None = None) -> RunState:
    """Return what the folder of a run tells.

    `elsewhere` are the sizes of its files by name where the files do not count that are here (`experiments.remote`).
    Raises `sim.batch.store.StoreError`, `sim.batch.spec.SpecError` or `sim.batch.part_lines.LinesError` naming the file
    that cannot be read.
    """
    manifest, spec = read_manifest(path), _read_spec(path)
    lines = read_lines(path)
    kept = [line for line in lines if (is_in_place(path, line) if elsewhere is None else is_among(elsewhere, line))]
    in_place = {line["part"] for line in kept}
    missing = tuple(piece["part"] for line in lines if line["part"] not in in_place for piece in pieces(line))
    status = _status(path, manifest, missing)
    pairings, pairs = len(spec["pairings"]), int(spec["pairs"])
    return RunState(
        path=path,
        manifest=manifest,
        spec=spec,
        status=status,
        parts=sum(len(pieces(line)) for line in kept),
        planned_parts=pairings * -(-pairs // plans.PART_PAIRS),
        pairs=sum(line["pairs"] for line in kept),
        planned_pairs=pairings * pairs,
        deals=sum(int(line.get("deals_played", 0)) for line in kept),
        seconds=_seconds(path, manifest, status),
        bytes=_bytes(path) if elsewhere is None else sum(elsewhere.values()),
        missing=missing,
        log=tuple(_last_lines(path / LOG)),
    )


def _read_spec(path: Path) -> dict[str, Any]:
    """Return spec.toml as it is; that it is what was played is for `experiments.verify` to say."""
    file = path / SPEC
    try:
        spec = tomllib.loads(file.read_text(encoding="utf-8"))
        for key in ("seed", "preset", "rules", "sides", "form"):
            spec[key]
        int(spec["pairs"]) + len(spec["pairings"])
    except FileNotFoundError:
        raise SpecError(f"{file}: missing, so this is not a whole run folder") from None
    except (ValueError, LookupError, TypeError) as error:
        raise SpecError(f"{file}: not the specification of a run ({error})") from error
    return spec


def _status(path: Path, manifest: Mapping[str, Any], missing: Sequence[int]) -> str:
    status = str(manifest.get("status", "unknown"))
    if is_locked(path):
        return RUNNING
    if status == RUNNING:
        return DIED
    return DAMAGED if missing and status in ENDED else status


def _seconds(path: Path, manifest: Mapping[str, Any], status: str) -> float:
    """Return how long the run was being played: of one that died until its last part was finished."""
    before = float(manifest.get("seconds_before", 0.0))
    began = _when(manifest.get("resumed") or manifest.get("started"))
    if began is None or (before and status not in (RUNNING, DIED)):
        return before
    if status == RUNNING:
        ended: datetime | None = datetime.now(UTC)
    elif status == DIED:
        ended = _changed(path / PARTS)
    else:  # made before the time was kept
        ended = _when(manifest.get("finished"))
    return before + (max((ended - began).total_seconds(), 0.0) if ended else 0.0)


def _when(text: object) -> datetime | None:
    try:
        return datetime.fromisoformat(str(text)).astimezone(UTC)
    except ValueError:
        return None


def _changed(file: Path) -> datetime | None:
    return datetime.fromtimestamp(file.stat().st_mtime, UTC) if file.is_file() else None


def _bytes(path: Path) -> int:
    return sum(_sizes(str(path)))


def _sizes(folder: str) -> Iterator[int]:
    """Yield the size of every file below a folder; one that goes away meanwhile has none."""
    with os.scandir(folder) as entries:
        for entry in entries:
            try:
                if entry.is_dir(follow_symlinks=False):
                    yield from _sizes(entry.path)
                else:
                    yield entry.stat(follow_symlinks=False).st_size
            except FileNotFoundError:
                continue


def _last_lines(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8", errors="replace").splitlines()[-LOG_LINES:] if file.is_file() else []
