"""`hollywood doctor`: a sound installation passes; what is broken on purpose is found, named, and ends with 1."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from experiments.doctor import selftest
from sim.batch import fingerprint
from tests.cli.conftest import Hollywood
from tests.support.strategy_cli import Said, finish, start

GROUPS = ["environment", "libraries", "cache", "surroundings", "self-test"]
SELF_TEST = [name for name, _ in (*selftest.SOLVING, *selftest.PLAYING)]
BROKEN = {
    "ten cards": ("6S AC 5H 3S 5S AS 7S AD 4S 2S,5,1", "6S AC 5H 3S 5S AS 7S AD 4S 2S,6,1"),
    "eleven cards": ("JD 2S 2C 4C 4D 3D 3C 3H 4S 4H 2H,10,0,JD", "JD 2S 2C 4C 4D 3D 3C 3H 4S 4H 2H,10,0,JD 2S"),
    "the trap": ("trap_deadwood = 10", "trap_deadwood = 9"),
    "gin hands": ("gin_hands = 1234", "gin_hands = 1235"),
    "layoffs": (",undercut,defender,", ",knock,knocker,"),
    "sheet": ("net = 258", "net = 259"),
    "fingerprint": ('fingerprint = "', 'fingerprint = "0'),
}
"""For each test of a stored answer: what is written in the answers, and what is put there instead."""


@pytest.fixture(autouse=True)
def shortly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measure the speed in little time."""
    monkeypatch.setattr(selftest, "SPEED_SECONDS", 0.02)


def checks_of(said: Said) -> dict[str, dict[str, str]]:
    """Return the checks of a --json document by name, the self-test's last."""
    return {check["name"]: check for check in json.loads(said.out)["checks"]}


def failed(said: Said) -> list[str]:
    """Return the names of the checks that failed."""
    return [name for name, check in checks_of(said).items() if check["state"] == "failed"]


def test_sound_installation_passes_every_check(hollywood: Hollywood) -> None:
    said = hollywood("doctor", "--json")
    document = said.json()
    assert said.err == ""
    assert list(document) == ["checks"]
    assert all(list(check) == ["group", "name", "state", "detail"] for check in document["checks"])
    assert list(dict.fromkeys(check["group"] for check in document["checks"])) == GROUPS
    found = [(c["name"], c["state"]) for c in document["checks"] if c["group"] == "self-test"]
    assert found == [(name, "ok") for name in SELF_TEST]
    assert {check["state"] for check in document["checks"]} <= {"ok", "note"}


def test_text_tells_the_same_checks_in_80_columns(hollywood: Hollywood, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selftest, "PLAYING", ())
    checks = hollywood("doctor", "--json").json()["checks"]
    said = hollywood("doctor")
    lines = said.out.splitlines()
    assert (said.code, said.err) == (0, "")
    assert [tuple(line.split()[:1]) for line in lines if line and not line.startswith(" ")][:-1] == [
        (group,) for group in GROUPS
    ]
    told = [(line[2:8].strip(), line[10:24].strip()) for line in lines if line.startswith("  ") and line[2] != " "]
    assert told == [(check["state"], check["name"]) for check in checks]
    assert max(len(line) for line in lines if "/" not in line) <= 80
    notes = sum(check["state"] == "note" for check in checks)
    assert lines[-1].startswith(f"All is well: {len(checks)} checks.")
    assert (f"{notes} note" in lines[-1]) is (notes > 0)


@pytest.fixture
def answers_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], None]:
    """Return a function that stores the answers with one text changed."""

    def store(old: str, new: str) -> None:
        text = selftest.ANSWERS.read_text(encoding="utf-8")
        assert old in text
        changed = tmp_path / "answers.toml"
        changed.write_text(text.replace(old, new, 1), encoding="utf-8")
        monkeypatch.setattr(selftest, "ANSWERS", changed)

    return store


@pytest.mark.parametrize("name", BROKEN)
def test_answer_other_than_the_stored_one_fails_that_check_alone(
    name: str, answers_with: Callable[[str, str], None], hollywood: Hollywood
) -> None:
    answers_with(*BROKEN[name])
    said = hollywood("doctor", "--json")
    assert (said.code, failed(said)) == (1, [name])
    detail = checks_of(said)[name]["detail"]
    assert "right" in detail or "that of this version is" in detail
    assert detail.endswith(selftest.DO)


