"""One deal of the reference engine: the table, whose turn it is, and the score at the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from sim.cards import FULL_DECK, NO_CARD, PIPS, cards_of, points_of
from sim.rules import Rules
from tests.support.naive_layoff import defender_final, knocker_spread, score_deal
from tests.support.naive_melds import arrangements, deadwood, is_big_gin, leftover, mask_of
from tests.support.reference_records import (
    NO_DEADWOOD,
    DealLog,
    IllegalMove,
    Move,
    Noise,
    Player,
    Seen,
    SheetInfo,
)


@dataclass
class Deal:
    """One deal in progress: the cards on the table, and what was said and done so far."""

    cards: Sequence[int]  # seat 0's ten, seat 1's ten, the upcard, the stock in drawing order
    dealer_seat: int
    rules: Rules
    players: Sequence[Player]  # by seat
    sheet: SheetInfo
    noise: Noise
    moves: list[Move] = field(default_factory=list)
    turns: int = 0
    barred: int = NO_CARD
    upcard: int = NO_CARD  # top of the pile when the turn began
    drawn: int = NO_CARD

    def __post_init__(self) -> None:
        self.hands = [set(self.cards[:10]), set(self.cards[10:20])]
        self.pile, self.stock = [self.cards[20]], list(self.cards[21:])
        self.taken, self.declined, self.thrown = _two_sets(), _two_sets(), _two_sets()
        self.asked, self.memory = [0, 0], [[0] * 8, [0] * 8]
        self.knock_limit = knock_limit_of(self.rules, self.cards[20])
        is_spade = self.cards[20] // 13 == 3
        self.multiplier = 2 if self.rules.spade_doubles and is_spade else 1
        self.initial_deadwood = [deadwood(mask_of(hand)) for hand in self.hands]
        self.check()

    def check(self) -> None:
        """Assert that all 52 cards are there, each once, and that taken cards are held."""
        everything = [*self.hands[0], *self.hands[1], *self.pile, *self.stock]
        assert sorted(everything) == list(range(52)), f"not a partition of the 52 cards: {sorted(everything)}"
        assert {len(hand) for hand in self.hands} <= {10, 11}
        assert self.taken[0] <= self.hands[0]
        assert self.taken[1] <= self.hands[1]

    def see(self, seat: int, *, offer: bool = False, knocking: bool = False) -> Seen:
        """Return what a seat sees as it is asked a question, and count the question."""
        hand, other, rules = mask_of(self.hands[seat]), 1 - seat, self.rules
        drawn = len(self.hands[seat]) == 11
        least, best = best_discards(hand, self.barred) if drawn else (deadwood(hand), [])
        self.asked[seat] += 1
        return Seen(
            hand=hand,
            upcard=self.upcard,
            drawn=self.drawn,
            barred=self.barred,
            deadwood=least,
            best_discards=mask_of(best),
            stock_cards=len(self.stock),
            turn=self.turns + 1,
            offer=int(offer),
            knocking=int(knocking),
            pile=mask_of(self.pile),
            taken=mask_of(self.taken[other]),
            declined=mask_of(self.declined[other]),
            thrown=mask_of(self.thrown[other]),
            knock_limit=self.knock_limit,
            multiplier=self.multiplier,
            is_dealer=int(seat == self.dealer_seat),
            noise=self.noise(seat, self.asked[seat] - 1),
            memory=self.memory[seat],
            my_points=list(self.sheet.points[seat]),
            their_points=list(self.sheet.points[other]),
            my_boxes=list(self.sheet.boxes[seat]),
            their_boxes=list(self.sheet.boxes[other]),
            my_needs=list(self.sheet.needs[seat]),
            their_needs=list(self.sheet.needs[other]),
            target=rules.target,
            gin_bonus=rules.gin_bonus,
            undercut_bonus=rules.undercut_bonus,
            big_gin_bonus=rules.big_gin if isinstance(rules.big_gin, int) else -1,
        )

    def play(self) -> DealLog:
        """Play to the end."""
        seat, takes = self.offer_first_upcard()
        while True:
            kind = self.play_turn(seat, takes)
            if kind != "discard":
                return self.score(seat, big_gin=kind == "big_gin")
            if len(self.stock) <= 2:
                return self.log("WALL")
            if self.turns >= self.rules.turn_cap:
                return self.log("TURN_CAP")
            seat = 1 - seat
            takes = self.asks_for_upcard(seat)

    def offer_first_upcard(self) -> tuple[int, bool]:
        """Offer the upcard to the non-dealer, then the dealer; return who plays first and if he takes it."""
        for seat in (1 - self.dealer_seat, self.dealer_seat):
            if self.asks_for_upcard(seat, offer=True):
                return seat, True
            self.moves.append((seat, "pass", self.pile[-1]))
        return 1 - self.dealer_seat, False

    def asks_for_upcard(self, seat: int, *, offer: bool = False) -> bool:
        """Ask a seat whether it takes the upcard."""
        self.upcard = self.pile[-1]
        takes = self.players[seat].take_upcard(self.see(seat, offer=offer))
        if not takes:
            self.declined[seat].add(self.pile[-1])
        return bool(takes)

    def play_turn(self, seat: int, takes: bool) -> str:
        """Draw, perhaps knock, discard; return the kind of the turn's last move."""
        self.draw(seat, takes)
        player, hand = self.players[seat], mask_of(self.hands[seat])
        can_knock = best_discards(hand, self.barred)[0] <= self.knock_limit
        knocks = can_knock and bool(player.should_knock(self.see(seat)))
        if knocks and self.rules.big_gin != "off" and is_big_gin(hand):
            self.moves.append((seat, "big_gin", NO_CARD))
        else:
            self.discard(seat, player.choose_discard(self.see(seat, knocking=knocks)), knocks)
        self.turns, self.barred, self.drawn = self.turns + 1, NO_CARD, NO_CARD
        return self.moves[-1][1]

    def draw(self, seat: int, takes: bool) -> None:
        """Take the upcard or the top of the stock."""
        card = self.pile.pop() if takes else self.stock.pop(0)
        self.hands[seat].add(card)
        self.drawn = card
        if takes:
            self.taken[seat].add(card)
            self.barred = NO_CARD if self.rules.throw_back else card
        self.moves.append((seat, "take" if takes else "draw", card))
        self.check()

    def discard(self, seat: int, card: int, knocks: bool) -> None:
        """Lay a card on the pile. Raises `IllegalMove`, and then nothing has changed."""
        kind, hand = "knock" if knocks else "discard", self.hands[seat]
        if card not in hand:
            raise IllegalMove(seat, (kind, card), "the card is not held")
        if card == self.barred:
            raise IllegalMove(seat, (kind, card), "the upcard just taken may not be thrown back")
        if knocks and deadwood(mask_of(hand - {card})) > self.knock_limit:
            raise IllegalMove(seat, (kind, card), "it leaves more than the knock limit")
        for cards in (hand, self.taken[seat]):
            cards.discard(card)
        self.pile.append(card)
        self.thrown[seat].add(card)
        self.moves.append((seat, kind, card))
        self.check()

    def score(self, knocker: int, *, big_gin: bool) -> DealLog:
        """Spread, lay off and score after a knock, a gin or a big gin."""
        hand, defender = mask_of(self.hands[knocker]), mask_of(self.hands[1 - knocker])
        left, before = deadwood(hand), deadwood(defender)
        known = mask_of(self.taken[1 - knocker])
        others = FULL_DECK & ~(hand | mask_of(self.pile) | known)
        # No layoff on gin or big gin.
        after = defender_final(knocker_spread(hand, known, others), defender) if left else before
        ending, scorer, points = score_deal(
            left, after, big_gin=big_gin, rules=self.rules, doubled=self.multiplier == 2
        )
        scorer_seat = knocker if scorer == "knocker" else 1 - knocker
        return self.log(ending, scorer_seat, knocker, points, (left, before, after))

    def log(
        self,
        ending: str,
        scorer_seat: int | None = None,
        knocker_seat: int | None = None,
        points: int = 0,
        deadwoods: tuple[int, int, int] = (NO_DEADWOOD, NO_DEADWOOD, NO_DEADWOOD),
    ) -> DealLog:
        """Return the log of the deal as it has ended."""
        self.check()
        done = (self.turns, len(self.stock), *deadwoods, self.initial_deadwood)
        return DealLog(ending, scorer_seat, knocker_seat, points, *done, self.knock_limit, self.multiplier, self.moves)


