"""Verify a run: everything that is kept against what was written, and some pairs played again against their rows."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from experiments.kept_sources import changed_sources
from experiments.replay_sample import replay_sample, sampled_pairs
from experiments.set_aside import left_over, names_of_damage, set_aside
from experiments.steps import Tell, tell_nobody
from sim.batch.fingerprint import engine_fingerprint
from sim.batch.lines import PARTS
from sim.batch.lock import is_locked
from sim.batch.mirror import mirrored_at
from sim.batch.part_lines import LinesError, PartLine, files_of, pieces, read_lines
from sim.batch.plan import Part, Plan
from sim.batch.spec import SPEC, SpecError, read_plan
from sim.batch.status import COMPLETE, ENDED
from sim.batch.store import MANIFEST, SUMMARY, StoreError, read_manifest
from sim.batch.verify import (
    RESUME,
    Fault,
    byte_faults,
    content_faults,
    line_fault,
    line_not_whole,
    line_of_known_parts,
)

SAMPLE_PAIRS = 20
"""Pairs played again unless told otherwise."""
PUT_BACK = "put back what it was, then verify again"


@dataclass
class Verified:
    """What a verification found. `parts`, `pairs`, `files` and `bytes` count what is listed in parts.jsonl.

    `sound_pairs` are the pairs of parts whose files are right, `replayed` the pairs played again: all rows of them are
    as stored unless a problem says otherwise. `notes` are no problem. `set_aside` are the files that were renamed, by
    their old name. `can_resume` tells whether a resume would now play again what is damaged.
    """

    run: Path
    status: str = "unknown"
    parts: int = 0
    pairs: int = 0
    sound_pairs: int = 0
    deals: int = 0
    files: int = 0
    bytes: int = 0
    replayed: int = 0
    seconds: float = 0.0
    can_resume: bool = False
    problems: list[Fault] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    set_aside: list[str] = field(default_factory=list)

    @property
    def is_sound(self) -> bool:
        """Whether there is no problem."""
        return not self.problems

    def document(self) -> dict[str, Any]:
        """Return the verification as `runs verify --json` prints it."""
        counts = ("status", "parts", "pairs", "sound_pairs", "deals", "files", "bytes", "replayed")
        return {
            "run": str(self.run),
            "sound": self.is_sound,
            **{name: getattr(self, name) for name in counts},
            "seconds": round(self.seconds, 3),
            "problems": [problem._asdict() for problem in self.problems],
            "notes": self.notes,
            "set_aside": self.set_aside,
            "can_resume": self.can_resume,
        }


def verify(path: Path, sample: int = SAMPLE_PAIRS, *, keep: bool = False, tell: Tell = tell_nobody) -> Verified:
    """Check every file of a run and play `sample` pairs of it again.

    Files of damaged parts are set aside by renaming them, so that `experiments.resume.resume` plays these parts again;
    nothing is renamed with `keep`, while the run is being played, or where a resume would be refused. Raises
    `sim.batch.store.StoreError` for a folder that is no run.
    """
    began = time.monotonic()
    if not any((path / name).exists() for name in (MANIFEST, SPEC, PARTS)):
        raise StoreError(f"{path / MANIFEST}: missing, so this is not a run folder")
    found, is_live = Verified(path), is_locked(path)
    plan = _plan(found)
    manifest = _manifest(found, plan)
    plan = None if found.problems else plan  # one that was changed proves nothing of the parts
    lines = _lines(found)
    if lines is not None:
        _check_kept(found, lines, plan, manifest, (sample, tell))
        faulty = [problem for problem in found.problems if problem.do == RESUME]
        found.notes += [] if is_live else left_over(path, lines)
        may_rename = not keep and not is_live and not _is_elsewhere(found)
        if faulty and may_rename and plan is not None and _is_this_engine(manifest):
            found.set_aside, told = set_aside(path, names_of_damage(plan, lines, faulty))
            found.can_resume = not told
            found.notes += told
    if is_live:
        found.notes.append("it is being played just now: nothing is set aside, and what is in work is not looked at")
    found.seconds = time.monotonic() - began
    return found


# --- what was asked


def _plan(found: Verified) -> Plan | None:
    """Return the plan of the run, if it can be read."""
    try:
        plan = read_plan(found.run)
    except SpecError as error:
        found.problems.append(Fault(SPEC, _without(error, found.run / SPEC), PUT_BACK))
        return None
    for text, folder in changed_sources(found.run, plan):
        told = f'the kept source of "{text}" was changed'
        found.problems.append(Fault(folder.relative_to(found.run).as_posix(), told, PUT_BACK))
    return plan


def _manifest(found: Verified, plan: Plan | None) -> Mapping[str, Any]:
    """Return the manifest, empty if it cannot be read; it must be that of the plan."""
    try:
        manifest = read_manifest(found.run)
    except StoreError as error:
        found.problems.append(Fault(MANIFEST, _without(error, found.run / MANIFEST), PUT_BACK))
        return {}
    found.status = str(manifest.get("status", "unknown"))
    if plan is not None and manifest.get("spec_hash") != plan.spec_hash():
        told = f"its spec_hash is {plan.spec_hash()}, that in {MANIFEST} {manifest.get('spec_hash')}"
        found.problems.append(Fault(SPEC, told, PUT_BACK))
    return manifest


def _is_elsewhere(found: Verified) -> bool:
    """Tell whether this is the copy of a run kept elsewhere, where a resume looks for what is in place."""
    url = mirrored_at(found.run)
    if url is not None and found.problems:
        found.notes.append(f"nothing is set aside: the run is kept at {url}; delete there what is damaged, then resume")
    return url is not None


def _is_this_engine(manifest: Mapping[str, Any]) -> bool:
    return bool(manifest.get("fingerprint") == engine_fingerprint())


# --- what is kept


def _lines(found: Verified) -> list[PartLine] | None:
    """Return the lines of the parts and count what they list; None if one is no line."""
    try:
        lines = read_lines(found.run)
    except LinesError as error:
        told, _, do = _without(error, found.run / PARTS).partition("; ")
        found.problems.append(Fault(PARTS, f"line {told}", f"{do}; then verify again"))
        return None
    entries = [entry for line in lines for entry in files_of(line).values() if isinstance(entry, dict)]
    found.parts, found.files = sum(len(pieces(line)) for line in lines), len(entries)
    found.pairs = sum(line["pairs"] for line in lines)
    found.deals = sum(_number(line.get("deals_played")) for line in lines)
    found.bytes = sum(_number(entry.get("bytes")) for entry in entries)
    return lines


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0


def _check_kept(
    found: Verified,
    lines: Sequence[PartLine],
    plan: Plan | None,
    manifest: Mapping[str, Any],
    task: tuple[int, Tell],
) -> None:
    """Check all parts; with a plan also whether they are all there, and by playing some pairs again."""
    sample, tell = task
    sound = list(_sound_parts(found, lines, plan, manifest, tell))
    found.sound_pairs = sum(line["pairs"] for line in sound)
    if plan is None:
        return
    if found.status in ENDED:
        _check_whole(found, lines, plan)
        _check_summary(found)
    if not _is_this_engine(manifest):
        version, was = manifest.get("engine_version"), manifest.get("fingerprint")
        told = f"fingerprint {was}, here {engine_fingerprint()}"
        found.notes.append(f"no pair was played again: engine {version} played this run ({told})")
        return
    pairs = sampled_pairs(sound, sample, plan.seed)

    def count(done: int) -> None:
        found.replayed = done
        tell("playing pairs again", done, len(pairs))

    found.problems += replay_sample(found.run, plan, pairs, count)


def _sound_parts(
    found: Verified, lines: Sequence[PartLine], plan: Plan | None, manifest: Mapping[str, Any], tell: Tell
) -> Iterator[PartLine]:
    """Yield the lines of the parts that have no fault, and keep the faults of the others."""
    planned = {part.number: part for part in plan.parts()} if plan is not None else {}
    seen: set[int] = set()
    for done, line in enumerate(lines, start=1):
        numbers = {piece["part"] for piece in pieces(line)}
        faults = [] if seen.isdisjoint(numbers) else [line_of_known_parts(line, seen & numbers)]
        seen |= numbers
        faults += list(_part_faults(found.run, line, (plan, planned), manifest.get("fingerprint")))
        found.problems += faults
        if not faults:
            yield line
        tell("checking parts", done, len(lines))


def _part_faults(
    path: Path, line: PartLine, asked: tuple[Plan | None, Mapping[int, Part]], fingerprint: object
) -> Iterator[Fault]:
    """Yield what is wrong with a line and its files; without a plan their bytes alone are looked at."""
    plan, planned = asked
    fault = line_fault(line, planned) if plan is not None else None
    faults = [fault] if fault is not None else list(byte_faults(path, line))
    yield from faults
    if faults or plan is None:
        return
    try:
        yield from content_faults(path, line, plan, fingerprint)
    except (LookupError, TypeError, AttributeError):
        yield line_not_whole(line)


def _check_whole(found: Verified, lines: Sequence[PartLine], plan: Plan) -> None:
    """Check that a run which ended has all its pairs; one that was stopped has the first ones of every pairing."""
    listed = {piece["part"]: piece["pairs"] for line in lines for piece in pieces(line)}
    ended: set[tuple[str, ...]] = set()
    for part in plan.parts():
        pairs, who = listed.get(part.number, 0), " v ".join(part.names)
        if pairs and part.names in ended:
            told = f"part {part.number} of {who} is listed, and one before it is not, or is not whole"
            found.problems.append(Fault(PARTS, told))
        elif pairs < part.pairs and (found.status == COMPLETE or not part.first_pair + pairs):
            told = f"part {part.number} of {who} has {pairs:,} of {part.pairs:,} pairs, and the run is {found.status}"
            found.problems.append(Fault(PARTS, told))
        if pairs < part.pairs:
            ended.add(part.names)


def _check_summary(found: Verified) -> None:
    """Check that the summary of a run which ended counts the deals of its parts."""
    try:
        deals = json.loads((found.run / SUMMARY).read_text(encoding="utf-8"))["deals"]
    except (OSError, ValueError, LookupError, TypeError):
        found.problems.append(Fault(SUMMARY, "is missing, or cannot be read"))
        return
    if deals != found.deals:
        found.problems.append(Fault(SUMMARY, f"counts {deals} deals; the parts in {PARTS} have {found.deals}"))


def _without(error: Exception, file: Path) -> str:
    """Return the text of an error without the file it begins with."""
    return str(error).removeprefix(str(file)).lstrip(": ")
