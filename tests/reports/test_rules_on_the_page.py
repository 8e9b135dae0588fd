"""What the page says is true under the rules of the run, whatever the preset."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterator
from functools import cache

import pytest

from analysis import load_run
from reports.page import Page, compose
from sim.presets import PRESETS, find_preset
from tests.support.synthetic_run import Player, Setup, build_run

TWO_SIDED = [name for name, preset in PRESETS.items() if preset.rules().sides == 2]
ONE_COLUMN = [name for name in TWO_SIDED if find_preset(name).rules().columns == 1]


Pages = Callable[..., Page]


@pytest.fixture(scope="module")
def page_of(tmp_path_factory: pytest.TempPathFactory) -> Pages:
    """Make pages under some rules, each once."""

    @cache
    def page(
        preset: str, options: tuple[tuple[str, object], ...] = (), pairs: int = 60, *, deals: bool = False
    ) -> Page:
        folder = tmp_path_factory.mktemp("runs") / "run"
        setup = Setup(players_of(preset), pairs, 60, preset, options=dict(options), deals=deals)
        return compose(load_run(build_run(folder, setup)))

    return page


def players_of(preset: str) -> tuple[Player, Player]:
    """Return two players who knock only where that is allowed."""
    if find_preset(preset).rules().knock_limit == 0:
        return Player("greedy", 0.3, gin=1, undercut=0), Player("gin-only", gin=1, undercut=0)
    return Player("greedy", 0.3), Player("gin-only", gin=0.8)


def sentences(page: Page) -> Iterator[str]:
    """Yield all that a page says in words."""
    yield from (page.headline, page.lead)
    for section in page.sections:
        yield from (section.title, *section.paragraphs, *(" ".join(words) for words in section.commands))
        for table in section.tables:
            yield from (table.title, table.note, *table.heads)
        for figure in section.figures:
            yield from dataclasses.astuple(figure.words)


def text_of(page: Page) -> str:
    return "\n".join(sentences(page))


@pytest.mark.parametrize("preset", TWO_SIDED)
def test_every_preset_has_a_whole_page(preset: str, page_of: Pages) -> None:
    page = page_of(preset)
    names = ["who-wins", "why", "deal-worth", "endings", "length", "quality"]
    assert [section.name for section in page.sections] == names
    assert dict(page.facts)["Rules"] == dict(page.reproduction.facts)["Rules"] == preset
    assert f"under the {preset} rules: gin pays {find_preset(preset).rules().gin_bonus}, " in text_of(page)
    assert not re.search(r"\bnan\b|None |  ", text_of(page))


@pytest.mark.parametrize("preset", ["oklahoma", "hollywood-straight", "partnership"])
def test_what_single_deals_tell_is_true_under_other_rules_too(preset: str, page_of: Pages) -> None:
    page, rules = page_of(preset, deals=True), find_preset(preset).rules()
    names = ["who-wins", "why", "deal-worth", "safe", *(["knocking"] if rules.knock_limit else []), "endings", "length"]
    assert [section.name for section in page.sections] == [*names, "decisive", "quality"]
    text = text_of(page)
    assert not re.search(r"\bnan\b|None |  | ,|±\?", text)
    if not rules.knock_limit:
        assert not re.search("undercut|a knock|by knock|knock 0|threshold", text)
    if rules.columns == 1:
        assert not re.search(r"columns|[Cc]olumn \d|each column|a panel|(first|second|third) column", text)


@pytest.mark.parametrize("preset", ONE_COLUMN)
def test_a_sheet_with_one_column_is_never_said_to_have_more(preset: str, page_of: Pages) -> None:
    text = text_of(page_of(preset))
    assert "one column to 100" in text
    assert not re.search(r"columns|[Cc]olumn \d|each column|a panel|(first|second|third) column", text)


@pytest.mark.parametrize("preset", ["straight", "hollywood-straight"])
def test_where_nobody_may_knock_no_knock_is_spoken_of(preset: str, page_of: Pages) -> None:
    text = text_of(page_of(preset))
    assert "nobody may knock short of gin" in text
    assert not re.search("undercut|a knock|by knock|knock 0|threshold", text)


@pytest.mark.parametrize(
    ("preset", "told"),
    [
        ("hollywood-003", "three columns to 100, open to a side until it has 100 itself."),
        ("oklahoma", "the first upcard sets the knock limit, a spade as first upcard doubles the deal, one column"),
        ("oklahoma", "A spade as first upcard doubles all of it."),
        ("manhattan", "gin pays 25, big gin 31, an undercut pays 25, one column to 100."),
        ("manhattan", "Full colour is gin or big gin, paler a knock"),
        ("hollywood-straight", "gin pays 25, nobody may knock short of gin, three columns to 100."),
        ("partnership", "Two deals, one at each table, make a round; their points are netted"),
    ],
)
def test_the_rules_that_decide_most_are_told(preset: str, told: str, page_of: Pages) -> None:
    assert told in text_of(page_of(preset))


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"knock_limit": 5}, "an undercut pays 10, one may knock with 5 at most, three columns"),
        ({"tie": "knocker"}, "unless the other side has less deadwood after laying off"),
        ({"match_winner": "total"}, "three columns to 100, the most settled points win the match."),
        ({"match_winner": "first_column"}, "the match ends when a column closes, and the most points win it."),
    ],
)
def test_changed_options_are_named_and_told(options: dict[str, object], told: str, page_of: Pages) -> None:
    page = page_of("hollywood", tuple(options.items()))
    name, value = next(iter(options.items()))
    assert f"under the hollywood rules with {name}={value}: gin pays 25" in text_of(page)
    assert told in text_of(page)
    assert dict(page.facts)["Rules"] == "hollywood, changed"


def test_columns_that_are_not_played_out_are_not_compared(page_of: Pages) -> None:
    page = page_of("hollywood", (("match_winner", "first_column"),))
    assert page.sections[0].tables[0].heads == ["Player", "Matches won", "Deals won", "Points a deal won"]
    assert not re.search("columns to the third|takes all three|column 3 \\d", text_of(page))


def test_what_follows_a_dead_deal_depends_on_who_plays(page_of: Pages) -> None:
    two, four = (text_of(page_of(name)) for name in ("hollywood", "partnership"))
    assert "A dead deal scores nothing and is dealt again; the shares of endings" in two
    assert "A dead deal scores nothing: the other table’s deal then decides the round; the shares of endings" in four


def test_more_matches_are_asked_for_under_the_same_rules(page_of: Pages) -> None:
    text = text_of(page_of("partnership", (("target", 50),), pairs=4))
    assert "hollywood simulate greedy gin-only --pairs 20000 --seed 7 --rules partnership --set target=50" in text
