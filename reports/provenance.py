"""How far to trust a page and how to get it again: completeness, seeds, versions, hashes, and the command."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import numpy as np

from analysis.completeness import Quality
from reports import numbers
from reports.blocks import Section
from reports.commands import again_commands, rules_name
from reports.material import Basis, Material
from reports.names import capital
from reports.rules_in_words import after_a_dead_deal
from reports.story import partial_notice


@dataclass(frozen=True)
class Reproduction:
    """What it takes to make the run and the page again: commands as quoted words, facts, players with source hashes."""

    commands: list[list[str]]
    facts: list[tuple[str, str]]
    players: list[tuple[str, str, str]]


def data_quality(basis: Basis, unit: str) -> Section:
    """Say how complete the run is, what was left out, and what the intervals rest on, which is the sentence `unit`."""
    quality = basis.quality
    dropped = len(basis.run.manifest.get("dropped", []))
    paragraphs = [partial_notice(quality) or _complete(quality, dropped), _dead_deals(basis)]
    if quality.ties:
        share = numbers.percent(quality.ties / quality.matches)
        part = "a third of" if basis.run.is_three_handed else "half"
        paragraphs.append(
            f"{_counted(quality.ties, 'match', 'matches')} ({share}) ended in a tie, {part} a win for each."
        )
    paragraphs += [_unlisted(quality.unlisted, quality.parts), unit]
    return Section("quality", "Data quality", [text for text in paragraphs if text])


def reproduction(basis: Basis) -> Reproduction:
    """Return the commands, facts and players of the last section."""
    manifest, spec = basis.run.manifest, basis.run.spec
    facts = [
        ("Run", basis.run.run_id),
        ("Seed", str(spec["seed"])),
        ("Rules", rules_name(spec)),
        (
            "Card streams a trio" if basis.run.is_three_handed else "Pairs a pairing",
            numbers.count(int(spec["pairs"])),
        ),
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
    return Reproduction(_commands(spec, manifest), facts, players_told(spec, basis.player_names))


def players_told(spec: Mapping[str, Any], short: Mapping[str, str]) -> list[tuple[str, str, str]]:
    """Return the players of a run: short name, spec and hash of the source."""
    return [
        (short.get(entry["spec"], entry["spec"]), str(entry["spec"]), str(entry["sha"])) for entry in spec["strategies"]
    ]


def _commands(spec: Mapping[str, Any], manifest: Mapping[str, Any]) -> list[list[str]]:
    """Return the commands that play a run again and make a page of it; of several runs where one cannot hold all."""
    played = again_commands(spec, manifest)
    if len(played) == 1:
        return [*played, ["hollywood", "report", "last"]]
    folders = [f"pairing{number}" for number in range(1, 1 + len(played))]
    named = [[*words, "--out", folder] for words, folder in zip(played, folders, strict=True)]
    return [*named, ["hollywood", "report", *folders]]


def day(stamp: str | None) -> str:
    """Write a time as a date: ``29 November 2026``; an empty text if there is none."""
    if not stamp:
        return ""
    when = datetime.fromisoformat(stamp).astimezone(UTC)
    return f"{when.day} {when:%B %Y}"


def _complete(quality: Quality, dropped: int) -> str:
    """Say that everything that was asked for is there, or what stopped the run or a part of it."""
    if dropped:
        fell = f"{capital(numbers.plural(dropped, 'setting'))} of this sweep fell clearly behind the leader"
        played = _counted(quality.matches, "match", "matches")
        return f"{fell} and played no further, as planned; {played} were played."
    if quality.status == "stopped":
        return (
            f"A sequential test stopped this run after {_counted(quality.matches, 'match', 'matches')}, as planned. "
            "Rates at such a stop flatter the winner a little."
        )
    return f"The run is complete: {_counted(quality.matches, 'match', 'matches')}, as asked for."


def _dead_deals(basis: Basis) -> str:
    """Say how many deals nobody scored, and what follows a dead deal."""
    quality = basis.quality
    if not quality.dead:
        return f"None of the {numbers.big(quality.deals)} deals was dead."
    share = numbers.percent(quality.dead / quality.deals)
    counted = f"{numbers.big(quality.dead)} of {numbers.big(quality.deals)} deals ({share}) were dead"
    dead = f"{counted}: {_where_dead(quality)}. A dead deal {after_a_dead_deal(basis.run)}"
    if basis.run.is_three_handed:
        return f"{dead}."
    return f"{dead}; the shares of endings count it, the shares of deals won do not."


def _where_dead(quality: Quality) -> str:
    """Say where the dead deals ended."""
    if quality.turn_caps is None:
        return "at the wall or at the turn cap"
    if not quality.turn_caps:
        return "at the wall, none at the turn cap"
    walls = quality.dead - quality.turn_caps
    return f"{numbers.big(walls)} at the wall, {numbers.big(quality.turn_caps)} at the turn cap"


def _unlisted(files: Sequence[str], parts: int) -> str:
    """Say which files were left out."""
    counted = f"{capital(numbers.plural(parts, 'part'))} of the run {'counts' if parts == 1 else 'count'}"
    if not files:
        return f"{counted}; none was left out."
    return (
        f"{counted}. Left out, because not listed as finished: {numbers.listed(list(files[:4]))}"
        f"{f' and {len(files) - 4} more' if len(files) > 4 else ''}."
    )


def pairing_gain(material: Material) -> str:
    """Say what the intervals rest on, and what playing every deal twice was worth."""
    table = material.pairings[~material.pairings["mirror"] & (material.pairings["pairs"] > 1)]
    if table.empty:
        return ""
    gains = table["variance_reduction"][np.isfinite(table["variance_reduction"])]
    if gains.empty:
        return ""
    low, high = numbers.number(float(gains.min()), 2), numbers.number(float(gains.max()), 2)
    deals = "; where deal rows are counted it is a block of pairs" if material.run.has_deals else ""
    return (
        f"The unit of every interval that names no other is the duplicate pair{deals}. Playing the same cards twice "
        f"made each match worth {numbers.span(low, high)} independently dealt ones."
    )


def _counted(value: int, singular: str, plural: str) -> str:
    return f"{numbers.big(value)} {singular if value == 1 else plural}"


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
