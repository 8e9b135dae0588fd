"""Layoffs and points of a deal, sentence by sentence, on the compiled kernels; each test names its source."""

from __future__ import annotations

from typing import Any

import pytest

from sim.presets import preset_rules
from sim.rows import Ending
from sim.rules import Rules
from tests.golden.hands import A_FIRST, KNOCKERS_KNOCK, A, B, knock
from tests.support.scripted_players import deck
from tests.support.stacked_deals import KNOCKS, NEVER_KNOCKS, SEEN, Played, Script, play_deals

RUNS_AND_SET = "4C 5C 6C 7D 8D 9D JC JH JS AH"  # one point; open to 3C, 7C, 6D, TD, JD and beyond
TIE_TO_KNOCKER = A_FIRST.with_options({"tie": "knocker"})
TEN_EACH = knock(A, 10, 10)


def played(own: int, other: int, options: dict[str, object] | None = None, seat: int = A) -> Played:
    """Play one deal in which a seat knocks with its deadwood against the other's."""
    return play_deals([knock(seat, own, other)], [KNOCKERS_KNOCK] * 2, A_FIRST.with_options(options or {}))


def result(row: Any) -> tuple[Ending, int, int, int]:
    """Return ending, scorer, knocker and points of a DEAL_ROW."""
    return Ending(row["ending"]), int(row["scorer"]), int(row["knocker"]), int(row["points"])


# --- layoffs


@pytest.mark.parametrize(
    ("held", "left"),
    [
        ("JD", "2S 4S 8H TH KD QC 3D AC 5H"),  # a fourth card on a set
        ("7C", "2S 4S 8H TH KD QC 3D AC 5H"),  # a card on a run
        ("3C 2C AC", "2S 4S 8H TH KD QC 5D"),  # further cards, one after the other
        ("3C 7C 6D TD JD", "2S 4S 8H QH KC"),  # both ends of both runs
        ("6D 5D 4D", "2S 4S 8H QH KC AS 9H"),  # a chain that is a run of his own as well
        ("", "2C 8C 5D 2S 4S 8H TH KD QC AS"),  # 2C and 5D wait for 3C and 6D, which he has not
    ],
    ids=["set", "run", "chain", "both ends", "own run", "no link"],
)
def test_the_defender_lays_off_on_a_knock(held: str, left: str) -> None:
    """Source 000: a fourth card to a set, further consecutive cards to a run; 003: reducing his own deadwood."""
    stream = deck(RUNS_AND_SET, f"{held} {left}", "9C", "KS")
    row = play_deals([stream], [KNOCKS, NEVER_KNOCKS], A_FIRST).deals[0]
    value = {"A": 1, "T": 10, "J": 10, "Q": 10, "K": 10}
    points = sum(value.get(card[0]) or int(card[0]) for card in left.split())
    assert row["defender_deadwood_after"] == points
    assert result(row) == (Ending.KNOCK, A, A, points - 1)


def test_the_defender_breaks_his_own_meld_where_that_pays() -> None:
    """Source: the joint optimum (design page, the deal, 7)."""
    stream = deck(RUNS_AND_SET, "7C 8C 9C TC 9H 9S QD KC 2H 4S", "8S", "KS")
    row = play_deals([stream], [KNOCKS, NEVER_KNOCKS], A_FIRST).deals[0]
    # Alone he keeps the run of clubs and two nines. Now he keeps three nines, lays off 7C 8C and is left with TC.
    assert row["defender_deadwood_before"] == 9 + 9 + 10 + 10 + 2 + 4
    assert row["defender_deadwood_after"] == 10 + 10 + 10 + 2 + 4


def test_a_card_extends_a_meld_only_as_it_lies_after_earlier_layoffs() -> None:
    """Source 000; case FL-22: 8C fits no run of spades; 5S is no "further consecutive" card before 4S lies there."""
    left = {}
    for held in ("8C KD 5S", "KD 4S 5S", "8C KD QC"):
        foe = f"{held} 6H 6D 8H QD TC 2H 4D"
        stream = deck("AS 2S 3S 7D 8D 9D JC JH JS AH", foe, "9C", "KH")
        row = play_deals([stream], [KNOCKS, NEVER_KNOCKS], A_FIRST).deals[0]
        left[held] = int(row["defender_deadwood_before"] - row["defender_deadwood_after"])
    assert left == {"8C KD 5S": 6, "KD 4S 5S": 6 + 4 + 5, "8C KD QC": 6}  # 6D goes on 7-8-9 each time


