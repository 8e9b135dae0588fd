"""The finished parts of a run, and how a query over all of them is asked of some at a time. Loads nothing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROWS_AT_ONCE = 1_000_000


@dataclass(frozen=True)
class Part:
    """One finished part: a block of duplicate pairs of one pairing, in one file of matches and perhaps one of deals.

    `rows` are matches: two for each pair, in three-handed play six; `seconds` is the time it took to play; `deals` is
    the file with a row a deal, of a run that records them; `merged` of how many parts the files are made.
    """

    number: int
    sides: tuple[str, ...]
    first_pair: int
    pairs: int
    file: Path
    rows: int
    deals_played: int
    seconds: float
    deals: Path | None = None
    merged: int = 1


def some_at_a_time(parts: Sequence[Part], count: int) -> list[list[Part]]:
    """Cut parts into runs of about as many matches each, at most about `ROWS_AT_ONCE`: `count` of them or a multiple.

    There are fewer where parts are few. Parts of one pairing stay beside one another, in order.
    """
    order = {pairing: place for place, pairing in enumerate(dict.fromkeys(part.sides for part in parts))}
    total = sum(part.rows for part in parts)
    runs = count * math.ceil(total / (ROWS_AT_ONCE * count))
    some: list[list[Part]] = [[] for _ in range(runs)]
    before = 0
    for part in sorted(parts, key=lambda part: (order[part.sides], part.number)):
        some[(2 * before + part.rows) * runs // (2 * total)].append(part)  # where its middle lies
        before += part.rows
    return [run for run in some if run]
