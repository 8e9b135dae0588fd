"""Sums over the duplicate pairs of a part: small enough to keep in its line, enough for rates with intervals."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from sim.rows import MAX_SIDES, TIE, TIE_OF_THREE

SEATINGS = 6
"""Matches played with one card stream in three-handed play."""

Tally = dict[str, Any]
"""Counts by name; `add` sums two of them field by field.

pair_scores: pairs by A's match score over both legs, 0 1/4 1/2 3/4 1 (ties half), five counts
columns_a, columns_b: columns 1, 2, 3 won by each side, three counts each
deals_won, deals_scored: by A and by both, over all matches; won_squared, won_scored and scored_squared are the sums of
their squares and product over pairs, for the interval of their ratio
deal_points_a, deal_points_b: points of the deals each side scored

Of three-handed play: pairs (card streams, each in six seatings), deals, ties; scores and scores_squared are the sums
and sums of squares over card streams of what each side made of the six matches, in thirds of a match: 3 a match won, 1
each for a tie, so 0 to 18
"""


def tally(rows: npt.NDArray[np.void]) -> Tally:
    """Return the tally of match rows, shape (2 * pairs,), the legs of a pair side by side."""
    score = np.where(rows["match_winner"] == TIE, 1, 2 * (rows["match_winner"] == 0))
    pair_score = score[::2] + score[1::2]
    won = rows["deals_won"].astype(np.int64)
    a, scored = (values[::2] + values[1::2] for values in (won[:, 0], won.sum(axis=1)))
    return {
        "pairs": len(rows) // 2,
        "deals": int(rows["deals_played"].sum()),
        "pair_scores": np.bincount(pair_score, minlength=5).tolist(),
        "columns_a": (rows["column_winner"] == 0).sum(axis=0).tolist(),
        "columns_b": (rows["column_winner"] == 1).sum(axis=0).tolist(),
        "deals_won": int(a.sum()),
        "deals_scored": int(scored.sum()),
        "won_squared": int((a * a).sum()),
        "won_scored": int((a * scored).sum()),
        "scored_squared": int((scored * scored).sum()),
        "deal_points_a": int(rows["deal_points"][:, 0].sum()),
        "deal_points_b": int(rows["deal_points"][:, 1].sum()),
    }


def tally_trios(rows: npt.NDArray[np.void]) -> Tally:
    """Return the tally of three-handed match rows, shape (6 * pairs,), the seatings of a card stream side by side."""
    winner = rows["match_winner"][:, None]
    thirds = np.where(winner == TIE_OF_THREE, 1, 3 * (winner == np.arange(MAX_SIDES)))
    scores = thirds.reshape(-1, SEATINGS, MAX_SIDES).sum(axis=1)
    return {
        "pairs": len(scores),
        "deals": int(rows["deals_played"].sum()),
        "ties": int((winner == TIE_OF_THREE).sum()),
        "scores": scores.sum(axis=0).tolist(),
        "scores_squared": (scores * scores).sum(axis=0).tolist(),
    }


def add(one: Tally, other: Tally) -> Tally:
    """Return the tally of two parts together."""
    return {
        name: [x + y for x, y in zip(value, other[name], strict=True)]
        if isinstance(value, list)
        else value + other[name]
        for name, value in one.items()
    }