@pytest.mark.parametrize("options", [{}, {"big_gin": 31}], ids=["gin", "big gin"])
def test_nothing_is_laid_off_on_gin_or_big_gin(options: dict[str, object]) -> None:
    """Source 000, 003: "but not after Gin"."""
    stream = deck("4C 5C 6C 7D 8D 9D TD JC JH JS", "7C 8C 6D 5D 3C 2S 2H KD QH 8H", "9C", "JD" if options else "KS")
    row = play_deals([stream], [KNOCKS, NEVER_KNOCKS], A_FIRST.with_options(options)).deals[0]
    assert row["ending"] == (Ending.BIG_GIN if options else Ending.GIN)
    assert row["defender_deadwood_before"] == row["defender_deadwood_after"] == 7 + 8 + 6 + 5 + 3 + 2 + 2 + 10 + 10 + 8


@pytest.mark.parametrize(
    ("thrown", "upcard", "laid_off"),
    [("6D", "KS", 0), ("6C", "KS", 2), ("6C", "2C", 0)],
    ids=["what lies in the pile is no danger", "he does not peek", "what the defender took is"],
)
def test_the_knocker_spreads_by_what_he_can_see(thrown: str, upcard: str, laid_off: int) -> None:
    """Source: design page, the deal, 8. He may lay 3-5 of clubs or of diamonds; the defender holds 2C."""
    foe = "8S JC QC KD 9D 3H 6S 7D TH " + ("KS" if upcard == "2C" else "2C")
    stream = deck("3C 4C 5C 3D 4D 5D 5H 5S AH 2H", foe, upcard, thrown)
    row = play_deals([stream], [Script(throws=thrown), Script("2C", "KS", "")], A_FIRST).deals[0]
    assert result(row)[:3] == (Ending.KNOCK, A, A)
    assert row["defender_deadwood_before"] - row["defender_deadwood_after"] == laid_off


def test_nobody_sees_hidden_cards() -> None:
    """Case FL-16: nothing in a view depends on cards the player has not seen, up to the knock and its spread."""
    stream = deck("AC 2C 3C 4D 5D 6D 7H 8H 9H TS", "2S 4C 7D 9S JC QC KD 3H 5S 8D")
    hidden, visible = stream.copy(), stream.copy()
    hidden[10:12], hidden[50:52] = stream[50:52], stream[10:12]  # two of the defender's with two never drawn
    visible[20], visible[51] = stream[51], stream[20]  # the upcard
    seen = []
    for cards in (stream, hidden, visible):
        done = play_deals([cards], [Script(knock_at=2), NEVER_KNOCKS], A_FIRST)
        assert done.deals[0]["ending"] == Ending.KNOCK
        seen.append(int(done.desk.views[A].memory[SEEN]))  # a checksum of every view he was shown
    assert seen[0] == seen[1] != seen[2]


# --- points


@pytest.mark.parametrize(("own", "other"), [(1, 2), (8, 20), (10, 11), (10, 69)])
@pytest.mark.parametrize("seat", [A, B])
def test_the_knocker_scores_the_difference(own: int, other: int, seat: int) -> None:
    """Sources 000, 003."""
    assert result(played(own, other, seat=seat).deals[0]) == (Ending.KNOCK, seat, seat, other - own)


@pytest.mark.parametrize(("own", "other"), [(1, 0), (8, 7), (9, 4), (10, 0), (5, 5), (10, 10)])
@pytest.mark.parametrize("bonus", [10, 25], ids=["10: 000, 002, 004", "25: 003"])
def test_an_undercut_scores_the_difference_and_the_bonus(own: int, other: int, bonus: int) -> None:
    """Sources 000, 003: when the defender's count is lower or equal, he scores although he did not knock."""
    row = played(own, other, {"undercut_bonus": bonus}).deals[0]
    assert result(row) == (Ending.UNDERCUT, B, A, own - other + bonus)


