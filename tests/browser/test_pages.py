"""Pages in a real browser: every drawing is seen, every text can be read, by all readers, on screen and paper."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from reports.style import DARK, LIGHT
from tests.browser.chromium import Chromium
from tests.browser.conftest import PAGES, Opened

LOOK = (Path(__file__).parent / "look.js").read_text(encoding="utf-8")
AXE = files("axe_core_python").joinpath("axe.min.js").read_text(encoding="utf-8")
FAULTS = """axe.run({resultTypes: ["violations"], RULES}).then(found => found.violations.map(
    rule => [rule.id, rule.help, rule.nodes.slice(0, 3).map(node => [node.target.join(" "), node.failureSummary])]))"""
ALL_RULES, RULES_OF_LOOKS = "", 'runOnly: ["color-contrast", "scrollable-region-focusable", "svg-img-alt"]'
"""What axe looks for: everything, and what width and theme can change (to look for all again doubles the time)."""
TABLES = """[...document.querySelectorAll("table.sort")].map(table => ({
    sorts: [...table.tHead.rows[0].cells].map(cell => cell.getAttribute("aria-sort")),
    marks: [...table.tHead.rows[0].cells].map(cell => cell.textContent.slice(-1)),
    rows: [...table.tBodies[0].rows].map(row => [...row.cells].map(cell => cell.dataset.v)),
}))"""
DESK, PHONE, PAPER = 1280, 360, 673
"""Window widths in CSS pixels; the last is A4 less two margins of 16 mm."""
SMALLEST = 10


@dataclass(frozen=True)
class Visit:
    """What one page is like: on a desk, a phone and dark paper, as look.js tells it, and the faults axe finds."""

    desk: Mapping[str, Any]
    phone: Mapping[str, Any]
    dark: Mapping[str, Any]
    paper: Mapping[str, Any]
    faults: list[Any]
    complaints: list[str]

    @property
    def looks(self) -> dict[str, Mapping[str, Any]]:
        """Return every look by its name."""
        return {"desk": self.desk, "phone": self.phone, "dark": self.dark, "paper": self.paper}


@pytest.fixture(scope="module", params=PAGES)
def visit(request: pytest.FixtureRequest, opened: Opened) -> Visit:
    """Return what the browser says of one page; axe sees it light on the desk, and dark on the phone."""
    browser = opened(request.param)
    desk = look(browser, DESK)
    browser.ask(f"{AXE};0")
    faults = browser.ask(FAULTS.replace("RULES", ALL_RULES))
    phone, dark = look(browser, PHONE), look(browser, PHONE, theme="dark")
    faults += browser.ask(FAULTS.replace("RULES", RULES_OF_LOOKS))
    paper = look(browser, PAPER, theme="dark", media="print")
    return Visit(desk, phone, dark, paper, faults, browser.complaints())


def look(browser: Chromium, width: int, **how: str) -> dict[str, Any]:
    browser.look(width, **how)
    seen: dict[str, Any] = browser.ask(LOOK)
    return seen


def shade(colour: str) -> str:
    """Return ``#rrggbb`` as a browser writes it."""
    red, green, blue = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return f"rgb({red}, {green}, {blue})"


def test_the_browser_has_nothing_to_complain_of(visit: Visit) -> None:
    assert visit.complaints == []


def test_axe_finds_no_barrier_light_or_dark(visit: Visit) -> None:
    assert visit.faults == []


def test_each_figure_is_drawn_once_for_the_width_at_hand(visit: Visit) -> None:
    for seen, shown, hidden in (
        (visit.desk, "wide", "narrow"),
        (visit.phone, "narrow", "wide"),
        (visit.paper, "wide", "narrow"),
    ):
        assert len(seen[shown]) == len(set(seen[shown])) == seen["figures"]
        assert seen[hidden] == seen["empty"] == []


def test_no_text_leaves_its_drawing(visit: Visit) -> None:
    assert {name: seen["outside"] for name, seen in visit.looks.items() if seen["outside"]} == {}


