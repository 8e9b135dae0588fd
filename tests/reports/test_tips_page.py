"""The page of the tips: it says what tips.json says, and its figures stay on their sheets."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from reports import tips_page
from reports.charts import tips as chart
from reports.page import Page, render
from reports.tips_page import TipsError, compose_tips, is_tips, page_of_tips
from tests.support.drawings import assert_readable, drawings_of

LONG = "who waits for gin until his second column is open and then knocks as soon as he may"


def row(unit: str, numbers: tuple[float, float, float], outcome: str, **changes: Any) -> dict[str, Any]:
    """Return a measurement as tips.json keeps it."""
    value, low, high = numbers
    true_if = {"times": [2.0, 4.0], "misses": [0.0, 0.0], "cases": [0.05, None]}.get(unit, [0.5, None])
    base = {"who": "both knock at once", "rules": "hollywood", "unit": unit, "value": value, "limits": [low, high]}
    base |= {"true_if": true_if, "outcome": outcome, "shown": bool(outcome) and unit != "misses"}
    return {**base, "cases": 60_000, "pairs": 30_000, "query": "matches_won", "runs": ["a-run"], **changes}


def tip(name: str, kind: str, verdict: str, rows: list[dict[str, Any]], any_way: bool = False) -> dict[str, Any]:
    """Return a tip as tips.json keeps it."""
    texts = {
        "title": f"The tip called {name}",
        "says": "Win early deals.",
        "how": "It was measured so.",
        "source": "003",
    }
    again = ["hollywood", "tips", "--only", name]
    return {
        "name": name,
        "kind": kind,
        **texts,
        "any_way": any_way,
        "verdict": verdict,
        "again": again,
        "measurements": rows,
    }


def told() -> dict[str, Any]:
    """Return a tips.json with every verdict and every unit."""
    tips = [
        tip("length", "claim", "it depends", [
            row("times", (1.342, 1.328, 1.356), "does not hold"),
            row("times", (2.128, 2.095, 2.161), "holds", rules="hollywood-003"),
        ]),
        tip("three-wins", "claim", "true by the rules", [
            row("misses", (0.0, 0.0, 0.001), "true by the rules", cases=1000),
            row("cases", (0.66, 0.65, 0.67), "", shown=False),
        ]),
        tip("push", "advice", "holds", [row("matches", (0.5595, 0.5549, 0.5642), "holds", who=LONG)]),
        tip("track", "advice", "does not hold", [
            row("matches", (0.4573, 0.4535, 0.4612), "does not hold", shown=False),
            row("matches", (0.5, 0.4999, 0.5001), "does not hold", rules="my-house-rules-with-a-long-name.toml"),
        ], any_way=True),
        tip("undercuts", "advice", "undecided", [
            row("cases", (0.0, 0.0, 0.04), "undecided", who="low knocks"),
            row("matches", (0.5012, 0.4926, 0.5098), "undecided"),
            row("times", (1.0, 1.0, 1.0), "undecided", value=None, limits=[None, None], cases=0),
        ]),
    ]  # fmt: skip
    counted = {"matches": 3_504_000, "deals": 57_110_675, "intervals": 70, "pairs": 30_000, "pairs_with_deals": 15_000}
    made = {
        "engine_version": "0.3.0",
        "versions": {"numpy": "2"},
        "cpu": "a processor",
        "seed": 7,
        "status": "complete",
    }
    lists = {"rules": ["hollywood", "hollywood-003"], "tips": tips, "runs": [{}] * 3, "again": ["hollywood", "tips"]}
    players = [{"spec": "simple", "sha": "0" * 64}, {"spec": "threshold:knock_at=10", "sha": "1" * 64}]
    return {"schema_version": 1, "started": "2026-11-30T07:00:00+00:00", **counted, **made, **lists, "players": players}


@pytest.fixture(scope="module")
def page() -> Page:
    """The page of `told`."""
    return compose_tips(told())


def section(page: Page, name: str) -> Any:
    return next(section for section in page.sections if section.name == name)


def test_headline_says_how_many_tips_hold(page: Page) -> None:
    assert (
        page.headline
        == "Two of five tips hold, one depends on rules or players, one does not hold and one is undecided"
    )
    assert "Undecided: “The tip called undercuts”." in page.lead
    one = told()
    one["tips"] = one["tips"][:1]
    assert compose_tips(one).headline == "The tip called length: it depends"


def test_every_tip_has_its_verdict_and_effect_in_the_table(page: Page) -> None:
    (table,) = section(page, "verdicts").tables
    cells = [(line.head.text, line.cells[0].text, line.cells[1].text) for line in table.rows]
    assert cells == [
        ("The tip called length", "it depends", "1.34 to 2.13×"),
        ("The tip called three-wins", "true by the rules", "no exceptions"),
        ("The tip called push", "holds", "56.0%"),
        ("The tip called track", "does not hold", "50.0%"),
        ("The tip called undercuts", "undecided", "0.0%, 50.1%"),
    ]


def test_every_tip_has_source_method_finding_and_command(page: Page) -> None:
    own = section(page, "length")
    assert own.title == "The tip called length: it depends"
    assert own.paragraphs == [
        "What source 003 says: Win early deals.",
        "How it was measured: It was measured so.",
        "What came out: Under hollywood-003 it holds: both knock at once 2.13 ±0.04 times. "
        "Under hollywood it does not hold: both knock at once 1.34 ±0.02 times.",
    ]
    assert own.commands == [["hollywood", "tips", "--only", "length"]]
    assert "Of 1,000 wins none broke the rule." in section(page, "three-wins").paragraphs[2]
    assert "50.0% ±0.1" in section(page, "track").paragraphs[2]
    assert "the best under each of the rules is named" in section(page, "track").paragraphs[2]


def test_commands_are_words_as_a_shell_takes_them() -> None:
    document = told()
    document["again"] += ["--rules", "my rules.toml"]
    document["tips"][0]["again"] = document["again"]
    own = compose_tips(document)
    quoted = ["hollywood", "tips", "--rules", "'my rules.toml'"]
    assert own.reproduction.commands == section(own, "length").commands == [quoted]


def test_table_of_a_tip_has_every_measurement_and_says_which_is_for_scale(page: Page) -> None:
    (table,) = section(page, "three-wins").tables
    assert [(line.cells[1].text, line.cells[2].text) for line in table.rows] == [
        ("never", "true by the rules"),
        ("66.0%", "for scale"),
    ]
    assert table.rows[0].cells[1].error == "at most 0.10%"
    assert len(section(page, "track").tables[0].rows) == 2
    assert section(page, "undercuts").tables[0].rows[2].cells[1].text == "none"


def test_figures_show_what_is_judged_and_nothing_else(page: Page) -> None:
    claims, advice = section(page, "verdicts").figures
    assert claims.words.title == "One of two measurements bears the claims out, one does not"
    assert advice.words.title == "One of five measurements bears the advice out, one does not and three are undecided"
    assert "for all 70 of the list at once" in claims.words.grey
    assert advice.data.text.count("\n") == 1 + 5
    assert "plus or minus" in advice.words.alt


def test_its_figures_can_be_read(page: Page) -> None:
    assert_readable(drawings_of(section(page, "verdicts").figures))


def test_shape_repeats_what_colour_says_of_an_outcome() -> None:
    looks = [(mark["marker"], mark["markerfacecolor"] == mark["color"]) for mark in chart.MARKS.values()]
    assert len(set(looks)) == len(looks)


def test_page_has_unique_ids_and_no_colour_of_its_own(page: Page) -> None:
    html = render(page)
    ids = [part.split('"')[0] for part in html.split(' id="')[1:]]
    assert len(set(ids)) == len(ids)
    assert "#0b4f8a" not in html.partition("<body>")[2]


def test_folder_without_a_finished_test_is_told_so(tmp_path: Path) -> None:
    assert not is_tips(tmp_path)
    file = tmp_path / tips_page.TIPS_FILE
    file.write_text(json.dumps({**told(), "status": "running"}), encoding="utf-8")
    assert is_tips(tmp_path)
    with pytest.raises(TipsError, match="not finished; go on with: hollywood tips --resume"):
        page_of_tips(tmp_path)
    spoilt = copy.deepcopy(told())
    del spoilt["tips"][0]["measurements"]
    for text in ("{", json.dumps({**told(), "schema_version": 9}), json.dumps(spoilt)):
        file.write_text(text, encoding="utf-8")
        with pytest.raises(TipsError, match=r"tips\.json: no page can be made of it"):
            page_of_tips(tmp_path)
