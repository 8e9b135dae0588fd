"""The section on what a deal is worth: it says what its tables say, in figures that can be read, and no more."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

import analysis
from analysis import Run, load_run
from reports.blocks import Section
from reports.canvas import NARROW, WIDE, Size
from reports.charts import dealer, price
from reports.material import Material, gather
from reports.numbers import points
from reports.sections.deal_worth import deal_worth, dealt_from_other_side, from_other_side
from tests.reports.conftest import FOUR, LONG, PARTNERS
from tests.support.drawings import Drawing, assert_readable, drawing, drawings_of
from tests.support.synthetic_run import Setup, build_run

Told = Callable[[str], tuple[Section, list[Drawing]]]
SETUPS = {
    "two": Setup(
        FOUR[:2], pairs=120, part_pairs=120, pairings=[("greedy", "gin-only")], deals=True
    ),  # side B is the better player
    "long": Setup(LONG[:3], pairs=50, part_pairs=50, deals=True),
    "partners": Setup(PARTNERS[:2], pairs=120, preset="partnership", part_pairs=120, deals=True),
    "column": Setup(FOUR[:2], pairs=160, preset="eaai", part_pairs=160, deals=True),
    "mirror": Setup(FOUR[:1], pairs=110, part_pairs=110, pairings=[("gin-only", "gin-only")], deals=True),
    "without": Setup(FOUR[:2], pairs=60),
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Run]:
    home: Path = tmp_path_factory.mktemp("runs")
    return cache(lambda name: load_run(build_run(home / name, SETUPS[name])))


@pytest.fixture(scope="module")
def materials(made: Callable[[str], Run]) -> Callable[[str], Material]:
    return cache(lambda name: gather(made(name)))


@pytest.fixture(scope="module")
def told(materials: Callable[[str], Material]) -> Told:
    """Return a function from a setup to its section, and the drawings in it as a reader gets them."""
    return cache(lambda name: section_of(materials(name)))


def section_of(material: Material) -> tuple[Section, list[Drawing]]:
    section = deal_worth(material)
    assert section
    return section, drawings_of(section.figures)


@pytest.mark.parametrize(("name", "figures"), [("two", 1), ("long", 2), ("partners", 1), ("mirror", 1), ("column", 0)])
def test_its_drawings_are_legible(told: Told, name: str, figures: int) -> None:
    section, drawings = told(name)
    assert len(section.figures) == figures
    assert len(drawings) == 2 * figures
    assert_readable(drawings)
    for text in section.paragraphs:
        assert "nan" not in text
        assert "  " not in text
        assert text.endswith(".")


def test_the_cells_hold_the_prices_of_the_better_player(materials: Callable[[str], Material], told: Told) -> None:
    run = materials("two").run
    assert materials("two").featured == ("gin-only", "greedy") != run.pairings[0]
    table = analysis.deal_price(run, run.pairings[0])
    _, drawings = told("two")
    for own in drawings:
        texts = [text for text, _, _ in own.texts]
        written = [text for text in texts if text.replace(".", "").replace("−", "").isdigit() and "." in text]
        turned = table.sort_values(["theirs", "mine"])["price"]  # the better player's view
        assert written == [points(value) for value in turned.dropna()]
        assert texts.count("too few") == 16 - len(written) > 0


def test_the_other_side_sees_the_same_prices(made: Callable[[str], Run]) -> None:
    run = made("two")
    table = analysis.deal_price(run, run.pairings[0])
    turned = from_other_side(table, True)
    assert (turned["a"].iloc[0], turned["b"].iloc[0]) == ("gin-only", "greedy")
    priced = turned.dropna()
    assert np.allclose(priced["win_if_a"] - priced["win_if_b"], priced["price"])
    assert from_other_side(turned, True)[["a", "mine", "theirs", "deals_a"]].equals(
        table[["a", "mine", "theirs", "deals_a"]]
    )


def test_a_dealer_seen_from_the_other_side_is_counted_over_the_rows(made: Callable[[str], Run]) -> None:
    run = made("two")
    row = dealt_from_other_side(analysis.dealer_effect(run), {("greedy", "gin-only")}).iloc[0]
    deals = pd.concat([pq.read_table(part.deals).to_pandas() for part in run.parts])
    scored = deals[deals["scorer"].notna()]
    assert (row["a"], row["b"]) == ("gin-only", "greedy")
    assert row["dealt_by_a"] == pytest.approx((scored["dealer"] == 1).mean())
    for name, of in (("a_dealing", 1), ("a_receiving", 0)):
        assert row[name] == pytest.approx((scored.loc[scored["dealer"] == of, "scorer"] == 1).mean())
        assert row[f"{name}_lo"] < row[name] < row[f"{name}_hi"]
    assert row["effect"] == pytest.approx(row["a_dealing"] - row["a_receiving"])


def test_without_deal_rows_it_names_the_command_that_fills_it(told: Told) -> None:
    section, _ = told("without")
    assert section.paragraphs[0].startswith("Who deals first wins ")
    assert "what single deals tell is not shown" in section.paragraphs[1]
    assert section.commands[0][-2:] == ["--detail", "deals"]


def test_a_first_dealer_set_by_the_rules_is_not_compared(materials: Callable[[str], Material]) -> None:
    material = materials("without")
    spec = {**material.run.spec, "rules": {**material.run.spec["rules"], "first_dealer": "a"}}
    section, _ = section_of(replace(material, run=replace(material.run, spec=spec)))
    assert len(section.paragraphs) == 1


@pytest.mark.parametrize(
    ("option", "missing"),
    [
        ({"target": 1000}, "how safe a lead is"),
        ({"match_winner": "total"}, "which of them turned a match round"),
        ({"match_winner": "first_column"}, "which of them turned a match round"),
    ],
)
def test_without_deal_rows_nothing_is_promised_that_the_command_would_not_show(
    materials: Callable[[str], Material], option: dict[str, object], missing: str
) -> None:
    material = materials("without")
    assert missing in section_of(material)[0].paragraphs[1]
    spec = {**material.run.spec, "rules": {**material.run.spec["rules"], **option}}
    assert missing not in section_of(replace(material, run=replace(material.run, spec=spec)))[0].paragraphs[1]


def test_the_price_is_said_to_be_of_matches_still_open(told: Told) -> None:
    assert "of a match still open" in told("two")[1][0].words.grey


def test_too_few_matches_are_not_looked_into(materials: Callable[[str], Material]) -> None:
    material = materials("two")
    assert deal_worth(replace(material, pairings=material.pairings.assign(matches=99))) is None


def test_partners_are_told_of_rounds(told: Told) -> None:
    section, drawings = told("partners")
    assert section.paragraphs[0] == (
        "A round of two deals makes one entry, so a single deal has no price here: rounds do."
    )
    assert drawings[0].words.title.startswith("A round is worth ")
    assert section.tables[0].title.startswith("What a round won brings to the sheet")


def test_the_table_has_what_wins_bring_to_each_player(materials: Callable[[str], Material], told: Told) -> None:
    table = told("two")[0].tables[0]
    run = materials("two").run
    expected = analysis.deal_entries(run, ("greedy", "gin-only"))
    assert [row.head.text for row in table.rows] == ["1 column", "2 columns", "3 columns", "all wins"]
    assert table.heads[1::2] == ["gin-only: share of wins", "greedy: share of wins"]  # the better player first
    for row, entered in zip(table.rows, ("1", "2", "3", "any"), strict=True):
        for cells, player in ((row.cells[:2], "gin-only"), (row.cells[2:], "greedy")):
            own = expected[(expected["player"] == player) & (expected["entered"] == entered)]
            assert [cell.value for cell in cells] == [own["share"].item(), own["sheet_points"].item()]


def test_one_column_has_a_price_at_the_start_only(told: Told) -> None:
    section, _ = told("column")
    assert section.paragraphs[0].startswith("The first scored deal is worth ")
    assert not section.tables


@pytest.mark.parametrize("name", ["two", "column"])
def test_too_few_deals_have_no_price(
    materials: Callable[[str], Material], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("analysis.deal_prices.ENOUGH_DEALS", 10_000)
    section, drawings = section_of(materials(name))
    assert section.paragraphs[0].startswith("Too few deals were scored by both sides")
    assert not drawings


def states(start: tuple[float, float], other: tuple[float, float]) -> pd.DataFrame:
    """Return prices of the start and of both having two columns open, each with the half of its interval."""
    rows = [
        {"a": "x", "b": "y", "mine": n, "theirs": n, "deals": 1000, "win_if_a": 0.5 + p / 2, "win_if_b": 0.5 - p / 2,
         "price": p, "lo": p - half, "hi": p + half, "lo_all": p - half, "hi_all": p + half}
        for n, (p, half) in ((0, start), (2, other))
    ]  # fmt: skip
    return pd.DataFrame(rows)


@pytest.mark.parametrize(
    ("start", "other", "ending"),
    [
        ((0.17, 0.01), (0.20, 0.01), "at the start, 20 once both have opened all two columns"),
        ((0.17, 0.01), (0.12, 0.01), "at the start, only 12 when both have opened all two columns"),
        ((0.17, 0.02), (0.20, 0.02), "at the start, and not surely more or less later"),
    ],
)
def test_a_title_names_another_state_only_if_its_price_surely_differs(
    start: tuple[float, float], other: tuple[float, float], ending: str
) -> None:
    assert price.words(states(start, other)).title == f"A deal is worth 17 points of winning chance {ending}"


def effects(*rows: tuple[float, float]) -> pd.DataFrame:
    """Return effects of dealing of some pairings, each with the half of its interval."""
    return pd.DataFrame(
        {"a": f"a{n}", "b": "b", "deals": 1000, "a_dealing": 0.5 + e, "a_receiving": 0.5, "effect": e,
         "lo_all": e - half, "hi_all": e + half}
        for n, (e, half) in enumerate(rows)
    )  # fmt: skip


@pytest.mark.parametrize(
    ("rows", "title"),
    [
        ([(0.01, 0.02), (0.0, 0.02)], "In all two pairings it is undecided whether dealing helps"),
        (
            [(-0.01, 0.005), (0.0, 0.02)],
            "In one of two pairings a player surely scores fewer of the deals that it deals",
        ),
        (
            [(-0.01, 0.005), (0.02, 0.01), (0.0, 0.01)],
            "In one of three pairings a player surely scores more of the deals that it deals, in one fewer",
        ),
    ],
)
def test_the_title_counts_pairings_in_which_dealing_surely_matters(rows: list[tuple[float, float]], title: str) -> None:
    assert dealer.words(effects(*rows)).title == title


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=lambda size: size.name)
def test_many_pairings_are_drawn_by_the_first_and_the_last_dozen(size: Size) -> None:
    frame = effects(*((0.001 * n, 0.01) for n in range(30)))
    own = drawing("dealer", dealer.figure(frame, size), dealer.words(frame))
    assert_readable([own])
    assert sum(" v " in text for text, _, _ in own.texts) == 24
    assert "Drawn: the 12 highest and the 12 lowest." in own.words.grey
