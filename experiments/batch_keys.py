"""The keys that the file of a batch may have, and what is wanted of each."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from analysis.sequential import TESTS
from experiments.defaults import COMPARE, SIMULATE, SWEEP, TOURNAMENT
from sim.batch.plan import MAX_PAIRS

KINDS = (SIMULATE, COMPARE, SWEEP, TOURNAMENT)
COMMON = ("name", "kind", "players", "rules", "options", "seed", "pairs", "deals")
KEYS = {
    SIMULATE: ("pairings", "detail"),
    COMPARE: ("test", "bounds", "alpha", "beta"),
    SWEEP: ("params", "against", "racing"),
    TOURNAMENT: ("gauntlet",),
}
"""What only one kind has; by these the kind of an experiment is told that does not name it."""
KIND_KEYS = {kind: (*COMMON, *keys) for kind, keys in KEYS.items()}
NAME = re.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,59}")
RESERVED = "lock"
"""A file of the batch folder, in which each run has a folder of its name."""
MOST_DEALS, LAST_SEED, MOST_THREADS = 10**12, 2**64 - 1, 1024


class Wanted(NamedTuple):
    """What a key wants, in words, and how its value is read: ValueError or TypeError for any other."""

    what: str
    read: Callable[[object], Any]


def _whole(low: int, high: int) -> Callable[[object], int]:
    def read(value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise ValueError
        return value

    return read


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError
    return float(value)


def _yes_or_no(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError
    return value


def _text(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError
    return value.strip()


def _one_of(*words: str) -> Wanted:
    def read(value: object) -> str:
        if value not in words:
            raise ValueError
        return str(value)

    return Wanted(f"one of {' '.join(words)}", read)


def _list_of(read: Callable[[object], Any]) -> Callable[[object], list[Any]]:
    """Read one value, or a list of different ones."""

    def read_list(value: object) -> list[Any]:
        """Read a list, or one value in place of it; the same twice is refused."""
        values = [read(one) for one in value] if isinstance(value, list) else [read(value)]
        if not values or len({str(one) for one in values}) < len(values):
            raise ValueError
        return values

    return read_list


def _players(value: object) -> list[str]:
    """Read players; one may be there twice, against itself."""
    return [_text(one) for one in value] if isinstance(value, list) and value else [_text(value)]


def _name(value: object) -> str:
    if not isinstance(value, str) or not NAME.fullmatch(value) or value.casefold() == RESERVED:
        raise ValueError
    return value


def _pairings(value: object) -> list[list[str]]:
    if not isinstance(value, list) or not value or not all(isinstance(one, list) and one for one in value):
        raise ValueError
    return [[_text(player) for player in pairing] for pairing in value]


def _options(value: object) -> dict[str, Any]:
    if not isinstance(value, dict) or not all(isinstance(one, int | str) for one in value.values()):
        raise TypeError
    return value


def _params(value: object) -> list[str]:
    """Read ``{ knock_at = "0:10", bold = [true, false] }`` as the words after ``--param``."""
    if not isinstance(value, Mapping) or not value:
        raise ValueError
    return [f"{name}={_values(values)}" for name, values in value.items()]


def _values(values: object) -> str:
    if isinstance(values, str):
        return _text(values)
    if not isinstance(values, list) or not all(isinstance(one, int | float | str) for one in values):
        raise TypeError
    return ",".join(str(one).lower() if isinstance(one, bool) else str(one) for one in values)


def _bounds(value: object) -> list[float]:
    if not isinstance(value, list):
        raise TypeError
    low, high = map(_number, value)
    return [low, high]


_RATE = Wanted("a number such as 0.05", _number)
WANTED = {
    "name": Wanted(f'a name of letters, digits, - and _ (not "{RESERVED}")', _name),
    "kind": _one_of(*KINDS),
    "players": Wanted('a list of players such as ["greedy", "simple"]', _players),
    "pairings": Wanted('a list of pairings such as [["greedy", "simple"]]', _pairings),
    "rules": Wanted("a preset or rules file, or a list of different ones,", _list_of(_text)),
    "options": Wanted("a table of rule options such as { undercut_bonus = 25 }", _options),
    "seed": Wanted(
        f"a whole number from 0 to {LAST_SEED}, or a list of different ones,", _list_of(_whole(0, LAST_SEED))
    ),
    "pairs": Wanted(f"a whole number from 1 to {MAX_PAIRS}", _whole(1, MAX_PAIRS)),
    "deals": Wanted(f"a whole number from 1 to {MOST_DEALS}", _whole(1, MOST_DEALS)),
    "threads": Wanted(f"a whole number from 1 to {MOST_THREADS}", _whole(1, MOST_THREADS)),
    "detail": _one_of("matches", "deals"),
    "test": _one_of(*TESTS),
    "bounds": Wanted("two percentages such as [50, 51]", _bounds),
    "alpha": _RATE,
    "beta": _RATE,
    "params": Wanted('a table such as { knock_at = "0:10" } or { knock_at = [0, 5, 10] }', _params),
    "against": Wanted('a list of opponents such as ["simple"], or "self" or "field",', _list_of(_text)),
    "racing": Wanted("true or false", _yes_or_no),
    "gauntlet": Wanted("true or false", _yes_or_no),
}
