"""The drawings of several runs side by side: two ladders, and a row for each of many conditions."""

from __future__ import annotations

import pandas as pd
import pytest

from reports.canvas import NARROW, WIDE
from reports.charts import conditions as dots
from reports.charts import ladder
from reports.sections.conditions import change_told
from tests.support.drawings import assert_readable, drawing


def ladders(
    names: tuple[str, str], shares: tuple[float, ...], half: float, columns: tuple[int, int] = (3, 3)
) -> pd.DataFrame:
    """Return two ladders, the second as far on the other side of one half."""
    steps = ("deals won", "points scored", "column 1", "column 2", "column 3", "matches won")
    rows = [
        {"a": "threshold 10", "b": "gin-only", "endpoint": step, "share": value, "lo": value - half, "hi": value + half,
         "condition": name}
        for name, sign, count in zip(names, (1, -1), columns, strict=True)
        for step, share in zip(steps, shares, strict=True)
        for value in [0.5 + sign * share]
        if count == 3 or not step.startswith("column")
    ]  # fmt: skip
    frame = pd.DataFrame(rows)
    frame.attrs |= {"phrases": {name: f"under the {name} rules" for name in names}, "pairs": "60"}
    return frame


LADDERS = {
    "apart": ladders(("ten", "twenty-five"), (0.12, 0.03, 0.07, 0.11, 0.14, 0.11), 0.008),
    "alike": ladders(("ten", "twenty-five"), (0.0,) * 6, 0.03),
    "one column": ladders(("hollywood", "eaai"), (0.12, 0.03, 0.07, 0.11, 0.14, 0.11), 0.01, (3, 1)),
    "column first": ladders(("eaai", "hollywood"), (-0.12, 0.03, 0.07, 0.0, 0.14, -0.2), 0.05, (1, 3)),
    "long names": ladders(
        ("hollywood with" + " a=1," * 12, "other" + " and other" * 9), (0.4, 0.3, 0.2, 0.1, 0.3, 0.45), 0.05
    ),
}


@pytest.mark.parametrize("name", list(LADDERS))
def test_two_ladders_can_be_read(name: str) -> None:
    frame = LADDERS[name]
    words = ladder.words(frame)
    drawings = [drawing(name, ladder.figure(frame, size), words) for size in (WIDE, NARROW)]
    assert_readable(drawings)
    rows = {text for text, _, _ in drawings[0].texts}
    assert {"Deals won", "Points scored", "Matches won"} <= rows
    assert "Column 3" in rows


@pytest.mark.parametrize("count", [3, 30])
def test_a_row_each_can_be_read(count: int) -> None:
    shares = [0.3 + 0.4 * number / (count - 1) for number in range(count)]
    labels = [f"{'a long condition ' * (number % 4)}{number}" for number in range(count)]
    frame = pd.DataFrame({"label": labels, "match_win_rate": shares, "pairs": 60}).assign(
        a="threshold 10", b="gin-only"
    )
    frame["lo_all"], frame["hi_all"] = frame["match_win_rate"] - 0.02, frame["match_win_rate"] + 0.02
    frame.attrs["phrases"] = {label: f"with {label}" for label in labels}
    words = dots.words(frame)
    drawings = [drawing("dots", dots.figure(frame, size), words) for size in (WIDE, NARROW)]
    assert_readable(drawings)
    assert ("undecided" in words.how) == any(dots.favours(row) == 0 for _, row in frame.iterrows())
    assert "Threshold 10 wins 70 of 100 matches against gin-only" in words.title


def changing(shares: list[float], error: float) -> pd.DataFrame:
    """Return runs whose bars all meet, and whose changes from the first have this ±."""
    labels = list("uvwxyz")[: len(shares)]
    frame = pd.DataFrame({"label": labels, "match_win_rate": shares, "pairs": 60})
    frame = frame.assign(a="greedy", b="simple", lo=0.45, hi=0.57, lo_all=0.44, hi_all=0.58)
    change = (frame["match_win_rate"] - shares[0]).where(frame.index > 0)
    frame = frame.assign(change=change, change_lo=change - error, change_hi=change + error)
    frame.attrs["phrases"] = {label: f"in {label}" for label in labels}
    return frame


def test_conditions_that_cannot_be_told_apart_are_not() -> None:
    frame = changing([0.5, 0.51, 0.52], 0.03)
    words = dots.words(frame)
    assert words.title == "What greedy wins against simple cannot be told apart in three runs"
    assert "the title rests" not in words.how
    assert change_told(frame) == ""


def test_a_sure_change_is_told_although_the_bars_meet() -> None:
    frame = changing([0.5, 0.525, 0.49], 0.013)
    words = dots.words(frame)
    assert words.title == "Greedy wins 50 of 100 matches against simple in u, 53 in v"
    assert "the title rests" in words.how
    assert change_told(frame) == " The change from what greedy wins in u is +2.5 ±1.3 points in v."


def test_a_change_too_small_for_whole_cases_and_many_changes_are_told_in_words() -> None:
    small = changing([0.5, 0.503, 0.497], 0.002)
    assert dots.words(small).title.endswith(
        " 50 of 100 matches against simple in u, surely more in v, surely fewer in w"
    )
    many = changing([0.5, 0.51, 0.52, 0.53, 0.54, 0.55], 0.002)
    assert dots.words(many).title.endswith(" in u, 51 in v, 52 in w, and surely otherwise in three more runs")
    assert change_told(many) == (
        " The change from what greedy wins in u is +5.0 ±0.2 points in z, +4.0 ±0.2 points in y, +3.0 ±0.2 points in x "
        "and +2.0 ±0.2 points in w; one more run surely changes it."
    )
