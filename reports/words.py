"""What is said about a figure, kept together so that title, notes and alternative text come from one frame."""

from __future__ import annotations

from dataclasses import dataclass

MAX_ALT_ITEMS = 12
"""More items than this are summed up in an alternative text by their extremes."""


@dataclass(frozen=True)
class Words:
    """The words of one figure.

    `title` states the finding; `grey` names unit, sample and kind of interval; `how` explains how to read it
    with one worked number; `alt` says kind of chart, what against what, the numbers in reading order, and the
    exception.
    """

    title: str
    grey: str
    how: str
    alt: str


def alt_items(items: list[str], first: str, last: str) -> str:
    """Join the numbers of an alternative text, or name its extremes and where the others are."""
    if len(items) <= MAX_ALT_ITEMS:
        return "; ".join(items) + "."
    return f"{len(items)} items, from {first} to {last}; all values in the CSV."
