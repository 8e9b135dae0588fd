"""Naming the better player first, in every table alike, so that blue means the same player all over the page."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

Pairing = tuple[str, str]


def behind(pairings: pd.DataFrame) -> set[Pairing]:
    """Return the pairings of `analysis.pairings` in which side A wins less than half of the matches.

    A player against itself is never behind, though rules that say who deals first may favour one of its sides.
    """
    lost = pairings[(pairings["match_win_rate"] < 0.5) & (pairings["a"] != pairings["b"])]
    return set(zip(lost["a"], lost["b"], strict=True))


def better_first(frame: pd.DataFrame, losing: set[Pairing], of_a: Iterable[tuple[str, str, str]] = ()) -> pd.DataFrame:
    """Return a table with sides A and B exchanged in the pairings where A is behind.

    `of_a` names the columns (value, lower, upper limit) that hold side A's share of something; they become
    B's.
    """
    turn = pd.Series([pair in losing for pair in zip(frame["a"], frame["b"], strict=True)], index=frame.index)
    result = frame.copy()
    for one, other in (("a", "b"), *((name, name) for name in ("side", "first", "scorer") if name in frame)):
        if one != other:
            result[one] = frame[one].where(~turn, frame[other])
            result[other] = frame[other].where(~turn, frame[one])
        else:
            swapped = frame[one].replace({"A": "B", "B": "A"})
            result[one] = frame[one].where(~turn, swapped)
    for value, lo, hi in of_a:
        result[value] = frame[value].where(~turn, 1 - frame[value])
        result[lo] = frame[lo].where(~turn, 1 - frame[hi])
        result[hi] = frame[hi].where(~turn, 1 - frame[lo])
    return result


def only(frame: pd.DataFrame, pairing: Pairing) -> pd.DataFrame:
    """Return the rows of one pairing."""
    return frame[(frame["a"] == pairing[0]) & (frame["b"] == pairing[1])].reset_index(drop=True)
