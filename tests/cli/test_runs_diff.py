"""`hollywood runs diff`: two runs on the same cards compared pair by pair, as a user types it."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Hollywood
from tests.support.strategy_files import write_player
from tests.support.synthetic_run import Player, Setup, build_run

TOP = {"runs", "seed", "rules", "form", "options", "edited", "left_out", "pairings"}
PAIRING = {"sides", "swapped", "run_pairs", "pairs", "pairs_differ", "verdict", "endpoints", "most_decisive"}
ENDPOINT = {"means", "difference", "se", "interval", "interval_all", "pairs_differ", "variance_reduction"}
ENDPOINTS = ["match_score", "settled_points", "net_points", "net_deals"]
STRONG, WEAK, OTHER = Player("bot", skill=1.5), Player("bot", skill=-1.5), Player("simple")


def play(hollywood: Hollywood, out: str, *words: str, pairs: int = 40, seed: int = 7) -> dict[str, Any]:
    """Play a run into a folder and return what simulate says of it."""
    fixed = ("--pairs", str(pairs), "--seed", str(seed), "--out", out, "--json", "--quiet")
    told: dict[str, Any] = hollywood("simulate", *words, *fixed).json()
    return told


def dice(out: str, *players: Player, **more: Any) -> None:
    """Write a run of dice into a folder of the current one."""
    build_run(Path(out), Setup(players, pairs=200, **more))


def diff(hollywood: Hollywood, *words: str) -> dict[str, Any]:
    """Return the only pairing of the JSON of runs diff."""
    (pairing,) = hollywood("runs", "diff", *words, "--json").json()["pairings"]
    assert set(pairing) == PAIRING
    return dict(pairing)


def refused(hollywood: Hollywood, one: str, other: str) -> str:
    """Return the one line by which two runs are refused."""
    said = hollywood("runs", "diff", one, other)
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("error: ")
    assert said.err.count("\n") == 1
    return said.err


def flat(text: str) -> str:
    """Return text with all its words one space apart."""
    return " ".join(text.split())


def said_of(hollywood: Hollywood, *words: str) -> str:
    """Return the text of runs diff on one line."""
    said = hollywood("runs", "diff", *words)
    assert (said.code, said.err) == (0, "")
    return flat(said.out)


# --- real runs


def test_run_against_itself_differs_by_exactly_zero(hollywood: Hollywood) -> None:
    play(hollywood, "run", "greedy", "random")
    play(hollywood, "again", "greedy", "random")
    for other in ("run", "again"):
        pairing = diff(hollywood, "run", other)
        assert (pairing["verdict"], pairing["pairs_differ"], pairing["most_decisive"]) == ("same", 0, [])
        for endpoint in pairing["endpoints"].values():
            assert endpoint["difference"] == endpoint["se"] == 0
            assert endpoint["interval"] == endpoint["interval_all"] == [0, 0]
            assert endpoint["variance_reduction"] is None
    said = hollywood("runs", "diff", "run", "again")
    assert said.out.startswith("no pair differs: the two runs are the same play (40 pairs).\n")
    assert "note" not in said.out


@pytest.mark.parametrize("rules", ["hollywood", "hollywood-003", "partnership"])
def test_swapped_sides_are_the_same_play(rules: str, hollywood: Hollywood) -> None:
    players = ["greedy/random", "simple"] if rules == "partnership" else ["greedy", "random"]
    play(hollywood, "run", *players, "--rules", rules)
    play(hollywood, "swapped", *players[::-1], "--rules", rules)
    pairing = diff(hollywood, "run", "swapped")
    assert (pairing["swapped"], pairing["verdict"], pairing["pairs_differ"]) == (True, "same", 0)
    assert pairing["sides"] == [players, players[::-1]]
    assert "(sides swapped)" in hollywood("runs", "diff", "run", "swapped").out


def test_swapped_sides_where_the_rules_name_the_dealer_are_said_to_be_another_match(hollywood: Hollywood) -> None:
    for out, players in (("run", ["greedy", "simple"]), ("swapped", ["simple", "greedy"])):
        play(hollywood, out, *players, "--set", "first_dealer=a", pairs=10)
    assert diff(hollywood, "run", "swapped")["pairs_differ"] > 0
    assert "note   the rules name the side that deals first" in hollywood("runs", "diff", "run", "swapped").out


def test_changed_parameter_is_measured_on_the_same_cards(hollywood: Hollywood) -> None:
    rates = [play(hollywood, f"at{value}", f"threshold:knock_at={value}", "greedy", pairs=300) for value in (0, 9)]
    document = hollywood("runs", "diff", "at9", "at0", "--json").json()
    assert set(document) == TOP
    (pairing,) = document["pairings"]
    assert list(pairing["endpoints"]) == ENDPOINTS
    assert all(set(endpoint) == ENDPOINT for endpoint in pairing["endpoints"].values())
    score = pairing["endpoints"]["match_score"]
    assert score["means"] == [rates[1]["pairings"][0]["match_win_rate"], rates[0]["pairings"][0]["match_win_rate"]]
    assert score["difference"] == pytest.approx(score["means"][0] - score["means"][1])
    assert (pairing["verdict"], score["interval"][0] > 0) == ("better", True)
    assert score["variance_reduction"] > 0
    said = hollywood("runs", "diff", "at9", "at0")
    told = r"run 1's threshold:knock_at=9 does better than run 2's threshold:knock_at=0: \+\d+\.\d points ±\d+\.\d of"
    assert re.match(told, flat(said.out))
    assert "run 1: threshold:knock_at=9 v greedy\nrun 2: threshold:knock_at=0 v greedy\n" in said.out


@pytest.fixture
def edited(hollywood: Hollywood, tmp_path: Path) -> str:
    """Play runs "be fore" (three pairings) and "after" (one, sides swapped) of a file that was edited between them."""
    write_player(tmp_path, "my_bot", knock="return view.deadwood == 0")
    play(hollywood, "be fore", "./my_bot.py", "greedy", "simple")
    write_player(tmp_path, "my_bot", knock="return True")
    play(hollywood, "after", "greedy", "./my_bot.py")
    (name,) = hollywood("runs", "diff", "be fore", "after", "--json").json()["edited"]
    assert "my_bot" in name
    return str(name)


def test_edited_file_is_compared_with_what_it_was_and_said(edited: str, hollywood: Hollywood) -> None:
    pairing = diff(hollywood, "be fore", "after")
    assert (pairing["swapped"], pairing["verdict"]) == (True, "worse")
    assert pairing["pairs_differ"] > 0
    said = hollywood("runs", "diff", "be fore", "after")
    assert said.out.startswith(f"{edited} does worse in run 1: -")
    assert f"note   {edited} has the same name but another source in the two runs." in said.out
    assert f"left out, for only run 1 has it: {edited} v simple, greedy v simple." in flat(said.out)


def test_replay_commands_tell_the_pairs_as_they_were_counted(edited: str, hollywood: Hollywood) -> None:
    found = diff(hollywood, "be fore", "after", "--top", "2")["most_decisive"]
    assert len(found) == 2
    for pair in found:
        where = f"--pair {pair['pair']}"
        assert pair["replay"] == [
            f"hollywood replay 'be fore' {edited} greedy {where}",
            f"hollywood replay after {where}",
        ]
        for command, own, score in zip(pair["replay"], "AB", pair["match_score"], strict=True):
            replay = hollywood(*shlex.split(command)[1:], "--json").json()
            winners = [match["match_winner"] for match in replay["matches"]]
            assert sum({own: 1.0, "AB"["AB".index(own) - 1]: 0.0}.get(w, 0.5) for w in winners) / 2 == score


def test_replay_commands_on_screen_can_be_pasted(edited: str, hollywood: Hollywood) -> None:
    said = hollywood("runs", "diff", "be fore", "after", "--top", "3")
    commands = [c.strip() for c in said.out.replace("\\\n", " ").splitlines() if c.startswith("    hollywood replay")]
    told = [c for pair in diff(hollywood, "be fore", "after", "--top", "3")["most_decisive"] for c in pair["replay"]]
    assert [shlex.split(command) for command in commands] == [shlex.split(command) for command in told]


def test_player_who_is_not_repeatable_is_said(hollywood: Hollywood) -> None:
    dice("one", STRONG, OTHER)  # the synthetic source is the name, so these two have one source
    dice("two", WEAK, OTHER)
    told = "note bot v simple: the sources are the same, yet the play differs: a player is not repeatable."
    assert told in said_of(hollywood, "one", "two")


# --- runs of dice: what is said


def test_clear_difference_names_who_does_better(hollywood: Hollywood) -> None:
    dice("one", STRONG, OTHER)
    dice("two", WEAK, OTHER)
    assert re.match(
        r"bot does better in run 1: \+\d+\.\d points ±\d+\.\d of matches, on", said_of(hollywood, "one", "two")
    )
    assert re.match(r"bot does worse in run 1: -\d+\.\d points ±\d", said_of(hollywood, "two", "one"))


def test_unclear_difference_is_undecided_and_says_what_it_leaves_open(hollywood: Hollywood) -> None:
    dice("one", Player("bot", skill=0.003), OTHER)
    dice("two", Player("bot", skill=0.0), OTHER)
    score = diff(hollywood, "one", "two")["endpoints"]["match_score"]
    open_points = 100 * max(abs(limit) for limit in score["interval_all"])
    said = said_of(hollywood, "one", "two")
    pattern = (
        r"undecided: (\S+) points ±\S+ of matches for bot in run 1\. 200 pairs on .* leave up to (\S+) points open\."
    )
    told = re.match(pattern, said)
    assert told, said[:200]
    assert float(told[1]) == pytest.approx(100 * score["difference"], abs=0.051)
    assert 0 <= float(told[2]) - open_points <= 0.1


def test_endpoints_that_go_the_other_way_are_named_with_the_verdict(hollywood: Hollywood) -> None:
    dice("often", Player("bot", skill=0.8, gin=0.0, undercut=0.0), Player("simple", gin=1.0))
    dice("big", Player("bot", skill=-0.2, gin=1.0), Player("simple", gin=0.0, undercut=0.0))
    endpoints = diff(hollywood, "often", "big")["endpoints"]
    assert endpoints["match_score"]["difference"] < 0 < endpoints["net_deals"]["interval"][0]
    said = said_of(hollywood, "often", "big")
    assert "The other way round go, a match: net deals won +" in said.partition(" run 1 often")[0]


def test_several_pairings_are_summed_up_and_told_one_by_one(hollywood: Hollywood) -> None:
    third = Player("third", skill=0.2)
    dice("one", STRONG, OTHER, third)
    dice("two", WEAK, OTHER, third)
    said = hollywood("runs", "diff", "one", "two", "--top", "1").out
    summary = "Of 3 pairings on the same cards side A is in run 1: better in 2, the same in 1 (95% for all at once)."
    assert flat(said).startswith(summary)
    assert said.count("bot does better in run 1") == 2
    assert said.count("± 95% for all 3 pairings at once") == 2  # nothing to tell of the third
    assert "hollywood replay one bot third --pair" in said


def test_unequal_and_unfinished_runs_are_said(hollywood: Hollywood) -> None:
    dice("one", STRONG, OTHER, status="interrupted")
    dice("two", WEAK, OTHER)
    lines = Path("one/parts.jsonl").read_text().splitlines(keepends=True)
    Path("one/parts.jsonl").write_text("".join(lines[:3]) + lines[3][:20])
    said = hollywood("runs", "diff", "one", "two").out
    assert "note   run 1 is not complete (interrupted).\n" in said
    assert "  48 pairs in both runs (of 200 in run 2), 48 differ\n" in said


def test_single_pair_shows_what_is_not_known(hollywood: Hollywood) -> None:
    build_run(Path("one"), Setup((STRONG, OTHER), pairs=1))
    build_run(Path("two"), Setup((WEAK, OTHER), pairs=1))
    said = hollywood("runs", "diff", "one", "two").out
    assert said.startswith("undecided: ")
    assert "±?" in said
    assert diff(hollywood, "one", "two")["endpoints"]["net_points"]["interval"] == [None, None]


def test_every_line_fits_the_terminal(hollywood: Hollywood) -> None:
    long = [f"{letter}-player-with-a-long-name:and={1 / 3}" for letter in "abc"]
    for out, skill in (
        ("runs/20261130T031611-one-with-a-very-long-name-that-goes-on-and-on-ebb411", 900.0),
        ("b", -900.0),
    ):
        dice(out, *(Player(name, skill=skill * place) for place, name in enumerate(long)))
    said = hollywood("runs", "diff", "20261130", "b")
    assert (said.code, said.err) == (0, "")
    paths = [line for line in said.out.splitlines() if "very-long-name" in line]
    assert paths
    assert all(len(line) <= 80 for line in said.out.splitlines() if line not in paths)


def test_top_says_how_many_pairs_are_shown(hollywood: Hollywood) -> None:
    dice("one", STRONG, OTHER)
    dice("two", WEAK, OTHER)
    for top in (0, 1, 7):
        assert hollywood("runs", "diff", "one", "two", "--top", str(top)).out.count("  pair ") == top
    assert hollywood("runs", "diff", "one", "two").out.count("  pair ") == 5
    assert hollywood("runs", "diff", "one", "two", "--top", "-1").code == 2


# --- what is refused


def test_other_seed_is_refused(hollywood: Hollywood) -> None:
    dice("one", STRONG, OTHER)
    dice("two", STRONG, OTHER, seed=8)
    assert refused(hollywood, "one", "two") == "error: the seeds differ: 7 in one, 8 in two\n"


def test_other_rules_are_refused(hollywood: Hollywood) -> None:
    dice("one", STRONG, OTHER)
    dice("two", STRONG, OTHER, options={"undercut_bonus": 25})
    assert refused(hollywood, "one", "two") == "error: the rules differ: undercut_bonus is 10 in one, 25 in two\n"


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("fingerprint", "ffff", "the engine fingerprints differ: 000000000000 in one, ffff in two"),
        ("schema_version", 1, "two/manifest.json: schema version 1 is older than this program reads (2)"),
    ],
)
def test_other_engine_or_schema_is_refused(key: str, value: object, told: str, hollywood: Hollywood) -> None:
    dice("one", STRONG, OTHER)
    dice("two", STRONG, OTHER)
    manifest = Path("two/manifest.json")
    manifest.write_text(json.dumps(json.loads(manifest.read_text()) | {key: value}))
    assert refused(hollywood, "one", "two") == f"error: {told}\n"


def test_three_handed_and_missing_runs_are_refused(hollywood: Hollywood) -> None:
    dice("trio", STRONG, OTHER, Player("third"), preset="three-handed")
    assert "are three-handed" in refused(hollywood, "trio", "trio")
    assert refused(hollywood, "trio", "nowhere") == "error: nowhere: no such run folder\n"
