"""The JSON of solve, layoff and score: exactly the fields that scripts rely on, with the checked cases' answers."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Hollywood
from tests.support.shared_cases import Case, cases, hands10, hands11, layoffs, sheet_options

SOLVE = {"hand", "cards", "deadwood", "spreads"}
SOLVE_ELEVEN = SOLVE | {"deadwood_after_discard", "best_discards", "knock_discards", "gin_discards", "big_gin"}
LAYOFF = {
    *("knocker_deadwood", "gin", "spread", "defender_before", "defender_after"),
    *("layoffs", "ending", "scorer", "points"),
}
SCORE = {"totals", "entered", "closed_by", "boxes", "settlement", "match_winner", "names"}
BIG_GIN = "AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS"


def named(found: list[Case]) -> pytest.MarkDecorator:
    """Run a test once for each of these cases, under the case's own id."""
    return pytest.mark.parametrize("case", found, ids=lambda case: case.id)


# --- solve


def test_solve_tells_ten_cards(hollywood: Hollywood) -> None:
    assert hollywood("solve", "kd 10d 3s, 2s As 5c 5d 5h 9h 2c", "--json").json() == {
        "hand": "2C 5C 5D TD KD 5H 9H AS 2S 3S",
        "cards": 10,
        "deadwood": 31,
        "spreads": [["5C 5D 5H", "AS 2S 3S"]],
    }


def test_solve_tells_a_hand_without_melds(hollywood: Hollywood) -> None:
    assert hollywood("solve", "KD", "--json").json() == {"hand": "KD", "cards": 1, "deadwood": 10, "spreads": [[]]}


def test_solve_tells_eleven_cards(hollywood: Hollywood) -> None:
    assert hollywood("solve", "3C 5C 2D 6D 4H 5H 6H 3S 4S 5S 6S", "--json").json() == {
        "hand": "3C 5C 2D 6D 4H 5H 6H 3S 4S 5S 6S",
        "cards": 11,
        "deadwood": 16,
        "spreads": [["3S 4S 5S 6S", "4H 5H 6H"], ["5C 5H 5S", "6D 6H 6S"]],
        "deadwood_after_discard": 10,
        "best_discards": ["6D"],
        "knock_discards": ["6D"],
        "gin_discards": [],
        "big_gin": False,
    }


def test_solve_heeds_the_barred_card_and_the_knock_limit(hollywood: Hollywood) -> None:
    free = hollywood("solve", BIG_GIN, "--json").json()
    barred = hollywood("solve", BIG_GIN, "--barred", "as", "--knock-limit", "1", "--json").json()
    assert free["big_gin"] is barred["big_gin"] is True
    assert free["gin_discards"] == free["best_discards"] == ["AS", "4S", "5S", "6S", "7S", "8S", "JS"]
    assert free["knock_discards"] == ["AS", "2S", "3S", "4S", "5S", "6S", "7S", "8S", "TS", "JS"]
    assert barred["gin_discards"] == ["4S", "5S", "6S", "7S", "8S", "JS"]
    assert barred["knock_discards"] == ["2S", "4S", "5S", "6S", "7S", "8S", "JS"]


def test_solve_has_the_fields_of_its_number_of_cards(hollywood: Hollywood) -> None:
    hands = [" ".join(BIG_GIN.split()[:cards]) for cards in range(1, 12)]
    told = hollywood("solve", "-", "--json", stdin="\n".join(hands)).json_lines()
    assert [set(solved) for solved in told] == [SOLVE] * 10 + [SOLVE_ELEVEN]
    assert [solved["cards"] for solved in told] == list(range(1, 12))


def test_solve_reads_all_shared_hands_of_ten(hollywood: Hollywood) -> None:
    hands = hands10()
    told = hollywood("solve", "-", "--json", stdin="\n".join(hand.hand for hand in hands)).json_lines()
    assert [solved["deadwood"] for solved in told] == [hand.deadwood for hand in hands]
    assert [len(solved["spreads"]) for solved in told] == [hand.n_optimal_spreads for hand in hands]


