"""What makes duplicate pairs exact: the seats swap and nothing else changes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.presets import preset_rules
from sim.rows import DEAL_FIELDS, MATCH_FIELDS, NOBODY, TIE, Field
from tests.support.kernel_match import kernel_rows

RULES = preset_rules("hollywood", {"game_bonus": 100, "box_bonus": 25, "shutout_doubles": True})
NAMES_A_SIDE = {"first_dealer", "match_winner", "column_winner", "dealer", "scorer", "knocker"}
PAIRS = 300


@pytest.mark.parametrize("player", ["greedy", "simple", "gin-only"])
def test_a_player_against_itself_wins_exactly_half_of_every_pair(player: str) -> None:
    rows = kernel_rows(player, player, RULES, 3, PAIRS).matches
    score = np.where(rows["match_winner"] == TIE, 0.5, rows["match_winner"] == 0)
    assert (score[::2] + score[1::2] == 1).all()
    assert (rows["settlement"][::2] + rows["settlement"][1::2] == 0).all()


@pytest.mark.parametrize(("a", "b"), [("greedy", "simple"), ("threshold:knock_at=3", "gin-only")])
def test_naming_the_players_the_other_way_round_mirrors_every_row(a: str, b: str) -> None:
    one, other = kernel_rows(a, b, RULES, 4, PAIRS), kernel_rows(b, a, RULES, 4, PAIRS)
    swapped_legs = np.arange(2 * PAIRS) ^ 1
    for field in MATCH_FIELDS:
        if field.name != "leg":
            expected = _mirrored(field, one.matches)[swapped_legs]
            assert (other.matches[field.name] == expected).all(), field.name
    order = np.lexsort((one.deals["deal"], 1 - one.deals["leg"], one.deals["pair"]))
    for field in DEAL_FIELDS:
        if field.name != "leg":
            assert (other.deals[field.name] == _mirrored(field, one.deals)[order]).all(), field.name


def _mirrored(field: Field, rows: Any) -> Any:
    """Return a column as it must be with the sides named the other way round."""
    values = rows[field.name]
    if "side" in field.shape:
        return np.concatenate([values[..., 1::-1], values[..., 2:]], axis=-1)  # a third side is never there
    if field.name in NAMES_A_SIDE:
        return np.where(values < 2, 1 - values.astype(int), values)
    return -values if field.name == "settlement" else values


def test_a_side_is_named_only_where_the_mirror_turns_it_round() -> None:
    told = {field.name for field in (*MATCH_FIELDS, *DEAL_FIELDS) if "0 = side A" in field.doc}
    assert told == NAMES_A_SIDE
    assert NOBODY > 1
