"""Numbers as people read them: one house style for figures, tables and sentences."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

MINUS = "\u2212"
SAME = 9
"""Decimals to which numbers are rounded first: 1 - 0.3475 reads as 0.6525 does, and rounding noise is no interval."""
WORDS = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)
ORDINALS = ("first", "second", "third")


def percent(share: float, decimals: int = 1) -> str:
    """Write a share (0..1) as a percentage: ``59.3%``."""
    return f"{points(share, decimals)}%"


def points(share: float, decimals: int = 1) -> str:
    """Write a share (0..1) in points of a hundred, without unit: ``59.3``."""
    return number(100 * share, decimals)


def number(value: float, decimals: int = 1) -> str:
    """Write a number with a true minus; what rounds to zero has no sign."""
    text = f"{round(value, SAME):,.{decimals}f}"
    if float(text.replace(",", "")) == 0:
        return text.lstrip("-")
    return text.replace("-", MINUS)


def signed(value: float, decimals: int = 1) -> str:
    """Write a difference with its sign, except zero: ``+2.4``, ``−1.0``, ``0.0``."""
    text = number(value, decimals)
    return text if text.startswith(MINUS) or float(text.replace(",", "")) == 0 else f"+{text}"


def plus_minus(value: float, lo: float, hi: float, decimals: int = 1) -> str:
    """Write the larger half of an interval, rounded up, so that it never looks surer than it is: ``±0.6``.

    An interval without width is an identity, not an estimate, and gives an empty text; a missing one ``±?``.
    """
    if math.isnan(lo) or math.isnan(hi):
        return "±?"
    half = max(hi - value, value - lo)
    if round(half, SAME) == 0:
        return ""
    scale = 10**decimals
    return f"±{math.ceil(half * scale - 1e-9) / scale:,.{decimals}f}"


def share_with_error(share: float, lo: float, hi: float) -> str:
    """Write a share and its interval in points: ``59.3 ±0.6``."""
    return f"{points(share)} {plus_minus(100 * share, 100 * lo, 100 * hi)}".strip()


def percent_with_error(share: float, lo: float, hi: float) -> str:
    """Write a share as a percentage, and its interval in points: ``59.3% ±0.6``."""
    return f"{percent(share)} {plus_minus(100 * share, 100 * lo, 100 * hi)}".strip()


def spoken(share: float, lo: float, hi: float) -> str:
    """Write a share and its interval for a screen reader: ``59.3%, plus or minus 0.6``."""
    error = plus_minus(100 * share, 100 * lo, 100 * hi)
    return percent(share) + (f", plus or minus {error.removeprefix('±')}" if error else " exactly")


def widest_half(lo: Iterable[float], hi: Iterable[float], scale: float = 100, decimals: int = 1) -> str:
    """Write half of the widest of some intervals, in points unless scaled otherwise: ``±0.6``."""
    halves = [(high - low) / 2 for low, high in zip(lo, hi, strict=True) if not math.isnan(high - low)]
    return plus_minus(0, 0, scale * max(halves), decimals) if halves else "±?"


def of_100(share: float) -> str:
    """Write a share as whole cases of a hundred, for headlines: ``59 of 100``."""
    whole = math.floor(round(100 * share, SAME) + 0.5)
    if whole == 100 and share < 1:
        return "more than 99 of 100"
    if whole == 0 and share > 0:
        return "fewer than 1 of 100"
    return f"{whole} of 100"


def count(value: int) -> str:
    """Write a whole number for a table: ``1,153,618``."""
    return f"{value:,}"


def big(value: int) -> str:
    """Write a whole number for a sentence: ``240,000``, ``1.2 million``."""
    return f"{value:,}" if value < 1_000_000 else f"{value / 1e6:,.1f} million"


def in_words(value: int) -> str:
    """Write a small whole number as a word: ``three``; ``no`` for 0, digits above twelve."""
    return WORDS[value] if 0 <= value < len(WORDS) else f"{value:,}"


def plural(value: int, singular: str, plural_form: str = "") -> str:
    """Write a number and its noun: ``one pair``, ``three pairs``."""
    return f"{in_words(value)} {singular if value == 1 else plural_form or singular + 's'}"


def listed(texts: Sequence[str]) -> str:
    """Join texts as in a sentence: ``a, b and c``."""
    return " and ".join([", ".join(texts[:-1]), texts[-1]] if len(texts) > 1 else texts)


def span(low: str, high: str) -> str:
    """Write a range once if both ends read the same: ``9 to 12``, ``9``."""
    return low if low == high else f"{low} to {high}"
