"""A search for leaks in the view: the same deal with the cards a player cannot know dealt anew, before each decision.

Run as a program with ``NUMBA_DISABLE_JIT=1``. Side A answers from its view alone, side B by chance and, when a deal is
played again, as before. Before each decision of A all places of the card stream that A has not seen are dealt anew:
the opponent's hidden cards and the stock, in its order. Whatever A was shown up to there must be the same byte by byte.
`searched` starts the program in a process of its own and reads what it found, without a leak and with one of `LEAKS`.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from sim import deal as deal_kernel
from sim.bits import bit, pick, trailing_zeros
from sim.cards import cards_of
from sim.decisions import BoundStrategy
from sim.match import block_kernel, line_up, new_desk
from sim.melds import deadwood
from sim.presets import preset_rules
from sim.records import records
from sim.replay import deal_out
from sim.rows import DEAL_ROW, MATCH_ROW
from sim.shuffle import UPCARD_PLACE
from sim.view import TURN_VIEW

ROOT = Path(__file__).parents[2]
SEED = 77
DEALS, LEAKY_DEALS = 12, 2
ROOM = 50
"""Deal rows kept; the first deal is broken off long before."""


class Found(NamedTuple):
    """What a search came to: A's decisions compared by kind, in how many B's cards were others, views that differ."""

    compared: dict[str, int]
    swapped: int
    differences: list[str]


class _Enough(Exception):
    """The deal has been followed as far as it matters."""


@dataclass
class _Playing:
    """One deal played: what A was shown, question by question, what B answered, and who came to which cards."""

    rules: Any
    pair: int
    answers: list[int] | None = None
    stop_after: int | None = None
    shown: list[tuple[str, bytes]] = field(default_factory=list)
    seen: list[int] = field(default_factory=list)
    answered: list[int] = field(default_factory=list)
    hidden: list[int] = field(default_factory=list)
    """B's hand (mask) at each decision of A."""
    known: list[frozenset[int]] = field(default_factory=list)
    """Cards that A has seen at each of its decisions."""
    desk: Any = None

    def play(self, stream: list[int] | None = None) -> list[int]:
        """Play the first deal of the pair, perhaps from another card stream; return the stream."""
        self.desk = new_desk(self.rules, SEED, ((), ()))
        deal_out(self.desk.decks, self.pair, 0)
        deck = self.desk.decks[0]
        if stream is not None:
            deck.cards[:] = stream
            deck.hands[1] = sum(1 << card for card in stream[10:20])
            deck.deadwood[1] = deadwood(deck.hands[1])
        dealt = [int(card) for card in deck.cards]
        players = (self._bound(self._asks_a), self._bound(self._asks_b))
        rows = records(2, MATCH_ROW), records(ROOM, DEAL_ROW)
        with suppress(_Enough):
            block_kernel()(line_up(*players), self.desk, self.pair, *rows, True)
            raise AssertionError("the first deal of the pair should have ended it")
        return dealt

    def _bound(self, asks: Callable[[str, Any], int]) -> BoundStrategy:
        return BoundStrategy(
            "hidden cards",
            take_upcard=lambda view: bool(asks("take_upcard", view)),
            choose_discard=lambda view: asks("choose_discard", view),
            should_knock=lambda view: bool(asks("should_knock", view)),
            params=(),
        )

    def _asks_a(self, decision: str, view: Any) -> int:
        table = self.desk.table[0]
        if table.deal or table.leg:
            raise _Enough
        self.shown.append((decision, np.array(view, TURN_VIEW).tobytes()))
        # Not from the fields that tell of the opponent: what they give away by mistake would count as known.
        before = self.known[-1] if self.known else frozenset({int(self.desk.decks[0].cards[UPCARD_PLACE])})
        self.known.append(before | {int(view.upcard), *cards_of(int(view.hand))})
        self.hidden.append(int(self.desk.holdings[1].hand))
        if self.stop_after is not None and len(self.shown) > self.stop_after:
            raise _Enough
        if decision == "choose_discard" and int(view.noise) % 5:
            return int(pick(view.best_discards, view.noise))
        return _by_chance(decision, view, knocks=int(view.noise) % 3 == 0)

    def _asks_b(self, decision: str, view: Any) -> int:
        table = self.desk.table[0]
        if table.deal or table.leg:
            raise _Enough
        if decision == "should_knock":  # whether it is asked depends on cards that may be dealt anew
            return 0
        answer = _by_chance(decision, view, knocks=False)
        if self.answers is not None:
            answer = self.answers[len(self.answered)]
        self.answered.append(answer)
        return answer


