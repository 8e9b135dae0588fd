"""The right answers that the doctor carries are those of the checked cases, and of this engine."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import pytest

from experiments.doctor.selftest import stored_answers
from sim.batch.fingerprint import engine_fingerprint
from tests.support.shared_cases import cases, hands10, hands11, layoffs, sheet_options

ANSWERS = stored_answers()


def rows(text: str) -> list[str]:
    """Return the stored rows of a table."""
    return [line for line in text.split("\n") if line]


def test_stored_fingerprint_is_that_of_this_engine() -> None:
    current = engine_fingerprint()
    assert ANSWERS["fingerprint"] == current, (
        f'deals now come out otherwise than before. If that is meant, write fingerprint = "{current}" in'
        " experiments/doctor/answers.toml and say in CHANGELOG.md what changed"
    )


def test_stored_hands_of_ten_are_checked_cases() -> None:
    stored = rows(ANSWERS["solver"]["ten_cards"])
    known = {f"{case.hand},{case.deadwood},{case.n_optimal_spreads}": case.conflict for case in hands10()}
    assert len(set(stored)) == len(stored) == 200
    assert set(stored) <= set(known)
    assert sum(known[row] for row in stored) >= 100


def test_stored_hands_of_eleven_are_checked_cases() -> None:
    stored = rows(ANSWERS["solver"]["eleven_cards"])
    known = {
        f"{case.hand},{case.deadwood_11},{case.best_after_discard},{' '.join(case.best_discards)}" for case in hands11()
    }
    assert len(set(stored)) == len(stored) == 150
    assert set(stored) <= known


def test_stored_knocks_are_checked_cases_that_do_not_hang_on_the_choice_of_spread() -> None:
    stored = rows(ANSWERS["layoff"]["knocks"])
    known = {
        f"{case.knocker},{case.defender},{case.defender_raw},{case.final_knocker_best},{case.result},{case.winner},"
        f"{case.points}": case
        for case in layoffs()
        if case.final_knocker_best == case.final_defender_best
    }
    assert len(set(stored)) == len(stored) == 60
    assert set(stored) <= set(known)
    assert {known[row].result for row in stored} == {"knock", "gin", "undercut"}
    assert sum(known[row].naive_wrong_method != known[row].final_knocker_best for row in stored) >= 20


@pytest.mark.parametrize("sheet", ANSWERS["sheet"], ids=lambda sheet: sheet["case"])
def test_stored_evenings_are_checked_cases(sheet: dict[str, object]) -> None:
    (case,) = (case for case in cases("hollywood_score") if case.id == sheet["case"])
    assert sheet["events"] == case.input["events"]
    assert sheet["options"] == sheet_options(case)
    assert sheet["settlement"] == case.expected["settlement"]


def melds(ranks: int) -> Iterator[int]:
    """Yield every meld of the lowest ranks, as a mask with bit suit * ranks + rank."""
    for rank in range(ranks):
        for size in (3, 4):
            for suits in combinations(range(4), size):
                yield sum(1 << suit * ranks + rank for suit in suits)
    for suit in range(4):
        for low, high in combinations(range(ranks + 1), 2):
            if high - low >= 3:
                yield sum(1 << suit * ranks + rank for rank in range(low, high))


def test_stored_count_of_gin_hands_is_that_of_all_unions_of_melds() -> None:
    known = ANSWERS["solver"]
    every = set(melds(known["gin_ranks"]))
    unions, grown = {0}, {0}
    while grown:
        grown = {hand | meld for hand in grown for meld in every if not hand & meld} - unions
        grown = {hand for hand in grown if hand.bit_count() <= 10}
        unions |= grown
    assert sum(hand.bit_count() == 10 for hand in unions) == known["gin_hands"]


def test_stored_trap_is_the_hand_of_the_readme() -> None:
    """Throwing 6D leaves 5C 3C 2D; the melds are 3S to 6S and 4H to 6H."""
    known = ANSWERS["solver"]
    left = set(known["trap"].split()) - {known["trap_throw"], "3S", "4S", "5S", "6S", "4H", "5H", "6H"}
    assert left == {"5C", "3C", "2D"}
    assert known["trap_deadwood"] == sum(int(card[0]) for card in left)
