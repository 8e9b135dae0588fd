"""The tips, tested: a dot and a bar for each measurement, over the range in which its tip would be true."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from reports import numbers
from reports.canvas import Box, Size, axes, fitted, gutter, sheet, text_width, widest
from reports.names import capital
from reports.rows import PATCH
from reports.scales import share_ticks
from reports.style import BG, INK, LINE, MUTE, N2, A, B, N, styled
from reports.words import Words, alt_items

TIMES, MATCHES = "times", "matches"
EVEN = {TIMES: 1.0, MATCHES: 0.5}
"""Where there is no difference: drawn as a dark line."""
LABELS = {TIMES: "Times as much as in the game compared with", MATCHES: "Matches won by who follows the tip"}
OTHER_LABEL = "Share of the cases"
HOLDS, FAILS, OPEN = "holds", "does not hold", "undecided"
MARKS: dict[str, dict[str, Any]] = {
    HOLDS: {"color": A, "marker": "o", "markerfacecolor": A},
    FAILS: {"color": B, "marker": "s", "markerfacecolor": BG},
    OPEN: {"color": N, "marker": "o", "markerfacecolor": BG},
}
AXIS = 46
"""Units below a panel for its ticks and its label."""


@dataclass(frozen=True)
class Panel:
    """The rows of one unit: a line for each tip's name, and one below it for each of its measurements."""

    rows: pd.DataFrame
    limits: tuple[float, float]

    @property
    def unit(self) -> str:
        """Return the unit that the rows have in common."""
        return str(self.rows["unit"].iloc[0])

    def lines(self) -> list[tuple[str, pd.Series | None]]:
        """Return the lines from top to bottom: the name of a tip alone, or a label and its measurement."""
        found: list[tuple[str, pd.Series | None]] = []
        for place, (_, row) in enumerate(self.rows.iterrows()):
            if place == 0 or row["tip"] != self.rows["tip"].iloc[place - 1]:
                found.append((str(row["tip"]), None))
            found.append((label_of(row), row))
        return found


def label_of(row: pd.Series) -> str:
    """Name a measurement: who plays, under which rules."""
    return f"{row['who']} · {row['rules']}"


def value_text(row: pd.Series) -> str:
    """Write an effect with its ±: ``1.36 ±0.02``, ``55.8 ±0.6`` (in points), ``none`` where there is no number."""
    value, lo, hi = (float(row[name]) for name in ("value", "lo", "hi"))
    if math.isnan(value):
        return "none"
    if row["unit"] == TIMES:
        return f"{numbers.number(value, 2)} {numbers.plus_minus(value, lo, hi, 2)}".strip()
    return numbers.share_with_error(value, lo, hi)


@styled
def figure(frame: pd.DataFrame, size: Size) -> Figure:
    """Draw measurements: tip, who, rules, unit, value, lo, hi, true_from, true_to (shares, ratios), outcome."""
    panels = [_panel(frame[frame["unit"] == unit]) for unit in dict.fromkeys(frame["unit"])]
    step = 25 if size.is_wide else 38
    heights = [step * len(panel.lines()) for panel in panels]
    result = sheet(size, 6 + sum(heights) + AXIS * len(panels))
    numbers_wide = [_number(row, size) for _, row in frame.iterrows()]
    left = min(widest(label_of(row) for _, row in frame.iterrows()) + 20, 300) if size.is_wide else 16
    right = widest(numbers_wide) + 14
    top = 6.0
    for panel, height in zip(panels, heights, strict=True):
        ax = axes(result, Box(left, top, size.width - left - right, height))
        _draw(ax, panel, size, left)
        top += height + AXIS
    return result


def _panel(rows: pd.DataFrame) -> Panel:
    """Return the rows of a unit with the limits of their axis."""
    unit = str(rows["unit"].iloc[0])
    ends = [float(x) for name in ("value", "lo", "hi") for x in rows[name] if not math.isnan(x)]
    ends += [float(x) for name in ("true_from", "true_to") for x in rows[name] if math.isfinite(x)]
    ends.append(EVEN.get(unit, 0.0))
    spare = max((max(ends) - min(ends)) * 0.06, 0.005)
    return Panel(rows, (min(ends) - spare * (unit in EVEN), max(ends) + spare))


def _draw(ax: Axes, panel: Panel, size: Size, left: float) -> None:
    """Draw the lines of a panel and its axis."""
    lines = panel.lines()
    ax.set_xlim(*panel.limits)
    ax.set_ylim(len(lines) - 0.5, -0.5)
    ax.set_yticks([])
    _ticks(ax, panel, size)
    for y, (text, row) in enumerate(lines):
        if row is None:
            gutter(ax, 0, y, -left + 2, _heading(text, size.width - 4), weight="bold", bbox=PATCH, zorder=6)
        else:
            _row(ax, row, (y, text), (size, left))


def _heading(text: str, room: float) -> str:
    """Return the name of a tip cut until it fits in bold."""
    wider = text_width(text, bold=True) / text_width(text)
    return fitted(text, room / wider)


