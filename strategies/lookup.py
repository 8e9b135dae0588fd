"""Where players are found: the tables of the project's own, and files by path; running one from collected sources."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from sim.api import Strategy, Wrapper, did_you_mean
from strategies.loading import run_sources
from strategies.sources import HERE, collect_sources, name_of

Sources = tuple[tuple[str, str], ...]
"""File names and their text."""

MODULES = {
    "apex": "strategies.apex",
    "gin-only": "strategies.gin_only",
    "ginbot": "strategies.ginbot",
    "gold": "strategies.gold",
    "greedy": "strategies.greedy",
    "heisenbot": "strategies.heisenbot",
    "heuristic": "strategies.heuristic",
    "linear": "strategies.linear",
    "marjj": "strategies.marjj",
    "novice": "strategies.novice",
    "openspiel": "strategies.openspiel",
    "princeton": "strategies.princeton",
    "random": "strategies.random",
    "sigra": "strategies.sigra",
    "simple": "strategies.simple",
    "threshold": "strategies.threshold",
    "threshold-by-columns": "strategies.threshold_by_columns",
    "threshold-by-turn": "strategies.threshold_by_turn",
    "tracking": "strategies.tracking",
}
"""Every strategy of the project by name; a test keeps this table complete."""


WRAPPERS = {
    "on-schneid": "strategies.on_schneid",
    "safe-count": "strategies.safe_count",
    "score-shift": "strategies.score_shift",
}
"""Every wrapper of the project by name, written behind a player: ``greedy+on-schneid``."""


class StrategyError(ValueError):
    """A strategy that cannot be found, read or given these parameters; the message says what is allowed."""


def is_path(who: str) -> bool:
    """Tell whether text names a file rather than a player of the project."""
    return who.endswith(".py") or "/" in who


def path_of(who: str, *, wrapper: bool = False) -> Path:
    """Return where the source of a name or a path is or would be; raises `StrategyError` for an unknown name.

    Wrappers may be written with underscores too: ``on_schneid``.
    """
    if is_path(who):
        return Path(who).expanduser().resolve()
    table, kind = (WRAPPERS, "wrapper") if wrapper else (MODULES, "strategy")
    name = who.replace("_", "-") if wrapper else who
    if name not in table:
        if name.replace("_", "-") in WRAPPERS and not wrapper:
            raise StrategyError(f'"{who}" is a wrapper: write it behind a player, as greedy+{name.replace("_", "-")}')
        known = " ".join(table)
        told = f'no {kind} "{who}".{did_you_mean(name, table)}\n  known: {known}     or a file: ./my_bot.py'
        raise StrategyError(told)
    return HERE / f"{table[name].rpartition('.')[2]}.py"


def file_of(who: str, *, wrapper: bool = False) -> Path:
    """Return the source file of a player given by name or path; raises `StrategyError` if there is none."""
    path = path_of(who, wrapper=wrapper)
    if not path.is_file():
        hint = "; A1/A2 names partners, with --rules partnership" if "/" in who and ".py" not in who else ""
        raise StrategyError(f'no {"wrapper" if wrapper else "strategy"} file "{who}"{hint}')
    return path


def sources_of(who: str, *, wrapper: bool = False) -> Sources:
    """Return the collected sources of a player given by name or path."""
    try:
        return collect_sources(file_of(who, wrapper=wrapper))
    except SyntaxError as error:
        raise StrategyError(f"{error.filename}:{error.lineno}: {error.msg}") from error
    except (OSError, UnicodeDecodeError) as error:
        raise StrategyError(f'strategy "{who}" cannot be read: {error}') from error


@cache
def load(who: str, sha: str, sources: Sources, *, wrapper: bool = False) -> Strategy | Wrapper:
    """Return the `STRATEGY` of a name or a file, or its `WRAPPER`, run from its collected sources."""
    path = path_of(who, wrapper=wrapper)
    try:
        module = run_sources(dict(sources), name_of(path, path.parent), path.parent, sha)
    except (Exception, SystemExit) as error:
        raise StrategyError(f"{path}:{_line_in(path, error)}: {type(error).__name__}: {error}") from error
    name, kind = ("WRAPPER", Wrapper) if wrapper else ("STRATEGY", Strategy)
    player = getattr(module, name, None)
    if not isinstance(player, kind):
        told = f'the file has no line "{name} = {kind.__name__}(...)"'
        raise StrategyError(f'{"wrapper" if wrapper else "strategy"} "{who}": {told}')
    return player


def _line_in(path: Path, error: BaseException) -> int:
    """Return the last line of the file that an error went through."""
    line, trace = 0, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == str(path):
            line = trace.tb_lineno
        trace = trace.tb_next
    return line
