"""What the doctor says of libraries, folders and cores that are not as they should be."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

import pytest

from experiments.doctor import installation
from experiments.doctor.selftest import FAILED, NOTE, OK

Needs = Callable[..., None]


class Usage(NamedTuple):
    """What `shutil.disk_usage` returns."""

    total: int
    used: int
    free: int


@pytest.fixture
def needs(monkeypatch: pytest.MonkeyPatch) -> Needs:
    """Return a function that sets what this project and numba ask for, by distribution."""

    def set_(project: list[str], numba: list[str] | None = None) -> None:
        asked = {installation.DISTRIBUTION: project, "numba": numba or []}
        monkeypatch.setattr(metadata, "requires", asked.__getitem__)

    return set_


def test_library_within_the_range_is_ok_and_the_range_is_told(needs: Needs) -> None:
    needs(["numpy>=2.0", "pandas>=2.2"], ["numpy<1000,>=1.22"])
    assert installation.library("numpy") == (OK, f"{metadata.version('numpy')}, wanted >=1.22,>=2.0,<1000")


def test_library_too_old_fails_and_the_way_out_is_told(needs: Needs) -> None:
    needs(["numpy>=99"])
    state, detail = installation.library("numpy")
    assert (state, "wanted >=99" in detail, "pip install 'numpy>=99'" in detail) == (FAILED, True, True)


def test_library_too_new_for_numba_fails_though_this_project_would_take_it(needs: Needs) -> None:
    needs(["numpy>=1"], ["numpy<1.5"])
    assert installation.library("numpy")[0] == FAILED


def test_requirement_of_an_extra_or_of_another_python_is_none_of_an_installation(needs: Needs) -> None:
    needs(['numpy>=99; extra == "dev"', 'numpy>=98; python_version < "3"', "numpy>=1"])
    assert installation.library("numpy")[0] == OK


def test_missing_library_fails_if_it_is_asked_for(needs: Needs) -> None:
    needs(["no-such-library>=3"])
    state, detail = installation.library("no-such-library")
    assert (state, "pip install 'no-such-library>=3'" in detail) == (FAILED, True)


def test_missing_library_that_nobody_asks_for_is_a_note(needs: Needs) -> None:
    needs([])
    assert installation.library("no-such-library")[0] == NOTE


def test_without_the_packaging_library_versions_are_only_listed(needs: Needs, monkeypatch: pytest.MonkeyPatch) -> None:
    needs(["numpy>=99"])
    for name in ("packaging", "packaging.requirements", "packaging.specifiers"):
        monkeypatch.setitem(sys.modules, name, None)
    assert installation.library("numpy") == (OK, metadata.version("numpy"))


def test_sources_that_were_never_installed_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installation, "DISTRIBUTION", "no-such-distribution")
    state, detail = installation.own_version()
    assert (state, "make setup" in detail) == (FAILED, True)


def test_installation_older_than_its_sources_is_a_note(needs: Needs, monkeypatch: pytest.MonkeyPatch) -> None:
    needs([])
    monkeypatch.setattr(metadata, "version", lambda _: "0.0.1")
    state, detail = installation.own_version()
    assert (state, "0.0.1, but the sources are" in detail) == (NOTE, True)


def test_fewer_cores_for_this_process_than_there_are_is_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 8)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1, 2}, raising=False)
    state, detail = installation.cores()
    assert (state, "--threads 3" in detail) == (NOTE, True)


def test_folder_of_runs_that_is_a_file_fails(tmp_path: Path) -> None:
    (tmp_path / "runs").write_text("", encoding="utf-8")
    state, detail = installation.runs_folder(tmp_path / "runs")
    assert (state, "it is a file" in detail) == (FAILED, True)


def test_looking_at_the_folder_of_runs_makes_none(tmp_path: Path) -> None:
    assert installation.runs_folder(tmp_path / "a" / "runs") == (OK, f"{tmp_path / 'a' / 'runs'}, to be made")
    assert not list(tmp_path.iterdir())


def test_little_room_is_a_note(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(10**12, 10**12 - 10**8, 10**8))
    state, detail = installation.free_space(tmp_path)
    assert (state, detail.startswith("100.0 MB")) == (NOTE, True)


@pytest.mark.parametrize(("name", "state"), [("utf-8", OK), ("cp1252", OK), ("ascii", FAILED)])
def test_encoding_must_have_the_characters_of_results(name: str, state: str) -> None:
    assert installation.encoding(name)[0] == state


def test_compiled_code_is_counted_by_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    for version in ("0123456789abcdef", "fedcba9876543210"):
        (tmp_path / version / "deeper").mkdir(parents=True)
        (tmp_path / version / "deeper" / "file").write_bytes(bytes(1_500_000))
    (tmp_path / "something else").mkdir()
    assert installation.cache_contents()[1].startswith("2 versions of the kernels, 3.0 MB")
