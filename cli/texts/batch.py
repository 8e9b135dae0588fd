"""A batch in words: what each run came to, a table of them, and what they will cost."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cli.texts.words import LINE_WIDTH, bold, cut_middle, duration, plus_minus, short_count, size_text, wrapped
from sim.batch.status import ENDED, FAILED

if TYPE_CHECKING:
    from experiments.batch import Entry
    from experiments.batch_runs import Drawn, Estimate
    from experiments.outcomes import Outcome, Pairing, Trio

NAME, STATE, NAME_IN_WORDS = 30, 11, 24


def outcome_headline(outcome: Outcome) -> str:
    """Say who wins a simulation: of one pairing the winner, of several who has most."""
    from experiments.outcomes import Pairing

    if len(outcome.pairings) == 1 and isinstance(outcome.pairings[0], Pairing):
        return _pairing(outcome.pairings[0])
    shares: dict[str, list[float]] = defaultdict(list)
    for pairing in outcome.pairings:
        for name, share, _ in _sides(pairing):
            shares[name].append(share)
    mean = {name: sum(found) / len(found) for name, found in shares.items()}
    leader = max(mean, key=lambda name: mean[name])
    unsure, many = sum(map(_is_undecided, outcome.pairings)), len(outcome.pairings)
    told = f"{cut_middle(leader, NAME_IN_WORDS)} has most, {100 * mean[leader]:.1f}% of its matches"
    if many == 1:
        return f"undecided: {told}." if unsure else f"{told}."
    return f"{told}; {unsure} of {many} pairings are undecided."


def _pairing(p: Pairing) -> str:
    a, b = cut_middle(p.a, NAME_IN_WORDS), cut_middle(p.b, NAME_IN_WORDS)
    if p.a == p.b:
        return f"{a} against itself: {100 * p.match_win_rate:.1f}% of matches."
    if _is_undecided(p):
        return f"undecided: {a} wins {100 * p.match_win_rate:.1f}% {plus_minus(p.interval)} of matches against {b}."
    share, winner, loser = max((p.match_win_rate, a, b), (1 - p.match_win_rate, b, a))
    return f"{winner} is stronger than {loser}: it wins {100 * share:.1f}% {plus_minus(p.interval)} of matches."


def _sides(pairing: Pairing | Trio) -> list[tuple[str, float, tuple[float, float]]]:
    """Return the name, share and limits of each side that met."""
    from experiments.outcomes import Pairing

    if isinstance(pairing, Pairing):
        rate, (low, high) = pairing.match_win_rate, pairing.interval
        return [(pairing.a, rate, (low, high)), (pairing.b, 1 - rate, (1 - high, 1 - low))]
    return list(zip(pairing.names, pairing.match_win_rates, pairing.intervals, strict=True))


def _is_undecided(pairing: Pairing | Trio) -> bool:
    """Tell whether the limits of who has most reach down to those of another."""
    (leader, _, best), *others = sorted(_sides(pairing), key=lambda side: -side[1])
    return any(limits[1] >= best[0] for name, _, limits in others if name != leader) or len(others) == 0


def batch_text(entries: Sequence[Entry], folder: Path) -> str:
    """Say how the runs of a batch ended: a paragraph each, and before them how many are done."""
    done = sum(entry["state"] in ENDED for entry in entries)
    failed = sum(entry["state"] == FAILED for entry in entries)
    told = f"{done} of {len(entries)} runs are done" + (f", {failed} failed." if failed else ".")
    width = min(max(len(entry["name"]) for entry in entries), NAME)
    lines = [bold(told)]
    for entry in entries:
        lines.append(f"  {cut_middle(entry['name'], width):<{width}}  {entry['state']:<{STATE}}  {entry['folder']}/")
        lines += [line for text in _said(entry).splitlines() for line in wrapped(text, "    ", "    ")]
    return "\n".join([*lines, f"  saved  {folder}"])


def _said(entry: Entry) -> str:
    return str(entry.get("words", entry.get("reason", "")))


def begin_line(entry: Entry, entries: Sequence[Entry]) -> str:
    """Say which run is being played."""
    return f"{entries.index(entry) + 1} of {len(entries)}  {entry['name']}"


def end_lines(entry: Entry) -> list[str]:
    """Say how a run has ended, and what it came to."""
    return wrapped(f"{entry['state']}: {_said(entry)}", "  ", "  ")


def estimates_text(rows: Sequence[tuple[Drawn, Estimate | str]], free: int) -> str:
    """Show what the runs of a batch will cost, and all together; a text in place of figures says what went wrong.

    `free` is how many bytes the disk has left, of which it is said whether they are enough.
    """
    width = min(max(len("experiment"), *(len(drawn.run.name) for drawn, _ in rows)), NAME)
    lines = [f"  {'experiment':<{width}}  {'kind':<10} {'pairs':>13} {'deals':>7} {'bytes':>7} {'time':>8}"]
    known = [found for _, found in rows if not isinstance(found, str)]
    for drawn, found in rows:
        name = f"  {cut_middle(drawn.run.name, width):<{width}}  {drawn.run.kind:<10} "
        if isinstance(found, str):
            lines += [f"{name}failed", *wrapped(found, "    ", "    ")]
        else:
            lines.append(name + _figures(found, drawn.may_end_sooner))
    total = [sum(figures) for figures in zip(*known, strict=True)]
    if total:
        lines.append(f"  {'together':<{width}}  {'':<10} " + _figures(total, any(d.may_end_sooner for d, _ in rows)))
    if any(drawn.may_end_sooner for drawn, _ in rows):
        lines += wrapped(
            "< is the most: a test that has decided, or settings that are dropped, end it sooner.", "  ", "  "
        )
    size = sum(found.bytes for found in known)
    room = f"The disk has {size_text(free)} free"
    lines += wrapped(
        f"{room}: too little for all, and a run that it cannot hold fails." if size > free else f"{room}.", "  ", "  "
    )
    return "\n".join(line[:LINE_WIDTH] for line in lines)


def _figures(found: Sequence[Any], may_end_sooner: bool) -> str:
    pairs, deals, size, seconds = found
    most = "<" if may_end_sooner else ""
    return f"{f'{most}{pairs:,}':>13} {short_count(deals):>7} {short_count(size):>7} {duration(seconds):>8}"
