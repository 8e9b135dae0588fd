"""Sweeps, tournaments and comparisons played with dice: the code of the experiments, without a kernel.

Everything that is written, concluded and stopped is done by `experiments`; only the matches are those of
`tests.support.synthetic_run`. Players are known strategies by name, with the skills that a test gives them.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from analysis import Run, load_run
from analysis.sequential import make_test
from experiments.arms import make_arms
from experiments.compare import compare
from experiments.simulate import Request, two_sided_plan
from experiments.sweep import Asked, lay_out, sweep
from experiments.tournament import draw_up, tournament
from sim.batch.executors import Task
from sim.batch.plan import Part, Plan
from sim.batch.runner import PartSummary, Played, Watch, keep_part
from sim.batch.store import RunFolder
from tests.support.synthetic_run import Player, Setup, play

PART_PAIRS = 2048
"""Pairs a part, far fewer than in earnest, so that a race over a few thousand pairs has several rounds."""
RULES = {"target": "30"}
"""Short matches: dice are thrown once for each deal of a match."""
Skills = Mapping[str, Player]


@dataclass(frozen=True)
class Dice:
    """Plays the matches of a plan with dice; a player whom `skills` does not know plays with no skill at all."""

    skills: Skills

    def played(self, plan: Plan, part: Part) -> Played:
        """Return the rows of a part."""
        players = tuple(self.skills.get(name, Player(name)) for name in part.names)
        setup = Setup(players, preset=plan.preset, seed=plan.seed, options=RULES)
        matches, _ = play(players, setup, part.first_pair, part.pairs)
        return Played(matches, matches[:0])

    def part_by_part(self, task: Task, parts: Iterable[Part], folder: RunFolder) -> Iterator[PartSummary]:
        """Play parts into a run folder, as the executors do."""
        for part in parts:
            yield keep_part(task[0], part, self.played(task[0], part), folder, time.perf_counter())

    def in_order(self, task: Task, parts: Iterable[Part], threads: int) -> Iterator[tuple[Part, Played]]:
        """Play parts without writing, as `sim.batch.executors.play_in_order` does."""
        for part in parts:
            yield part, self.played(task[0], part)


@contextmanager
def no_kernels(dice: Dice) -> Iterator[None]:
    """Let experiments be played with dice: nothing is compiled, and parts are short."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("experiments.simulate.bind", lambda strategy: None)
        for module in ("experiments.recording", "sim.batch.runner"):
            patch.setattr(f"{module}.engine_fingerprint", lambda: "dice")
        patch.setattr("experiments.compare.play_in_order", dice.in_order)
        patch.setattr("sim.batch.plan.PART_PAIRS", PART_PAIRS)
        yield


def _request(players: Sequence[str], pairs: int) -> Request:
    return Request(players, pairs=pairs, options=RULES, seed=7)


def dice_sweep(folder: Path, skills: Skills, asked: Asked, against: Sequence[str], pairs: int) -> Run:
    """Play a sweep."""
    dice = Dice(skills)
    with no_kernels(dice):
        layout = lay_out(make_arms(asked.player, asked.params), against, _request((), pairs))
        sweep(layout, asked, folder, (dice.part_by_part, Watch()))
    return load_run(folder)


def dice_tournament(folder: Path, players: Sequence[Player], pairs: int, *, gauntlet: bool = False) -> Run:
    """Play a tournament."""
    dice = Dice({player.spec: player for player in players})
    with no_kernels(dice):
        request = _request([player.spec for player in players], pairs)
        tournament(draw_up(request, gauntlet=gauntlet), folder, dice.part_by_part, Watch())
    return load_run(folder)


def dice_comparison(folder: Path, players: Sequence[Player], pairs: int, **test: Any) -> Run:
    """Play a comparison; `test` is what `analysis.sequential.make_test` takes."""
    dice = Dice({player.spec: player for player in players})
    with no_kernels(dice):
        plan = two_sided_plan(_request([player.spec for player in players], pairs), "a comparison")
        compare(plan, make_test(**test), folder, (1, Watch()))
    return load_run(folder)
