"""Options that several commands share, and reading input that may come from stdin."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from io import TextIOWrapper
from pathlib import Path
from typing import Any, TextIO, TypeVar

import click

from cli.find_run import is_url

F = TypeVar("F", bound=Callable[..., Any])


def _set_quiet(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    ctx.ensure_object(dict)
    if value:
        ctx.obj["quiet"] = True


def color() -> bool | None:
    """Return False where colour is unwelcome (NO_COLOR, a dumb terminal), else None: click looks for a terminal."""
    return False if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" else None


def _show_version(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    ctx.color = color()
    if value:
        from importlib.metadata import version

        click.echo(f"hollywood {version('hollywood-gin-lab')}")
        ctx.exit()


def general_options(function: F) -> F:
    """Add --quiet and --version, which every command has; NO_COLOR and a dumb terminal switch colour off."""
    function = click.option(
        "--quiet",
        "-q",
        is_flag=True,
        expose_value=False,
        callback=_set_quiet,
        help="No progress, results only.",
    )(function)
    return click.option(
        "--version",
        is_flag=True,
        expose_value=False,
        is_eager=True,
        callback=_show_version,
        help="Show the version.",
    )(function)


def is_quiet() -> bool:
    """Tell whether --quiet was given, to the command or before it."""
    ctx: click.Context | None = click.get_current_context()
    while ctx is not None:
        if (ctx.obj or {}).get("quiet"):
            return True
        ctx = ctx.parent
    return False


_seed_option = click.option(
    "--seed", type=click.IntRange(0, 2**64 - 1), help="Seed of all chance.  [default: random, and printed]"
)
threads_option = click.option(
    "--threads",
    type=click.IntRange(1, 1024),
    default=os.cpu_count() or 1,
    help="Threads.  [default: all cores]",
)

scheduler_option = click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Play on the workers of a Dask scheduler, such as tcp://host:8786, instead of threads here.",
)


def play_options(function: F) -> F:
    """Add --seed, --threads and --out, which every command that plays has."""
    out = click.option(
        "--out",
        callback=new_run,
        metavar="FOLDER|URL",
        help="The run folder to make; s3://bucket/folder and the like too.  [default: a new one in runs/]",
    )
    return _seed_option(threads_option(out(function)))


def _bounds_of(_ctx: click.Context, param: click.Parameter, text: str | None) -> tuple[float, float] | None:
    """Read ``50:51``, two shares of the matches in percent, as two fractions."""
    if text is None:
        return None
    try:
        low, high = (float(number.strip().removesuffix("%")) / 100 for number in text.split(":"))
    except ValueError:
        raise click.BadParameter(f'"{text}" is not two percentages such as 50:51', param=param) from None
    return low, high


def test_options(function: F) -> F:
    """Add --test, --bounds, --alpha and --beta, which choose a sequential test."""
    for option in (
        click.option("--beta", type=float, help="Chance of a wrong answer at the upper bound's share.  [0.05]"),
        click.option("--alpha", type=float, help="Chance of a wrong answer at the lower bound's share.  [0.05]"),
        click.option("--bounds", callback=_bounds_of, metavar="LOW:HIGH", help="A's shares to tell apart, in percent."),
        click.option(
            "--test",
            type=click.Choice(["gain", "strict", "nonreg", "equiv"]),
            default="gain",
            show_default=True,
            help="What is asked.",
        ),
    ):
        function = option(function)
    return function


json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")


def _options_of(_ctx: click.Context, _param: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    return _read_options(values)


_rules_option = click.option(
    "--rules",
    default="hollywood",
    show_default=True,
    metavar="PRESET|FILE.toml",
    help="Rules preset, or a file of your own rules.",
)
_set_option = click.option(
    "--set",
    "options",
    multiple=True,
    metavar="OPTION=VALUE",
    callback=_options_of,
    help="Change one rule option; may be given several times.",
)


def rules_options(function: F) -> F:
    """Add --rules and --set, which choose the rules."""
    return _rules_option(_set_option(function))


def _read_options(values: tuple[str, ...]) -> dict[str, str]:
    options: dict[str, str] = {}
    for text in values:
        name, equals, value = text.partition("=")
        if not equals:
            raise click.UsageError(f'--set "{text}" is not of the form OPTION=VALUE')
        if name.strip() in options:
            raise click.UsageError(f'--set gives the option "{name.strip()}" twice')
        options[name.strip()] = value.strip()
    return options


def lines_of(source: str) -> Iterator[str]:
    """Yield the lines of a file, or of stdin when the name is ``-``; a byte order mark in front is dropped."""
    if source != "-" and (not Path(source).exists() or Path(source).is_dir()):
        raise click.UsageError(f'no file "{source}"; use - for stdin')
    if source == "-" and sys.stdin is None:
        raise click.UsageError("stdin is closed")
    try:
        with nullcontext(_stdin()) if source == "-" else Path(source).open(encoding="utf-8") as lines:
            for number, line in enumerate(lines):
                yield line.rstrip("\r\n").removeprefix("" if number else "\ufeff")
    except UnicodeDecodeError as error:
        where = "stdin" if source == "-" else f'"{source}"'
        raise click.UsageError(f"{where} is not UTF-8 text: {error.reason} at byte {error.start}") from error


def _stdin() -> TextIO:
    """Return stdin as UTF-8 text, whatever the locale says."""
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="strict")
    return sys.stdin


def new_path(_ctx: click.Context, param: click.Parameter, value: str | None) -> Path | None:
    """Turn the text of an option into a path of this machine; an empty one and a URL are refused."""
    if value is not None and not value.strip():
        raise click.BadParameter("the name is empty", param=param)
    if value is not None and is_url(value):
        raise click.BadParameter(f'"{value}" is a URL, and this must be a path of this machine', param=param)
    return None if value is None else Path(value)


def new_run(ctx: click.Context, param: click.Parameter, value: str | None) -> Path | None:
    """Turn the text of --out into the folder of a new run; of a URL, the local one that is copied there."""
    if value is None or not is_url(value):
        return new_path(ctx, param, value)
    from experiments.remote import stage_new

    return stage_new(value)
