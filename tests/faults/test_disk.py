"""A disk that is full or may not be written stops a run with its name, and what was finished is kept."""

from __future__ import annotations

import os
import re
import resource
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from sim.batch.part_lines import append_line, read_lines
from tests.faults.conftest import Twin
from tests.faults.processes import Hollywood, Server, assert_same_run, lines_of
from tests.faults.test_kills import KINDS

RESUME = "the finished parts are kept in run\n  go on with: hollywood runs resume run\n"


@pytest.fixture
def disk(own_disks: Server, tmp_path: Path) -> Iterator[Path]:
    """Return an empty disk of 6 MB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    own_disks.shell(f"mount -t tmpfs -o size=6m none {disk}")
    yield disk
    own_disks.shell(f"umount -l {disk}")


@pytest.mark.parametrize("kind", ["simulate", "compare", pytest.param("sweep", marks=pytest.mark.slow)])
def test_run_on_a_disk_that_fills_up_keeps_its_parts_and_goes_on_when_there_is_room(
    kind: str, own_disks: Server, disk: Path, tmp_path: Path, twin: Twin
) -> None:
    hollywood = Hollywood(own_disks, disk, tmp_path)
    process = hollywood.start(*KINDS[kind], "--out", "run")
    own_disks.shell(f"until test -s {disk}/run/parts.jsonl; do sleep 0.01; done")
    process.halt()
    own_disks.shell(f"cat /dev/zero > {disk}/filler || true")  # somebody else takes all there is
    process.send(signal.SIGCONT)
    ended = process.end()
    assert (ended.code, ended.out) == (1, "")
    assert re.match(r"error: (?=.*run/\w).*No space left on device", ended.err)
    assert ended.err.endswith(RESUME)
    own_disks.shell(f"cp -r {disk}/run {tmp_path}/full && rm {disk}/filler")
    full, whole = tmp_path / "full", twin(*KINDS[kind])
    assert lines_of(full)
    assert {number: line for number, line in lines_of(whole).items() if number in lines_of(full)} == lines_of(full)
    assert not list(full.rglob("*.tmp"))
    hollywood.resume(Path("run"))
    own_disks.shell(f"cp -r {disk}/run {tmp_path}/run")
    assert_same_run(tmp_path / "run", whole)


def test_disk_without_room_for_the_run_folder_is_told(own_disks: Server, disk: Path, tmp_path: Path) -> None:
    own_disks.shell(f"cat /dev/zero > {disk}/filler || true")
    ended = Hollywood(own_disks, disk, tmp_path)(*KINDS["compare"], "--out", "run")
    assert (ended.code, ended.out) == (1, "")
    assert ended.err == "error: run cannot be written: No space left on device\n"


def test_run_on_a_disk_that_became_read_only_is_told(own_disks: Server, disk: Path, tmp_path: Path, twin: Twin) -> None:
    own_disks.shell(f"cp -r {twin(*KINDS['simulate'])} {disk}/run && mount -o remount,ro {disk}")
    hollywood = Hollywood(own_disks, disk, tmp_path)
    ended = hollywood("runs", "resume", "run")
    assert (ended.code, ended.out) == (1, "")
    assert ended.err == f"error: run cannot be written: Read-only file system\n  {RESUME}"
    ended = hollywood(*KINDS["simulate"], "--out", "new")
    assert (ended.code, ended.out) == (1, "")
    assert ended.err == "error: new cannot be written: Read-only file system\n"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_folder_that_may_not_be_written_is_told(hollywood: Hollywood) -> None:
    hollywood.folder.chmod(0o555)
    try:
        for arguments, named in (((*KINDS["simulate"], "--out", "run"), "run"), (KINDS["simulate"], "runs")):
            ended = hollywood(*arguments)
            assert (ended.code, ended.out) == (1, "")
            assert named in ended.err
            assert "Permission denied" in ended.err
    finally:
        hollywood.folder.chmod(0o755)


def test_line_that_does_not_fit_leaves_nothing_that_the_next_would_be_joined_to(tmp_path: Path) -> None:
    append_line(tmp_path, {"part": 0, "first_pair": 0, "pairs": 9})
    before = (tmp_path / "parts.jsonl").read_bytes()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 10, hard))
    try:
        with pytest.raises(OSError, match=r"parts\.jsonl"):
            append_line(tmp_path, {"part": 1, "first_pair": 9, "pairs": 9})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert (tmp_path / "parts.jsonl").read_bytes() == before
    append_line(tmp_path, {"part": 2, "first_pair": 18, "pairs": 9})
    assert [line["part"] for line in read_lines(tmp_path)] == [0, 2]
