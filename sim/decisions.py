"""From a strategy's three plain functions to compiled decisions of one common type.

Each decision becomes an adapter: a function of the view alone, which reads the strategy's parameters from behind the
view and calls the hook. Its name holds the strategy's name and source sha, so Numba's disk cache finds it in later
processes (3 ms against 200 to 500) and never serves old code. (A closure would not be cached at all.)
"""

from __future__ import annotations

import inspect
import re
import types as python_types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, get_type_hints

from numba import types
from numba.core.errors import NumbaError

from sim.jit import JIT_IS_ON, entry, player_code
from sim.view import DECISIONS, MAX_PARAMS

ParamValue = int | float | bool
_COMPILED = {int: types.int64, float: types.float64, bool: types.boolean}


class NoParams(NamedTuple):
    """The parameters of a strategy that has none."""


class CompileError(ValueError):
    """A decision that Numba cannot compile; the message names the author's file and line."""


@dataclass(frozen=True)
class Param:
    """What a parameter means, as metadata of its field: ``knock_at: Annotated[int, Param(0, 10, "points", "...")]``."""

    low: float
    high: float
    unit: str
    meaning: str


@dataclass(frozen=True)
class Strategy:
    """A player: three plain functions of (view, params), and the class of its parameters.

    `summary` is one line on how it plays; `source` says who published it. `params` is a NamedTuple class of at most
    eight int, float or bool fields, all with defaults; anything else raises TypeError.
    """

    name: str
    summary: str
    source: str
    take_upcard: Callable[[Any, Any], bool]
    choose_discard: Callable[[Any, Any], int]
    should_knock: Callable[[Any, Any], bool]
    params: type[Any] = NoParams

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,39}", self.name):
            raise TypeError(f'"{self.name}" is no strategy name: letters, digits, - _ . and at most 40 of them')
        for kind in DECISIONS:
            if len(inspect.signature(getattr(self, kind)).parameters) != 2:
                raise TypeError(f'strategy "{self.name}": {kind} must take two arguments, view and p')
        kinds = param_kinds(self.params)
        if len(kinds) > MAX_PARAMS:
            raise TypeError(f'strategy "{self.name}" has {len(kinds)} parameters; at most {MAX_PARAMS} are allowed')
        if set(kinds) != set(self.params._field_defaults):
            raise TypeError(f'strategy "{self.name}": every parameter needs a default')


@dataclass(frozen=True)
class BoundStrategy:
    """A strategy ready to play: three compiled decisions and the values of its parameters, in order."""

    spec: str
    take_upcard: Any
    choose_discard: Any
    should_knock: Any
    params: tuple[float, ...]


@dataclass(frozen=True)
class StrategySpec:
    """A strategy as plain data, to be stored, hashed and sent: who plays, with which parameters and which source.

    `text` is the normalised form a user would type; `sources` maps file names to the source text that played.
    """

    text: str
    params: tuple[tuple[str, ParamValue], ...]
    sha: str
    sources: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Side:
    """Who plays a side: one strategy, or in partnership play one at the first table and one at the second."""

    players: tuple[StrategySpec, ...]

    @property
    def text(self) -> str:
        """The side as a user would type it."""
        return "/".join(player.text for player in self.players)


def param_kinds(params: type[Any]) -> dict[str, type]:
    """Return the parameters of a Params class and their kinds (int, float or bool); TypeError for any other."""
    if not (issubclass(params, tuple) and hasattr(params, "_fields")):
        raise TypeError(f"{params.__name__} must be a NamedTuple")
    hints = get_type_hints(params)
    for field in params._fields:
        if hints[field] not in _COMPILED:
            raise TypeError(f"{params.__name__}.{field} must be int, float or bool")
    return {field: hints[field] for field in params._fields}


def bind_strategy(
    strategy: Strategy, sha: str, values: Mapping[str, ParamValue], spec: str | None = None
) -> BoundStrategy:
    """Compile a strategy, or load it from the disk cache, and set its parameters.

    `sha` must change whenever its source does; parameters not in `values` keep their defaults.
    """
    name = f"{strategy.name}_{sha}"
    hooks = {kind: _bind_decision(kind, getattr(strategy, kind), strategy.params, name) for kind in DECISIONS}
    settings = strategy.params(**values)
    return BoundStrategy(spec or strategy.name, **hooks, params=tuple(float(value) for value in settings))


def _bind_decision(kind: str, hook: Callable[..., Any], params: type[Any], name: str) -> Any:
    kinds = list(param_kinds(params).values())
    kinds += [float] * (MAX_PARAMS - len(kinds))
    world: dict[str, Any] = {"HOOK": player_code(hook), "PARAMS": params, "COUNT": len(params._fields)}
    world |= {f"T{place}": _COMPILED[k] if JIT_IS_ON else k for place, k in enumerate(kinds)}
    # Numba looks the adapter's module up when it loads it from the cache.
    world["__name__"] = __name__
    adapter = python_types.FunctionType(_adapter.__code__, world, kind)
    adapter.__qualname__ = f"{name}.{kind}"
    adapter.__module__ = __name__
    try:
        return entry(DECISIONS[kind])(adapter)
    except NumbaError as error:
        raise CompileError(_compile_message(hook, str(error))) from error
    except KeyError as error:  # Numba's answer to a record without such a field
        raise CompileError(_compile_message(hook, f"a view has no field {error}")) from error


def _compile_message(hook: Callable[..., Any], text: str) -> str:
    """Return a compiler's complaint as one line: the author's file and line, and the first sentence that says why."""
    file = Path(hook.__code__.co_filename)
    lines = re.findall(rf'File "[^"]*{re.escape(file.name)}", line (\d+)', text)
    noise = ("Failed in", "During", "File", "def ", "<source")
    reasons = [line.strip() for line in text.splitlines() if line.strip() and not line.strip().startswith(noise)]
    where = lines[-1] if lines else hook.__code__.co_firstlineno
    return f"{file}:{where}: {hook.__name__} cannot be compiled: {reasons[0] if reasons else text}"


def _adapter(view: Any) -> Any:
    """Call the hook with the view and its parameters. The names in capitals are set by `_bind_decision`."""
    p = view.params
    eight = T0(p[0]), T1(p[1]), T2(p[2]), T3(p[3]), T4(p[4]), T5(p[5]), T6(p[6]), T7(p[7])  # type: ignore[name-defined]  # noqa: F821
    return HOOK(view, PARAMS(*eight[:COUNT]))  # type: ignore[name-defined]  # noqa: F821
