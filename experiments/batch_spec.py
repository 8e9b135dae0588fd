"""The file of a batch: experiments as TOML, checked as a whole, a run for each preset of rules and each seed."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from experiments.batch_keys import KEYS, KIND_KEYS, KINDS, WANTED
from experiments.batch_runs import BatchRun, Drawn, draw, test_of
from experiments.defaults import COMPARE, SIMULATE, SWEEP, TOURNAMENT
from experiments.sweep import EACH_OTHER, FIELD
from sim.hints import did_you_mean
from sim.presets import DEFAULT_PRESET, choose_rules
from sim.rules import PARTNERSHIP
from strategies.registry import parse_side

DEFAULTS = ("rules", "options", "seed", "pairs", "threads", "detail")
SIZES = ("pairs", "deals")


class BatchSpecError(ValueError):
    """A file of a batch that cannot be played; the message tells all that is wrong, a line each."""


@dataclass(frozen=True)
class Batch:
    """What the file of a batch asks for: its runs in order, ready to be played, and on how many threads."""

    file: Path
    threads: int
    runs: tuple[Drawn, ...]


@dataclass
class _Reader:
    """Reads the document of a batch and takes note of all that is wrong with it."""

    seed: int
    errors: list[str] = field(default_factory=list)

    def wrong(self, where: str, what: str) -> None:
        """Take note of an error."""
        self.errors.append(f"{where}: {what}".replace("\n", "\n  "))

    def values(self, where: str, table: Mapping[str, object], allowed: Sequence[str], what: str) -> dict[str, Any]:
        """Return the values of a table that are as they should be."""
        found = {}
        for key, value in table.items():
            if key not in allowed:
                hint = did_you_mean(key, allowed)
                self.wrong(where, f'no key "{key}" for {what}.{hint} There are: {" ".join(allowed)}')
                continue
            try:
                found[key] = WANTED[key].read(value)
            except (ValueError, TypeError):
                self.wrong(where, f"{key}: {WANTED[key].what} is wanted, not {_shown(value)}")
        return found

    def defaults(self, table: object) -> dict[str, Any]:
        """Return the values of ``[defaults]``."""
        if not isinstance(table, dict):
            self.wrong("[defaults]", "a table is wanted")
            return {}
        return self.values("[defaults]", table, DEFAULTS, "the defaults")

    def runs(self, place: int, table: Mapping[str, object], defaults: Mapping[str, Any]) -> Iterator[Drawn]:
        """Yield the runs of an experiment that are as they should be."""
        where = f'experiment "{table["name"]}"' if "name" in table else f"experiment {place}"
        before = len(self.errors)
        kind = table.get("kind", kind_by_content(table))
        if kind not in KINDS:
            self.wrong(where, f"kind: one of {' '.join(KINDS)} is wanted, not {_shown(kind)}")
            return
        own = self.values(where, table, KIND_KEYS[str(kind)], f"kind {kind}")
        if "name" not in table:
            self.wrong(where, "name is missing; give each experiment one")
        if all(size in own for size in SIZES):
            self.wrong(where, "give pairs or deals, not both")
        usual = {key: value for key, value in defaults.items() if key in KIND_KEYS[str(kind)]}
        if "deals" in own:
            usual.pop("pairs", None)
        for text in dict.fromkeys(faults(usual | own)):
            self.wrong(where, text)
        if len(self.errors) > before:
            return
        for run in _each(own.pop("name"), str(kind), usual | own, self.seed):
            try:
                yield draw(run)
            except ValueError as error:
                self.wrong(f"{where}{_which(run)}" if run.name != table["name"] else where, str(error))


def read_batch(file: Path, overrides: Sequence[str], seed: int) -> Batch:
    """Return what the file of a batch asks for, with overrides such as ``pairs=100`` or ``NAME.pairs=100``.

    Runs for which the file gives no seed get `seed`. Raises `BatchSpecError`.
    """
    document = _document(file)
    reader = _Reader(seed)
    tables = _experiments(document, reader)
    for text in overrides:
        _override(document, tables, text, reader)
    defaults = reader.defaults(document.pop("defaults", {}))
    for key in document:
        reader.wrong(f'"{key}"', "not known; there are: [defaults] and [[experiment]]")
    runs = [run for place, table in enumerate(tables, start=1) for run in reader.runs(place, table, defaults)]
    for name in _twice([drawn.run.name for drawn in runs]):
        reader.wrong(f'experiment "{name}"', "another experiment has this name, too")
    if reader.errors:
        raise BatchSpecError("\n  ".join(f"{file}: {error}" for error in reader.errors))
    return Batch(file, defaults.get("threads", os.cpu_count() or 1), tuple(runs))


def _document(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise BatchSpecError(f'no file "{file}"') from None
    except OSError as error:
        raise BatchSpecError(f"{file}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise BatchSpecError(f"{file}: not TOML: {error}") from None


def _experiments(document: dict[str, Any], reader: _Reader) -> list[dict[str, Any]]:
    """Take the tables of the experiments out of a document."""
    tables = document.pop("experiment", [])
    if not isinstance(tables, list) or not tables or not all(isinstance(table, dict) for table in tables):
        reader.wrong("[[experiment]]", "at least one such table is wanted")
        return []
    return tables


def _override(document: dict[str, Any], tables: Sequence[dict[str, Any]], text: str, reader: _Reader) -> None:
    """Change a document as ``KEY=VALUE`` or ``EXPERIMENT.KEY=VALUE`` says; the value is TOML, or else plain text."""
    where = f'--set "{text}"'
    path, equals, value = (part.strip() for part in text.partition("="))
    if not equals:
        reader.wrong(where, "not of the form KEY=VALUE or EXPERIMENT.KEY=VALUE")
        return
    name, dot, key = path.partition(".")
    known = [str(table.get("name", "")) for table in tables]
    if dot and name not in known:
        told = " ".join(filter(None, known))
        reader.wrong(where, f'no experiment "{name}".{did_you_mean(name, known)} There are: {told}')
        return
    target = tables[known.index(name)] if dot else document.setdefault("defaults", {})
    key = key if dot else path
    if not isinstance(target, dict):
        return  # told where the defaults are read
    if dot and key in SIZES:  # pairs take the place of deals, and deals of pairs
        target.pop("pairs", None)
        target.pop("deals", None)
    target[key] = _toml_value(value)


def _toml_value(text: str) -> object:
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def faults(settings: Mapping[str, Any]) -> Iterator[str]:
    """Say what is wrong with the rules, the players and the test of an experiment, each looked at by itself."""
    partners = False
    for rules in settings.get("rules", [DEFAULT_PRESET]):
        try:
            partners |= choose_rules(rules, settings.get("options", {})).rules.form == PARTNERSHIP
        except ValueError as error:
            yield str(error)
    met = [player for pairing in settings.get("pairings", []) for player in pairing]
    rivals = [name for name in settings.get("against", []) if name not in (EACH_OTHER, FIELD)]
    for player in (*settings.get("players", []), *met, *rivals):
        try:
            parse_side(player, partners=partners)
        except ValueError as error:
            yield str(error)
    try:
        test_of(settings)
    except ValueError as error:
        yield str(error)


def kind_by_content(table: Mapping[str, object]) -> str:
    """Return the kind of an experiment for which the file names none."""
    for kind in (SWEEP, COMPARE, TOURNAMENT):
        if any(key in table for key in KEYS[kind]):
            return kind
    players = table.get("players")
    many = isinstance(players, list) and len(players) > 2 and not any(key in table for key in KEYS[SIMULATE])
    return TOURNAMENT if many else SIMULATE


def _each(name: str, kind: str, settings: Mapping[str, Any], drawn_seed: int) -> Iterator[BatchRun]:
    """Yield a run for each preset of rules and each seed of an experiment."""
    presets, seeds = settings.get("rules", [DEFAULT_PRESET]), settings.get("seed", [drawn_seed])
    for rules in presets:
        for seed in seeds:
            marks = [re.sub("[^A-Za-z0-9_]+", "-", rules).strip("-")] if len(presets) > 1 else []
            marks += [f"seed{seed}"] if len(seeds) > 1 else []
            yield BatchRun("-".join([name, *marks]), kind, {**settings, "rules": rules, "seed": seed})


def _which(run: BatchRun) -> str:
    return f" (rules {run.settings['rules']}, seed {run.settings['seed']})"


def _twice(names: Sequence[str]) -> list[str]:
    """Return the names that are there twice, to file systems that do not tell capitals apart."""
    folded = [name.casefold() for name in names]
    return sorted({name for place, name in enumerate(names) if name.casefold() in folded[:place]})


def _shown(value: object) -> str:
    text = f'"{value}"' if isinstance(value, str) else str(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
