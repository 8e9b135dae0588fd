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
