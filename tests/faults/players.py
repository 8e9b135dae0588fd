"""A player that plays well for long and then, by its knob, raises, throws what is no card, or never comes back."""

from __future__ import annotations

from pathlib import Path

from tests.support.strategy_files import BEST_DISCARD, write_player

LATE = "./late.py"
RAISES, THROWS_NONSENSE, LOOPS = 1, 2, 3
"""What the knob does; at any other number the player is a good one."""
RARE = " | ".join(f"bit({card})" for card in (1, 17, 33, 49, 5, 20, 36))
"""Seven cards that do not go together: thousands of pairs go by before they are in one hand."""


def write_late_player(folder: Path) -> Path:
    """Write the player and return its path."""
    return write_player(
        folder,
        "late",
        discard=f"""if view.hand & ({RARE}) == ({RARE}):
        if p.knob == {RAISES}:
            raise ValueError("what now?")
        if p.knob == {THROWS_NONSENSE}:
            return 99
        while p.knob == {LOOPS}:
            pass
    {BEST_DISCARD}""",
    )
