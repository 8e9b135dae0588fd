"""`hollywood runs list`, `show` and `verify`: what is there, how it stands, whether it is sound."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest

from sim.batch.lock import RunLock
from tests.cli.conftest import Hollywood
from tests.support.strategy_runs import files_in, manifest, part_lines

LISTED = {"id", "path", "kind", "status", "pairs", "planned_pairs", "deals", "bytes", "started"}
SHOWN = LISTED | {
    *(
        "parts",
        "planned_parts",
        "missing_parts",
        "seconds",
        "deals_per_second",
        "sides",
        "pairings",
        "rules",
        "options",
    ),
    *(
        "form",
        "seed",
        "pairs_a_pairing",
        "detail",
        "again",
        "again_each",
        "engine_version",
        "fingerprint",
        "versions",
        "cpu",
        "cores",
    ),
    *("host", "resumed", "finished", "log", "next"),
}
VERIFIED = {
    *("run", "sound", "status", "parts", "pairs", "sound_pairs", "deals", "files", "bytes", "replayed", "seconds"),
    *("problems", "notes", "set_aside", "can_resume"),
}
MATCHES = "matches/part-000000.parquet"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that holds one run, of 20 pairs."""
    from cli.main import run

    root = tmp_path_factory.mktemp("played")
    words = ["greedy", "threshold:knock_at=3", "--set", "target=50", "--pairs", "20", "--seed", "7", "--threads", "1"]
    assert run(["simulate", *words, "--out", str(root / "20260101T000000-greedy-v-threshold-abcdef"), "--quiet"]) == 0
    return root


@pytest.fixture
def only(played: Path, tmp_path: Path, hollywood: Hollywood) -> Path:
    """Return the only run in runs/."""
    shutil.copytree(played, tmp_path / "runs")
    (found,) = (tmp_path / "runs").iterdir()
    return found


def facts(run: Path, **changed: object) -> None:
    """Change what the manifest of a run says."""
    (run / "manifest.json").write_text(json.dumps({**manifest(run), **changed}), encoding="utf-8")


def twin(run: Path, name: str, **changed: object) -> Path:
    """Return a copy of a run beside it, whose manifest says otherwise."""
    copy = Path(shutil.copytree(run, run.parent / name))
    facts(copy, **changed)
    return copy


def listed(hollywood: Hollywood) -> list[dict[str, Any]]:
    """Return the JSON of runs list."""
    found: list[dict[str, Any]] = hollywood("runs", "list", "--json").json()
    return found


# --- list


def test_list_without_runs_says_so_and_succeeds(hollywood: Hollywood, tmp_path: Path) -> None:
    for _ in range(2):  # without runs/, and with an empty one
        said = hollywood("runs", "list")
        assert (said.code, said.err) == (0, "")
        assert said.out.startswith('There is no run in "runs" yet.\n')
        assert listed(hollywood) == []
        (tmp_path / "runs").mkdir(exist_ok=True)
    assert hollywood("runs", "list", "--root", "nowhere").code == 2


def test_list_tells_each_run_in_one_line(only: Path, hollywood: Hollywood) -> None:
    (run,) = listed(hollywood)
    assert set(run) == LISTED
    deals = part_lines(only)[0]["deals_played"]
    size = sum((only / name).stat().st_size for name in files_in(only))
    assert (run["id"], run["kind"], run["status"]) == (only.name, "simulate", "complete")
    assert (run["pairs"], run["planned_pairs"], run["deals"], run["bytes"]) == (20, 20, deals, size)
    head, line, last = hollywood("runs", "list").out.splitlines()
    assert head.split() == ["run", "kind", "status", "pairs", "deals", "bytes", "started", "UTC"]
    assert line.split()[:5] == ["20260101T000000-~d-abcdef", "simulate", "complete", "20", str(deals)]
    assert last == "  next   hollywood runs show last"


