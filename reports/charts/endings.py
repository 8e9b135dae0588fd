"""How deals end and who scores them: bars to both sides of zero, the dead deals in the gutter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from reports.canvas import Box, Size, axes, beside, fitted, gutter, sheet, text_width, versus, write
from reports.names import capital
from reports.numbers import of_100, percent, points
from reports.rows import name_width, row_axes, row_middle
from reports.scales import set_share_ticks, share_ticks
from reports.style import A2, A3, B2, B3, BG, INK, MUTE, ON2, A, B, styled
from reports.words import Words, alt_items

MOST_PAIRINGS = 8
"""More pairings than this are shown per player instead."""
ENDINGS = ("gin", "knock", "undercut")
"""From the middle outward; those that the rules do not have are not in the frame, and not drawn."""
KEY = {
    "gin": "Full colour is gin",
    "knock": "paler a knock",
    "undercut": "hatched an undercut, which the defender scores",
}
Look = tuple[str, str | None, str]
LOOK: dict[str, dict[str, Look]] = {
    "left": {"gin": (A, None, BG), "knock": (A2, None, ON2), "undercut": (A3, A, INK)},
    "right": {"gin": (B, None, BG), "knock": (B2, None, ON2), "undercut": (B3, B, INK)},
}
"""Fill, hatch and text colour of each ending on each side."""
RIVALS = "rivals"
"""The right side of a row that stands for a player and all its rivals."""
OFTEN = 0.1
"""A share of undercuts worth the title, and twice the lead that is."""


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
            "right": RIVALS if per_player else endings["b"],
            "side": endings["scorer"].map(sides),
            "ending": endings["ending"].replace({"big_gin": "gin", "wall": "dead", "turn_cap": "dead"}),
            "share": endings["share"],
        }
    )
    return table.groupby(["left", "right", "side", "ending"], sort=False)["share"].sum().reset_index()


Pair = tuple[str, str]
"""What names a row: the left and the right side."""
Shares = dict[tuple[str, str], float]
"""The shares of one row, by side and ending."""


def shares_by_row(frame: pd.DataFrame) -> dict[Pair, Shares]:
    """Return the table `by_side` as look-ups: (left, right) -> (side, ending) -> share."""
    result: dict[Pair, Shares] = {}
    for left, right, side, ending, share in frame.itertuples(index=False):
        result.setdefault((str(left), str(right)), {})[str(side), str(ending)] = float(share)
    return result


@styled
def figure(frame: pd.DataFrame, size: Size) -> Figure:
    """Draw the table that `by_side` makes, with short names."""
    shares = shares_by_row(frame)
    kinds = _kinds(frame)
    titles = [_row_title(row, name_width(size)) for row in shares]
    step = (40 if len(shares) <= MOST_PAIRINGS else 30) if size.is_wide else 50
    result = sheet(size, 50 + step * len(shares) + 44)
    _legend(result, kinds)
    ax = row_axes(result, titles, (50, step), 58)
    _axis(ax, shares, size, frame.attrs.get("who", "player"))
    write(result, size.width - 4, 40, "dead", ha="right", color=MUTE)
    for place, own in enumerate(shares.values()):
        y = row_middle(place, size)
        _bars(ax, own, y, size)
        gutter(ax, 1, y, 54, percent(own.get(("dead", "dead"), 0.0)), ha="right", color=MUTE)
    return result


def _kinds(frame: pd.DataFrame) -> list[str]:
    """Return the endings that the rules have, from the middle outward."""
    return [ending for ending in ENDINGS if (frame["ending"] == ending).any()]


def _row_title(row: Pair, width: float) -> str:
    """Name a row: a pairing, or a player whose rivals are all on the right."""
    return fitted(row[0], width) if row[1] == RIVALS else versus(*row, width)


def _legend(result: Figure, kinds: Sequence[str]) -> None:
    """Show each ending in both colours."""
    left = 4.0
    for ending in kinds:
        ax = axes(result, Box(left, 6, 36, 12))
        ax.axis("off")
        ax.set_xlim(0, 2)
        ax.set_ylim(0, 1)
        for number, side in enumerate(("left", "right")):
            _segment(ax, (number, 0.0, 1.0, 1.0), LOOK[side][ending])
        write(result, left + 42, 13, ending, ha="left")
        left += 42 + text_width(ending) + 18


def _axis(ax: Axes, shares: Mapping[Pair, Shares], size: Size, who: str) -> None:
    """Make an axis with zero in the middle, as wide on both sides as the longest bar; `who` plays: player or side."""
    bars = [_scored(own, side) for own in shares.values() for side in LOOK]
    reach = max(1.04 * max(bars), 0.1)
    ax.set_xlim(-reach, reach)
    ticks = share_ticks(0, reach, 4 if size.is_wide else 3)
    set_share_ticks(ax, [-tick for tick in ticks[:0:-1]] + ticks)
    ax.axvline(0, color=INK, linewidth=1.3, zorder=4)
    one, other = (f"the {who}", "its rivals") if _per_player(shares) else ("the first-named", "the other")
    start = "scored by " if size.is_wide else ""
    below = {"xycoords": ax.get_xaxis_transform(), "color": MUTE}
    beside(ax, (0, 0), (-10, -30), f"← {start}{one}", ha="right", **below)
    beside(ax, (0, 0), (10, -30), f"{start}{other} →", ha="left", **below)


def _scored(own: Shares, side: str) -> float:
    """Return the share of deals that a side scored."""
    return sum(own.get((side, ending), 0.0) for ending in ENDINGS)


def _per_player(shares: Mapping[Pair, Shares]) -> bool:
    """Tell whether a row is a player and all its rivals, not a pairing."""
    return all(right == RIVALS for _, right in shares)


def _bars(ax: Axes, own: Shares, middle: float, size: Size) -> None:
    """Draw one row's segments outward from zero, with their numbers where they fit."""
    height, least = (0.56, 0.04) if size.is_wide else (0.44, 0.09)
    units = ax.get_window_extent().width / (2 * ax.get_xlim()[1])
    for side, sign in (("left", -1), ("right", 1)):
        edge = 0.0
        for ending in ENDINGS:
            share = own.get((side, ending), 0.0)
            start = edge if sign > 0 else -edge - share
            edge += share
            if share > 0:
                _segment(ax, (start, middle - height / 2, share, height), LOOK[side][ending])
            text = points(share, 0)
            if share >= least and share * units >= text_width(text) + 6:
                _inside(ax, (start + share / 2, middle), text, LOOK[side][ending])


