"""OpenSpiel's gin_rummy as a second witness: it replays our deals move by move and scores them.

A deal of the compiled kernel is first held to the reference engine's, so what OpenSpiel finds legal, and the
points it gives, bear on both. It differs from us in these ways, each for a reason, and each is tested here:

- *Throwing back.* It lets a player discard the upcard he has just taken (and ends the deal when the two do nothing
  else). House rule; ours forbids it unless ``throw_back`` is on. Our moves are legal there all the same.
- *Hidden knocks.* Its eleven-card solver throws the dearest loose card of one least spread, so it overrates some
  hands and hides some legal knocks. Where it does, the naive search and OpenSpiel's own ten-card solver say that
  our knock is legal, and the replay stops there.
- *Ties.* Equal deadwood scores nothing there; with us it is an undercut (``tie=knocker``: 0 to the knocker).
- *The wall.* With two cards in stock it lets the next player knock with the upcard; with us the deal is dead.
- *Endless deals.* It ends a deal at the 50th upcard drawn; we end it at the turn cap, which it does not have.
- *The knocker's spread* is a choice there, and his runs are laid in parts of at most five cards. It is given our
  spread; the defender's answer is found by trying every set of layoffs that OpenSpiel allows.
- *Layoffs* on one end of a run stop after two cards there. No points depend on it: three touching cards are a run
  of the defender's own.
- *Not there at all*: big gin, doubling spades, the ace that means 1 in Oklahoma, dealers, and the Hollywood sheet.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from sim.api import after_discard, deadwood
from sim.cards import FULL_DECK, parse_card, parse_hand
from sim.presets import preset_rules
from sim.rows import NOBODY, Ending
from sim.rules import Rules
from sim.solve import solve
from tests.support import naive_melds
from tests.support.kernel_match import deck_of, kernel_rows, reference_match
from tests.support.openspiel_replay import (
    HIDDEN_KNOCK,
    OUR_TURN_CAP,
    OURS,
    SPIEL,
    THEIR_TURN_CAP,
    THEIRS,
    UTILS,
    Replay,
    Replayed,
    our_hand,
    their_deadwood,
    their_hand,
    their_start,
)
from tests.support.reference_engine import DealLog, play_deal
from tests.support.scripted_players import Scripted, Trader, deck

SEED = 31
ONE_COLUMN = Rules(columns=1)

VARIANTS: dict[str, tuple[str, str, Rules, int]] = {
    "eaai": ("greedy", "threshold:knock_at=5", preset_rules("eaai"), 46),
    "hollywood": ("simple", "greedy", Rules(), 17),
    "oklahoma, ties to the knocker": (
        "threshold:knock_at=8",
        "greedy",
        Rules(columns=1, knock_limit="upcard", upcard_ace="gin", tie="knocker", gin_bonus=20),
        23,
    ),
    "straight gin": ("gin-only", "greedy", Rules(columns=1, knock_limit=0), 8),
    "a player who trades upcards": ("random", "simple", ONE_COLUMN, 10),
    "two players who trade upcards": ("random", "random", Rules(columns=1, target=20), 4),
}
"""Who plays, under which rules, and how many duplicate pairs: some 2,000 deals in all."""


def their_points(log: DealLog, rules: Rules) -> int:
    """Return the points of the knocker as OpenSpiel counts them: undercuts below zero, ties nothing."""
    if log.knocker_seat is None:
        return 0
    if log.defender_deadwood_after == log.knocker_deadwood and log.ending != "GIN":
        assert log.points == (rules.undercut_bonus if rules.tie == "undercut" else 0)
        return 0
    return log.points if log.scorer_seat == log.knocker_seat else -log.points


def assert_same_deal(row: Any, log: DealLog, leg: int) -> None:
    """Assert that the kernel played the deal of the reference engine."""
    assert Ending(row["ending"]).name == log.ending
    for name, seat in (("scorer", log.scorer_seat), ("knocker", log.knocker_seat)):
        assert row[name] == (NOBODY if seat is None else seat ^ leg)
    for name in ("points", "turns", "stock_left", "knock_limit"):
        assert row[name] == getattr(log, name)
    for name in ("knocker_deadwood", "defender_deadwood_before", "defender_deadwood_after"):
        assert row[name] == (NOBODY if getattr(log, name) < 0 else getattr(log, name))
    assert row["initial_deadwood"].tolist() == [log.initial_deadwood[side ^ leg] for side in (0, 1)]


@pytest.mark.parametrize("variant", VARIANTS)
def test_openspiel_finds_our_moves_legal_and_counts_our_points(variant: str) -> None:
    a, b, rules, pairs = VARIANTS[variant]
    rows, start = kernel_rows(a, b, rules, SEED, pairs), their_start(rules)
    place, found = 0, list[Replayed]()
    for match_row in rows.matches:
        pair, leg = int(match_row["pair"]), int(match_row["leg"])
        match = reference_match(a, b, rules, SEED, match_row)
        for deal, (log, dealer_seat) in enumerate(zip(match.deals, match.dealer_seats, strict=True)):
            assert_same_deal(rows.deals[place], log, leg)
            replayed = Replay(start, deck_of(SEED, pair, deal), dealer_seat).play(log)
            if not replayed.stopped:
                assert replayed.returns == their_points(log, rules), (pair, leg, deal)
            found.append(replayed)
            place += 1
    assert place == len(rows.deals)
    assert sum(replayed.decisions for replayed in found) > 20 * len(found)
    stopped = Counter(replayed.stopped for replayed in found)
    assert stopped.keys() <= {"", HIDDEN_KNOCK, THEIR_TURN_CAP}
    assert len(found) - stopped[""] <= max(2, len(found) // 100)
    assert sum(replayed.overrated for replayed in found) <= max(3, len(found) // 50)


# --- hands


def hands(size: int, count: int) -> list[int]:
    """Draw hands, half of them from five adjacent ranks, where melds clash."""
    rng, found = random.Random(size), []
    for number in range(count):
        low = rng.randrange(9)
        near = [card for card in range(52) if low <= card % 13 < low + 5]
        found.append(naive_melds.mask_of(rng.sample(near if number % 2 else range(52), size)))
    return found


def test_openspiel_numbers_the_cards_suit_by_suit() -> None:
    assert sorted(THEIRS) == list(range(52))
    assert our_hand(their_hand(FULL_DECK)) == FULL_DECK
    assert [UTILS.card_string(THEIRS[card]) for card in (0, 22, 51)] == ["Ac", "Td", "Ks"]
    assert all(UTILS.card_rank(theirs) == ours % 13 for theirs, ours in OURS.items())


def test_openspiel_knows_the_same_melds_of_up_to_five_cards() -> None:
    theirs = {our_hand(meld) for meld in UTILS.all_melds(list(range(52)))}
    ours = {naive_melds.mask_of(meld) for meld in naive_melds.all_melds(FULL_DECK) if len(meld) <= 5}
    assert theirs == ours
    assert len(theirs) == 65 + 120
    assert not any(deadwood(meld) for meld in theirs)


@pytest.mark.parametrize("size", [7, 9, 10])
def test_openspiel_counts_the_same_deadwood(size: int) -> None:
    for hand in hands(size, 10_000):
        assert deadwood(hand) == their_deadwood(hand), hand


def test_openspiel_allows_the_same_discards_with_a_knock() -> None:
    for number, hand in enumerate(hands(11, 4_000)):
        limit = (10, 10, 5, 0)[number % 4]
        discards = solve(hand, knock_limit=limit).discards
        assert discards is not None
        assert naive_melds.mask_of(discards.knock) == our_hand(UTILS.legal_discards(their_hand(hand), limit)), hand


def test_openspiel_never_finds_less_deadwood_after_a_discard_and_seldom_more() -> None:
    drawn, more = hands(11, 10_000), 0
    for hand in drawn:
        ours, theirs = after_discard(hand, 0)[0], their_deadwood(hand)
        assert theirs >= ours, hand
        if theirs > ours:
            more += 1
            assert naive_melds.best_discards(hand)[0] == ours, hand
    assert 0 < more < len(drawn) // 50


# --- where the rules differ


def in_openspiel(log: DealLog, cards: list[int], rules: Rules) -> tuple[Replayed, Any]:
    """Replay a deal in which seat 1 deals."""
    replay = Replay(their_start(rules), cards, 1)
    return replay.play(log), replay.state


FOE = "AC 2H 4D 7C 9H TC JD QC KH KC"


def test_openspiel_hides_a_legal_knock() -> None:
    ten, drawn = "3C 5C 2D 4H 5H 6H 3S 4S 5S 6S", "6D"
    cards = deck(ten, FOE, stock=drawn)
    log = play_deal(cards, 1, Rules(), [Scripted(knock_at=31), Scripted()])
    assert (log.moves[-1][:2], log.knocker_deadwood) == ((0, "knock"), 10)
    found, _ = in_openspiel(log, cards, Rules())
    assert (found.stopped, found.overrated) == (HIDDEN_KNOCK, 1)
    assert their_deadwood(parse_hand(f"{ten} {drawn}")) == 12
    assert UTILS.legal_discards(their_hand(parse_hand(f"{ten} {drawn}")), 10) == [
        THEIRS[parse_hand(drawn).bit_length() - 1]
    ]


def test_openspiel_lets_the_upcard_be_thrown_back() -> None:
    replay = Replay(their_start(Rules()), deck(FOE, "", "3S"), 1)
    upcard = parse_card("3S")
    replay.move(0, "take", upcard)
    assert THEIRS[upcard] in replay.state.legal_actions()
    log = play_deal(deck(FOE, "", "3S"), 1, Rules(throw_back=True), [Scripted("3S", ["3S"]), Scripted()])
    assert in_openspiel(log, deck(FOE, "", "3S"), Rules())[0].returns == 0


@pytest.mark.parametrize("tie", ["undercut", "knocker"])
def test_openspiel_gives_nothing_for_a_tie(tie: str) -> None:
    rules = Rules().with_options({"tie": tie})
    cards = deck("AC 2C 3C 7D 8D 9D JH JS JC 4S", "5H 6H 7H KC KD KH QC QD QS 4D", "2D", "KS")
    log = play_deal(cards, 1, rules, [Scripted(knock_at=31, discards=["KS"]), Scripted()])
    assert log.knocker_deadwood == log.defender_deadwood_after == 4
    assert (log.points, in_openspiel(log, cards, rules)[0].returns) == ({"undercut": 10, "knocker": 0}[tie], 0)


def test_openspiel_lets_the_next_player_knock_at_the_wall() -> None:
    cards = deck("AC 3D 5H 7S 9C JD KH 2C 4D 6H", "2S 3S 4S 6D 7D 8D TS TC TH 9H")
    log = play_deal(cards, 1, Rules(), [Scripted(), Scripted()])
    replay = Replay(their_start(Rules()), cards, 1)
    for seat, kind, card in log.moves:
        replay.move(seat, kind, card)
    assert (log.ending, len(replay.stock)) == ("WALL", SPIEL.WALL_STOCK_SIZE)
    assert replay.state.legal_actions() == [SPIEL.PASS_ACTION, SPIEL.KNOCK_ACTION]


def test_openspiel_ends_a_deal_at_the_50th_upcard_drawn_and_we_at_the_turn_cap() -> None:
    cards = deck(FOE, "")
    log = play_deal(cards, 1, Rules(knock_limit=0), [Trader(), Trader()])
    assert (log.ending, log.turns) == ("TURN_CAP", 100)
    found, state = in_openspiel(log, cards, Rules(knock_limit=0))
    assert found.stopped == THEIR_TURN_CAP
    assert state.is_terminal()
    capped = play_deal(cards, 1, Rules(knock_limit=0, turn_cap=40), [Trader(), Trader()])
    found, state = in_openspiel(capped, cards, Rules(knock_limit=0))
    assert (found.stopped, state.is_terminal()) == (OUR_TURN_CAP, False)


def test_openspiel_stops_a_chain_of_layoffs_after_two_cards_where_the_defender_has_a_run() -> None:
    run = [UTILS.meld_to_int(their_hand(parse_hand("5S 6S 7S")))]
    eight, nine, ten = their_hand(parse_hand("8S 9S TS"))
    assert nine in UTILS.all_layoffs(run, [eight])
    assert ten not in UTILS.all_layoffs(run, [eight, nine])
    assert deadwood(parse_hand("8S 9S TS")) == 0
