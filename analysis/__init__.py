"""From a run folder to small tidy tables with intervals. Start with ``run = load_run(path)``.

Pure functions: no drawing, no printing, nothing is written. Each table is one function of a `Run`; its
docstring lists the columns. `trios` and `trio_standings` are made of three-handed runs, `quality` of all, every other
table of runs between two sides. The first use of a table imports pandas, DuckDB and SciPy; `load_run` alone does not.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from analysis.load import Run, RunError, load_run

if TYPE_CHECKING:
    from analysis.completeness import quality
    from analysis.deal_endings import endings, endings_by_player
    from analysis.first_openings import first_open, first_open_gaps
    from analysis.ladder import endpoints
    from analysis.match_lengths import match_length, match_summary
    from analysis.opening_curves import half_open, openings
    from analysis.pairing_rates import pair_scores, pairings
    from analysis.players import standings
    from analysis.ranking import beats_all, cycle
    from analysis.trio_rates import trio_standings, trios

_HOME = {
    "beats_all": "ranking",
    "cycle": "ranking",
    "endings": "deal_endings",
    "endings_by_player": "deal_endings",
    "endpoints": "ladder",
    "first_open": "first_openings",
    "first_open_gaps": "first_openings",
    "half_open": "opening_curves",
    "match_length": "match_lengths",
    "match_summary": "match_lengths",
    "openings": "opening_curves",
    "pair_scores": "pairing_rates",
    "pairings": "pairing_rates",
    "quality": "completeness",
    "standings": "players",
    "trio_standings": "trio_rates",
    "trios": "trio_rates",
}

__all__ = [
    "Run",
    "RunError",
    "beats_all",
    "cycle",
    "endings",
    "endings_by_player",
    "endpoints",
    "first_open",
    "first_open_gaps",
    "half_open",
    "load_run",
    "match_length",
    "match_summary",
    "openings",
    "pair_scores",
    "pairings",
    "quality",
    "standings",
    "trio_standings",
    "trios",
]


def __getattr__(name: str) -> Any:
    """Import a table's module when the table is first asked for, so that the command line starts quickly."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"analysis.{_HOME[name]}"), name)
