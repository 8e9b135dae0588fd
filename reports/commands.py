"""How to play a run again: the command line, and its rules as a user would write them."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any

from analysis import Run
from sim.presets import DEFAULT_PRESET, PRESETS, changed_options, find_preset, preset_rules
from sim.rules import option_text

BATCH = "batch.json"
"""The file by which the folder of a batch is known."""


def again_commands(spec: Mapping[str, Any], manifest: Mapping[str, Any]) -> list[list[str]]:
    """Return the command lines that make a run again, each as quoted words.

    An experiment keeps its own in the manifest; what has none was simulated. Pairings that were listed one by one, as
    only the file of a batch can, take a command each: every pairing plays the same cards, alone or among others.
    """
    kept = manifest.get("again")
    if kept:
        return [quoted(kept)]
    pairings = spec["pairings"]
    if len(pairings) == 1 or _everyone_meets(spec):
        return [simulate_words(spec)]
    return [simulate_words({**spec, "pairings": [pairing]}) for pairing in pairings]


def _everyone_meets(spec: Mapping[str, Any]) -> bool:
    """Tell whether the pairings of a run are those of a round robin of its sides."""
    met = [tuple(pairing.values()) for pairing in spec["pairings"]]
    return met == list(combinations((entry["side"] for entry in spec["sides"]), len(met[0])))


def simulate_words(spec: Mapping[str, Any]) -> list[str]:
    """Return the command line that makes a run again, as quoted words: with the seed and the pairs that were in use.

    `spec` is the specification of a run of one pairing or of a round robin. A side that meets itself is named once for
    each place it has.
    """
    pairings = spec["pairings"]
    sides = list(pairings[0].values()) if len(pairings) == 1 else [entry["side"] for entry in spec["sides"]]
    words = ["hollywood", "simulate", *map(str, sides), "--pairs", str(spec["pairs"]), "--seed", str(spec["seed"])]
    words += ["--rules", str(spec["preset"])] if spec["preset"] != DEFAULT_PRESET else []
    for change in changed_rules(spec):
        words += ["--set", change]
    words += ["--detail", "deals"] if spec.get("detail") == "deals" else []
    return quoted(words)


def quoted(words: Iterable[object]) -> list[str]:
    """Return words of a command as a shell takes them."""
    return [shlex.quote(str(word)) for word in words]


def changed_rules(spec: Mapping[str, Any]) -> list[str]:
    """Return the options in which a run's rules differ from its preset: ``target=150``."""
    preset = spec["preset"]
    if preset not in PRESETS:
        return []
    changed = changed_options(find_preset(preset).rules(), preset_rules(preset, spec["rules"]))
    return [f"{name}={option_text(value)}" for name, value in changed.items()]


def run_words(run: Run) -> str:
    """Name a run as commands find it in runs/: BATCH/RUN where its folder is in that of a batch, else its name."""
    folder = run.path.resolve().parent
    return f"{folder.name}/{run.run_id}" if (folder / BATCH).is_file() else run.run_id


def rules_name(spec: Mapping[str, Any]) -> str:
    """Name the rules of a run: its preset and the options that differ from it."""
    changed = changed_rules(spec)
    return f"{spec['preset']}, changed: {', '.join(changed)}" if changed else str(spec["preset"])
