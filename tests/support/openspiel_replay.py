"""Our deals replayed move by move in OpenSpiel's ``gin_rummy``: cards, legality, deadwood and points.

Every move of a reference deal is looked up among OpenSpiel's legal actions before it is made, and both tables are
compared at every decision. Where OpenSpiel plays by other rules (see ``tests/properties/test_openspiel.py``) the
replay says so in its `Replayed` record instead of failing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyspiel

from sim.api import after_discard, deadwood
from sim.cards import FULL_DECK, cards_of, format_card
from sim.rules import Rules
from tests.support import naive_melds
from tests.support.naive_layoff import knocker_spread
from tests.support.naive_melds import mask_of
from tests.support.reference_records import DealLog

SPIEL = pyspiel.gin_rummy
UTILS: Any = SPIEL.GinRummyUtils(13, 4, 10)
THEIRS: list[int] = [UTILS.card_int(text[0] + text[1].lower()) for text in map(format_card, range(52))]
"""OpenSpiel's number of each of our cards: its suits are S C D H."""
OURS = {theirs: ours for ours, theirs in enumerate(THEIRS)}
DRAWS = {"pass": SPIEL.PASS_ACTION, "take": SPIEL.DRAW_UPCARD_ACTION, "draw": SPIEL.DRAW_STOCK_ACTION}
HIDDEN_KNOCK = "OpenSpiel does not see that this knock is legal"
OUR_TURN_CAP, THEIR_TURN_CAP = "turn cap", "50 upcards drawn"
LONGEST_RUN = 5
"""OpenSpiel lays longer runs as two."""


def their_hand(hand: int) -> list[int]:
    """Write a hand mask as OpenSpiel's card numbers."""
    return [THEIRS[card] for card in cards_of(hand)]


def our_hand(cards: Sequence[int]) -> int:
    """Read OpenSpiel's card numbers as a hand mask."""
    return mask_of(OURS[card] for card in cards)


def their_deadwood(hand: int) -> int:
    """Return OpenSpiel's deadwood; of eleven cards, what it thinks the best discard leaves."""
    return int(UTILS.min_deadwood(their_hand(hand)))


def their_start(rules: Rules) -> Any:
    """Return OpenSpiel's state before a deal under our rules, as far as it knows them, for any number of replays."""
    oklahoma = rules.knock_limit == "upcard"
    options = {"oklahoma": oklahoma, "knock_card": 10 if oklahoma else rules.knock_limit}
    options |= {"gin_bonus": rules.gin_bonus, "undercut_bonus": rules.undercut_bonus}
    return pyspiel.load_game("gin_rummy", options).new_initial_state()


@dataclass
class Replayed:
    """What a replay came to.

    `returns` are OpenSpiel's points of the knocker, None if the deal was `stopped` there before its end, for that
    reason. `decisions` counts the moves found legal, `overrated` the hands of eleven cards of which OpenSpiel
    thinks that more deadwood must be kept than must.
    """

    returns: int | None = None
    decisions: int = 0
    overrated: int = 0
    stopped: str = ""


