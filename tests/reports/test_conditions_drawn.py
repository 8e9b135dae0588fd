"""The drawings of several runs side by side: two ladders, and a row for each of many conditions."""

from __future__ import annotations

import pandas as pd
import pytest

from reports.canvas import NARROW, WIDE
from reports.charts import conditions as dots
from reports.charts import ladder
from tests.reports import test_figures as figures


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


def check_all(drawings: list[figures.Drawing]) -> None:
    """Hold drawings to what every figure keeps."""
    figures.test_no_text_leaves_its_sheet(drawings)
    figures.test_no_two_texts_meet(drawings)
    figures.test_the_smallest_text_can_be_read(drawings)
    figures.test_words_say_something(drawings)


@pytest.mark.parametrize("name", list(LADDERS))
def test_two_ladders_can_be_read(name: str) -> None:
    frame = LADDERS[name]
    words = ladder.words(frame)
    drawings = [figures.drawing(name, ladder.figure(frame, size), words) for size in (WIDE, NARROW)]
    check_all(drawings)
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
    drawings = [figures.drawing("dots", dots.figure(frame, size), words) for size in (WIDE, NARROW)]
    check_all(drawings)
    assert ("undecided" in words.how) == any(dots.favours(row) == 0 for _, row in frame.iterrows())
    assert "Threshold 10 wins 70 of 100 matches against gin-only" in words.title


def test_conditions_that_cannot_be_told_apart_are_not() -> None:
    frame = pd.DataFrame({"label": ["x", "y", "z"], "match_win_rate": [0.5, 0.51, 0.52], "pairs": 60})
    frame = frame.assign(a="greedy", b="simple", lo_all=0.45, hi_all=0.57)
    assert dots.title(frame, {}) == "What greedy wins against simple cannot be told apart in three runs"
