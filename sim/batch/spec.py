"""What a run plays, as its folder keeps it: spec.toml and the sources of the strategies, written and read back."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from sim.batch.plan import MAX_PAIRS, Plan
from sim.batch.schema import SIDE_LETTERS
from sim.decisions import Side, StrategySpec
from sim.presets import find_preset
from sim.rules import FORMS, Rules

SPEC, SOURCES = "spec.toml", "strategies"


class SpecError(ValueError):
    """A run folder whose spec.toml or strategies cannot be read; the message names the file and what is wrong."""


def spec_document(plan: Plan) -> dict[str, Any]:
    """Return a plan as the document that spec.toml holds."""
    return {
        "seed": plan.seed,
        "pairs": plan.pairs,
        "detail": plan.detail,
        "preset": plan.preset,
        "form": plan.rules.form,
        "spec_hash": plan.spec_hash(),
        "rules": plan.rules.options(),
        "strategies": [{"spec": s.text, "params": dict(s.params), "sha": s.sha} for s in plan.strategies],
        "sides": [{"side": side.text, "players": [player.text for player in side.players]} for side in plan.sides],
        "pairings": [dict(zip(SIDE_LETTERS, names, strict=False)) for names in plan.names()],
    }


def write_sources(path: Path, plan: Plan) -> None:
    """Keep the source text of every strategy in a run folder, under its sha."""
    for strategy in plan.strategies:
        for name, text in strategy.sources:
            file = path / SOURCES / strategy.sha / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")


def read_plan(path: Path) -> Plan:
    """Return the plan of a run folder, its strategies from the folder's own copy of their sources.

    Raises `SpecError`, one line naming the file.
    """
    file = path / SPEC
    try:
        document = tomllib.loads(file.read_text(encoding="utf-8"))
        plan = _plan(path, document)
        is_whole = plan.spec_hash() == document["spec_hash"]
    except FileNotFoundError as error:
        raise SpecError(f"{error.filename}: missing, so {path} is not a whole run folder") from None
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise SpecError(f"{file}: not the specification of a run ({error})") from error
    if not is_whole:
        raise SpecError(f"{file}: it was changed after the run was made (its spec_hash is another)")
    return plan


def _plan(path: Path, document: dict[str, Any]) -> Plan:
    strategies = {entry["spec"]: _strategy(path, entry) for entry in document["strategies"]}
    sides = [Side(tuple(strategies[player] for player in entry["players"])) for entry in document["sides"]]
    names = [side.text for side in sides]
    return Plan(
        sides=tuple(sides),
        pairings=tuple(tuple(names.index(name) for name in pairing.values()) for pairing in document["pairings"]),
        rules=_rules(document),
        preset=document["preset"],
        seed=_whole(document["seed"], 0, 2**64 - 1),
        pairs=_whole(document["pairs"], 1, MAX_PAIRS),
        detail=document["detail"],
    )


def _rules(document: dict[str, Any]) -> Rules:
    find_preset(document["preset"])
    if document["form"] not in FORMS:
        raise ValueError(f'no form "{document["form"]}"')
    return Rules(form=document["form"]).with_options(document["rules"])


def _whole(value: object, low: int, high: int) -> int:
    if not isinstance(value, int) or not low <= value <= high:
        raise ValueError(f"{value!r} is no whole number from {low} to {high}")
    return value


def _strategy(path: Path, entry: dict[str, Any]) -> StrategySpec:
    folder = path / SOURCES / entry["sha"]
    files = sorted(file for file in folder.rglob("*.py") if file.is_file())
    if not files:
        raise FileNotFoundError(2, "no sources", str(folder))
    sources = tuple((file.relative_to(folder).as_posix(), file.read_text(encoding="utf-8")) for file in files)
    return StrategySpec(entry["spec"], tuple(entry["params"].items()), entry["sha"], sources)
