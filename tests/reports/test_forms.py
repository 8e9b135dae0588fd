"""Pages of partnership and three-handed runs: who meets, in whose words, and what is left out."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import analysis
from analysis import Run, load_run
from reports import trio_story, trios
from reports.blocks import Table
from reports.page import compose
from tests.reports.conftest import FOUR
from tests.support.synthetic_run import Player, Setup, build_run


def words_of(html: str) -> str:
    """Return the text of a page."""
    text = re.sub(r"<(style|script|svg).*?</\1>|<wbr>", "", html, flags=re.S)
    return " ".join(re.sub(r"<[^>]+>", " ", text).split())


def material_of(folder: Path, players: tuple[Player, ...], names: tuple[str, ...], pairs: int) -> trios.TrioMaterial:
    """Return what the page of one trio is made of."""
    setup = Setup(players, pairs=pairs, preset="three-handed", pairings=[names])
    return trios.gather(load_run(build_run(folder / "run", setup)))


def test_where_not_everyone_met_as_many_the_standings_do_not_say_so(tmp_path: Path) -> None:
    names = [player.spec for player in FOUR]
    gauntlet = Setup(FOUR, pairs=60, pairings=[(names[0], other) for other in names[1:]])
    standings = table_of(load_run(build_run(tmp_path / "run", gauntlet)), "standings")
    assert standings.title == "Standings: each player’s mean over the opponents it met"


def test_partners_are_called_sides(pages: dict[str, str]) -> None:
    text = words_of(pages["sides"])
    assert "Four sides met in a round robin under the partnership rules" in text
    assert "Standings: each side’s mean over its three opponents" in text
    assert "Matches won by the row side" in text
    assert not re.search("players met|row player|the player", text)


def test_partners_keep_short_names_on_the_whole_page(pages: dict[str, str]) -> None:
    text = words_of(pages["partners"])
    assert "threshold 5,1/gin-only is threshold:knock_at=5,hunt=1/gin-only." in text.lower()
    assert "met threshold 5,1/gin-only under" in text or "Threshold 5,1/gin-only met" in text
    assert "hollywood simulate greedy/simple threshold:knock_at=5,hunt=1/gin-only --pairs" in text
    last = text[text.index("Players, and the hash of each one’s source") :]
    assert "threshold 5,1 threshold:knock_at=5,hunt=1" in last


def test_rounds_are_explained_once_and_recalled_where_deals_are_counted(runs: dict[str, Run]) -> None:
    page = compose(runs["partners"])
    figures = {figure.name: figure.words for section in page.sections for figure in section.figures}
    told = [text for section in page.sections for text in section.paragraphs]
    assert sum("Two deals, one at each table, make a round" in text for text in told) == 1
    assert any("points before they are netted: " in text for text in told)
    assert "dead deals included, two deals a round; " in figures["length"].grey
    halves = re.findall(r"\bdeal (\d+)", figures["openings"].alt)
    assert halves
    assert all(int(deal) % 2 == 0 for deal in halves)


def test_a_three_handed_page_says_who_wins_and_no_more(pages: dict[str, str]) -> None:
    for name in ("trio", "trios"):
        headings = re.findall(r"<h2[^>]*>([^<:]*)", pages[name])
        assert headings == ["Who wins", "Data quality", "Reproduce this page"]
        assert pages[name].count("Three-handed runs carry win rates only") == 1
        assert "duplicate pair" not in pages[name]
    text = words_of(pages["trio"])
    assert "--rules three-handed" in text
    assert "Card streams a trio 120" in text
    assert "a third of a win for each" in text


def table_of(run: Run, name: str) -> Table:
    return next(table for table in compose(run).sections[0].tables if table.name == name)


def test_the_sides_of_a_trio_are_ranked_with_their_intervals(runs: dict[str, Run]) -> None:
    table = table_of(runs["trio"], "trio")
    expected = analysis.trios(runs["trio"]).sort_values("rate", ascending=False)
    assert [row.head.text for row in table.rows] == list(expected["name"])
    assert [row.cells[0].value for row in table.rows] == expected["rate"].to_list()
    assert all(row.cells[0].error.startswith("±") for row in table.rows)
    assert [float(row.cells[1].value) for row in table.rows] == pytest.approx(
        (100 * expected["rate"] - 100 / 3).to_list()
    )


def test_several_trios_have_standings_and_a_row_for_each_side(runs: dict[str, Run]) -> None:
    standings, table = table_of(runs["trios"], "standings"), table_of(runs["trios"], "trios")
    assert [row.cells[0].value for row in standings.rows] == analysis.trio_standings(runs["trios"])[
        "matches_won"
    ].to_list()
    assert standings.title == "Standings: each player’s mean over its three trios"
    assert len(table.rows) == 12
    rates = [row.cells[0].value for row in table.rows]
    assert rates == sorted(rates, reverse=True)  # the page says that tables are sorted by their second column
    against = {(row.head.text, row.cells[1].text) for row in table.rows}
    assert ("greedy", "gin-only and simple") in against
    assert len(against) == 12


def test_many_trios_are_left_to_the_data(runs: dict[str, Run], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trios, "MOST_TRIOS", 3)
    tables = compose(runs["trios"]).sections[0].tables
    assert [(table.name, table.data.name if table.data else "") for table in tables] == [("standings", "standings.csv")]


def test_a_decided_trio_is_a_sentence(tmp_path: Path) -> None:
    players = (Player("greedy"), Player("simple", skill=1.5), Player("gin-only"))
    own = material_of(tmp_path, players, ("greedy", "simple", "gin-only"), 200)
    assert re.fullmatch(r"Simple wins \d\d of 100 matches against (greedy and gin-only|gin-only and greedy)",
                        trio_story.headline(own))  # fmt: skip
    assert re.match(r"That is \d\d\.\d% ±\d\.\d over 200 card streams \(the same cards", trio_story.lead(own))
    assert "33.3%, would be even" in trio_story.lead(own)


def test_an_undecided_trio_is_said_so_in_the_headline(tmp_path: Path) -> None:
    own = material_of(tmp_path, FOUR, ("greedy", "simple", "threshold:knock_at=5"), 20)
    assert trio_story.headline(own).endswith(": undecided after 120 matches")
    assert "Intervals that meet leave the order open" in trio_story.lead(own)


def test_a_player_in_two_places_is_named_once(tmp_path: Path) -> None:
    players = (Player("strong", skill=2.0), Player("weak"))
    weak = material_of(tmp_path / "weak", players, ("weak", "strong", "weak"), 100)
    assert trio_story.headline(weak).endswith("against weak in both other places")
    assert trio_story.lead(weak).endswith("in each of its two places.")
    assert "Weak twice and strong met three-handed" in trios.who_wins(weak).paragraphs[0]
    strong = material_of(tmp_path / "strong", players, ("strong", "strong", "weak"), 100)
    assert trio_story.headline(strong).endswith(" matches in each of its two places, against weak")


def test_a_player_in_all_places_claims_no_winner(tmp_path: Path) -> None:
    own = material_of(tmp_path, FOUR[:1], ("gin-only",) * 3, 20)
    assert trio_story.headline(own).startswith("Gin-only against itself takes ")
    assert "by construction" in trio_story.lead(own)
    assert {row.cells[0].error for row in trios.who_wins(own).tables[0].rows} == {""}


def test_several_trios_have_a_leader_and_those_level_with_it(runs: dict[str, Run]) -> None:
    own = trios.gather(runs["trios"])
    top, second = own.standings.iloc[0], own.standings.iloc[1]
    assert trio_story.headline(own).lower().startswith(f"{own.names[top['player']]} wins the most matches, ")
    level = second["matches_won_hi"] >= top["matches_won_lo"]
    assert ("undecided against" in trio_story.headline(own)) == level
    assert "on average over its three trios, where a third would be even" in trio_story.lead(own)
