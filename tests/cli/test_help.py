"""Every command is documented, and finding help costs nothing."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import click
import pytest

import cli
from cli.main import COMMANDS
from tests.cli.conftest import Hollywood
from tests.support.strategy_cli import ROOT

HEAVY = ("numba", "pandas", "pyarrow", "matplotlib", "duckdb", "scipy", "numpy")
ISSUE_OPTIONS = {
    "simulate": "--pairs --deals --rules --set --seed --threads --detail --out --json",
    "report": "--out",
    "solve": "--barred --knock-limit --json",
    "layoff": "--rules --set --json",
    "score": "--rules --set --json --markdown",
    "replay": "--pair --leg --deal --seed --rules --set --json",
    "rules": "list show diff",
    "strategies": "list show",
}
"""The options whose names are fixed: scripts use them."""


def _commands() -> Iterator[tuple[str, click.Command]]:
    for name, (module, _) in COMMANDS.items():
        command = importlib.import_module(module).command
        yield name, command
        for child, sub in getattr(command, "commands", {}).items():
            yield f"{name} {child}", sub


every_command = pytest.mark.parametrize(("path", "command"), list(_commands()), ids=[path for path, _ in _commands()])


def test_every_file_with_a_command_is_listed() -> None:
    folder = Path(cli.__file__).parent
    found = {
        f"cli.{file.stem}" for file in folder.glob("*.py") if "@click.command(" in file.read_text(encoding="utf-8")
    }
    groups = {
        f"cli.{file.stem}" for file in folder.glob("*.py") if '@click.group("' in file.read_text(encoding="utf-8")
    }
    assert found | groups == {module for module, _ in COMMANDS.values()}


@every_command
def test_command_and_all_its_options_are_described(path: str, command: click.Command, hollywood: Hollywood) -> None:
    assert command.help
    assert command.help.splitlines()[0].endswith(".")
    said = hollywood(*path.split(), "--help")
    assert (said.code, said.err) == (0, "")
    for param in command.params:
        if isinstance(param, click.Option):
            assert param.help, f"{path} {param.opts[-1]} has no help"
            assert param.opts[0] in said.out
        else:
            assert param.make_metavar(click.Context(command)).strip("[].") in said.out
    assert {"--quiet", "--version", "--help"} <= set(said.out.replace(",", " ").split())
    assert max(map(len, said.out.splitlines())) <= 80


@every_command
def test_version_is_told_everywhere(path: str, command: click.Command, hollywood: Hollywood) -> None:
    version = f"hollywood {metadata.version('hollywood-gin-lab')}\n"
    assert hollywood(*path.split(), "--version") == (0, version, "")
    assert hollywood("--version") == (0, version, "")


@pytest.mark.parametrize(("name", "options"), ISSUE_OPTIONS.items())
def test_options_have_the_names_that_scripts_use(name: str, options: str, hollywood: Hollywood) -> None:
    assert set(ISSUE_OPTIONS) <= set(COMMANDS)
    assert set(options.split()) <= set(hollywood(name, "--help").out.split())


def test_help_lists_every_command_with_one_line(hollywood: Hollywood) -> None:
    for arguments in (["--help"], ["-h"]):
        said = hollywood(*arguments)
        assert (said.code, said.err) == (0, "")
        for name, (_, about) in COMMANDS.items():
            assert f"{name} " in said.out
            assert about in said.out
            assert about.endswith(".")


@pytest.mark.parametrize("arguments", [[], ["strategies"]], ids=["alone", "strategies"])
def test_command_that_lacks_its_verb_shows_the_help_and_no_error(arguments: list[str], hollywood: Hollywood) -> None:
    said = hollywood(*arguments)
    assert said.code in (0, 2)
    assert "Usage: hollywood" in said.out + said.err
    assert "error:" not in said.err


def test_help_imports_nothing_that_takes_long() -> None:
    code = f"""
import sys
from cli.main import run
code = run(["--help"])
print([name for name in {HEAVY} if name in sys.modules], code, file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "Commands:" in done.stdout
    assert done.stderr == "[] 0\n"
