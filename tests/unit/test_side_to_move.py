"""Who holds a deal up is told from the desk alone, whatever he was asked when he was last heard of."""

from __future__ import annotations

import pytest

from sim.match import block_kernel, line_up, new_desk
from sim.records import records
from sim.rows import DEAL_ROW, MATCH_ROW
from sim.rules import Rules
from sim.trouble import side_to_move
from strategies.registry import bind, parse_spec

TAKE, THROW, KNOCK = 1, 2, 3
SOURCE = '''"""Raises in one kind of decision, from some turn on."""

from typing import NamedTuple

from sim.api import Strategy, TurnView, trailing_zeros


class Params(NamedTuple):
    raises_in: int = 0
    turn: int = 1
    takes: int = 0


def take_upcard(view: TurnView, p: Params) -> bool:
    if p.raises_in == 1 and view.turn >= p.turn:
        raise ValueError("held up")
    return p.takes == 1


def choose_discard(view: TurnView, p: Params) -> int:
    if p.raises_in == 2 and view.turn >= p.turn:
        raise ValueError("held up")
    return trailing_zeros(view.best_discards)


def should_knock(view: TurnView, p: Params) -> bool:
    if p.raises_in == 3 and view.turn >= p.turn:
        raise ValueError("held up")
    return False


STRATEGY = Strategy(
    name="raises",
    summary="raises",
    source="this test",
    take_upcard=take_upcard,
    choose_discard=choose_discard,
    should_knock=should_knock,
    params=Params,
)
'''


@pytest.fixture(scope="module")
def player(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the path of a player which raises where its parameters say."""
    path = tmp_path_factory.mktemp("players") / "raises.py"
    path.write_text(SOURCE, encoding="utf-8")
    return str(path)


def held_up_by(a: str, b: str) -> int:
    """Play A against B until one raises; return the side that the desk says is to move."""
    players = [bind(parse_spec(text)) for text in (a, b)]
    desk = new_desk(Rules(), 7, tuple(player.params for player in players))
    with pytest.raises(ValueError, match="held up"):
        block_kernel()(line_up(*players), desk, 0, records(200, MATCH_ROW), records(1, DEAL_ROW), False)
    return side_to_move(desk)


@pytest.mark.parametrize("takes", [0, 1])
@pytest.mark.parametrize(
    ("decision", "turn"), [(TAKE, 1), (TAKE, 2), (TAKE, 6), (THROW, 1), (THROW, 2), (THROW, 5), (KNOCK, 1), (KNOCK, 9)]
)
def test_side_that_does_not_answer_is_named(decision: int, turn: int, takes: int, player: str) -> None:
    culprit, fine = f"{player}:raises_in={decision},turn={turn},takes={takes}", f"{player}:takes={takes}"
    assert (held_up_by(culprit, fine), held_up_by(fine, culprit)) == (0, 1)


def test_non_dealer_who_plays_after_both_have_passed_is_not_taken_for_the_dealer(player: str) -> None:
    culprit = f"{player}:raises_in={THROW}"
    for fine in (player, "gin-only"):
        assert (held_up_by(culprit, fine), held_up_by(fine, culprit)) == (0, 1)
