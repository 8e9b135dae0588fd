"""Oklahoma (source 003) on the compiled kernels: the first upcard sets the knock limit, a spade doubles the deal."""

from __future__ import annotations

import pytest

from sim.cards import RANKS
from sim.presets import preset_rules
from sim.rows import Ending
from sim.rules import Rules
from tests.golden.hands import A_FIRST, DEAD, KNOCKERS, KNOCKERS_KNOCK, A, B, knock
from tests.support.scripted_players import deck
from tests.support.stacked_deals import NEVER_KNOCKS, Script, play_deals

OKLAHOMA = preset_rules("hollywood-oklahoma", {"first_dealer": "b"})
LIMITS = [*enumerate("A23456789T", start=1), (10, "J"), (10, "Q"), (10, "K")]


def first_turn_knocks(own: int, upcard: str, rules: Rules) -> bool:
    """Tell whether a player with this deadwood, who knocks as soon as he may, does so in the first turn."""
    return play_deals([knock(A, own, 30, upcard)], [KNOCKERS_KNOCK, NEVER_KNOCKS], rules).turns()[0].knocked


@pytest.mark.parametrize(("limit", "rank"), LIMITS)
def test_the_first_upcard_sets_the_knock_limit(limit: int, rank: str) -> None:
    """Source 003; face cards ten, the ace one point."""
    assert len({rank for _, rank in LIMITS}) == len(RANKS)
    for own in range(11):
        upcard = next(rank + suit for suit in "HDS" if rank + suit not in KNOCKERS[own].split())
        assert first_turn_knocks(own, upcard, OKLAHOMA) is (own <= limit)
        assert first_turn_knocks(own, upcard, A_FIRST)  # ten in plain gin rummy, whatever lies there


def test_an_ace_upcard_asks_for_gin_where_the_rules_say_so() -> None:
    """Published both ways."""
    gin_only = OKLAHOMA.with_options({"upcard_ace": "gin"})
    assert [first_turn_knocks(own, "AD", gin_only) for own in (0, 1)] == [True, False]
    assert [first_turn_knocks(own, "2D", gin_only) for own in (2, 3)] == [True, False]
    assert first_turn_knocks(1, "AD", A_FIRST.with_options({"upcard_ace": "gin"}))


@pytest.mark.parametrize(("upcard", "may"), [("5H", False), ("6D", True)])
def test_the_limit_stays_though_the_upcard_changes(upcard: str, may: bool) -> None:
    """Source 003: "the knock limit for each hand". B has six points and plays after a king was thrown."""
    played = play_deals([deck("", KNOCKERS[6], upcard, "KD")], [NEVER_KNOCKS, KNOCKERS_KNOCK], OKLAHOMA)
    assert played.turns()[0].thrown == "KD"
    assert played.turns()[1].knocked is may


def test_each_deal_has_the_limit_of_its_own_upcard() -> None:
    """Source 003: "for each hand"."""
    streams = [knock(A, 1, 30, upcard) for upcard in ("2D", "AS", "3H", "JD")]
    rows = play_deals(streams, [KNOCKERS_KNOCK] * 2, OKLAHOMA).deals
    assert rows["knock_limit"].tolist() == [2, 1, 3, 10]
    assert rows["points"].tolist() == [29, 2 * 29, 29, 29]


@pytest.mark.parametrize(
    ("own", "other", "drawn", "ending", "points"),
    [
        (8, 20, "", Ending.KNOCK, 12),
        (0, 30, "", Ending.GIN, 30 + 25),
        (9, 4, "", Ending.UNDERCUT, 5 + 10),
        (0, 30, "5C", Ending.BIG_GIN, 30 + 31),
    ],
    ids=["knock", "gin", "undercut", "big gin"],
)
def test_a_spade_upcard_doubles_the_deal_bonuses_included(
    own: int, other: int, drawn: str, ending: Ending, points: int
) -> None:
    """Source 003: "a spade upcard doubles that hand's score". Only the first upcard counts, and only if asked for."""
    plain = A_FIRST.with_options({"big_gin": 31})
    doubling = plain.with_options({"spade_doubles": "yes"})
    for rules, upcard, factor in ((doubling, "TS", 2), (doubling, "2D", 1), (plain, "TS", 1)):
        stream = knock(A, own, other, upcard, drawn)
        row = play_deals([stream], [KNOCKERS_KNOCK] * 2, rules).deals[0]
        assert (row["ending"], row["points"]) == (ending, factor * points)


def test_a_spade_thrown_later_doubles_nothing() -> None:
    """Source 003: the upcard of the hand is the first one."""
    stream = deck("", KNOCKERS[0], "2D", "KS")
    played = play_deals([stream], [NEVER_KNOCKS, KNOCKERS_KNOCK], OKLAHOMA)
    assert played.turns()[0].thrown == "KS"
    assert played.deals[0]["points"] == played.deals[0]["defender_deadwood_before"] + 25


def test_doubled_points_enter_the_sheet_as_one_win() -> None:
    """Source 003: the hand's score is doubled, not its box."""
    played = play_deals([knock(A, 0, 35, "TS"), knock(B, 0, 5)], [KNOCKERS_KNOCK] * 2, OKLAHOMA)
    assert (played.totals(A), played.boxes(A)) == ([120, 0, 0], [1, 0, 0])
    assert (played.totals(B), played.entered()) == ([0, 30, 0], [[1], [2]])


@pytest.mark.parametrize(
    ("upcard", "limit", "multiplier"),
    [("7H", 7, 1), ("QD", 10, 1), ("TS", 10, 2), ("AD", 1, 1), ("AS", 1, 2)],
)
def test_the_view_shows_knock_limit_and_multiplier(upcard: str, limit: int, multiplier: int) -> None:
    """Source 003. Players who knock for one limit and one multiplier only do so where the deal has these."""
    stream = knock(A, 1, 30, upcard)
    for seen in (1, 7, 10):
        for factor in (1, 2):
            script = Script(knocks_with="AC", limit=seen, multiplier=factor)
            played = play_deals([stream], [script, NEVER_KNOCKS], OKLAHOMA)
            assert played.turns()[0].knocked is ((seen, factor) == (limit, multiplier))


def test_the_view_shows_ten_and_no_doubling_in_plain_gin_rummy() -> None:
    """Source 000; an Oklahoma limit must not be shown where the game is plain ten."""
    script = Script(knocks_with="AC", limit=10, multiplier=1)
    for upcard in ("AS", "5H", "KD"):
        assert play_deals([knock(A, 1, 30, upcard)], [script, NEVER_KNOCKS], A_FIRST).turns()[0].knocked


@pytest.mark.parametrize("preset", ["oklahoma", "hollywood-oklahoma"])
def test_the_presets_set_limit_and_doubling(preset: str) -> None:
    """Source 003."""
    rules = preset_rules(preset, {"first_dealer": "b"})
    rows = play_deals([DEAD, knock(A, 1, 30, "AS")], [KNOCKERS_KNOCK] * 2, rules).deals
    assert rows["knock_limit"].tolist() == [10, 1]
    assert rows["points"].tolist() == [0, 58]