def _inside(ax: Axes, place: tuple[float, float], text: str, look: Look) -> None:
    """Write a number inside a segment; on a hatched one with a patch behind."""
    fill, hatch, tone = look
    patch = {"facecolor": fill, "edgecolor": "none", "pad": 1} if hatch else None
    beside(ax, place, (0, 0), text, ha="center", color=tone, bbox=patch, zorder=5)


def _segment(ax: Axes, box: tuple[float, float, float, float], look: Look) -> None:
    """Draw one segment: left, lower edge, width and height; hatched if its look has a hatch colour."""
    left, bottom, width, height = box
    fill, hatch, _ = look
    patch = Rectangle((left, bottom), width, height, facecolor=fill, edgecolor=hatch or "none", linewidth=0)
    if hatch:
        patch.set_hatch("////" if fill == A3 else "\\\\\\\\")
    ax.add_patch(patch)
    for edge in (left, left + width):
        ax.plot([edge, edge], [bottom, bottom + height], color=BG, linewidth=1.2, zorder=3)


def words(frame: pd.DataFrame) -> Words:
    """Say which ending decides, from the same frame as `figure`.

    Attributes of it: ``error``, how wide its intervals are at most, as text; ``who`` plays, player or side;
    ``big_gin``, whether the rules have it.
    """
    shares, kinds, who = shares_by_row(frame), _kinds(frame), frame.attrs.get("who", "player")
    rows = list(shares)
    items = [_spoken(own, row, kinds) for row, own in shares.items()]
    whose, scored = "each pairing", "blue was scored by the first-named, orange by the other"
    if _per_player(shares):
        whose = f"each {who}’s matches, the mean over its opponents"
        scored = f"blue was scored by the {who}, orange by its rivals"
    key = ", ".join(KEY[ending] for ending in kinds)
    if frame.attrs.get("big_gin"):
        key = key.replace("is gin", "is gin or big gin", 1)
    return Words(
        title=_title(shares),
        grey=f"How deals end in {whose}, per 100 deals; {scored}; 95% intervals are within "
        f"{frame.attrs.get('error', '±?')} points.",
        how=f"{_worked(shares[rows[0]], rows[0])} {key}; dead deals, which nobody scores, are at the right.",
        alt="Bars to both sides of zero: how deals end, by who scored. " + alt_items(items, items[0], items[-1]),
    )