def test_failed_check_is_named_in_the_last_line(
    answers_with: Callable[[str, str], None], hollywood: Hollywood, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selftest, "PLAYING", ())
    answers_with(*BROKEN["sheet"])
    said = hollywood("doctor")
    assert said.code == 1
    assert "  failed  sheet " in said.out
    assert " checks failed: sheet." in said.out.splitlines()[-1]


def test_answers_that_cannot_be_read_fail(answers_with: Callable[[str, str], None], hollywood: Hollywood) -> None:
    answers_with("[solver]", "[solver")
    said = hollywood("doctor", "--json")
    assert (said.code, failed(said)) == (1, ["answers"])


def test_check_that_breaks_off_fails_and_the_others_go_on(
    hollywood: Hollywood, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> str:
        raise OSError("no such kernel\nand more")

    monkeypatch.setattr(fingerprint, "engine_fingerprint", broken)
    said = hollywood("doctor", "--json")
    found = checks_of(said)
    assert said.code == 1
    assert found["fingerprint"]["detail"] == "broke off with OSError: no such kernel"
    assert found["speed"]["state"] == "ok"


# --- kernels


def test_player_that_does_not_come_out_even_against_itself_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = {"match_winner": np.array([0, 1, 1, 0, 2, 2, 0, 0])}
    monkeypatch.setattr(selftest, "_play", lambda _plan: rows)
    state, detail = selftest.half_of_every_pair({})
    assert (state, "in pair 3, seed 2026" in detail) == ("failed", True)


@pytest.mark.parametrize("found", [[{"a": "1"}, {"a": "2"}], [{}, {}]], ids=["other rows", "no rows"])
def test_rows_that_depend_on_the_threads_fail(found: list[dict[str, str]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selftest, "_checksums", lambda _plan, threads: found[threads - 1])
    assert selftest.same_rows_on_two_threads({})[0] == "failed"


def test_files_of_a_run_are_compared_one_by_one() -> None:
    state, detail = selftest.same_rows_on_two_threads({})
    assert (state, detail.startswith("3 files")) == ("ok", True)


# --- surroundings


def test_cache_that_cannot_be_written_fails(
    tmp_path: Path, hollywood: Hollywood, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "file"))
    said = hollywood("doctor", "--json")
    assert (said.code, failed(said)) == (1, ["cache folder"])
    detail = checks_of(said)["cache folder"]["detail"]
    assert str(tmp_path / "file") in detail
    assert "set NUMBA_CACHE_DIR to a folder that can be written" in detail


@pytest.mark.parametrize("quiet", [True, False], ids=["quiet", "aloud"])
def test_cold_cache_is_a_note_and_the_wait_is_told_unless_quiet(
    quiet: bool, tmp_path: Path, hollywood: Hollywood, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "empty"))
    monkeypatch.setattr(selftest, "PLAYING", ())
    said = hollywood("doctor", "--json", *(["--quiet"] if quiet else []))
    assert (said.code, checks_of(said)["kernels"]["state"]) == (0, "note")
    assert checks_of(said)["kernels"]["detail"].startswith("cold")
    assert said.err == ("" if quiet else "  compiling the kernels: once, about 15 seconds\n")


def test_without_compiled_code_and_colour_there_are_notes_and_solver_and_sheet_are_tested(tmp_path: Path) -> None:
    environment = {"NUMBA_DISABLE_JIT": "1", "NO_COLOR": "1", "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    said = finish(start(["doctor", "--json"], tmp_path, environment=environment))
    found = checks_of(said)
    assert (said.code, said.err) == (0, "")
    noted = [name for name, check in found.items() if check["state"] == "note"]
    assert {"jit", "colour", "gin hands", "kernels"} <= set(noted)
    tested = [name for name, check in found.items() if check["group"] == "self-test" and check["state"] == "ok"]
    assert tested == ["ten cards", "eleven cards", "the trap", "layoffs", "sheet"]


def test_stdout_that_lacks_characters_fails_that_check_and_is_still_written_to(tmp_path: Path) -> None:
    folder = tmp_path / "kr\u00e4her"
    folder.mkdir()
    environment = {"NUMBA_DISABLE_JIT": "1", "PYTHONIOENCODING": "ascii"}
    said = finish(start(["doctor"], folder, environment=environment))
    assert (said.code, said.err) == (1, "")
    assert "kr?her" in said.out
    assert "checks failed: encoding." in said.out.splitlines()[-1]


def test_doctor_leaves_nothing_behind(tmp_path: Path, hollywood: Hollywood) -> None:
    assert hollywood("doctor").code == 0
    assert not list(tmp_path.iterdir())
