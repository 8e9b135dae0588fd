"""Typed loaders of the checked cases in ``tests/data``; see the README there for where they come from."""

from __future__ import annotations

import csv
import gzip
import json
from pathlib import Path
from typing import Any, NamedTuple

DATA = Path(__file__).parent.parent / "data"


class Case(NamedTuple):
    """One case of ``cases.jsonl``: what is put in and what must come out, both as its kind has it."""

    id: str
    kind: str
    input: dict[str, Any]
    expected: dict[str, Any]
    note: str


class Hand10(NamedTuple):
    """Ten cards, their least deadwood, and the number of spreads that achieve it."""

    hand: str
    deadwood: int
    conflict: bool
    n_optimal_spreads: int


class Hand11(NamedTuple):
    """Eleven cards, their least deadwood, and that after the best discard with all cards that achieve it."""

    hand: str
    deadwood_11: int
    best_after_discard: int
    best_discards: list[str]
    conflict: bool


class Layoff(NamedTuple):
    """A knock: the defender's final deadwood with the best and the worst of the knocker's spreads."""

    knocker: str
    defender: str
    knocker_deadwood: int
    defender_raw: int
    n_spreads: int
    final_knocker_best: int
    final_defender_best: int
    naive_wrong_method: int
    result: str
    winner: str
    points: int


def cases(kind: str) -> list[Case]:
    """Return the cases of one kind, in file order."""
    lines = (DATA / "cases.jsonl").read_text(encoding="utf-8").splitlines()
    found = (json.loads(line) for line in lines)
    return [Case(c["id"], c["kind"], c["input"], c["expected"], c["note"]) for c in found if c["kind"] == kind]


def _rows(name: str) -> list[list[str]]:
    """Read the rows of a packed table, without its header."""
    with gzip.open(DATA / name, "rt", encoding="utf-8", newline="") as lines:
        return list(csv.reader(lines))[1:]


def hands10() -> list[Hand10]:
    """Return the 3,000 checked hands of ten cards."""
    return [Hand10(hand, int(dw), conflict == "1", int(n)) for hand, dw, conflict, n in _rows("hands10.csv.gz")]


def hands11() -> list[Hand11]:
    """Return the 3,000 checked hands of eleven cards."""
    return [
        Hand11(hand, int(dw), int(best), discards.split(), conflict == "1")
        for hand, dw, best, discards, conflict in _rows("hands11.csv.gz")
    ]


def _six(numbers: list[str]) -> tuple[int, int, int, int, int, int]:
    """Read exactly six whole numbers."""
    one, two, three, four, five, six = (int(number) for number in numbers)
    return one, two, three, four, five, six


def layoffs() -> list[Layoff]:
    """Return the 1,800 checked knocks."""
    return [
        Layoff(knocker, defender, *_six(numbers), result, winner, int(points))
        for knocker, defender, *numbers, result, winner, points in _rows("layoffs.csv.gz")
    ]


def greedy_points() -> dict[int, int]:
    """Return how often each number of points was scored between greedy bots; the counts add up to 19,990."""
    with (DATA / "greedy_points.csv").open(encoding="utf-8", newline="") as lines:
        return {int(row["points"]): int(row["count"]) for row in csv.DictReader(lines)}


def sheet_options(case: Case) -> dict[str, object]:
    """Return the rule options of a Hollywood case; where it settles nothing, bonuses do not matter."""
    given, settle = case.input["options"], case.input.get("settlement_options", {})
    return {
        "target": given["target"],
        "carry": given["shutout"],
        "count_zero_wins": given["count_zero_wins"],
        "game_bonus": settle.get("game_bonus", 0),
        "box_bonus": settle.get("box", 0),
        "shutout_doubles": settle.get("shutout_double", False),
        "third_column_doubled": settle.get("game3_double", False),
    }


CLUBS, DIAMONDS = ["5C 6C 7C", "7D 7H 7S"], ["5D 6D 7D", "7C 7H 7S"]
TWO_WAYS = "5C 6C 7C 5D 6D 7H 7S 7D 2S 3H"
"""A knocker's ten that spread as CLUBS or DIAMONDS: the seven of clubs or that of diamonds goes with the sevens."""
SPREAD_CHOICES = [
    ("", "", CLUBS),  # nothing to choose by: the spread's text
    ("", "4C 8D", CLUBS),  # four points are less to fear than eight
    ("4C", "8D", DIAMONDS),  # but a card known to be there weighs more than any that may be
    ("8C 8D", "9C", DIAMONDS),  # a known card is a link for others
    ("9C", "8C 4D 8D", CLUBS),  # but others are no link for known cards
]
"""Known cards, other cards, and the spread that gives least away (docs/rules.md, the deal, 8)."""
