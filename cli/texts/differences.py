"""How two runs on the same cards differ: text and JSON. Seen from side A of run 1, the first one named."""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from analysis.run_difference import ENDPOINTS
from cli.texts.words import LINE_WIDTH, NAME_WIDTH, bold, cut_middle, dim, pairs_text, wrapped

if TYPE_CHECKING:
    import pandas as pd

    from analysis.load import Pairing, Run
    from analysis.run_difference import PairingDifference, RunDifference

LABELS = {
    "match_score": "matches won, %",
    "settled_points": "settled points",
    "net_points": "deal points, net",
    "net_deals": "deals won, net",
}
"""Endpoint -> what the table calls it; all but the first are a match."""
SCALES = {"match_score": (100, 1), "settled_points": (1, 1), "net_points": (1, 1), "net_deals": (1, 2)}
"""Endpoint -> what it is multiplied by to be shown, and with how many decimals."""
INDENT = "  "


def difference_text(found: RunDifference) -> str:
    """Say in which run side A does better and by how much, then the figures, then the pairs that decided it."""
    if len(found.pairings) == 1:
        lines = [*_verdict_lines(found.pairings[0]), *_run_lines(found), "", *_pairing_lines(found, found.pairings[0])]
        return "\n".join(lines)
    lines = [*map(bold, wrapped(_summary(found))), *_run_lines(found)]
    for pairing in found.pairings:
        head, *figures = _pairing_lines(found, pairing)
        lines += ["", head, *_verdict_lines(pairing, INDENT), *figures]
    return "\n".join(lines)


def _summary(found: RunDifference) -> str:
    verdicts = [pairing.verdict for pairing in found.pairings]
    told = ", ".join(
        f"{word} in {verdicts.count(verdict)}"
        for verdict, word in (
            ("better", "better"),
            ("worse", "worse"),
            ("undecided", "undecided"),
            ("same", "the same"),
        )
        if verdict in verdicts
    )
    return f"Of {len(verdicts)} pairings on the same cards side A is in run 1: {told} (95% for all at once)."


def _verdict_lines(p: PairingDifference, indent: str = "") -> list[str]:
    """Say how side A does, and which other endpoints clearly say something else."""
    lines = [bold(line) for line in wrapped(_verdict(p), indent, indent + INDENT)]
    score, *others = _rows(p.endpoints)
    clear = [row for row in others if row.lo_all > 0 or row.hi_all < 0]
    if p.verdict != "undecided":
        clear = [row for row in clear if row.difference * score.difference < 0]
    if clear and p.verdict != "same":
        told = ", ".join(f"{_label(row.endpoint)} {_change(row)}" for row in clear)
        head = "Yet a match differs by" if p.verdict == "undecided" else "The other way round go, a match:"
        lines += wrapped(f"{head} {told}.", indent + INDENT, indent + INDENT)
    return lines


def _label(endpoint: str) -> str:
    return {"net_points": "net deal points", "net_deals": "net deals won"}.get(endpoint, LABELS[endpoint])


def _verdict(p: PairingDifference) -> str:
    if p.verdict == "same":
        return f"no pair differs: the two runs are the same play ({pairs_text(p.pairs)})."
    score = _rows(p.endpoints)[0]
    told = f"{_signed(100 * score.difference, _digits(score))} points {_plus_minus(score)} of matches"
    names = _seen(p)
    one, other = (cut_middle(sides[0], NAME_WIDTH) for sides in names)
    if p.verdict == "undecided":
        reach = f"{_rounded_up(100 * max(-score.lo_all, score.hi_all), _digits(score))} points"
        return (
            f"undecided: {told} for {one} in run 1. {pairs_text(p.pairs)} on the same cards leave up to {reach} open."
        )
    who = f"{one} does {p.verdict} in run 1" if one == other else f"run 1's {one} does {p.verdict} than run 2's {other}"
    return f"{who}: {told}, on the same cards."


def _seen(p: PairingDifference) -> tuple[Pairing, Pairing]:
    """Return who meets in either run, the side that counts as A first."""
    one, other = p.meeting.sides
    return one, other[::-1] if p.meeting.swapped else other


