"""The command that plays an experiment again, as words a shell takes: what a run keeps and a page shows."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.sequential import TESTS, SequentialTest
from sim.batch.plan import Plan
from sim.presets import DEFAULT_PRESET, changed_options, preset_rules
from sim.rules import option_text


def rules_words(plan: Plan) -> list[str]:
    """Return the arguments that choose a plan's rules; none for the default."""
    words = ["--rules", plan.preset] if plan.preset != DEFAULT_PRESET else []
    for name, value in changed_options(preset_rules(plan.preset), plan.rules).items():
        words += ["--set", f"{name}={option_text(value)}"]
    return words


def _rest(plan: Plan) -> list[str]:
    return ["--pairs", str(plan.pairs), *rules_words(plan), "--seed", str(plan.seed)]


def compare_words(plan: Plan, test: SequentialTest) -> list[str]:
    """Return the command of a comparison."""
    usual, asked = TESTS[test.name], ["--test", test.name]
    if (test.s0, test.s1) != (usual.s0, usual.s1):
        asked += ["--bounds", f"{100 * test.s0:.12g}:{100 * test.s1:.12g}"]
    if (test.alpha, test.beta) != (usual.alpha, usual.beta):
        asked += ["--alpha", f"{test.alpha:.12g}", "--beta", f"{test.beta:.12g}"]
    return ["hollywood", "compare", *plan.names()[0], *asked, *_rest(plan)]


def sweep_words(plan: Plan, asked: tuple[str, Sequence[str]], against: Sequence[str], *, racing: bool) -> list[str]:
    """Return the command of a sweep; `asked` is the player and what ``--param`` was given."""
    player, params = asked
    words = ["hollywood", "sweep", player, *(word for param in params for word in ("--param", param))]
    words += [word for name in against for word in ("--against", name)]
    return [*words, *([] if racing else ["--no-racing"]), *_rest(plan)]


def tournament_words(plan: Plan) -> list[str]:
    """Return the command of a tournament: a gauntlet where not everyone meets everyone."""
    gauntlet = ["--gauntlet"] if is_gauntlet(plan) else []
    return ["hollywood", "tournament", *(side.text for side in plan.sides), *gauntlet, *_rest(plan)]


def is_gauntlet(plan: Plan) -> bool:
    """Tell whether in a tournament not everyone meets everyone."""
    players = len(plan.sides)
    return len(plan.pairings) < players * (players - 1) // 2
