"""The sheet kernels against the naive sheet under every option, the shared cases and the seeds' sheets."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from typing import Any

import numpy as np
import pytest
from numba import from_dtype, types

from sim import sheet as sheets
from sim.evening import REJECTED, Evening, Line, Scored, read_evening, score_evening
from sim.jit import entry
from sim.presets import preset_rules
from sim.rows import NOBODY
from sim.rules import RULE_CODES, Rules
from sim.sheet import SHEET, new_sheet
from tests.support.naive_sheet import NaiveSheet
from tests.support.shared_cases import Case, cases, sheet_options

SIDES = "AB"
SHEETS = 20_000
_SHEETS, _RULES = (types.Array(from_dtype(record), 1, "C") for record in (SHEET, RULE_CODES))
_NUMBERS = types.Array(types.int64, 2, "C")

OPTIONS: dict[str, tuple[object, ...]] = {
    "columns": (3, 3, 3, 1),
    "target": (1, 40, 60, 100, 150),
    "carry": ("carry", "carry", "strict"),
    "closing": ("column", "column", "player"),
    "match_winner": ("majority", "total", "first_column"),
    "count_zero_wins": (True, False),
    "game_bonus": (0, 100),
    "box_bonus": (0, 25),
    "shutout_doubles": (False, True),
    "third_column_doubled": (False, True),
}
"""Every option of the sheet and the values that are tried."""


def named(found: list[Case]) -> pytest.MarkDecorator:
    """Run a test once for each of these cases, under the case's own id."""
    return pytest.mark.parametrize("case", found, ids=lambda case: case.id)


def scored(rules: Rules, events: list[str]) -> Scored:
    """Score events such as ``A 10`` and ``void``; A is side A, whoever wins first."""
    lines = read_evening(["A 0", *events]).lines[1:]
    return score_evening(Evening(("A", "B"), lines), rules)


# --- the naive sheet


@cache
def all_rules() -> list[Rules]:
    rng = random.Random(3)
    return [Rules().with_options({name: rng.choice(values) for name, values in OPTIONS.items()}) for _ in range(2_000)]


def test_the_random_sheets_use_every_value_of_every_option() -> None:
    for name, values in OPTIONS.items():
        assert {getattr(rules, name) for rules in all_rules()} == set(values)


