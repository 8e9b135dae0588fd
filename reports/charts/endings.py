"""How deals end and who scores them: bars to both sides of zero, the dead deals in the gutter."""

from __future__ import annotations

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from reports import names, numbers
from reports.canvas import Box, Size, axes, fitted, sheet, text_width, versus, widest, write
from reports.scales import share_ticks
from reports.style import A2, A3, B2, B3, BG, INK, LINE, MUTE, ON2, A, B, styled
from reports.words import Words, alt_items

MOST_PAIRINGS = 8
"""More pairings than this are shown per player instead."""
ENDINGS = ("gin", "knock", "undercut")
"""From the middle outward."""
LOOK = {
    "left": {"gin": (A, None, BG), "knock": (A2, None, ON2), "undercut": (A3, A, INK)},
    "right": {"gin": (B, None, BG), "knock": (B2, None, ON2), "undercut": (B3, B, INK)},
}
"""Fill, hatch and text colour of each ending on each side."""
NAME_WIDTH = 240
OFTEN = 0.1
"""A share of undercuts worth the title."""


def by_side(endings: pd.DataFrame) -> pd.DataFrame:
    """Return the bars: left, right (names), side ("left", "right", "dead"), ending, share.

    From `analysis.endings` (left is A, right B) or `analysis.endings_by_player` (left the player, right its
    rivals). Big gin counts as gin, wall and turn cap as dead.
    """
    sides = {"A": "left", "B": "right", "player": "left", "rivals": "right", "nobody": "dead"}
    per_player = "player" in endings.columns
    table = pd.DataFrame(
        {
            "left": endings["player" if per_player else "a"],
            "right": "rivals" if per_player else endings["b"],
            "side": endings["scorer"].map(sides),
            "ending": endings["ending"].replace({"big_gin": "gin", "wall": "dead", "turn_cap": "dead"}),
            "share": endings["share"],
        }
    )
    return table.groupby(["left", "right", "side", "ending"], sort=False, as_index=False)["share"].sum()


Shares = dict[tuple[str, str], float]
"""The shares of one row, by side and ending."""


def shares_by_row(frame: pd.DataFrame) -> dict[tuple[str, str], Shares]:
    """Return the table `by_side` as look-ups: (left, right) -> (side, ending) -> share."""
    result: dict[tuple[str, str], Shares] = {}
    for left, right, side, ending, share in frame.itertuples(index=False):
        result.setdefault((str(left), str(right)), {})[str(side), str(ending)] = float(share)
    return result


@styled
def figure(frame: pd.DataFrame, size: Size) -> Figure:
    """Draw the table that `by_side` makes, with short names."""
    shares = shares_by_row(frame)
    rows = list(shares)
    width = NAME_WIDTH if size.is_wide else size.width - 60
    titles = [_row_title(left, right, width) for left, right in rows]
    step = 40 if size.is_wide else 54
    if len(rows) > MOST_PAIRINGS:
        step = 30 if size.is_wide else 46
    result = sheet(size, 50 + step * len(rows) + 44)
    _legend(result)
    left_edge = widest(titles) + 12 if size.is_wide else 8.0
    gutter = 58
    ax = axes(result, Box(left_edge, 50, size.width - left_edge - gutter, step * len(rows)))
    ax.set_ylim(len(rows) - 0.5, -0.5)
    ax.set_yticks([])
    _axis(ax, frame, size)
    write(result, size.width - 4, 40, "dead", ha="right", color=MUTE)
    for place, row in enumerate(rows):
        own = shares[row]
        _bars(ax, own, place, size)
        _names(ax, (titles[place], numbers.percent(own.get(("dead", "dead"), 0.0))), place, size)
    return result


def _row_title(left: str, right: str, width: float) -> str:
    """Name a row: a pairing, or a player whose rivals are all on the right."""
    return fitted(left, width) if right == "rivals" else versus(left, right, width)


def _legend(result: Figure) -> None:
    """Show each ending in both colours."""
    left = 4.0
    for ending in ENDINGS:
        ax = axes(result, Box(left, 6, 36, 12))
        ax.axis("off")
        ax.set_xlim(0, 2)
        ax.set_ylim(0, 1)
        for number, side in enumerate(("left", "right")):
            _segment(ax, (number, 0.0, 1.0, 1.0), LOOK[side][ending])
        write(result, left + 42, 13, ending, ha="left")
        left += 42 + text_width(ending) + 18


