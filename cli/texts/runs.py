"""The runs in a folder, a line each, and what there is to say of one."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cli.find_run import ROOT
from cli.texts.commands import folded, shown
from cli.texts.words import LINE_WIDTH, bold, cut_middle, dim, pairs_text, short_count, size_text, wrapped
from experiments.run_list import DAMAGED, RunState, Unreadable
from reports.commands import again_commands, changed_rules, rules_name
from sim.batch.status import COMPLETE, DIED, FAILED, INTERRUPTED, RUNNING, STOPPED

if TYPE_CHECKING:
    from collections.abc import Mapping

    from experiments.compact import Compacted

HEAD = ("run", "kind", "status", "pairs", "deals", "bytes", "started UTC")
LEFT = 3
"""So many of the columns are text."""
NARROWEST_ID = 14
SPACE = "  "
STATUS = {
    RUNNING: "it is being played",
    DIED: "it died: no process plays it any more",
    DAMAGED: "it had ended, and parts of it are gone",
    INTERRUPTED: "it was interrupted",
    FAILED: "it failed",
    COMPLETE: "it is complete",
}
WHY_STOPPED = {
    "compare": "its test has decided",
    "sweep": "settings that were clearly worse were dropped",
}


# --- runs list


def list_text(found: Sequence[RunState | Unreadable], root: Path) -> str:
    """Return the runs of a folder as a table, what cannot be read, and what to do next."""
    runs = [run for run in found if isinstance(run, RunState)]
    if not found:
        return f'There is no run in "{root}" yet.\n  next   hollywood simulate greedy simple'
    lines = _table(runs) if runs else []
    for folder in found:
        if isinstance(folder, Unreadable):
            lines += wrapped(f"cannot be read: {folder.path.name}: {folder.reason}", "", "  ")
    if runs:
        newest = "last" if root == ROOT else shlex.quote(str(runs[0].path))
        lines += [f"  next   hollywood runs show {newest}"]
    return "\n".join(lines)


def _table(runs: Sequence[RunState]) -> list[str]:
    rows = [HEAD, *map(_cells, runs)]
    widths = [max(len(row[place]) for row in rows) for place in range(1, len(HEAD))]
    free = LINE_WIDTH - sum(widths) - len(SPACE) * len(widths)
    widest = max(len(row[0]) for row in rows)
    widths.insert(0, max(min(widest, free), NARROWEST_ID))
    return [_line(row, widths) for row in rows]


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    cells = [cut_middle(row[0], widths[0]), *row[1:]]
    padded = [
        cell.ljust(width) if place < LEFT else cell.rjust(width)
        for place, (cell, width) in enumerate(zip(cells, widths, strict=True))
    ]
    return SPACE.join(padded).rstrip()


def _cells(run: RunState) -> tuple[str, ...]:
    pairs = short_count(run.pairs)
    if run.pairs != run.planned_pairs:
        pairs += f"/{short_count(run.planned_pairs)}"
    try:
        started = f"{datetime.fromisoformat(run.started):%d %b %H:%M}"
    except ValueError:
        started = "-"
    return run.run_id, run.kind, run.status, pairs, short_count(run.deals), short_count(run.bytes), started


# --- runs compact


def compacted_text(done: Compacted) -> str:
    """Say what a compaction has made of the files of a run."""
    (before, after), (old, new) = done.files, done.size
    if before == after:
        lines = wrapped(f"{done.run}: nothing to merge, its {before:,} files are as few as they can be.", "", "  ")
    else:
        lines = [f"{before:,} files became {after:,}: {size_text(old)} became {size_text(new)}."]
    if done.freed:
        lines += [f"  removed  {size_text(done.freed)} that a compaction which was broken off had left"]
    return "\n".join(
        [bold(lines[0]), *lines[1:], *folded(["hollywood", "report", str(done.run)], "  next     ", " " * 13)]
    )


# --- runs show


def next_words(run: RunState) -> list[str]:
    """Return the command that is the next thing to do with a run."""
    if run.is_to_resume:
        return ["hollywood", "runs", "resume", shown(run.path)]
    if run.status == RUNNING:
        return ["hollywood", "runs", "show", shown(run.path)]
    return ["hollywood", "report", shown(run.path)]


def show_document(run: RunState) -> dict[str, Any]:
    """Return a run as `runs show --json` prints it.

    `again` is the command that plays it again, null where that takes several; `again_each` has all of them.
    """
    spec, manifest, again = run.spec, run.manifest, _again(run)
    names = ("engine_version", "fingerprint", "versions", "cpu", "cores", "host")
    return {
        **run.document(),
        "parts": run.parts,
        "planned_parts": run.planned_parts,
        "missing_parts": list(run.missing),
        "seconds": round(run.seconds, 3),
        "deals_per_second": round(run.deals / run.seconds) if run.seconds else None,
        "sides": [side["side"] for side in spec["sides"]],
        "pairings": [list(pairing.values()) for pairing in spec["pairings"]],
        "rules": spec["preset"],
        "options": dict(change.split("=", 1) for change in changed_rules(spec)),
        "form": spec["form"],
        "seed": spec["seed"],
        "pairs_a_pairing": spec["pairs"],
        "detail": spec.get("detail"),
        "again": again[0] if len(again) == 1 else None,
        "again_each": again,
        **{name: manifest.get(name) for name in names},
        "resumed": manifest.get("resumed"),
        "finished": manifest.get("finished"),
        "log": list(run.log),
        "next": next_words(run),
    }


def show_text(run: RunState) -> str:
    """Say how a run stands, what was asked of it, how and where it was played, and what to do next."""
    told = WHY_STOPPED.get(run.kind, "it was stopped") if run.status == STOPPED else STATUS.get(run.status, run.status)
    units = f"{run.pairs:,} of {pairs_text(run.planned_pairs)}"
    lines = [bold(line) for line in wrapped(f"{run.run_id}: {told}, {units} played.", "", "  ")]
    lines += [*_asked(run), "", *_played(run), "", *_place(run)]
    if run.log:
        lines += ["", *(dim(line) for line in _log(run))]
    return "\n".join([*lines, "", *folded(next_words(run), "  next     ", " " * 13)])


def _log(run: RunState) -> Iterator[str]:
    for place, entry in enumerate(run.log):
        yield from wrapped(entry, " " * 11 if place else "  log      ", " " * 13)


def _again(run: RunState) -> list[list[str]]:
    return [shlex.split(" ".join(words)) for words in again_commands(run.spec, run.manifest)]


def _entry(name: str, text: str) -> list[str]:
    return wrapped(text, f"  {name:<9}", " " * 11) if text else []


def _asked(run: RunState) -> Iterator[str]:
    spec = run.spec
    pairings = [" v ".join(map(str, pairing.values())) for pairing in spec["pairings"]]
    sides = ", ".join(str(side["side"]) for side in spec["sides"])
    players = pairings[0] if len(pairings) == 1 else f"{len(pairings)} pairings of {sides}"
    each = "" if len(pairings) == 1 else " a pairing"
    detail = ", with every deal" if spec.get("detail") == "deals" else ""
    yield from _entry(run.kind, players)
    yield from _entry("rules", f"{rules_name(spec)}; seed {spec['seed']}, {pairs_text(spec['pairs'])}{each}{detail}")
    for place, words in enumerate(_again(run)):
        yield from folded(words, " " * 11 if place else "  again    ", " " * 13)


def _played(run: RunState) -> Iterator[str]:
    speed = f" · {short_count(run.deals / run.seconds)} deals/s" if run.seconds and run.deals else ""
    counts = f"{run.parts:,} of {run.planned_parts:,} parts · {run.deals:,} deals"
    yield from _entry("played", f"{counts} · {run.seconds:,.1f} s{speed} · {size_text(run.bytes)}")
    if run.missing:
        first = ", ".join(map(str, run.missing[:10])) + (", ..." if len(run.missing) > 10 else "")
        yield from _entry("gone", f"parts {first}: a file is missing or has another size than was written")
    times = [f"{word} {run.manifest[word]}" for word in ("started", "resumed", "finished") if run.manifest.get(word)]
    yield from _entry("when", ", ".join(times).replace("+00:00", " UTC"))


def _place(run: RunState) -> Iterator[str]:
    manifest = run.manifest
    versions: Mapping[str, str] = manifest.get("versions", {})
    yield from _entry("engine", f"{manifest.get('engine_version')}, fingerprint {manifest.get('fingerprint')}")
    yield from _entry("with", ", ".join(f"{name} {version}" for name, version in versions.items()))
    yield from _entry("on", f"{manifest.get('cpu')}, {manifest.get('cores')} cores, host {manifest.get('host')}")
