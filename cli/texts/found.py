"""The text of whatever an experiment came to."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from experiments.resume import Found


def found_text(found: Found) -> str:
    """Return what the command of the experiment would have printed."""
    from experiments.compare import Comparison
    from experiments.outcomes import Outcome
    from experiments.sweep import Sweep

    if isinstance(found, Comparison):
        from cli.texts.verdicts import comparison_text

        return comparison_text(found)
    if isinstance(found, Sweep):
        from cli.texts.sweeps import sweep_text

        return sweep_text(found, found.again)
    if isinstance(found, Outcome):
        from cli.texts.outcomes import outcome_text

        return outcome_text(found)
    from cli.texts.tournaments import tournament_text

    return tournament_text(found)
