"""How to play a run again: the command line, and its rules as a user would write them."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from sim.presets import DEFAULT_PRESET, PRESETS, changed_options, find_preset, preset_rules
from sim.rules import option_text


def again_words(spec: Mapping[str, Any], manifest: Mapping[str, Any]) -> list[str]:
    """Return the command line that makes a run again, as quoted words.

    An experiment keeps its own in the manifest; what has none was simulated.
    """
    kept = manifest.get("again")
    return [shlex.quote(str(word)) for word in kept] if kept else simulate_words(spec)


def simulate_words(spec: Mapping[str, Any]) -> list[str]:
    """Return the command line that makes a run again, as quoted words: with the seed and the pairs that were in use.

    `spec` is the run's specification. A side that meets itself is named once for each place it has.
    """
    pairings = spec["pairings"]
    sides = list(pairings[0].values()) if len(pairings) == 1 else [entry["side"] for entry in spec["sides"]]
    words = ["hollywood", "simulate", *map(str, sides), "--pairs", str(spec["pairs"]), "--seed", str(spec["seed"])]
    words += ["--rules", str(spec["preset"])] if spec["preset"] != DEFAULT_PRESET else []
    for change in changed_rules(spec):
        words += ["--set", change]
    words += ["--detail", "deals"] if spec.get("detail") == "deals" else []
    return [shlex.quote(word) for word in words]


def changed_rules(spec: Mapping[str, Any]) -> list[str]:
    """Return the options in which a run's rules differ from its preset: ``target=150``."""
    preset = spec["preset"]
    if preset not in PRESETS:
        return []
    changed = changed_options(find_preset(preset).rules(), preset_rules(preset, spec["rules"]))
    return [f"{name}={option_text(value)}" for name, value in changed.items()]


def rules_name(spec: Mapping[str, Any]) -> str:
    """Name the rules of a run: its preset and the options that differ from it."""
    changed = changed_rules(spec)
    return f"{spec['preset']}, changed: {', '.join(changed)}" if changed else str(spec["preset"])
