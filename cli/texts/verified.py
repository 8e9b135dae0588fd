"""What a verification found, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cli.texts.commands import folded, shown
from cli.texts.words import bold, pairs_text, size_text, wrapped
from sim.batch.status import UNFINISHED
from sim.batch.verify import RESUME

if TYPE_CHECKING:
    from experiments.verify import Verified


def verified_text(found: Verified) -> str:
    """Say whether a run is sound; if not, what is wrong with which file and what to do."""
    lines = list(_sound(found) if found.is_sound else _faulty(found))
    for note in found.notes:
        lines += wrapped(note, "  note   ", " " * 9)
    return "\n".join([*lines, *folded(_next(found), "  next   ", " " * 11)])


def _sound(found: Verified) -> Iterator[str]:
    yield bold(f"All is well: {pairs_text(found.pairs)} in {_count(found.parts, 'part')}.")
    again = f", {pairs_text(found.replayed)} played again to equal rows" if found.replayed else ""
    yield from wrapped(
        f"{_count(found.files, 'file')} as written, {size_text(found.bytes)}{again}", "  kept   ", " " * 9
    )


def _faulty(found: Verified) -> Iterator[str]:
    wrong = _count(len(found.problems), "problem")
    yield bold(f"{wrong}: {found.sound_pairs:,} of {pairs_text(found.pairs)} are in parts without damage.")
    for problem in found.problems:
        # A name of a file is never broken, so that it can be copied.
        yield f"  {problem.file}"
        yield from wrapped(problem.what, " " * 4, " " * 4)
        if problem.file in found.set_aside:
            yield f"    set aside as {problem.file}.bad"
        elif problem.do != RESUME:
            yield from wrapped(f"to do: {problem.do}", " " * 4, " " * 4)
    for name in found.set_aside:
        if all(problem.file != name for problem in found.problems):
            yield f"  {name}\n    set aside as {name}.bad, so that its part is played again"


def _next(found: Verified) -> list[str]:
    run = shown(found.run)
    if found.is_sound and found.status not in UNFINISHED:
        return ["hollywood", "report", run]
    if found.is_sound or found.can_resume:
        return ["hollywood", "runs", "resume", run]
    return ["hollywood", "runs", "verify", run]


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
