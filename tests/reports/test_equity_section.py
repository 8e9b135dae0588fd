"""How far ahead is safe, and the most decisive deals: what the page says is what the tables say."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import analysis
from analysis import Run, load_run
from reports import names
from reports.blocks import Section
from reports.canvas import NARROW, WIDE
from reports.charts import equity as chart
from reports.material import Material, gather
from reports.sections import decisive
from reports.sections.equity import how_safe, seen_from_better
from tests.support.drawings import assert_readable, drawing
from tests.support.synthetic_run import Player, Setup, build_run

LONG = "./players/a_bot_with_quite_a_long_name.py:aggression=1.25,patience=20"
TWO = (Player("greedy", 0.0, 0.1, 0.05), Player("gin-only", 0.2, 0.8, 0.1))
DICE = Setup(TWO, pairs=60, part_pairs=60, deals=True)


@pytest.fixture(scope="module")
def material(tmp_path_factory: pytest.TempPathFactory) -> Material:
    """Two players, of whom the second is the better."""
    return gather(load_run(build_run(tmp_path_factory.mktemp("runs") / "dice", DICE)))


def made(folder: Path, setup: Setup) -> Material:
    return gather(load_run(build_run(folder / "other", setup)))


def leads(material: Material) -> pd.DataFrame:
    """Return what the chart draws."""
    table = analysis.leads(material.run, material.as_played)
    frame = names.renamed(seen_from_better(table, material), material.names)
    frame.attrs["deals"] = 1234
    return frame


def chance(frame: pd.DataFrame, points_a: int, points_b: int) -> float:
    row = frame[(frame["points_a"] == points_a) & (frame["points_b"] == points_b)]
    return float(row["chance"].iloc[0])


@pytest.fixture(scope="module")
def frame(material: Material) -> pd.DataFrame:
    """What the chart draws of the two."""
    return leads(material)


@pytest.fixture(scope="module")
def safe(material: Material) -> Section:
    """How far ahead is safe between the two."""
    section = how_safe(material)
    assert section
    return section


def test_the_better_player_is_a_on_the_map_with_its_own_points_and_chances(
    material: Material, frame: pd.DataFrame
) -> None:
    played = analysis.leads(material.run)
    assert set(frame["a"]) == {"gin-only"} and set(played["a"]) == {"greedy"}
    assert chance(frame, 70, 20) == pytest.approx(1 - chance(played, 20, 70))
    own, other = (table.pivot(index="points_a", columns="points_b") for table in (frame, played))
    assert np.allclose(own["a_deals"], 1 - other["b_deals"].T)
    assert (frame["lo"] <= frame["chance"]).all() and (frame["chance"] <= frame["hi"]).all()


def test_the_words_of_the_map_are_the_numbers_of_its_frame(frame: pd.DataFrame) -> None:
    said = chart.words(frame)
    early, late = (round(100 * chance(frame, *at)) for at in ((20, 0), (95, 75)))
    assert said.title == f"Gin-only, 20 points ahead, wins {early} columns in 100 at 20–0, and {late} at 95–75"
    assert "1,234 scored deals" in said.grey and "blocks of pairs" in said.grey
    assert f"{100 * chance(frame, 95, 75):.1f} ±" in said.how
    assert f"at 90–40 {100 * chance(frame, 90, 40):.1f}%" in said.alt


def test_no_text_of_the_map_leaves_its_sheet_or_meets_another(frame: pd.DataFrame) -> None:
    for name in ("greedy", LONG):
        frame = frame.assign(a=name)
        for size in (WIDE, NARROW):
            assert_readable([drawing("equity", chart.figure(frame, size), chart.words(frame))])


def test_a_lead_is_called_safe_from_nine_of_ten_on(safe: Section, frame: pd.DataFrame) -> None:
    most = max(theirs for theirs in range(100) if chance(frame, 80, theirs) >= 0.9)
    assert f"with 80 points while greedy has {most} or fewer" in safe.paragraphs[0]
    start = f"{100 * chance(frame, 0, 0):.1f} of 100 first columns; in the run it won "
    assert start in safe.paragraphs[0]


def test_a_column_that_is_the_match_is_called_so(tmp_path: Path) -> None:
    section = how_safe(made(tmp_path, replace(DICE, preset="eaai")))
    assert section and " of 100 matches; in the run it won " in section.paragraphs[0]


def test_good_starts_are_told_of_both_from_three_deals_down(material: Material, safe: Section) -> None:
    (table,) = safe.tables
    assert table.heads[1:] == ["Gin-only", "Greedy"]
    own = analysis.good_starts(material.run).set_index(["side", "won_first"])["match_win_rate"]
    for row, first in zip(table.rows, (3, 2, 1), strict=True):
        assert [cell.value for cell in row.cells] == pytest.approx([100 * own["B", first], 100 * own["A", first]])


def test_a_player_against_itself_is_told_of_as_player_and_opponent(tmp_path: Path) -> None:
    material = made(tmp_path, replace(DICE, players=TWO[:1], pairings=[("greedy", "greedy")]))
    section = how_safe(material)
    assert section
    frame = leads(material)
    assert chance(frame, 30, 30) == pytest.approx(0.5)
    assert section.figures[0].words.title.startswith("Being 20 points ahead wins ")
    assert len(section.tables[0].heads) == 2


def test_nothing_is_mapped_where_one_side_always_wins(tmp_path: Path) -> None:
    walkover = (Player("strong", 500.0, 0.5), Player("weak", -500.0))
    material = made(tmp_path, replace(DICE, players=walkover))
    section = how_safe(material)
    assert section and not section.figures
    assert "Strong wins 100 of 100 columns or more from every score" in section.paragraphs[0]
    assert section.tables[0].rows[0].cells[1].text == "too few"
    turned = decisive.most_decisive(material)
    assert turned and not turned.tables and "None of these came against the odds" in turned.paragraphs[0]


def test_a_run_without_deal_rows_has_neither_section(tmp_path: Path) -> None:
    material = made(tmp_path, replace(DICE, deals=False))
    assert how_safe(material) is None
    assert decisive.most_decisive(material) is None


def test_partners_and_other_ways_to_win_are_said_not_to_be_shown(tmp_path: Path) -> None:
    partners = (Player("greedy/simple", 0.6, 0.05), Player("gin-only", 0.0, 0.8))
    material = made(tmp_path, replace(DICE, players=partners, preset="partnership"))
    for section in (how_safe(material), decisive.most_decisive(material)):
        assert section and "not shown" in section.paragraphs[0] and not section.tables


def test_a_column_too_long_to_be_solved_is_said_to_be(material: Material) -> None:
    rules = {**material.run.spec["rules"], "target": 301}
    section = how_safe(replace(material, run=replace(material.run, spec={**material.run.spec, "rules": rules})))
    assert section and not section.tables and not section.figures
    assert section.paragraphs[0].startswith("A column to 301 points is too long to be solved for a page")


def test_too_few_matches_give_no_section(tmp_path: Path) -> None:
    material = made(tmp_path, replace(DICE, pairs=2))
    assert how_safe(material) is None
    assert decisive.most_decisive(material) is None


def test_decisive_deals_are_listed_as_the_table_has_them_each_with_its_replay(material: Material) -> None:
    section = decisive.most_decisive(material)
    table = analysis.most_decisive(material.run)
    assert section
    for row, words, (_, own) in zip(section.tables[0].rows, section.commands, table.iterrows(), strict=True):
        assert row.head.text == f"pair {own['pair']}, leg {own['leg']}, deal {own['deal']}"
        assert row.cells[0].text == f"{100 * own['before']:.1f} → 100"
        assert row.cells[1].text == own["a" if own["winner"] == "A" else "b"]
        assert " ".join(words) == (
            f"hollywood replay dice --pair {own['pair']} --leg {own['leg']} --deal {own['deal']}"
        )
    assert np.all(np.diff([row.cells[0].value for row in section.tables[0].rows]) >= 0)
    assert "second of three columns" in section.paragraphs[0]


def test_where_several_pairings_met_a_replay_names_its_own(tmp_path: Path, material: Material) -> None:
    run: Run = replace(material.run, spec={**material.run.spec, "pairings": [{"a": "x", "b": "y"}] * 2})
    row = pd.Series({"a": "gin-only", "b": "a b", "pair": 3, "leg": 1, "deal": 9})
    words = decisive.replay_words(replace(material, run=run), row)
    assert words[2:] == ["dice", "gin-only", "'a b'", "--pair", "3", "--leg", "1", "--deal", "9"]
