"""From a strategy's three plain functions to compiled decisions of one common type.

Each decision becomes an adapter: a function of the view alone, which reads the strategy's parameters from behind the
view and calls the hook. Its name holds the strategy's name and source sha, so Numba's disk cache finds it in later
processes (3 ms against 200 to 500) and never serves old code. (A closure would not be cached at all.)
"""

from __future__ import annotations

import hashlib
import inspect
import re
import types as python_types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, get_type_hints

from numba import types
from numba.core.errors import NumbaError

from sim.jit import JIT_IS_ON, entry, inlined, player_code
from sim.view import DECISIONS, MAX_ALL_PARAMS, MAX_PARAMS

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
class _Player:
    """What strategies and wrappers share: a name, words about it, three functions and a class of parameters."""

    name: str
    summary: str
    source: str
    take_upcard: Callable[..., bool]
    choose_discard: Callable[..., int]
    should_knock: Callable[..., bool]
    params: type[Any] = NoParams

    KIND: ClassVar[str]
    ARGUMENTS: ClassVar[tuple[str, ...]]

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,39}", self.name):
            raise TypeError(f'"{self.name}" is no {self.KIND} name: letters, digits, - _ . and at most 40 of them')
        for kind in DECISIONS:
            if len(inspect.signature(getattr(self, kind)).parameters) != len(self.ARGUMENTS):
                count = {2: "two", 3: "three"}[len(self.ARGUMENTS)]
                told = f"{', '.join(self.ARGUMENTS[:-1])} and {self.ARGUMENTS[-1]}"
                raise TypeError(f'{self.KIND} "{self.name}": {kind} must take {count} arguments, {told}')
        kinds = param_kinds(self.params)
        if len(kinds) > MAX_PARAMS:
            raise TypeError(f'{self.KIND} "{self.name}" has {len(kinds)} parameters; at most {MAX_PARAMS} are allowed')
        if set(kinds) != set(self.params._field_defaults):
            raise TypeError(f'{self.KIND} "{self.name}": every parameter needs a default')


@dataclass(frozen=True)
class Strategy(_Player):
    """A player: three plain functions of (view, params), and the class of its parameters.

    `summary` is one line on how it plays; `source` says who published it. `params` is a NamedTuple class of at most
    eight int, float or bool fields, all with defaults; anything else raises TypeError.
    """

    KIND = "strategy"
    ARGUMENTS = ("view", "p")


@dataclass(frozen=True)
class Wrapper(_Player):
    """Changes what another player does: three plain functions of (view, params, answer).

    `answer` is what the player inside has decided, and each function returns the decision that counts. All else is as
    for a `Strategy`; `view.memory` belongs to the player inside.
    """

    KIND = "wrapper"
    ARGUMENTS = ("view", "p", "answer")


@dataclass(frozen=True)
class Layer:
    """A strategy, or a wrapper around the layers before it, with the parameters it is given; others keep defaults."""

    player: Strategy | Wrapper
    values: Mapping[str, ParamValue]


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
    return bind_layers([Layer(strategy, values)], sha, spec or strategy.name)


def bind_layers(layers: Sequence[Layer], sha: str, spec: str) -> BoundStrategy:
    """Compile a strategy with the wrappers around it, the innermost first, and set the parameters of each.

    `sha` must change whenever the source of any does. Raises ValueError for more parameters than there is room for.
    """
    counts = [len(layer.player.params._fields) for layer in layers]
    if sum(counts) > MAX_ALL_PARAMS:
        raise ValueError(
            f'"{spec}" has {sum(counts)} parameters in all its layers; at most {MAX_ALL_PARAMS} are allowed'
        )
    offsets = [sum(counts[:place]) for place in range(len(layers))]
    name = _compiled_name(layers, sha)
    hooks = {}
    for kind in DECISIONS:
        inner = None
        for layer, offset in zip(layers, offsets, strict=True):
            adapter = _adapted(kind, layer.player, offset, inner)
            inner = inlined(adapter)
        hooks[kind] = _compiled(kind, adapter, name, layers[-1].player)
    settings = [setting for layer in layers for setting in layer.player.params(**layer.values)]
    return BoundStrategy(spec, **hooks, params=tuple(float(setting) for setting in settings))


