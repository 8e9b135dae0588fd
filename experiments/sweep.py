"""Sweep a player's parameters: all settings on the same deals, clear losers dropped on the way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, groupby
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from analysis.sequential import SCORES
from analysis.simultaneous import Arms, clear_losers, differences, plateau, race_bands
from experiments.again import sweep_words
from experiments.arms import Arm
from experiments.outcomes import Pairing
from experiments.recording import Ledger, Target, recording, unfinished
from experiments.sides import SideSums, sums_of
from experiments.simulate import Request, RequestError, Workers, identity, play_parts, two_sided_plan
from experiments.validate import YARDSTICKS
from sim.batch.plan import Part, Plan
from sim.batch.runner import Watch
from sim.presets import choose_rules
from sim.rules import PARTNERSHIP
from strategies.registry import bind, parse_side

EACH_OTHER, FIELD = "self", "field"
"""Words for opponents: the other settings; and the yardsticks by which every player is measured."""

Floats = npt.NDArray[np.float64]
Tell = Callable[[int], None]


@dataclass(frozen=True)
class Layout:
    """Who meets whom in a sweep: the settings, their opponents (none: each other), and the plan of all pairings.

    The plan's pairings are in the order of the settings, for each setting in that of its opponents.
    """

    arms: tuple[Arm, ...]
    opponents: tuple[str, ...]
    plan: Plan

    @property
    def each_other(self) -> bool:
        """Whether the settings play each other."""
        return not self.opponents

    def meetings(self) -> list[tuple[int, int, tuple[str, ...]]]:
        """Return for each setting whom it met: its index, the side it was (0 = A, 1 = B), and the pairing's names."""
        names = self.plan.names()
        if not self.each_other:
            return [(place // len(self.opponents), 0, pairing) for place, pairing in enumerate(names)]
        met = zip(combinations(range(len(self.arms)), 2), names, strict=True)
        return [(arm, side, pairing) for arms, pairing in met for side, arm in enumerate(arms)]


@dataclass(frozen=True)
class ArmResult:
    """How a setting did: its share of the matches, with limits that hold for all settings at once (95%).

    `pairs` is how many duplicate pairs it played against each opponent: fewer than asked if it was `dropped`.
    `is_best` marks the highest of those not dropped, `on_plateau` those as good as the best.
    """

    arm: Arm
    match_win_rate: float
    low: float
    high: float
    pairs: int
    dropped: bool
    is_best: bool
    on_plateau: bool
    sums: SideSums

    def document(self) -> dict[str, Any]:
        """Return the setting as `sweep --json` prints it."""
        return {
            "player": self.arm.player,
            "values": dict(self.arm.values),
            "match_win_rate": self.match_win_rate,
            "interval_all": [self.low, self.high],
            "pairs": self.pairs,
            "dropped": self.dropped,
            "best": self.is_best,
            "plateau": self.on_plateau,
            **self.sums.document(),
        }


@dataclass(frozen=True)
class Sweep:
    """What a sweep came to. `matrix` holds mean, low and high of setting minus setting for those not dropped.

    `again` is the command that plays it again.
    """

    run: Path
    layout: Layout
    seconds: float
    deals: int
    arms: tuple[ArmResult, ...]
    matrix: tuple[Floats, Floats, Floats]
    again: tuple[str, ...] = ()

    @property
    def survivors(self) -> list[ArmResult]:
        """The settings that were not dropped, in the order of `matrix`."""
        return [arm for arm in self.arms if not arm.dropped]

    def document(self) -> dict[str, Any]:
        """Return the sweep as `sweep --json` prints it and summary.json keeps it."""
        plan, (mean, low, high) = self.layout.plan, self.matrix
        return {
            "run": str(self.run),
            "seed": plan.seed,
            "pairs": plan.pairs,
            "deals": self.deals,
            "seconds": round(self.seconds, 3),
            "deals_per_second": round(self.deals / self.seconds) if self.seconds else None,
            "rules": plan.preset,
            "against": list(self.layout.opponents) or [EACH_OTHER],
            "arms": [arm.document() for arm in self.arms],
            "matrix": {
                "players": [arm.arm.player for arm in self.survivors],
                "difference": mean.tolist(),
                "low": low.tolist(),
                "high": high.tolist(),
            },
        }


def lay_out(arms: Sequence[Arm], against: Sequence[str], request: Request) -> Layout:
    """Return who meets whom: every setting each opponent, or with "self" each other.

    `request` gives rules, seed and size; its players are not used. Raises as `experiments.simulate.make_plan`.
    """
    named = [name for word in against for name in (YARDSTICKS if word == FIELD else (word,))]
    if EACH_OTHER in named and len(named) > 1:
        raise RequestError(f"--against {EACH_OTHER} stands alone: the settings play each other")
    partners = choose_rules(request.rules, request.options).rules.form == PARTNERSHIP
    # as the plan names them: two spellings of one opponent are one
    opponents = list(dict.fromkeys(parse_side(name, partners=partners).text for name in named if name != EACH_OTHER))
    players = [arm.player for arm in arms]
    pairings = None
    if opponents:
        pairings = [(arm, len(arms) + opponent) for arm in range(len(arms)) for opponent in range(len(opponents))]
    plan = two_sided_plan(replace(request, players=[*players, *opponents]), "a sweep", pairings)
    return Layout(tuple(arms), tuple(opponents), plan)


@dataclass(frozen=True)
class Asked:
    """How a sweep was asked for: the player and what ``--param`` was given, and whether losers are dropped."""

    player: str
    params: tuple[str, ...]
    racing: bool = True


def sweep(
    layout: Layout,
    asked: Asked,
    folder: Path,
    task: tuple[Workers, Watch],
    tell: Tell | None = None,
    *,
    resume: bool = False,
) -> Sweep:
    """Play a sweep into a new run folder, or go on with one.

    After every round of parts settings that are clearly worse than the leader are dropped, unless they play each other
    (the field would change) or `asked` rules it out; `tell` hears how many pairs the whole sweep then plays. `task` is
    who plays and what watches them. Raises as `experiments.simulate.simulate`.
    """
    plan, (workers, watch) = layout.plan, task
    ledger = Ledger()
    live = set(range(len(layout.arms)))
    with recording(plan, Target(folder, resume, _document(layout, asked), tuple(_words(layout, asked)))) as run:
        for first, parts in groupby(plan.parts(), key=lambda part: part.first_pair):
            if first and asked.racing and not layout.each_other:
                live -= _losers(layout, ledger, live)
                _tell_size(layout, ledger, live, tell)
            if len(live) == 1 and not layout.each_other:
                break
            left = list(unfinished(run, _of_live_arms(layout, parts, live), ledger, watch))
            for summary in play_parts(workers, (plan, bind, watch), left, run):
                ledger.add(summary)
        found = replace(_concluded(layout, folder, ledger, live, run.seconds()), again=tuple(_words(layout, asked)))
        dropped = [arm.arm.player for arm in found.arms if arm.dropped]
        run.conclude(found.document(), "stopped" if dropped else "complete", dropped=dropped)
    return found


def _words(layout: Layout, asked: Asked) -> list[str]:
    """Return the command of a sweep."""
    return sweep_words(layout.plan, (asked.player, asked.params), layout.opponents, racing=asked.racing)


def _document(layout: Layout, asked: Asked) -> dict[str, Any]:
    """Return what the manifest keeps of a sweep, from which `read_back` makes it again."""
    return {
        "kind": "sweep",
        "player": asked.player,
        "params": list(asked.params),
        "racing": asked.racing,
        "arms": [{"player": arm.player, "values": dict(arm.values)} for arm in layout.arms],
        "opponents": list(layout.opponents),
    }


def read_back(plan: Plan, kept: Mapping[str, Any]) -> tuple[Layout, Asked]:
    """Return a sweep as it was asked for, from its plan and what the manifest kept of it."""
    arms = tuple(Arm(arm["player"], arm["values"]) for arm in kept["arms"])
    asked = Asked(kept["player"], tuple(kept["params"]), kept["racing"])
    return Layout(arms, tuple(kept["opponents"]), plan), asked


def _of_live_arms(layout: Layout, parts: Iterator[Part], live: set[int]) -> Iterator[Part]:
    """Yield the parts of a round that are still to be played."""
    wanted = {names for arm, _, names in layout.meetings() if arm in live}
    return (part for part in parts if part.names in wanted)


def _losers(layout: Layout, ledger: Ledger, live: set[int]) -> set[int]:
    """Return which of the settings still played are clearly worse than the leader."""
    arms = sorted(live)
    values = _values(layout, ledger)
    sums, pairs = np.column_stack([values[arm][0] for arm in arms]), values[arms[0]][1]
    lost = clear_losers(Arms(sums, pairs), layout.plan.pairs, started=len(layout.arms))
    return {arm for arm, is_lost in zip(arms, lost, strict=True) if is_lost}


def _tell_size(layout: Layout, ledger: Ledger, live: set[int], tell: Tell | None) -> None:
    """Tell how many pairs the sweep plays in all, if no more settings are dropped."""
    if tell is not None:
        played = (layout.plan.pairs if arm in live else _pairs_of(ledger, names) for arm, _, names in layout.meetings())
        tell(sum(played))


def _pairs_of(ledger: Ledger, names: tuple[str, ...]) -> int:
    return int(ledger.pairing(names).tally["pairs"])


def _values(layout: Layout, ledger: Ledger) -> list[tuple[Floats, npt.NDArray[np.int64]]]:
    """Return for each setting the sums of its share of the matches over blocks of pairs, and the pairs in these.

    A setting's share in a pair is its mean over the opponents.
    """
    sums: list[list[Floats]] = [[] for _ in layout.arms]
    pairs: list[npt.NDArray[np.int64]] = [np.zeros(0, np.int64) for _ in layout.arms]
    for arm, side, names in layout.meetings():
        pairing = ledger.pairing(names)
        assert isinstance(pairing, Pairing)
        scores = pairing.blocks @ (1 - SCORES if side else SCORES)
        sums[arm].append(scores)
        pairs[arm] = pairing.blocks.sum(axis=1)
    return [(np.mean(many, axis=0), counts) for many, counts in zip(sums, pairs, strict=True)]


def _concluded(layout: Layout, folder: Path, ledger: Ledger, live: set[int], seconds: float) -> Sweep:
    """Return what was found: limits for all settings at once; of those not dropped the plateau and the differences."""
    values = _values(layout, ledger)
    pairs = np.array([int(counts.sum()) for _, counts in values])
    rates = np.array([sums.sum() for sums, _ in values]) / pairs
    low, high = race_bands(values, layout.plan.pairs, mirrors=_mirrors(layout))
    stayed = np.array([arm in live for arm in range(len(pairs))])  # the last ones dropped played as much as the winner
    last = Arms(np.column_stack([values[arm][0] for arm in np.flatnonzero(stayed)]), values[int(pairs.argmax())][1])
    good = np.zeros(len(pairs), dtype=np.bool_)
    good[stayed] = plateau(last)
    best = int(np.argmax(np.where(stayed, rates, -1)))
    results = tuple(
        ArmResult(
            arm=arm,
            match_win_rate=float(rates[place]),
            low=float(low[place]),
            high=float(high[place]),
            pairs=int(pairs[place]),
            dropped=not stayed[place],
            is_best=place == best,
            on_plateau=bool(good[place]),
            sums=sums_of(_sides(layout, ledger, place)),
        )
        for place, arm in enumerate(layout.arms)
    )
    deals = sum(int(ledger.pairing(names).tally["deals"]) for names in dict.fromkeys(layout.plan.names()))
    return Sweep(folder, layout, seconds, deals, results, differences(last))


def _mirrors(layout: Layout) -> npt.NDArray[np.bool_]:
    """Return which settings have met themselves only, under whatever name, so that they are exactly even."""
    mirrors = np.zeros(len(layout.arms), dtype=np.bool_)
    if len(layout.opponents) == 1:
        sides = layout.plan.sides
        for arm, (one, other) in enumerate(layout.plan.pairings):
            mirrors[arm] = identity(sides[one]) == identity(sides[other])
    return mirrors


def _sides(layout: Layout, ledger: Ledger, wanted: int) -> Iterator[tuple[Pairing, int]]:
    """Yield the pairings of a setting with the side it was."""
    for arm, side, names in layout.meetings():
        pairing = ledger.pairing(names)
        if arm == wanted and isinstance(pairing, Pairing):
            yield pairing, side
