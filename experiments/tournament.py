"""A tournament: many players, everyone against everyone or one against all, rated on one scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from analysis.equilibrium import Equilibrium, equilibrium
from analysis.ratings import Meeting, Ratings, always, groups, ratings
from analysis.sequential import SCORES
from analysis.superiority import superiority_matrix, undecided
from experiments.again import tournament_words
from experiments.endpoints import Endpoint, first_mover
from experiments.outcomes import Outcome, Pairing
from experiments.recording import Target, recording
from experiments.sides import SideSums, sums_of
from experiments.simulate import Request, RequestError, Workers, play_all, two_sided_plan
from sim.batch.plan import Plan
from sim.batch.runner import Watch

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Standing:
    """How a player did: rank from 1, rating in Elo points about the field's mean of 0, and its shares.

    `match_win_rate` is the mean of its shares against each opponent. `beats` and `undecided_with` name players, all
    pairings being judged at once (Holm, 5%). `exploitability` is by how much more than half the best answer among the
    players wins against it, and `mix` its weight in the equilibrium; None where not everyone met.
    """

    player: str
    rank: int
    rating: float
    low: float
    high: float
    match_win_rate: float
    sums: SideSums
    beats: tuple[str, ...]
    undecided_with: tuple[str, ...]
    mix: float | None
    exploitability: float | None
    exploiter: str | None

    def document(self) -> dict[str, Any]:
        """Return the standing as `tournament --json` prints it."""
        return {
            "player": self.player,
            "rank": self.rank,
            "rating": self.rating,
            "rating_interval": [self.low, self.high],
            "match_win_rate": self.match_win_rate,
            **self.sums.document(),
            "beats": list(self.beats),
            "undecided_with": list(self.undecided_with),
            "mix": self.mix,
            "exploitability": self.exploitability,
            "exploiter": self.exploiter,
        }


@dataclass(frozen=True)
class Tournament:
    """What a tournament came to.

    Matrices are (players, players) in the order of `standings`, best first: `win_rates` of the row against the column
    and `superiority`, how likely the row is the stronger; NaN where two did not meet. `first_mover` is the share of
    matches won by the side that made the first move of the match. `won_all` and `lost_all` name players whose ratings
    say little because they never lost, or won, a match.
    """

    outcome: Outcome
    standings: tuple[Standing, ...]
    win_rates: Floats
    superiority: Floats
    first_mover: Endpoint
    won_all: tuple[str, ...]
    lost_all: tuple[str, ...]

    def document(self) -> dict[str, Any]:
        """Return the tournament as `tournament --json` prints it and summary.json keeps it."""
        return {
            **self.outcome.document(),
            "standings": [standing.document() for standing in self.standings],
            "win_rates": _with_none(self.win_rates),
            "superiority": _with_none(self.superiority),
            "first_mover": self.first_mover.document(),
            "won_all": list(self.won_all),
            "lost_all": list(self.lost_all),
        }


def _with_none(matrix: Floats) -> list[list[float | None]]:
    return [[None if np.isnan(value) else float(value) for value in row] for row in matrix]


def draw_up(request: Request, *, gauntlet: bool = False) -> Plan:
    """Return the plan of a tournament: everyone against everyone, or the first against all others.

    Raises as `experiments.simulate.make_plan`, and `RequestError` for fewer than three players or the same one twice.
    """
    if len(request.players) < 3:
        raise RequestError("a tournament needs at least three strategies; for two: hollywood compare A B")
    plan = two_sided_plan(request, "a tournament")  # also refuses the same player twice
    if not gauntlet:
        return plan
    return replace(plan, pairings=tuple((0, other) for other in range(1, len(plan.sides))))


def tournament(plan: Plan, folder: Path, workers: Workers, watch: Watch, *, resume: bool = False) -> Tournament:
    """Play a tournament into a new run folder, or go on with one, and rate its players.

    Raises as `experiments.simulate.simulate`.
    """
    target = Target(folder, resume, {"kind": "tournament"}, tuple(tournament_words(plan)))
    with recording(plan, target) as run:
        found = rate(play_all(run, plan, workers, watch))
        run.conclude(found.document(), "complete")
    return found


def rate(outcome: Outcome) -> Tournament:
    """Rate the players of a simulation. Raises `RequestError` where some never met, even by way of others."""
    pairings = [pairing for pairing in outcome.pairings if isinstance(pairing, Pairing)]
    names = list(dict.fromkeys(side.text for side in outcome.plan.sides))
    meetings = [Meeting(names.index(p.a), names.index(p.b), p.blocks) for p in pairings]
    parts = groups(len(names), meetings)
    if len(parts) > 1:
        apart = " and ".join(names[min(part)] for part in parts[:2])
        raise RequestError(f"{apart} never met, not even by way of others: they cannot be rated on one scale")
    rated = ratings(len(names), meetings)
    order = np.argsort(-rated.rating, kind="stable")
    rates, sure = _win_rates(len(names), meetings), superiority_matrix(len(names), meetings)
    winners, losers = always(len(names), meetings)
    return Tournament(
        outcome,
        _standings(names, pairings, rated, meetings, order),
        rates[np.ix_(order, order)],
        sure[np.ix_(order, order)],
        first_mover(pairings),
        tuple(names[player] for player in sorted(winners)),
        tuple(names[player] for player in sorted(losers)),
    )


def _win_rates(players: int, meetings: Sequence[Meeting]) -> Floats:
    """Return everyone's share against everyone, (players, players): NaN where two did not meet, 1/2 on the diagonal."""
    rates = np.full((players, players), np.nan)
    for a, b, blocks in meetings:
        rates[a, b] = blocks.sum(axis=0) @ SCORES / blocks.sum()
        rates[b, a] = 1 - rates[a, b]
    np.fill_diagonal(rates, 0.5)
    return rates


def _standings(
    names: list[str],
    pairings: Sequence[Pairing],
    rated: Ratings,
    meetings: Sequence[Meeting],
    order: npt.NDArray[np.intp],
) -> tuple[Standing, ...]:
    rates, open_ = _win_rates(len(names), meetings), undecided(meetings)
    solved = None if np.isnan(rates).any() else equilibrium(rates)
    beats: dict[str, list[str]] = {name: [] for name in names}
    unsure: dict[str, list[str]] = {name: [] for name in names}
    for pairing, is_open in zip(pairings, open_, strict=True):
        pair = (pairing.a, pairing.b) if pairing.match_win_rate > 0.5 else (pairing.b, pairing.a)
        if is_open:
            unsure[pair[0]].append(pair[1])
            unsure[pair[1]].append(pair[0])
        else:
            beats[pair[0]].append(pair[1])
    others = rates + np.where(np.eye(len(names)), np.nan, 0.0)
    return tuple(
        Standing(
            names[player],
            rank,
            float(rated.rating[player]),
            float(rated.low[player]),
            float(rated.high[player]),
            float(np.nanmean(others[player])),
            sums_of((p, side) for p in pairings for side in (0, 1) if (p.a, p.b)[side] == names[player]),
            tuple(beats[names[player]]),
            tuple(unsure[names[player]]),
            *_solved(solved, names, int(player)),
        )
        for rank, player in enumerate(order, start=1)
    )


def _solved(solved: Equilibrium | None, names: list[str], player: int) -> tuple[float | None, float | None, str | None]:
    """Return a player's weight in the equilibrium, its exploitability and who exploits it."""
    if solved is None:
        return None, None, None
    exploiter = int(solved.exploiter[player])
    told = names[exploiter] if exploiter != player else None
    return float(solved.mix[player]), float(solved.exploitability[player]), told
