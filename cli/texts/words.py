"""Small pieces of text: emphasis, counts, names cut to size, intervals."""

from __future__ import annotations

import math
import textwrap

import click

LINE_WIDTH = 80
NAME_WIDTH = 30
"""Room for a player's name, so that every line stays within 80 columns."""


def bold(text: str) -> str:
    """Mark a verdict."""
    return click.style(text, bold=True)


def dim(text: str) -> str:
    """Mark what is secondary: ± and units."""
    return click.style(text, dim=True)


def short_count(number: float) -> str:
    """Write a count in at most five characters: 715, 71.5k, 1.31M, 2.4G."""
    for size, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= size:
            scaled = number / size
            return f"{scaled:.0f}{unit}" if scaled >= 100 else f"{scaled:.3g}{unit}"
    return f"{number:.0f}"


def size_text(size: float) -> str:
    """Write a number of bytes for people: 715 bytes, 71.5 kB, 210 MB, 1.31 GB, 2.4 TB."""
    for unit, name in ((1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if size >= unit:
            scaled = size / unit
            return f"{scaled:.0f} {name}" if scaled >= 100 else f"{scaled:.3g} {name}"
    return f"{size:.0f} bytes"


def duration(seconds: float) -> str:
    """Write a length of time as one would say it: 0.3 s, 45 s, 12 min, 3.5 h, 40 days."""
    if seconds < 0.1:
        return "<0.1 s"
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    for limit, unit, name in ((99.5, 1, "s"), (99.5 * 60, 60, "min"), (47.5 * 3600, 3600, "h")):
        if seconds < limit:
            number = seconds / unit
            return f"{number:.1f} {name}" if number < 9.95 else f"{number:.0f} {name}"
    return f"{seconds / 86_400:,.0f} days"


def cut_middle(text: str, width: int) -> str:
    """Shorten a name in the middle, never at the end, where its parameter is."""
    if len(text) <= width:
        return text
    tail = min(len(text), max(2, width // 3))
    return text[: width - 1 - tail] + "~" + text[-tail:]


def plus_minus(interval: tuple[float, float]) -> str:
    """Write the half width of an interval of a share in points, rounded up at the first decimal: ``±0.6``."""
    return f"±{rounded_up(50 * (interval[1] - interval[0]))}"


def rounded_up(number: float) -> str:
    """Write a number with one decimal, rounded up."""
    return f"{math.ceil(round(number, 6) * 10) / 10:.1f}"


def signed(number: float) -> str:
    """Write a difference with its sign and one decimal; 0 has none."""
    return "0.0" if abs(number) < 0.05 else f"{number:+.1f}"


def wrapped(text: str, first: str = "", later: str = "") -> list[str]:
    """Break text into lines of at most 80 characters, indented by `first` and then `later`."""
    return textwrap.wrap(text, LINE_WIDTH, initial_indent=first, subsequent_indent=later, break_on_hyphens=False)


def pairs_text(count: int) -> str:
    """Write a number of duplicate pairs."""
    return f"{count:,} pair{'' if count == 1 else 's'}"
