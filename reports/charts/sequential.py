"""The course of a sequential test: above the share so far with its live band, below the evidence between its bounds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.sequential import A, SequentialTest
from reports.canvas import Box, Size, axes, beside, fitted, sheet, text_width, write
from reports.names import capital
from reports.numbers import count, number, percent, plural, points, share_with_error, signed
from reports.scales import share_ticks, whole_ticks
from reports.style import BG, INK, LINE, MUTE, NOTE, SIDE, styled
from reports.words import Words
from sim.batch.tally import BLOCK_PAIRS

PANELS = {"wide": (190, 190), "narrow": (170, 190)}
"""Heights of the two panels, in units."""
ROOM = 0.16
"""Room beyond either bound for its words, in parts of the distance between the bounds."""
MOST_POINTS = 400
"""More looks than this are drawn every so many."""


@dataclass(frozen=True)
class Found:
    """What a test came to, from the view of player a: names, verdict (A, B, equal or undecided), shares of the matches.

    `raw` and `adjusted` are share, lower and upper limit; `pairs` were played of those `allowed`; `behind` tells that
    the other player wins more matches, `exchanged` that a is side B of the run.
    """

    a: str
    b: str
    test: SequentialTest
    verdict: str
    raw: tuple[float, float, float]
    adjusted: tuple[float, float, float]
    allowed: int
    pairs: int
    behind: bool = False
    exchanged: bool = False

    @property
    def stopped(self) -> bool:
        """Tell whether the test decided before all pairs were played."""
        return self.verdict != "undecided"

    def turned(self) -> Found:
        """Return the same from the view of player b."""
        raw, fair = ((1 - share, 1 - hi, 1 - lo) for share, lo, hi in (self.raw, self.adjusted))
        verdict = {"A": "B", "B": "A"}.get(self.verdict, self.verdict)
        found = replace(self, a=self.b, b=self.a, verdict=verdict, raw=raw, adjusted=fair)
        return replace(found, behind=not self.behind, exchanged=not self.exchanged)

    def answer(self) -> str:
        """Say the verdict: ``greedy is better``."""
        if self.verdict in ("A", "B"):
            return f"{self.a if self.verdict == 'A' else self.b} is better"
        if self.verdict == "equal":
            alike = "as good as each other" if self.test.mirrored else f"{self.a} is no worse"
            return f"{alike}, to within {self.margin()}"
        return "undecided"

    def margin(self) -> str:
        """Say what counts as near: ``a point``, ``2 points``."""
        away = f"{100 * max(abs(0.5 - self.test.s0), abs(0.5 - self.test.s1)):.3g}"
        return "a point" if away == "1" else f"{away} points"


def turned(course: pd.DataFrame) -> pd.DataFrame:
    """Return the table `analysis.course` from the view of player b."""
    return course.assign(
        rate=1 - course["rate"], lo=1 - course["hi"], hi=1 - course["lo"], llr_a=course["llr_b"], llr_b=course["llr_a"]
    )


@styled
def figure(frame: pd.DataFrame, size: Size) -> Figure:
    """Draw the table `analysis.course`; its attribute ``found`` is a `Found`."""
    found: Found = frame.attrs["found"]
    rows = _thinned(frame)
    above, below = PANELS[size.name]
    left, right = 46.0, 8.0
    lines = 1 if size.is_wide or not found.test.mirrored else 2
    second = 24 + above + 44 + 20 * lines
    result = sheet(size, second + below + 46)
    name = fitted(found.a, 300 if size.is_wide else 130)
    band = ", with a band valid while watching" if size.is_wide else ", and live band"
    write(result, 4, 10, f"Matches won by {name}{band}", ha="left")
    _estimate(axes(result, Box(left, 24, size.width - left - right, above)), rows, found)
    write(result, 4, second - 18 - 20 * lines, "Evidence (log likelihood ratio)", ha="left")
    _legend(result, found, (left, second + 4 - 20 * lines), size)
    _evidence(axes(result, Box(left, second, size.width - left - right, below)), rows, (found, size))
    return result


def _thinned(frame: pd.DataFrame) -> pd.DataFrame:
    """Return at most about `MOST_POINTS` looks, the last one among them."""
    every = -(-len(frame) // MOST_POINTS)
    return frame.iloc[(len(frame) - 1) % every :: every].reset_index(drop=True)


def _pairs_axis(ax: Axes, rows: pd.DataFrame, most: int) -> None:
    last = int(rows["pairs"].max())
    ax.set_xlim(0, 1.03 * last)
    ticks = whole_ticks(last, most)
    ax.set_xticks(ticks, [count(tick) for tick in ticks])
    ax.grid(True, color=LINE)


def _looks(found: Found) -> dict[str, dict[str, Any]]:
    """Return how the questions of a and b are drawn: blue is the better player, as all over the page."""
    one, other = ("B", "A") if found.behind else ("A", "B")
    return {"llr_a": SIDE[one], "llr_b": SIDE[other]}


def _estimate(ax: Axes, rows: pd.DataFrame, found: Found) -> None:
    """Draw the share so far and its band, in a window about where they end up."""
    look, last = _looks(found)["llr_a"], rows.iloc[-1]
    low = min(0.5, float(rows["rate"].min()), float(last["lo"]))
    high = max(0.5, float(rows["rate"].max()), float(last["hi"]))
    spare = max(0.12 * (high - low), 0.004)
    low, high = max(low - spare, 0.0), min(high + spare, 1.0)
    _pairs_axis(ax, rows, 6)
    ax.tick_params(labelbottom=False)
    ax.set_ylim(low, high)
    ticks = share_ticks(low, high, 6)
    ax.set_yticks(ticks, [f"{100 * tick:.0f}%" for tick in ticks])
    ax.axhline(0.5, color=INK, linewidth=1.3, zorder=1.5)
    for share in _asked_shares(found.test):
        if low < share < high:
            ax.axhline(share, color=MUTE, linewidth=1, linestyle=(0, (1, 2)), zorder=1.5)
    ax.fill_between(rows["pairs"], rows["lo"], rows["hi"], color=look["color"], alpha=0.2, linewidth=0, zorder=2)
    ax.plot(rows["pairs"], rows["rate"], **look, markevery=[-1], zorder=3)


def _asked_shares(test: SequentialTest) -> list[float]:
    """Return the shares that the test tells apart, other than one half."""
    return sorted({share for question in test.questions for share in question if share != 0.5})


def deciding(frame: pd.DataFrame, found: Found) -> str:
    """Return the question whose evidence the verdict waited for: llr_a or llr_b."""
    if not found.test.mirrored:
        return "llr_a"
    last = frame.iloc[-1]
    highest = "llr_a" if last["llr_a"] >= last["llr_b"] else "llr_b"
    lowest = "llr_b" if highest == "llr_a" else "llr_a"
    return highest if found.test.above == A else lowest


def _evidence(ax: Axes, rows: pd.DataFrame, told: tuple[Found, Size]) -> None:
    """Draw the evidence of each question between the two labelled bounds; the last look is a dot."""
    found, size = told
    test, end = found.test, float(rows[deciding(rows, found)].iloc[-1])
    room = ROOM * (test.upper - test.lower)
    low, high = min(test.lower - room, 1.15 * end), max(test.upper + room, 1.15 * end)
    _pairs_axis(ax, rows, 6 if size.is_wide else 4)
    ax.set_xlabel("Duplicate pairs played")
    ax.set_ylim(low, high)
    ax.set_yticks([test.lower, 0, test.upper], [number(test.lower), "0", signed(test.upper)])
    for bound in (test.lower, test.upper):
        ax.axhline(bound, color=INK, linewidth=1.3, zorder=1.5)
    for name, look in _looks(found).items():
        if rows[name].notna().all():
            ax.plot([0, *rows["pairs"]], [0, *rows[name]], **look, markevery=[-1], zorder=3)
    texts = _bounds_in_words(test, size)
    for bound, text, sign in zip((test.upper, test.lower), texts, (1, -1), strict=True):
        right = _is_taken(rows, bound, sign)
        style = {"xycoords": ax.get_yaxis_transform(), "fontsize": NOTE, "color": MUTE, "zorder": 2.5}
        patch = {"facecolor": BG, "edgecolor": "none", "pad": 0.5}
        place = {"ha": "right" if right else "left", "bbox": patch}
        beside(ax, (float(right), bound), (-4 if right else 4, 10.5 * sign), text, **style, **place)


def _is_taken(rows: pd.DataFrame, bound: float, sign: int) -> bool:
    """Tell whether a line passes a bound so early that the words about it stand better at the other end."""
    early = rows[rows["pairs"] <= 0.5 * rows["pairs"].max()]
    return bool((sign * early[["llr_a", "llr_b"]] > sign * bound).any(axis=None))


def _bounds_in_words(test: SequentialTest, size: Size) -> tuple[str, str]:
    """Say what evidence above the upper bound means, and below the lower one."""
    if not test.mirrored:
        return "above: no worse", "below: worse"
    alike = "as good as each other" if size.is_wide else "as good"
    if test.above == A:
        return "either above: better", f"both below: {alike}"
    return f"both above: {alike}", "either below: worse"


def _legend(result: Figure, found: Found, corner: tuple[float, float], size: Size) -> None:
    """Name the line of each question: side by side, in a narrow drawing below each other."""
    left, top = corner
    asks = "better" if found.test.above == A else ("as good" if found.test.mirrored else "no worse")
    names = {"llr_a": found.a} | ({"llr_b": found.b} if found.test.mirrored else {})
    width = (size.width - left - 4) / (len(names) if size.is_wide else 1)
    for question, name in names.items():
        look = _looks(found)[question]
        ax = axes(result, Box(left, top - 10, 26, 20))
        ax.axis("off")
        ax.set_xlim(0, 2)
        ax.plot([0, 1, 2], [0, 0, 0], **look, markevery=[1], clip_on=False)
        text = f"{fitted(name, width - 54 - text_width(f' {asks}?'))} {asks}?"
        write(result, left + 34, top, text, ha="left", color=look["color"])
        if size.is_wide:
            left += 54 + text_width(text)
        else:
            top += 20


def words(frame: pd.DataFrame) -> Words:
    """Say what the test found and after how many pairs; the same table as `figure`."""
    found: Found = frame.attrs["found"]
    last, question = frame.iloc[-1], deciding(frame, found)
    pairs = count(int(last["pairs"]))
    raw, fair = share_with_error(*found.raw), points(found.adjusted[0])
    bounds = f"{number(found.test.lower, 2)} and {signed(found.test.upper, 2)}"
    shares = [f"{percent(row['rate'])} at {count(int(row['pairs']))}" for _, row in _few(frame).iterrows()]
    verdict = found.answer()
    return Words(
        title=f"The test stops at {pairs} pairs: {verdict}"
        if found.stopped
        else f"After all {pairs} pairs the test is undecided",
        grey=f"{capital(found.a)} against {found.b}, {plural(len(frame), 'look')}, one after every {BLOCK_PAIRS} "
        "duplicate pairs; the 95% band is valid while watching: it holds at all looks at once.",
        how=f"above, the line is the share of the matches that {found.a} has won so far; it ends at {raw} of 100, "
        f"{fair} after adjusting for the stop. Dotted lines are the shares that the test tells apart. Below, a line "
        f"that leaves the space between the bounds {bounds} answers its question; the last look is marked.",
        alt=f"Two panels over duplicate pairs. Matches won by {found.a}: {'; '.join(shares)}. Evidence at the last "
        f"look {signed(float(last[question]), 2)}, bounds {bounds}: {verdict}.",
    )


def _few(frame: pd.DataFrame) -> pd.DataFrame:
    """Return at most six looks, evenly spread, the first and the last among them."""
    places = np.unique(np.linspace(0, len(frame) - 1, 6).round().astype(int))
    return frame.iloc[places]
