"""A run at an s3:// URL, on a real S3 server of this machine: written, reported, resumed from nothing but the URL."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import platformdirs
import pytest
import s3fs
from moto.server import ThreadedMotoServer

from sim.batch.runner import Watch
from tests.cli.conftest import Hollywood, hollywood
from tests.support.strategy_runs import files_in

__all__ = ["hollywood"]

PLAY = ("simulate", "greedy", "simple", "--seed", "7", "--threads", "1")
Bucket = Callable[[str], dict[str, bytes]]


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """Start an S3 server and return its address."""
    server = ThreadedMotoServer(port=0, verbose=False)
    server.start()
    yield "http://{}:{}".format(*server.get_host_and_port())
    server.stop()


@pytest.fixture
def bucket(server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bucket:
    """Make an empty bucket and return a function that reads a folder of it; this machine's copies start out empty."""
    for name, value in (
        ("AWS_ENDPOINT_URL", server),
        ("AWS_ACCESS_KEY_ID", "id"),
        ("AWS_SECRET_ACCESS_KEY", "secret"),
        ("AWS_DEFAULT_REGION", "us-east-1"),
    ):
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda name: tmp_path / "cache" / name)
    s3fs.S3FileSystem.clear_instance_cache()
    system = s3fs.S3FileSystem()
    if system.exists("bucket"):
        system.rm("bucket", recursive=True)
    system.mkdir("bucket")

    def read(folder: str) -> dict[str, bytes]:
        system.invalidate_cache()
        return {name.removeprefix(f"bucket/{folder}/"): system.cat(name) for name in system.find(f"bucket/{folder}")}

    return read


def forget_local_copies(tmp_path: Path) -> None:
    """Do as if this were another machine."""
    shutil.rmtree(tmp_path / "cache" / "hollywood-gin-lab" / "runs")


def test_run_is_the_same_at_a_url_and_in_a_folder(hollywood: Hollywood, bucket: Bucket, tmp_path: Path) -> None:
    said = hollywood(*PLAY, "--pairs", "200", "--detail", "deals", "--out", "s3://bucket/runs/one")
    hollywood(*PLAY, "--pairs", "200", "--detail", "deals", "--out", "here")
    assert (said.code, said.err) == (0, "")
    assert "  saved  s3://bucket/runs/one\n  next   hollywood report s3://bucket/runs/one" in said.out
    there = bucket("runs/one")
    here = {name: (tmp_path / "here" / name).read_bytes() for name in files_in(tmp_path / "here")}
    assert set(there) == set(here) - {"lock", "parts.jsonl"} | {"lines/part-000000.json"}
    same = {name for name in there if name.endswith((".parquet", ".toml", ".py"))}
    assert {name: there[name] for name in same} == {name: here[name] for name in same}
    assert len(same) >= 4


def test_report_of_a_url_is_put_beside_the_run(hollywood: Hollywood, bucket: Bucket, tmp_path: Path) -> None:
    hollywood(*PLAY, "--pairs", "200", "--out", "s3://bucket/two")
    forget_local_copies(tmp_path)
    said = hollywood("report", "s3://bucket/two")
    assert said.code == 0, said.err
    assert said.out.endswith("copied to s3://bucket/two/report.html\n")
    assert bucket("two")["report.html"].startswith(b"<!doctype html>")


def test_run_goes_on_from_the_url_alone(
    hollywood: Hollywood, bucket: Bucket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sim.batch.plan.PART_PAIRS", 64)
    hollywood(*PLAY, "--pairs", "300", "--out", "s3://bucket/whole")
    with monkeypatch.context() as patched:
        patched.setattr(Watch, "advance", interrupt_after(200))
        said = hollywood(*PLAY, "--pairs", "300", "--out", "s3://bucket/broken")
    assert said.code == 130
    assert "hollywood runs resume s3://bucket/broken" in said.err
    left = bucket("broken")
    assert 1 <= sum(name.startswith("lines/") for name in left) < 5
    forget_local_copies(tmp_path)
    said = hollywood("runs", "resume", "s3://bucket/broken")
    assert said.code == 0, said.err
    whole, broken = bucket("whole"), bucket("broken")
    assert {n: c for n, c in broken.items() if "matches/" in n} == {n: c for n, c in whole.items() if "matches/" in n}
    # What was in place was not played again: its objects were left alone, and here there are only the missing rows.
    kept = tmp_path / "cache" / "hollywood-gin-lab" / "runs"
    rows_here = {file.name for file in kept.rglob("*.parquet")}
    assert rows_here.isdisjoint(name.partition("/")[2] for name in left if "matches/" in name)


def interrupt_after(pairs: int) -> Callable[[Any, int, int], None]:
    """Return a Watch.advance that stops a run as control-C does, after so many pairs."""
    played = 0

    def advance(_watch: Watch, more: int, _deals: int) -> None:
        nonlocal played
        played += more
        if played >= pairs:
            raise KeyboardInterrupt

    return advance


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        ((*PLAY, "--pairs", "5", "--out", "s3://none/x"), 1, "s3://none/x cannot be read"),
        (("report", "s3://bucket/nothing"), 1, "s3://bucket/nothing: no run there (no manifest.json)"),
        (("report", "foo://b/x"), 1, "foo://b/x: Protocol not known: foo"),
        (("runs", "resume", "s3://bucket/nothing"), 1, "s3://bucket/nothing: no run there"),
    ],
)
def test_what_cannot_be_reached_is_told_in_one_line(
    arguments: tuple[str, ...], code: int, told: str, hollywood: Hollywood, bucket: Bucket
) -> None:
    said = hollywood(*arguments)
    assert (said.code, said.out) == (code, "")
    assert said.err.startswith(f"error: {told}")


def test_folder_that_holds_a_run_is_not_written_over(hollywood: Hollywood, bucket: Bucket) -> None:
    hollywood(*PLAY, "--pairs", "5", "--out", "s3://bucket/mine")
    before = bucket("mine")
    said = hollywood(*PLAY, "--pairs", "6", "--out", "s3://bucket/mine")
    assert (said.code, said.err) == (2, 'error: "s3://bucket/mine" is there already: name a new folder for the run\n')
    assert bucket("mine") == before


def test_what_a_tournament_came_to_is_there_too(hollywood: Hollywood, bucket: Bucket) -> None:
    told = hollywood(
        "tournament",
        "greedy",
        "simple",
        "gin-only",
        "--pairs",
        "60",
        "--seed",
        "7",
        "--out",
        "s3://bucket/cup",
        "--json",
    ).json()
    assert json.loads(bucket("cup")["summary.json"]) == told
    assert {standing["player"] for standing in told["standings"]} == {"greedy", "simple", "gin-only"}
