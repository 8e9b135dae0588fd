"""How the runs of one page differ, in words: a short name for each as a condition, and what is the same in all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from analysis import Run
from reports.commands import changed_rules
from reports.numbers import in_words, listed
from reports.rules_in_words import rules_named
from sim.rules import option_text

MOST_OPTIONS = 2
"""Rules that differ in more options than this are named by their presets."""
OPTIONS = {
    "undercut_bonus": ("undercut pays {}", "if an undercut pays {}"),
    "gin_bonus": ("gin pays {}", "if gin pays {}"),
    "target": ("target {}", "with a target of {}"),
    "knock_limit": ("knock limit {}", "with a knock limit of {}"),
    "turn_cap": ("turn cap {}", "with a turn cap of {}"),
}
"""Rule option -> how a value of it is written as a name, and in a sentence."""


@dataclass(frozen=True)
class Condition:
    """A run among others: its name in legends and tables, and how a sentence says that it was played so."""

    label: str
    phrase: str


def conditions_of(runs: Sequence[Run], numbers: Sequence[int]) -> list[Condition]:
    """Return how each of several runs is told from the others: by rules, else by seed, else by its number on the page.

    `numbers` are those, since the runs may be only some of the page's.
    """
    told = _by_rules(runs)
    for more in (_by_seed(runs, numbers), _by_number(numbers)):
        times = Counter(condition.label for condition in told)
        if max(times.values()) == 1:
            break
        told = [_with(one, other) if times[one.label] > 1 else one for one, other in zip(told, more, strict=True)]
    return told


def _with(one: Condition, other: Condition) -> Condition:
    """Return a condition told by two things."""
    if not one.label:
        return other
    return Condition(f"{one.label}, {other.label}", f"{one.phrase} and {other.phrase}")


def rules_told(runs: Sequence[Run]) -> list[str]:
    """Return how the rules of each run are told from those of the others; empty texts if they are the same."""
    return [condition.label for condition in _by_rules(runs)]


def _by_rules(runs: Sequence[Run]) -> list[Condition]:
    """Tell runs by the options in which their rules differ, or by the names of the rules if these are many."""
    differing = differing_options(runs)
    forms = {run.spec["form"] for run in runs}
    if len(forms) == 1 and len(differing) <= MOST_OPTIONS:
        return [_by_options({name: run.spec["rules"].get(name) for name in differing}) for run in runs]
    return [Condition(short_rules(run), f"under {rules_named(run)}") for run in runs]


def _by_options(options: dict[str, Any]) -> Condition:
    """Tell a run by some of its options."""
    labels, phrases = [], []
    for name, value in options.items():
        label, phrase = OPTIONS.get(name, (f"{name}={{}}", f"with {name}={{}}"))
        if name == "columns":
            label = f"{in_words(int(value))} column{'s' if value != 1 else ''}"
            phrase = f"with {label}"
        labels.append(label.format(_text(value)))
        phrases.append(phrase.format(_text(value)))
    return Condition(", ".join(labels), " and ".join(phrases))


def _by_seed(runs: Sequence[Run], numbers: Sequence[int]) -> list[Condition]:
    seeds = [run.spec["seed"] for run in runs]
    if len(set(seeds)) == 1:
        return _by_number(numbers)
    return [Condition(f"seed {seed}", f"with seed {seed}") for seed in seeds]


def _by_number(numbers: Sequence[int]) -> list[Condition]:
    return [Condition(f"run {number}", f"in run {number}") for number in numbers]


def differing_options(runs: Sequence[Run]) -> dict[str, list[str]]:
    """Return the rule options that are not the same in all runs, with their value in each."""
    names = dict.fromkeys(name for run in runs for name in run.spec["rules"])
    values = {name: [_text(run.spec["rules"].get(name)) for run in runs] for name in names}
    return {name: told for name, told in values.items() if len(set(told)) > 1}


def _text(value: Any) -> str:
    """Write the value of an option; one that a run's rules do not know has none."""
    return "–" if value is None else option_text(value)


def short_rules(run: Run) -> str:
    """Name the rules of a run: ``hollywood``, ``hollywood, target=150``."""
    return ", ".join([str(run.spec["preset"]), *changed_rules(run.spec)])


def differences(runs: Sequence[Run]) -> str:
    """Say in a sentence what is the same in all runs and what is not: players, rules, cards, engine."""
    players = {frozenset(side for pairing in run.pairings for side in pairing) for run in runs}
    rules = {(run.spec["form"], short_rules(run)) for run in runs}
    seeds = {run.spec["seed"] for run in runs}
    same = {
        "players": len(players) == 1,
        "rules": len(rules) == 1 and not differing_options(runs),
        "seed, so the same cards": len(seeds) == 1,
    }
    alike = [name for name, is_same in same.items() if is_same]
    other = [name.partition(",")[0] for name, is_same in same.items() if not is_same]
    told = []
    if alike:
        told.append(f"the same {listed(alike)}")
    if other:
        told.append(f"different {listed(['seeds' if name == 'seed' else name for name in other])}")
    start = f"The {in_words(len(runs))} runs have"
    return f"{start} {', but '.join(told)}.{_sources(runs)}{_engines(runs)}"


def _sources(runs: Sequence[Run]) -> str:
    """Name the strategies whose source is not the same in all runs."""
    seen: dict[str, set[str]] = {}
    for run in runs:
        for entry in run.spec["strategies"]:
            seen.setdefault(str(entry["spec"]), set()).add(str(entry["sha"]))
    edited = [name for name, shas in seen.items() if len(shas) > 1]
    return f" The source of {listed(edited)} was edited in between." if edited else ""


def _engines(runs: Sequence[Run]) -> str:
    """Say so if not all runs were played by engines that play alike."""
    known = {run.manifest.get("fingerprint") for run in runs}
    return " They were played by engines that do not play alike." if len(known) > 1 else ""
