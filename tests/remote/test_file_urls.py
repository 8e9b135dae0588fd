"""A run at a file:// URL: its folders are made, it is checked as it is there, and a copy is a run like any other."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import platformdirs
import pytest

from analysis.load import load_run
from experiments.compact import compact
from experiments.resume import plan_to_resume, resume
from experiments.verify import verify
from sim.batch import plan as plans
from sim.batch.mirror import Mirror, RemoteError
from tests.cli.conftest import Hollywood, hollywood
from tests.support.strategy_runs import Onlooker, files_in

__all__ = ["hollywood"]

MATCHES = "matches/part-000001.parquet"
PLAY = ("simulate", "greedy", "simple", "--pairs", "20", "--seed", "7", "--threads", "1")


class Kept:
    """A run of three parts, played into a folder by its URL; this machine's copy of it is in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "kept" / "night" / "run"
        self.url = f"file://{self.folder}"
        self.cache = folder / "cache"

    def rows(self) -> dict[str, bytes]:
        """Return the bytes of all tables that are kept."""
        return rows_of(self.folder)


def rows_of(run: Path) -> dict[str, bytes]:
    return {name: (run / name).read_bytes() for name in files_in(run) if name.endswith(".parquet")}


@pytest.fixture
def kept(hollywood: Hollywood, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kept:
    monkeypatch.setattr(plans, "PART_PAIRS", 8)
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda _name: tmp_path / "cache")
    found = Kept(tmp_path)
    said = hollywood(*PLAY, "--out", found.url)
    assert (said.code, said.err) == (0, "")
    return found


def test_folders_of_the_url_are_made(kept: Kept) -> None:
    lines = {f"lines/part-{number:06d}.json" for number in range(3)}
    tables = {f"matches/part-{number:06d}.parquet" for number in range(3)}
    assert files_in(kept.folder) >= {"manifest.json", "spec.toml", "summary.json", *lines, *tables}


def test_show_names_the_url_and_fetches_no_rows(kept: Kept, hollywood: Hollywood) -> None:
    shutil.rmtree(kept.cache)
    told = hollywood("runs", "show", kept.url, "--json").json()
    assert (told["id"], told["status"], told["parts"]) == (kept.url, "complete", 3)
    assert told["bytes"] == sum((kept.folder / name).stat().st_size for name in files_in(kept.folder))
    assert told["next"] == ["hollywood", "report", kept.url]
    assert not list(kept.cache.rglob("*.parquet"))
    (kept.folder / MATCHES).unlink()
    assert hollywood("runs", "show", kept.url, "--json").json()["missing_parts"] == [1]


def test_verify_looks_at_what_is_there_and_a_resume_puts_it_right(kept: Kept, hollywood: Hollywood) -> None:
    whole = kept.rows()
    said = hollywood("runs", "verify", kept.url, "--sample", "1")
    assert (said.code, said.out.replace("\\", "").split()[-2:]) == (0, ["report", kept.url])
    (kept.folder / MATCHES).write_bytes(b"x" * len(whole[MATCHES]))
    (problem,) = json.loads(hollywood("runs", "verify", kept.url, "--json").out)["problems"]
    assert (problem["file"], problem["what"][:11]) == (MATCHES, "was changed")
    (kept.folder / MATCHES).unlink()
    (problem,) = json.loads(hollywood("runs", "verify", kept.url, "--json").out)["problems"]
    assert (problem["file"], problem["what"]) == (MATCHES, "is missing")
    assert hollywood("runs", "resume", kept.url).code == 0
    assert kept.rows() == whole


def test_part_that_is_gone_there_is_played_again_though_it_is_still_here(kept: Kept, hollywood: Hollywood) -> None:
    whole = kept.rows()
    (kept.folder / MATCHES).unlink()
    assert hollywood("runs", "resume", kept.url).code == 0
    assert kept.rows() == whole


# --- a copy of what is kept there


@pytest.fixture
def copied(kept: Kept, tmp_path: Path) -> Path:
    return Path(shutil.copytree(kept.folder, tmp_path / "copied"))


def test_copy_is_read_and_checked_by_the_lines_it_has(copied: Path, hollywood: Hollywood) -> None:
    assert [part.pairs for part in load_run(copied).parts] == [8, 8, 4]
    found = verify(copied, 2)
    assert (found.problems, found.notes, found.pairs) == ([], [], 20)
    assert hollywood("runs", "show", "copied", "--json").json()["pairs"] == 20
    assert "complete: 20 pairs" in hollywood("runs", "watch", "copied").out


def test_copy_can_be_compacted(copied: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert compact(copied).files == (3, 2)  # the last part is not whole and stays by itself
    assert [part.pairs for part in load_run(copied).parts] == [16, 4]


def test_copy_of_an_unfinished_run_is_gone_on_with(kept: Kept, copied: Path) -> None:
    (copied / "lines" / "part-000001.json").unlink()
    (copied / MATCHES).unlink()
    watched = Onlooker()
    resume(copied, plan_to_resume(copied), (1, watched))
    assert sum(pairs for pairs, deals in watched.calls if deals) == 8
    assert rows_of(copied) == kept.rows()
    assert [part.pairs for part in load_run(copied).parts] == [8, 8, 4]


def test_line_of_a_copy_that_is_none_is_named(copied: Path, hollywood: Hollywood) -> None:
    (copied / "lines" / "part-000001.json").write_text("{", encoding="utf-8")
    said = hollywood("runs", "resume", "copied")
    assert (said.code, said.err.count("copied/lines/part-000001.json: not the line of a part")) == (1, 1)


# --- what is said when it cannot be written any more


def refusing(begin: str, then: Callable[[], Exception | KeyboardInterrupt]) -> Callable[..., Any]:
    """Return a `Mirror.put` that works until a file whose name begins so is put, and never again."""
    put, gone = Mirror.put, [False]

    def refuse(mirror: Mirror, name: str) -> None:
        if gone[0]:
            raise RemoteError("the network is gone")
        if name.startswith(begin):
            gone[0] = True
            raise then()
        put(mirror, name)

    return refuse


def test_run_whose_url_is_lost_ends_with_the_command_to_go_on(
    kept: Kept, hollywood: Hollywood, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Mirror, "put", refusing("matches/", lambda: RemoteError("the network is gone")))
    said = hollywood(*PLAY, "--out", f"{kept.url}-two")
    assert (said.code, said.out) == (1, "")
    assert said.err == (
        "error: the network is gone\n"
        f"  the finished parts are kept in {kept.url}-two\n"
        f"  go on with: hollywood runs resume {kept.url}-two\n"
    )


def test_interrupted_run_says_so_even_if_its_url_is_lost(
    kept: Kept, hollywood: Hollywood, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Mirror, "put", refusing("matches/", KeyboardInterrupt))
    said = hollywood(*PLAY, "--out", f"{kept.url}-two")
    assert (said.code, said.err.splitlines()[0]) == (
        130,
        f"interrupted: the finished parts are kept in {kept.url}-two",
    )