def _row(ax: Axes, row: pd.Series, line: tuple[int, str], where: tuple[Size, float]) -> None:
    """Draw a measurement: the range that makes its tip true, its bar and dot, its name and its number."""
    (y, text), (size, left) = line, where
    middle = y if size.is_wide else y + 0.22
    reach = (0.44, 0.44) if size.is_wide else (0.12, 0.24)
    start, end = ax.get_xlim()
    from_, to = max(float(row["true_from"]), start), min(float(row["true_to"]), end)
    ax.fill_between([from_, to], middle - reach[0], middle + reach[1], color=N2, linewidth=0, zorder=0.5)
    if size.is_wide:
        gutter(ax, 0, y, -left + 10, fitted(text, left - 18))
    else:
        gutter(ax, 0, y - 0.24, -6, fitted(text, size.width - 20), bbox=PATCH, zorder=6)
    value, lo, hi = (float(row[name]) for name in ("value", "lo", "hi"))
    if not math.isnan(value):
        error = None if math.isnan(lo + hi) else [[value - lo], [hi - value]]
        mark = MARKS[str(row["outcome"])]
        ax.errorbar([value], [middle], xerr=error, capsize=4, capthick=1.6, elinewidth=2, zorder=3, **mark)
    gutter(ax, 1, middle, 8, _number(row, size), color=MUTE if row["outcome"] == OPEN else INK)


def _number(row: pd.Series, size: Size) -> str:
    """Return the number at the right end of a row; a wide drawing has room for the outcome."""
    return f"{value_text(row)} {row['outcome']}" if size.is_wide else value_text(row)


def _ticks(ax: Axes, panel: Panel, size: Size) -> None:
    """Label the axis, and draw the line of no difference."""
    low, high = panel.limits
    most = 7 if size.is_wide else 4
    if panel.unit == TIMES:
        step = next(step for step in (0.1, 0.2, 0.5, 1, 2, 5, 10, 50) if (high - low) / step < most)
        ticks = [step * k for k in range(math.ceil(low / step), math.floor(high / step) + 1)]
        ax.set_xticks(ticks, [f"{numbers.number(tick, 0 if step >= 1 else 1)}×" for tick in ticks])
    else:
        ticks = share_ticks(max(low, 0), min(high, 1), most)
        ax.set_xticks(ticks, [f"{100 * tick:.0f}%" for tick in ticks])
    ax.xaxis.grid(True, color=LINE)
    if panel.unit in EVEN:
        ax.axvline(EVEN[panel.unit], color=INK, linewidth=1.3, zorder=1.5)
    label = LABELS.get(panel.unit, OTHER_LABEL)
    box = ax.get_window_extent()
    if text_width(label) > box.width:  # centred below the panel it would leave the sheet
        ax.set_xlabel(label, loc="left")
    else:
        ax.set_xlabel(label)


def words(frame: pd.DataFrame) -> Words:
    """Say how many measurements bear the tips out; ``what`` (claims, advice) and ``basis`` are attributes."""
    what = str(frame.attrs.get("what", "tips"))
    first = frame.iloc[0]
    basis = frame.attrs.get("basis", "bars are 95% intervals over duplicate pairs")
    thin = " Some bars are thinner than their marks." if _some_are_thin(frame) else ""
    items = [f"{row['tip']}, {label_of(row)}: {_spoken(row)}, {row['outcome']}" for _, row in frame.iterrows()]
    return Words(
        title=_title(frame, what),
        grey=f"Effect of each measurement; {basis}.{thin}",
        how="the shade is where the tip would be true. A filled dot lies in it with its whole bar, a hollow square "
        f"outside; a hollow grey dot is undecided. {capital(label_of(first))}: {value_text(first)}, so the tip "
        f"“{first['tip']}” {_concluded(str(first['outcome']))} there.",
        alt=f"Dots with bars: effect of each measurement of the {what}. " + alt_items(items, items[0], items[-1]),
    )


def _some_are_thin(frame: pd.DataFrame) -> bool:
    """Tell whether a mark hides its bar: it takes about a hundredth of the axis to either side."""
    panels = [_panel(frame[frame["unit"] == unit]) for unit in dict.fromkeys(frame["unit"])]
    return any(
        bool(((panel.rows["hi"] - panel.rows["lo"]) / 2 < 0.015 * (panel.limits[1] - panel.limits[0])).any())
        for panel in panels
    )


def _concluded(outcome: str) -> str:
    return "is undecided" if outcome == OPEN else outcome


def _title(frame: pd.DataFrame, what: str) -> str:
    """Say how many measurements speak for and against."""
    count = frame["outcome"].value_counts()
    holds, fails, unclear = (int(count.get(name, 0)) for name in (HOLDS, FAILS, OPEN))
    told = f"{capital(numbers.in_words(holds))} of {numbers.plural(len(frame), 'measurement')} "
    told += f"{'bears' if holds == 1 else 'bear'} the {what} out"
    rest = [f"{numbers.in_words(fails)} {'does' if fails == 1 else 'do'} not"] if fails else []
    rest += [f"{numbers.in_words(unclear)} {'is' if unclear == 1 else 'are'} undecided"] if unclear else []
    return told + (f", {numbers.listed(rest)}" if rest else "")


def _spoken(row: pd.Series) -> str:
    """Say an effect for those who do not see it."""
    if math.isnan(float(row["value"])):
        return "no value"
    if row["unit"] == TIMES:
        return value_text(row).replace("±", "times, plus or minus ")
    return numbers.spoken(float(row["value"]), float(row["lo"]), float(row["hi"]))
