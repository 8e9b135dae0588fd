"""Play strategies against each other and say who wins: from a request to a run folder and an outcome."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from analysis.intervals import share_limits
from sim.batch.executors import run_on_threads
from sim.batch.fingerprint import engine_fingerprint
from sim.batch.plan import MAX_PAIRS, Plan, round_robin
from sim.batch.provenance import engine_version, library_versions, machine, now
from sim.batch.runner import Stopped, Watch, play_part
from sim.batch.store import RunFolder, write_text
from sim.batch.tally import Tally, add
from sim.rules import preset_rules
from strategies.registry import bind, effective_params, parse_spec

PILOT_PAIRS = 64
DEFAULT_PAIRS = 10_000


class RequestError(ValueError):
    """A request that cannot be played; the message names what is wrong and what is allowed."""


@dataclass(frozen=True)
class Request:
    """What a user asks for. At most one of `pairs` and `deals` (about so many a pairing) may be given."""

    players: Sequence[str]
    pairs: int | None = None
    deals: int | None = None
    preset: str = "hollywood"
    options: Mapping[str, object] = field(default_factory=dict)
    seed: int | None = None
    detail: str = "matches"


def make_plan(request: Request) -> Plan:
    """Turn a request into a plan; `deals` is turned into pairs by a short pilot.

    Raises `RequestError`, `strategies.registry.StrategyError`, `sim.decisions.CompileError` or
    `sim.rules.RulesError`, each one line.
    """
    if len(request.players) < 2:
        raise RequestError("simulate needs at least two strategies, such as: greedy simple")
    if request.pairs is not None and request.deals is not None:
        raise RequestError("give --pairs or --deals, not both")
    plan = Plan(
        strategies=tuple(parse_spec(player) for player in request.players),
        pairings=round_robin(len(request.players)),
        rules=preset_rules(request.preset, request.options),
        preset=request.preset,
        seed=secrets.randbits(32) if request.seed is None else request.seed,
        pairs=DEFAULT_PAIRS if request.pairs is None else request.pairs,
        detail=request.detail,
    )
    _refuse_twins(plan)
    for strategy in plan.strategies:
        bind(strategy)  # compiled here, once, before anything is written and before threads need it
    return plan if request.deals is None else _sized(plan, request.deals)


def _refuse_twins(plan: Plan) -> None:
    """Refuse a round robin in which a player takes part twice, under whatever names: its pairs would count twice."""
    met: dict[tuple[object, ...], str] = {}
    for spec in plan.strategies if len(plan.strategies) > 2 else ():
        player = (spec.sha, spec.text.partition(":")[0], *effective_params(spec).items())
        if player in met:
            raise RequestError(f'"{met[player]}" and "{spec.text}" are the same player; a round robin needs each once')
        met[player] = spec.text


def _sized(plan: Plan, deals: int) -> Plan:
    """Return the plan with as many pairs as make about so many deals a pairing, judged by a pilot of each pairing."""
    pilot = replace(plan, pairs=PILOT_PAIRS)
    played = sum(int(play_part(pilot, part, bind, Watch()).matches["deals_played"].sum()) for part in pilot.parts())
    pairs = round(deals * pilot.total_pairs() / played)
    return replace(plan, pairs=min(max(pairs, 1), MAX_PAIRS))


@dataclass(frozen=True)
class Pairing:
    """How one pairing went, from A's side. Rates are fractions; the interval is 95% over duplicate pairs."""

    a: str
    b: str
    tally: Tally

    @property
    def matches(self) -> int:
        """Matches played, two for each pair."""
        return 2 * int(self.tally["pairs"])

    @property
    def match_win_rate(self) -> float:
        """A's share of the matches, ties half."""
        return float(np.dot(self.tally["pair_scores"], np.linspace(0, 1, 5)) / self.tally["pairs"])

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% interval of `match_win_rate`."""
        counts, scores = np.array(self.tally["pair_scores"]), np.linspace(0, 1, 5)
        pairs, mean = int(counts.sum()), self.match_win_rate
        spread = float(counts @ (scores - mean) ** 2) / max(pairs - 1, 1)
        return _limits(mean, (spread / pairs) ** 0.5, pairs)

    @property
    def deal_win_rate(self) -> float:
        """A's share of the scored deals."""
        return float(self.tally["deals_won"] / max(self.tally["deals_scored"], 1))

    @property
    def deal_interval(self) -> tuple[float, float]:
        """The 95% interval of `deal_win_rate`: a ratio of sums over pairs, by the delta method."""
        t, rate = self.tally, self.deal_win_rate
        squares = t["won_squared"] - 2 * rate * t["won_scored"] + rate**2 * t["scored_squared"]
        pairs = int(t["pairs"])
        spread = max(squares, 0.0) * pairs / max(pairs - 1, 1)
        return _limits(rate, spread**0.5 / max(t["deals_scored"], 1), pairs)

    @property
    def deals_per_match(self) -> float:
        """Deals a match, dead ones included."""
        return float(self.tally["deals"] / self.matches)

    @property
    def column_rates(self) -> list[float | None]:
        """A's share of columns 1, 2, 3; None for a column that is not on the sheet or that nobody won."""
        won = zip(self.tally["columns_a"], self.tally["columns_b"], strict=True)
        return [a / (a + b) if a + b else None for a, b in won]