def test_the_smallest_text_can_be_read(visit: Visit) -> None:
    for name, seen in visit.looks.items():
        assert seen["smallest"][0] >= SMALLEST, (name, seen["smallest"])


def test_the_page_does_not_scroll_sideways(visit: Visit) -> None:
    for name, seen in visit.looks.items():
        assert seen["page_width"] <= seen["window_width"], name


def test_ids_are_unique_and_no_colour_is_fixed(visit: Visit) -> None:
    assert visit.desk["twice"] == []
    assert visit.desk["colours"] == []


def test_the_theme_follows_the_reader(visit: Visit) -> None:
    for seen, theme in ((visit.desk, LIGHT), (visit.dark, DARK), (visit.paper, LIGHT)):
        assert (seen["background"], seen["ink"]) == (shade(theme["bg"]), shade(theme["ink"]))


def test_paper_has_neither_buttons_nor_links_to_press(visit: Visit) -> None:
    assert visit.desk["contents"] == 1
    assert visit.desk["buttons"] == visit.desk["marks"]
    for part in ("marks", "links", "contents", "hints", "scrolling"):
        assert visit.paper[part] == 0, part


def test_pressing_a_heading_sorts_and_pressing_again_turns_the_order(opened: Opened) -> None:
    browser = opened("four")
    browser.look(DESK)
    heading = "table.sort th:nth-child(3) button"
    before = browser.ask(TABLES)[0]["rows"]
    seen = []
    for _ in range(3):
        browser.click(heading)
        table = browser.ask(TABLES)[0]
        assert sorted(table["rows"]) == sorted(before)
        seen.append(([float(row[2]) for row in table["rows"]], table["sorts"], table["marks"]))
    rising = sorted(float(row[2]) for row in before)
    assert [values for values, _, _ in seen] == [rising[::-1], rising, rising[::-1]]
    assert [sorts[2] for _, sorts, _ in seen] == ["descending", "ascending", "descending"]
    assert [marks[2] for _, _, marks in seen] == ["↓", "↑", "↓"]
    assert all(sorts.count(None) == len(sorts) - 1 for _, sorts, _ in seen)


def test_a_heading_is_reached_and_pressed_by_keyboard(opened: Opened) -> None:
    browser = opened("four")
    names = sorted(row[0] for row in browser.ask(TABLES)[0]["rows"])
    browser.ask("document.querySelector('table.sort th button').focus()")
    for expected, sort in ((names, "ascending"), (names[::-1], "descending")):
        browser.press_enter()
        table = browser.ask(TABLES)[0]
        assert [row[0] for row in table["rows"]] == expected
        assert table["sorts"][0] == sort


def by_size(values: list[str]) -> list[float] | list[str]:
    """Return the values as numbers, or, if any is a word, as they are."""
    try:
        return [float(value) for value in values]
    except ValueError:
        return values


@pytest.mark.parametrize("name", ["deals", "tournament", "sweep", "compare", "tips", "four"])
def test_every_table_sorts_by_every_heading(name: str, opened: Opened) -> None:
    browser = opened(name)
    press = "document.querySelectorAll('table.sort')[{}].tHead.rows[0].cells[{}].querySelector('button').click()"
    tables = browser.ask(TABLES)
    assert tables
    for number, table in enumerate(tables):
        for column in range(len(table["sorts"])):
            for _ in range(2):
                browser.ask(press.format(number, column))
                after = browser.ask(TABLES)[number]
                values = by_size([row[column] for row in after["rows"]])
                assert after["sorts"][column] in ("ascending", "descending")
                assert values == sorted(values, reverse=after["sorts"][column] == "descending")


def test_without_script_the_page_is_whole_and_has_nothing_dead_to_press(opened: Opened, chromium: Chromium) -> None:
    with_script = look(opened("four"), DESK)
    assert with_script["buttons"] > 0
    chromium("Emulation.setScriptExecutionDisabled", value=True)
    try:
        without = look(opened("four"), DESK)
    finally:
        chromium("Emulation.setScriptExecutionDisabled", value=False)
    assert without["buttons"] == without["hints"] == 0
    assert without["wide"] == with_script["wide"] != []
