"""The page as a browser gets it: whole, self-contained, described, the same every time."""

from __future__ import annotations

import io
import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pandas as pd
import pytest

import analysis
from analysis import Run, RunError, load_run
from reports.build import page_of, write_html
from tests.reports.conftest import FOUR, SETUPS, Made
from tests.support.synthetic_run import Setup, build_run

VOID = {"wbr", "meta", "link", "br", "hr", "img", "input"}
EVERY_PAGE = pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) if name == "twenty" else name for name in SETUPS]
)


class Outline(HTMLParser):
    """What a page consists of: elements with attributes, in order, and whether they are closed in order."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.open: list[str] = []
        self.faults: list[str] = []
        self.text: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {key: value or "" for key, value in attrs}))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {key: value or "" for key, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.faults.append(tag)

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    def all(self, tag: str) -> list[dict[str, str]]:
        """Return the attributes of every element of a kind."""
        return [attributes for found, attributes in self.elements if found == tag]


@pytest.fixture(scope="module")
def outlines(pages: dict[str, str]) -> dict[str, Outline]:
    return Made(lambda name: Outline(pages[name]))


def body_of(html: str) -> str:
    return html[html.index("<body>") :]


@EVERY_PAGE
def test_elements_are_closed_in_order_and_ids_are_unique(
    pages: dict[str, str], outlines: dict[str, Outline], name: str
) -> None:
    outline = outlines[name]
    assert outline.faults == []
    assert outline.open == []
    ids = Counter(attributes["id"] for _, attributes in outline.elements if "id" in attributes)
    assert [found for found, times in ids.items() if times > 1] == []
    wanted = set(re.findall(r"url\(#([^)]+)\)", pages[name]))
    for _, attributes in outline.elements:
        wanted.update(attributes.get("aria-labelledby", "").split())
        if attributes.get("href", "").startswith("#"):
            wanted.add(attributes["href"][1:])
    assert wanted <= set(ids)


@EVERY_PAGE
def test_nothing_comes_from_the_network(pages: dict[str, str], outlines: dict[str, Outline], name: str) -> None:
    html = pages[name]
    assert "http" not in html
    assert "@import" not in html
    for _, attributes in outlines[name].elements:
        assert not attributes.get("src")
        assert attributes.get("href", "#").startswith(("#", "data:text/csv"))


@EVERY_PAGE
def test_no_colour_is_fixed_in_the_body(pages: dict[str, str], name: str) -> None:
    assert re.findall(r"#[0-9a-fA-F]{6}\b|#[0-9a-fA-F]{3}\b", re.sub(r'href="[^"]*"', "", body_of(pages[name]))) == []


@EVERY_PAGE
def test_drawings_do_not_leak_into_the_page(pages: dict[str, str], name: str) -> None:
    body = body_of(pages[name])
    for leak in ("<metadata", "<style", "<!--", "<?xml", "<!DOCTYPE", "xmlns", "xlink", "DejaVu"):
        assert leak not in body


@EVERY_PAGE
def test_drawings_are_named_described_and_made_for_two_widths(
    pages: dict[str, str], outlines: dict[str, Outline], name: str
) -> None:
    outline = outlines[name]
    drawings = outline.all("svg")
    assert len(drawings) == 2 * len(outline.all("figure"))
    for drawing in drawings:
        assert drawing["role"] == "img"
        assert len(drawing["aria-labelledby"].split()) == 2
        assert drawing["viewbox"].split()[2] in ("680", "328")
        assert not {"width", "height"} & drawing.keys()
    assert re.findall(r"<title[^>]*></title>|<desc[^>]*></desc>", pages[name]) == []


@EVERY_PAGE
def test_paths_have_at_most_one_decimal(pages: dict[str, str], name: str) -> None:
    assert re.findall(r' d="[^"]*\.\d\d', pages[name]) == []


def figures_of(html: str) -> list[str]:
    return [attributes["id"].removeprefix("figure-") for attributes in Outline(html).all("figure")]


def headings_of(html: str) -> list[str]:
    return re.findall(r"<h2[^>]*>([^<:]*)", html)


def test_a_page_tells_its_parts_in_order(pages: dict[str, str]) -> None:
    start, end = ["Who wins", "Why", "What a deal is worth"], ["Data quality", "Reproduce this page"]
    assert headings_of(pages["four"]) == [*start, "How deals end", "How long a match lasts", *end]
    assert figures_of(pages["four"]) == ["pairings", "map", "ladder", "openings", "first", "endings", "length"]


def test_a_page_of_a_run_with_deal_rows_tells_what_these_show(pages: dict[str, str]) -> None:
    middle = ["What a deal is worth", "How far ahead is safe", "Knocking", "How deals end", "How long a match lasts"]
    end = ["The most decisive deals", "Data quality", "Reproduce this page"]
    assert headings_of(pages["two"]) == ["Who wins", "Why", *middle, *end]


@pytest.mark.parametrize(
    ("name", "figures"),
    [
        ("trio", []),
        ("straight", ["ladder", "openings", "endings", "length"]),
        ("close", ["ladder", "openings", "endings", "length"]),
        ("mirror", ["openings", "endings", "length"]),
        ("one", []),
        ("column", ["pairings", "ladder", "openings", "endings", "length"]),
    ],
)
def test_figures_without_data_are_left_out(pages: dict[str, str], name: str, figures: list[str]) -> None:
    """Except for who opened first, which depends on the dice."""
    assert [figure for figure in figures_of(pages[name]) if figure != "first"] == figures


def test_too_few_matches_are_said_with_the_command_for_more(pages: dict[str, str]) -> None:
    text = " ".join(" ".join(Outline(pages["one"]).text).split())
    assert "too few to look into" in text
    assert "hollywood simulate gin-only greedy --pairs 20000" in text


def test_a_partial_run_says_so_at_the_top(pages: dict[str, str]) -> None:
    top = pages["partial"][: pages["partial"].index("<nav")]
    assert "Not finished." in top
    assert "interrupted" in top
    assert "Not finished." not in pages["two"]


def csv_links(html: str) -> dict[str, pd.DataFrame]:
    """Return the tables behind the data links of a page."""
    links = [a for a in Outline(html).all("a") if a.get("href", "").startswith("data:")]
    found = {}
    for link in links:
        assert len(link["href"]) <= 200_000
        head, _, body = link["href"].partition(",")
        assert head == "data:text/csv;charset=utf-8"
        found[link["download"]] = pd.read_csv(io.StringIO(unquote(body)))
    return found


def test_the_data_of_a_figure_can_be_taken_along(pages: dict[str, str], runs: dict[str, Run]) -> None:
    tables = csv_links(pages["four"])
    assert set(tables) == {
        *("standings.csv", "pairings.csv", "map.csv", "endpoints.csv"),
        *("openings.csv", "first-to-open.csv", "endings.csv", "match-length.csv"),
    }
    expected = analysis.endpoints(runs["four"])
    assert list(tables["endpoints.csv"]["a"]) == list(expected["a"])
    assert tables["endpoints.csv"]["share"].to_list() == pytest.approx(expected["share"].to_list(), rel=1e-5)
    assert {"rho", "variance_reduction", "n_4"} <= set(tables["pairings.csv"].columns)


def test_tables_can_be_read_and_sorted_without_and_with_script(pages: dict[str, str]) -> None:
    html = pages["four"]
    assert "<button" not in html  # the script makes them; without it there are no dead buttons
    table = html[html.index('<table class="sort">') : html.index("</table>")]
    assert table.count('<th scope="row"') == 4
    values = [float(value) for value in re.findall(r'</th><td data-v="([^"]+)"', table)]
    assert values == sorted(values, reverse=True)
    region = next(attributes for attributes in Outline(html).all("div") if attributes.get("role") == "region")
    assert region["tabindex"] == "0"


def test_how_to_get_the_page_again(pages: dict[str, str]) -> None:
    last = pages["four"][pages["four"].index(' id="reproduce"') :]
    text = re.sub(r"<[^>]+>", "", last)
    for wanted in (
        "hollywood simulate gin-only greedy simple",
        "--pairs",
        "--seed 7",
        "hollywood report last",
        "000000000000",
        "numba 0.62.0",
    ):
        assert wanted in text
    assert "29 November 2026, 20:44:00 to 20:45:10 UTC" in text


def test_names_cannot_break_the_page(tmp_path: Path) -> None:
    from reports.page import compose, render
    from tests.support.synthetic_run import Player

    players = (Player("./<b>&bot.py"), FOUR[1])
    html = render(compose(load_run(build_run(tmp_path / "run", Setup(players, pairs=50)))))
    assert "<b>&bot" not in html
    assert Outline(html).faults == []


def test_the_same_run_gives_the_same_bytes(runs: dict[str, Run], tmp_path: Path) -> None:
    first, second = (write_html(page_of([runs["close"].path]), tmp_path / name) for name in ("one.html", "two.html"))
    assert first.read_bytes() == second.read_bytes()


def test_a_report_that_cannot_be_made_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = build_run(tmp_path / "run", Setup(FOUR[:2], pairs=2))
    page = page_of([folder])
    old = write_html(page, folder / "report.html").read_bytes()
    monkeypatch.setattr("reports.build._as_others_are", lambda file: (_ for _ in ()).throw(OSError(file)))
    with pytest.raises(OSError, match="report"):
        write_html(page, folder / "report.html")
    assert (folder / "report.html").read_bytes() == old
    assert sorted(path.name for path in folder.iterdir()) == [
        *("manifest.json", "matches", "parts.jsonl", "report.html", "spec.toml")
    ]


def test_a_folder_that_is_no_run_is_an_error_of_its_own(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="no such run folder"):
        page_of([tmp_path / "nowhere"])