def random_evening(rng: random.Random, target: int) -> Evening:
    """Draw wins for a sheet that may end early, late or not at all; one side is often far ahead."""
    favour = rng.choice((0.5, 0.5, 0.2, 0.05))
    most = max(3, target // rng.choice((1, 2, 5)))
    step = rng.choice((1, 1, most))  # equal numbers tie
    lines = []
    for _ in range(rng.randint(1, 18)):
        dice = rng.random()
        side = None if dice < 0.03 else int(rng.random() < favour)
        lines.append(Line(side, "", 0 if dice < 0.15 else step * rng.randint(1, most // step)))
    return Evening(("A", "B"), tuple(lines))


@entry(types.void(_SHEETS, _RULES, _NUMBERS, _NUMBERS))
def _enter_all(sheet: Any, rules: Any, lines: Any, log: Any) -> None:
    """Enter lines (side, points) on a sheet, noting the columns each entered, -1 once the match was over."""
    for deal in range(lines.shape[0]):
        if sheets.is_over(sheet[0], rules[0]):
            log[deal, 0] = -1
        elif lines[deal, 0] >= 0:
            log[deal, 0] = sheets.enter(sheet[0], rules[0], lines[deal, 0], lines[deal, 1], deal)
    last = lines.shape[0]
    log[last, 6] = sheets.is_over(sheet[0], rules[0])
    log[last, 7] = sheets.match_winner(sheet[0], rules[0]) if log[last, 6] else NOBODY
    for column in range(rules[0].columns):
        for side in range(2):
            log[last, 3 * side + column] = sheets.wins_needed(sheet[0], rules[0], column, side)


def scored_at_once(evening: Evening, rules: Rules, codes: Any) -> tuple[Scored, list[list[int]]]:
    """Score an evening in one compiled call, otherwise as `score_evening`; return also who needs what."""
    lines = np.array([(-1 if line.side is None else line.side, line.points) for line in evening.lines], np.int64)
    log, sheet = np.zeros((len(lines) + 1, 8), np.int64), new_sheet()
    _enter_all(sheet, codes, lines, log)
    *masks, last = log.tolist()
    entered = [REJECTED if mask < 0 else [c + 1 for c in range(3) if mask >> c & 1] for mask, *_ in masks]
    found = Scored(evening, rules, sheet, entered, winner=last[7], over=bool(last[6]))
    return found, [last[3 * side : 3 * side + rules.columns] for side in (0, 1)]


def naively_scored(evening: Evening, rules: Rules) -> tuple[NaiveSheet, list[list[int] | str]]:
    """Enter an evening on the naive sheet; return it and what each line entered."""
    sheet, entered = NaiveSheet(rules), list[list[int] | str]()
    for line in evening.lines:
        if sheet.is_over:
            entered.append(REJECTED)
        else:
            entered.append([] if line.side is None else sheet.enter(line.side, line.points))
    return sheet, entered


def by_side(values: list[list[int]]) -> dict[str, list[int]]:
    return dict(zip(SIDES, values, strict=True))


def naive_document(sheet: NaiveSheet, entered: list[list[int] | str]) -> dict[str, Any]:
    winner = sheet.winner()
    return {
        "totals": by_side(sheet.totals),
        "entered": entered,
        "closed_by": [None if side is None else SIDES[side] for side in sheet.closed_by],
        "boxes": by_side(sheet.boxes),
        "settlement": [
            None if won is None else {"winner": SIDES[won[0]], "net": won[1], "shutout": won[2]}
            for won in sheet.settlement()
        ],
        "match_winner": SIDES[winner] if isinstance(winner, int) else winner,
        "names": {"A": "A", "B": "B"},
    }


def test_random_sheets_equal_the_naive_sheet_under_every_option() -> None:
    rng = random.Random(1)
    codes = [rules.codes() for rules in all_rules()]
    seen = Counter[str]()
    for number in range(SHEETS):
        place = number % len(codes)
        rules = all_rules()[place]
        evening = random_evening(rng, rules.target)
        found, needs = scored_at_once(evening, rules, codes[place])
        sheet, entered = naively_scored(evening, rules)
        assert found.document() == naive_document(sheet, entered), (rules, evening)
        assert found.over is sheet.is_over
        assert needs == [sheet.needs(0), sheet.needs(1)], (rules, evening)
        seen["over"] += found.over
        seen[f"won by {sheet.winner()}"] += 1
        seen[REJECTED] += REJECTED in entered
        seen["settled for a loss"] += any(won is not None and won[1] < 0 for won in sheet.settlement())
    assert len(seen) == 7  # won by 0, 1, tie and None
    assert min(seen.values()) > 20, seen


def test_scoring_line_by_line_comes_to_the_same() -> None:
    rng = random.Random(4)
    for rules in all_rules()[:500]:
        evening = random_evening(rng, rules.target)
        found, (at_once, needs) = score_evening(evening, rules), scored_at_once(evening, rules, rules.codes())
        assert found.document() == at_once.document()
        assert [[found.needs(column, side) for column in range(rules.columns)] for side in (0, 1)] == needs


# --- invariants


def test_columns_close_in_order_and_totals_never_rise_from_left_to_right() -> None:
    rng, rules, codes = random.Random(2), Rules(), Rules().codes()
    finished = 0
    for _ in range(1_000):
        evening = random_evening(rng, rules.target)
        for length in range(1, len(evening.lines) + 1):
            part = Evening(evening.names, evening.lines[:length])
            sheet = scored_at_once(part, rules, codes)[0].sheet[0]
            closed, winners, points = sheet.closed.tolist(), sheet.winner.tolist(), sheet.points.tolist()
            assert closed == sorted(closed)  # a column that is open has the largest number
            for side in (0, 1):
                totals = [points[column][side] for column in range(3) if winners[column] == NOBODY]
                assert totals == sorted(totals, reverse=True), part
        finished += NOBODY not in winners
    assert finished > 200


# --- the shared cases and the rules page


def case_rules(case: Case, options: dict[str, object]) -> Rules:
    """Read the rules of a Hollywood case; where it settles nothing, bonuses do not matter."""
    return Rules().with_options({**sheet_options(case), **options})


@named(cases("hollywood_score"))
def test_hollywood_sheet(case: Case) -> None:
    found = scored(case_rules(case, {}), case.input["events"]).document()
    wanted = ("totals", "boxes", "closed_by", "entered", "settlement")
    assert {name: found[name] for name in wanted if name in case.expected} == {
        name: case.expected[name] for name in wanted if name in case.expected
    }
    assert found["totals"] == case.expected.get("hand_check", found["totals"])


READINGS: dict[str, dict[str, object]] = {
    "strict": {"carry": "strict"},
    "zero not counted": {"count_zero_wins": False},
}
WRONG = {"sequential opening (wrong)"}
"""A misreading that no option offers: our sheet must differ from it."""


def test_other_readings_are_options() -> None:
    seen = set()
    for case in cases("hollywood_score"):
        for reading, expected in case.expected.get("other_readings", {}).items():
            found = scored(case_rules(case, READINGS.get(reading, {})), case.input["events"]).document()
            same = all(found[name] == expected[name] for name in ("totals", "closed_by"))
            assert same is (reading not in WRONG), (case.id, reading)
            seen.add(reading)
    assert seen == READINGS.keys() | WRONG


def test_the_known_sheets_of_the_seeds() -> None:
    bob = score_evening(read_evening(["Bob 10", "Alexandra 18", "Bob 30", "Bob 4"]), Rules())
    assert bob.evening.names == ("Bob", "Alexandra")
    assert bob.document()["totals"] == {"A": [44, 34, 4], "B": [18, 0, 0]}
    sean = score_evening(read_evening(["Sean 10", "Sean 4", "Sean 12", "Clint 29"]), Rules())
    assert sean.document()["totals"] == {"A": [26, 16, 12], "B": [29, 0, 0]}
    assert sean.entered == [[1], [1, 2], [1, 2, 3], [1]]


# --- ordinary gin rummy: one column


def test_an_undercut_that_ends_the_game_pays_the_bonus_to_the_undercutter() -> None:
    (case,) = [case for case in cases("hand_score") if case.id == "HS-18"]
    given, expected = case.input, case.expected
    rules = preset_rules("eaai", {"target": given["target"], "game_bonus": given["game_bonus"]})
    before = [f"{side} {points}" for side, points in given["scores_before"].items()]
    found = scored(rules, [*before, f"{expected['hand_winner']} {expected['hand_points']}"])
    document = found.document()
    assert document["totals"] == {side: [total] for side, total in expected["scores_after"].items()}
    assert found.over is expected["game_over"]
    assert document["match_winner"] == document["settlement"][0]["winner"] == expected["game_bonus_to"]


@named([case for case in cases("hand_score") if "game" in case.input])
def test_ordinary_gin_rummy_is_a_sheet_of_one_column(case: Case) -> None:
    given, expected = case.input, case.expected
    options = {"target": given["target"], "game_bonus": given["game_bonus"], "box_bonus": given["box"]}
    options["shutout_doubles"] = given.get("shutout") == "double"
    events = [f"{side} {points}" if side in SIDES else "void" for side, points in given["game"]]
    document = scored(preset_rules("eaai", options), events).document()
    (settled,) = document["settlement"]
    assert document["match_winner"] == settled["winner"] == expected.get("winner", "A")
    loser = "B" if settled["winner"] == "A" else "A"
    assert settled["net"] == expected["totals"][settled["winner"]] - expected["totals"][loser]
    assert settled["shutout"] is expected.get("shutout", False)
    if "raw" in expected:
        assert document["totals"] == {side: [total] for side, total in expected["raw"].items()}
        assert document["boxes"] == {side: [count] for side, count in expected["boxes"].items()}
