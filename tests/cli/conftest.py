"""The `hollywood` command in this process, working in an empty folder."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.main import run
from tests.support.strategy_cli import Said

Hollywood = Callable[..., Said]


@pytest.fixture
def hollywood(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Hollywood:
    """Return a function of the arguments, and of what stdin holds, that runs the command."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("HOLLYWOOD_DEBUG", raising=False)

    def call(*arguments: str, stdin: str | bytes = "") -> Said:
        given = stdin if isinstance(stdin, bytes) else stdin.encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given), encoding="utf-8"))
        capsys.readouterr()
        code = run(list(arguments))
        return Said(code, *capsys.readouterr())

    return call