def _run_lines(found: RunDifference) -> Iterator[str]:
    """Name the runs, and what a reader must know about them before he believes the difference."""
    for number, run in enumerate(found.runs, start=1):
        yield f"  run {number}  {run.path}"
    spec = found.runs[0].spec
    yield dim(f"  rules  {spec['preset']}{_changed(spec)}, seed {spec['seed']}")
    for note in _notes(found):
        yield from wrapped(note, "  note   ", " " * 9)


def _changed(spec: Any) -> str:
    from sim.presets import preset_rules
    from sim.rules import option_text

    usual = preset_rules(spec["preset"]).options()
    return "".join(
        f" {name}={option_text(value)}" for name, value in spec["rules"].items() if usual.get(name, value) != value
    )


def _notes(found: RunDifference) -> Iterator[str]:
    for name in found.edited:
        yield f"{name} has the same name but another source in the two runs."
    for number, run in enumerate(found.runs, start=1):
        if run.is_partial:
            yield f"run {number} is not complete ({run.manifest['status']})."
    for number, left_out in enumerate(found.left_out, start=1):
        if left_out:
            told = ", ".join(" v ".join(sides) for sides in left_out)
            yield f"left out, for only run {number} has it: {told}."
    if any(p.meeting.swapped for p in found.pairings) and found.runs[0].spec["rules"].get("first_dealer") in ("a", "b"):
        yield "the rules name the side that deals first, so sides that are swapped do not play the same match."
    for p in found.pairings:
        if p.meeting.same_players and p.pairs_differ and not p.meeting.swapped:
            yield f"{p.meeting.label}: the sources are the same, yet the play differs: a player is not repeatable."


def _pairing_lines(found: RunDifference, p: PairingDifference) -> list[str]:
    """Return a pairing's figures: a line that names it, the table, the pairs that decided it."""
    one, other = (" v ".join(cut_middle(name, NAME_WIDTH) for name in sides) for sides in _seen(p))
    turned = " (sides swapped)" if p.meeting.swapped else ""
    lines = [one + turned] if one == other else [f"run 1: {one}", f"run 2: {other}{turned}"]
    uneven = [f"{count:,} in run {number}" for number, count in enumerate(p.run_pairs, start=1) if count != p.pairs]
    of_more = f" (of {' and '.join(uneven)})" if uneven else ""
    lines.append(f"  {pairs_text(p.pairs)} in both runs{of_more}, {p.pairs_differ:,} differ")
    if p.verdict != "same":
        lines += ["", *_table(found, p)]
    if len(p.decisive):
        lines += ["", *_decisive_lines(found, p)]
    return lines


def _table(found: RunDifference, p: PairingDifference) -> Iterator[str]:
    yield f"  {'for A, a match':<18}{'run 1':>9}{'run 2':>9}{'difference':>19}{'pairs differ':>14}{'x pairs':>9}"
    for row in _rows(p.endpoints):
        scale, digits = SCALES[row.endpoint]
        signed = row.endpoint != "match_score"
        means = [_signed(m, digits) if signed else f"{scale * m:.{digits}f}" for m in (row.mean_1, row.mean_2)]
        ratio = f"{row.variance_reduction:.1f}" if math.isfinite(row.variance_reduction) else "-"
        figures = f"{means[0]:>9}{means[1]:>9}{_change(row):>19}{row.pairs_differ:>14,}{ratio:>9}"
        yield f"  {LABELS[row.endpoint]:<18}{figures}"
    level = "95%" if len(found.pairings) == 1 else f"95% for all {len(found.pairings)} pairings at once"
    told = f"± {level}, over pairs; x pairs: so many times as many would independent runs need"
    yield from map(dim, wrapped(told, INDENT, INDENT))


def _change(row: Any) -> str:
    """Write the difference of an endpoint with its interval."""
    return f"{_signed(SCALES[row.endpoint][0] * row.difference, _digits(row))} {_plus_minus(row)}".rstrip()


def _digits(row: Any) -> int:
    """Return how many decimals a difference is shown with: one more where its interval needs it."""
    digits = SCALES[row.endpoint][1]
    return digits + 1 if 0 < _half(row) * 10**digits < 5 else digits


def _half(row: Any) -> float:
    return float(SCALES[row.endpoint][0] * (row.hi_all - row.lo_all) / 2)


