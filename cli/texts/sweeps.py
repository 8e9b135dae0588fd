"""What a sweep came to: the best setting and its plateau, a row a setting with a picture, the matrix."""

from __future__ import annotations

import math
import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING

from analysis.simultaneous import LEAST_BLOCKS
from cli.texts.commands import folded, rules_text, shown
from cli.texts.words import LINE_WIDTH, bold, cut_middle, dim, plus_minus, rounded_up, short_count, signed, wrapped
from sim.batch.tally import BLOCK_PAIRS

if TYPE_CHECKING:
    from experiments.sweep import ArmResult, Sweep

LABEL_WIDTH = 18
PICTURE_WIDTH = 22
CELL_WIDTH = 8


def sweep_text(s: Sweep, again: Sequence[str]) -> str:
    """Say which settings are best, and show all of them; `again` is the command that plays the sweep again."""
    plan = s.layout.plan
    width = min(max(len(_label(s, arm)) for arm in s.arms), LABEL_WIDTH)
    width = max(width, min(len(_heading(s)), LABEL_WIDTH))
    scale = _Scale(s.arms)
    rivals = "each other" if s.layout.each_other else ", ".join(s.layout.opponents)
    total = sum(arm.pairs for arm in s.arms) * max(len(s.layout.opponents), 1)
    if s.layout.each_other:
        total = plan.total_pairs()
    return "\n".join(
        [
            *map(bold, wrapped(finding(s))),
            f"  {cut_middle(_heading(s), width):>{width}}  matches  {'for all ' + str(len(s.arms)):<11}  deals points"
            f"  {scale.heading()}",
            *(_row(arm, cut_middle(_label(s, arm), width).rjust(width), scale) for arm in s.arms),
            *wrapped(_legend(s), "  ", "  "),
            *wrapped(
                f"against {rivals} · {total:,} pairs · {s.deals:,} deals · {s.seconds:.1f} s"
                f" · {short_count(s.deals / max(s.seconds, 1e-9))} deals/s",
                "  ",
                "    ",
            ),
            *map(dim, wrapped(f"rules  {rules_text(plan)}, seed {plan.seed}", "  ", "    ")),
            *folded(again, "  again  ", "           "),
            f"  saved  {shown(s.run)}",
            f"  next   hollywood report {shlex.quote(shown(s.run))}",
        ]
    )


def finding(s: Sweep) -> str:
    """Say which setting is best and which are as good."""
    best = next(arm for arm in s.arms if arm.is_best)
    good = [arm for arm in s.arms if arm.on_plateau]
    told = f"{100 * best.match_win_rate:.1f}% of matches"
    if len(good) == len(s.arms):
        return f"undecided: no setting is clearly better than another; {best.arm.label} has most, {told}."
    if len(good) == 1:
        return f"Best is {best.arm.label}, with {told}; no other setting is as good."
    return f"As good as the best: {_listed(s, good)}. Most has {best.arm.label}, {told}."


def _listed(s: Sweep, good: Sequence[ArmResult]) -> str:
    """Name settings; neighbours in order as a range."""
    places = [s.arms.index(arm) for arm in good]
    labels = [arm.arm.label for arm in good]
    if len(labels) > 2 and places == list(range(places[0], places[-1] + 1)) and len(good[0].arm.values) == 1:
        return f"{labels[0]} to {labels[-1]}"
    shown = labels if len(labels) <= 6 else [*labels[:5], f"{len(labels) - 5} more"]
    return ", ".join(shown[:-1]) + f" and {shown[-1]}"


def _heading(s: Sweep) -> str:
    names = list(s.arms[0].arm.values)
    return names[0] if len(names) == 1 else "setting"


def _label(s: Sweep, arm: ArmResult) -> str:
    """Name a setting in the table: where some names would be cut, and so may look alike, by its values alone."""
    return arm.arm.label if not _only_values(s) else "/".join(arm.arm.values.values())


def _only_values(s: Sweep) -> bool:
    return len(s.arms[0].arm.values) > 1 and max(len(arm.arm.label) for arm in s.arms) > LABEL_WIDTH


