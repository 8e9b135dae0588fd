"""What is to be kept in mind of a run that was made longer after its first answer had been seen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cli.texts.words import cut_middle, pairs_text, plus_minus, wrapped
from experiments.outcomes import Outcome, Pairing
from experiments.progress_file import Estimate, estimate_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from experiments.resume import Found

NAME = 24
MOST_PAIRINGS = 10
"""Of more pairings than this the limits are printed with --json alone."""


def extended_document(found: Found, first_pairs: int) -> dict[str, Any]:
    """Return what the JSON of a run that was made longer says of that.

    `first_pairs` is the size it had at first, `anytime_intervals` are those of its pairings between two sides, in
    order: fractions, 95%, valid however often one looks.
    """
    return {
        "first_pairs": first_pairs,
        "anytime_intervals": [[e.low, e.high] for _, e in _at_any_time(found, first_pairs)],
    }


def extended_text(found: Found, first_pairs: int) -> str:
    """Say what the limits of a run that was made longer rest on, and which to go by instead."""
    told = "note   These limits are those of a size fixed beforehand."
    limits = [
        f"  {cut_middle(pairing.a, NAME)} v {cut_middle(pairing.b, NAME)}: "
        f"{100 * now.share:.1f}% {plus_minus((now.low, now.high))}"
        for pairing, now in _at_any_time(found, first_pairs)
    ]
    seen = f"If the run was extended because its first {pairs_text(first_pairs)} a pairing left it undecided,"
    if not limits:
        return "\n".join(wrapped(f"{told} {seen} they promise too much.", "  ", " " * 9))
    instead = "the 95% interval that holds however often one looks is the one to go by:"
    if len(limits) > MOST_PAIRINGS:
        limits = ["  those of the pairings are printed with --json"]
    return "\n".join([*wrapped(f"{told} {seen} {instead}", "  ", " " * 9), *(f"{'':7}{line}" for line in limits)])


def _at_any_time(found: Found, first_pairs: int) -> Iterator[tuple[Pairing, Estimate]]:
    """Yield each pairing of two sides of a simulation with its share of the matches and the limits for any look."""
    for pairing in found.pairings if isinstance(found, Outcome) else ():
        if isinstance(pairing, Pairing):
            yield pairing, estimate_of(pairing.tally, first_pairs)