def _axis(ax: Axes, frame: pd.DataFrame, size: Size) -> None:
    """Make an axis with zero in the middle, as wide on both sides as the longest bar."""
    scored = frame[frame["side"] != "dead"]
    reach = max(float(scored.groupby(["left", "right", "side"])["share"].sum().max()) * 1.04, 0.1)
    ax.set_xlim(-reach, reach)
    ticks = share_ticks(0, reach, 4 if size.is_wide else 3)
    both = [-tick for tick in ticks[:0:-1]] + ticks
    ax.set_xticks(both, [f"{abs(100 * tick):.0f}%" for tick in both])
    ax.xaxis.grid(True, color=LINE)
    ax.axvline(0, color=INK, linewidth=1.3, zorder=4)
    per_player = (frame["right"] == "rivals").all()
    one, other = ("by the player", "by its rivals") if per_player else ("by the first-named", "by the other")
    if not size.is_wide:
        one, other = ("player", "rivals") if per_player else ("first-named", "other")
    start = "scored " if size.is_wide else ""
    for side, text, align in ((-10, f"← {start}{one}", "right"), (10, f"{start}{other} →", "left")):
        ax.annotate(
            text, (0, 0), (side, -30), xycoords=ax.get_xaxis_transform(), textcoords="offset points",
            ha=align, va="center_baseline", color=MUTE,
        )  # fmt: skip


def _bars(ax: Axes, own: Shares, place: int, size: Size) -> None:
    """Draw one row's segments outward from zero, with their numbers where they fit."""
    height, middle = (0.56, place) if size.is_wide else (0.42, place + 0.2)
    least = 0.04 if size.is_wide else 0.09
    for side, sign in (("left", -1), ("right", 1)):
        edge = 0.0
        for ending in ENDINGS:
            share = own.get((side, ending), 0.0)
            if share <= 0:
                continue
            look = LOOK[side][ending]
            start = edge if sign > 0 else -edge - share
            _segment(ax, (start, middle - height / 2, share, height), look)
            if share >= least:
                patch = {"facecolor": look[0], "edgecolor": "none", "pad": 1} if look[1] else None
                ax.text(
                    start + share / 2, middle, numbers.points(share, 0), ha="center", va="center_baseline",
                    color=look[2], bbox=patch, zorder=5,
                )  # fmt: skip
            edge += share


def _segment(ax: Axes, box: tuple[float, float, float, float], look: tuple[str, str | None, str]) -> None:
    """Draw one segment: left, lower edge, width and height; hatched if its look has a hatch colour."""
    left, bottom, width, height = box
    fill, hatch, _ = look
    if hatch:
        pattern = "////" if fill == A3 else "\\\\\\\\"
        ax.add_patch(
            Rectangle(
                (left, bottom), width, height, facecolor=fill, edgecolor=hatch, hatch=pattern, linewidth=0
            )
        )
    else:
        ax.add_patch(Rectangle((left, bottom), width, height, facecolor=fill, edgecolor="none"))
    edge = {"color": BG, "linewidth": 1.2, "zorder": 3}
    ax.plot([left, left], [bottom, bottom + height], **edge)
    ax.plot([left + width, left + width], [bottom, bottom + height], **edge)


def _names(ax: Axes, texts: tuple[str, str], place: int, size: Size) -> None:
    """Write a row's name, and its dead deals in the gutter."""
    name, dead = texts
    grid = ax.get_yaxis_transform()
    y = place if size.is_wide else place + 0.2
    if size.is_wide:
        ax.text(-0.015, place, name, transform=grid, ha="right", va="center_baseline", clip_on=False)
    else:
        box = {"facecolor": BG, "edgecolor": "none", "pad": 1}
        ax.text(
            0,
            place - 0.22,
            name,
            transform=grid,
            ha="left",
            va="center_baseline",
            clip_on=False,
            bbox=box,
            zorder=6,
        )
    ax.annotate(
        dead,
        (1, y),
        (54, 0),
        xycoords=grid,
        textcoords="offset points",
        ha="right",
        va="center_baseline",
        color=MUTE,
    )


