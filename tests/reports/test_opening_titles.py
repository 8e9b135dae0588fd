"""The title of the openings chart claims a lag only where the curves show one."""

from __future__ import annotations

import itertools

import pandas as pd
import pytest

from reports.charts.openings import at_rounds, words


def frame(behind: float, columns: int) -> pd.DataFrame:
    """Return curves of two players, in the last column B's lower than A's by so much, all half open near deal 3."""
    rows = []
    for column, side in itertools.product(range(1, columns + 1), "AB"):
        player, less = {"A": ("early", 0.0), "B": ("late", behind if column == columns else 0.0)}[side]
        shares = [max(share - less, 0) for share in (0.2, 0.4, 0.51, 0.7, 0.9)]
        half = next(deal for deal, share in enumerate(shares, 1) if share >= 0.5)
        for deal, share in enumerate(shares, 1):
            rows.append(("early", "late", side, player, column, deal, share, share, share, half))
    names = ["a", "b", "side", "player", "column", "deal", "share", "lo", "hi", "half_open_by"]
    return pd.DataFrame(rows, columns=names)


@pytest.mark.parametrize(
    ("behind", "columns", "title"),
    [
        (0.3, 3, "Early opens its third column two deals before late"),
        (0.1, 3, "Early opens its third column one deal before late"),
        (0.02, 3, "Early and late open their columns at nearly the same pace, within two points"),
        (0.3, 1, "Early opens its column two deals before late"),
        (0.02, 1, "Early and late open the column at nearly the same pace, within two points"),
    ],
)
def test_lag_is_claimed_only_where_the_curves_are_apart(behind: float, columns: int, title: str) -> None:
    assert words(frame(behind, columns)).title == title


def test_curves_of_partners_have_their_marks_at_the_second_deal_of_each_round() -> None:
    kept = at_rounds(frame(0.3, 1), 2)
    assert set(kept["deal"]) == {2, 4}
    kept.attrs["deals_a_round"] = 2
    assert "marked at the second deal of each round" in words(kept).grey
    assert len(at_rounds(frame(0.3, 1), 1)) == len(frame(0.3, 1))
