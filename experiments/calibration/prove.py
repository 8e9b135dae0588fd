"""The proof of calibration: nulls and alternatives are simulated, and the very procedures of the commands judged.

For `hollywood doctor --stats`. Nothing is played: pair scores are drawn with chances like real ones
(`calibration_sims`), the procedures are called as the commands call them, and what they say is held against the truth.
When a line has failed is told in `calibration_rule`. The seed is fixed: the same version always prints the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from zlib import crc32

import numpy as np

from experiments.calibration import fields
from experiments.calibration import runs as runs_
from experiments.calibration.rule import Line, broken
from experiments.calibration.sims import SKEW

Measure = Callable[[np.random.Generator, int], Iterator[Line]]

RUNS = 1_000
SEED = 20_261_130
GROUPS: dict[str, tuple[Measure, ...]] = {
    "interval of a fixed number of pairs holds": (
        *(partial(runs_.fixed_sizes, share=share) for share in (0.5, 0.6, 0.95)),
        partial(runs_.fixed_sizes, share=0.5, base=SKEW),
    ),
    "watched at every look, ever excludes the truth": (
        *(partial(runs_.watched, share=share) for share in (0.5, 0.6, 0.95)),
        partial(runs_.watched, share=0.5, base=SKEW),
    ),
    "sequential tests, wrong answers and length": (
        *(
            partial(runs_.sequential, name=name, share=share)
            for name, shares in {
                "gain": (0.5, 0.505, 0.51),
                "strict": (0.5, 0.505, 0.51),
                "nonreg": (0.49, 0.495, 0.5),
                "equiv": (0.49, 0.4925, 0.495, 0.5),
            }.items()
            for share in shares
        ),
        partial(runs_.sequential, name="gain", share=0.5, base=SKEW),
    ),
    "estimate adjusted for stopping": tuple(partial(runs_.stopped, share=share) for share in (0.5, 0.505, 0.51, 0.52)),
    "sweeps of 11 settings": (
        *(partial(fields.simultaneous, blocks=blocks, part=part) for blocks, part in ((4, 1), (10, 1), (40, 2))),
        partial(fields.races, shares=fields.SHARES, name="some far behind"),
        partial(fields.races, shares=fields.ALIKE, name="all alike"),
    ),
    "tournaments of 4 players": (fields.rated, fields.decided),
}
"""What is measured, by group; every measure yields its lines."""


def prove(runs: int = RUNS) -> Iterator[Line]:
    """Test one promise after another on so many simulated runs each; what takes long on half or a quarter of them."""
    for group, measures in GROUPS.items():
        for place, measure in enumerate(measures):
            rng = np.random.default_rng([SEED, crc32(group.encode()), place])
            try:
                for line in measure(rng, runs):
                    yield replace(line, group=group)
            except Exception as error:  # whatever is broken, the other lines still tell something
                yield replace(broken(_name(measure), error), group=group)


def _name(measure: Measure) -> str:
    """Return how a measure is called whose lines cannot be made."""
    if not isinstance(measure, partial):
        return getattr(measure, "__name__", "a measure")
    told = [f"{name} {value}" for name, value in measure.keywords.items() if isinstance(value, str | int | float)]
    return f"{measure.func.__name__}, {', '.join(told)}"