def words(frame: pd.DataFrame) -> Words:
    """Say which ending decides, from the same frame as `figure`; ``error`` is an attribute: the widest half interval."""
    shares = shares_by_row(frame)
    rows = list(shares)
    per_player = rows[0][1] == "rivals"
    items = [_spoken(shares[row], row) for row in rows]
    first = shares[rows[0]]
    largest = max(ENDINGS, key=lambda ending: first.get(("left", ending), 0.0))
    whose = "each player's matches, the mean over its opponents" if per_player else "each pairing"
    scored = (
        "blue was scored by the player, orange by its rivals"
        if per_player
        else "blue was scored by the first-named player, orange by the other"
    )
    error = numbers.plus_minus(0, 0, 100 * float(frame.attrs.get("error", 0.0)))
    limits = f"; 95% intervals are at most {error} points" if error else ""
    return Words(
        title=_title(shares),
        grey=f"How deals end in {whose}, per 100 deals; {scored}{limits}.",
        how=f"{names.capital(rows[0][0])} scores {numbers.points(first.get(('left', largest), 0.0), 0)} of 100 deals by {largest}"
        f"{'' if per_player else ' against ' + _rival(rows[0])}. Dark is gin, paler a knock, hatched an undercut, which the defender "
        "scores; dead deals (no score, dealt again) are at the right.",
        alt="Bars to both sides of zero: how deals end, by who scored. "
        + alt_items(items, items[0], items[-1]),
    )


def _rival(row: tuple[str, str]) -> str:
    return "itself" if row[0] == row[1] else row[1]


def _spoken(own: Shares, row: tuple[str, str]) -> str:
    """Say one row for those who do not see it."""
    sides = []
    for side, name in (("left", row[0]), ("right", _rival(row))):
        parts = [f"{ending} {numbers.points(own.get((side, ending), 0.0), 0)}" for ending in ENDINGS]
        sides.append(f"{name} " + ", ".join(parts))
    return f"{' against '.join(sides)}, dead {numbers.percent(own.get(('dead', 'dead'), 0.0))}"


def _title(shares: dict[tuple[str, str], Shares]) -> str:
    """State the ending that decides: frequent undercuts, else that in which two sides differ most."""
    rows = list(shares)
    victim = _undercut(shares)
    if victim:
        return victim
    best: tuple[float, tuple[str, str], str] = (-1.0, rows[0], "knock")
    for row, own in shares.items():
        for ending in ENDINGS:
            lead = abs(own.get(("left", ending), 0.0) - own.get(("right", ending), 0.0))
            best = max(best, (lead, row, ending))
    lead, row, ending = best
    left, right = (shares[row].get((side, ending), 0.0) for side in ("left", "right"))
    if lead < 0.01:
        return f"{names.capital(_most_frequent(shares[rows[0]]))} decides most deals"
    one, other = (row[0], _rival(row)) if left > right else (_rival(row), row[0])
    if row[1] == "rivals":
        one, other = (row[0], "its rivals") if left > right else (f"the rivals of {row[0]}", "the player")
    more, less = max(left, right), min(left, right)
    verb = "scores" if ending == "undercut" else "ends"
    return f"{names.capital(one)} {verb} {numbers.of_100(more)} deals by {ending}, {other} {numbers.points(less, 0)}"


def _undercut(shares: dict[tuple[str, str], Shares]) -> str:
    """State where most deals end in an undercut, if it is one in ten or more."""
    sides = (
        (own.get((side, "undercut"), 0.0), row, side)
        for row, own in shares.items()
        for side in ("left", "right")
    )
    share, row, side = max(sides)
    if share < OFTEN:
        return ""
    victim, rival = (row[0], _rival(row)) if side == "right" else (_rival(row), row[0])
    if row[1] != "rivals":
        return f"{names.capital(victim)} is undercut in {numbers.of_100(share)} deals against {rival}"
    if side == "right":
        return f"{names.capital(victim)} is undercut in {numbers.of_100(share)} of its deals"
    return f"{names.capital(rival)} undercuts its rivals in {numbers.of_100(share)} deals"


def _most_frequent(own: Shares) -> str:
    """Name the ending with the largest share of a row."""
    total = {ending: own.get(("left", ending), 0.0) + own.get(("right", ending), 0.0) for ending in ENDINGS}
    return {"gin": "gin", "knock": "a knock", "undercut": "an undercut"}[
        max(total, key=lambda ending: total[ending])
    ]
