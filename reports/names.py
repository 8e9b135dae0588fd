"""Short names for players: the strategy's name, and its parameters where they matter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pandas as pd


def labels(specs: Sequence[str]) -> dict[str, str]:
    """Return a short name for each spec, unique among them.

    ``threshold:knock_at=5`` becomes ``threshold 5`` if every player of that family is told apart by this one
    parameter alone; otherwise the spec stays as it is.
    """
    families: dict[str, set[tuple[str, ...]]] = {}
    for spec in specs:
        name, keys, _ = _parse(spec)
        families.setdefault(name, set()).add(keys)
    short = {}
    for spec in specs:
        name, keys, values = _parse(spec)
        lone = len(keys) == 1 and families[name] <= {keys, ()}
        short[spec] = f"{name} {values[0]}" if lone else spec
    twice = {label for label, times in Counter(short.values()).items() if times > 1}
    return {spec: spec if label in twice else label for spec, label in short.items()}


def _parse(spec: str) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """Split a spec into its name, parameter names and parameter values."""
    name, _, text = spec.partition(":")
    pairs = [part.partition("=") for part in text.split(",") if part]
    return name, tuple(key for key, _, _ in pairs), tuple(value for _, _, value in pairs)


def renamed(frame: pd.DataFrame, names: dict[str, str]) -> pd.DataFrame:
    """Return the frame with specs replaced by short names in the columns that hold players."""
    players = [column for column in ("a", "b", "player") if column in frame.columns]
    return frame.assign(**{column: frame[column].map(names) for column in players})


def cut(name: str, characters: int) -> str:
    """Shorten a name in the middle, never at its end, where the parameter is: ``thresho…t=5``."""
    if len(name) <= characters:
        return name
    tail = max(1, (characters - 1) // 2)
    return f"{name[: characters - 1 - tail]}…{name[-tail:]}"


def capital(text: str) -> str:
    """Start a sentence with a capital letter; a name that starts with a sign stays as it is."""
    return text[:1].upper() + text[1:]
