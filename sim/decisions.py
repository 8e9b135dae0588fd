"""From a strategy's three plain functions to compiled decisions of one common type.

Each decision becomes an adapter: a function of the view alone, which reads the strategy's parameters from behind the
view and calls the hook. Its name holds the strategy's name and source sha, so Numba's disk cache finds it in later
processes (2 ms against 100 ms) and never serves old code. (A closure would not be cached at all.)
"""

from __future__ import annotations

import types as python_types
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, get_type_hints

from numba import types

from sim.deal import Players
from sim.jit import JIT_IS_ON, entry, kernel
from sim.view import DECISIONS, MAX_PARAMS

_PARAM_TYPES = {int: types.int64, float: types.float64, bool: types.boolean}


class NoParams(NamedTuple):
    """The parameters of a strategy that has none."""


@dataclass(frozen=True)
class BoundStrategy:
    """A strategy ready to play: three compiled decisions and the values of its parameters."""

    spec: str
    take_upcard: Any
    choose_discard: Any
    should_knock: Any
    params: tuple[float, ...]


def pair_up(a: BoundStrategy, b: BoundStrategy) -> Players:
    """Return the decisions of side A and side B as the kernels take them."""
    return Players(
        (a.take_upcard, b.take_upcard), (a.choose_discard, b.choose_discard), (a.should_knock, b.should_knock)
    )


def check_params_class(params: type[Any]) -> None:
    """Raise TypeError, in one sentence, unless this is a NamedTuple of at most eight int, float or bool fields."""
    hints = get_type_hints(params) if issubclass(params, tuple) and hasattr(params, "_fields") else None
    if hints is None or any(hints[field] not in _PARAM_TYPES for field in params._fields):
        raise TypeError(f"{params.__name__} must be a NamedTuple whose fields are int, float or bool")
    if len(params._fields) > MAX_PARAMS:
        raise TypeError(f"{params.__name__} has {len(params._fields)} fields; at most {MAX_PARAMS} are allowed")


def bind_decision(kind: str, hook: Callable[..., Any], params: type[Any], unique_name: str) -> Any:
    """Compile one decision of a strategy, or load it from the disk cache.

    `kind` is a key of `DECISIONS`; `unique_name` must change whenever the code behind the hook does.
    """
    hints = get_type_hints(params)
    kinds = [_PARAM_TYPES[hints[field]] for field in params._fields]
    kinds += [types.float64] * (MAX_PARAMS - len(kinds))
    world = {"HOOK": kernel(hook), "PARAMS": params, "COUNT": len(params._fields), "__name__": __name__}
    world |= {f"T{i}": kind_ for i, kind_ in enumerate(kinds)}
    if not JIT_IS_ON:
        world |= {f"T{i}": {types.int64: int, types.boolean: bool}.get(k, float) for i, k in enumerate(kinds)}
    adapter = python_types.FunctionType(_adapter.__code__, world, _adapter.__name__)
    adapter.__qualname__ = f"{unique_name}.{kind}"
    adapter.__module__ = __name__
    return entry(DECISIONS[kind])(adapter)


def _adapter(view: Any) -> Any:
    """Call the hook with the view and its parameters. The names in capitals are set by `bind_decision`."""
    p = view.params
    eight = T0(p[0]), T1(p[1]), T2(p[2]), T3(p[3]), T4(p[4]), T5(p[5]), T6(p[6]), T7(p[7])  # type: ignore[name-defined]  # noqa: F821
    return HOOK(view, PARAMS(*eight[:COUNT]))  # type: ignore[name-defined]  # noqa: F821
