"""Bradley-Terry ratings of a tournament, with intervals, and who can be rated together at all.

The model: i takes the share 1 / (1 + 10^((r_j - r_i) / 400)) of the matches with j. Source: Bradley and Terry, "Rank
analysis of incomplete block designs", Biometrika 39 (1952); Elo's scale of 400 points to a factor of ten.

A pair is two matches, and A's score of 0, 1/4, 1/2, 3/4 or 1 is the share of them that A won. Matches are not
independent (two legs have the same cards, all pairings of a run are on the same deals), so the likelihood serves
only to find the ratings; the intervals come from resampling.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import sparse, special

from analysis.sequential import SCORES

Floats = npt.NDArray[np.float64]

"""A's match score over a pair, for each of the five counts."""

ELO = 400 / np.log(10)
"""Rating points in one unit of log odds."""

DRAWN = 0.5
"""Matches given to each side of every meeting: one drawn match.

Without it a player who wins every match would have no finite rating. Beside 10,000 pairs it moves the difference of
two ratings by less than 0.04 points, as long as neither side wins more than nine matches in ten.
"""

LEVEL = 0.95
RESAMPLES = 400
MOST_BLOCKS = 2_000
FEWEST_BLOCKS = 20
SEED = 1952
"""Of the resampling: the same data always have the same intervals."""


class Meeting(NamedTuple):
    """What two players did against each other."""

    a: int
    b: int
    blocks: npt.NDArray[np.int64]
    """Pairs of each block by a's score, shape (n_blocks, 5)."""


@dataclass(frozen=True)
class Ratings:
    """Ratings in Elo points, arrays of shape (players,); their mean is 0, so each is a distance to the field's mean."""

    rating: Floats
    low: Floats
    high: Floats


def ratings(players: int, meetings: Sequence[Meeting], level: float = LEVEL) -> Ratings:
    """Return the Bradley-Terry ratings of players 0 .. players - 1, with `level` intervals.

    The ratings are the maximum of the likelihood, one drawn match being added to every meeting (`DRAWN`). They stay
    finite for a player who won everything, but then say little more than how many pairs he played: ask `always`.

    The intervals are rating ± t · se. se is the root mean square distance of 400 complete refits to resampled data;
    t has one degree of freedom less than the smallest meeting has blocks (or pairs). Percentiles of 400 refits would
    be twice as noisy, and would not hold the rating of a player who won everything. What is resampled:

    - Blocks of pairs, at most 2,000 (neighbours are merged). Meetings of equally many blocks get the same blocks,
      because these are the same deals: luck that they share stays shared. Meetings of different length are resampled
      independently of each other.
    - With fewer than 20 blocks these would be too coarse a sample: then single pairs, of each meeting by itself. Luck
      that meetings share is then missed: where six tenths of its variance were the deal's, the intervals of the
      strongest and the weakest of six players held in 89 runs of 100, those in the middle in 96.
    - In a meeting whose pairs all have one score there is nothing to resample. It gets a random part q of other
      results, q from Beta(1, pairs): its upper 2.5% point is the exact limit of `analysis.intervals` for what did not
      happen in so many pairs.

    Meetings of a player with himself and those without pairs are left out. Raises `ValueError` where some of the
    players have not met the others even by way of third ones.
    """
    played = _played(players, meetings)
    apart = len(groups(players, played))
    if apart != 1:
        raise ValueError(f"ratings need players who met: these {players} fall into {apart} groups that never did")
    if players == 1:
        return Ratings(np.zeros(1), np.zeros(1), np.zeros(1))  # it is the mean
    totals = np.array([_total(meeting) for meeting in played])
    best = _fit(players, played, *_matches(totals @ SCORES, totals.sum(axis=1)))
    scores, pairs, units = _resampled(played, np.random.default_rng(SEED))
    refits = _refits(best, played, *_matches(scores, pairs))
    # Resampling u units gives (u - 1)/u of the variance, and u units leave u - 1 degrees of freedom.
    se = np.sqrt(np.mean((refits - best) ** 2, axis=0) * units / max(units - 1, 1))
    half = float(special.stdtrit(max(units - 1, 1), 0.5 + level / 2)) * se
    return Ratings(ELO * best, ELO * (best - half), ELO * (best + half))