def _by_chance(decision: str, view: Any, *, knocks: bool) -> int:
    if decision == "take_upcard":
        return int(view.noise) >> 7 & 1
    if decision == "should_knock":
        return int(knocks)
    if view.knocking:
        return int(trailing_zeros(view.best_discards))
    barred = bit(view.barred) if view.barred >= 0 else np.uint64(0)
    return int(pick(view.hand & ~barred, view.noise))


def search(deals: int) -> Found:
    """Play so many deals, each again with the hidden cards dealt anew before every decision of A."""
    dice, found = random.Random(SEED), Found({}, 0, [])
    swapped = 0
    for pair in range(deals):
        rules = preset_rules("hollywood", {"first_dealer": "ab"[pair % 2], "big_gin": "off"})
        first = _Playing(rules, pair)
        stream = first.play()
        for place, (decision, _) in enumerate(first.shown):
            again = _Playing(rules, pair, answers=first.answered, stop_after=place)
            again.play(_dealt_anew(stream, first.known[place], dice))
            found.compared[decision] = found.compared.get(decision, 0) + 1
            swapped += again.hidden[-1] != first.hidden[place]
            if again.shown != first.shown[: place + 1]:
                found.differences.append(f"pair {pair}, question {place}, {decision}")
    return found._replace(swapped=swapped)


def _dealt_anew(stream: list[int], known: frozenset[int], dice: random.Random) -> list[int]:
    """Return a card stream with the cards that are not known in another order, on the places they had."""
    places = [place for place, card in enumerate(stream) if card not in known]
    cards, anew = [stream[place] for place in places], list(stream)
    dice.shuffle(cards)
    for place, card in zip(places, cards, strict=True):
        anew[place] = card
    return anew


def _shows_the_hand(view: Any, table: Any, mine: Any, theirs: Any) -> None:
    view.taken = theirs.hand


def _counts_the_deadwood(view: Any, table: Any, mine: Any, theirs: Any) -> None:
    view.multiplier = 1 + (theirs.deadwood > mine.deadwood)


def _hints_at_the_hand(view: Any, table: Any, mine: Any, theirs: Any) -> None:
    view.memory[7] = theirs.hand & np.uint64(1)


def _tells_odd_deadwood(view: Any, table: Any, mine: Any, theirs: Any) -> None:
    view.memory[6] = theirs.deadwood % 2


LEAKS: dict[str, Callable[[Any, Any, Any, Any], None]] = {
    "the opponent's whole hand": _shows_the_hand,
    "whether the opponent has more deadwood": _counts_the_deadwood,
    "whether the opponent holds the ace of clubs": _hints_at_the_hand,
    "whether the opponent's deadwood is odd": _tells_odd_deadwood,
}
"""What a faulty `show_turn` might give away."""


@cache
def searched() -> dict[str, Found]:
    """Return what a process without compiled code found: by leak, and as "none" without one."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "tests.support.hidden_cards"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return {leak: Found(*found) for leak, found in json.loads(done.stdout).items()}


def _report() -> dict[str, Found]:
    found = {"none": search(DEALS)}
    kernel: Any = deal_kernel
    faultless = kernel.show_turn

    def faulty(leak: Callable[[Any, Any, Any, Any], None]) -> Callable[..., None]:
        def show_turn(view: Any, table: Any, mine: Any, theirs: Any) -> None:
            faultless(view, table, mine, theirs)
            leak(view, table, mine, theirs)

        return show_turn

    for name, leak in LEAKS.items():
        kernel.show_turn = faulty(leak)
        found[name] = search(LEAKY_DEALS)
    return found


if __name__ == "__main__":
    with np.errstate(over="ignore"):  # uint64 wraps on purpose
        print(json.dumps(_report()))
