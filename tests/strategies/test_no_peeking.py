"""No player can know what is hidden from it: neither the engine nor a memory of its own tells it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.view import DECISIONS, TURN_VIEW
from strategies.registry import MODULES, bind, parse_spec
from tests.support.hidden_cards import LEAKS, searched
from tests.support.strategy_positions import positions


def test_views_are_the_same_whatever_the_opponent_holds_and_the_stock_brings() -> None:
    found = searched()["none"]
    assert found.differences == []


def test_search_looks_at_every_kind_of_decision_with_other_cards_behind_it() -> None:
    found = searched()["none"]
    assert set(found.compared) == set(DECISIONS)
    assert min(found.compared.values()) >= 5
    assert sum(found.compared.values()) > 300
    assert found.swapped > 0.9 * sum(found.compared.values())


@pytest.mark.parametrize("leak", LEAKS)
def test_search_finds_a_view_that_gives_something_away(leak: str) -> None:
    assert searched()[leak].differences


@pytest.mark.parametrize("name", MODULES)
def test_answer_depends_on_the_view_alone_whatever_was_asked_before(name: str) -> None:
    player, questions = bind(parse_spec(name)), positions(100)

    def answer(decision: str, view: Any) -> int:
        mine = np.array([np.array(view, TURN_VIEW)]).view(np.recarray)[0]
        mine.params[: len(player.params)] = player.params
        return int(getattr(player, decision)(mine))

    forwards = [answer(*question) for question in questions]
    backwards = [answer(*question) for question in reversed(questions)]
    assert forwards == backwards[::-1]
