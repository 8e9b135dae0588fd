"""Compare two players: play duplicate pairs until a sequential test decides, and keep them as a run."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import chain, tee
from pathlib import Path
from typing import Any

import numpy as np

from analysis.anytime import anytime_limits
from analysis.sequential import EQUAL, UNDECIDED, VERDICTS, A, B, Look, SequentialTest, look
from analysis.stopping import Adjusted, adjusted
from experiments.again import compare_words
from experiments.endpoints import endpoints, legs
from experiments.outcomes import Outcome, Pairing
from experiments.recording import Ledger, Target, kept_part, recording
from sim.batch.executors import play_in_order
from sim.batch.plan import Part, Plan
from sim.batch.runner import Played, RunFailed, Stopped, Watch, keep_part
from sim.batch.store import RunFolder
from sim.batch.tally import BLOCK_PAIRS, block_scores
from strategies.registry import bind

UNIT_PAIRS = 4 * BLOCK_PAIRS
"""Pairs a thread plays in one go: a few blocks, so that little is played in vain after the test has decided."""

Tell = Callable[[Look], None]


@dataclass(frozen=True)
class Comparison:
    """What a comparison came to.

    `stopped_by` is "above" or "below" (the bound that decided) or "pairs" (all that were allowed are played).
    `interval` of the pairing is of the raw estimate, as if the number of pairs had been fixed; `adjusted` allows for
    the stopping; `anytime` is the 95% interval that holds however often one looks.
    """

    run: Path
    plan: Plan
    seconds: float
    pairing: Pairing
    test: SequentialTest
    look: Look
    adjusted: Adjusted
    anytime: tuple[float, float]

    @property
    def pairs(self) -> int:
        """Pairs that were played and kept."""
        return int(self.look.moments.pairs)

    @property
    def verdict(self) -> str:
        """Who is better, in one word: A, B, equal or undecided.

        A test that only asks whether A is no worse says "equal" to that, or A when the adjusted interval says so. A
        player is equal to itself without any test.
        """
        if self.is_mirror:
            return VERDICTS[EQUAL]
        if self.look.verdict == EQUAL and not self.test.mirrored and self.adjusted.low > 0.5:
            return VERDICTS[A]
        return VERDICTS[self.look.verdict]

    @property
    def is_mirror(self) -> bool:
        """Whether a player met itself and split every pair, as it must: no estimate at all."""
        return self.pairing.a == self.pairing.b and self.look.moments.mean == 0.5

    @property
    def stopped_by(self) -> str:
        """The bound that ended it, or "pairs"."""
        if self.look.verdict == UNDECIDED:
            return "pairs"
        return "above" if self.look.verdict in _verdicts_above(self.test) else "below"

    @property
    def deciding_llr(self) -> float:
        """The LLR that the verdict waited for: who is better rests on one question, who is as good on both."""
        return max(self.look.llrs) if self.test.above == A else min(self.look.llrs)

    def document(self) -> dict[str, Any]:
        """Return the comparison as `compare --json` prints it and summary.json keeps it."""
        together = legs(self.pairing)
        outcome = Outcome(self.run, replace(self.plan, pairs=self.pairs), self.seconds, (self.pairing,))
        return {
            **outcome.document(),
            **self.pairing.document(),
            "verdict": self.verdict,
            "stopped_by": self.stopped_by,
            "llr": self.look.llrs[0],
            "llrs": list(self.look.llrs),
            "looks": self.look.looks,
            "test": self.test.document(),
            "pairs_allowed": self.plan.pairs,
            "adjusted": {"match_win_rate": self.adjusted.estimate, "interval": [self.adjusted.low, self.adjusted.high]},
            "anytime_interval": list(self.anytime),
            "rho": together.rho,
            "variance_reduction": together.gain if np.isfinite(together.gain) else None,
            "endpoints": [endpoint.document() for endpoint in endpoints(self.pairing)],
        }


def _verdicts_above(test: SequentialTest) -> tuple[int, ...]:
    return (A, B) if test.above == A else (EQUAL,)


def compare(
    plan: Plan,
    test: SequentialTest,
    folder: Path,
    task: tuple[int, Watch],
    tell: Tell | None = None,
    *,
    resume: bool = False,
) -> Comparison:
    """Play a plan of one pairing of two sides until the test decides or all pairs are played.

    It is kept in a new run folder, or with `resume` that of a comparison that was broken off.

    `task` is the number of threads and what watches them; neither changes what is found. `tell` hears of every look.
    When broken off, what was played is kept. Raises as `experiments.simulate.simulate`.
    """
    threads, watch = task
    asked = {"kind": "compare", "test": test.document()}
    with recording(plan, Target(folder, resume, asked, tuple(compare_words(plan, test)))) as run:
        course, ledger = _Course(test), Ledger()
        left, to_keep = tee(_left(run, plan, course, (ledger, watch)))
        shelf = _Shelf(plan, run, to_keep, ledger)
        units = play_in_order((plan, bind, watch), _units(left), threads)
        try:
            with closing(units):
                for _, played in units:
                    pairs = course.take(block_scores(played.matches))
                    shelf.put(played.first_pairs(pairs))
                    if tell is not None:
                        tell(course.look)
                    if course.look.verdict != UNDECIDED:
                        break
        except (KeyboardInterrupt, Stopped, RunFailed):
            shelf.close()
            raise
        shelf.close()
        pairing = ledger.pairing(plan.names()[0])
        assert isinstance(pairing, Pairing)
        found = _concluded(Comparison(folder, plan, run.seconds(), pairing, test, course.look, *_UNKNOWN))
        stopped = found.stopped_by != "pairs"
        run.conclude(found.document(), "stopped" if stopped else "complete", stopped_by=found.stopped_by)
    return found


_UNKNOWN = (Adjusted(np.nan, np.nan, np.nan), (np.nan, np.nan))


def _concluded(c: Comparison) -> Comparison:
    """Return the comparison with its estimates that allow for looking and stopping."""
    m = c.look.moments
    low, high = anytime_limits(m.mean, m.variance**0.5, m.pairs, c.plan.pairs)
    anytime = max(float(low), 0.0), min(float(high), 1.0)
    return replace(c, adjusted=adjusted(c.test, m, c.plan.pairs, BLOCK_PAIRS), anytime=anytime)


def _left(run: RunFolder, plan: Plan, course: _Course, told: tuple[Ledger, Watch]) -> Iterator[Part]:
    """Return the parts still to be played, after the test has looked at those that are whole and in place.

    None if these decide. A short part is played again: what was played of it is less than what the plan asks for.
    """
    ledger, watch = told
    parts = plan.parts()
    for part in parts:
        kept = kept_part(run, part)
        if kept is None:
            return chain([part], parts)
        course.take(kept.block_scores)
        ledger.add(kept)
        watch.advance(part.pairs, 0)
        if course.look.verdict != UNDECIDED:
            break
    return iter(())


def _units(parts: Iterator[Part]) -> Iterator[Part]:
    """Yield the pairs of parts in order, in pieces that do not cross these."""
    for part in parts:
        for first in range(0, part.pairs, UNIT_PAIRS):
            pairs = min(UNIT_PAIRS, part.pairs - first)
            yield replace(part, first_pair=part.first_pair + first, pairs=pairs)


class _Course:
    """The course of a test: block by block, in pair order, so that where it stops depends on the cards alone."""

    def __init__(self, test: SequentialTest) -> None:
        self._test = test
        self._counts = np.zeros(5, np.int64)
        self.look = look(test, [0, 0, 1, 0, 0], looks=0)

    def take(self, blocks: list[list[int]]) -> int:
        """Look after each of the next blocks; return how many of their pairs were looked at before it was decided.

        A last block that is short is looked at too, unless it is the only one.
        """
        taken = 0
        for block in blocks:
            self._counts += block
            taken += sum(block)
            is_first = self._counts.sum() < BLOCK_PAIRS
            found = look(self._test, self._counts, self.look.looks + (not is_first))
            self.look = found._replace(verdict=UNDECIDED) if is_first else found
            if self.look.verdict != UNDECIDED:
                break
        return taken


class _Shelf:
    """Gathers what was played in order and writes it as the parts of the plan."""

    def __init__(self, plan: Plan, run: RunFolder, parts: Iterator[Part], ledger: Ledger) -> None:
        self._plan, self._run, self._ledger = plan, run, ledger
        self._parts = parts
        self._part = Part(0, (), 0, 0)  # the one being gathered; none yet
        self._rows: list[Played] = []
        self._start = time.perf_counter()

    def put(self, played: Played) -> None:
        """Take the next rows; write a part when it is whole."""
        if not self._rows:
            self._part = next(self._parts)
        self._rows.append(played)
        if sum(len(rows.matches) for rows in self._rows) == 2 * self._part.pairs:
            self.close()

    def close(self) -> None:
        """Write what was gathered as a part, which may be a short one.

        It is written on a thread of its own, because control-C reaches the main thread only: whenever it comes, a
        part is written whole and once.
        """
        if not self._rows:
            return
        gathered, self._rows = self._rows, []
        rows = Played(*(np.concatenate(tables) for tables in zip(*gathered, strict=True)))
        part = replace(self._part, pairs=len(rows.matches) // 2)
        with ThreadPoolExecutor(1, thread_name_prefix="writer") as writer:
            summary = writer.submit(keep_part, self._plan, part, rows, self._run, self._start).result()
        self._ledger.add(summary)
        self._start = time.perf_counter()
