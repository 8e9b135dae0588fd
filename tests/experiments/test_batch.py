"""How the runs of a batch follow one another, and how a batch is gone on with."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from experiments.batch import BatchChanged, BatchFolder, Entry, Job, play_batch
from experiments.batch_spec import Batch
from experiments.run_folders import BATCH
from sim.batch.lock import RunInUse
from sim.batch.store import FolderInUse, StoreError
from tests.support.batches import DUEL, SEED, THREE, read
from tests.support.strategy_files import write_player


class Launcher:
    """Answers for the processes of runs, and keeps what it was given; an answer of None is control-C."""

    def __init__(self, **answers: Mapping[str, Any] | None) -> None:
        self.answers = answers
        self.jobs: list[Job] = []

    def __call__(self, job: Job) -> Mapping[str, Any]:
        self.jobs.append(job)
        answer = self.answers.get(job.drawn.run.name, {"state": "complete", "words": "so it is"})
        if answer is None:
            raise KeyboardInterrupt
        return answer

    @property
    def names(self) -> list[str]:
        return [job.drawn.run.name for job in self.jobs]


def kept_states(folder: Path) -> list[str]:
    return [run["state"] for run in json.loads((folder / BATCH).read_text(encoding="utf-8"))["runs"]]


def made(tmp_path: Path) -> tuple[BatchFolder, Batch]:
    batch = read(tmp_path, THREE)
    return BatchFolder.create(tmp_path / "out", batch, SEED), batch


def again(tmp_path: Path, launcher: Launcher, text: str = THREE) -> bool:
    """Go on with the batch that `made` has made."""
    batch = read(tmp_path, text)
    folder = BatchFolder.reopen(tmp_path / "out", batch)
    try:
        return play_batch(folder, batch, launcher, lambda _: None)
    finally:
        folder.release()


def test_state_of_every_run_is_kept_as_it_changes(tmp_path: Path) -> None:
    folder, batch = made(tmp_path)
    seen = [kept_states(folder.path)]

    def tell(_: Entry) -> None:
        seen.append(kept_states(folder.path))

    assert play_batch(folder, batch, Launcher(two={"state": "stopped", "words": "w"}), tell)
    waiting = ["waiting"] * 3
    assert seen[0] == waiting
    assert seen[1::2] == [
        ["running", *waiting[1:]],
        ["complete", "running", "waiting"],
        ["complete", "stopped", "running"],
    ]
    assert seen[-1] == ["complete", "stopped", "complete"]


def test_run_that_fails_does_not_keep_the_others_from_being_played(tmp_path: Path) -> None:
    folder, batch = made(tmp_path)
    launcher = Launcher(one={"state": "failed", "reason": "illegal move"})
    assert not play_batch(folder, batch, launcher, lambda _: None)
    assert launcher.names == ["one", "two", "three"]
    assert folder.entries[0]["reason"] == "illegal move"
    assert kept_states(folder.path) == ["failed", "complete", "complete"]


def test_interrupted_batch_goes_on_where_it_was(tmp_path: Path) -> None:
    folder, batch = made(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        play_batch(folder, batch, Launcher(two=None), lambda _: None)
    assert kept_states(folder.path) == ["complete", "interrupted", "waiting"]
    folder.release()
    launcher = Launcher()
    assert again(tmp_path, launcher)
    assert launcher.names == ["two", "three"]
    assert kept_states(folder.path) == ["complete"] * 3


def test_run_that_was_begun_is_resumed_and_one_that_never_became_a_run_begins_anew(tmp_path: Path) -> None:
    folder, _ = made(tmp_path)
    for entry in folder.entries[:2]:  # as if the machine had gone down
        folder.put(entry, "running")
        (folder.path / entry["folder"]).mkdir()
    (folder.path / "one" / "manifest.json").write_text("{}", encoding="utf-8")
    folder.release()
    launcher = Launcher()
    assert again(tmp_path, launcher)
    assert [(job.folder.name, job.resume) for job in launcher.jobs] == [
        ("one", True),
        ("two.2", False),
        ("three", False),
    ]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda text: text + DUEL, '"duel" is new'),
        (lambda text: text.replace("three", "four"), '"three" is gone'),
        (lambda text: text + "pairs = 9\n", '"three": pairs was not given, is 9'),
        (lambda text: text + 'rules = "gin"\n', '"three": rules was hollywood, is gin'),
        (lambda text: DUEL.replace("duel", "three") + text.replace(DUEL.replace("duel", "three"), ""), "another order"),
    ],
)
def test_batch_of_another_meaning_is_refused(change: Callable[[str], str], told: str, tmp_path: Path) -> None:
    folder, _ = made(tmp_path)
    folder.release()
    with pytest.raises(BatchChanged, match=told):
        again(tmp_path, Launcher(), change(THREE))


def test_comments_and_threads_are_no_part_of_the_meaning(tmp_path: Path) -> None:
    folder, _ = made(tmp_path)
    folder.release()
    assert again(tmp_path, Launcher(), "# a remark\n[defaults]\nthreads = 3\n" + THREE)


def test_player_whose_file_was_edited_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_player(tmp_path, "bot")
    text = DUEL.replace("greedy", "./bot.py")
    BatchFolder.create(tmp_path / "out", read(tmp_path, text), SEED).release()
    write_player(tmp_path, "bot", take="return True", discard="return trailing_zeros(view.best_discards)")
    with pytest.raises(BatchChanged, match='"duel": a file of its players or rules was changed'):
        again(tmp_path, Launcher(), text)


def test_one_process_at_a_time_plays_a_batch(tmp_path: Path) -> None:
    folder, batch = made(tmp_path)
    with pytest.raises(RunInUse):
        BatchFolder.reopen(folder.path, batch)
    folder.release()


def test_folder_in_use_and_folder_that_is_none_are_refused(tmp_path: Path) -> None:
    folder, batch = made(tmp_path)
    folder.release()
    with pytest.raises(FolderInUse):
        BatchFolder.create(folder.path, batch, SEED)
    with pytest.raises(StoreError, match="not the folder of a batch"):
        BatchFolder.reopen(tmp_path, batch)
    (folder.path / BATCH).write_text('{"schema_version": 1}', encoding="utf-8")
    with pytest.raises(StoreError, match="not the state of a batch"):
        BatchFolder.reopen(folder.path, batch)
