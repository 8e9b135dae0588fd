"""What came out, as tips.json keeps it: every tip with its verdict, its effects and what a page says of it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from analysis import Run, load_run
from analysis.intervals import LEVEL, simultaneous_level
from experiments.tips.claims import TIPS
from experiments.tips.measures import effect
from experiments.tips.play import DEALS_SHARE, Asked, Planned, head, without_folders
from experiments.tips.tip import LOWEST, MISSES, Measurement, Meeting, Tip
from experiments.tips.verdicts import best_way, outcome, verdict
from sim.batch.provenance import cpu_model, engine_version, library_versions, now
from sim.batch.status import COMPLETE

Runs = Mapping[tuple[str, Meeting], Run]
Entry = dict[str, Any]


def intervals(asked: Asked) -> int:
    """Return how many intervals the verdicts on the whole list rest on, whichever tips are tested.

    So one tip alone gets the interval that it has among all. A player who has to beat two counts twice.
    """
    return sum(
        (len(m.meetings) if m.join == LOWEST else 1) * len(asked.rules_of(tip))
        for tip in TIPS
        for m in tip.judged
        if m.unit != MISSES
    )


def document(asked: Asked, planned: Sequence[Planned], folder: Path, started: str) -> Entry:
    """Return what tips.json says once everything is played.

    Effects and limits are fractions or ratios, unrounded; null where there is no limit. `limits` of a measurement that
    is judged hold with 95% for all of these at once, those of others alone.
    """
    runs = {(run.rules, run.meeting): load_run(folder / run.folder) for run in planned}
    level = simultaneous_level(intervals(asked))
    tips = [_tip(tip, asked, runs, level) for tip in asked.tips]
    counted = {
        "matches": sum(part.rows for run in runs.values() for part in run.parts),
        "deals": sum(part.deals_played for run in runs.values() for part in run.parts),
        "intervals": intervals(asked),
        "pairs_with_deals": max(asked.pairs // DEALS_SHARE, 1),
    }
    made = {"engine_version": engine_version(), "versions": library_versions(), "cpu": cpu_model()}
    times = {"started": started, "finished": now(), "status": COMPLETE}
    lists = {"tips": tips, "runs": [_run(run) for run in planned], "players": _players(planned)}
    return {**head(asked), **times, **counted, **made, **lists}


def _players(planned: Sequence[Planned]) -> list[Entry]:
    """Return everybody who played, with the hash of the source; files are named without their folders."""
    known = {without_folders(who.text): who.sha for run in planned for who in run.plan.strategies}
    return [{"spec": spec, "sha": sha} for spec, sha in sorted(known.items())]


def _run(run: Planned) -> Entry:
    options = dict(run.meeting.options)
    pairs, hashed = run.plan.pairs, run.plan.spec_hash()
    return {"folder": run.folder, "rules": run.rules, "options": options, "pairs": pairs, "spec_hash": hashed}


def _tip(tip: Tip, asked: Asked, runs: Runs, level: float) -> Entry:
    """Return a tip with its measurements under each of the rules, and the verdict."""
    rows = [_measured(m, rules, runs, level) for rules in asked.rules_of(tip) for m in tip.measurements]
    if tip.any_way:
        outcomes = [_choose_way([row for row in rows if row["rules"] == rules]) for rules in asked.rules_of(tip)]
    else:
        outcomes = [row["outcome"] for row in rows if row["outcome"]]
    return {
        **{name: getattr(tip, name) for name in ("name", "kind", "source", "title", "says", "how", "any_way")},
        "verdict": verdict(outcomes),
        "again": Asked(asked.pairs, asked.seed, asked.rules, (tip.name,)).again,
        "measurements": rows,
    }


def _choose_way(rows: Sequence[Entry]) -> str:
    """Return how the ways of following a tip came out together; only the best of them goes on being shown."""
    judged = [row for row in rows if row["outcome"]]
    together = best_way(row["outcome"] for row in judged)
    alike = [row for row in judged if row["outcome"] == together]
    best = max(alike, key=lambda row: row["value"])
    for row in judged:
        row["shown"] = row is best
    return together


def _measured(m: Measurement, rules: str, runs: Runs, level: float) -> Entry:
    """Return one measurement under some rules."""
    own = [runs[rules, meeting] for meeting in m.meetings]
    is_judged = not (m.for_scale or m.unit == MISSES)
    found = effect(m, own, level if is_judged else LEVEL)
    return {
        "who": m.who,
        "rules": rules,
        "unit": m.unit,
        "value": _finite(found.value),
        "limits": [_finite(found.low), _finite(found.high)],
        "true_if": [_finite(end) for end in m.true_if],
        "outcome": "" if m.for_scale else outcome(m, found),
        "shown": is_judged,
        "cases": found.cases,
        "pairs": found.pairs,
        "query": m.query,
        "runs": [run.path.name for run in own],
    }


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
