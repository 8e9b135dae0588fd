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
    from analysis.concluded import measured, rated, settings
    from analysis.deal_endings import endings, endings_by_player
    from analysis.deal_prices import deal_entries, deal_price
    from analysis.dealers import dealer_effect, first_dealer
    from analysis.decisive_deals import most_decisive
    from analysis.equity import leads
    from analysis.first_openings import first_open, first_open_gaps
    from analysis.knocks import knock_deadwood, knock_summary, knock_turns, points_by_ending, undercut_risk
    from analysis.ladder import endpoints
    from analysis.looks import course
    from analysis.match_lengths import match_length, match_summary
    from analysis.opening_curves import half_open, openings
    from analysis.pairing_rates import extended_rates, pair_scores, pairings
    from analysis.players import standings
    from analysis.ranking import beats_all, cycle
    from analysis.resampling import good_starts
    from analysis.trio_rates import trio_standings, trios

_HOME = {
    "beats_all": "ranking",
    "course": "looks",
    "cycle": "ranking",
    "deal_entries": "deal_prices",
    "deal_price": "deal_prices",
    "dealer_effect": "dealers",
    "endings": "deal_endings",
    "endings_by_player": "deal_endings",
    "endpoints": "ladder",
    "extended_rates": "pairing_rates",
    "first_dealer": "dealers",
    "first_open": "first_openings",
    "first_open_gaps": "first_openings",
    "good_starts": "resampling",
    "half_open": "opening_curves",
    "knock_deadwood": "knocks",
    "knock_summary": "knocks",
    "knock_turns": "knocks",
    "leads": "equity",
    "match_length": "match_lengths",
    "match_summary": "match_lengths",
    "measured": "concluded",
    "most_decisive": "decisive_deals",
    "openings": "opening_curves",
    "pair_scores": "pairing_rates",
    "pairings": "pairing_rates",
    "points_by_ending": "knocks",
    "quality": "completeness",
    "rated": "concluded",
    "settings": "concluded",
    "standings": "players",
    "trio_standings": "trio_rates",
    "trios": "trio_rates",
    "undercut_risk": "knocks",
}

__all__ = [
    "Run",
    "RunError",
    "beats_all",
    "course",
    "cycle",
    "deal_entries",
    "deal_price",
    "dealer_effect",
    "endings",
    "endings_by_player",
    "endpoints",
    "extended_rates",
    "first_dealer",
    "first_open",
    "first_open_gaps",
    "good_starts",
    "half_open",
    "knock_deadwood",
    "knock_summary",
    "knock_turns",
    "leads",
    "load_run",
    "match_length",
    "match_summary",
    "measured",
    "most_decisive",
    "openings",
    "pair_scores",
    "pairings",
    "points_by_ending",
    "quality",
    "rated",
    "settings",
    "standings",
    "trio_standings",
    "trios",
    "undercut_risk",
]


def __getattr__(name: str) -> Any:
    """Import a table's module when the table is first asked for, so that the command line starts quickly."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"analysis.{_HOME[name]}"), name)
