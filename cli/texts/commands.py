"""The commands that show or repeat what was played, as a user would type them."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from cli.texts.words import LINE_WIDTH
from experiments.again import rules_words
from sim.batch.mirror import mirrored_at
from sim.presets import changed_options, preset_rules
from sim.rules import option_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from sim.batch.plan import Plan
    from sim.batch.runner import Place


def rules_text(plan: Plan) -> str:
    """Return a plan's preset and the options changed in it, for people."""
    changed = changed_options(preset_rules(plan.preset), plan.rules)
    return plan.preset + "".join(f" {name}={option_text(value)}" for name, value in changed.items())


def shown(run: Path) -> str:
    """Return how a user names a run folder: its path, or where it is mirrored."""
    mirror = mirrored_at(run)
    return str(run) if mirror is None else mirror


def replay_command(plan: Plan, place: Place) -> str:
    """Return the command that shows a deal of a plan, move by move."""
    words = ["hollywood", "replay", *place.sides, "--seed", str(plan.seed), "--pair", str(place.pair)]
    words += ["--leg", str(place.leg), "--deal", str(place.deal)]
    return shlex.join(words + rules_words(plan))


def folded(words: Sequence[str], first: str, later: str) -> Iterable[str]:
    r"""Yield a command in lines of at most 80 characters, broken by a backslash, so that it can be pasted."""
    line = first
    for place, word in enumerate(_with_values(words)):
        if place and len(line) + 1 + len(word) + 2 > LINE_WIDTH:
            yield line + " \\"
            line = later + word
        else:
            line += word if line in (first, later) else f" {word}"
    yield line


def _with_values(words: Sequence[str]) -> list[str]:
    """Return the words quoted, each option together with its value."""
    together: list[str] = []
    for word in map(shlex.quote, words):
        if together and together[-1].startswith("--") and " " not in together[-1] and not word.startswith("--"):
            together[-1] += f" {word}"
        else:
            together.append(word)
    return together
