"""The tournament as a game: the mix to choose from if both sides name their strategy in secret.

The win rates of m strategies against each other are the payoffs of a symmetric zero-sum game. Its equilibrium mix
wins at least half of its matches against every strategy and so against every mix of them. Source: von Neumann, "Zur
Theorie der Gesellschaftsspiele", Mathematische Annalen 100 (1928); as a judgement of players: Balduzzi, Tuyls,
Perolat and Graepel, "Re-evaluating evaluation", NeurIPS 2018. Copies of a
strategy and weak strategies, which move every rating by averages, change nothing in what the mix wins.

The win rates are taken as exact: the mix of an estimated matrix has an error, and a strategy of small weight may be in
it by chance.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import optimize

Floats = npt.NDArray[np.float64]
ROUNDING = 1e-9
"""Win rates and weights nearer than this are the same."""


class Equilibrium(NamedTuple):
    """An equilibrium mix, and what each strategy gives away; arrays of shape (m,)."""

    mix: Floats
    """Weights of the strategies, summing to 1."""
    value: float
    """What the mix wins against the strategy that does best against it: 1/2, up to rounding."""
    exploitability: Floats
    """By how much more than half its best opponent among the m beats each strategy; 0 where none does."""
    exploiter: npt.NDArray[np.int64]
    """That opponent, the first of several; the strategy itself where nobody beats it."""


def equilibrium(payoff: Floats) -> Equilibrium:
    """Return the equilibrium of win rates payoff[i, j], i's share against j, of shape (m, m).

    Several mixes may be optimal (two copies of the best strategy, say). The most even one is returned, that with the
    least sum of squared weights: there is only one such, it does not depend on the order of the strategies, and
    copies share equally.

    Raises `ValueError` where the matrix has holes (a gauntlet), is no square, or its two halves disagree.
    """
    _check(payoff)
    # Half the difference: antisymmetric to the last bit, so that the value of the game is exactly 0.
    lead = (payoff - payoff.T) / 2
    mix = _most_even(lead, _by_linear_programming(lead))
    worst = lead.max(axis=0)
    beaten = worst > ROUNDING
    exploiter = np.where(beaten, lead.argmax(axis=0), np.arange(len(lead)))
    return Equilibrium(mix, 0.5 + float((mix @ lead).min()), np.where(beaten, worst, 0.0), exploiter)


def _check(payoff: Floats) -> None:
    """Raise where this is not the win rates of every strategy against every one."""
    if payoff.ndim != 2 or payoff.shape[0] != payoff.shape[1] or not payoff.size:
        raise ValueError(f"an equilibrium needs a square matrix of win rates, not one of shape {payoff.shape}")
    if not np.isfinite(payoff).all():
        raise ValueError("an equilibrium needs the win rates of all pairings: some players did not meet")
    if np.abs(payoff + payoff.T - 1).max() > ROUNDING:
        raise ValueError("the two win rates of a pairing must add up to 1, and be 1/2 on the diagonal")


def _by_linear_programming(lead: Floats) -> Floats:
    """Return an optimal mix: the largest v that a mix wins against every column, and a mix that does."""
    size = len(lead)
    found = optimize.linprog(
        c=np.append(np.zeros(size), -1.0),
        A_ub=np.hstack([-lead.T, np.ones((size, 1))]),
        b_ub=np.zeros(size),
        A_eq=np.append(np.ones(size), 0.0)[None, :],
        b_eq=np.ones(1),
        bounds=[(0, None)] * size + [(None, None)],
        method="highs",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    # No failure to provide for: every such game has an equilibrium.
    return _as_mix(np.asarray(found.x, dtype=np.float64)[:size])


def _most_even(lead: Floats, known: Floats) -> Floats:
    """Return the optimal mix of least squares; `known` is one of the optimal mixes.

    A least-distance problem: the shortest x with x >= 0, x lead >= 0 and sum x >= 1. Source: Lawson and Hanson,
    "Solving Least Squares Problems" (1974), chapter 23: with E the constraints above their right-hand sides, the
    residual of the nonnegative least-squares problem E u = (0, .., 0, 1) is a multiple of (-x, 1).
    """
    size = len(lead)
    constraints = np.hstack([np.eye(size), lead, np.ones((size, 1))])
    right = np.append(np.zeros(2 * size), 1.0)
    target = np.append(np.zeros(size), 1.0)
    stacked = np.vstack([constraints, right])
    residual = stacked @ optimize.nnls(stacked, target)[0] - target
    mix = _as_mix(-residual[:size] / residual[size])
    # Rounding could leave it a little outside; a mix that is optimal is worth more than one that is even.
    return mix if (mix @ lead).min() >= -ROUNDING else known


def _as_mix(weights: Floats) -> Floats:
    """Return weights without what rounding left below or beside zero, summing to 1."""
    kept = np.where(weights > ROUNDING, weights, 0.0)
    return np.asarray(kept / kept.sum(), dtype=np.float64)
