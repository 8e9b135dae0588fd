"""The drawings of sweeps and ratings: which one fits, and that few, many and long names keep to their sheets."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import pytest

from reports.blocks import Chart
from reports.canvas import NARROW, WIDE
from reports.charts import ratings, sequential, settings, settings_map, settings_rows, threshold
from reports.sections.setting import DRAWINGS
from tests.support.drawings import assert_readable, drawing


def table_of(values: Sequence[tuple[str, ...]], plateau: Sequence[int] = (0,), dropped: int = 0) -> pd.DataFrame:
    """Return a sweep's table: settings with falling shares, the first ones good, the last `dropped` ones dropped."""
    count, knobs = len(values), ["first_knob", "second_knob", "third"][: len(values[0])]
    rates = 0.62 - 0.2 * np.arange(count) / count
    table = pd.DataFrame(
        {
            "player": [f"p:{value}" for value in values],
            "setting": ["/".join(value) for value in values],
            "pairs": [16384 if place >= count - dropped else 40_000 for place in range(count)],
            "matches_won": rates,
            "lo": rates - 0.004,
            "hi": rates + 0.004,
            "dropped": [place >= count - dropped for place in range(count)],
            "best": [place == 0 for place in range(count)],
            "plateau": [place in plateau for place in range(count)],
            **{f"value_{knob}": [value[at] for value in values] for at, knob in enumerate(knobs)},
        }
    )
    table.attrs |= {"knobs": knobs, "against": ["simple"], "planned": 40_000, "who": "player"}
    return table


def rated_of(count: int) -> pd.DataFrame:
    """Return a tournament's table of players with long names; every third one is undecided with the next."""
    names = [f"a player with a long name {n}:knock_at={n}" for n in range(count)]
    rating = np.linspace(60, -60, count)
    table = pd.DataFrame({"player": names, "rating": rating, "lo": rating - 2, "hi": rating + 2})
    table["unbounded"] = ["won all", *[""] * (count - 1)]
    table["undecided_with"] = [tuple(names[n + 1 : n + 2]) if n % 3 == 1 else () for n in range(count)]
    table = ratings.neighbours(table)
    table.attrs |= {"pairs": 10_000, "pairings": count * (count - 1) // 2, "who": "player"}
    return table


EVEN = [(str(n),) for n in range(12)]
UNEVEN = [("1",), ("10",), ("100",), ("1000",)]
GRID = [(str(a), word) for a in range(9) for word in ("low", "middle", "high")]
WORDS = [(f"a_rather_long_value_of_a_parameter_{n}",) for n in range(26)]
CASES: dict[str, tuple[Chart, pd.DataFrame]] = {
    "many dropped": (DRAWINGS["curve"], table_of(EVEN, (0, 1, 2), dropped=9)),
    "uneven": (DRAWINGS["curve"], table_of(UNEVEN, range(4))),
    "line only": (DRAWINGS["curve"], table_of([(f"{n / 40:.3f}",) for n in range(41)], range(5))),
    "grid": (DRAWINGS["map"], table_of(GRID, (0, 1), dropped=3)),
    "words": (DRAWINGS["rows"], table_of(WORDS, (0, 1), dropped=2)),
    "ratings": ((ratings.figure, ratings.words), rated_of(26)),
}


@pytest.mark.parametrize("name", list(CASES))
def test_few_many_and_long_names_keep_to_their_sheets(name: str) -> None:
    (draw, say), table = CASES[name]
    assert_readable(drawing(f"{name}, {size.name}", draw(table, size), say(table)) for size in (WIDE, NARROW))


@pytest.mark.parametrize(
    ("values", "shape"),
    [
        (EVEN, "curve"),
        (UNEVEN, "curve"),
        (WORDS, "rows"),
        (GRID, "map"),
        ([("1", "true"), ("2", "true")], "rows"),
        ([(str(n), str(n)) for n in range(11)], "rows"),
        ([("1", "2", "3"), ("1", "2", "4")], "rows"),
    ],
)
def test_the_drawing_fits_what_was_varied(values: Sequence[tuple[str, ...]], shape: str) -> None:
    assert settings.shape(table_of(values)) == shape


def test_values_are_drawn_in_the_order_of_their_numbers() -> None:
    table = table_of([("10",), ("9",), ("2",)], (0, 1))
    assert list(settings.in_order(table)["setting"]) == ["2", "9", "10"]
    assert settings.good_ones(table) == "9 and 10"


def test_neighbours_on_the_plateau_are_a_range_and_others_are_listed() -> None:
    assert settings.good_ones(table_of(EVEN, range(1, 5))) == "1 to 4"
    assert settings.good_ones(table_of(EVEN, (0, 2, 4))) == "0, 2 and 4"
    assert settings.good_ones(table_of(EVEN, (0, 2, 4, 6, 8, 10, 11))) == "0, 2, 4, 6, 8 and two more"
    assert settings.title(table_of(EVEN, (0, 2))) == "As good as the best: 0 and 2; the others are clearly worse"


def test_a_map_shades_about_the_mean_of_all_settings() -> None:
    table = table_of(GRID)
    shades = [settings_map._shade(table, row) for _, row in table.iterrows()]
    assert shades == sorted(shades, reverse=True)
    assert set(shades) == set(range(7))
    assert "Blue wins more than the mean of all settings" in settings_map.words(table).how
    assert "A stroke in the corner: clearly worse" in settings_map.words(table_of(GRID, dropped=2)).how


def test_the_pairs_of_dropped_settings_are_told() -> None:
    told = threshold.words(table_of(EVEN, dropped=2))
    assert "40,000 duplicate pairs (16,384 for those dropped on the way)" in told.grey
    assert "Hollow grey: clearly worse than the leader" in told.how
    assert threshold._outs(settings.in_order(table_of(EVEN, dropped=2)), 60) == [""] * 10 + ["16,384"] * 2
    assert threshold._outs(settings.in_order(table_of(EVEN, dropped=2)), 30) == [""] * 10 + ["16k"] * 2
    assert threshold._outs(settings.in_order(table_of(EVEN, dropped=2)), 10) == []


def test_of_many_rows_the_best_and_the_last_are_drawn() -> None:
    assert "Drawn: the 12 best and the 12 last." in settings_rows.words(table_of(WORDS)).grey


def test_a_long_course_is_thinned_and_keeps_its_last_look() -> None:
    course = pd.DataFrame({"look": range(1, 4001), "pairs": [256 * n for n in range(1, 4001)]})
    thinned = sequential._thinned(course)
    assert len(thinned) <= sequential.MOST_POINTS
    assert thinned["look"].iloc[-1] == 4000
    assert list(sequential._few(course)["look"])[::5] == [1, 4000]
