"""Wrappers for tests: small files written into a folder, and questions under random sheets for wrapped players."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from sim.view import TURN_VIEW
from strategies.registry import WRAPPERS
from tests.support.strategy_positions import positions

TEMPLATE = '''"""A {kind} made for a test.

Source: this test.
"""

from typing import NamedTuple

from sim.api import {word}, trailing_zeros
{imports}

class Params(NamedTuple):
    """Numbers to be found again."""
{fields}


def take_upcard({arguments}):
    {take}


def choose_discard({arguments}):
    {discard}


def should_knock({arguments}):
    {knock}


{line} = {word}(
    name="{name}",
    summary="a {kind} made for a test",
    source="this test",
    take_upcard=take_upcard,
    choose_discard=choose_discard,
    should_knock=should_knock,
    params=Params,
)
'''
WRAPPED = [f"{base}+{wrapper}" for base in ("simple", "greedy") for wrapper in WRAPPERS]
"""Every registered wrapper around a player with a memory and one without; compiling all would take minutes."""


def write_wrapper(
    folder: Path,
    name: str,
    *,
    take: str = "return answer",
    discard: str = "return answer",
    knock: str = "return answer",
    fields: Sequence[str] = (),
    imports: str = "",
) -> Path:
    """Write ``NAME.py``, a wrapper whose functions have these bodies; `fields` are lines such as ``x: int = 0``."""
    text = TEMPLATE.format(
        kind="wrapper",
        word="Wrapper",
        line="WRAPPER",
        arguments="view, p, answer",
        name=name,
        take=take,
        discard=discard,
        knock=knock,
        fields="".join(f"\n    {field}" for field in fields),
        imports=imports,
    )
    return _write(folder, name, text)


def write_probe(folder: Path, name: str, kinds: Sequence[str], *, wraps: bool) -> Path:
    """Write a strategy or wrapper whose discard is its parameters (digits 0..4) read as digits of a number in base 5.

    A wrapper's digits follow those of the player inside, so the last one returns the parameters of all in order.
    """
    names = "abcdefgh"[: len(kinds)]
    number = "answer" if wraps else "0"
    for field in names:
        number = f"({number}) * 5 + int(p.{field})"
    text = TEMPLATE.format(
        kind="probe",
        word="Wrapper" if wraps else "Strategy",
        line="WRAPPER" if wraps else "STRATEGY",
        arguments="view, p, answer" if wraps else "view, p",
        name=name,
        take="return False",
        discard=f"return {number}",
        knock="return True",
        fields="".join(f"\n    {field}: {kind} = {kind}(0)" for field, kind in zip(names, kinds, strict=True)),
        imports="",
    )
    return _write(folder, name, text)


def _write(folder: Path, name: str, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    return path


def own_copy(view: Any) -> Any:
    """Return a copy of a view, which a player may write to."""
    return np.array([view], TURN_VIEW).view(np.recarray)[0]


def questions(count: int) -> Iterator[tuple[str, Any]]:
    """Yield the decisions of so many random positions, each with a random sheet; views of the caller's own."""
    for decision, view in _questions(count):
        yield decision, own_copy(view)


@cache
def _questions(count: int) -> tuple[tuple[str, Any], ...]:
    dice, found = random.Random(3), []
    for decision, view in positions(count):
        asked = own_copy(view)
        for whose in ("my", "their"):
            boxes = [dice.choice([0, 0, 1, 3]) for _ in range(3)]
            asked[f"{whose}_boxes"] = boxes
            asked[f"{whose}_points"] = [dice.randint(1, 99) if box else 0 for box in boxes]
            asked[f"{whose}_needs"] = [0 if box else dice.randint(-1, 2) for box in boxes]
        asked.multiplier = dice.randint(1, 2)
        found.append((decision, asked))
    return tuple(found)