def groups(players: int, meetings: Iterable[Meeting]) -> list[set[int]]:
    """Return the players who can be rated together: those connected by meetings, in the order of their first."""
    edges = [edge for m in _played(players, meetings) for edge in ((m.a, m.b), (m.b, m.a))]
    return _components(players, edges)


def tiers(players: int, meetings: Iterable[Meeting]) -> list[set[int]]:
    """Return the players between whom finite ratings exist, in the order of their first player.

    Two players are in one tier where a chain of meetings leads from each to the other in which everyone took at
    least part of a match off the next. With one tier the likelihood has a finite maximum, else (without the drawn
    matches) it has none. Source: Ford, "Solution of a ranking problem from binary comparisons", American
    Mathematical Monthly 64 (1957).
    """
    edges = []
    for meeting in _played(players, meetings):
        total = _total(meeting)
        edges += [(meeting.a, meeting.b)] * bool(total[1:].any()) + [(meeting.b, meeting.a)] * bool(total[:-1].any())
    return _components(players, edges)


def always(players: int, meetings: Iterable[Meeting]) -> tuple[set[int], set[int]]:
    """Return the players who won every match they played, and those who lost every one.

    Their true ratings are unbounded upwards, or downwards: the numbers in `ratings` are bounds that the drawn match
    sets. A player without meetings is in neither set.
    """
    played = _played(players, meetings)
    met = {m.a for m in played} | {m.b for m in played}
    gave = {m.a for m in played if _total(m)[:-1].any()} | {m.b for m in played if _total(m)[1:].any()}
    took = {m.a for m in played if _total(m)[1:].any()} | {m.b for m in played if _total(m)[:-1].any()}
    return met - gave, met - took


def _components(players: int, edges: list[tuple[int, int]]) -> list[set[int]]:
    """Return the strongly connected components of a directed graph."""
    rows, columns = np.array(edges, dtype=np.int64).reshape(-1, 2).T
    graph = sparse.csr_matrix((np.ones(len(rows)), (rows, columns)), shape=(players, players))
    _, labels = sparse.csgraph.connected_components(graph, directed=True, connection="strong")
    found: dict[int, set[int]] = defaultdict(set)
    for player, label in enumerate(labels):
        found[int(label)].add(player)
    return list(found.values())


def _played(players: int, meetings: Iterable[Meeting]) -> list[Meeting]:
    """Return the meetings that count, in one order and from one side, so that neither changes any result."""
    played = []
    for a, b, blocks in meetings:
        if not (0 <= a < players and 0 <= b < players):
            raise ValueError(f"a meeting of players {a} and {b}, but there are {players}")
        if blocks.ndim != 2 or blocks.shape[1] != len(SCORES) or (blocks < 0).any():
            raise ValueError(f"the meeting of players {a} and {b} needs counts of shape (blocks, 5)")
        if a != b and blocks.any():
            played.append(Meeting(a, b, blocks) if a < b else Meeting(b, a, blocks[:, ::-1]))
    return sorted(played, key=lambda meeting: (meeting.a, meeting.b))


def _total(meeting: Meeting) -> npt.NDArray[np.int64]:
    """Return the five counts of a meeting."""
    return np.asarray(meeting.blocks.sum(axis=0), dtype=np.int64)


def _matches(scores: Floats, pairs: Floats) -> tuple[Floats, Floats]:
    """Return the matches that a and b won, from a's summed scores and the pairs: two a pair, and the drawn one."""
    return 2 * scores + DRAWN, 2 * (pairs - scores) + DRAWN


def _fit(players: int, played: list[Meeting], won: Floats, lost: Floats) -> Floats:
    """Return the log strengths that maximise the likelihood; their mean is 0."""
    import choix  # half a second

    a, b = _sides(played)
    wins = np.zeros((players, players))
    np.add.at(wins, (a, b), won)
    np.add.at(wins, (b, a), lost)
    strengths = np.asarray(choix.ilsr_pairwise_dense(wins), dtype=np.float64)
    strengths -= strengths.mean()
    return strengths


