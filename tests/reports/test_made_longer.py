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
from tests.support.synthetic_run import Setup, build_run

TOLD = "The run was made longer after its first answer could be seen: see Made longer."


def made(folder: Path, setup: Setup, **facts: object) -> Run:
    build_run(folder, setup)
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
        assert (row["a"], row["b"], row["pairs"]) == (fixed["a"], fixed["b"], 100)
        assert row[["match_win_rate", "lo", "hi"]].tolist() == pytest.approx([own.mean(), float(lo), float(hi)])
        assert row["lo"] < fixed["lo"] < fixed["hi"] < row["hi"]


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


@pytest.mark.parametrize(("name", "unit"), [("trio", "card streams"), ("mirror", "pairs")])
def test_run_without_a_pairing_of_two_says_what_its_limits_rest_on(tmp_path: Path, name: str, unit: str) -> None:
    page = compose(made(tmp_path / "run", replace(SETUPS[name], pairs=40), first_pairs=20))
    section = page.sections[sections_of(page).index("Made longer")]
    assert section.paragraphs[0].endswith(
        f"because its first 20 {unit} a pairing left it undecided, they promise too much."
    )
    assert not section.tables