def _compiled_name(layers: Sequence[Layer], sha: str) -> str:
    """Return the name under which the decisions of a player are found in the disk cache.

    Two players may share their sources, and so the sha, and even their names: the modules tell them apart.
    """
    told = [f"{layer.player.should_knock.__module__} {layer.player.name}" for layer in layers]
    return f"{layers[0].player.name}_{sha}_{hashlib.sha256(repr(told).encode()).hexdigest()[:8]}"


def _adapted(kind: str, player: Strategy | Wrapper, offset: int, inner: Any) -> Any:
    """Return an adapter for one layer: a function of the view alone; `inner` is the compiled one it wraps, if any."""
    kinds = list(param_kinds(player.params).values())
    kinds += [float] * (MAX_PARAMS - len(kinds))
    world: dict[str, Any] = {"HOOK": player_code(getattr(player, kind)), "PARAMS": player.params}
    world |= {"COUNT": len(player.params._fields), "OFFSET": offset, "INNER": inner}
    world |= {f"T{place}": _COMPILED[k] if JIT_IS_ON else k for place, k in enumerate(kinds)}
    # Numba looks the adapter's module up when it loads it from the cache.
    world["__name__"] = __name__
    code = (_adapter if inner is None else _wrapping_adapter).__code__
    return python_types.FunctionType(code, world, kind)


def _compiled(kind: str, adapter: Any, name: str, player: Strategy | Wrapper) -> Any:
    """Compile the outermost adapter under a name of its own, by which the disk cache finds it again."""
    hook = getattr(player, kind)
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
    told = _in_one_sentence(text)
    where = lines[-1] if lines else _line_with(hook, re.findall(r"'(\w+)'", told))
    return f"{file}:{where}: {hook.__name__} cannot be compiled: {told}"


def _line_with(hook: Callable[..., Any], words: Sequence[str]) -> int:
    """Return the first line of a function that holds the last of some words, its head if none does."""
    first = hook.__code__.co_firstlineno
    try:
        source, _ = inspect.getsourcelines(hook)
    except OSError:
        return first
    return next((first + n for n, line in enumerate(source) if words and re.search(rf"\b{words[-1]}\b", line)), first)


def _in_one_sentence(text: str) -> str:
    """Return what Numba complains of, in one sentence an author can act on."""
    if found := re.search(r"Untyped global name '(\w+)':\s*Cannot determine Numba type of <class 'function'>", text):
        return f'the function "{found[1]}" is called but not compiled: put @helper (from sim.api) above it'
    if re.search(r"No conversion from none to \w+ for '\$\d*return_value", text):
        return "it does not return an answer on every way through"
    if found := re.search(r"No implementation of function .*?>>> (.+?)\n", text, re.DOTALL):
        return f"there is no compiled form of {found[1].strip()}"
    noise = ("Failed in", "During", "File", "def ", "<source")
    reasons = [line.strip() for line in text.splitlines() if line.strip() and not line.strip().startswith(noise)]
    return reasons[0] if reasons else text


# The names in capitals are set by `_adapted`.
def _adapter(view: Any) -> Any:
    """Call the hook with the view and its parameters."""
    p = view.params[OFFSET : OFFSET + 8]  # type: ignore[name-defined]  # noqa: F821
    eight = T0(p[0]), T1(p[1]), T2(p[2]), T3(p[3]), T4(p[4]), T5(p[5]), T6(p[6]), T7(p[7])  # type: ignore[name-defined]  # noqa: F821
    return HOOK(view, PARAMS(*eight[:COUNT]))  # type: ignore[name-defined]  # noqa: F821


def _wrapping_adapter(view: Any) -> Any:
    """Call the hook with the view, its parameters and the answer of the player inside."""
    p = view.params[OFFSET : OFFSET + 8]  # type: ignore[name-defined]  # noqa: F821
    eight = T0(p[0]), T1(p[1]), T2(p[2]), T3(p[3]), T4(p[4]), T5(p[5]), T6(p[6]), T7(p[7])  # type: ignore[name-defined]  # noqa: F821
    return HOOK(view, PARAMS(*eight[:COUNT]), INNER(view))  # type: ignore[name-defined]  # noqa: F821
