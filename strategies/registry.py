"""Which strategies there are, and how text such as ``threshold:knock_at=5`` or ``./my_bot.py`` becomes a player."""

from __future__ import annotations

import inspect
import re
from functools import cache
from pathlib import Path
from typing import Any, get_type_hints

from sim.api import BoundStrategy, Param, Side, Strategy, StrategySpec, bind_strategy, did_you_mean, param_kinds
from strategies.loading import run_sources
from strategies.sources import HERE, collect_sources, name_of, sources_sha

MODULES = {
    "gin-only": "strategies.gin_only",
    "greedy": "strategies.greedy",
    "random": "strategies.random",
    "simple": "strategies.simple",
    "threshold": "strategies.threshold",
}
"""Every strategy of the project by name; a test keeps this table complete."""


class StrategyError(ValueError):
    """A strategy that cannot be found, read or given these parameters; the message says what is allowed."""


def parse_spec(text: str) -> StrategySpec:
    """Read ``name``, ``name:param=value,param=value`` or the same with a path to a file instead of a name.

    Raises `StrategyError` naming the part that is wrong and what is allowed.
    """
    who, values = _split(text)
    sources = _sources(who)
    sha = sources_sha(sources)
    params = tuple(_read_params(_load(who, sha, sources), values).items())
    given = ",".join(f"{name}={value}" for name, value in params)
    return StrategySpec(f"{who}:{given}" if given else who, params, sha, sources)


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
    """Tell whether text reads as one strategy, not as a part of a path: a bare name or a path to a Python file."""
    who = _who(text)
    return who.endswith(".py") or bool(re.fullmatch(r"[A-Za-z0-9_-]+", who))


def _exists(text: str) -> bool:
    """Tell whether text names a strategy of the project or a file that is there."""
    who = _who(text)
    return who in MODULES or (who != "" and Path(who).expanduser().is_file())


def _who(text: str) -> str:
    """Return the name or path in front of the parameters; nothing if these hold a slash, and so more than one."""
    who, _, values = text.strip().partition(":")
    return "" if "/" in values else who


def strategy_of(spec: StrategySpec) -> Strategy:
    """Return the strategy that a spec names, run from the spec's own copy of its source."""
    return _load(_split(spec.text)[0], spec.sha, spec.sources)


@cache
def bind(spec: StrategySpec) -> BoundStrategy:
    """Make a strategy ready to play in this process: compile it or load it from the disk cache, once.

    Raises `sim.decisions.CompileError` naming the author's line when it cannot be compiled.
    """
    return bind_strategy(strategy_of(spec), spec.sha, dict(spec.params), spec.text)


def _split(text: str) -> tuple[str, str]:
    who, colon, values = text.strip().rpartition(":")
    if colon and "=" in values:
        return who, values
    if colon and not _is_path(text):
        raise StrategyError(f'strategy "{text}": after the colon come parameters, such as threshold:knock_at=5')
    return text.strip(), ""


def _is_path(who: str) -> bool:
    return who.endswith(".py") or "/" in who


def _path_of(who: str) -> Path:
    """Return where the source of a name or a path is or would be; raises `StrategyError` for an unknown name."""
    if _is_path(who):
        return Path(who).expanduser().resolve()
    if who not in MODULES:
        hint, known = did_you_mean(who, MODULES), " ".join(MODULES)
        raise StrategyError(f'no strategy "{who}".{hint}\n  known: {known}     or a file: ./my_bot.py')
    return HERE / f"{MODULES[who].rpartition('.')[2]}.py"


def file_of(who: str) -> Path:
    """Return the source file of a strategy given by name or path; raises `StrategyError` if there is none."""
    path = _path_of(who)
    if not path.is_file():
        raise StrategyError(f'no strategy file "{who}"')
    return path


def _sources(who: str) -> tuple[tuple[str, str], ...]:
    try:
        return collect_sources(file_of(who))
    except SyntaxError as error:
        raise StrategyError(f"{error.filename}:{error.lineno}: {error.msg}") from error
    except (OSError, UnicodeDecodeError) as error:
        raise StrategyError(f'strategy "{who}" cannot be read: {error}') from error


@cache
def _load(who: str, sha: str, sources: tuple[tuple[str, str], ...]) -> Strategy:
    """Return the `STRATEGY` of a name or a file, run from its collected sources."""
    path = _path_of(who)
    try:
        module = run_sources(dict(sources), name_of(path, path.parent), path.parent, sha)
    except (Exception, SystemExit) as error:
        raise StrategyError(f"{path}:{_line_in(path, error)}: {type(error).__name__}: {error}") from error
    strategy = getattr(module, "STRATEGY", None)
    if not isinstance(strategy, Strategy):
        raise StrategyError(f'strategy "{who}": the file has no line "STRATEGY = Strategy(...)"')
    return strategy


def _line_in(path: Path, error: BaseException) -> int:
    """Return the last line of the file that an error went through."""
    line, trace = 0, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == str(path):
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def params_of(strategy: Strategy) -> dict[str, Param | None]:
    """Return the parameters of a strategy and what their author says of them."""
    hints: dict[str, Any] = get_type_hints(strategy.params, include_extras=True)
    found: dict[str, Param | None] = {}
    for name in param_kinds(strategy.params):
        notes = [note for note in getattr(hints[name], "__metadata__", ()) if isinstance(note, Param)]
        found[name] = notes[0] if notes else None
    return found


def effective_params(spec: StrategySpec) -> dict[str, int | float | bool]:
    """Return all parameters a spec plays with, defaults included."""
    return {**strategy_of(spec).params._field_defaults, **dict(spec.params)}


def about(strategy: Strategy) -> str:
    """Return what the file of a strategy says about how it plays: the docstring of its module."""
    return inspect.getdoc(inspect.getmodule(strategy.should_knock)) or strategy.summary


def _read_params(strategy: Strategy, text: str) -> dict[str, int | float | bool]:
    given: dict[str, str] = {}
    for item in filter(None, text.split(",")):
        name, equals, value = item.partition("=")
        if not equals:
            raise StrategyError(f'strategy "{strategy.name}": "{item}" is not of the form param=value')
        if name.strip() in given:
            raise StrategyError(f'strategy "{strategy.name}": parameter "{name.strip()}" is given twice')
        given[name.strip()] = value.strip()
    kinds = param_kinds(strategy.params)
    for name in given:
        if name not in kinds:
            known = " ".join(kinds) or "it has none"
            raise StrategyError(f'strategy "{strategy.name}" has no parameter "{name}"; known: {known}')
    return {name: _read_value(strategy, name, given[name]) for name in kinds if name in given}


def _read_value(strategy: Strategy, name: str, text: str) -> int | float | bool:
    kind, note = param_kinds(strategy.params)[name], params_of(strategy)[name]
    try:
        value = {"yes": True, "no": False, "true": True, "false": False}[text.lower()] if kind is bool else kind(text)
    except (KeyError, ValueError):
        allowed = {int: "a whole number", float: "a number", bool: "yes or no"}[kind]
        raise StrategyError(f'strategy "{strategy.name}": {name}="{text}" is not {allowed}') from None
    if value != value or (note is not None and not note.low <= value <= note.high):
        allowed = f"from {note.low} to {note.high} {note.unit}" if note else "a number"
        raise StrategyError(f'strategy "{strategy.name}": {name}={text} is not allowed: {allowed}')
    return value
