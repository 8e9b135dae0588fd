"""How text such as ``threshold:knock_at=5``, ``./my_bot.py`` or ``marjj+on-schneid:k=2`` becomes a player."""

from __future__ import annotations

import inspect
import re
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, get_type_hints

from sim.api import (
    BoundStrategy,
    Layer,
    Param,
    Side,
    Strategy,
    StrategySpec,
    Wrapper,
    bind_layers,
    param_kinds,
)
from strategies.lookup import (
    MODULES,
    WRAPPERS,
    Sources,
    StrategyError,
    file_of,
    is_path,
    load,
    sources_of,
)
from strategies.sources import sources_sha

__all__ = [
    "MODULES",
    "WRAPPERS",
    "StrategyError",
    "about",
    "as_text",
    "bind",
    "effective_params",
    "file_of",
    "layers_of",
    "names_of",
    "params_of",
    "parse_side",
    "parse_spec",
    "strategy_of",
]


class _Named(NamedTuple):
    """One layer of a spec as text: who, the text of its parameters, and whether it wraps those before it."""

    who: str
    values: str
    is_wrapper: bool


def parse_spec(text: str) -> StrategySpec:
    """Read ``name``, ``name:param=value,param=value`` or the same with a path to a file instead of a name.

    Behind it may come wrappers, each after a plus: ``name+wrapper:param=value``. Raises `StrategyError` naming the
    part that is wrong and what is allowed.
    """
    named = _split_layers(text)
    sources = _united([sources_of(layer.who, wrapper=layer.is_wrapper) for layer in named])
    sha = sources_sha(sources)
    params: list[tuple[str, int | float | bool]] = []
    written, wrapped = [], list[str]()
    for layer in named:
        player = load(layer.who, sha, sources, wrapper=layer.is_wrapper)
        if layer.is_wrapper and player.name in wrapped:
            raise StrategyError(f'wrapper "{player.name}" is there twice in "{text.strip()}"; once is allowed')
        wrapped += [player.name] * layer.is_wrapper
        values = _read_params(player, layer.values)
        given = ",".join(f"{name}={as_text(value)}" for name, value in values.items())
        who = player.name if layer.is_wrapper and not is_path(layer.who) else layer.who
        written.append(f"{who}:{given}" if given else who)
        params += [(f"{player.name}.{name}" if layer.is_wrapper else name, v) for name, v in values.items()]
    return StrategySpec("+".join(written), tuple(params), sha, sources)


def _split_layers(text: str) -> list[_Named]:
    """Split the text of a player at the plus signs before its wrappers; those in numbers and file names stay.

    A plus ends a layer that is a known name or the path of a Python file, whatever files there are just now.
    """
    whole, parts, start = text.strip(), [], 0
    for plus in re.finditer(r"\+\s*(?=[A-Za-z_.~/])", whole):
        layer = whole[start : plus.start()]
        if _ends_layer(layer) or not (".py" in whole or "/" in whole or layer.endswith("=")):
            parts.append(layer)
            start = plus.end()
    return [_Named(*_split(part), is_wrapper=place > 0) for place, part in enumerate([*parts, whole[start:]])]


def _ends_layer(layer: str) -> bool:
    who = layer.partition(":")[0].strip()
    return not layer.endswith("=") and (who.endswith(".py") or who in MODULES or who.replace("_", "-") in WRAPPERS)


def _united(all_sources: list[Sources]) -> Sources:
    """Return the sources of all layers together; raises `StrategyError` when two different files share a name."""
    united: dict[str, str] = {}
    for name, source in (item for sources in all_sources for item in sources):
        if united.setdefault(name, source) != source:
            raise StrategyError(
                f'two different files are called "{name}": a player and its wrapper need distinct names'
            )
    return tuple(sorted(united.items()))


def parse_side(text: str, *, partners: bool) -> Side:
    """Read who plays a side: a strategy, or with partners also two of them with a slash between, ``A1/A2``.

    A slash may also be part of a path: what exists is preferred. Raises `StrategyError` as `parse_spec`.
    """
    splits = [(text[:at], text[at + 1 :]) for at, character in enumerate(text) if character == "/"]
    halves = [pair for pair in splits if all(map(_looks_whole, pair))] if partners and not _exists(text) else []
    halves.sort(key=lambda pair: not all(map(_exists, pair)))
    if not halves:
        return Side((parse_spec(text),))
    players = tuple(parse_spec(half) for half in halves[0])
    return Side(players[:1] if players[0] == players[1] else players)


def _looks_whole(text: str) -> bool:
    """Tell whether text reads as one player, not as a part of a path: each layer a bare name or a Python file."""
    layers = _layers_or_none(text)
    return all(layer.who.endswith(".py") or re.fullmatch(r"[A-Za-z0-9_-]+", layer.who) for layer in layers)


