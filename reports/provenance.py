"""How far to trust a page and how to get it again: completeness, seeds, versions, hashes, and the command."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import numpy as np

from reports import numbers
from reports.blocks import Section
from reports.material import Material
from reports.names import capital
from reports.story import partial_notice
from sim.rules import PRESETS, preset_rules


@dataclass(frozen=True)
class Reproduction:
    """What it takes to make the run and the page again: commands as quoted words, facts, players with source hashes."""

    commands: list[list[str]]
    facts: list[tuple[str, str]]
    players: list[tuple[str, str, str]]


def data_quality(material: Material) -> Section:
    """Say how complete the run is, what was left out, and what the intervals rest on."""
    quality = material.quality
    paragraphs = [partial_notice(material) or _complete(material), _dead_deals(material)]
    if quality.ties:
        share = numbers.percent(quality.ties / quality.matches)
        paragraphs.append(
            f"{_counted(quality.ties, 'match', 'matches')} ({share}) ended in a tie, half a win for each."
        )
    paragraphs.append(_unlisted(quality.unlisted, quality.parts))
    paragraphs.append(_pairing_gain(material))
    return Section("quality", "Data quality", [text for text in paragraphs if text])


def reproduction(material: Material) -> Reproduction:
    """Return the commands, facts and players of the last section."""
    manifest, spec = material.run.manifest, material.run.spec
    facts = [
        ("Run", material.run.run_id),
        ("Seed", str(spec["seed"])),
        ("Rules", _rules(spec["preset"], spec["rules"])),
        ("Pairs a pairing", numbers.count(int(spec["pairs"]))),
        ("Played", _period(manifest)),
        ("Specification", str(manifest.get("spec_hash", "unknown"))),
        (
            "Engine",
            f"{manifest.get('engine_version', 'unknown')}, fingerprint {manifest.get('fingerprint', 'unknown')}",
        ),
        (
            "Libraries",
            ", ".join(f"{name} {version}" for name, version in manifest.get("versions", {}).items()),
        ),
        ("Processor", str(manifest.get("cpu", "unknown"))),
    ]
    players = [
        (material.names.get(entry["spec"], entry["spec"]), str(entry["spec"]), str(entry["sha"]))
        for entry in spec["strategies"]
    ]
    commands = [command(spec), ["hollywood", "report", "last"]]
    return Reproduction(commands, facts, players)


def command(spec: Mapping[str, Any]) -> list[str]:
    """Return the command line that makes a run again, as quoted words: with the seed and the pairs that were in use."""
    words = ["hollywood", "simulate", *(str(entry["spec"]) for entry in spec["strategies"])]
    words += ["--pairs", str(spec["pairs"]), "--seed", str(spec["seed"])]
    words += ["--rules", str(spec["preset"])] if spec["preset"] != "hollywood" else []
    for name, value in _changed(spec["preset"], spec["rules"]).items():
        words += ["--set", f"{name}={value}"]
    words += ["--detail", "deals"] if spec.get("detail") == "deals" else []
    return [shlex.quote(word) for word in words]


def day(stamp: str | None) -> str:
    """Write a time as a date: ``29 November 2026``; an empty text if there is none."""
    if not stamp:
        return ""
    when = datetime.fromisoformat(stamp).astimezone(UTC)
    return f"{when.day} {when:%B %Y}"


def _complete(material: Material) -> str:
    """Say that everything that was asked for is there, or that a test stopped the run."""
    quality = material.quality
    if quality.status == "stopped":
        return (
            f"A sequential test stopped this run after {_counted(quality.matches, 'match', 'matches')}, as planned. "
            "Rates at such a stop flatter the winner a little."
        )
    return f"The run is complete: {_counted(quality.matches, 'match', 'matches')}, as asked for."


def _dead_deals(material: Material) -> str:
    """Say how many deals nobody scored."""
    quality = material.quality
    dead = quality.walls + quality.turn_caps
    share = numbers.percent(dead / quality.deals) if quality.deals else "0%"
    if not dead:
        return f"None of the {numbers.big(quality.deals)} deals was dead."
    where = "at the wall, none at the turn cap"
    if quality.turn_caps:
        where = f"{numbers.big(quality.walls)} at the wall, {numbers.big(quality.turn_caps)} at the turn cap"
    return (
        f"{numbers.big(dead)} of {numbers.big(quality.deals)} deals ({share}) were dead: {where}. A dead deal scores "
        "nothing and is dealt again; the shares of endings count it, the shares of deals won do not."
    )


def _unlisted(files: Sequence[str], parts: int) -> str:
    """Say which files were left out."""
    counted = f"{capital(numbers.plural(parts, 'part'))} of the run {'counts' if parts == 1 else 'count'}"
    if not files:
        return f"{counted}; none was left out."
    return (
        f"{counted}. Left out, because not listed as finished: {numbers.listed(list(files[:4]))}"
        f"{f' and {len(files) - 4} more' if len(files) > 4 else ''}."
    )


def _pairing_gain(material: Material) -> str:
    """Say what playing every deal twice was worth."""
    table = material.pairings[~material.pairings["mirror"] & (material.pairings["pairs"] > 1)]
    if table.empty:
        return ""
    gains = table["variance_reduction"][np.isfinite(table["variance_reduction"])]
    if gains.empty:
        return ""
    low, high = numbers.number(float(gains.min()), 2), numbers.number(float(gains.max()), 2)
    return (
        f"The unit of every interval is the duplicate pair. Playing the same cards twice made each match worth "
        f"{numbers.span(low, high)} independently dealt ones."
    )


def _counted(value: int, singular: str, plural: str) -> str:
    return f"{numbers.big(value)} {singular if value == 1 else plural}"


def _changed(preset: str, rules: Mapping[str, Any]) -> dict[str, str]:
    """Return the options that differ from the preset, as a user would write them."""
    usual = preset_rules(preset).options() if preset in PRESETS else {}
    written = {True: "yes", False: "no"}
    return {
        name: written[value] if isinstance(value, bool) else str(value)
        for name, value in rules.items()
        if preset in PRESETS and usual.get(name) != value
    }


def _rules(preset: str, rules: Mapping[str, Any]) -> str:
    """Name the preset and the options that differ from it."""
    changed = [f"{name} = {value}" for name, value in _changed(preset, rules).items()]
    return f"{preset}, changed: {', '.join(changed)}" if changed else preset


def _period(manifest: Mapping[str, Any]) -> str:
    """Say when the run was played, in the time zone of its record."""
    started, finished = manifest.get("started"), manifest.get("finished")
    if not started:
        return "unknown"
    begun = f"{day(str(started))}, {_clock(str(started))}"
    if not finished:
        return f"{begun} UTC, not finished"
    end = _clock(str(finished))
    return f"{begun} to {end if day(str(finished)) == day(str(started)) else f'{day(str(finished))}, {end}'} UTC"


def _clock(stamp: str) -> str:
    """Write the time of day of a stamp, in UTC: ``20:44:07``."""
    return f"{datetime.fromisoformat(stamp).astimezone(UTC):%H:%M:%S}"
