"""Finding a run by what a user types."""

from __future__ import annotations

import errno
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest

from cli.find_run import find_run
from experiments import run_folders
from experiments.run_list import Unreadable, list_runs
from sim.batch import store


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a runs folder with three runs, below the current folder."""
    monkeypatch.chdir(tmp_path)
    for name in ("20260101T000000-a", "20260101T000000-b", "20260203T000000-c"):
        (tmp_path / "runs" / name).mkdir(parents=True)
        (tmp_path / "runs" / name / "manifest.json").write_text("{}", encoding="utf-8")
    return Path("runs")


def test_last_is_the_newest_run(runs: Path) -> None:
    assert find_run("last") == runs / "20260203T000000-c"


def test_name_or_its_beginning_finds_a_run_in_the_runs_folder(runs: Path) -> None:
    assert find_run("20260203T") == runs / "20260203T000000-c"
    assert find_run("20260101T000000-b") == runs / "20260101T000000-b"


def test_path_is_taken_as_it_is(runs: Path) -> None:
    assert find_run("runs/20260101T000000-a") == runs / "20260101T000000-a"
    assert find_run("nowhere") == Path("nowhere")


def test_beginning_of_several_names_is_refused(runs: Path) -> None:
    with pytest.raises(click.UsageError, match=r"begins the names of 2 runs, the newest of them 20260101T000000-b"):
        find_run("20260101")


def test_no_run_yet_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(click.UsageError, match="no run"):
        find_run("last")


def test_last_goes_by_the_time_of_the_start_not_by_the_name(runs: Path) -> None:
    (runs / "zebra").mkdir()
    (runs / "zebra" / "manifest.json").write_text('{"started": "2026-01-01T00:00:00+00:00"}', encoding="utf-8")
    newest = '{"started": "2026-03-01T00:00:00+00:00"}'
    (runs / "20260101T000000-a" / "manifest.json").write_text(newest, encoding="utf-8")
    assert find_run("last") == runs / "20260101T000000-a"


@pytest.fixture
def batch(runs: Path) -> Path:
    """Return a batch in the runs folder, with two runs of its own, and one that is deeper down."""
    night = runs / "20260301T000000-night"
    for name, day in (("duel", 2), ("duet", 3), ("duel/matches/deeper", 9)):
        (night / name).mkdir(parents=True)
        manifest = f'{{"started": "2026-03-0{day}T00:00:00+00:00"}}'
        (night / name / "manifest.json").write_text(manifest, encoding="utf-8")
    (night / "batch.json").write_text("{}", encoding="utf-8")
    return night


def test_run_of_a_batch_is_found_as_one_beside_it(batch: Path) -> None:
    assert find_run("last") == batch / "duet"
    assert find_run("duel") == find_run("20260301/duel") == find_run(f"{batch.name}/duel") == batch / "duel"
    with pytest.raises(
        click.UsageError, match="begins the names of 2 runs, the newest of them 20260301T000000-night/duet"
    ):
        find_run("due")


def test_whole_name_is_no_beginning_of_another(runs: Path, batch: Path) -> None:
    for folder in (runs, batch):
        (folder / "duel-2").mkdir()
        (folder / "duel-2" / "manifest.json").write_text("{}", encoding="utf-8")
    assert find_run("duel") == batch / "duel"
    assert find_run("duel-2/x") == Path("duel-2/x")
    with pytest.raises(click.UsageError, match="begins the names of 2 runs"):
        find_run("duel-2")
    assert find_run("20260301/duel-2") == batch / "duel-2"


def test_hidden_run_is_not_the_last_one(runs: Path) -> None:
    (runs / ".trash" / "x").mkdir(parents=True)
    (runs / ".trash" / "x" / "manifest.json").write_text('{"started": "2030-01-01T00:00:00+00:00"}', encoding="utf-8")
    assert find_run("last") == runs / "20260203T000000-c"
    assert find_run("x") == Path("x")


def deny(monkeypatch: pytest.MonkeyPatch, *folders: Path) -> None:
    """Make folders look like those of another user, mode 700: here tests may run as root, who may look into all."""
    is_file, iterdir = Path.is_file, Path.iterdir

    def refuse(path: Path, what: Callable[[Path], Any]) -> Any:
        if path in folders or path.parent in folders:
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return what(path)

    monkeypatch.setattr(Path, "is_file", lambda path: refuse(path, is_file))
    monkeypatch.setattr(Path, "iterdir", lambda path: refuse(path, iterdir))


def test_folder_that_may_not_be_looked_into_hides_no_other(
    runs: Path, batch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deny(monkeypatch, runs / "20260101T000000-b", batch / "duel")
    assert find_run("last") == batch / "duet"
    assert find_run("20260101") == runs / "20260101T000000-a"
    told = {run.path: run.reason for run in list_runs(runs) if isinstance(run, Unreadable)}
    for path in (runs / "20260101T000000-b", batch / "duel"):
        assert told[path] == "manifest.json: Permission denied"


def test_name_of_the_manifest_is_that_of_the_store() -> None:
    assert run_folders.MANIFEST == store.MANIFEST


def test_batch_itself_is_no_run(batch: Path) -> None:
    assert find_run(batch.name) == Path(batch.name)
