"""`hollywood compare`: what it finds, how it tells it as text and as JSON, and what it refuses."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Hollywood
from tests.cli.test_simulate import PAIRING, TOLD
from tests.support.strategy_cli import Said
from tests.support.strategy_runs import manifest, part_lines

SOON = ("greedy", "simple", "--seed", "7")
"""Decided for B after 768 pairs."""
NEVER = ("greedy", "simple", "--seed", "7", "--bounds", "50:50.0000001")
CASES: dict[str, tuple[str, ...]] = {
    "decided": SOON,
    "undecided": (*NEVER, "--pairs", "700"),
    "one pair": (*SOON, "--pairs", "1"),
    "mirror": ("simple", "simple", "--seed", "1"),
    "same play, two names": ("threshold:knock_at=10", "simple", "--seed", "1"),
    "all wins": ("greedy", "random", "--seed", "1"),
    "endpoints disagree": ("gin-only", "threshold:knock_at=10", "--set", "undercut_bonus=25", "--seed", "7"),
    "no worse": ("simple", "greedy", "--seed", "7", "--test", "nonreg"),
    "partners": ("greedy/simple", "threshold:knock_at=5/gin-only", "--rules", "partnership", "--seed", "1"),
    "every setting": (
        *("greedy", "threshold:knock_at=10", "--test", "equiv", "--bounds", "47.25:49.123", "--alpha", "0.01"),
        *("--pairs", "300", "--seed", "18446744073709551615", "--rules", "hollywood-003"),
        *("--set", "undercut_bonus=15", "--set", "gin_bonus=20", "--set", "big_gin=31", "--set", "tie=knocker"),
        *("--set", "spade_doubles=yes", "--set", "knock_limit=upcard", "--set", "closing=column"),
    ),
    "long names": (
        *("threshold-by-turn:early=10,middle=7,late=4+on-schneid", "threshold-by-columns+on-schneid"),
        *("--pairs", "300", "--seed", "1"),
    ),
}
every_case = pytest.mark.parametrize("case", CASES.values(), ids=CASES)


def compared(hollywood: Hollywood, *arguments: str, out: str = "run") -> dict[str, Any]:
    """Run `compare --json` and return the document; it may hold no NaN or Infinity, which are not JSON."""
    said = hollywood("compare", *arguments, "--out", out, "--json")
    assert said.code == 0, said.err

    def no_number(word: str) -> None:
        raise AssertionError(f"{word} in JSON")

    found: dict[str, Any] = json.loads(said.out, parse_constant=no_number)
    return found


def text(hollywood: Hollywood, *arguments: str, out: str = "run") -> list[str]:
    said = hollywood("compare", *arguments, "--out", out)
    assert said.code == 0, said.err
    return said.out.splitlines()


def refused(said: Said, *named: str) -> None:
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("error: ")
    assert "error: unexpected" not in said.err
    for words in named:
        assert words in said.err


def answer(document: dict[str, Any]) -> dict[str, Any]:
    """Return what depends on the cards alone."""
    return {name: value for name, value in document.items() if name not in ("run", "seconds", "deals_per_second")}


# --- JSON


@every_case
def test_json_has_the_fields_that_scripts_use(case: tuple[str, ...], hollywood: Hollywood, tmp_path: Path) -> None:
    told = compared(hollywood, *case)
    assert told.keys() >= TOLD | PAIRING | {"verdict", "stopped_by", "llr", "pair_scores", "endpoints"}
    assert (told["a"], told["b"], told["run"]) == (*case[:2], "run")
    assert told["verdict"] in ("A", "B", "equal", "undecided")
    assert told["stopped_by"] in ("above", "below", "pairs")
    assert told["pairings"][0].items() <= told.items()
    assert told["pairs"] == sum(told["pair_scores"]) == sum(line["pairs"] for line in part_lines(tmp_path / "run"))
    assert type(told["pairs"]) is int
    assert told["llr"] == told["llrs"][0]
    assert {"matches", "deals won", "deal points", "settled points"} <= {e["endpoint"] for e in told["endpoints"]}
    assert json.loads((tmp_path / "run" / "summary.json").read_text(encoding="utf-8")) == told
    status = "complete" if told["stopped_by"] == "pairs" else "stopped"
    assert manifest(tmp_path / "run")["status"] == status


@pytest.mark.parametrize(
    ("case", "verdict", "stopped_by", "pairs"),
    [
        ("decided", "B", "above", 768),
        ("undecided", "undecided", "pairs", 700),
        ("one pair", "undecided", "pairs", 1),
        ("mirror", "equal", "below", 256),
        ("same play, two names", "equal", "below", 256),
        ("all wins", "A", "above", 256),
        ("endpoints disagree", "A", "above", 256),
        ("no worse", "A", "above", 512),
    ],
)
def test_verdict_and_what_stopped_it(
    case: str, verdict: str, stopped_by: str, pairs: int, hollywood: Hollywood
) -> None:
    told = compared(hollywood, *CASES[case])
    assert (told["verdict"], told["stopped_by"], told["pairs"]) == (verdict, stopped_by, pairs)


def test_json_is_the_same_with_any_number_of_threads(hollywood: Hollywood) -> None:
    found = [answer(compared(hollywood, *SOON, "--threads", threads, out=threads)) for threads in ("1", "2", "5")]
    assert found[0] == found[1] == found[2]


def test_numbers_are_those_of_simulate_with_as_many_pairs(hollywood: Hollywood) -> None:
    told = compared(hollywood, *SOON)
    plain = hollywood("simulate", *SOON, "--pairs", str(told["pairs"]), "--out", "plain", "--json").json()
    assert told["pairings"] == plain["pairings"]
    assert (told["deals"], told["pairs"]) == (plain["deals"], plain["pairs"])


# --- text


@every_case
def test_lines_stay_within_80_columns(case: tuple[str, ...], hollywood: Hollywood) -> None:
    lines = text(hollywood, *case)
    assert [line for line in lines if len(line) > 80 and not line.startswith(("  saved", "  next"))] == []
    assert lines[-2:] == ["  saved  run", "  next   hollywood report run"]


@pytest.mark.parametrize(
    ("case", "begins"),
    [
        ("decided", "simple is better than greedy: it wins 54.5% ±2.2 of matches when stopped, 54.4% after"),
        ("undecided", r"undecided: greedy wins \d+\.\d% ±\d\.\d of matches after 700 pairs\. The two may differ by up"),
        ("one pair", "undecided: greedy wins .* after 1 pair. .* points; so few pairs show hardly any difference"),
        ("mirror", r"simple against itself: exactly 50% of matches, as it must be\.$"),
        ("same play, two names", "threshold:knock_at=10 and simple are as good as each other, to within 1 point: "),
        ("all wins", "greedy is better than random: it wins 100.0% ±0.8 of matches when stopped, 100.0% after"),
        ("no worse", "simple is better than greedy"),
        ("partners", "greedy/simple is better than threshold:knock_at=5/gin-only: it wins"),
    ],
)
def test_verdict_is_the_first_sentence(case: str, begins: str, hollywood: Hollywood) -> None:
    lines = text(hollywood, *CASES[case])
    end = next(place for place, line in enumerate(lines) if line.startswith("  "))
    assert re.match(begins, " ".join(lines[:end]))


def test_test_of_no_worse_claims_no_more_than_it_found(hollywood: Hollywood) -> None:
    players = ("threshold:knock_at=9", "threshold:knock_at=8", "--set", "undercut_bonus=25", "--seed", "7")
    (first, *_) = text(hollywood, *players, "--test", "nonreg")
    assert first.startswith("threshold:knock_at=9 is no worse than threshold:knock_at=8, to within 1 point")
    assert compared(hollywood, *players, "--test", "nonreg", out="again")["verdict"] == "equal"


@pytest.mark.parametrize("turned", [False, True])
def test_endpoints_that_disagree_are_named_in_the_first_three_lines(turned: bool, hollywood: Hollywood) -> None:
    a, b, *options = CASES["endpoints disagree"]
    players = (b, a) if turned else (a, b)
    lines = text(hollywood, *players, *options)
    assert "  Endpoints disagree: gin-only wins more matches, but fewer deals (38.8%)." in lines[:3]
    by_name = {e["endpoint"]: e["favours"] for e in compared(hollywood, *players, *options, out="j")["endpoints"]}
    assert (by_name["matches"], by_name["deals won"]) == (("B", "A") if turned else ("A", "B"))
    assert not [line for line in text(hollywood, *SOON, out="other") if "disagree" in line]


@every_case
def test_block_to_paste_tells_what_json_tells(case: tuple[str, ...], hollywood: Hollywood) -> None:
    told = compared(hollywood, *case, out="j")
    block = " ".join(" ".join(text(hollywood, *case)).split())
    adjusted = told["adjusted"]
    low, high = adjusted["interval"]
    for words in (
        f"Matches {100 * told['match_win_rate']:.1f}% ±",
        f"raw, {100 * adjusted['match_win_rate']:.1f}% [{100 * low:.1f}, {100 * high:.1f}] adjusted (95%)",
        f"Pairs {told['pairs']:,} scores 0 1/4 1/2 3/4 1: {told['pair_scores']}",
        f"seed {told['seed']}",
        f"rho {told['rho']:.2f}",
        f"{told['deals']:,} deals",
    ):
        assert words in block
    if told["stopped_by"] != "pairs":
        assert f"stopped {told['stopped_by']} " in block
        assert f"look {told['looks']} " in block


def test_player_against_itself_is_not_told_to_have_gained_by_pairing(hollywood: Hollywood) -> None:
    (legs,) = [line for line in text(hollywood, *CASES["mirror"]) if line.startswith("  Legs")]
    assert legs == "  Legs     rho -1.00, no luck left: each pair cancels it all"


# --- what is refused


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("greedy",), ("2",)),
        (("greedy", "simple", "random"), ("random",)),
        (("greedy", "simpel"), ('Did you mean "simple"?',)),
        (("greedy", "./nowhere.py"), ("./nowhere.py",)),
        (("greedy/simple", "greedy"), ("--rules partnership",)),
        ((*SOON, "--pairs", "0"), ("1<=x<=",)),
        ((*SOON, "--threads", "0"), ("1<=x<=",)),
        ((*SOON, "--test", "win"), ("gain", "strict", "nonreg", "equiv")),
        ((*SOON, "--set", "frob=1"), ("frob", "undercut_bonus")),
        ((*SOON, "--out", " "), ("--out",)),
        ((*SOON, "--rules", "three-handed"), ("between two sides", "hollywood simulate A B C")),
    ],
    ids=lambda value: " ".join(value),
)
def test_what_cannot_be_compared_is_refused_and_nothing_is_made(
    arguments: tuple[str, ...], named: tuple[str, ...], hollywood: Hollywood, tmp_path: Path
) -> None:
    refused(hollywood("compare", *arguments), *named)
    assert list(tmp_path.iterdir()) == []


def test_three_handed_play_is_refused_in_one_line(hollywood: Hollywood) -> None:
    said = hollywood("compare", "greedy", "simple", "--rules", "three-handed")
    assert len(said.err.splitlines()) == 1


def test_folder_that_is_in_use_is_refused_and_left_alone(hollywood: Hollywood, tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "mine.txt").write_text("mine", encoding="utf-8")
    refused(hollywood("compare", *SOON, "--out", "run"), '"run" is there already')
    assert [path.name for path in (tmp_path / "run").iterdir()] == ["mine.txt"]