def test_list_is_newest_first_and_fits_into_80_columns(only: Path, hollywood: Hollywood) -> None:
    for day, (kind, status) in enumerate([("tournament", "interrupted"), ("sweep", "stopped"), ("compare", "failed")]):
        name = f"{'long-' * 20}{day}"
        copy = twin(only, name, status=status, experiment={"kind": kind}, started=f"2030-01-0{day + 1}T00:00:00+00:00")
        spec = (copy / "spec.toml").read_text(encoding="utf-8")
        (copy / "spec.toml").write_text(spec.replace("\npairs = 20", "\npairs = 1234567"), encoding="utf-8")
    said = hollywood("runs", "list")
    assert max(map(len, said.out.splitlines())) <= 80
    rows = [line.split() for line in said.out.splitlines()[1:-1]]
    assert [row[1] for row in rows] == ["compare", "sweep", "tournament", "simulate"]
    assert [row[2] for row in rows] == ["failed", "stopped", "interrupted", "complete"]
    assert [row[3] for row in rows] == ["20/1.23M"] * 3 + ["20"]
    assert rows[0][-3:] == ["03", "Jan", "00:00"]
    assert listed(hollywood)[0]["id"].endswith("-2")


def test_runs_of_a_batch_are_listed_and_found_as_others_are(only: Path, hollywood: Hollywood) -> None:
    night = only.parent / "night"
    night.mkdir()
    shutil.copytree(only, night / "duel")
    (night / "batch.json").write_text("{}", encoding="utf-8")
    assert sorted(run["id"] for run in listed(hollywood)) == [only.name, "night/duel"]
    assert json.loads(hollywood("runs", "show", "night/duel", "--json").out)["path"] == "runs/night/duel"
    replayed = hollywood("replay", "duel", "--pair", "3", "--json")
    assert (replayed.code, json.loads(replayed.out)["equals_stored"]) == (0, True)


def test_run_that_says_it_is_running_died_if_nobody_plays_it(only: Path, hollywood: Hollywood) -> None:
    facts(only, status="running")
    assert [run["status"] for run in listed(hollywood)] == ["died"]
    lock = RunLock(only)
    try:
        assert [run["status"] for run in listed(hollywood)] == ["running"]
    finally:
        lock.release()


def test_ended_run_that_lost_a_file_is_damaged(only: Path, hollywood: Hollywood) -> None:
    (only / MATCHES).unlink()
    (run,) = listed(hollywood)
    assert (run["status"], run["pairs"], run["planned_pairs"], run["deals"]) == ("damaged", 0, 20, 0)


def test_folder_that_cannot_be_read_is_listed_with_the_reason(only: Path, hollywood: Hollywood) -> None:
    twin(only, "older", schema_version=1)
    twin(only, "torn")
    (only.parent / "torn" / "manifest.json").write_text("{", encoding="utf-8")
    (twin(only, "unspecified") / "spec.toml").unlink()
    (only.parent / "stranger").mkdir()
    (only.parent / ".hidden").mkdir()
    (only.parent / "a-file").touch()
    found = listed(hollywood)
    assert [run["id"] for run in found] == [only.name, "older", "stranger", "torn", "unspecified"]
    assert "schema version 1 is older" in found[1]["error"]
    assert found[2]["error"] == "manifest.json: missing, so this is not a run folder"
    assert found[3]["error"].startswith("manifest.json: not a manifest")
    assert found[4]["error"] == "spec.toml: missing, so this is not a whole run folder"
    said = hollywood("runs", "list")
    assert (said.code, max(map(len, said.out.splitlines())) <= 80) == (0, True)
    assert "cannot be read: stranger: manifest.json: missing, so this is not a run folder\n" in said.out


# --- show


def test_show_tells_what_was_asked_how_far_it_came_and_where(only: Path, hollywood: Hollywood) -> None:
    told = hollywood("runs", "show", "last", "--json").json()
    assert set(told) == SHOWN
    assert (told["rules"], told["options"], told["seed"]) == ("hollywood", {"target": "50"}, 7)
    assert (told["pairings"], told["parts"], told["planned_parts"]) == ([["greedy", "threshold:knock_at=3"]], 1, 1)
    assert told["deals_per_second"] == pytest.approx(told["deals"] / told["seconds"], rel=0.05)
    assert told["host"] == manifest(only)["host"]
    assert [told["log"][place].split()[-1] for place in (0, -1)] == ["running", "complete"]
    assert told["next"] == ["hollywood", "report", f"runs/{only.name}"]
    said = hollywood("runs", "show", "2026").out
    assert max(map(len, said.splitlines())) <= 80
    for text in (
        "it is complete, 20 of 20 pairs",
        "greedy v threshold:knock_at=3",
        "changed: target=50",
        "fingerprint",
    ):
        assert text in " ".join(said.split())


