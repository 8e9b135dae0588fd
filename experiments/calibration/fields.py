"""Puts the procedures for many players to the test: bands, plateau and races of sweeps, ratings and decisions."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from itertools import combinations

import numpy as np
import numpy.typing as npt

from analysis.ratings import ELO, Meeting, ratings
from analysis.sequential import SCORES
from analysis.simultaneous import Arms, bands, clear_losers, differences, plateau, race_bands
from analysis.superiority import undecided
from experiments.calibration.rule import AT_LEAST, AT_MOST, HOLDS, Line, counted
from experiments.calibration.sims import Counts, Floats, chances, common_deals
from sim.batch.tally import BLOCK_PAIRS

Generator = np.random.Generator
Bools = npt.NDArray[np.bool_]

SHARES = np.array([0.5, 0.5, 0.499, 0.497, 0.495, 0.49, 0.48, 0.47, 0.46, 0.44, 0.4])
"""True shares of eleven arms, the best first: some as good, some near, some far behind."""
ALIKE = np.full(11, 0.5)
LAPS = 10
LAP_BLOCKS, LAP_BLOCK_PAIRS = 8, 2_048
"""A race is looked at every 16,384 pairs, one round of parts, as `sweep` does; blocks are merged ones of 256."""
STRENGTHS = np.array([60.0, 20.0, -10.0, -70.0])
"""True ratings of a field of four."""
FIELD_BLOCKS = 40


def _chance(shares: Floats) -> Floats:
    return np.array([chances(share) for share in shares])


def simultaneous(rng: Generator, runs: int, blocks: int, part: int = 1) -> Iterator[Line]:
    """Test bands, plateau and differences of eleven arms on common deals, in one run of `part`."""
    held, good, apart = [], [], []
    truth = SHARES[:, None] - SHARES[None, :]
    pairs = np.full(blocks, BLOCK_PAIRS)
    for counts in common_deals(rng, _chance(SHARES), -(-runs // part), blocks):
        arms = Arms((counts @ SCORES).T, pairs)
        held.append(_all_in(bands(arms), SHARES))
        good.append(plateau(arms)[0])
        _, low, high = differences(arms)
        apart.append(_all_in((low, high), truth))
    yield counted(f"11 bands hold, {blocks} blocks", HOLDS, 0.95, held)
    yield counted(f"all 55 differences hold, {blocks} blocks", HOLDS, 0.95, apart)
    yield counted(f"best on the plateau, {blocks} blocks", AT_LEAST, 0.95, good)


def _all_in(limits: tuple[Floats, Floats], truth: Floats) -> bool:
    return bool(np.all((limits[0] <= truth + 1e-12) & (truth <= limits[1] + 1e-12)))


def races(rng: Generator, runs: int, shares: Floats, name: str) -> Iterator[Line]:
    """Test a race that drops clear losers: hardly ever the best; its bands hold all the same.

    A plateau of those who stayed lacks the best with probability 5%, and 1% for a best that was dropped.
    """
    lost, held, good = [], [], []
    for counts in common_deals(rng, _chance(shares), runs, LAPS * LAP_BLOCKS, LAP_BLOCK_PAIRS):
        sums = counts @ SCORES
        laps = race(sums)
        stayed = laps == laps.max()
        blocks = laps * LAP_BLOCKS
        played = [(arm[:n], np.full(n, LAP_BLOCK_PAIRS)) for arm, n in zip(sums, blocks, strict=True)]
        lost.append(not stayed[0])
        held.append(_all_in(race_bands(played, LAPS * LAP_BLOCKS * LAP_BLOCK_PAIRS), shares))
        last = sums[stayed, : blocks.max()]
        good.append(stayed[0] and plateau(Arms(last.T, np.full(last.shape[1], LAP_BLOCK_PAIRS)))[0])
    yield counted(f"race, {name}: best dropped", AT_MOST, 0.01, lost)
    yield counted(f"race, {name}: 11 bands hold", AT_LEAST, 0.95, held)
    yield counted(f"race, {name}: best on plateau", AT_LEAST, 0.94, good)


def race(sums: Floats) -> npt.NDArray[np.int64]:
    """Return how many laps each arm, rows of `sums` (m, blocks), plays until it is dropped or the race is over."""
    laps = np.full(len(sums), LAPS)
    live = np.arange(len(sums))
    for lap in range(1, LAPS):
        done = lap * LAP_BLOCKS
        arms = Arms(sums[live, :done].T, np.full(done, LAP_BLOCK_PAIRS))
        lost = clear_losers(arms, LAPS * LAP_BLOCKS * LAP_BLOCK_PAIRS, started=len(sums))
        laps[live[lost]] = lap
        live = live[~lost]
        if len(live) == 1:
            laps[live] = lap
            break
    return laps


def rated(rng: Generator, runs: int) -> Iterator[Line]:
    """Test the intervals of ratings in a round robin of four on common deals."""
    held = []
    for meetings in _round_robins(rng, runs, STRENGTHS):
        found = ratings(len(STRENGTHS), meetings)
        held.append((found.low <= STRENGTHS) & (found.high >= STRENGTHS))
    for place, each in enumerate(np.array(held).T):
        yield counted(f"interval of rating {place + 1} of 4 holds", HOLDS, 0.95, each)


def decided(rng: Generator, runs: int) -> Iterator[Line]:
    """Test the decisions between equals: any of six meetings."""
    wrongly = []
    for meetings in _round_robins(rng, runs, np.zeros(4)):
        gc.freeze()  # statsmodels collects garbage in every call, which takes long where much is alive
        wrongly.append(not undecided(meetings).all())
    gc.unfreeze()
    yield counted("any of 6 meetings of equals decided", AT_MOST, 0.05, wrongly)


def _round_robins(rng: Generator, runs: int, strengths: Floats) -> Iterator[list[Meeting]]:
    """Yield the meetings of players with these ratings, runs of 10,240 pairs each."""
    who = list(combinations(range(len(strengths)), 2))
    shares = np.array([1 / (1 + np.exp((strengths[b] - strengths[a]) / ELO)) for a, b in who])
    for counts in common_deals(rng, _chance(shares), runs, FIELD_BLOCKS):
        yield _meetings(who, counts)


def _meetings(who: list[tuple[int, int]], counts: Counts) -> list[Meeting]:
    return [Meeting(a, b, blocks) for (a, b), blocks in zip(who, counts, strict=True)]
