"""`hollywood tips`: what it prints, keeps and refuses, and that it can be gone on with."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cli.texts.tips import headline
from experiments.simulate import simulate
from experiments.tips import play
from experiments.tips.claims import TIPS
from tests.cli.conftest import Hollywood

SMALL = ("tips", "--only", "knock-when-behind", "--only", "early-wins", "--rules", "hollywood", "--pairs", "24")


def strict(text: str) -> Any:
    """Read JSON as other programs do: without NaN and Infinity."""
    return json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))


def test_list_names_every_tip_and_plays_nothing(hollywood: Hollywood, tmp_path: Path) -> None:
    said = hollywood("tips", "--list")
    assert (said.code, said.err) == (0, "")
    assert all(f"{tip.name}  {tip.kind}, source {tip.source}" in said.out for tip in TIPS)
    assert max(map(len, said.out.splitlines())) <= 80
    assert list(tmp_path.iterdir()) == []


def test_verdicts_are_printed_kept_and_put_on_a_page(hollywood: Hollywood, tmp_path: Path) -> None:
    said = hollywood(*SMALL, "--seed", "7", "--out", "mine")
    assert said.code == 0, said.err
    assert max(map(len, said.out.splitlines())) <= 80
    kept = strict((tmp_path / "mine" / "tips.json").read_text(encoding="utf-8"))
    assert said.out.startswith("1 of 2 tips hold: 1 by the rules, 1 is undecided.")
    for tip in kept["tips"]:
        assert tip["verdict"] in said.out
    again = [word for line in said.out.splitlines() if "again" in line or "--" in line for word in line.split()]
    assert [word for word in kept["again"] if word not in again] == []
    page = (tmp_path / "mine" / "report.html").read_text(encoding="utf-8")
    assert "One of two tips holds, one is undecided" in page
    (tmp_path / "mine" / "report.html").unlink()
    assert hollywood("report", "mine") == (0, "report  mine/report.html\n", "")
    assert (tmp_path / "mine" / "report.html").read_text(encoding="utf-8") == page


def test_broken_off_it_says_how_to_go_on_and_does(
    hollywood: Hollywood, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ("tips", "--only", "knock-when-behind", "--pairs", "2", "--seed", "7", "--rules", "hollywood")
    times: list[Any] = []

    def break_off(*arguments: Any) -> Any:
        times.append(arguments)
        if len(times) == 2:
            raise KeyboardInterrupt
        return simulate(*arguments)

    monkeypatch.setattr(play, "simulate", break_off)
    said = hollywood(*asked, "--out", "mine")
    assert said.code == 130
    assert "go on with: hollywood tips --resume mine" in said.err
    unfinished = hollywood("report", "mine")
    assert unfinished.code == 2
    assert "not finished; go on with: hollywood tips --resume mine" in unfinished.err
    told = hollywood("tips", "--resume", "mine", "--json").json()
    assert told["status"] == "complete"
    assert told["seed"] == 7
    assert len(times) == 3


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--only", "lenght"], 'no tip "lenght". Did you mean'),
        (["--rules", "gin"], 'rules "gin": the tips are about two players, three columns, and knocking'),
        (["--resume", "x", "--pairs", "3"], "--resume goes on with what was asked for"),
        (["--resume", "nowhere"], "not the folder of hollywood tips"),
    ],
)
def test_what_cannot_be_tested_is_refused_in_a_line(arguments: list[str], told: str, hollywood: Hollywood) -> None:
    said = hollywood("tips", *arguments)
    assert said.code in (1, 2)
    assert told in said.err
    assert "Traceback" not in said.err


def test_folder_that_is_there_already_is_left_alone(hollywood: Hollywood, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "note.txt").write_text("keep")
    said = hollywood(*SMALL, "--out", "mine")
    assert said.code == 2
    assert '"mine" is there already' in said.err
    assert [file.name for file in (tmp_path / "mine").iterdir()] == ["note.txt"]


def test_headline_counts_every_verdict() -> None:
    verdicts = ["holds"] * 2 + ["true by the rules"] + ["it depends"] * 3 + ["does not hold"] + ["undecided"] * 2
    tips = [{"title": "A tip", "verdict": verdict} for verdict in verdicts]
    told = "3 of 9 tips hold: 1 by the rules, 2 in play, 3 depend, 1 does not, 2 are undecided."
    assert headline(tips) == told
    assert headline(tips[:1]) == "A tip: holds."
