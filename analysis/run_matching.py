"""Which runs, and which pairings of two runs, can be compared pair by pair."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from analysis.load import Pairing, Run


class NotComparable(ValueError):
    """Two runs that cannot be differenced pair by pair; the message is one line with what stands in the way."""


@dataclass(frozen=True)
class Meeting:
    """A pairing of run 1 and the pairing of run 2 it is compared with, both as their runs name them.

    `swapped`: side B of run 2 is compared with side A of run 1. `same_players`: names and sources are the same.
    """

    sides: tuple[Pairing, Pairing]
    swapped: bool
    same_players: bool

    @property
    def label(self) -> str:
        """The pairing as run 1 names it."""
        return " v ".join(self.sides[0])


def refuse_other_cards(run1: Run, run2: Run) -> None:
    """Raise `NotComparable` unless both runs play the same cards under the same rules with the same engine."""
    facts: tuple[tuple[str, Any, Any], ...] = (
        ("seeds", run1.spec["seed"], run2.spec["seed"]),
        ("forms", run1.spec["form"], run2.spec["form"]),
        ("engine fingerprints", run1.manifest.get("fingerprint"), run2.manifest.get("fingerprint")),
    )
    for what, one, other in facts:
        if one != other:
            raise NotComparable(f"the {what} differ: {one} in {run1.path}, {other} in {run2.path}")
    if run1.is_three_handed:
        raise NotComparable(f"{run1.path} and {run2.path} are three-handed; only runs between two sides are compared")
    rules = run1.spec["rules"], run2.spec["rules"]
    for option in {**rules[0], **rules[1]}:
        values = [_value(options.get(option)) for options in rules]
        if values[0] != values[1]:
            where = f"{option} is {values[0]} in {run1.path}, {values[1]} in {run2.path}"
            raise NotComparable(f"the rules differ: {where}")


def _value(value: object) -> str:
    """Write a rule option's value as a user would."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "not there" if value is None else str(value)


def matched_pairings(run1: Run, run2: Run) -> tuple[Meeting, ...]:
    """Return which pairing of run 2 each pairing of run 1 is compared with, in run 1's order.

    Pairings of the same two sides belong together, also where the sides are swapped. Where there are none and each run
    has one pairing, those two do, whoever plays; sides are swapped then if that gives one player the same side in both.
    Raises `NotComparable` when there is nothing to match.
    """
    meetings = []
    for sides in run1.pairings:
        if sides in run2.pairings:
            meetings.append(_meeting((run1, run2), sides, sides, False))
        elif sides[::-1] in run2.pairings:
            meetings.append(_meeting((run1, run2), sides, sides[::-1], True))
    if not meetings and len(run1.pairings) == len(run2.pairings) == 1:
        (one,), (other,) = run1.pairings, run2.pairings
        in_place = one[0] == other[0] or one[1] == other[1]
        crossed = one[0] == other[1] or one[1] == other[0]
        meetings.append(_meeting((run1, run2), one, other, crossed and not in_place))
    if not meetings:
        told = [f"{run.path} has {', '.join(' v '.join(sides) for sides in run.pairings)}" for run in (run1, run2)]
        raise NotComparable(f"no pairing in common: {told[0]}; {told[1]}")
    return tuple(meetings)


def _meeting(runs: tuple[Run, Run], one: Pairing, other: Pairing, swapped: bool) -> Meeting:
    seen = one, other[::-1] if swapped else other
    sources = _sources(runs[0]), _sources(runs[1])
    players = (player for side in one for player in runs[0].players[side])
    same = seen[0] == seen[1] and all(sources[0][player] == sources[1][player] for player in players)
    return Meeting((one, other), swapped, same)


def edited_strategies(run1: Run, run2: Run) -> tuple[str, ...]:
    """Return the strategies of both runs that have the same name in both but another source."""
    sources = _sources(run1), _sources(run2)
    return tuple(name for name, sha in sources[0].items() if sources[1].get(name, sha) != sha)


def _sources(run: Run) -> dict[str, str]:
    """Return the checksum of each strategy's source."""
    return {str(entry["spec"]): str(entry["sha"]) for entry in run.spec["strategies"]}
