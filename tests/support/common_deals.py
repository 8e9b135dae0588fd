"""Arms of a sweep made up: pair scores of settings that play common deals, and races between them."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from scipy import special

from analysis.simultaneous import Arms, Played, clear_losers

Floats = npt.NDArray[np.float64]
CUTS = special.ndtri([0.18, 0.20, 0.80, 0.82])
BLOCK = 256


def play(generator: np.random.Generator, blocks: int, strengths: npt.ArrayLike, common: float = 0.5) -> Arms:
    """Return what arms of these strengths make of common deals: pair scores 0, 1/4 .. 1, alike as far as `common`."""
    strengths = np.asarray(strengths, dtype=np.float64)
    deals = generator.normal(size=(blocks, BLOCK, 1)) * math.sqrt(common)
    own = generator.normal(size=(blocks, BLOCK, len(strengths))) * math.sqrt(1 - common)
    return Arms((np.digitize(deals + own + strengths, CUTS) / 4).sum(axis=1), np.full(blocks, BLOCK))


def truth(strengths: npt.ArrayLike) -> Floats:
    """Return the true means of such arms."""
    means: Floats = special.ndtr(np.asarray(strengths)[:, None] - CUTS).mean(axis=1)
    return means


def sample(blocks: int = 50, arms: int = 5, seed: int = 1) -> Arms:
    return play(np.random.default_rng(seed), blocks, np.linspace(0, 0.1, arms))


def short_last(arms: Arms) -> Arms:
    """Return the same with a last block of 40 pairs of which every arm won a half and a quarter of its number."""
    extra = 20 + 0.25 * np.arange(arms.sums.shape[1])
    return Arms(np.vstack([arms.sums, extra]), np.append(arms.pairs, 40))


def race(arms: Arms, planned: int, error: float) -> list[Played]:
    """Play a race over all the blocks, looking after each, and return what each arm has played."""
    count = arms.sums.shape[1]
    end, playing = np.full(count, len(arms.pairs)), np.arange(count)
    for look in range(8, len(arms.pairs)):
        lost = clear_losers(Arms(arms.sums[:look, playing], arms.pairs[:look]), planned, error, count)
        end[playing[lost]] = look
        playing = playing[~lost]
    return [(arms.sums[:blocks, j], arms.pairs[:blocks]) for j, blocks in enumerate(end)]