class _Scale:
    """A picture of shares in a row of characters."""

    def __init__(self, arms: Sequence[ArmResult]) -> None:
        low = min(0.5, *(arm.match_win_rate for arm in arms))
        high = max(0.5, *(arm.match_win_rate for arm in arms))
        self._low = max(math.floor(100 * low / 5 - 1e-9) / 20, 0.0)
        self._high = min(max(math.ceil(100 * high / 5 + 1e-9) / 20, self._low + 0.1), 1.0)

    def _place(self, share: float) -> int:
        return round((share - self._low) / (self._high - self._low) * (PICTURE_WIDTH - 1))

    def heading(self) -> str:
        """Return the ends of the scale."""
        left, right = f"{100 * self._low:.0f}%", f"{100 * self._high:.0f}%"
        return left + right.rjust(PICTURE_WIDTH - len(left))

    def picture(self, share: float) -> str:
        """Return a star at the share and a line at one half."""
        row = [" "] * PICTURE_WIDTH
        row[self._place(0.5)] = "|"
        row[self._place(share)] = "*"
        return "".join(row).rstrip()


def _row(arm: ArmResult, name: str, scale: _Scale) -> str:
    mark = ">" if arm.on_plateau else " "
    points = arm.sums.points_a_win
    each = "-" if points is None else f"{points:.1f}"
    limits = plus_minus((arm.low, arm.high)) + (" out" if arm.dropped else "")
    return (
        f"{mark} {bold(name) if arm.is_best else name}  {100 * arm.match_win_rate:6.1f}%  {limits:<11} "
        f"{100 * arm.sums.deal_win_rate:5.1f}% {each:>6}  {scale.picture(arm.match_win_rate)}"
    ).rstrip()


def _legend(s: Sweep) -> str:
    out = " out: clearly worse than the leader, dropped." if any(arm.dropped for arm in s.arms) else ""
    setting = f" setting: {'/'.join(s.arms[0].arm.values)}." if _only_values(s) else ""
    most = max(arm.pairs for arm in s.arms)
    early = f" The race ended at {most:,} pairs, with one setting left." if most < s.layout.plan.pairs else ""
    few = LEAST_BLOCKS * BLOCK_PAIRS
    wide = f" Below {few:,} pairs intervals are wider than they need be." if most < few else ""
    return f"> as good as the best.{out}{early} deals: share of the deals won. points: of a deal won.{setting}{wide}"


def matrix_text(s: Sweep) -> str:
    """Show the difference of every setting from every other, in points of the matches; undecided ones in brackets."""
    mean, low, high = s.matrix
    arms = s.survivors
    labels = [cut_middle("/".join(arm.arm.values.values()), LABEL_WIDTH) for arm in arms]
    width = max(map(len, labels))
    lines = ["", "", "  row minus column, points of the matches; (undecided, all at once)"]
    room = (LINE_WIDTH - width - 3) // CELL_WIDTH
    for start in range(0, len(arms), room):
        columns = range(start, min(start + room, len(arms)))
        lines.append(
            " " * (width + 2) + "".join(f"{cut_middle(labels[k], CELL_WIDTH - 1):>{CELL_WIDTH}}" for k in columns)
        )
        for j, label in enumerate(labels):
            cells = [_cell(mean[j, k], low[j, k] <= 0 <= high[j, k]) if j != k else _aligned(".") for k in columns]
            lines.append((f"  {label:>{width}} " + "".join(cells)).rstrip())
    half = (high - low).max() / 2 if len(arms) > 1 else 0.0
    return "\n".join([*lines, f"  every difference to within ±{rounded_up(100 * half)} at most"])


def _cell(difference: float, undecided: bool) -> str:
    text = signed(100 * difference)
    return f"{f'({text})':>{CELL_WIDTH}}" if undecided else _aligned(text)


def _aligned(text: str) -> str:
    """Return the text of a cell without brackets, in line with those in brackets."""
    return f"{text + ' ':>{CELL_WIDTH}}"
