"""The reference engine plays a deal and a match as the shared flow cases and the rules page say."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import pytest

from sim.cards import NO_CARD, cards_of, parse_card, parse_hand
from sim.rules import Rules
from tests.support.naive_layoff import fits
from tests.support.naive_sheet import NaiveSheet
from tests.support.reference_engine import (
    NO_DEADWOOD,
    Deal,
    DealLog,
    IllegalMove,
    Player,
    play_deal,
    play_match,
    sheet_info_of,
)
from tests.support.scripted_players import Greedy, Scripted, Trader, deck, shuffled
from tests.support.shared_cases import cases

FLAT0, FLAT1 = "AC 3D 5H 7S 9C JD KH 2C 4D 6H", "2S 4C 6D 8H TS QC AD 3H 5S 7C"  # far from any knock
TEN = "AC 2C 3C 4D 5D 6D 7H 8H 9H TS"  # deadwood 10: may knock at once
GIN = "AC 2C 3C 4D 5D 6D 7H 8H 9H TH"
FOE = "2S 4C 7D 9S JC QC KD 3H 5S 8D"  # no meld, three layoffs
AT_ONCE, LAST_DRAW = 31, 2  # values of `knock_at`

PROVEN: set[str] = set()
Test = TypeVar("Test", bound=Callable[..., None])


def proves(*case_ids: str) -> Callable[[Test], Test]:
    """Name the shared flow cases that a test proves."""
    PROVEN.update(case_ids)
    return lambda test: test


def seat_0_plays_first(cards: list[int], *players: Player, **options: object) -> DealLog:
    return play_deal(cards, 1, Rules().with_options(options), players)


def test_every_flow_case_is_proven() -> None:
    assert {case.id for case in cases("flow")} == PROVEN


@proves("FL-01", "FL-02", "FL-03")
def test_both_pass_and_the_nondealer_draws_from_stock_unasked() -> None:
    first, second = Scripted(), Scripted()
    log = seat_0_plays_first(deck(FLAT0, FLAT1, stock="KS"), first, second)
    assert [(seat, kind) for seat, kind, _ in log.moves[:3]] == [(0, "pass"), (1, "pass"), (0, "draw")]
    assert [what for what, _ in first.asked[:3]] == ["take_upcard", "choose_discard", "take_upcard"]
    assert [what for what, _ in second.asked[:2]] == ["take_upcard", "take_upcard"]
    for player in (first, second):  # one offer each, and the first question is it
        assert [seen.offer for _, seen in player.asked] == [1] + [0] * (len(player.asked) - 1)


def test_dealer_may_take_what_the_nondealer_passed() -> None:
    first, second = Scripted(), Scripted(takes="KS", discards=["2S"])
    log = seat_0_plays_first(deck(FLAT0, FLAT1, "KS"), first, second)
    assert log.moves[:2] == [(0, "pass", parse_card("KS")), (1, "take", parse_card("KS"))]
    assert second.asked[1][1].pile == 0  # nothing lies there while he chooses his discard
    assert second.asked[1][1].declined == parse_hand("KS")
    assert first.asked[1][1].turn == 2


@proves("FL-04")
@pytest.mark.parametrize(("knock_at", "kind"), [(NO_CARD, "discard"), (AT_ONCE, "knock")])
def test_the_upcard_just_taken_may_not_be_thrown_back(knock_at: int, kind: str) -> None:
    cards, back = deck(TEN, FOE, "JS"), parse_card("JS")
    with pytest.raises(IllegalMove, match="thrown back") as refused:
        seat_0_plays_first(cards, Scripted("JS", ["JS"], knock_at), Scripted())
    assert (refused.value.seat, refused.value.move) == (0, (kind, back))
    other = seat_0_plays_first(cards, Scripted("JS", ["TS"], knock_at), Scripted())
    assert other.moves[:2] == [(0, "take", back), (0, kind, parse_card("TS"))]
    allowed = seat_0_plays_first(cards, Scripted("JS", ["JS"], knock_at), Scripted(), throw_back=True)
    assert allowed.moves[:2] == [(0, "take", back), (0, kind, back)]


@proves("FL-06")
def test_only_that_one_draw_is_forced_from_stock() -> None:
    first, second = Scripted(discards=["KS"]), Scripted(takes="KS", discards=["2S"])
    log = seat_0_plays_first(deck(FLAT0, FLAT1, stock="KS"), first, second)
    king = parse_card("KS")
    assert log.moves[2:5] == [(0, "draw", king), (0, "discard", king), (1, "take", king)]
    assert second.asked[1][1].thrown == 1 << king


def test_cards_taken_are_known_while_they_are_held() -> None:
    first, second = Scripted(discards=["KS"]), Scripted(takes="KS", discards=["2S", "KS"])
    log = seat_0_plays_first(deck(FLAT0, FLAT1, stock="KS"), first, second)
    seen = [seen for what, seen in first.asked if what == "take_upcard"]
    assert [s.taken for s in seen[:3]] == [0, parse_hand("KS"), 0]
    assert [s.thrown for s in seen[1:3]] == [parse_hand("2S"), parse_hand("2S KS")]
    assert seen[1].declined.bit_count() == 1  # the first upcard; the king was taken
    assert log.ending == "WALL"


@proves("FL-07", "FL-11")
def test_wall_is_dead_with_two_cards_in_stock() -> None:
    log = seat_0_plays_first(deck(FLAT0, FLAT1), Scripted(), Scripted())
    assert (log.ending, log.scorer_seat, log.knocker_seat, log.points) == ("WALL", None, None, 0)
    assert (log.stock_left, log.turns, log.knocker_deadwood) == (2, 29, NO_DEADWOOD)


@proves("FL-09", "FL-20")
def test_who_draws_the_third_last_card_may_still_knock() -> None:
    log = seat_0_plays_first(deck(TEN, FOE), Scripted(knock_at=LAST_DRAW), Scripted())
    assert (log.ending, log.knocker_seat, log.stock_left, log.turns) == ("KNOCK", 0, 2, 29)
    assert log.defender_deadwood_after < log.defender_deadwood_before  # layoffs as ever
    assert log.points == log.defender_deadwood_after - 10


@proves("FL-10")
def test_after_a_dead_deal_the_same_dealer_deals_the_next() -> None:
    decks = [deck(FLAT0, FLAT1), deck(GIN, FOE)]
    match = play_match(lambda index: decks[min(index, 1)], 1, 0, Rules(target=1), [Scripted(knock_at=31), Scripted()])
    assert [deal.ending for deal in match.deals] == ["WALL", "GIN", "GIN", "GIN"]
    assert match.dealer_seats == [1, 1, 0, 0]  # dead: the same; then the winner
    assert match.entered == [[], [1], [2], [3]]
    assert match.sheet.winner() == 0


@pytest.mark.parametrize(("option", "dealers"), [("winner", [1, 0, 0]), ("loser", [1, 1, 1]), ("alternate", [1, 0, 1])])
def test_who_deals_next(option: str, dealers: list[int]) -> None:
    rules = Rules(target=1, next_dealer=option)
    match = play_match(lambda _: deck(GIN, FOE), 1, 0, rules, [Scripted(knock_at=31), Scripted()])
    assert match.dealer_seats == dealers


def test_a_leg_swaps_the_players_and_not_the_cards() -> None:
    match = play_match(lambda _: deck(GIN, FOE), 1, 1, Rules(), [Scripted(), Scripted(knock_at=31)])
    assert {deal.scorer_seat for deal in match.deals} == {0}
    assert match.sheet.winner() == 1


@proves("FL-13")
@pytest.mark.parametrize(("card", "why"), [("AC", "knock limit"), ("KS", "not held")])
def test_a_refused_knock_changes_nothing(card: str, why: str) -> None:
    rules, players = Rules(), [Scripted(discards=[card], knock_at=31), Scripted()]
    deal = Deal(deck(TEN, FOE, "2D", "JS"), 1, rules, players, sheet_info_of(NaiveSheet(rules)), lambda *_: 0)
    with pytest.raises(IllegalMove, match=why):
        deal.play()
    assert deal.hands[0] == set(cards_of(parse_hand(TEN + " JS")))
    assert (deal.pile, len(deal.stock), deal.turns) == ([parse_card("2D")], 30, 0)


@proves("FL-14")
def test_gin_need_not_be_declared() -> None:
    first = Scripted(knock_at=LAST_DRAW)
    log = seat_0_plays_first(deck(GIN, FOE), first, Scripted())
    assert [seen.deadwood for what, seen in first.asked if what == "take_upcard"] == [0] * 15
    assert (log.ending, log.turns) == ("GIN", 29)
    assert log.points == log.defender_deadwood_before + 25
    assert log.defender_deadwood_after == log.defender_deadwood_before  # no layoff on gin


def test_big_gin_is_an_option_and_needs_no_discard() -> None:
    cards = deck(GIN, FOE, "2D", "JH")
    big = seat_0_plays_first(cards, Scripted(knock_at=31), Scripted(), big_gin=31)
    assert (big.ending, big.moves[-1]) == ("BIG_GIN", (0, "big_gin", NO_CARD))
    assert big.points == big.defender_deadwood_after + 31
    plain = seat_0_plays_first(cards, Scripted(discards=["JH"], knock_at=31), Scripted())
    assert (plain.ending, plain.points) == ("GIN", big.points - 6)
    declined = seat_0_plays_first(cards, Scripted(), Scripted(), big_gin=31)
    assert declined.ending == "WALL"


@proves("FL-16")
def test_nobody_sees_hidden_cards() -> None:
    cards = deck(TEN, FOE)
    swapped = cards.copy()
    swapped[10:12], swapped[50:52] = cards[50:52], cards[10:12]  # two hidden cards with two never drawn
    seen = []
    for stream in (cards, swapped):
        player = Scripted(knock_at=LAST_DRAW)
        seat_0_plays_first(stream, player, Scripted())
        seen.append(player.asked)
    assert seen[0] == seen[1]


@proves("FL-17")
def test_a_deal_begins_with_all_52_cards_once_and_keeps_them() -> None:
    for seed in range(20):
        log = play_deal(shuffled(seed), seed % 2, Rules(), [Greedy(), Greedy()])  # asserts at every step
        assert log.stock_left >= 2
    with pytest.raises(AssertionError, match="partition"):
        play_deal([*range(51), 0], 0, Rules(), [Greedy(), Greedy()])


@proves("FL-18")
def test_trading_upcards_ends_at_the_turn_cap() -> None:
    log = seat_0_plays_first(deck(FLAT0, FLAT1), Trader(), Trader(), knock_limit=0)
    assert (log.ending, log.turns, log.stock_left, log.points) == ("TURN_CAP", 100, 31, 0)


@pytest.mark.parametrize(("turn_cap", "ending"), [(28, "TURN_CAP"), (29, "WALL")])
def test_the_wall_comes_before_the_turn_cap(turn_cap: int, ending: str) -> None:
    log = seat_0_plays_first(deck(FLAT0, FLAT1), Scripted(), Scripted(), turn_cap=turn_cap)
    assert (log.ending, log.turns) == (ending, turn_cap)


@proves("FL-22")
def test_a_layoff_must_extend_the_meld_as_it_lies() -> None:
    assert not fits(parse_card("8C"), parse_hand("AS 2S 3S"))
    assert fits(parse_card("5S"), parse_hand("2S 3S 4S")) > fits(parse_card("5S"), parse_hand("AS 2S 3S"))


def test_a_spade_upcard_sets_limit_and_doubles_in_oklahoma() -> None:
    player = Scripted(knock_at=31)
    options: dict[str, object] = {"knock_limit": "upcard", "spade_doubles": True}
    log = seat_0_plays_first(deck(GIN, FOE, "6S"), player, Scripted(), **options)
    assert (log.knock_limit, log.multiplier) == (6, 2)
    assert log.points == 2 * (log.defender_deadwood_before + 25)
    assert (player.asked[0][1].knock_limit, player.asked[0][1].multiplier) == (6, 2)


def test_every_question_gets_its_own_number() -> None:
    players = [Scripted(knock_at=LAST_DRAW), Scripted()]
    play_deal(deck(TEN, FOE), 1, Rules(), players, noise=lambda seat, n: 1000 * seat + n)
    for seat, player in enumerate(players):
        assert [seen.noise for _, seen in player.asked] == [1000 * seat + n for n in range(len(player.asked))]


@pytest.mark.parametrize(
    ("thrown", "upcard", "laid_off"),
    [("6D", "KS", 0), ("6C", "KS", 2), ("6C", "2C", 0)],
    ids=["pile", "no peeking", "taken"],
)
def test_knocker_spreads_by_what_he_has_seen(thrown: str, upcard: str, laid_off: int) -> None:
    """He may lay down 3-5 of clubs or of diamonds; the six in the pile makes a run safer, 2C does not."""
    foe = "8S JC QC KD 9D 3H 6S 7D TH " + ("KS" if upcard == "2C" else "2C")
    cards = deck("3C 4C 5C 3D 4D 5D 5H 5S AH 2H", foe, upcard, thrown)
    log = seat_0_plays_first(cards, Scripted("", [thrown], AT_ONCE), Scripted("2C", ["KS"]))
    assert (log.ending, log.moves[-1]) == ("KNOCK", (0, "knock", parse_card(thrown)))
    assert log.defender_deadwood_before - log.defender_deadwood_after == laid_off