@dataclass
class Replay:
    """A deal on two tables: OpenSpiel's state, and our hands and pile as the moves of the log make them."""

    start: Any
    cards: Sequence[int]
    dealer_seat: int
    taken: list[set[int]] = field(default_factory=lambda: [set(), set()])
    barred: int = -1
    done: Replayed = field(default_factory=Replayed)

    def __post_init__(self) -> None:
        self.hands = [set(self.cards[:10]), set(self.cards[10:20])]
        self.pile, self.stock = [self.cards[20]], list(self.cards[21:])
        self.state: Any = self.start.clone()  # a new one takes 2 ms
        first = 1 - self.dealer_seat  # OpenSpiel deals to, and begins with, its player 0
        for seat in (first, 1 - first):
            for card in sorted(self.hands[seat]):
                self.state.apply_action(THEIRS[card])
        self.state.apply_action(THEIRS[self.cards[20]])

    def player(self, seat: int) -> int:
        """Return OpenSpiel's number of a seat: the non-dealer is player 0."""
        return int(seat == self.dealer_seat)

    def play(self, log: DealLog) -> Replayed:
        """Replay a deal of the reference engine to its end."""
        assert self.state.knock_card() == log.knock_limit
        for seat, kind, card in log.moves:
            if kind == "knock":
                self._knock(seat, card, log.knock_limit)
            else:
                self.move(seat, kind, card)
            if self.done.stopped:
                return self.done
        if log.ending == "WALL":
            assert self.state.current_phase() == SPIEL.Phase.WALL
            self._apply(SPIEL.PASS_ACTION)
            self._finish()
        elif log.ending == "TURN_CAP":
            self.done.stopped = OUR_TURN_CAP
        return self.done

    def _apply(self, action: int) -> None:
        """Make a move that OpenSpiel must find legal too."""
        legal = self.state.legal_actions()
        assert action in legal, f"{self.state.action_to_string(action)} is not legal in {self.state}"
        self.state.apply_action(action)
        self.done.decisions += 1

    def _finish(self) -> None:
        assert self.state.is_terminal()
        knocked = self.state.knocked()
        self.done.returns = int(self.state.returns()[knocked.index(True)]) if any(knocked) else 0

    def _compare(self, seat: int) -> None:
        """Assert that both tables look the same before a decision of a seat."""
        state, held = self.state, [mask_of(hand) for hand in self.hands]
        assert state.current_player() == self.player(seat)
        assert state.stock_size() == len(self.stock)
        for each in (0, 1):
            player = self.player(each)
            assert our_hand(state.hands()[player]) == held[each]
            if len(self.hands[each]) == 10:
                assert state.deadwood()[player] == deadwood(held[each])
            else:
                self._compare_eleven(held[each], state.deadwood()[player])

    def _compare_eleven(self, hand: int, theirs: int) -> None:
        """OpenSpiel's eleven-card solver bars no discard and may miss the best: never below ours."""
        ours = after_discard(hand, 0)[0]
        assert theirs >= ours
        if theirs > ours:
            assert naive_melds.best_discards(hand)[0] == ours
            self.done.overrated += 1

    def move(self, seat: int, kind: str, card: int) -> None:
        """Make a move that is no knock on both tables."""
        self._compare(seat)
        hand = self.hands[seat]
        if kind == "discard":
            self._apply(THEIRS[card])
            for cards in (hand, self.taken[seat]):
                cards.discard(card)
            self.pile.append(card)
            self.barred = -1
            return
        if kind != "draw":
            assert OURS[self.state.upcard()] == card == self.pile[-1]
        self._apply(DRAWS[kind])
        if self.state.is_terminal():
            self.done.stopped = THEIR_TURN_CAP
        elif kind == "draw":
            assert card == self.stock.pop(0)
            self.state.apply_action(THEIRS[card])  # by chance
            hand.add(card)
        elif kind == "take":
            for cards in (hand, self.taken[seat]):
                cards.add(card)
            self.pile.pop()
            self.barred = card

    def _knock(self, seat: int, card: int, limit: int) -> None:
        """Knock or go gin, lay the knocker's spread down, lay off, and lay down the defender's melds."""
        self._compare(seat)
        eleven = mask_of(self.hands[seat])
        assert THEIRS[card] in UTILS.legal_discards(their_hand(eleven), limit)
        if SPIEL.KNOCK_ACTION not in self.state.legal_actions():
            assert card in naive_melds.knock_discards(eleven, limit, self.barred)
            self.done.stopped = HIDDEN_KNOCK
            return
        self._apply(SPIEL.KNOCK_ACTION)
        self._apply(THEIRS[card])
        hand = eleven ^ 1 << card
        known = mask_of(self.taken[1 - seat])
        others = FULL_DECK & ~(hand | mask_of([*self.pile, card]) | known)
        for meld in knocker_spread(hand, known, others):
            for part in _as_they_lay(meld):
                self._apply(SPIEL.MELD_ACTION_BASE + UTILS.meld_to_int(part))
        self._apply(SPIEL.PASS_ACTION)
        self._defend(1 - seat)
        self._finish()

    def _defend(self, seat: int) -> None:
        """Make OpenSpiel's best of laying off and melding, found by trying every set of layoffs it allows."""
        player = self.player(seat)
        if not self.state.finished_layoffs():
            melds = self.state.layed_melds()[1 - player]
            for card in min(_ways_to_lay_off(melds, self.state.hands()[player]))[1]:
                self._apply(card)
            self._apply(SPIEL.PASS_ACTION)
        for meld in UTILS.best_meld_group(self.state.hands()[player]):
            self._apply(SPIEL.MELD_ACTION_BASE + UTILS.meld_to_int(meld))
        self._apply(SPIEL.PASS_ACTION)


def _as_they_lay(meld: int) -> Iterator[list[int]]:
    """Yield a meld in the parts in which OpenSpiel takes it."""
    cards = their_hand(meld)
    while len(cards) > LONGEST_RUN:
        size = min(LONGEST_RUN, len(cards) - 3)
        yield cards[:size]
        cards = cards[size:]
    yield cards


def _ways_to_lay_off(melds: Sequence[int], hand: Sequence[int]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield the deadwood left after each set of layoffs that OpenSpiel allows, and the layoffs in order."""
    waiting: list[tuple[int, ...]] = [()]
    seen = {frozenset[int]()}
    while waiting:
        laid = waiting.pop()
        rest = [card for card in hand if card not in laid]
        yield int(UTILS.min_deadwood(rest)), laid
        for card in set(UTILS.all_layoffs(melds, laid)) & set(rest):
            if frozenset((*laid, card)) not in seen:
                seen.add(frozenset((*laid, card)))
                waiting.append((*laid, card))
