"""The title of the openings chart claims a lag only where the curves show one."""

from __future__ import annotations

import pandas as pd
import pytest

from reports.charts.openings import words


def frame(behind: float) -> pd.DataFrame:
    """Return curves of two players in one column, B's lower than A's by so much, both half open near deal 3."""
    rows = []
    for side, player, less in (("A", "early", 0.0), ("B", "late", behind)):
        shares = [max(share - less, 0) for share in (0.2, 0.4, 0.51, 0.7, 0.9)]
        half = next(deal for deal, share in enumerate(shares, 1) if share >= 0.5)
        for deal, share in enumerate(shares, 1):
            rows.append(("early", "late", side, player, 1, deal, share, share, share, half))
    names = ["a", "b", "side", "player", "column", "deal", "share", "lo", "hi", "half_open_by"]
    return pd.DataFrame(rows, columns=names)


@pytest.mark.parametrize(
    ("behind", "title"),
    [
        (0.3, "Early opens its first column two deals before late"),
        (0.1, "Early opens its first column one deal before late"),
        (0.02, "Early and late open their columns at nearly the same pace, within two points"),
    ],
)
def test_lag_is_claimed_only_where_the_curves_are_apart(behind: float, title: str) -> None:
    assert words(frame(behind)).title == title