def _worked(own: Shares, row: Pair) -> str:
    """Read the longest segment on the left of a row aloud."""
    ending = max(ENDINGS, key=lambda kind: own.get(("left", kind), 0.0))
    against = "" if row[1] == RIVALS else f" against {_rival(row)}"
    return f"{capital(row[0])} scores {of_100(own.get(('left', ending), 0.0))} deals by {ending}{against}."


def _rival(row: Pair) -> str:
    """Name the right side of a row."""
    if row[1] == RIVALS:
        return "its rivals"
    return "itself" if row[0] == row[1] else row[1]


def _spoken(own: Shares, row: Pair, kinds: Sequence[str]) -> str:
    """Say one row for those who do not see it."""
    sides = []
    for side, name in (("left", row[0]), ("right", _rival(row))):
        parts = [f"{ending} {points(own.get((side, ending), 0.0), 0)}" for ending in kinds]
        sides.append(f"{name} " + ", ".join(parts))
    return f"{' against '.join(sides)}, dead {percent(own.get(('dead', 'dead'), 0.0))}"


def _title(shares: Mapping[Pair, Shares]) -> str:
    """State the ending that decides: frequent undercuts, else that in which two sides differ most."""
    undercuts = [(own.get((side, "undercut"), 0.0), row, side) for row, own in shares.items() for side in LOOK]
    if max(undercuts)[0] >= OFTEN:
        return _undercut_title(*max(undercuts))
    leads = [(abs(_lead(own, ending)), row, ending) for row, own in shares.items() for ending in ENDINGS]
    lead, row, ending = max(leads)
    own = shares[row]
    if lead < OFTEN / 2:
        return _frequent_title(own, row)
    sides = ("left", "right") if _lead(own, ending) > 0 else ("right", "left")
    more, less = (own.get((side, ending), 0.0) for side in sides)
    one, other = (row[0] if side == "left" else _rival(row) for side in sides)
    if one == "its rivals":
        one, other = f"rivals of {row[0]}", row[0]
    verb = "scores" if ending == "undercut" else "ends"
    return f"{capital(one)} {verb} {of_100(more)} deals by {ending}, {other} {points(less, 0)}"


def _lead(own: Shares, ending: str) -> float:
    """Return how much more the left side scores by an ending than the right."""
    return own.get(("left", ending), 0.0) - own.get(("right", ending), 0.0)


def _undercut_title(share: float, row: Pair, side: str) -> str:
    """State where most deals end in an undercut, and who suffers it; `side` scores it."""
    if side == "right":
        against = "" if row[1] == RIVALS else f" against {_rival(row)}"
        return f"{capital(row[0])} is undercut in {of_100(share)} deals{against}"
    if row[1] == RIVALS:
        return f"{capital(row[0])} undercuts its rivals in {of_100(share)} deals"
    return f"{capital(row[1])} is undercut in {of_100(share)} deals against {row[0]}"


def _frequent_title(own: Shares, row: Pair) -> str:
    """State the ending with the largest share, where two sides are much alike."""
    total = {ending: own.get(("left", ending), 0.0) + own.get(("right", ending), 0.0) for ending in ENDINGS}
    ending = max(total, key=lambda kind: total[kind])
    name = {"gin": "Gin", "knock": "A knock", "undercut": "An undercut"}[ending]
    return f"{name} ends {of_100(total[ending])} deals of {row[0]} against {_rival(row)}"