def test_solve_reads_all_shared_hands_of_eleven(hollywood: Hollywood) -> None:
    hands = hands11()
    told = hollywood("solve", "-", "--json", stdin="\n".join(hand.hand for hand in hands)).json_lines()
    for solved, hand in zip(told, hands, strict=True):
        assert (solved["deadwood"], solved["deadwood_after_discard"]) == (hand.deadwood_11, hand.best_after_discard)
        assert sorted(solved["best_discards"]) == sorted(hand.best_discards)


@named([*cases("deadwood"), *cases("discard")])
def test_solve_gives_the_answers_of_the_checked_cases(case: Case, hollywood: Hollywood) -> None:
    told = hollywood("solve", case.input["hand"], "--json").json()
    expected = {**case.expected, "deadwood_after_discard": case.expected.get("best_after_discard")}
    for field in told.keys() & expected.keys():
        if field.endswith("discards"):
            told[field], expected[field] = sorted(told[field]), sorted(expected[field])
        assert told[field] == expected[field], field


# --- layoff


def test_layoff_tells_an_undercut(hollywood: Hollywood) -> None:
    hands = "5S 6S 7S KS 9C TC JC KC JD KD", "AC 2S 2C 2D 2H 7C 8S 8C 8D 9S"
    assert hollywood("layoff", *hands, "--rules", "eaai", "--json").json() == {
        "knocker_deadwood": 10,
        "gin": False,
        "spread": ["5S 6S 7S", "9C TC JC", "KC KD KS"],
        "defender_before": 17,
        "defender_after": 9,
        "layoffs": ["8C on 9C TC JC", "7C on 9C TC JC", "8S on 5S 6S 7S", "9S on 5S 6S 7S"],
        "ending": "undercut",
        "scorer": "defender",
        "points": 26,
    }
    assert hollywood("layoff", *hands, "--json").json()["points"] == 11
    assert hollywood("layoff", *hands, "--set", "undercut_bonus=0", "--json").json()["points"] == 1


def test_layoff_tells_gin_and_an_equal_count(hollywood: Hollywood) -> None:
    gin, foe = "2C 2S 2H 5C 6C 7C TH JH QH KH", "AC 2D 3D 4C 8C 9H JS QS KS KD"
    told = hollywood("layoff", gin, foe, "--set", "gin_bonus=20", "--json").json()
    assert set(told) == LAYOFF
    assert (told["gin"], told["ending"], told["scorer"], told["points"]) == (True, "gin", "knocker", 57)
    assert (told["defender_before"], told["defender_after"], told["layoffs"]) == (37, 37, [])
    equal = "AS 2S 3S 4S 5S 6S 7S 8S 9S KD", "AC 2C 3C 4D 5D 6D 9H TH JH QS"
    endings = [hollywood("layoff", *equal, "--set", f"tie={tie}", "--json").json() for tie in ("undercut", "knocker")]
    assert [(t["ending"], t["scorer"], t["points"]) for t in endings] == [
        ("undercut", "defender", 10),
        ("knock", "knocker", 0),
    ]


def test_layoff_reads_all_shared_knocks(hollywood: Hollywood) -> None:
    knocks = layoffs()
    lines = "\n".join(f"{knock.knocker};{knock.defender}" for knock in knocks)
    told = hollywood("layoff", "-", "--json", "--rules", "eaai", stdin=lines).json_lines()
    for found, knock in zip(told, knocks, strict=True):
        assert set(found) == LAYOFF
        assert (found["knocker_deadwood"], found["defender_before"]) == (knock.knocker_deadwood, knock.defender_raw)
        assert knock.final_defender_best <= found["defender_after"] <= knock.final_knocker_best
        if knock.n_spreads == 1:
            assert (found["ending"], found["scorer"], found["points"]) == (knock.result, knock.winner, knock.points)


