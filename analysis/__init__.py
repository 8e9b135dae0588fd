"""From a run folder to small tidy tables with intervals. Start with ``run = load_run(path)``.

Pure functions: no drawing, no printing, nothing is written. Each table is one function of a `Run`; its docstring lists
the columns. The first use of a table imports pandas, DuckDB and SciPy; `load_run` alone does not.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from analysis.load import Run, RunError, load_run

if TYPE_CHECKING:
    from analysis.endings import endings, endings_by_player
    from analysis.endpoints import endpoints
    from analysis.first import first_open, first_open_gaps
    from analysis.length import match_length, match_summary
    from analysis.openings import half_open, openings
    from analysis.pairings import pair_scores, pairings
    from analysis.quality import quality
    from analysis.ranking import beats_all, cycle
    from analysis.standings import standings

_HOME = {
    "beats_all": "ranking",
    "cycle": "ranking",
    "endings": "endings",
    "endings_by_player": "endings",
    "endpoints": "endpoints",
    "first_open": "first",
    "first_open_gaps": "first",
    "half_open": "openings",
    "match_length": "length",
    "match_summary": "length",
    "openings": "openings",
    "pair_scores": "pairings",
    "pairings": "pairings",
    "quality": "quality",
    "standings": "standings",
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
]


def __getattr__(name: str) -> Any:
    """Import a table's module when the table is first asked for, so that the command line starts quickly."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"analysis.{_HOME[name]}"), name)