def _plus_minus(row: Any) -> str:
    """Write half of an interval rounded up; nothing where the difference is certain, ? where nothing is known of it."""
    half, digits = _half(row), _digits(row)
    if math.isnan(half):
        return "±?"
    return f"±{_rounded_up(half, digits)}" if half else ""


def _rounded_up(value: float, digits: int) -> str:
    return f"{math.ceil(round(value * 10**digits, 6)) / 10**digits:.{digits}f}"


def _signed(value: float, digits: int) -> str:
    """Write a number with its sign; zero has none."""
    text = f"{value:+.{digits}f}"
    return text if float(text) else text[1:]


def _decisive_lines(found: RunDifference, p: PairingDifference) -> Iterator[str]:
    """List the most decisive pairs, each with the commands that tell it in both runs."""
    yield "  The pairs that differ most: matches won by A of two, settled points of both"
    for row in _rows(p.decisive):
        wins = [f"{2 * score:g} of 2" for score in (row.match_score_1, row.match_score_2)]
        points = [_signed(2 * settled, 0) for settled in (row.settled_points_1, row.settled_points_2)]
        told = "   ".join(f"run {n}: {w}, {s}" for n, w, s in zip((1, 2), wins, points, strict=True))
        yield f"  pair {row.pair}   {told}"
        for words in _replays(found, p, row.pair):
            yield from _command_lines(words)


def _replays(found: RunDifference, p: PairingDifference, pair: int) -> list[list[str]]:
    """Return the words of the two commands that tell a pair as each run played it."""
    return [_replay(run, sides, pair) for run, sides in zip(found.runs, p.meeting.sides, strict=True)]


def _replay(run: Run, sides: Pairing, pair: int) -> list[str]:
    return ["hollywood", "replay", str(run.path), *(sides if len(run.planned) > 1 else ()), "--pair", str(pair)]


def _command_lines(words: list[str]) -> Iterator[str]:
    """Write a command, over several lines where it is too long for one, so that it can be pasted."""
    line = "   "
    for word in map(shlex.quote, words):
        if len(line) + len(word) + 3 > LINE_WIDTH and line.strip():
            yield f"{line} \\"
            line = "       "
        line += f" {word}"
    yield line


def difference_document(found: RunDifference) -> dict[str, Any]:
    """Return what `hollywood runs diff --json` prints: unrounded, means a match, null where nothing is known."""
    spec = found.runs[0].spec
    return {
        "runs": [{"path": str(run.path), "run_id": run.run_id, "status": run.manifest["status"]} for run in found.runs],
        "seed": spec["seed"],
        "rules": spec["preset"],
        "form": spec["form"],
        "options": dict(spec["rules"]),
        "edited": list(found.edited),
        "left_out": [[list(sides) for sides in left_out] for left_out in found.left_out],
        "pairings": [_pairing_document(found, pairing) for pairing in found.pairings],
    }


def _pairing_document(found: RunDifference, p: PairingDifference) -> dict[str, Any]:
    return {
        "sides": [list(sides) for sides in p.meeting.sides],
        "swapped": p.meeting.swapped,
        "run_pairs": list(p.run_pairs),
        "pairs": p.pairs,
        "pairs_differ": p.pairs_differ,
        "verdict": p.verdict,
        "endpoints": dict(zip(ENDPOINTS, map(_endpoint_document, _rows(p.endpoints)), strict=True)),
        "most_decisive": [
            {
                "pair": row.pair,
                "match_score": [row.match_score_1, row.match_score_2],
                "settled_points": [row.settled_points_1, row.settled_points_2],
                "replay": [shlex.join(words) for words in _replays(found, p, row.pair)],
            }
            for row in _rows(p.decisive)
        ],
    }


def _endpoint_document(row: Any) -> dict[str, Any]:
    return {
        "means": [row.mean_1, row.mean_2],
        "difference": row.difference,
        "se": _known(row.se),
        "interval": [_known(row.lo), _known(row.hi)],
        "interval_all": [_known(row.lo_all), _known(row.hi_all)],
        "pairs_differ": row.pairs_differ,
        "variance_reduction": _known(row.variance_reduction),
    }


def _rows(table: pd.DataFrame) -> list[Any]:
    """Return the rows of a table as named tuples."""
    return list(table.itertuples())


def _known(value: float) -> float | None:
    return value if math.isfinite(value) else None
