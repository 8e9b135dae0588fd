"""The deal up to the knock, sentence by sentence, on the compiled kernels; each test names the source of its rule."""

from __future__ import annotations

import pytest

from sim.cards import FULL_DECK, parse_card, parse_hand
from sim.deal import BARRED, OVER_LIMIT
from sim.rows import NOBODY, Ending
from sim.rules import Rules
from tests.golden.hands import A_FIRST, DEAD, FLAT, KNOCKERS, KNOCKERS_KNOCK, A, B, defender, knock
from tests.support.naive_melds import deadwood
from tests.support.scripted_players import deck, shuffled
from tests.support.stacked_deals import (
    DECLINED,
    DISCARD,
    DRAW,
    KNOCKS,
    NEVER_KNOCKS,
    OFFER,
    TRADER,
    Move,
    Script,
    play_deals,
    play_refused,
)

OFFERED = deck(*FLAT, "KS")
TAKES_KING = Script(takes="KS", knocks_with="")
TEN = "AC 2C 3C 4D 5D 6D 7H 8H 9H TS"  # ten points: may knock at once
GIN = "AC 2C 3C 4D 5D 6D 7H 8H 9H TH"
LAYS_OFF = "2S 4C 7D 9S JC QC KD 3H 5S 8D"  # no meld, three layoffs on TEN
B_FIRST = Rules(first_dealer="a")


@pytest.mark.parametrize(
    ("hand", "points"),
    [
        ("AC 3C 5D 7D 9H JH QS KS 2D 4H", 1 + 3 + 5 + 7 + 9 + 10 + 10 + 10 + 2 + 4),  # 000: faces ten, ace one
        ("AS QS KS 2C 4D 6H 8C TD 3H 5D", 1 + 10 + 10 + 2 + 4 + 6 + 8 + 10 + 3 + 5),  # 000: an ace is always low
        ("AS 2S 3S 5C 7D 9H JC QD 4H 6D", 5 + 7 + 9 + 10 + 10 + 4 + 6),  # 003: a run from the ace
        ("5D 6D 7D 7C 7S AC 2C 3C JH QS", 5 + 6 + 10 + 10),  # 000: a card belongs to one meld only
        ("4C 4D 4H 4S 6C 7C 8C 9C TC JC", 0),  # 003: four of a rank and a run of six
    ],
)
def test_deadwood_is_what_the_best_melds_leave(hand: str, points: int) -> None:
    row = play_deals([deck(hand, upcard="KH")], [NEVER_KNOCKS] * 2, A_FIRST).deals[0]
    assert row["initial_deadwood"][A] == points


def test_each_deal_is_ten_cards_each_an_upcard_and_31_in_stock() -> None:
    """Sources 000, 003; case FL-17. All 52 cards lie somewhere, once, whatever the deals before have left."""
    for count in range(1, 9):
        streams = [shuffled(seed) for seed in range(count)]
        played = play_deals(streams, [Script(takes="AC 5D 9H", knocks_with="")] * 2, A_FIRST)
        row, table, hands = played.deals[-1], played.desk.table[0], [int(h.hand) for h in played.desk.holdings]
        assert row["initial_deadwood"].tolist() == [
            deadwood(sum(1 << card for card in streams[-1][start : start + 10])) for start in (0, 10)
        ]
        from_stock = sum(not move.took for move in played.turns(count - 1))
        assert from_stock + row["stock_left"] == 31
        places = [*hands, int(table.pile), sum(1 << card for card in streams[-1][52 - int(row["stock_left"]) :])]
        assert [cards.bit_count() for cards in places] == [10, 10, 32 - row["stock_left"], row["stock_left"]]
        assert sum(places) == FULL_DECK  # a card in two places would carry over


# --- the first upcard


@pytest.mark.parametrize(("rules", "first", "dealer"), [(A_FIRST, A, B), (B_FIRST, B, A)], ids=["B deals", "A deals"])
def test_the_non_dealer_is_asked_first(rules: Rules, first: int, dealer: int) -> None:
    """Sources 000, 002, 003, 004. When he takes it the dealer is not offered it, much as he would like it."""
    played = play_deals([OFFERED], [TAKES_KING] * 2, rules)
    assert played.turns()[0].took
    assert (played.questions(first)[0], played.questions(dealer)[0]) == (OFFER, DRAW)
    assert OFFER not in played.questions(dealer)


@pytest.mark.parametrize(("rules", "first", "dealer"), [(A_FIRST, A, B), (B_FIRST, B, A)], ids=["B deals", "A deals"])
def test_the_dealer_may_take_what_the_non_dealer_passed(rules: Rules, first: int, dealer: int) -> None:
    """Sources 000, 003; case FL-02. The dealer completes his turn, then the other takes his."""
    scripts = [TAKES_KING, TAKES_KING]
    scripts[first] = NEVER_KNOCKS
    played = play_deals([OFFERED], scripts, rules)
    assert played.turns()[0].took
    assert parse_card(str(played.turns()[0].thrown)) in [parse_card(card) for card in FLAT[dealer].split()]
    assert (played.questions(first)[:2], played.questions(dealer)[:2]) == ([OFFER, DRAW], [OFFER, DISCARD])
    declined = [int(played.desk.views[player].memory[DECLINED]) for player in (first, dealer)]
    assert declined == [0, parse_hand("KS")]


