"""The deal, sheet and match kernels against the plain-Python reference engine, row by row and move by move."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from sim.presets import PRESETS, preset_rules
from sim.rows import MATCH_FIELDS, NOBODY, TIE, TIE_OF_THREE, TOOK, Ending
from sim.rules import FORMS, PARTNERSHIP, THREE_HANDED, TWO_HANDED, Rules
from tests.support import naive_melds, reference_watcher
from tests.support.kernel_match import Rows, first_dealer_seat, kernel_block, reference_match_of
from tests.support.reference_deal import deadwood_by_discard
from tests.support.reference_rows import deal_row, match_row, move_bytes

SEED = 99
Options = dict[str, object]

# For every form of play; with the presets and, for two sides, those below they use every option and its every word.
OF_ALL: dict[str, Options] = {
    "strict carry": {"carry": "strict"},
    "closing by player": {"closing": "player", "target": 60},
    "strict carry, closing by player": {"carry": "strict", "closing": "player", "target": 50},
    "first column decides": {"match_winner": "first_column"},
    "knocker wins ties, zero wins do not count": {"tie": "knocker", "count_zero_wins": False},
    "knocker wins ties, zero wins count": {"tie": "knocker", "gin_bonus": 20},
    "oklahoma": {"knock_limit": "upcard", "spade_doubles": True},
    "ace means gin, strict carry": {"knock_limit": "upcard", "upcard_ace": "gin", "carry": "strict"},
    "loser deals, low card deals first": {"next_dealer": "loser", "first_dealer": "cut"},
    "dealing in turn, short deals": {"next_dealer": "alternate", "turn_cap": 14, "throw_back": True, "knock_limit": 6},
    "one column": {"columns": 1},
    "straight gin, big gin": {"knock_limit": 0, "big_gin": 31},
}
OF_TWO_SIDES: dict[str, Options] = {
    **OF_ALL,
    "settled in full, A deals first": {
        "game_bonus": 100,
        "box_bonus": 25,
        "shutout_doubles": True,
        "third_column_doubled": True,
        "match_winner": "total",
        "first_dealer": "a",
    },
    "settled as each closes, B deals first": {
        "big_gin": 50,
        "box_bonus": 25,
        "closing": "player",
        "match_winner": "total",
        "first_dealer": "b",
    },
}
PLAINEST = {TWO_HANDED: "hollywood", PARTNERSHIP: "partnership", THREE_HANDED: "three-handed"}
VARIANTS = {TWO_HANDED: OF_TWO_SIDES, PARTNERSHIP: OF_TWO_SIDES, THREE_HANDED: OF_ALL}

SIMPLE, GREEDY, RANDOM, EARLY, GIN = "simple", "greedy", "random", "threshold:knock_at=5", "gin-only"
WATCHER = str(Path(reference_watcher.__file__))
# Nobody plays twice at once: whoever is mistaken for another soon plays other moves. Watcher sits at either table, to
# see the sheet from both.
TABLES: dict[str, list[tuple[str, ...]]] = {
    TWO_HANDED: [(GREEDY, EARLY), (SIMPLE, GIN), (SIMPLE, RANDOM), (WATCHER, GREEDY)],
    PARTNERSHIP: [(SIMPLE, GREEDY, EARLY, GIN), (GREEDY, EARLY, WATCHER, SIMPLE), (GIN, WATCHER, SIMPLE, RANDOM)],
    THREE_HANDED: [(SIMPLE, GREEDY, EARLY), (GREEDY, WATCHER, GIN), (RANDOM, SIMPLE, WATCHER)],
}
TABLES_A_RULE_SET = {TWO_HANDED: 4, PARTNERSHIP: 3, THREE_HANDED: 1}
LEAST_DEALS = {TWO_HANDED: 2_000, PARTNERSHIP: 1_000, THREE_HANDED: 1_000}


class Case(NamedTuple):
    """Rules, the players in the order of the rules, and the pair they play."""

    name: str
    rules: Rules
    players: tuple[str, ...]
    pair: int

    def __str__(self) -> str:
        return f"{self.rules.form}, {self.name}: {' '.join(Path(player).stem for player in self.players)}"


class Match(NamedTuple):
    """One match of a kernel: its MATCH_ROW, its DEAL_ROW rows and their moves."""

    row: Any
    deals: Any
    moves: Any


def _rule_sets(form: str) -> dict[str, Rules]:
    """Return all presets of a form of play, and the variants of its plainest one, by name."""
    presets = {name: preset_rules(name) for name, preset in PRESETS.items() if preset.form == form}
    return presets | {name: preset_rules(PLAINEST[form], options) for name, options in VARIANTS[form].items()}


def _cases(form: str) -> Iterator[Case]:
    for place, (name, rules) in enumerate(_rule_sets(form).items()):
        # When a column stays open to each, Random takes hundreds of deals to fill its own.
        tables = [players for players in TABLES[form] if rules.closing == "column" or RANDOM not in players]
        turns = range(place, place + min(TABLES_A_RULE_SET[form], len(tables)))
        for players in (tables[turn % len(tables)] for turn in turns):
            yield Case(name, rules, players, place)


CASES = {str(case): case for form in FORMS for case in _cases(form)}
every_case = pytest.mark.parametrize("name", CASES)


@cache  # the rows of a case are looked at by several tests
def _played(name: str) -> Rows:
    case = CASES[name]
    return kernel_block(case.players, case.rules, SEED, range(case.pair, case.pair + 1))


def _matches(rows: Rows) -> Iterator[Match]:
    """Divide the rows of a block by match."""
    stop = 0
    for row in rows.matches:
        start, stop = stop, stop + int(row["deals_played"])
        yield Match(row, rows.deals[start:stop], rows.moves[start:stop])
    assert stop == len(rows.deals) == len(rows.moves)


# --- row by row, move by move


@every_case
def test_kernel_and_reference_engine_play_the_same_matches(name: str) -> None:
    case = CASES[name]
    for match in _matches(_played(name)):
        _assert_same_match(case.rules, case.players, match)


def _assert_same_match(rules: Rules, players: tuple[str, ...], match: Match) -> None:
    log = reference_match_of(players, rules, SEED, match.row)
    for index, (deal, moves) in enumerate(zip(match.deals, match.moves, strict=True)):
        assert _fields(deal) == deal_row(log, index)
        assert moves[: deal["turns"]].tolist() == move_bytes(log.deals[index])
        assert deal[["pair", "leg"]] == match.row[["pair", "leg"]]
    found = _fields(match.row)
    for field in MATCH_FIELDS:
        if "side" in field.shape:  # the record has room for three
            found[field.name] = match.row[field.name][..., : rules.sides].tolist()
    assert found == match_row(log)


def _fields(row: Any) -> dict[str, object]:
    """Return the fields of a row but pair and leg."""
    return {name: row[name].tolist() for name in row.dtype.names if name not in ("pair", "leg")}


def test_reference_engine_sees_what_every_discard_leaves() -> None:
    rng = random.Random(SEED)
    for number in range(400):
        cards = [card for card in range(52) if number % 2 or card % 13 < 5]  # half of them where melds clash
        hand = naive_melds.mask_of(rng.sample(cards, 11))
        assert deadwood_by_discard(hand) == naive_melds.deadwood_by_discard(hand)


@every_case
def test_a_pair_is_played_in_all_legs_from_one_first_dealing_seat(name: str) -> None:
    rules, rows = CASES[name].rules, _played(name).matches
    assert rows[["pair", "leg"]].tolist() == [(CASES[name].pair, leg) for leg in range(rules.legs)]
    if rules.first_dealer in ("a", "b"):
        assert set(rows["first_dealer"].tolist()) == {"ab".index(rules.first_dealer)}
    else:
        assert len({first_dealer_seat(rules, row) for row in rows}) == 1


# --- what was compared


@pytest.mark.parametrize("form", FORMS)
def test_compared_deals_are_thousands_and_of_every_common_kind(form: str) -> None:
    rows = [_played(name) for name, case in CASES.items() if case.rules.form == form]
    matches = np.concatenate([block.matches for block in rows])
    deals = np.concatenate([block.deals for block in rows])
    moves = np.concatenate([block.moves for block in rows])
    assert len(deals) >= LEAST_DEALS[form]
    assert set(Ending) - set(deals["ending"].tolist()) <= {Ending.BIG_GIN}
    assert len(set((moves[:, 0] & TOOK).tolist())) == 2  # the first upcard, taken and passed
    sides = set(range(3 if form == THREE_HANDED else 2))
    assert set(matches["first_dealer"].tolist()) == set(deals["dealer"].tolist()) == sides
    for column in (matches["match_winner"], deals["scorer"], deals["knocker"]):
        assert sides <= set(column.tolist())


Found = Callable[[Match], Any]
"""Tells whether a match is of a rare kind."""


def _scored(match: Match) -> Any:
    return match.deals["scorer"] != NOBODY


def _entered_nothing(match: Match) -> Any:
    return (_scored(match) & (match.deals["columns_entered"] == 0)).any()


def _netted_to_nothing(match: Match) -> Any:
    """Tell whether some round of two scored deals entered nothing."""
    entered = match.deals["columns_entered"].reshape(-1, 2).any(axis=1)
    return (_scored(match).reshape(-1, 2).all(axis=1) & ~entered).any()


def _scored_no_points(match: Match) -> Any:
    return (_scored(match) & (match.deals["points"] == 0)).any()


def _tied(match: Match) -> Any:
    return match.row["match_winner"] == TIE


def _tied_by_three(match: Match) -> Any:
    return match.row["match_winner"] == TIE_OF_THREE


def _went_big_gin(match: Match) -> Any:
    return (match.deals["ending"] == Ending.BIG_GIN).any()


RARE: dict[str, tuple[str, Options, Found]] = {
    "big gin": (TWO_HANDED, {"big_gin": 31, "knock_limit": 0}, _went_big_gin),
    "big gin of partners": (PARTNERSHIP, {"big_gin": 31, "knock_limit": 0}, _went_big_gin),
    "big gin of three": (THREE_HANDED, {"big_gin": 31, "knock_limit": 0}, _went_big_gin),
    "totals tie": (TWO_HANDED, {"match_winner": "first_column"}, _tied),
    "partners' totals tie": (PARTNERSHIP, {"match_winner": "first_column"}, _tied),
    "settled points tie": (TWO_HANDED, {"match_winner": "total", "target": 30}, _tied),
    "partners' settled points tie": (PARTNERSHIP, {"match_winner": "total", "target": 30}, _tied),
    "one column each": (THREE_HANDED, {}, _tied_by_three),
    "two highest totals of three tie": (THREE_HANDED, {"match_winner": "first_column"}, _tied_by_three),
    "win of no points": (TWO_HANDED, {"tie": "knocker"}, _scored_no_points),
    "win of no points, not counted": (TWO_HANDED, {"tie": "knocker", "count_zero_wins": False}, _scored_no_points),
    "win of no points by one of three": (THREE_HANDED, {"tie": "knocker"}, _scored_no_points),
    "win of no points by one of three, not counted": (
        THREE_HANDED,
        {"tie": "knocker", "count_zero_wins": False},
        _scored_no_points,
    ),
    "win lost to closed columns": (TWO_HANDED, {"carry": "strict"}, _entered_nothing),
    "win of one of three lost to closed columns": (THREE_HANDED, {"carry": "strict"}, _entered_nothing),
    "round netted to nothing": (PARTNERSHIP, {}, _netted_to_nothing),
}
BLOCKS, FEW = [range(first, first + 250) for first in range(1_000, 5_000, 250)], 3
"""Blocks of pairs to look for a rare kind of match in, and how many matches are compared."""


@pytest.mark.parametrize("kind", RARE)
def test_rare_matches_are_the_same_too(kind: str) -> None:
    form, options, is_rare = RARE[kind]
    rules, players = preset_rules(PLAINEST[form], options), TABLES[form][0]
    blocks = (kernel_block(players, rules, SEED, pairs) for pairs in BLOCKS)
    found = list(islice((match for rows in blocks for match in _matches(rows) if is_rare(match)), FEW))
    assert found
    for match in found:
        _assert_same_match(rules, players, match)