def _refits(start: Floats, played: list[Meeting], won: Floats, lost: Floats) -> Floats:
    """Return the log strengths fitted to each row of won and lost matches, both (resamples, meetings).

    All rows at once by Newton's method from `start`, which is near. A step that changes differences by up to R is
    shortened to ln(1 + R)/R of itself: the likelihood then never falls (Bach, "Self-concordant analysis for logistic
    regression", Electronic Journal of Statistics 4, 2010).
    """
    players, (a, b) = len(start), _sides(played)
    sides = np.zeros((len(played), players))
    sides[np.arange(len(played)), a], sides[np.arange(len(played)), b] = 1, -1
    products = (sides[:, :, None] * sides[:, None, :]).reshape(len(played), -1)
    matches = won + lost
    found = np.tile(start, (len(won), 1))
    for _ in range(100):  # five or six are usual
        share = special.expit(found @ sides.T)
        gradient = (won - matches * share) @ sides
        curvature = ((matches * share * (1 - share)) @ products).reshape(-1, players, players)
        # Only differences count: the constant direction gets a curvature of its own, so that there is one solution.
        curvature += np.trace(curvature, axis1=1, axis2=2)[:, None, None] / players**2
        step = np.linalg.solve(curvature, gradient[:, :, None])[:, :, 0]
        reach = np.ptp(step, axis=1, keepdims=True)
        found += step * np.where(reach > 1e-9, np.log1p(reach) / np.maximum(reach, 1e-9), 1)
        if reach.max() < 1e-9:
            break
    found -= found.mean(axis=1, keepdims=True)
    return found


def _sides(played: list[Meeting]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the first and the second players of the meetings."""
    return np.array([m.a for m in played], dtype=np.int64), np.array([m.b for m in played], dtype=np.int64)


def _resampled(played: list[Meeting], rng: np.random.Generator) -> tuple[Floats, Floats, int]:
    """Return a's summed scores and the pairs, (resamples, meetings), and the fewest units that a meeting has."""
    scores, pairs = np.zeros((2, RESAMPLES, len(played)))
    units = []
    lengths: dict[int, list[int]] = defaultdict(list)
    for index, meeting in enumerate(played):
        lengths[len(meeting.blocks)].append(index)
    for length, members in sorted(lengths.items()):
        draw = _blocks_drawn if length >= FEWEST_BLOCKS else _pairs_drawn
        scores[:, members], pairs[:, members], fewest = draw([played[index] for index in members], rng)
        units.append(fewest)
    for index, meeting in enumerate(played):
        total = _total(meeting)
        if np.count_nonzero(total) == 1:
            scores[:, index] = pairs[:, index] * _unseen(float(SCORES[total.argmax()]), int(total.sum()), rng)
    return scores, pairs, min(units)


def _blocks_drawn(meetings: list[Meeting], rng: np.random.Generator) -> tuple[Floats, Floats, int]:
    """Return scores and pairs of resampled blocks, the same blocks for all meetings, and how many blocks."""
    blocks = _merged(np.stack([meeting.blocks for meeting in meetings]))
    count = blocks.shape[1]
    times = rng.multinomial(count, np.full(count, 1 / count), RESAMPLES).astype(np.float64)
    return times @ (blocks @ SCORES).T, times @ blocks.sum(axis=2).T, count


def _pairs_drawn(meetings: list[Meeting], rng: np.random.Generator) -> tuple[Floats, Floats, int]:
    """Return scores and pairs of resampled pairs, each meeting by itself, and the fewest pairs of one."""
    totals = np.array([_total(meeting) for meeting in meetings])
    pairs = totals.sum(axis=1)
    draws = [
        rng.multinomial(count, total / count, RESAMPLES) @ SCORES for count, total in zip(pairs, totals, strict=True)
    ]
    return np.array(draws).T, np.tile(pairs, (RESAMPLES, 1)).astype(np.float64), int(pairs.min())


def _merged(blocks: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return at most 2,000 blocks a meeting, neighbours added up: (meetings, blocks, 5)."""
    width = -(-blocks.shape[1] // MOST_BLOCKS)
    return np.asarray(np.add.reduceat(blocks, np.arange(0, blocks.shape[1], width), axis=1), dtype=np.int64)


def _unseen(score: float, pairs: int, rng: np.random.Generator) -> Floats:
    """Return mean scores that so many pairs, all of one score, leave possible (see `ratings`).

    The unseen part are all wins or all losses, in such proportion that a score between stays right on average.
    """
    part = rng.beta(1, pairs, RESAMPLES)
    wins = rng.random(RESAMPLES) >= score
    return np.asarray(score + part * (wins - score), dtype=np.float64)
