"""Strategy files for tests: small players written into a folder, well-behaved or with one bad habit."""

from __future__ import annotations

from pathlib import Path

BEST_DISCARD = "return trailing_zeros(view.best_discards)"

TEMPLATE = '''"""A player made for a test.

Source: this test.
"""

from typing import Annotated, NamedTuple

from sim.api import NoParams, Param, Strategy, bit, deadwood, lowest, trailing_zeros
{imports}

class Params(NamedTuple):
    knob: Annotated[int, Param(0, 10, "points", "a number to turn")] = 5
    slope: Annotated[float, Param(-1, 1, "points a turn", "another")] = 0.5
    bold: Annotated[bool, Param(0, 1, "", "yes or no")] = False


def take_upcard(view, p):
    {take}


def choose_discard(view, p):
    {discard}


def should_knock(view, p):
    {knock}


STRATEGY = Strategy(
    name="{name}",
    summary="a player made for a test",
    source="this test",
    take_upcard=take_upcard,
    choose_discard=choose_discard,
    should_knock=should_knock,
    params=Params,
)
'''

BAD_HABITS: dict[str, dict[str, str]] = {
    "throws a card it does not hold": {"discard": "return trailing_zeros(~view.hand)"},
    "throws a number that is no card": {"discard": "return 99"},
    "throws the card it has just taken": {
        "take": "return True",
        "discard": "return view.upcard",
        "knock": "return False",
    },
    "knocks over the limit": {
        "knock": "return True",
        "discard": """left = view.hand
    while left and view.knocking:
        card = lowest(left)
        if deadwood(view.hand ^ card) > view.knock_limit:
            return trailing_zeros(card)
        left ^= card
    return trailing_zeros(view.best_discards)""",
    },
    "raises an exception": {
        "discard": f"""if view.turn > 3:
        raise ValueError("what now?")
    {BEST_DISCARD}""",
        "knock": "return False",
    },
    "never knocks": {"knock": "return False"},
}
"""What may be wrong with a player, by what is said of it: the functions that differ from a good one."""


def write_player(
    folder: Path,
    name: str,
    *,
    take: str = "return False",
    discard: str = BEST_DISCARD,
    knock: str = "return True",
    imports: str = "",
) -> Path:
    """Write ``NAME.py``, a player whose three functions have these bodies, and return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.py"
    text = TEMPLATE.format(name=name, take=take, discard=discard, knock=knock, imports=imports)
    path.write_text(text, encoding="utf-8")
    return path


def write_bad_player(folder: Path, name: str, habit: str) -> Path:
    """Write ``NAME.py``, a player with one of the `BAD_HABITS`, and return its path."""
    return write_player(folder, name, **BAD_HABITS[habit])
