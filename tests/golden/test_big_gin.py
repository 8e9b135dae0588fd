"""Big gin, an option of the deal, on the compiled kernels. Source: house rule (docs/rules.md, the deal, 5)."""

from __future__ import annotations

import pytest

from sim.rows import Ending
from sim.rules import Rules, RulesError
from tests.golden.hands import A_FIRST, KNOCKERS, A, defender, knock
from tests.support.scripted_players import deck
from tests.support.stacked_deals import NEVER_KNOCKS, Move, Script, play_deals

ELEVENTH = knock(A, 0, 30, drawn="5C")  # with 2-4 and ace of clubs in a gin hand
DECLARES = Script(knocks_with="AC")


def test_without_the_option_eleven_melded_cards_are_gin_after_a_discard() -> None:
    played = play_deals([ELEVENTH], [DECLARES, NEVER_KNOCKS], A_FIRST)
    row = played.deals[0]
    assert (row["ending"], row["points"]) == (Ending.GIN, 30 + 25)
    assert played.turns()[0].thrown in ("AC", "5C")


@pytest.mark.parametrize("bonus", [31, 50, 0])
def test_the_big_gin_bonus_is_the_whole_bonus_and_nothing_is_thrown(bonus: int) -> None:
    played = play_deals([ELEVENTH], [DECLARES, NEVER_KNOCKS], A_FIRST.with_options({"big_gin": bonus}))
    row = played.deals[0]
    assert (row["ending"], row["scorer"], row["knocker"]) == (Ending.BIG_GIN, A, A)
    assert row["points"] == 30 + bonus
    assert played.turns() == [Move(False, None, True)]
    assert int(played.desk.holdings[A].hand).bit_count() == 11
    assert (played.matches[0]["big_gins"][A], played.matches[0]["gins"][A]) == (1, 0)


def test_ten_melded_cards_and_a_loose_one_are_plain_gin() -> None:
    row = play_deals([knock(A, 0, 30)], [DECLARES, NEVER_KNOCKS], A_FIRST.with_options({"big_gin": 50})).deals[0]
    assert (row["ending"], row["points"]) == (Ending.GIN, 55)


def test_big_gin_with_the_upcard_just_taken_throws_nothing_back() -> None:
    stream = deck(KNOCKERS[0], defender(30), "5C")
    rules = A_FIRST.with_options({"big_gin": 31})
    played = play_deals([stream], [Script(takes="5C", knocks_with="AC"), NEVER_KNOCKS], rules)
    assert played.turns() == [Move(True, None, True)]
    assert played.deals[0]["ending"] == Ending.BIG_GIN


def test_big_gin_need_not_be_declared() -> None:
    rules = A_FIRST.with_options({"big_gin": 31})
    played = play_deals([ELEVENTH], [NEVER_KNOCKS] * 2, rules)
    assert played.turns()[0] == Move(False, "5C", False)
    assert played.deals[0]["ending"] == Ending.WALL


def test_big_gin_counts_in_straight_gin_too() -> None:
    """Source 003: one may only end a hand by going gin; eleven melded are no less."""
    rules = A_FIRST.with_options({"big_gin": 31, "knock_limit": 0})
    assert play_deals([ELEVENTH], [DECLARES, NEVER_KNOCKS], rules).deals[0]["points"] == 61


@pytest.mark.parametrize("value", ["on", -1, 10_001])
def test_a_bad_big_gin_bonus_is_refused(value: object) -> None:
    with pytest.raises(RulesError, match=f'"big_gin" cannot be "{value}": allowed is off or'):
        Rules().with_options({"big_gin": value})
