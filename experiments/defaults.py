"""How many duplicate pairs an experiment plays unless told otherwise. It imports nothing, for the sake of --help."""

from __future__ import annotations

SIMULATE, COMPARE, SWEEP, TOURNAMENT = "simulate", "compare", "sweep", "tournament"
DEFAULT_PAIRS = {SIMULATE: 10_000, COMPARE: 50_000, SWEEP: 10_000, TOURNAMENT: 10_000}
"""By kind: a pairing; of a comparison at most."""
