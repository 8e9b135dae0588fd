"""The same player with other parameters: the text of each setting of a sweep."""

from __future__ import annotations

from collections.abc import Mapping

from strategies.lookup import StrategyError
from strategies.registry import as_text, layers_of, names_of, params_of, parse_spec


def vary(text: str, changes: Mapping[str, str]) -> str:
    """Return the text of a player with some parameters set to other values, which are text as a user types them.

    A parameter of a wrapper may be written with its wrapper, ``on-schneid.k``, and must be where several layers have
    one of that name. Raises `StrategyError` naming what is wrong and what is allowed.
    """
    spec = parse_spec(text)
    layers = layers_of(spec)
    given = [{name: as_text(value) for name, value in layer.values.items()} for layer in layers]
    for name, value in changes.items():
        layer, short = _find(name, [(layer.player.name, set(params_of(layer.player))) for layer in layers])
        given[layer][short] = value
    written = []
    for who, values in zip(names_of(spec), given, strict=True):
        listed = ",".join(f"{name}={value}" for name, value in values.items())
        written.append(f"{who}:{listed}" if listed else who)
    return parse_spec("+".join(written)).text


def _find(name: str, layers: list[tuple[str, set[str]]]) -> tuple[int, str]:
    """Return the layer that has a parameter, and the parameter's name in it."""
    owner, dot, short = name.rpartition(".")
    found = [
        (place, short)
        for place, (who, params) in enumerate(layers)
        if short in params and (not dot or who.replace("_", "-") == owner.replace("_", "-"))
    ]
    if len(found) == 1:
        return found[0]
    if found:
        choices = " or ".join(f"{layers[place][0]}.{short}" for place, _ in found)
        raise StrategyError(f'several layers have a parameter "{name}": write {choices}')
    known = [f"{who}.{param}" if place else param for place, (who, params) in enumerate(layers) for param in params]
    raise StrategyError(
        f'"{layers[0][0]}" has no parameter "{name}"; known: {" ".join(sorted(known)) or "it has none"}'
    )
