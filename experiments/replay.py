"""Follow a pair move by move: of a run, checked against what the run has stored, or of any seed and players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from experiments.kept_sources import changed_sources
from sim.batch.executors import in_a_thread
from sim.batch.fingerprint import engine_fingerprint
from sim.batch.lookup import as_stored, first_difference, stored_rows
from sim.batch.plan import MAX_PAIRS, Part, Plan
from sim.batch.spec import read_plan
from sim.decisions import Side
from sim.evening import SIDES
from sim.presets import changed_options, choose_rules, preset_rules
from sim.replay import replay_pair
from sim.rules import PARTNERSHIP
from sim.story import DealStory, MatchStory, match_document
from strategies.registry import bind, parse_side


class ReplayError(ValueError):
    """A replay that cannot be made; the message names what is wrong and what there is."""


class ReplayDiffers(RuntimeError):
    """A replay that does not come to what the run has stored."""


@dataclass(frozen=True)
class Replay:
    """The matches of one pair, told.

    `plan` is of this pairing alone; `is_stored` tells whether the rows are stored in the run, and then they are
    equal; None without a run. `leg` and `deal` are what shall be shown, None for all.
    """

    plan: Plan
    pair: int
    matches: tuple[MatchStory, ...]
    is_stored: bool | None = None
    leg: int | None = None
    deal: int | None = None

    @property
    def sides(self) -> tuple[Side, ...]:
        """The sides A, B and, of three, C."""
        return tuple(self.plan.sides[side] for side in self.plan.pairings[0])

    def choose(self, leg: int | None, deal: int | None) -> Replay:
        """Return the replay with one leg or one deal to be shown; raises `ReplayError` if there is none such."""
        if leg is not None and leg >= len(self.matches):
            raise ReplayError(f"pair {self.pair} has no leg {leg}: its legs are 0 to {len(self.matches) - 1}")
        chosen = replace(self, leg=leg, deal=deal)
        longest = max(len(match.deals) for match in chosen.shown())
        if deal is not None and deal >= longest:
            where = f"pair {self.pair}" if leg is None else f"leg {leg} of pair {self.pair}"
            raise ReplayError(f"{where} has no deal {deal}: its deals are 0 to {longest - 1}")
        return chosen

    def shown(self) -> list[MatchStory]:
        """Return the matches to be shown."""
        return [match for match in self.matches if self.leg in (None, match.leg)]

    def deals_of(self, match: MatchStory) -> list[DealStory]:
        """Return the deals of a match to be shown."""
        return [deal for deal in match.deals if self.deal in (None, deal.deal)]

    def document(self) -> dict[str, Any]:
        """Return the replay as `hollywood replay --json` prints it; cards are texts, sides letters."""
        plan = self.plan
        return {
            "rules": plan.preset,
            "options": changed_options(preset_rules(plan.preset), plan.rules),
            "form": plan.rules.form,
            "seed": plan.seed,
            "pair": self.pair,
            "sides": {letter: side.text for letter, side in zip(SIDES, self.sides, strict=False)},
            "equals_stored": self.is_stored or None,
            "matches": [match_document(match, self.deals_of(match)) for match in self.shown()],
        }


def replay_run(folder: Path, players: Sequence[str], pair: int) -> Replay:
    """Replay a pair of a run from the run's own copy of its strategies, and compare it with the stored rows.

    `players` name the pairing where a run has several. Raises `ReplayError` or `sim.batch.spec.SpecError` for what is
    not there, `ReplayDiffers` when a row differs.
    """
    plan = read_plan(folder)
    for _, sources in changed_sources(folder, plan):
        raise ReplayError(f"{sources}: these sources were changed after the run was made")
    names = _pairing(plan, players, folder)
    pairing = plan.pairings[plan.names().index(names)]
    if pair >= plan.pairs:
        raise ReplayError(f"{folder} has no pair {pair}: its pairs are 0 to {plan.pairs - 1}")
    replay = _replay(_of_one(plan, pairing), pair)
    stored = stored_rows(folder, names, pair)
    for table, rows in stored.items():
        difference = first_difference(rows, as_stored(table, _rows(replay, table), names))
        if difference:
            raise ReplayDiffers(f"{folder}: {difference}; this engine has fingerprint {engine_fingerprint()}")
    return replace(replay, is_stored=bool(stored))


def replay_free(players: Sequence[str], rules: str, options: Mapping[str, object], seed: int, pair: int) -> Replay:
    """Replay a pair of any players under any rules and seed; errors as `experiments.simulate.make_plan`."""
    chosen = choose_rules(rules, options)
    if len(players) != chosen.rules.sides:
        count = {2: "two", 3: "three"}[chosen.rules.sides]
        raise ReplayError(f"{chosen.rules.form} play is between {count} players; {len(players)} given")
    if pair >= MAX_PAIRS:
        raise ReplayError(f"there is no pair {pair}: pairs are 0 to {MAX_PAIRS - 1}")
    sides = tuple(parse_side(player, partners=chosen.rules.form == PARTNERSHIP) for player in players)
    pairing = tuple(range(len(sides)))
    return _replay(Plan(sides, (pairing,), chosen.rules, chosen.preset, seed, pair + 1), pair)


def _pairing(plan: Plan, players: Sequence[str], folder: Path) -> tuple[str, ...]:
    """Return the pairing of a plan that some players name, or the only one."""
    names = plan.names()
    if not players and len(names) == 1:
        return names[0]
    for given in (tuple(players), tuple(map(_normalised, players))):
        if given in names:
            return given
    known = "\n  ".join(" ".join(pairing) for pairing in names[:10])
    told = "name one of its pairings" if not players else f"there is no pairing {' '.join(players)}"
    raise ReplayError(f"{folder}: {told}, such as\n  {known}")


def _normalised(player: str) -> str:
    """Return a player as a plan writes it: ``threshold:knock_at=5`` for ``threshold:knock_at=05``."""
    try:
        return parse_side(player, partners=True).text
    except ValueError:  # a file that is gone is found by the text of the plan or not at all
        return player


def _of_one(plan: Plan, pairing: tuple[int, ...]) -> Plan:
    return Plan(plan.sides, (pairing,), plan.rules, plan.preset, plan.seed, plan.pairs, plan.detail)


def _replay(plan: Plan, pair: int) -> Replay:
    part = Part(0, tuple(plan.sides[side] for side in plan.pairings[0]), pair, 1)
    players = [bind(player) for player in part.players(plan.rules)]
    return Replay(plan, pair, tuple(in_a_thread(lambda: replay_pair(plan.rules, plan.seed, pair, players))))


def _rows(replay: Replay, table: str) -> Any:
    """Return the rows of a replay as the kernels wrote them: of its deals, or of its matches."""
    if table == "deals":
        return np.array([deal.row for match in replay.matches for deal in match.deals if deal.row is not None])
    return np.array([match.row for match in replay.matches if match.row is not None])
