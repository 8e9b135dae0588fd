"""`hollywood doctor --stats`: every promise with its number, in 80 columns; a broken one ends with 1."""

from __future__ import annotations

from typing import Any

import pytest

from analysis.intervals import share_limits
from cli.texts import calibration as texts
from experiments.calibration import prove as calibration
from experiments.calibration import rule as calibration_rule
from experiments.calibration import runs as calibration_runs
from tests.cli.conftest import Hollywood

WATCHED = "watched at every look, ever excludes the truth"
FIELDS = ["group", "name", "nominal", "realised", "runs", "state"]


@pytest.fixture
def watched_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measure little."""
    monkeypatch.setattr(calibration, "GROUPS", {WATCHED: calibration.GROUPS[WATCHED]})


@pytest.mark.slow
def test_every_promise_is_kept_and_told_in_80_columns(hollywood: Hollywood, monkeypatch: pytest.MonkeyPatch) -> None:
    found = list(calibration.prove(100))
    monkeypatch.setattr(calibration, "prove", lambda runs: iter(found if runs == 100 else []))
    said = hollywood("doctor", "--stats", "--runs", "100")
    lines = hollywood("doctor", "--stats", "--runs", "100", "--json").json()
    assert said.code == 0
    assert said.err == "  simulating: about 3 seconds\n"
    assert len(lines) <= calibration_rule.MOST_LINES
    assert [list(line) for line in lines] == [FIELDS] * len(lines)
    assert list(dict.fromkeys(line["group"] for line in lines)) == list(calibration.GROUPS)
    assert len({line["name"] for line in lines}) == len(lines)
    assert {line["state"] for line in lines} == {"ok", "note"}
    shown = said.out.splitlines()
    assert max(map(len, shown)) <= 80
    assert [line[10:48].strip() for line in shown if line.startswith("  ") and line[-1].isdigit()] == [
        line["name"] for line in lines
    ]
    assert f"All {len(lines)} promises are kept, to within what chance explains." in shown


def test_numbers_in_text_are_those_of_the_document(hollywood: Hollywood, watched_only: None) -> None:
    said = hollywood("doctor", "--stats", "--runs", "400", "--quiet")
    lines = hollywood("doctor", "--stats", "--runs", "400", "--json", "--quiet").json()
    assert said.err == ""
    heading, *shown = said.out.splitlines()[: len(lines) + 1]
    assert heading.split() == [*WATCHED.split(), "nominal", "realised", "runs"]
    for line, text in zip(lines, shown, strict=True):
        nominal, realised, error, runs = text[48:].split()
        assert text.split()[0] == line["state"]
        assert float(nominal.strip("<=%")) == 100 * line["nominal"]
        assert float(realised.strip("%")) == pytest.approx(100 * line["realised"], abs=0.051)
        assert float(error.strip("±")) > 0
        assert int(runs) == line["runs"] == 400
    assert "  note  A plain interval holds for a number of pairs fixed beforehand" in said.out


def test_same_runs_print_the_same(hollywood: Hollywood, watched_only: None) -> None:
    once, again = (hollywood("doctor", "--stats", "--runs", "200") for _ in range(2))
    assert once == again


def test_broken_procedure_fails_its_line_is_named_and_ends_with_1(
    hollywood: Hollywood, watched_only: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def plain(mean: Any, sd: Any, pairs: Any, _planned: Any) -> tuple[Any, Any]:
        return share_limits(mean, sd / pairs**0.5, pairs)

    monkeypatch.setattr(calibration_runs, "anytime_limits", plain)
    said = hollywood("doctor", "--stats", "--runs", "200")
    assert said.code == 1
    assert "  failed  the anytime interval, share 50% " in said.out
    assert "4 of 5 promises are broken: the anytime interval, share 50%," in said.out


def test_procedure_that_breaks_off_is_told_in_its_line(
    hollywood: Hollywood, watched_only: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(*_: object) -> None:
        raise ValueError("the spread is " + 30 * "very " + "small")

    monkeypatch.setattr(calibration_runs, "anytime_limits", breaks)
    said = hollywood("doctor", "--stats", "--runs", "100")
    assert said.code == 1
    assert said.out.count("  failed  watched, share ") == 4
    assert "broke off with ValueError: the spread is very very" in said.out
    assert max(map(len, said.out.splitlines())) <= 80


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--runs", "500"], "--runs goes with --stats"),
        (["--stats", "--runs", "5"], "5 is not in the range 100<=x<=1000000"),
        (["--stats", "--runs", "many"], "'many' is not a valid integer"),
    ],
)
def test_runs_that_cannot_be_simulated_are_refused(hollywood: Hollywood, arguments: list[str], told: str) -> None:
    said = hollywood("doctor", *arguments)
    assert (said.code, said.out) == (2, "")
    assert told in said.err


def test_words_of_the_text_are_those_of_the_rule() -> None:
    assert (texts.WARNING, texts.MEAN) == (calibration_rule.WARNING, calibration_rule.MEAN)
    assert set(texts.SIGNS) == {calibration_rule.AT_LEAST, calibration_rule.AT_MOST}
