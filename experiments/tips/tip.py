"""What a tip is made of: who meets whom, what is measured there, and what would make it true."""

from __future__ import annotations

from dataclasses import dataclass

CLAIM, ADVICE = "claim", "advice"
TIMES, MATCHES, CASES, MISSES = "times", "matches", "cases", "misses"
"""Units of an effect: how many times as much as in the game compared with; side A's share of the matches; a share of
other cases; a share of cases that break a rule, of which there must be none."""
ALONE, RATIO, LOWEST = "alone", "ratio", "lowest"
"""What to do with the meetings of a measurement: there is one; the first is divided by the second; A must do well in
all of them, so that the one in which A does worst counts."""

Bounds = tuple[float, float]
NO_END = float("inf")


@dataclass(frozen=True)
class Meeting:
    """Two players, the options changed from the rules asked for, and whether a row a deal is kept.

    A meeting with `deals` plays half of the pairs: each takes more room.
    """

    a: str
    b: str
    options: tuple[tuple[str, str], ...] = ()
    deals: bool = False


@dataclass(frozen=True)
class Measurement:
    """One number that speaks for or against a tip.

    `query` names the file in sql/ that gives part and whole of each pair; the effect is the sum of the parts by the sum
    of the wholes. `true_if` are the bounds of the effect within which the tip is true; it counts as refuted as soon as
    the whole interval lies outside them, or comes no farther in than `slack`. One `for_scale` is shown, not judged.
    """

    who: str
    query: str
    meetings: tuple[Meeting, ...]
    unit: str = MATCHES
    join: str = ALONE
    true_if: Bounds = (0.5, NO_END)
    slack: float = 0.005
    for_scale: bool = False


@dataclass(frozen=True)
class Tip:
    """A claim or a piece of advice, and how it is tested.

    `title` is the tip in a line, `says` what the source says in our words, `how` how it is measured and what would
    confirm or refute it. With `any_way` the measurements are ways of following the tip, of which one has to pay;
    else all have to come out.
    """

    name: str
    kind: str
    source: str
    title: str
    says: str
    how: str
    measurements: tuple[Measurement, ...]
    any_way: bool = False
    first_rules_only: bool = False

    @property
    def judged(self) -> tuple[Measurement, ...]:
        """Return the measurements that the verdict rests on."""
        return tuple(measurement for measurement in self.measurements if not measurement.for_scale)