@pytest.mark.parametrize(("rules", "first", "dealer"), [(A_FIRST, A, B), (B_FIRST, B, A)], ids=["B deals", "A deals"])
def test_when_both_pass_the_non_dealer_draws_from_stock_unasked(rules: Rules, first: int, dealer: int) -> None:
    """Sources 000, 003; cases FL-01, FL-03: "draws blind from the stock"."""
    played = play_deals([deck(*FLAT, "KS", "8S")], [NEVER_KNOCKS] * 2, rules)
    assert played.turns()[0] == Move(False, "8S", False)  # he throws what he draws
    assert played.questions(first)[:3] == [OFFER, DISCARD, DRAW]
    assert played.questions(dealer)[:3] == [OFFER, DRAW, DISCARD]


def test_only_that_one_draw_must_be_from_stock() -> None:
    """Source 000; case FL-06: from then on either pile is open; the dealer takes what the first draw brought."""
    stream = deck(*FLAT, "QS", "KS")
    played = play_deals([stream], [NEVER_KNOCKS, TAKES_KING], A_FIRST)
    assert played.turns()[0] == Move(False, "KS", False)
    assert played.turns()[1].took


# --- the discard


@pytest.mark.parametrize("knocks_with", ["", "AC"], ids=["discard", "knock"])
@pytest.mark.parametrize("hand", [TEN, GIN], ids=["knock", "gin"])
def test_the_upcard_just_taken_may_not_be_thrown_back(hand: str, knocks_with: str) -> None:
    """Source: house rule (design page, the deal, 3); case FL-04; with `throw_back` it may."""
    stream = deck(hand, LAYS_OFF, "JS")
    back = Script("JS", "JS", knocks_with)
    desk = play_refused([stream], [back, NEVER_KNOCKS], A_FIRST)
    assert (desk.table[0].offender, desk.table[0].offence, desk.table[0].move) == (A, BARRED, parse_card("JS"))
    other = hand.split()[-1]
    kept = play_deals([stream], [Script("JS", other, knocks_with), NEVER_KNOCKS], A_FIRST)
    assert kept.turns()[0] == Move(True, other, bool(knocks_with))
    allowed = play_deals([stream], [back, NEVER_KNOCKS], A_FIRST.with_options({"throw_back": "yes"}))
    assert allowed.turns()[0] == Move(True, "JS", bool(knocks_with))


def test_the_view_names_the_barred_card_only_where_it_is_barred() -> None:
    """Source: as above. This player throws what he drew unless the view bars it."""
    stream, scripts = deck(TEN, LAYS_OFF, "JS"), [Script("JS", knocks_with=""), NEVER_KNOCKS]
    thrown = [
        play_deals([stream], scripts, A_FIRST.with_options({"throw_back": option})).turns()[0].thrown
        for option in ("yes", "no")
    ]
    assert thrown == ["JS", "TS"]


# --- the knock


@pytest.mark.parametrize(("rules", "turns"), [(A_FIRST, 1), (B_FIRST, 2)])
@pytest.mark.parametrize("own", [0, 8])
def test_a_knock_is_allowed_on_any_turn_the_first_included(rules: Rules, turns: int, own: int) -> None:
    """Source 000: "on any turn (including the first turn) after drawing but before discarding"."""
    row = play_deals([knock(A, own, 30)], [KNOCKERS_KNOCK] * 2, rules).deals[0]
    assert (row["knocker"], row["turns"], row["knocker_deadwood"]) == (A, turns, own)


@pytest.mark.parametrize("own", [0, 5, 10])
def test_nobody_must_knock_gin_included(own: int) -> None:
    """Source 000; case FL-14: "never required to knock"."""
    played = play_deals([knock(A, own, 30)], [NEVER_KNOCKS] * 2, A_FIRST)
    assert (played.deals[0]["ending"], played.deals[0]["turns"]) == (Ending.WALL, 29)
    assert "knock" in played.questions(A)  # he was asked, and declined


@pytest.mark.parametrize(
    ("limit", "own", "may"),
    [(10, 10, True), (7, 7, True), (7, 8, False), (0, 0, True), (0, 1, False)],
)
def test_the_knock_limit_is_the_most_deadwood_to_knock_with(limit: int, own: int, may: bool) -> None:
    """Source 000: "10 points or fewer"; 003: straight gin (limit 0) removes knocking."""
    played = play_deals([knock(A, own, 30)], [KNOCKERS_KNOCK] * 2, A_FIRST.with_options({"knock_limit": limit}))
    assert played.turns()[0].knocked is may
    assert played.deals[0]["knock_limit"] == limit


