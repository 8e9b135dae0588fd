"""Following the cards of a deal through its moves: who drew what from where, and what he kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sim.api import deadwood_many
from sim.cards import NO_CARD
from sim.rows import CARD_BITS, KNOCKED, TOOK
from sim.shuffle import STOCK, UPCARD_PLACE


@dataclass(frozen=True)
class Turn:
    """One completed turn: the card drawn and from where, the card thrown, and the deadwood kept (points).

    With big gin nothing is thrown (`NO_CARD`).
    """

    side: int
    drawn: int
    taken: bool
    thrown: int
    knocked: bool
    deadwood: int


class Follower:
    """Follows the cards of a deal through its moves."""

    def __init__(self, sides: Sequence[int], hands: Sequence[int], stream: Sequence[int], dealer: int) -> None:
        self.hands, self.known = list(hands), [0, 0]
        self.pile = 1 << stream[UPCARD_PLACE]
        self._sides, self._dealer, self._upcard = tuple(sides), dealer, stream[UPCARD_PLACE]
        self._stock = iter(stream[STOCK:])

    def follow(self, first: int, moves: Sequence[int]) -> tuple[tuple[int, ...], tuple[Turn, ...]]:
        """Return the sides that passed in the opening offer, and the turns; `first` makes the first of them."""
        if not moves:
            return (), ()
        offered = [1 - self._dealer, self._dealer]
        passed = offered[: offered.index(first)] if moves[0] & TOOK else offered
        steps = list(self._steps(first, moves))
        left = deadwood_many([hand for *_, hand in steps])
        turns = tuple(
            Turn(self._sides[who], drawn, bool(move & TOOK), _thrown(move), bool(move & KNOCKED), int(points))
            for (who, drawn, move, _), points in zip(steps, left, strict=True)
        )
        return tuple(self._sides[who] for who in passed), turns

    def _steps(self, first: int, moves: Sequence[int]) -> Iterator[tuple[int, int, int, int]]:
        """Yield player, card drawn, move and the hand kept, turn by turn."""
        for number, move in enumerate(moves):
            who = (first + number) % 2
            drawn = self._upcard if move & TOOK else next(self._stock)
            if move & TOOK:
                self.pile ^= 1 << drawn
                self.known[who] |= 1 << drawn
            self.hands[who] |= 1 << drawn
            if _thrown(move) != NO_CARD:
                self._throw(who, _thrown(move))
            yield who, drawn, move, self.hands[who]

    def _throw(self, who: int, card: int) -> None:
        assert self.hands[who] >> card & 1, "the moves do not fit the cards"
        self.hands[who] ^= 1 << card
        self.known[who] &= ~(1 << card)
        self.pile |= 1 << card
        self._upcard = card


def _thrown(move: int) -> int:
    card = move & CARD_BITS
    return NO_CARD if card == CARD_BITS else card