def _limits(mean: float, se: float, pairs: int) -> tuple[float, float]:
    low, high = share_limits(np.array(mean), np.array(se), np.array(pairs))
    return float(low), float(high)


@dataclass(frozen=True)
class Outcome:
    """What a simulation came to."""

    run: Path
    plan: Plan
    seconds: float
    pairings: tuple[Pairing, ...]

    @property
    def deals(self) -> int:
        """Deals played, in all pairings together."""
        return sum(int(p.tally["deals"]) for p in self.pairings)

    def document(self) -> dict[str, Any]:
        """Return the outcome as `simulate --json` prints it and summary.json keeps it."""
        return {
            "run": str(self.run),
            "seed": self.plan.seed,
            "pairs": self.plan.pairs,
            "deals": self.deals,
            "seconds": round(self.seconds, 3),
            "deals_per_second": round(self.deals / self.seconds) if self.seconds else None,
            "rules": self.plan.preset,
            "pairings": [
                {
                    "a": p.a,
                    "b": p.b,
                    "match_win_rate": p.match_win_rate,
                    "interval": list(p.interval),
                    "deals_per_match": p.deals_per_match,
                    "deal_win_rate": p.deal_win_rate,
                    "column_win_rates": p.column_rates,
                    "pair_scores": p.tally["pair_scores"],
                }
                for p in self.pairings
            ],
        }


def default_folder(plan: Plan, root: Path) -> Path:
    """Make and return the folder of a run for which the user names none: time, players and plan are in its name."""
    players = [s.text for s in plan.strategies]
    slug = "-v-".join(players) if len(players) == 2 else f"{len(players)}-players"
    slug = "".join(c if c.isalnum() or c in "-." else "-" for c in slug.replace(".py", "").replace("./", ""))[:60]
    name = f"{datetime.now(UTC):%Y%m%dT%H%M%S}-{slug.strip('-.')}-{plan.spec_hash()[:6]}"
    folder, number = root / name, 1
    while True:
        try:
            folder.mkdir(parents=True)
        except FileExistsError:  # another run of this very second
            number += 1
            folder = root / f"{name}-{number}"
        else:
            return folder


def simulate(plan: Plan, folder: Path, threads: int, watch: Watch) -> Outcome:
    """Play a plan into a new run folder.

    On KeyboardInterrupt the parts in work are dropped, the finished ones stay, the manifest says ``interrupted`` and
    the exception goes on; on any other error it says ``failed``. Raises `sim.batch.store.FolderInUse` or
    `sim.batch.store.StoreError` when it cannot be written and `sim.batch.runner.RunFailed` when a strategy misbehaves.
    """
    facts: dict[str, object] = {
        "run_id": folder.resolve().name,
        "spec_hash": plan.spec_hash(),
        "engine_version": engine_version(),
        "fingerprint": engine_fingerprint(),
        "versions": library_versions(),
        **machine(),
        "started": now(),
    }
    run = RunFolder.create(folder, plan, facts)
    start = time.perf_counter()
    tallies: dict[tuple[str, str], Tally] = {}
    try:
        for summary in run_on_threads(plan, bind, run, watch, threads):
            known = tallies.get(summary.pairing)
            tallies[summary.pairing] = add(known, summary.tally) if known else summary.tally
    except BaseException as error:
        interrupted = isinstance(error, KeyboardInterrupt | Stopped)
        run.set_status("interrupted" if interrupted else "failed", finished=now())
        raise
    names = [(plan.strategies[a].text, plan.strategies[b].text) for a, b in plan.pairings]
    pairings = tuple(Pairing(a, b, tallies[a, b]) for a, b in dict.fromkeys(names))
    outcome = Outcome(folder, plan, time.perf_counter() - start, pairings)
    write_text(folder / "summary.json", json.dumps(outcome.document(), indent=1) + "\n")
    run.set_status("complete", finished=now())
    return outcome
