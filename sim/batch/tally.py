"""Sums over the duplicate pairs of a part: small enough to keep in its line, enough for rates with intervals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from sim.rows import MAX_SIDES, TIE_OF_THREE

BLOCK_PAIRS = 256
"""Pairs whose scores are counted together: sequential tests look after each block, resampling draws whole blocks."""
SEATINGS = 6
"""Matches played with one card stream in three-handed play."""

_A_HALVES = np.array([2, 0, 1])
"""A's match score in halves, by `match_winner`: A, B, or a tie."""

Tally = dict[str, Any]
"""Counts by name; `add` sums two of them field by field.

leg_scores: pairs by A's result in leg 0 and in leg 1, each lost, tied or won: nine counts, leg 1 running faster
columns_a, columns_b: columns 1, 2, 3 won by each side, three counts each; columns_aa, columns_ab, columns_bb are the
sums over pairs of their squares and product
deals_won, deals_scored: by A and by both, over all matches; won_squared, won_scored and scored_squared are the sums of
their squares and product over pairs, for the interval of their ratio
deal_points_a, deal_points_b: points of the deals each side scored; net_squared is the sum over pairs of the square of
their difference
settled, settled_squared: settled points from A's view, and the sum of their squares over pairs
first_mover, first_mover_squared: matches that the side which made the first move won, in halves (a tie is 1, a win 2),
and the sum of squares over pairs

Of three-handed play: pairs (card streams, each in six seatings), deals, ties; scores and scores_squared are the sums
and sums of squares over card streams of what each side made of the six matches, in thirds of a match: 3 a match won, 1
each for a tie, so 0 to 18
"""


Rows = npt.NDArray[np.void] | Mapping[str, npt.NDArray[Any]]
"""Records of shape (rows,), or the same field by field, which is faster: arrays of shape (rows, ...) by name."""


def tally(rows: Rows) -> Tally:
    """Return the tally of match rows, shape (2 * pairs,), the legs of a pair side by side."""
    score = _halves(rows)
    won, points = (_by_side(rows, name) for name in ("deals_won", "deal_points"))
    a, scored, net = won[0], won[0] + won[1], points[0] - points[1]
    settled = _by_pair(rows["settlement"].astype(np.int64))
    first = _by_pair(1 + (score - 1) * (2 * rows["first_dealer"].astype(np.int64) - 1))
    winner = np.ascontiguousarray(rows["column_winner"].T)
    columns_a, columns_b = (_by_pair((winner == side).astype(np.int64)) for side in (0, 1))
    return {
        "pairs": len(score) // 2,
        "deals": int(rows["deals_played"].sum()),
        "leg_scores": np.bincount(3 * score[::2] + score[1::2], minlength=9).tolist(),
        "columns_a": columns_a.sum(axis=1).tolist(),
        "columns_b": columns_b.sum(axis=1).tolist(),
        "columns_aa": (columns_a * columns_a).sum(axis=1).tolist(),
        "columns_ab": (columns_a * columns_b).sum(axis=1).tolist(),
        "columns_bb": (columns_b * columns_b).sum(axis=1).tolist(),
        "deals_won": int(a.sum()),
        "deals_scored": int(scored.sum()),
        "won_squared": int(a @ a),
        "won_scored": int(a @ scored),
        "scored_squared": int(scored @ scored),
        "deal_points_a": int(points[0].sum()),
        "deal_points_b": int(points[1].sum()),
        "net_squared": int(net @ net),
        "settled": int(settled.sum()),
        "settled_squared": int(settled @ settled),
        "first_mover": int(first.sum()),
        "first_mover_squared": int(first @ first),
    }


def _by_side(rows: Rows, name: str) -> list[npt.NDArray[np.int64]]:
    """Return what A and what B have of a field over both legs of each pair, each of shape (pairs,)."""
    return [_by_pair(rows[name][:, side].astype(np.int64)) for side in (0, 1)]


def _halves(rows: Rows) -> npt.NDArray[np.int64]:
    """Return A's match score in halves, a tie being one: shape (matches,)."""
    return _A_HALVES[np.ascontiguousarray(rows["match_winner"])]


def _by_pair(values: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return the sum over both legs of each pair; matches are on the last axis."""
    return values[..., ::2] + values[..., 1::2]


def pair_scores(sums: Tally) -> list[int]:
    """Return the pairs of a tally by A's match score over both legs, 0 1/4 1/2 3/4 1 (ties half): five counts."""
    legs = sums["leg_scores"]
    return [sum(legs[3 * x + score - x] for x in range(3) if 0 <= score - x < 3) for score in range(5)]


def block_scores(rows: Rows) -> list[list[int]]:
    """Return five counts, as `pair_scores`, for every `BLOCK_PAIRS` pairs of match rows; the last may be short."""
    scores = _by_pair(_halves(rows))
    blocks = np.arange(len(scores)) // BLOCK_PAIRS
    counts: list[list[int]] = np.bincount(5 * blocks + scores, minlength=5 * (blocks[-1] + 1)).reshape(-1, 5).tolist()
    return counts


def tally_trios(rows: Rows) -> Tally:
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
