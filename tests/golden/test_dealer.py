"""Who deals first and who deals next, on the compiled kernels; each test names the source of its rule."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from sim.batch.fingerprint import STOCK_DRAWER
from sim.decisions import bind_strategy
from sim.match import block_kernel, line_up, new_desk
from sim.records import records
from sim.rng import FIRST_DEALER, philox
from sim.rows import DEAL_ROW, FINISHED, MATCH_ROW, Ending
from sim.rules import Rules
from tests.golden.hands import DEAD, FLAT, KNOCKERS_KNOCK, A, B, knock, worth
from tests.support.scripted_players import deck
from tests.support.stacked_deals import TRADER, play_deals

PAIRS, SEED = 4_000, 5
WINS = {A: worth(0, 20), B: worth(1, 20)}


@pytest.mark.parametrize(
    ("option", "dealers"),
    [
        ("winner", [B, A, A, B, B, A]),  # 000, 002, 004
        ("loser", [B, B, B, A, A, B]),  # 003
        ("alternate", [B, A, B, A, B, A]),  # EAAI
    ],
)
def test_who_deals_after_a_scored_deal(option: str, dealers: list[int]) -> None:
    """A, A, B, B, A and A score, B having dealt first."""
    streams = [WINS[side] for side in (A, A, B, B, A, A)]
    rules = Rules(first_dealer="b", next_dealer=option)
    assert play_deals(streams, [KNOCKERS_KNOCK] * 2, rules).deals["dealer"].tolist() == dealers


@pytest.mark.parametrize(("option", "dealer"), [("winner", B), ("loser", A), ("alternate", A)])
def test_after_an_undercut_the_winner_is_who_scored(option: str, dealer: int) -> None:
    """Sources 000, 003: B undercuts, so B won the deal and A, who knocked, lost it."""
    rules = Rules(first_dealer="b", next_dealer=option)
    rows = play_deals([knock(A, 9, 4), WINS[A]], [KNOCKERS_KNOCK] * 2, rules).deals
    assert (rows["ending"][0], rows["dealer"].tolist()) == (Ending.UNDERCUT, [B, dealer])


@pytest.mark.parametrize("first", ["a", "b"])
@pytest.mark.parametrize("option", ["winner", "loser", "alternate"])
def test_after_a_dead_deal_the_same_dealer_deals_again(option: str, first: str) -> None:
    """Sources 000, 003: after the wall, and so after the turn cap."""
    rules = Rules(first_dealer=first, next_dealer=option)
    dealer = "ab".index(first)
    walls = play_deals([DEAD] * 3, [KNOCKERS_KNOCK] * 2, rules).deals
    capped = play_deals([deck(*FLAT)] * 3, [TRADER] * 2, rules).deals
    for rows, ending in ((walls, Ending.WALL), (capped, Ending.TURN_CAP)):
        assert rows["dealer"].tolist() == [dealer] * 3
        assert set(rows["ending"]) == {ending}


def test_alternating_dealers_change_after_scored_deals_only() -> None:
    """EAAI: a dead deal is dealt again by the same dealer."""
    rules = Rules(first_dealer="b", next_dealer="alternate")
    streams = [WINS[A], DEAD, WINS[B], DEAD, WINS[B]]
    assert play_deals(streams, [KNOCKERS_KNOCK] * 2, rules).deals["dealer"].tolist() == [B, A, A, B, B]


# --- the first dealer


@cache
def first_dealers(option: str) -> Any:
    """Play short duplicate pairs; return the sides that deal first, shape (PAIRS, 2 legs)."""
    player = bind_strategy(STOCK_DRAWER, "test_dealer", {})
    desk = new_desk(Rules(first_dealer=option, columns=1, target=1), SEED, ((), ()))
    matches, deals = records(2 * PAIRS, MATCH_ROW), records(1, DEAL_ROW)
    assert block_kernel()(line_up(player, player), desk, 0, matches, deals, False)[:2] == (FINISHED, PAIRS)
    return matches["first_dealer"].reshape(PAIRS, 2)


@pytest.mark.parametrize("option", ["random", "cut"])
def test_chance_picks_the_same_seat_in_both_legs(option: str) -> None:
    """Sources 000 (randomly), 003 (by a cut): the legs of a pair differ in nothing but who sits where."""
    seats = first_dealers(option) ^ np.array([0, 1])
    assert np.array_equal(seats[:, 0], seats[:, 1])
    deals_first = int(seats[:, 0].sum())
    assert abs(deals_first - PAIRS / 2) < 4 * np.sqrt(PAIRS / 4)


@pytest.mark.parametrize(("option", "side"), [("a", A), ("b", B)])
def test_a_named_first_dealer_is_that_side_in_both_legs(option: str, side: int) -> None:
    assert set(first_dealers(option).ravel()) == {side}


def test_the_low_card_of_the_cut_deals_and_a_tie_is_cut_again() -> None:
    """Source 003. The ranks cut are the second and third word of the pair's random block, the next one after a tie."""
    ties = 0
    for pair, (dealer, _) in enumerate(first_dealers("cut")[:1_000].tolist()):
        block, ranks = 0, (0, 0)
        while ranks[0] == ranks[1]:
            with np.errstate(over="ignore"):  # plain Python words wrap on purpose
                words = philox(np.uint64(block), np.uint64(0), np.uint64(pair), FIRST_DEALER, np.uint64(SEED))
            ranks = int(words[1]) % 13, int(words[2]) % 13
            block += 1
        assert dealer == (0 if ranks[0] < ranks[1] else 1)  # in leg 0 side A has seat 0
        ties += block > 1
    assert 40 < ties < 120  # one in thirteen


def test_the_first_deal_is_dealt_by_the_first_dealer() -> None:
    for first in ("a", "b"):
        played = play_deals([WINS[A]], [KNOCKERS_KNOCK] * 2, Rules(first_dealer=first))
        assert played.deals[0]["dealer"] == played.matches[0]["first_dealer"] == "ab".index(first)
