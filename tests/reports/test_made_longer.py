"""A run that was made longer says so, with limits that hold however often one looks."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import analysis
from analysis import Run, load_run
from analysis.anytime import anytime_limits
from reports.page import Page, compose
from tests.reports.conftest import SETUPS
from tests.support.strategy_runs import plan_of, run_into
from tests.support.synthetic_run import Setup, build_run

TOLD = "The run was made longer after its first answer could be seen: see Made longer."


def made(folder: Path, setup: Setup, **facts: object) -> Run:
    return with_facts(build_run(folder, setup), **facts)


def with_facts(folder: Path, **facts: object) -> Run:
    file = folder / "manifest.json"
    file.write_text(json.dumps({**json.loads(file.read_text(encoding="utf-8")), **facts}), encoding="utf-8")
    return load_run(folder)


def sections_of(page: Page) -> list[str]:
    return [section.title for section in page.sections]


def test_limits_are_those_for_any_look_planned_for_the_first_size(tmp_path: Path) -> None:
    run = made(tmp_path / "run", SETUPS["four"], first_pairs=40)
    rates, plain = analysis.extended_rates(run), analysis.pairings(run)
    scores = run.query(
        "SELECT strategy_a AS a, strategy_b AS b, pair, avg((match_winner = 0)::INT + (match_winner = 2)::INT / 2) AS s"
        " FROM matches GROUP BY ALL"
    )
    for (_, row), (_, fixed) in zip(rates.iterrows(), plain.iterrows(), strict=True):
        own = scores[(scores["a"] == row["a"]) & (scores["b"] == row["b"])]["s"].to_numpy()
        lo, hi = anytime_limits(own.mean(), own.std(ddof=1), len(own), 40, share=True)
        lo_all, hi_all = anytime_limits(own.mean(), own.std(ddof=1), len(own), 40, 0.95 ** (1 / 6), share=True)
        assert (row["a"], row["b"], row["pairs"]) == (fixed["a"], fixed["b"], 100)
        assert row[["match_win_rate", "lo", "hi"]].tolist() == pytest.approx([own.mean(), float(lo), float(hi)])
        assert row[["lo_all", "hi_all"]].tolist() == pytest.approx([float(lo_all), float(hi_all)])
        assert row["lo_all"] < row["lo"] < fixed["lo"] < fixed["hi"] < row["hi"] < row["hi_all"]
        assert row["lo_all"] < fixed["lo_all"] < fixed["hi_all"] < row["hi_all"]


def test_page_says_so_after_who_wins_better_player_and_surest_win_first(tmp_path: Path) -> None:
    page = compose(made(tmp_path / "run", SETUPS["four"], first_pairs=40))
    assert page.lead.endswith(TOLD)
    assert not page.notice
    section = page.sections[sections_of(page).index("Who wins") + 1]
    assert section.title == "Made longer"
    assert "because its first 40 pairs a pairing left it undecided, they promise too much" in section.paragraphs[0]
    (table,) = section.tables
    shares = [float(row.cells[0].value) for row in table.rows]
    assert len(shares) == 6
    assert shares == sorted(shares, reverse=True)
    assert min(shares) >= 0.5
    assert all(row.cells[0].error.startswith("±") for row in table.rows)


@pytest.mark.parametrize(
    "facts",
    [{}, {"first_pairs": 40, "experiment": {"kind": "compare", "test": {"name": "gain"}}}],
    ids=["plain", "test"],
)
def test_run_of_one_size_and_a_comparison_say_nothing(tmp_path: Path, facts: dict[str, object]) -> None:
    run = made(tmp_path / "run", SETUPS["two"], **facts)
    assert run.first_pairs == 0
    assert analysis.extended_rates(run).empty
    if not facts:  # the other one has no summary of its test, which its page needs
        page = compose(run)
        assert "Made longer" not in sections_of(page)
        assert TOLD not in page.lead


def test_of_very_many_pairings_the_closest_are_shown(tmp_path: Path) -> None:
    run = made(
        tmp_path / "run", replace(SETUPS["twenty"], players=SETUPS["twenty"].players[:8], pairs=20), first_pairs=8
    )
    page = compose(run)
    (table,) = page.sections[sections_of(page).index("Made longer")].tables
    rates = analysis.extended_rates(run)["match_win_rate"]
    assert len(rates) == 28
    shown = [float(row.cells[0].value) for row in table.rows]
    assert shown == pytest.approx(sorted((rates - 0.5).abs() + 0.5)[:20][::-1])
    assert "for all 28 pairings at once" in table.note
    assert table.note.endswith("Shown are the 20 closest; the data have all.")
    assert table.data
    assert table.data.rows == 28


def test_player_against_itself_is_told_of_where_the_rules_favour_a_side(tmp_path: Path) -> None:
    run_into(tmp_path / "run", plan_of("greedy", "greedy", pairs=60, detail="matches", options={"first_dealer": "a"}))
    page = compose(with_facts(tmp_path / "run", first_pairs=20))
    (table,) = page.sections[sections_of(page).index("Made longer")].tables
    assert [row.head.text for row in table.rows] == ["greedy v greedy"]


@pytest.mark.parametrize(
    ("name", "first_pairs"), [("mirror", 20), ("two", 120)], ids=["split by construction", "nothing left to play"]
)
def test_run_whose_answer_is_what_it_was_says_nothing(tmp_path: Path, name: str, first_pairs: int) -> None:
    page = compose(made(tmp_path / "run", SETUPS[name], first_pairs=first_pairs))
    assert "Made longer" not in sections_of(page)
    assert TOLD not in page.lead


@pytest.mark.parametrize(
    ("name", "facts", "unit"),
    [("trio", {}, "card streams"), ("four", {"experiment": {"kind": "tournament"}}, "pairs")],
)
def test_run_that_is_judged_otherwise_says_what_its_limits_rest_on(
    tmp_path: Path, name: str, facts: dict[str, object], unit: str
) -> None:
    page = compose(made(tmp_path / "run", replace(SETUPS[name], pairs=40), first_pairs=20, **facts))
    section = page.sections[sections_of(page).index("Made longer")]
    assert section.paragraphs[0].endswith(f"its first 20 {unit} a pairing left it undecided, they promise too much.")
    assert not section.tables
    assert page.lead.endswith(TOLD)