def test_show_gives_the_command_that_plays_the_run_again(only: Path, hollywood: Hollywood, tmp_path: Path) -> None:
    (again,) = re.findall(r"  again (.*?)\n\n", hollywood("runs", "show", "last").out, re.DOTALL)
    words = shlex.split(again.replace("\\\n", " "))
    assert hollywood("runs", "show", "last", "--json").json()["again"] == words
    assert hollywood(*words[1:], "--out", "again").code == 0
    assert (tmp_path / "again" / MATCHES).read_bytes() == (only / MATCHES).read_bytes()


@pytest.mark.parametrize(
    ("status", "said", "command"),
    [
        ("running", "it died: no process plays it any more", ["runs", "resume"]),
        ("interrupted", "it was interrupted", ["runs", "resume"]),
        ("failed", "it failed", ["runs", "resume"]),
        ("stopped", "it was stopped", ["report"]),
    ],
)
def test_show_says_what_to_do_next(
    status: str, said: str, command: list[str], only: Path, hollywood: Hollywood
) -> None:
    facts(only, status=status)
    assert said in " ".join(hollywood("runs", "show", "last").out.split())
    told = hollywood("runs", "show", "last", "--json").json()
    assert told["next"] == ["hollywood", *command, f"runs/{only.name}"]


def test_show_of_no_run_is_refused(only: Path, hollywood: Hollywood) -> None:
    assert hollywood("runs", "show", "nothing").code == 2
    (only / "manifest.json").unlink()
    said = hollywood("runs", "show", str(only))
    assert (said.code, said.out) == (1, "")
    assert said.err.endswith("manifest.json: missing, so this is not a run folder\n")


# --- verify


def test_verify_says_that_all_is_well(only: Path, hollywood: Hollywood) -> None:
    said = hollywood("runs", "verify", "last", "--sample", "3")
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith("All is well: 20 pairs in 1 part.\n  kept   1 file as written, ")
    assert "3 pairs played again to equal rows" in said.out
    assert f"  next   hollywood report runs/{only.name}" in said.out
    told = hollywood("runs", "verify", "last", "--json").json()
    assert set(told) == VERIFIED
    assert (told["sound"], told["problems"], told["replayed"]) == (True, [], 20)


def test_verify_names_what_is_wrong_exits_1_and_resume_puts_it_right(
    only: Path, played: Path, hollywood: Hollywood
) -> None:
    whole = (only / MATCHES).read_bytes()
    (only / MATCHES).write_bytes(whole[:-1])
    kept = hollywood("runs", "verify", "last", "--keep")
    assert (kept.code, (only / MATCHES).exists()) == (1, True)
    assert kept.out.endswith(f"  next   hollywood runs verify runs/{only.name}\n")
    said = hollywood("runs", "verify", "last")
    assert (said.code, said.err) == (1, "")
    assert said.out.splitlines() == [
        "1 problem: 0 of 20 pairs are in parts without damage.",
        f"  {MATCHES}",
        f"    has {len(whole) - 1:,} bytes; {len(whole):,} were written",
        f"    set aside as {MATCHES}.bad",
        f"  next   hollywood runs resume runs/{only.name}",
    ]
    again = hollywood("runs", "verify", "last", "--json")
    assert again.code == 1
    (problem,) = json.loads(again.out)["problems"]
    assert (problem["file"], problem["what"], problem["do"]) == (MATCHES, "is missing", "resume")
    assert hollywood("runs", "resume", "last").code == 0
    assert (only / MATCHES).read_bytes() == whole
    assert hollywood("runs", "verify", "last").code == 0


def test_verify_tells_what_to_do_where_a_resume_would_be_refused(only: Path, hollywood: Hollywood) -> None:
    spec = (only / "spec.toml").read_text(encoding="utf-8")
    (only / "spec.toml").write_text(spec.replace("seed = 7", "seed = 8"), encoding="utf-8")
    said = hollywood("runs", "verify", "last")
    assert (said.code, said.err) == (1, "")
    assert "  spec.toml\n    it was changed after the run was made (its spec_hash is another)\n" in said.out
    assert "    to do: put back what it was, then verify again\n" in said.out


def test_long_check_tells_how_far_it_is(only: Path, hollywood: Hollywood, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cli.checking.SLOW_START_SECONDS", 0)
    said = hollywood("runs", "verify", "last")
    assert (said.code, said.err) == (0, "  checking parts: 1 of 1\n")
    assert hollywood("runs", "verify", "last", "--quiet").err == ""
