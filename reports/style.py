"""Colours by role, type sizes and matplotlib settings: how every figure and the page look.

Figures are drawn in the light colours; `reports.svg` then replaces each by its variable, so that one drawing
serves both themes. Every role has its own hexadecimal number, because that is what is replaced.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import matplotlib as mpl
from matplotlib.figure import Figure

from reports.canvas import Size

LIGHT = {
    "bg": "#fcfbf8",
    "ink": "#1d1c1a",
    "mute": "#5c5850",
    "line": "#d9d5cb",
    "a": "#0b4f8a",
    "a2": "#5b97c9",
    "a3": "#b5d2ea",
    "b": "#b8500a",
    "b2": "#e39550",
    "b3": "#f4cda3",
    "c": "#7b2d74",
    "n": "#8b867c",
    "n2": "#e7e3d9",
    "on2": "#1d1c1b",
}
DARK = {
    "bg": "#16181b",
    "ink": "#eceae5",
    "mute": "#aeaaa1",
    "line": "#3a3d42",
    "a": "#8ac1f0",
    "a2": "#4d8dc2",
    "a3": "#2b557a",
    "b": "#f0a05a",
    "b2": "#bd6f2c",
    "b3": "#74451d",
    "c": "#d99ad2",
    "n": "#8f8b83",
    "n2": "#2a2d31",
    "on2": "#0f1012",
}
BG, INK, MUTE, LINE = (LIGHT[role] for role in ("bg", "ink", "mute", "line"))
A, A2, A3, B, B2, B3 = (LIGHT[role] for role in ("a", "a2", "a3", "b", "b2", "b3"))
N, N2, ON2 = (LIGHT[role] for role in ("n", "n2", "on2"))

SEVEN = ((B, BG), (B2, ON2), (B3, INK), (N2, INK), (A3, INK), (A2, ON2), (A, BG))
"""The seven shades of a map, from all to side B to all to side A, each with the colour of text on it."""

SIDE: dict[str, dict[str, Any]] = {
    "A": {"color": A, "marker": "o", "linestyle": "-", "markerfacecolor": A},
    "B": {"color": B, "marker": "s", "linestyle": (0, (5, 2)), "markerfacecolor": BG},
}
"""How a side is drawn: shape and dash repeat what colour says."""

TEXT, NOTE = 12.0, 11.0
"""Sizes of figure text and of notes, in units (CSS pixels)."""

RC: Any = {  # matplotlib types the keys one by one
    "font.family": "DejaVu Sans",  # wider than any system font: what fits in it fits on every screen
    "font.size": TEXT,
    "text.color": INK,
    "text.parse_math": False,
    "axes.edgecolor": MUTE,
    "axes.linewidth": 1.0,
    "axes.labelcolor": MUTE,
    "axes.labelsize": TEXT,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "axes.axisbelow": True,
    "axes.grid": False,
    "axes.facecolor": "none",
    "axes.xmargin": 0,
    "axes.ymargin": 0,
    "figure.facecolor": "none",
    "grid.color": LINE,
    "grid.linewidth": 1.0,
    "xtick.color": MUTE,
    "ytick.color": MUTE,
    "xtick.major.size": 0,
    "ytick.major.size": 0,
    "xtick.major.pad": 5,
    "ytick.major.pad": 6,
    "xtick.labelsize": TEXT,
    "ytick.labelsize": TEXT,
    "lines.linewidth": 2.0,
    "lines.markersize": 7,
    "lines.markeredgewidth": 1.6,
    "hatch.linewidth": 1.0,
    "svg.fonttype": "none",
    "svg.hashsalt": "hollywood",
}

Frame = TypeVar("Frame")


def styled(draw: Callable[[Frame, Size], Figure]) -> Callable[[Frame, Size], Figure]:
    """Let a chart be drawn in the house style wherever it is called from."""

    @wraps(draw)
    def drawn(frame: Frame, size: Size) -> Figure:
        with mpl.rc_context(RC):
            return draw(frame, size)

    return drawn