def _exists(text: str) -> bool:
    """Tell whether every layer of a player is known, or a file that is there."""
    layers = _layers_or_none(text)
    return all(
        layer.who in MODULES or layer.who.replace("_", "-") in WRAPPERS or Path(layer.who).expanduser().is_file()
        for layer in layers
    )


def _layers_or_none(text: str) -> list[_Named]:
    """Return the layers of text; one without a name if it cannot be one player."""
    try:
        layers = _split_layers(text)
    except StrategyError:
        layers = []
    is_one = layers and not any("/" in layer.values for layer in layers)
    return layers if is_one else [_Named("", "", is_wrapper=False)]


def layers_of(spec: StrategySpec) -> list[Layer]:
    """Return a player and its wrappers with the parameters given, run from the spec's own copy of their sources."""
    layers: list[Layer] = []
    for named in _split_layers(spec.text):
        player = load(named.who, spec.sha, spec.sources, wrapper=named.is_wrapper)
        layers.append(Layer(player, _read_params(player, named.values)))
    return layers


def names_of(spec: StrategySpec) -> tuple[str, ...]:
    """Return the name or path of each layer of a player, without parameters."""
    return tuple(layer.who for layer in _split_layers(spec.text))


def strategy_of(spec: StrategySpec) -> Strategy:
    """Return the strategy that a spec names, without its wrappers, run from the spec's own copy of its source."""
    strategy = layers_of(spec)[0].player
    assert isinstance(strategy, Strategy)
    return strategy


@cache
def bind(spec: StrategySpec) -> BoundStrategy:
    """Make a player ready to play in this process: compile it or load it from the disk cache, once.

    Raises `sim.decisions.CompileError` naming the author's line when it cannot be compiled.
    """
    return bind_layers(layers_of(spec), spec.sha, spec.text)


def _split(text: str) -> tuple[str, str]:
    who, colon, values = text.strip().rpartition(":")
    if colon and "=" in values:
        return who, values
    if colon and not is_path(text):
        raise StrategyError(f'strategy "{text}": after the colon come parameters, such as threshold:knock_at=5')
    return text.strip(), ""


def as_text(value: int | float | bool) -> str:
    """Return a parameter's value as a user writes it."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def params_of(strategy: Strategy | Wrapper) -> dict[str, Param | None]:
    """Return the parameters of a strategy and what their author says of them."""
    hints: dict[str, Any] = get_type_hints(strategy.params, include_extras=True)
    found: dict[str, Param | None] = {}
    for name in param_kinds(strategy.params):
        notes = [note for note in getattr(hints[name], "__metadata__", ()) if isinstance(note, Param)]
        found[name] = notes[0] if notes else None
    return found


def effective_params(spec: StrategySpec) -> dict[str, int | float | bool]:
    """Return all parameters a spec plays with, defaults included; those of a wrapper as ``wrapper.name``."""
    found: dict[str, int | float | bool] = {}
    for place, layer in enumerate(layers_of(spec)):
        for name, value in {**layer.player.params._field_defaults, **layer.values}.items():
            found[f"{layer.player.name}.{name}" if place else name] = value
    return found


def about(strategy: Strategy | Wrapper) -> str:
    """Return what the file of a strategy says about how it plays: the docstring of its module."""
    return inspect.getdoc(inspect.getmodule(strategy.should_knock)) or strategy.summary


def _read_params(strategy: Strategy | Wrapper, text: str) -> dict[str, int | float | bool]:
    given: dict[str, str] = {}
    for item in filter(None, text.split(",")):
        name, equals, value = item.partition("=")
        if not equals:
            raise StrategyError(f'{strategy.KIND} "{strategy.name}": "{item}" is not of the form param=value')
        if name.strip() in given:
            raise StrategyError(f'{strategy.KIND} "{strategy.name}": parameter "{name.strip()}" is given twice')
        given[name.strip()] = value.strip()
    kinds = param_kinds(strategy.params)
    for name in given:
        if name not in kinds:
            known = " ".join(kinds) or "it has none"
            raise StrategyError(f'{strategy.KIND} "{strategy.name}" has no parameter "{name}"; known: {known}')
    return {name: _read_value(strategy, name, given[name]) for name in kinds if name in given}


def _read_value(strategy: Strategy | Wrapper, name: str, text: str) -> int | float | bool:
    kind, note = param_kinds(strategy.params)[name], params_of(strategy)[name]
    try:
        value = {"yes": True, "no": False, "true": True, "false": False}[text.lower()] if kind is bool else kind(text)
    except (KeyError, ValueError):
        allowed = {int: "a whole number", float: "a number", bool: "yes or no"}[kind]
        raise StrategyError(f'{strategy.KIND} "{strategy.name}": {name}="{text}" is not {allowed}') from None
    if value != value or (note is not None and not note.low <= value <= note.high):
        allowed = f"from {note.low} to {note.high} {note.unit}" if note else "a number"
        raise StrategyError(f'{strategy.KIND} "{strategy.name}": {name}={text} is not allowed: {allowed}')
    return value
