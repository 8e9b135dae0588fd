"""The settings of a sweep: from ``knock_at=0:10`` to one player for each value, or combination of values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from itertools import product

from experiments.simulate import RequestError
from strategies.varying import vary

MOST_ARMS = 200


@dataclass(frozen=True)
class Arm:
    """One setting: the player as text, and the values that set it apart, as text by parameter."""

    player: str
    values: Mapping[str, str]

    @property
    def label(self) -> str:
        """The values alone, as a row of a table is named."""
        if len(self.values) == 1:
            return next(iter(self.values.values()))
        return " ".join(f"{name}={value}" for name, value in self.values.items())


def make_arms(base: str, params: Sequence[str]) -> list[Arm]:
    """Return a player for every combination of the values that `params` list.

    Each is ``name=low:high``, ``name=low:high:step`` or ``name=value,value``. Raises `RequestError`, or
    `strategies.registry.StrategyError` where a value is not allowed.
    """
    ranges = [_read_range(text) for text in params]
    names = [name for name, _ in ranges]
    if len(set(names)) < len(names):
        raise RequestError(f'--param gives "{max(names, key=names.count)}" twice')
    count = 1
    for _, values in ranges:
        count *= len(values)
    if not 2 <= count <= MOST_ARMS:
        raise RequestError(f"a sweep needs 2 to {MOST_ARMS} settings; this is {count}")
    settings = [dict(zip(names, values, strict=True)) for values in product(*(values for _, values in ranges))]
    arms = [Arm(vary(base, values), values) for values in settings]
    if len({arm.player for arm in arms}) < len(arms):
        raise RequestError(f"--param {' '.join(params)}: some settings are the same")
    return arms


def _read_range(text: str) -> tuple[str, list[str]]:
    name, equals, listed = (part.strip() for part in text.partition("="))
    if not (name and equals and listed):
        raise RequestError(f'--param "{text}" is not of the form NAME=LOW:HIGH, NAME=LOW:HIGH:STEP or NAME=V1,V2')
    if ":" not in listed:
        return name, [value.strip() for value in listed.split(",")]
    try:
        low, high, step = map(Decimal, (listed if listed.count(":") == 2 else f"{listed}:1").split(":"))
        if not (low.is_finite() and high.is_finite() and step.is_finite()):
            raise ValueError
    except (InvalidOperation, ValueError):
        raise RequestError(f'--param "{text}": numbers are wanted, LOW:HIGH:STEP or LOW:HIGH, as 0:10') from None
    if step <= 0 or high < low:
        raise RequestError(f'--param "{text}": the range must rise, by a step above 0')
    if (high - low) / MOST_ARMS >= step:
        raise RequestError(f'--param "{text}" has too many values; at most {MOST_ARMS} are allowed')
    return name, [f"{low + place * step:f}" for place in range(int((high - low) / step) + 1)]