def test_an_undercut_is_judged_after_the_layoffs() -> None:
    """Source 003: "if the opponent's deadwood, after laying off, is equal to or lower"."""
    stream = deck("4C 5C 6C 7D 8D 9D JC JH JS TC", "JD TD 7C 2S 2H 2D KC KD KH 9S", "9C", "KS")
    row = play_deals([stream], [KNOCKS, NEVER_KNOCKS], A_FIRST).deals[0]
    assert (row["defender_deadwood_before"], row["defender_deadwood_after"]) == (36, 9)
    assert result(row) == (Ending.UNDERCUT, B, A, 1 + 10)


@pytest.mark.parametrize("bonus", [25, 20], ids=["25: 000, 002, 003, 004", "20: 000"])
@pytest.mark.parametrize("other", [0, 4, 70])
def test_gin_scores_the_defenders_deadwood_and_the_bonus(other: int, bonus: int) -> None:
    """Source 000: the defender cannot score, even with no deadwood of his own: gin is not undercut."""
    row = played(0, other, {"gin_bonus": bonus}).deals[0]
    assert result(row) == (Ending.GIN, A, A, other + bonus)


def test_on_a_tie_the_knocker_scores_nothing_where_the_rules_give_him_the_tie() -> None:
    """Sources 000 (an undercut), old official rules (his, for 0 points)."""
    (undercut,), (kept,) = (play_deals([TEN_EACH], [KNOCKERS_KNOCK] * 2, r).deals for r in (A_FIRST, TIE_TO_KNOCKER))
    assert result(undercut) == (Ending.UNDERCUT, B, A, 10)
    assert result(kept) == (Ending.KNOCK, A, A, 0)
    lower = play_deals([knock(A, 10, 9)], [KNOCKERS_KNOCK] * 2, TIE_TO_KNOCKER).deals[0]
    assert result(lower) == (Ending.UNDERCUT, B, A, 11)


@pytest.mark.parametrize(
    ("counts", "entered", "totals"),
    [("yes", [[1], [1, 2]], [20, 20, 0]), ("no", [[], [1]], [20, 0, 0])],
)
def test_a_win_worth_nothing_counts_as_a_win_or_not(counts: str, entered: list[list[int]], totals: list[int]) -> None:
    """Source: old official rules. Either way it has a scorer, who deals next."""
    rules = TIE_TO_KNOCKER.with_options({"count_zero_wins": counts})
    done = play_deals([TEN_EACH, knock(A, 1, 21)], [KNOCKERS_KNOCK] * 2, rules)
    assert (done.entered(), done.totals(A)) == (entered, totals)
    assert done.boxes(A) == [len(entered[0]) + 1, counts == "yes", 0]
    assert done.deals["dealer"].tolist() == [B, A]
    assert done.matches[0]["deals_won"][A] == 2


def test_points_win_and_box_go_to_who_scored_and_not_to_who_knocked() -> None:
    """Source 003: the undercut is a won hand of the defender, with its box; he deals next (000)."""
    done = play_deals([knock(A, 9, 4), knock(A, 9, 4), knock(A, 1, 3)], [KNOCKERS_KNOCK] * 2, A_FIRST)
    assert (done.totals(B), done.boxes(B)) == ([30, 15, 0], [2, 1, 0])
    assert (done.totals(A), done.boxes(A)) == ([2, 0, 0], [1, 0, 0])
    assert done.deals["dealer"].tolist() == [B, B, B]
    row = done.matches[0]
    assert (row["deals_won"][:2].tolist(), row["deal_points"][:2].tolist()) == ([1, 2], [2, 30])
    assert (row["knocks"][:2].tolist(), row["undercuts"][:2].tolist()) == ([3, 0], [0, 2])


@pytest.mark.parametrize(
    ("preset", "gin", "undercut"),
    [("hollywood", 55, 15), ("hollywood-003", 55, 30), ("chicago", 50, 15), ("manhattan", 55, 30), ("eaai", 55, 30)],
)
def test_bonuses_of_the_presets(preset: str, gin: int, undercut: int) -> None:
    """Gin on 30, and 9 against 4 (000: 25 and 10; 003: 25 and 25; 20 for gin noted by 000)."""
    rules: Rules = preset_rules(preset, {"first_dealer": "b"})
    rows = play_deals([knock(A, 0, 30), knock(A, 9, 4)], [KNOCKERS_KNOCK] * 2, rules).deals
    assert rows["points"].tolist() == [gin, undercut]
