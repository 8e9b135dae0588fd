"""The words for whatever an experiment came to: all that its command prints, or a sentence."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from experiments.resume import Found


def found_text(found: Found) -> str:
    """Return what the command of the experiment would have printed."""
    return _words(found)[0]()


def headline(found: Found) -> str:
    """Say in a sentence what a run came to."""
    return _words(found)[1]()


def _words(found: Found) -> tuple[Callable[[], str], Callable[[], str]]:
    """Return who writes the whole text, and who writes the sentence."""
    from experiments.compare import Comparison
    from experiments.outcomes import Outcome
    from experiments.sweep import Sweep

    if isinstance(found, Comparison):
        from cli.texts import verdicts

        return partial(verdicts.comparison_text, found), partial(verdicts.verdict, found)
    if isinstance(found, Sweep):
        from cli.texts import sweeps

        return partial(sweeps.sweep_text, found, found.again), partial(sweeps.finding, found)
    if isinstance(found, Outcome):
        from cli.texts import batch, outcomes

        return partial(outcomes.outcome_text, found), partial(batch.outcome_headline, found)
    from cli.texts import tournaments

    return partial(tournaments.tournament_text, found), partial(tournaments.finding, found)
