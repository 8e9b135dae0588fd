"""The section on knocking: it says what its tables say, no more than the sample shows, in figures that can be read."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import analysis
from analysis import load_run
from reports.blocks import Section
from reports.canvas import NARROW, WIDE, Size
from reports.charts import knock_bars, risk
from reports.material import Material, gather
from reports.names import capital
from reports.numbers import percent
from reports.sections.knocking import knocking
from tests.reports.conftest import FOUR, LONG
from tests.support.drawings import assert_readable, drawings_of
from tests.support.synthetic_run import Player, Setup, build_run

SETUPS = {
    "two": Setup((Player("weak", undercut=0.2), Player("strong", 0.9, gin=0.2)), pairs=110, part_pairs=110, deals=True),
    "gins": Setup(
        (Player("gins", 0.9, gin=0.7, undercut=0.3), Player("greedy", undercut=0)), pairs=70, part_pairs=70, deals=True,
        options={"knock_limit": 2},
    ),
    "few": Setup(FOUR[:2], pairs=50, part_pairs=50, deals=True),
    "long": Setup(LONG[:3], pairs=50, part_pairs=50, deals=True),
    "mirror": Setup(FOUR[1:2], pairs=90, part_pairs=90, pairings=[("greedy", "greedy")], deals=True),
    "walkover": Setup((Player("strong", 500.0, undercut=0), Player("weak", -500.0)), pairs=55, deals=True),
    "one": Setup(FOUR[:2], pairs=1, deals=True),
}  # fmt: skip
Told = Callable[[str], tuple[Material, Section]]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Told:
    """Return a function from a setup to its tables and its section."""
    home: Path = tmp_path_factory.mktemp("runs")

    @cache
    def make(name: str) -> tuple[Material, Section]:
        material = gather(load_run(build_run(home / name, SETUPS[name])))
        section = knocking(material)
        assert section
        return material, section

    return make


def cells(*rows: tuple[int, str, float, float, float]) -> pd.DataFrame:
    """Return a table as `analysis.undercut_risk`: deadwood, turns, and percentages with their limits, of 500 knocks."""
    frame = pd.DataFrame(rows, columns=["deadwood", "turns", "share", "lo", "hi"])
    frame[["share", "lo", "hi"]] /= 100
    undercuts = (500 * frame["share"]).round().astype(int)
    return frame.assign(knocks=500, undercuts=undercuts, lo_all=frame["lo"], hi_all=frame["hi"])


SAFE, EARLY, LATE = (5, "1-5", 1.0, 0.5, 1.9), (10, "1-5", 4.0, 3.0, 5.0), (10, "9+", 17.0, 15.0, 19.0)


@pytest.mark.parametrize(
    ("rows", "title"),
    [
        (
            [(1, "9+", 0.4, 0.1, 1.0), SAFE, EARLY, LATE],
            "Knocks with 5 or fewer are undercut at most 2 times in 100; with 10, 4 on turns 1–5 but 17 from turn 9 on",
        ),
        (
            [SAFE, (10, "9+", 17.0, 15.0, 19.0)],
            "Knocks with 5 are undercut at most 2 times in 100; with 10, 17 from turn 9 on",
        ),
        (
            [(4, "6-8", 1.0, 0.5, 2.1), SAFE, EARLY, (10, "9+", 5.5, 4.0, 7.0)],  # the two bands may be alike
            "Knocks with 4 to 5 are undercut at most 3 times in 100; with 10, 6 from turn 9 on",
        ),
        ([SAFE, (6, "9+", 2.0, 1.0, 3.0)], "Knocks are undercut at most 3 times in 100, whatever the deadwood"),
        (
            [(9, "1-5", 3.0, 2.0, 4.0), EARLY, LATE],
            "No deadwood has knocks enough to be called safe; of 100 with 10, 4 on turns 1–5 but 17 from turn 9 on are",
        ),
        ([EARLY, LATE], "A deadwood of 10 is not safe, as 17 of 100 knocks from turn 9 on are undercut"),
        (
            [(1, "9+", 8.0, 6.0, 10.0), LATE],
            "A deadwood of 1 is not safe, as 8 of 100 knocks from turn 9 on are undercut; with 10, 17 from turn 9 on",
        ),
        ([(9, "1-5", 0.0, 0.0, 0.8), (10, "1-5", 0.0, 0.0, 0.9)], "None of 1,000 knocks was undercut"),
    ],
)
def test_the_title_states_one_safe_rule_and_one_warning(
    rows: list[tuple[int, str, float, float, float]], title: str
) -> None:
    assert risk.words(cells(*rows)).title.startswith(title)


def test_a_knock_is_called_safe_only_by_the_limits_for_all_cells_at_once() -> None:
    frame = cells(SAFE, EARLY, LATE)
    frame.attrs["whose"] = "greedy against simple"
    title = "Greedy against simple: knocks with 5 are undercut at most 2 times in 100;"
    assert risk.words(frame).title.startswith(title)
    frame.loc[0, "hi_all"] = 0.031
    frame["lo_all"] = 0.0
    words = risk.words(frame)
    assert words.title == (
        "Greedy against simple: no deadwood has knocks enough to be called safe; of 100 with 10, 17 from turn 9 on are "
        "undercut"
    )
    assert "1,500 knocks of greedy against simple." in words.grey
    assert "intervals over blocks of pairs; the title holds for all three at once." in words.grey


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([SAFE, EARLY], "grey dots and a solid line are knocks on turns 1–5. Of"),
        ([(5, "6-8", 1, 0, 2), LATE], "black diamonds and a dashed line are knocks on turns 6–8, hollow purple"),
        ([LATE], "hollow purple squares and a dotted line are knocks from turn 9 on. Of"),
    ],
)
def test_the_first_band_that_is_drawn_says_that_these_are_knocks(rows: list[Any], told: str) -> None:
    assert risk.words(cells(*rows)).how.startswith(told)


def test_cells_with_few_knocks_are_neither_drawn_nor_told() -> None:
    frame = cells(SAFE, EARLY, LATE)
    frame.loc[2, "knocks"] = risk.FEWEST - 1
    words = risk.words(frame)
    assert "17" not in words.title + words.alt + words.how
    assert "hollow" not in words.how
    assert words.grey.endswith("Fewer than 100 knocks: no mark.")
    assert list(risk.drawn(frame)["turns"]) == ["1-5", "1-5"]


@pytest.mark.parametrize(("name", "sizes"), [("long", (WIDE, NARROW)), ("gins", (NARROW,)), ("walkover", (WIDE,))])
def test_every_drawing_can_be_read(told: Told, name: str, sizes: tuple[Size, ...]) -> None:
    figures = told(name)[1].figures
    assert figures
    assert_readable(drawings_of(figures, sizes))


def test_the_better_player_is_side_a_though_played_as_b(told: Told) -> None:
    material, section = told("two")
    summary = analysis.knock_summary(material.run, ("weak", "strong")).set_index("player")
    turns = next(figure for figure in section.figures if figure.name == "knock-turns")
    assert "blue bars are deals that strong ended and orange bars are deals that weak ended" in turns.words.how
    counts = summary["ended"].to_dict()
    ended = [f"{counts[player]:,} by {player}" for player in ("strong", "weak")]
    assert " and ".join(ended) in turns.words.grey
    assert f"{summary['knocks'].sum():,} knocks of strong and weak against each other" in section.figures[0].words.grey


def test_the_table_has_every_ending_with_its_scorer(told: Told) -> None:
    material, section = told("two")
    expected = analysis.points_by_ending(material.run, material.as_played)
    (table,) = section.tables
    written = {row.head.text: [cell.text for cell in row.cells] for row in table.rows}
    assert len(written) == len(expected)
    for row in expected.to_dict("records"):
        head = "nobody: dead at the wall" if row["side"] == "nobody" else f"{row['player']!s}, {row['ending']!s}"
        points = "–" if row["side"] == "nobody" else f"{row['points']:.1f}" if row["deals"] >= 100 else "too few"
        assert written[head] == [percent(row["share"]), points]
    assert "95% interval over blocks of pairs" in table.note
    values = [float(row.cells[0].value) for row in table.rows]
    assert values == sorted(values, reverse=True)


def test_the_data_of_a_figure_is_the_table_it_names(told: Told) -> None:
    material, section = told("two")
    for data in [*(figure.data for figure in section.figures), section.tables[0].data]:
        assert data
        table = eval(data.source, {"analysis": analysis, "run": material.run})  # what the page tells to type
        assert data.rows == len(table)
        assert data.text.startswith(",".join(table.columns))


def test_who_never_knocks_is_said_to(told: Told) -> None:
    _, section = told("gins")
    assert section.paragraphs[0].startswith("Gins never knocked short of gin; of 100 knocks of greedy,")
    titles = " ".join(figure.words.title for figure in section.figures)
    assert "gins never knocks short of gin" in titles
    assert "knocks of greedy against gins" in section.figures[0].words.grey


def test_too_few_knocks_for_any_risk_are_said_so(told: Told) -> None:
    _, section = told("few")
    assert [figure.name for figure in section.figures] == ["knock-deadwood", "knock-turns"]
    assert section.paragraphs[-1].startswith("Nowhere are there 100 knocks with the same deadwood in the same turns")


def test_a_side_that_ended_no_deal_has_no_panel(told: Told) -> None:
    _, section = told("walkover")
    turns = next(figure for figure in section.figures if figure.name == "knock-turns")
    assert turns.words.title.startswith("Half of the deals that strong ends are over by its turn")
    assert "weak ended" not in turns.words.how


def test_a_mirror_match_is_one_side(told: Told) -> None:
    _, section = told("mirror")
    assert "of greedy against itself" in section.figures[0].words.grey
    assert "(both of its sides as one)" in section.tables[0].title
    assert all("orange" not in figure.words.how for figure in section.figures)


def test_of_many_pairings_the_risk_is_pooled_and_the_rest_of_one(told: Told) -> None:
    material, section = told("long")
    assert "of all three players, three pairings pooled" in section.figures[0].words.grey
    a, b = (material.names[player] for player in material.featured)
    assert f"{a} against {b}" in section.figures[1].words.grey
    assert section.paragraphs[0].startswith(f"{capital(a)} against {b}: of 100 knocks of {a},")


def test_a_mean_without_spread_has_no_error_and_no_gap() -> None:
    rows = {"side": "A", "player": "x", "ending": ["gin", "knock"], "deadwood": [0, 10], "share": [0.4, 0.6]}
    frame = pd.DataFrame(rows).assign(ended=1000, gins=400, knocks=600)
    frame = frame.assign(value_median=10.0, value_mean=10.0, value_lo=10.0, value_hi=10.0)
    assert "x knocks: median 10, mean 10.0, gin in 40 of 100" in knock_bars.words(frame).alt


def test_rare_turns_share_the_last_bar() -> None:
    table = pd.DataFrame({"turn": [1, 2, 3, 9], "share": [0.5, 0.4, 0.095, 0.005], "ending": "knock"})
    frame = table.assign(side="A", player="x", ended=1000, gins=0, knocks=1000, value_median=1.0)
    frame = frame.assign(value_mean=1.6, value_lo=1.5, value_hi=1.7)
    ticks = [label.get_text() for label in knock_bars.figure(frame, WIDE).axes[-1].get_xticklabels()]
    assert ticks == ["1", "2", "3", "4+"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("one", "Two matches are too few to look into the knocks."),
    ],
)
def test_without_data_the_section_is_one_sentence(told: Told, name: str, said: str) -> None:
    _, section = told(name)
    assert section.paragraphs[0].startswith(said)
    assert not section.figures and not section.tables and not section.commands


def test_without_deal_rows_or_where_nobody_may_knock_there_is_no_such_section(tmp_path: Path) -> None:
    straight = Setup((Player("greedy", 0.2, 1, 0), Player("simple", 0, 1, 0)), pairs=60, preset="straight", deals=True)
    for name, setup in (("rows", Setup(FOUR[:2], pairs=60)), ("straight", straight)):
        assert knocking(gather(load_run(build_run(tmp_path / name, setup)))) is None
