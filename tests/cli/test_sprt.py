"""`hollywood sprt`: the test of counts that one has, and the options of sequential tests, which `compare` shares."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from tests.cli.conftest import Hollywood
from tests.support.strategy_cli import Said

COUNTS = ("327", "0", "1044", "0", "421")
TURNED = ("421", "0", "1044", "0", "327")


def asked(hollywood: Hollywood, *arguments: str) -> dict[str, Any]:
    said = hollywood("sprt", *arguments, "--json")
    assert said.code == 0, said.err
    found: dict[str, Any] = json.loads(said.out)
    return found


def refused(said: Said, *named: str) -> None:
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("error: ")
    assert "unexpected" not in said.err
    for words in named:
        assert words in said.err


# --- answers


def test_published_counts_give_the_published_evidence(hollywood: Hollywood) -> None:
    told = asked(hollywood, *COUNTS)
    n, mean = 1_792, (1044 / 2 + 421) / 1_792
    variance = (1044 / 4 + 421) / n - mean**2
    assert told["llr"] == pytest.approx(n * 0.01 * (2 * mean - 1.01) / (2 * variance))
    assert f"{told['llr']:+.2f}" == "+3.67"
    assert (told["verdict"], told["pairs"], told["pair_scores"]) == ("A", n, [327, 0, 1044, 0, 421])
    assert told["match_win_rate"] == pytest.approx(mean)
    assert told["sd"] == pytest.approx(math.sqrt(variance))
    assert told["test"]["upper"] == -told["test"]["lower"] == pytest.approx(math.log(19))
    lines = hollywood("sprt", *COUNTS).out.splitlines()
    assert lines[0] == "A is better: A wins 52.6% of matches over 1,792 pairs."
    assert "+3.67" in lines[2]


@pytest.mark.parametrize(
    "written",
    [("327,0,1044,0,421",), ("327, 0, 1044, 0, 421",), ("[327,", "0,", "1044,", "0,", "421]"), ("327 0 1044 0 421",)],
)
def test_counts_may_be_written_as_they_are_printed(written: tuple[str, ...], hollywood: Hollywood) -> None:
    assert asked(hollywood, *written) == asked(hollywood, *COUNTS)


@pytest.mark.parametrize(
    ("counts", "test", "verdict", "says"),
    [
        (COUNTS, "gain", "A", "A is better: "),
        (TURNED, "gain", "B", "B is better: "),
        (COUNTS, "strict", "undecided", "undecided: "),
        (COUNTS, "nonreg", "equal", "A is no worse: "),
        (TURNED, "nonreg", "B", "B is better: "),
        (COUNTS, "equiv", "undecided", "undecided: "),
        (("9000", "0", "30000", "0", "9000"), "equiv", "equal", "As good as each other: "),
        (("9000", "0", "30000", "0", "9000"), "gain", "equal", "As good as each other: "),
        (("0", "0", "256", "0", "0"), "gain", "equal", "As good as each other: "),
        (("0", "0", "0", "0", "256"), "gain", "A", "A is better: "),
        (("256", "0", "0", "0", "0"), "equiv", "B", "B is better: "),
        (("0", "0", "1", "0", "0"), "gain", "undecided", "undecided: A wins 50.0% of matches over 1 pair; go on"),
    ],
)
def test_verdict_comes_first(counts: tuple[str, ...], test: str, verdict: str, says: str, hollywood: Hollywood) -> None:
    assert asked(hollywood, *counts, "--test", test)["verdict"] == verdict
    lines = hollywood("sprt", *counts, "--test", test).out.splitlines()
    assert lines[0].startswith(says)
    assert max(map(len, lines)) <= 80


def test_evidence_is_told_of_each_question(hollywood: Hollywood) -> None:
    for test, questions in (("gain", 2), ("strict", 2), ("equiv", 2), ("nonreg", 1)):
        told = asked(hollywood, *COUNTS, "--test", test)
        assert len(told["llrs"]) == questions
        lines = hollywood("sprt", *COUNTS, "--test", test).out.splitlines()
        assert [f"{llr:+.2f}" in line for llr, line in zip(told["llrs"], lines[2:], strict=False)] == [True] * questions


def test_counts_of_a_comparison_give_its_evidence(hollywood: Hollywood) -> None:
    told = hollywood("compare", "greedy", "simple", "--seed", "7", "--out", "run", "--json").json()
    again = asked(hollywood, *map(str, told["pair_scores"]))
    assert [again[name] for name in ("llr", "llrs", "verdict", "test")] == [
        told[name] for name in ("llr", "llrs", "verdict", "test")
    ]


@pytest.mark.parametrize("counts", [("0", "0", "9", "0", "0"), ("9" * 15, "0", "0", "0", "9" * 15)])
def test_numbers_are_finite_for_the_oddest_counts(counts: tuple[str, ...], hollywood: Hollywood) -> None:
    told = asked(hollywood, *counts)
    json.dumps(told, allow_nan=False)
    assert told["match_win_rate"] == 0.5


# --- options, which compare shares


def test_bounds_and_errors_change_the_test(hollywood: Hollywood) -> None:
    told = asked(hollywood, *COUNTS, "--bounds", "50:52", "--alpha", "0.01", "--beta", "0.1")
    assert told["test"] | {"name": "gain", "s0": 0.5, "s1": 0.52, "alpha": 0.01, "beta": 0.1} == told["test"]
    assert told["test"]["upper"] == pytest.approx(math.log(0.9 / 0.01))
    assert told["test"]["lower"] == pytest.approx(math.log(0.1 / 0.99))
    assert told == asked(hollywood, *COUNTS, "--bounds", "50%:52%", "--alpha", "0.01", "--beta", "0.1")


@pytest.mark.parametrize("command", [("sprt", *COUNTS), ("compare", "greedy", "simple")], ids=["sprt", "compare"])
@pytest.mark.parametrize(
    ("options", "named"),
    [
        (("--bounds", "50"), ("such as 50:51",)),
        (("--bounds", "50:51:52"), ("such as 50:51",)),
        (("--bounds", "a:b"), ("such as 50:51",)),
        (("--bounds", ""), ("such as 50:51",)),
        (("--bounds", "51:50"), ("rising",)),
        (("--bounds", "50:50"), ("rising",)),
        (("--bounds", "nan:51"), ("rising", "between 0 and")),
        (("--bounds", "50:inf"), ("rising", "between 0 and")),
        (("--bounds", "-1:51", "--test", "nonreg"), ("rising", "between 0 and")),
        (("--bounds", "0:100", "--test", "nonreg"), ("between 0 and",)),
        (("--bounds", "49:51"), ("gain", "at least")),
        (("--bounds", "49.5:51", "--test", "equiv"), ("equiv", "at most")),
        (("--alpha", "0.5"), ("alpha", "above 0 and below 0.5")),
        (("--alpha", "5"), ("alpha", "above 0 and below 0.5")),
        pytest.param(("--alpha", "0"), ("alpha", "above 0 and below 0.5")),
        (("--beta", "-0.1"), ("beta", "above 0 and below 0.5")),
        pytest.param(("--beta", "0"), ("beta", "above 0 and below 0.5")),
        (("--beta", "nan"), ("beta", "above 0 and below 0.5")),
        (("--beta", "x"), ("--beta",)),
        (("--test", "gains"), ("gain", "strict", "nonreg", "equiv")),
    ],
    ids=lambda value: " ".join(value),
)
def test_settings_that_make_no_test_are_refused_with_what_is_allowed(
    options: tuple[str, ...], named: tuple[str, ...], command: tuple[str, ...], hollywood: Hollywood
) -> None:
    refused(hollywood(*command, *options), *named)


@pytest.mark.parametrize("arguments", [("--bounds", "49:51"), ("--bounds", "49.5:51", "--test", "equiv")])
def test_refused_bounds_are_told_in_percent_as_they_were_given(
    arguments: tuple[str, str], hollywood: Hollywood
) -> None:
    refused(hollywood("sprt", *COUNTS, *arguments), f"bounds {arguments[1]}", "50")
    assert "0.5" not in hollywood("sprt", *COUNTS, *arguments).err.replace("49.5", "")


@pytest.mark.parametrize("command", ["sprt", "compare"])
def test_help_keeps_its_lines(command: str, hollywood: Hollywood) -> None:
    said = hollywood(command, "--help")
    assert "\\" not in said.out
    assert {"sprt": "  Example   hollywood sprt 327", "compare": "    strict   the same, "}[command] in said.out
    assert max(map(len, said.out.splitlines())) <= 80


# --- counts that are none


@pytest.mark.parametrize(
    "counts",
    [
        ("1", "2", "3", "4"),
        ("1", "2", "3", "4", "5", "6"),
        ("one", "2", "3", "4", "5"),
        ("1.5", "2", "3", "4", "5"),
        ("1", "", "3", "4", "5"),
        ("1e3", "2", "3", "4", "5"),
        ("--", "1", "-2", "3", "4", "5"),
        ("9" * 16, "0", "0", "0", "1"),
        ("1,2,3,4",),
        ("",),
    ],
    ids=" ".join,
)
def test_what_is_not_five_counts_is_refused_with_an_example(counts: tuple[str, ...], hollywood: Hollywood) -> None:
    refused(hollywood("sprt", *counts), "not five counts", "327 0 1044 0 421")


def test_no_pair_at_all_is_refused(hollywood: Hollywood) -> None:
    refused(hollywood("sprt", "0", "0", "0", "0", "0"), "no pair")


@pytest.mark.parametrize("counts", [("-1", "0", "1", "0", "1"), ("1", "0", "1", "0", "-1"), ()])
def test_negative_and_missing_counts_are_refused(counts: tuple[str, ...], hollywood: Hollywood) -> None:
    refused(hollywood("sprt", *counts))
