"""Print the speed figures: medians of several runs, with the peers' beside them (docs/performance.md)."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numba
import numpy as np

from analysis.ratings import Meeting, ratings
from analysis.sequential import SCORES, first_stop, make_test, moments
from analysis.simultaneous import Arms, bands, differences, plateau
from analysis.stopping import adjusted
from analysis.superiority import superiority_matrix, undecided
from experiments.compare import compare
from experiments.simulate import Request, make_plan, simulate
from sim.api import deadwood_many
from sim.batch.provenance import cpu_model
from sim.batch.runner import Watch
from sim.batch.tally import BLOCK_PAIRS
from sim.melds import after_discard
from tests.bench.figures import RUNS, figures, rate, show
from tests.bench.hands import hands_in_play, random_hands
from tests.bench.night import bench_cluster, bench_many_parts, bench_memory, bench_writing

HANDS = 2_000_000
PAIRS = 65_536
"""Four parts: as many for each of two threads."""
SEED = 7


def main() -> None:
    """Print every figure."""
    print(f"{cpu_model()}, {os.cpu_count()} cores; medians of {RUNS} runs, (least .. most)\n")
    bench_solver()
    bench_deals()
    bench_answers()
    bench_writing()
    bench_memory()
    bench_many_parts()
    bench_cluster()
    bench_starts()


@numba.njit
def _discard_many(hands: np.ndarray, out: np.ndarray) -> None:
    for place in range(hands.size):
        out[place] = after_discard(hands[place], np.uint64(0))[0]


def bench_solver() -> None:
    """Time the solver over arrays, one thread."""
    ten, eleven, played = random_hands(HANDS, 10), random_hands(HANDS, 11), hands_in_play(HANDS)
    out = np.empty(HANDS, np.uint8)
    _discard_many(eleven[:10], out)
    show(
        "deadwood, random ten cards",
        figures(rate(lambda: deadwood_many(ten), HANDS)),
        "M/s",
        "sketch 140-280",
    )
    show(
        "deadwood, random eleven cards",
        figures(rate(lambda: deadwood_many(eleven), HANDS)),
        "M/s",
        "sketch 110-130",
    )
    show(
        "deadwood, eleven cards met in play",
        figures(rate(lambda: deadwood_many(played), HANDS)),
        "M/s",
        "sketch 80",
    )
    show(
        "best discards, eleven cards met in play",
        figures(rate(lambda: _discard_many(played, out), HANDS)),
        "M/s",
    )


def play(players: list[str], threads: int, detail: str = "matches") -> float:
    """Play a run with everything in, files written, and return millions of deals a second."""
    plan = make_plan(Request(players, pairs=PAIRS, seed=SEED, detail=detail))
    folder = Path(tempfile.mkdtemp())
    try:
        outcome = simulate(plan, folder, threads, Watch())
    finally:
        shutil.rmtree(folder)
    return outcome.deals / outcome.seconds / 1e6


def bench_deals() -> None:
    """Time whole runs: shuffle to score, layoffs, sheet, rows written."""
    main_pair, deals = ["greedy", "threshold:knock_at=5"], "M deals/s"
    play(main_pair, 1)
    one = figures(lambda: play(main_pair, 1))
    show("greedy v threshold:knock_at=5, one thread", one, deals, "best peer 0.0126, sketch 0.73")
    detail = figures(lambda: play(main_pair, 1, "deals"))
    show("  the same, a row a deal", detail, deals, f"{detail[0] / one[0]:.0%} of matches only")
    two = figures(lambda: play(main_pair, 2))
    show("  the same, two threads", two, deals, f"{two[0] / one[0]:.2f} times one thread; sketch 1.42")
    show(
        "simple v simple, one thread",
        figures(lambda: play(["simple", "simple"], 1)),
        deals,
        "EAAI Java 0.0071",
    )


MANY_PAIRS = 10_000_000
"""Pairs of a run whose statistics are timed."""


def bench_answers() -> None:
    """Time a verdict from nothing, and the statistics of very many pairs, whose counts are drawn at random."""

    def verdict() -> float:
        rules = {"undercut_bonus": 15}  # which makes these two as good as each other
        plan = make_plan(Request(["gin-only", "threshold:knock_at=9"], 1_000_000, options=rules, seed=SEED))
        with tempfile.TemporaryDirectory() as place:
            return compare(plan, make_test("gain"), Path(place) / "run", (2, Watch())).seconds

    verdict()
    show("compare, 50% or 51%, two threads", figures(verdict), "s", "seconds asked")
    blocks = np.random.default_rng(SEED).multinomial(
        BLOCK_PAIRS, [0.2, 0, 0.6, 0, 0.2], (11, MANY_PAIRS // BLOCK_PAIRS)
    )
    sums = (blocks @ SCORES).T
    pairs = blocks[0].sum(axis=1)
    meetings = [Meeting(a, b, blocks[a + b]) for a in range(5) for b in range(a)]

    def timed(work: Callable[[], object]) -> Callable[[], float]:
        return lambda: MANY_PAIRS / rate(work, MANY_PAIRS)() / 1e6

    def test_of_one() -> None:
        first_stop(make_test("equiv"), blocks[0])
        found = moments(blocks[0].sum(axis=0))
        adjusted(make_test("equiv"), found, MANY_PAIRS)

    def sweep_of_eleven() -> None:
        arms = Arms(sums, pairs)
        bands(arms), plateau(arms), differences(arms)

    def tournament_of_five() -> None:
        ratings(5, meetings), undecided(meetings), superiority_matrix(5, meetings)

    show("statistics of 10 million pairs: one comparison", figures(timed(test_of_one)), "s", "at most 2")
    show("  a sweep of eleven settings", figures(timed(sweep_of_eleven)), "s", "at most 2")
    show("  a tournament of five", figures(timed(tournament_of_five)), "s", "at most 2")


def bench_starts() -> None:
    """Time the command line from a cold and a warm start."""
    with tempfile.TemporaryDirectory() as place:
        env = {**os.environ, "NUMBA_CACHE_DIR": f"{place}/cache"}
        numbers = iter(range(1_000))

        def start(*arguments: str) -> float:
            began = time.perf_counter()
            run = [sys.executable, "-m", "cli.main", *arguments]
            subprocess.run(run, env=env, check=True, capture_output=True)
            return time.perf_counter() - began

        def first_game() -> float:
            return start("simulate", "greedy", "simple", "--pairs", "10", "--out", f"{place}/{next(numbers)}")

        cold = first_game()
        show("simulate --pairs 10, first start ever", (cold, cold, cold), "s", "at most 30")
        show("simulate --pairs 10, later starts", figures(first_game), "s", "at most 1.5")
        show("hollywood --help", figures(lambda: start("--help")), "s", "at most 0.4")


if __name__ == "__main__":
    main()