def test_eleven_points_are_too_many_to_knock_with() -> None:
    """Source 000."""
    stream = deck("AC 2C 3C 7D 8D 9D AH 2H 3S 5S", defender(30), "2D")
    assert not play_deals([stream], [KNOCKS, NEVER_KNOCKS], A_FIRST).turns()[0].knocked


def test_a_knock_above_the_limit_is_refused_and_changes_nothing() -> None:
    """Source 000; case FL-13. He may knock, but not by throwing a card that leaves more than ten."""
    desk = play_refused([deck(TEN, LAYS_OFF, "2D", "JS")], [Script(throws="AC"), NEVER_KNOCKS], A_FIRST)
    assert (desk.table[0].offender, desk.table[0].offence) == (A, OVER_LIMIT)
    assert int(desk.holdings[A].hand) == parse_hand(f"{TEN} JS")
    assert (int(desk.table[0].pile), desk.table[0].turns) == (parse_hand("2D"), 0)


# --- the wall and the turn cap


def test_with_two_cards_left_in_stock_the_deal_is_dead() -> None:
    """Sources 000, 003; cases FL-07, FL-11: no score is recorded for either."""
    played = play_deals([DEAD], [KNOCKERS_KNOCK] * 2, A_FIRST)
    row = played.deals[0]
    assert (row["ending"], row["stock_left"], row["turns"]) == (Ending.WALL, 2, 29)
    assert (row["scorer"], row["knocker"], row["points"], row["columns_entered"]) == (NOBODY, NOBODY, 0, 0)
    assert [played.totals(side) for side in (A, B)] == [[0, 0, 0]] * 2


@pytest.mark.parametrize(("hand", "ending"), [(TEN, Ending.KNOCK), (GIN, Ending.GIN)])
def test_who_draws_the_third_last_card_may_still_knock(hand: str, ending: Ending) -> None:
    """Source 000; cases FL-09, FL-20: dead when he "discards and neither player has knocked"; layoffs as ever."""
    row = play_deals([deck(hand, LAYS_OFF)], [Script(knock_at=2), NEVER_KNOCKS], A_FIRST).deals[0]
    assert (row["ending"], row["knocker"], row["stock_left"], row["turns"]) == (ending, A, 2, 29)
    laid_off = row["defender_deadwood_before"] - row["defender_deadwood_after"]
    assert laid_off == (4 + 7 + 8 if ending == Ending.KNOCK else 0)


def test_after_a_dead_deal_the_same_dealer_deals_again() -> None:
    """Sources 000, 003; case FL-10. Every dead deal uses up a deal index: the next one has cards of its own."""
    streams = [DEAD, DEAD, knock(A, 8, 30), knock(B, 8, 30)]
    rows = play_deals(streams, [KNOCKERS_KNOCK] * 2, A_FIRST).deals
    assert rows["deal"].tolist() == [0, 1, 2, 3]
    assert rows["dealer"].tolist() == [B, B, B, A]
    assert rows["ending"].tolist() == [Ending.WALL, Ending.WALL, Ending.KNOCK, Ending.KNOCK]
    assert rows["initial_deadwood"][2].tolist() == [8, 30]


@pytest.mark.parametrize("cap", [2, 50, 100, 200])
def test_two_who_trade_upcards_for_ever_are_stopped_at_the_turn_cap(cap: int) -> None:
    """Source: this project; case FL-18; counted apart from walls, and the same dealer deals again."""
    played = play_deals([OFFERED] * 2, [TRADER] * 2, A_FIRST.with_options({"turn_cap": cap}))
    for row in played.deals:
        assert (row["ending"], row["turns"], row["stock_left"]) == (Ending.TURN_CAP, cap, 31)
        assert (row["scorer"], row["points"], row["dealer"]) == (NOBODY, 0, B)
    assert (played.matches[0]["turn_caps"], played.matches[0]["walls"]) == (2, 0)


@pytest.mark.parametrize(("cap", "ending"), [(28, Ending.TURN_CAP), (29, Ending.WALL)])
def test_the_wall_comes_before_the_turn_cap(cap: int, ending: Ending) -> None:
    """Source 000 for the wall, this project for the cap."""
    row = play_deals([DEAD], [NEVER_KNOCKS] * 2, A_FIRST.with_options({"turn_cap": cap})).deals[0]
    assert (row["ending"], row["turns"]) == (ending, cap)


def test_the_hands_are_what_they_claim() -> None:
    hands = [*KNOCKERS.items(), *((points, defender(points)) for points in range(97))]
    for points, hand in hands:
        assert (deadwood(parse_hand(hand)), parse_hand(hand).bit_count()) == (points, 10)
    for points in range(26):
        row = play_deals([knock(A, 1, points)], [KNOCKERS_KNOCK] * 2, A_FIRST).deals[0]
        assert row["defender_deadwood_before"] == row["defender_deadwood_after"] == points