@named(cases("layoff"))
def test_layoff_gives_an_answer_of_the_checked_cases(case: Case, hollywood: Hollywood) -> None:
    told = hollywood("layoff", case.input["knocker"], case.input["defender"], "--rules", "eaai", "--json").json()
    answers = {tuple(a["melds"]): (a["defender_final"], a["layoffs"]) for a in case.expected["arrangements"]}
    left, laid_off = answers[tuple(told["spread"])]
    assert told["defender_after"] == left
    assert sorted(told["layoffs"]) == sorted(laid_off)
    assert told["gin"] is case.expected["gin"]


# --- score


def test_score_tells_the_known_sheets(hollywood: Hollywood) -> None:
    bob = hollywood(
        "score", "-", "--json", stdin="Bob 10\nAlexandra undercut 18\n# a break\nBob gin 30\nBob 4\n"
    ).json()
    assert bob == {
        "totals": {"A": [44, 34, 4], "B": [18, 0, 0]},
        "entered": [[1], [1], [1, 2], [1, 2, 3]],
        "closed_by": [None, None, None],
        "boxes": {"A": [3, 2, 1], "B": [1, 0, 0]},
        "settlement": [None, None, None],
        "match_winner": None,
        "names": {"A": "Bob", "B": "Alexandra"},
    }
    sean = hollywood("score", "-", "--json", stdin="Sean 10\nSean 4\nvoid\nSean 12\nClint 29\n").json()
    assert sean["totals"] == {"A": [26, 16, 12], "B": [29, 0, 0]}
    assert sean["entered"] == [[1], [1, 2], [], [1, 2, 3], [1]]


def test_score_settles_a_finished_match_and_rejects_what_follows(hollywood: Hollywood) -> None:
    said = hollywood("score", "-", "--json", stdin="A 100\nB 100\nA 100\nB 5\nA 5\n")
    told = said.json()
    assert told["entered"] == [[1], [2], [3], "rejected", "rejected"]
    assert (told["closed_by"], told["match_winner"]) == (["A", "B", "A"], "A")
    assert told["settlement"] == [{"winner": side, "net": 100, "shutout": True} for side in "ABA"]
    assert said.err.startswith("warning: ")
    assert "4, 5" in said.err


@pytest.mark.parametrize(
    ("lines", "names"),
    [
        ("", {"A": "A", "B": "B"}),
        ("B 5\nA 7\n", {"A": "A", "B": "B"}),
        ("B 5\n", {"A": "A", "B": "B"}),
        ("Bob 5\nAnn 7\n", {"A": "Bob", "B": "Ann"}),
        ("Bob 5\n", {"A": "Bob", "B": "B"}),
    ],
)
def test_score_names_side_a_after_who_is_named_first(lines: str, names: dict[str, str], hollywood: Hollywood) -> None:
    assert hollywood("score", "-", "--json", stdin=lines).json()["names"] == names


def test_score_can_end_in_a_tie(hollywood: Hollywood) -> None:
    rules = ("--set", "match_winner=first_column")
    told = hollywood("score", "-", "--json", *rules, stdin="B 60\nB 20\nA 100\n").json()
    assert told["match_winner"] == "tie"
    assert hollywood("score", "-", "--json", "--rules", "eaai", stdin="A 100\n").json()["totals"] == {
        "A": [100],
        "B": [0],
    }


@named(cases("hollywood_score"))
def test_score_gives_the_sheets_of_the_checked_cases(case: Case, hollywood: Hollywood) -> None:
    told = hollywood("score", "-", "--json", *_rules_of(case), stdin="\n".join(case.input["events"])).json()
    assert set(told) == SCORE
    for field in case.expected.keys() & SCORE:
        assert told[field] == case.expected[field], field


def _rules_of(case: Case) -> list[str]:
    """Return the rules of a case as options of the command; where it settles nothing, bonuses do not matter."""
    return [text for name, value in sheet_options(case).items() for text in ("--set", f"{name}={value}")]