@lru_cache(maxsize=1_000)  # a turn asks two or three times
def deadwood_by_discard(eleven: int) -> dict[int, int]:
    """Map each of eleven cards to the deadwood that the other ten have.

    The ten can be melded in every way that the eleven can without the card, and in no other.
    """
    outside = [leftover(eleven, arrangement) for arrangement in arrangements(eleven)]
    return {
        card: min(points_of(rest) for rest in outside if rest >> card & 1) - PIPS[card % 13]
        for card in cards_of(eleven)
    }


def best_discards(eleven: int, barred: int) -> tuple[int, list[int]]:
    """Return the least deadwood after a legal discard, and every card that achieves it."""
    left = {card: points for card, points in deadwood_by_discard(eleven).items() if card != barred}
    least = min(left.values())
    return least, [card for card in left if left[card] == least]


def knock_limit_of(rules: Rules, first_upcard: int) -> int:
    """Return the deal's knock limit: fixed, or the points of the first upcard (Oklahoma)."""
    if isinstance(rules.knock_limit, int):
        return rules.knock_limit
    is_ace = first_upcard % 13 == 0
    return 0 if is_ace and rules.upcard_ace == "gin" else PIPS[first_upcard % 13]


def _two_sets() -> list[set[int]]:
    """Return one empty set for each seat."""
    return [set(), set()]
