"""How many pairs it takes to see a difference: for the terminal and as a document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from analysis.power import TYPICAL_SD, Size
from cli.texts.commands import folded, rules_text
from cli.texts.words import NAME_WIDTH, bold, cut_middle, dim, duration, pairs_text, short_count, wrapped
from experiments.again import rules_words
from sim.batch.plan import MAX_PAIRS, Plan

HEADLINE_POINTS = 1.0
"""The difference of the first line, if it is among those asked for."""


@dataclass(frozen=True)
class Pilot:
    """What the pairs of a pilot showed: A's share of the matches, the standard deviation of the pair scores, speed.

    `rho` is the correlation of A's results in the two legs of a pair; `deals` were played in `seconds` by `threads`.
    """

    plan: Plan
    share: float
    sd: float
    rho: float
    deals: int
    seconds: float
    threads: int

    @property
    def pairs_per_second(self) -> float:
        """Duplicate pairs a second, all threads together."""
        return self.plan.pairs / max(self.seconds, 1e-9)


@dataclass(frozen=True)
class Asked:
    """The errors allowed, as fractions, and the pilot if one was played."""

    error: float
    power: float
    pilot: Pilot | None

    @property
    def sd(self) -> float:
        """Standard deviation of the pair scores: measured, or typical."""
        return self.pilot.sd if self.pilot else TYPICAL_SD

    def seconds(self, pairs: float) -> float | None:
        """Return how long so many pairs take on this machine; None if nothing was measured."""
        return pairs / self.pilot.pairs_per_second if self.pilot else None


def power_document(asked: Asked, sizes: Sequence[Size]) -> dict[str, Any]:
    """Return the answer as `power --json` prints it: fractions, seconds, numbers of pairs."""
    return {
        "error": asked.error,
        "power": asked.power,
        "sd": asked.sd,
        "sd_source": "pilot" if asked.pilot else "typical",
        "pilot": _pilot_document(asked.pilot) if asked.pilot else None,
        "sizes": [_size_document(asked, size) for size in sizes],
    }


def _pilot_document(pilot: Pilot) -> dict[str, Any]:
    a, b = pilot.plan.names()[0]
    return {
        "a": a,
        "b": b,
        "rules": pilot.plan.preset,
        "seed": pilot.plan.seed,
        "pairs": pilot.plan.pairs,
        "match_win_rate": pilot.share,
        "rho": pilot.rho,
        "deals": pilot.deals,
        "seconds": round(pilot.seconds, 3),
        "threads": pilot.threads,
        "pairs_per_second": pilot.pairs_per_second,
        "deals_per_second": pilot.deals / max(pilot.seconds, 1e-9),
    }


def _size_document(asked: Asked, size: Size) -> dict[str, Any]:
    return {
        "difference": size.difference,
        "pairs": size.fixed,
        "seconds": asked.seconds(size.fixed),
        "compare": {
            "bounds": [0.5, 0.5 + size.difference],
            "alpha": asked.error / 2,
            "beta": round(1 - asked.power, 12),
            "mean_pairs": {"equal": size.equal, "half_way": size.half_way, "different": size.different},
            "most_pairs": size.most,
        },
    }


def power_text(asked: Asked, sizes: Sequence[Size]) -> str:
    """Say how many pairs it takes, then the table of all differences asked for, and what it rests on."""
    main = min(sizes, key=lambda size: abs(100 * size.difference - HEADLINE_POINTS))
    lines = [*map(bold, wrapped(_answer(asked, main), later="  ")), "", *_table(asked, sizes), ""]
    note = (
        "compare stops as soon as the answer is plain, and so plays fewer or more: on average so many if the two are "
        "equal, half the difference apart, the difference apart. 99 of 100 have stopped by the last number in any case."
    )
    return "\n".join([*lines, *map(dim, wrapped(note, "  ", "  ")), *_grounds(asked), *_next(asked, main)])


def _answer(asked: Asked, size: Size) -> str:
    points = 100 * size.difference
    told = (
        f"To see a difference of {_points(points)} ({50 + points:.4g}% of the matches against 50%) with "
        f"{_percent(asked.power)} power takes {pairs_text(_rounded(size.fixed)).replace(' ', ' duplicate ')}"
    )
    seconds = asked.seconds(size.fixed)
    return f"{told}." if seconds is None else f"{told}, about {duration(seconds)} here."


def _table(asked: Asked, sizes: Sequence[Size]) -> list[str]:
    """Return the rows of all differences: the fixed size and its time, then how long compare plays."""
    rows = [["pairs", "time", "equal", "half way", "different", "99 of 100"]]
    for size in sizes:
        counts = (size.equal, size.half_way, size.different, size.most)
        rows.append([_count(size.fixed), duration(asked.seconds(size.fixed) or 0), *map(_count, counts)])
    if asked.pilot is None:
        rows = [[row[0], *row[2:]] for row in rows]
    names = ["difference", *(_points(100 * size.difference) for size in sizes)]
    first = max(map(len, names))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    widths[0] = max(widths[0], len("fixed size")) if asked.pilot is None else widths[0]
    fixed = sum(widths[:-4]) + 2 * (len(widths) - 4)
    lines = [f"  {'':<{first}}{'fixed size':>{fixed}}    compare, on average if the two are"]
    for name, row in zip(names, rows, strict=True):
        cells = [f"{cell:>{width}}" for cell, width in zip(row, widths, strict=True)]
        lines.append(f"  {name:<{first}}  {'  '.join(cells[:-4])}    {'  '.join(cells[-4:])}")
    return lines


def _grounds(asked: Asked) -> list[str]:
    """Say what the figures rest on: the errors allowed, the spread, and the speed."""
    errors = f"{_percent(asked.error)} to call one of two equals better, {_percent(1 - asked.power)} to miss it"
    pilot = asked.pilot
    if pilot is None:
        spread = f"{asked.sd:.2f} of a match a pair: typical of different players, hollywood rules"
        return [f"  errors  {errors}", f"  spread  {spread}"]
    a, b = (cut_middle(name, NAME_WIDTH // 2 + 4) for name in pilot.plan.names()[0])
    speed = (
        f"{short_count(pilot.pairs_per_second)} pairs/s · {short_count(pilot.deals / max(pilot.seconds, 1e-9))} deals/s"
    )
    return [
        f"  errors  {errors}",
        f"  spread  {asked.sd:.3f} of a match a pair, rho {pilot.rho:+.2f}",
        f"  pilot   {a} v {b}, {pairs_text(pilot.plan.pairs)}",
        f"  speed   {speed} with {pilot.threads} thread{'' if pilot.threads == 1 else 's'}",
        *map(dim, wrapped(f"rules   {rules_text(pilot.plan)}, seed {pilot.plan.seed}", "  ", " " * 10)),
    ]


def _next(asked: Asked, size: Size) -> list[str]:
    """Return the command to go on with, folded so that it can be pasted."""
    if asked.pilot is None:
        return ["  next    hollywood power greedy simple     for two players of yours, with times"]
    plan = asked.pilot.plan
    high = f"{50 + 100 * size.difference:.6g}"
    words = ["hollywood", "compare", *plan.names()[0], "--bounds", f"50:{high}"]
    words += ["--alpha", f"{asked.error / 2:.4g}", "--beta", f"{1 - asked.power:.4g}"]
    words += ["--pairs", str(min(_rounded(size.most), MAX_PAIRS)), *rules_words(plan)]
    return list(folded(words, "  next    ", " " * 12))


def _rounded(pairs: int) -> int:
    """Round a number of pairs up to three digits: more is not known."""
    unit = int(10 ** max(len(str(pairs)) - 3, 0))
    return -(-pairs // unit) * unit


def _count(pairs: int) -> str:
    """Write a number of pairs with three digits of it, in at most nine characters."""
    return f"{_rounded(pairs):,}" if pairs < 9_990_000 else short_count(pairs)


def _points(points: float) -> str:
    return f"{points:.4g} point{'' if round(points, 6) == 1 else 's'}"


def _percent(fraction: float) -> str:
    return f"{100 * fraction:.6g}%"
