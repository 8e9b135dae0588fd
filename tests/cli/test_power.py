"""`hollywood power`: the answer in words, the table, the pilot, and that nothing is kept."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from analysis.power import TYPICAL_SD, size
from cli.texts.words import duration
from tests.cli.conftest import Hollywood
from tests.support.strategy_runs import files_in

PILOT = ("greedy", "simple", "--seed", "7", "--pilot", "300")


def test_first_words_are_the_answer(hollywood: Hollywood) -> None:
    said = hollywood("power")
    assert (said.code, said.err) == (0, "")
    assert " ".join(said.out.split("\n\n")[0].split()) == (
        "To see a difference of 1 point (51% of the matches against 50%) with 90% power takes 10,800 duplicate pairs."
    )
    assert "typical" in said.out


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--difference", "0.01", "--difference", "49", "--error", "0.001", "--power", "99.999"),
        PILOT,
        ("threshold:knock_at=9", "threshold:knock_at=8+score-shift", "--pilot", "100", "--set", "undercut_bonus=25"),
    ],
    ids=["alone", "extremes", "pilot", "long names"],
)
def test_text_keeps_within_80_columns_and_its_columns_are_aligned(
    arguments: tuple[str, ...], hollywood: Hollywood
) -> None:
    out = hollywood("power", *arguments).out
    assert max(map(len, out.splitlines())) <= 80
    _, *table = out.split("\n\n")[1].splitlines()
    assert len(table) >= 3
    assert len({len(line) for line in table}) == 1


def test_json_without_players_is_of_the_typical_spread(hollywood: Hollywood) -> None:
    told = hollywood(
        "power", "--difference", "2", "--difference", "1", "--error", "1", "--power", "80", "--json"
    ).json()
    assert (told["error"], told["power"]) == pytest.approx((0.01, 0.8))
    assert (told["sd"], told["sd_source"], told["pilot"]) == (TYPICAL_SD, "typical", None)
    assert [found["difference"] for found in told["sizes"]] == [0.01, 0.02]
    for found in told["sizes"]:
        expected = size(found["difference"], TYPICAL_SD, 0.01, 0.8)
        assert (found["pairs"], found["seconds"]) == (expected.fixed, None)
        assert found["compare"]["mean_pairs"] == {
            "equal": expected.equal,
            "half_way": expected.half_way,
            "different": expected.different,
        }
        assert found["compare"]["bounds"] == pytest.approx([0.5, 0.5 + found["difference"]])
        assert (found["compare"]["alpha"], found["compare"]["beta"]) == pytest.approx((0.005, 0.2))


def test_pilot_measures_spread_and_speed_and_keeps_nothing(hollywood: Hollywood, tmp_path: Path) -> None:
    told = hollywood("power", *PILOT, "--json").json()
    pilot = told["pilot"]
    assert (pilot["a"], pilot["b"], pilot["seed"], pilot["pairs"], told["sd_source"]) == (
        "greedy",
        "simple",
        7,
        300,
        "pilot",
    )
    assert pilot["pairs_per_second"] == pytest.approx(pilot["pairs"] / pilot["seconds"], rel=0.05)
    for found in told["sizes"]:
        assert found["seconds"] == pytest.approx(found["pairs"] / pilot["pairs_per_second"])
    assert files_in(tmp_path) == set()
    played = hollywood("simulate", "greedy", "simple", "--seed", "7", "--pairs", "300", "--out", "run", "--json").json()
    (pairing,) = played["pairings"]
    assert pilot["match_win_rate"] == pytest.approx(pairing["match_win_rate"])
    assert pilot["deals"] == played["deals"]
    scores = [score / 4 for score, count in enumerate(pairing["pair_scores"]) for _ in range(count)]
    spread = sum((score - pairing["match_win_rate"]) ** 2 for score in scores) / 299
    assert told["sd"] == pytest.approx(spread**0.5)


def test_same_seed_gives_the_same_spread(hollywood: Hollywood) -> None:
    first, second = (hollywood("power", *PILOT, "--json").json() for _ in range(2))
    assert (first["sd"], first["pilot"]["rho"]) == (second["sd"], second["pilot"]["rho"])
    drawn = [hollywood("power", "greedy", "simple", "--pilot", "100", "--json").json()["pilot"] for _ in range(2)]
    assert drawn[0]["seed"] != drawn[1]["seed"]


def test_rules_of_the_pilot_are_those_asked_for(hollywood: Hollywood) -> None:
    options = ("--rules", "eaai", "--set", "gin_bonus=20")
    said = hollywood("power", *PILOT, *options)
    assert "rules   eaai gin_bonus=20, seed 7" in said.out
    assert "--rules eaai --set gin_bonus=20" in " ".join(said.out.replace("\\", "").split())
    assert hollywood("power", "greedy", "simple/greedy", "--rules", "partnership", "--pilot", "100").code == 0


def test_next_command_can_be_pasted(hollywood: Hollywood) -> None:
    said = hollywood("power", *PILOT, "--difference", "90e-1")
    command = said.out.split("  next")[1].replace("\\\n", " ")
    words = shlex.split(command)
    assert words[:4] == ["hollywood", "compare", "greedy", "simple"]
    assert words[words.index("--bounds") + 1] == "50:59"
    told = hollywood(*words[1:], "--seed", "1", "--out", "run", "--json").json()
    assert told["verdict"] in ("A", "B", "equal", "undecided")
    assert (told["test"]["s0"], told["test"]["s1"], told["test"]["alpha"]) == pytest.approx((0.5, 0.59, 0.025))


def test_strategy_that_misbehaves_is_told_with_the_command_that_shows_it(hollywood: Hollywood, tmp_path: Path) -> None:
    from tests.support.strategy_files import write_player

    write_player(tmp_path, "cheat", discard="return 99")
    said = hollywood("power", "greedy", "./cheat.py", "--pilot", "100", "--seed", "1", "--quiet")
    assert (said.code, said.out) == (1, "")
    assert "illegal move" in said.err
    assert "see it: hollywood replay" in said.err


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("greedy",), "1 given"),
        (("greedy", "simple", "random"), "3 given"),
        (("greedy", "thresold"), 'Did you mean "threshold"?'),
        (("greedy", "greedy"), "greedy and greedy shared every one"),
        (("greedy", "random", "--pilot", "100"), "greedy won every one"),
        (("random", "greedy", "--pilot", "100"), "greedy won every one"),
        (("--difference", "0"), "0.01<=x<=49"),
        (("--difference", "50"), "0.01<=x<=49"),
        (("--difference", "nan"), "--difference"),
        (("--difference", "much"), "'much'"),
        (("--error", "0"), "0.001<=x<=50"),
        (("--error", "nan"), "--error"),
        (("--power", "50"), "50<x<=99.999"),
        (("--power", "100"), "50<x<=99.999"),
        (("--pilot", "99"), "--pilot"),
        (("--pilot", "200"), "name the two"),
        (("--seed", "1"), "name the two"),
        (("--rules", "eaai"), "name the two"),
        (("greedy", "simple", "--rules", "three-handed"), "two sides"),
        (("greedy", "simple", "--set", "columns=2"), '"columns"'),
    ],
)
def test_bad_input_is_named_in_one_error(
    arguments: tuple[str, ...], named: str, hollywood: Hollywood, tmp_path: Path
) -> None:
    said = hollywood("power", "--quiet", *arguments)
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("error: ")
    assert named in said.err
    assert "Traceback" not in said.err
    assert len(said.err.splitlines()) <= 2
    assert files_in(tmp_path) == set()


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (0.01, "<0.1 s"),
        (0.31, "0.3 s"),
        (9.96, "10 s"),
        (99, "99 s"),
        (100, "1.7 min"),
        (5_900, "98 min"),
        (6_000, "1.7 h"),
        (86_400, "24 h"),
        (200_000, "2 days"),
    ],
)
def test_times_are_told_as_one_would_say_them(seconds: float, told: str) -> None:
    assert duration(seconds) == told
