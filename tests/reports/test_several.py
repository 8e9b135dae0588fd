"""Several runs as one page: what is compared, in whose words, and that no two things on it have one name."""

from __future__ import annotations

import io
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import analysis
from analysis import Run, load_run
from analysis.concluded import settings
from experiments.sweep import Asked
from reports.blocks import Section, Table, download, figure_block
from reports.build import ReportError, name_of, page_of
from reports.charts import ladder
from reports.condition_names import conditions_of, differences
from reports.markdown import markdown
from reports.orient import Pairing
from reports.page import Page, render
from reports.pictures import picture
from reports.provenance import Reproduction
from reports.several import compose_several
from reports.side_by_side import SeveralRuns, gather
from tests.reports.conftest import FOUR
from tests.reports.test_conditions_drawn import LADDERS
from tests.reports.test_page import Outline
from tests.support.dice_experiments import dice_sweep
from tests.support.synthetic_run import Player, Setup, build_run

A, B = "threshold:knock_at=10", "gin-only"
SETUPS = {
    "ten": Setup((Player(B), Player(A, 0.4)), pairs=60, part_pairs=64),
    "twenty-five": Setup((Player(A), Player(B, 0.5)), pairs=60, part_pairs=64, options={"undercut_bonus": 25}),
    "column": Setup((Player(B, 0.2), Player(A)), pairs=60, part_pairs=64, preset="eaai", seed=8),
    "others": Setup(FOUR[1:3], pairs=50, part_pairs=64),
    "four": Setup(FOUR, pairs=50, part_pairs=64),
    "four-others": Setup(
        tuple(Player(p.spec, -p.skill) for p in FOUR), pairs=50, part_pairs=64, preset="hollywood-003"
    ),
    "again": Setup((Player(B), Player(A, 0.4)), pairs=60, part_pairs=64, seed=9),
    "few": Setup((Player(B), Player(A, 0.4)), pairs=1, seed=10),
    "partial": Setup((Player(B), Player(A, 0.4)), pairs=50, part_pairs=64, seed=11, status="interrupted"),
    "mirror": Setup((Player(B),), pairs=20, part_pairs=64, pairings=[(B, B)]),
    "trio": Setup(FOUR[:3], pairs=20, part_pairs=64, preset="three-handed"),
    "other-trio": Setup(FOUR[2::-1], pairs=20, part_pairs=64, preset="three-handed", options={"undercut_bonus": 25}),
    "other-mirror": Setup((Player(B),), pairs=20, part_pairs=64, pairings=[(B, B)], seed=12),
    "hunt1": Setup((Player("threshold:knock_at=5,hunt=1"), Player("greedy")), pairs=2),
    "hunt2": Setup((Player("threshold:knock_at=5,hunt=2"), Player("greedy")), pairs=2),
}


@pytest.fixture(scope="module")
def several(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Run]:
    home: Path = tmp_path_factory.mktemp("several")
    return {name: load_run(build_run(home / name, setup)) for name, setup in SETUPS.items()}


@pytest.fixture
def without_chapters(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the chapters empty: they are pages of one run, which other tests look at, and take long to draw."""
    blank = page_blank()
    monkeypatch.setattr("reports.several.compose", lambda run, called: blank)


def page_blank() -> Page:
    frame = LADDERS["alike"][LADDERS["alike"]["condition"] == "ten"].drop(columns="condition")
    data = download(frame, "endpoints", "x")
    table = Table("standings", "Standings", ["Player"], [], "note", download(frame, "standings", "x"))
    figure = figure_block("ladder", (ladder.figure, ladder.words), frame, data)
    section = Section("who-wins", "Who wins", [], [table], [figure])
    told = Reproduction([["hollywood"]], [("Run", "x")], [("greedy", "greedy", "0" * 64)])
    return Page("kicker", "A headline", "lead", "", [], [section], told)


def page(several: dict[str, Run], *names: str) -> Page:
    return compose_several([several[name] for name in names])


@pytest.mark.usefixtures("without_chapters")
def test_all_names_on_the_page_are_unique_in_both_formats(several: dict[str, Run]) -> None:
    whole = page(several, "ten", "twenty-five")
    outline = Outline(render(whole))
    ids = Counter(attributes["id"] for _, attributes in outline.elements if "id" in attributes)
    assert [name for name, times in ids.items() if times > 1] == []
    assert outline.faults == outline.open == []
    wanted = {word for _, a in outline.elements for word in a.get("aria-labelledby", "").split()}
    wanted |= {a["href"][1:] for _, a in outline.elements if a.get("href", "").startswith("#")}
    assert wanted <= set(ids)
    downloads = Counter(a["download"] for a in outline.all("a") if "download" in a)
    assert max(downloads.values()) == 1
    anchors = re.findall(r'<a id="([^"]+)"></a>', markdown(whole))
    assert len(set(anchors)) == len(anchors)
    assert {"run1", "run2", "run1-who-wins", "run2-reproduce", "reproduce"} <= set(anchors) <= set(ids)
    files = Counter(re.findall(r"\]\(([^)#]+)\)", markdown(whole)))
    assert len(files) == sum(files.values()) == 2 + 2 * 3


@pytest.mark.slow
def test_all_names_of_whole_chapters_are_unique(several: dict[str, Run]) -> None:
    outline = Outline(render(page(several, "ten", "twenty-five", "four", "trio")))
    ids = Counter(attributes["id"] for _, attributes in outline.elements if "id" in attributes)
    assert [name for name, times in ids.items() if times > 1] == []
    assert outline.faults == outline.open == []


@pytest.mark.usefixtures("without_chapters")
def test_other_rules_for_the_same_players_are_two_conditions(several: dict[str, Run]) -> None:
    told = page(several, "ten", "twenty-five")
    assert [section.name for section in told.sections] == ["glance", "conditions"]
    assert told.sections[1].title == "What the rules change"
    assert re.fullmatch(
        r"Threshold.10 wins \d\d of 100 matches against gin-only if an undercut pays 10, \d\d if an undercut pays 25",
        told.headline,
    )
    assert "That is a change of −" in told.lead
    assert told.sections[0].paragraphs == [
        "The two runs have the same players and seed, so the same cards, but different rules."
    ]
    assert [chapter.title for chapter in told.chapters] == [
        "Run 1: gin-only v threshold\u00a010, undercut pays 10",
        "Run 2: threshold\u00a010 v gin-only, undercut pays 25",
    ]
    (figure,) = told.sections[1].figures
    assert figure.words.title.endswith("which turns it round")


@pytest.mark.usefixtures("without_chapters")
def test_a_glance_tells_each_run_its_leader_and_how_surely(several: dict[str, Run]) -> None:
    told = page(several, "ten", "four", "trio", "mirror")
    rows = told.sections[0].tables[0].rows
    assert [row.head.text for row in rows] == ["Run 1", "Run 2", "Run 3", "Run 4"]
    standings = [analysis.standings(several["ten"]), analysis.standings(several["four"])]
    standings.append(analysis.trio_standings(several["trio"]))
    for row, table in zip(rows, standings, strict=False):
        top = table.iloc[0]
        assert row.cells[3].value == pytest.approx(top["matches_won"])
        assert row.cells[3].error.startswith("±")
    assert [cell.text for cell in rows[3].cells[:4]] == ["gin-only v itself", "hollywood", "–", "–"]
    assert [row.cells[0].text for row in rows[1:3]] == ["4 players", "gin-only v greedy v simple"]
    assert [row.cells[4].text for row in rows] == ["60", "50", "20", "20"]


@pytest.mark.usefixtures("without_chapters")
def test_the_leader_of_a_sweep_is_its_best_setting_and_not_an_opponent(several: dict[str, Run], tmp_path: Path) -> None:
    knobs = {f"threshold:knock_at={n}": Player(f"threshold:knock_at={n}", 0.1 * n) for n in (1, 2)}
    skills = {**knobs, "simple": Player("simple", 2.0)}
    sweep = dice_sweep(tmp_path / "sweep", skills, Asked("threshold", ("knock_at=1,2",)), ["simple"], 300)
    rows = compose_several([sweep, several["mirror"]]).sections[0].tables[0].rows
    best = settings(sweep).set_index("setting").loc["2"]
    assert rows[0].cells[2].text == "threshold\u00a02"
    assert rows[0].cells[3].value == pytest.approx(best["matches_won"])


@pytest.mark.usefixtures("without_chapters")
def test_the_ladder_has_what_both_runs_say_the_same_player_first(several: dict[str, Run]) -> None:
    (figure,) = page(several, "ten", "twenty-five").sections[1].figures
    frame: pd.DataFrame = figure.draw.args[0]  # type: ignore[attr-defined]  # a partial of the chart and its frame
    for name, label in (("ten", "undercut pays 10"), ("twenty-five", "undercut pays 25")):
        own = frame[frame["condition"] == label].set_index("endpoint")["share"]
        table = analysis.endpoints(several[name]).set_index("endpoint")
        expected = table["share"] if table["a"].iloc[0] == A else 1 - table["share"]
        assert own.to_dict() == pytest.approx(expected.to_dict())


@pytest.mark.usefixtures("without_chapters")
def test_more_than_two_runs_of_a_pairing_are_a_row_each(several: dict[str, Run]) -> None:
    told = page(several, "ten", "column", "twenty-five")
    (figure,) = told.sections[1].figures
    assert "by condition" in figure.words.alt
    labels = ["hollywood", "eaai", "hollywood, undercut_bonus=25"]
    assert [label for label in labels if f"{label} " not in figure.words.alt] == []
    assert "Of three runs, the most is" in told.lead
    assert [table.name for table in told.sections[0].tables] == ["runs", "differing"]
    options = {row.head.text: [cell.text for cell in row.cells] for row in told.sections[0].tables[1].rows}
    assert options == {
        "undercut_bonus": ["10", "25", "25"],
        "next_dealer": ["winner", "alternate", "winner"],
        "columns": ["3", "1", "3"],
    }


@pytest.mark.usefixtures("without_chapters")
def test_of_many_pairings_the_table_has_all_and_the_figure_what_changes_most(several: dict[str, Run]) -> None:
    told = page(several, "four", "four-others")
    section = told.sections[1]
    (table,) = section.tables
    spans = [float(row.cells[0].value) for row in table.rows]
    assert len(spans) == 6
    assert spans == sorted(spans, reverse=True)
    widest = table.rows[0].head.text.replace(" v ", " against ")
    assert section.figures[0].words.grey.lower().startswith(f"{widest}, 50 duplicate pairs")
    stars = sum("*" in cell.error for row in table.rows for cell in row.cells)
    assert table.data is not None
    changes = pd.read_csv(io.StringIO(table.data.text))
    assert stars == int(((changes["change_lo"] > 0) | (changes["change_hi"] < 0)).sum()) > 0
    assert "Six pairings are in several runs" in section.paragraphs[0]
    assert f"Shown is {widest}, where most changes" in section.paragraphs[0]


@pytest.mark.usefixtures("without_chapters")
def test_runs_without_a_pairing_in_common_are_chapters_only(several: dict[str, Run]) -> None:
    told = page(several, "ten", "others", "trio")
    assert [section.name for section in told.sections] == ["glance"]
    assert told.headline == "A headline. A headline"
    assert "nothing is compared" in told.lead
    assert len(told.chapters) == 3


@pytest.mark.usefixtures("without_chapters")
def test_meetings_that_are_not_compared_are_not_said_to_be_missing(several: dict[str, Run]) -> None:
    mirrors, trios = ("mirror", "other-mirror"), ("trio", "other-trio")
    for names, kinds in {
        mirrors: "mirror matches",
        trios: "three-handed matches",
        (*mirrors, *trios): "mirror matches and three-handed matches",
    }.items():
        assert page(several, *names).lead == (
            f"What several of these runs have in common are {kinds}, which are not compared: each run has its own "
            "chapter."
        )


@pytest.mark.usefixtures("without_chapters")
def test_runs_that_only_their_number_tells_apart_have_the_number_of_the_page(several: dict[str, Run]) -> None:
    told = compose_several([several["others"], several["ten"], replace(several["ten"])])
    (figure,) = told.sections[1].figures
    assert re.search("of the matches in run 2 and [0-9]+% in run 3$", figure.words.title)
    assert re.search("solid line: run 2; .* dashed line: run 3[.]", figure.words.how)
    assert " in run 2 and in run 3." in told.sections[1].paragraphs[0]


@pytest.mark.usefixtures("without_chapters")
def test_what_is_in_the_most_runs_is_not_said_to_change_most(several: dict[str, Run]) -> None:
    section = page(several, "four", "four-others", "others").sections[1]
    widest = section.tables[0].rows[0]
    assert widest.head.text != "greedy v simple"
    assert "Shown is greedy against simple: of those with the most runs and matches enough" in section.paragraphs[0]
    assert "where most changes" not in section.paragraphs[0]


def test_a_player_has_one_name_on_the_whole_page_and_is_listed_at_its_end(several: dict[str, Run]) -> None:
    told = page(several, "hunt1", "hunt2")
    assert [name for name, _, _ in told.reproduction.players] == ["threshold\u00a01", "greedy", "threshold\u00a02"]
    assert [spec for _, spec, _ in told.reproduction.players][::2] == [f"threshold:knock_at=5,hunt={n}" for n in (1, 2)]
    for chapter in told.chapters:
        name = f"threshold\u00a0{chapter.name[-1]}"
        assert name in chapter.title
        assert name in chapter.page.headline.lower()
        own = {player for player in told.reproduction.players if player[0] in (name, "greedy")}
        assert set(chapter.page.reproduction.players) == own
    three = page(several, "trio", "hunt1").chapters[0].page.sections[0].paragraphs[0]
    assert "threshold" not in three


def test_many_pairings_are_gone_through_once(several: dict[str, Run], monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Pairing] = []
    telling = SeveralRuns._telling

    def counted(own: SeveralRuns, pairing: Pairing) -> tuple[bool, int, float]:
        asked.append(pairing)
        return telling(own, pairing)

    monkeypatch.setattr(SeveralRuns, "_telling", counted)
    own = gather([several["four"], several["four-others"]])
    assert own.featured == own.featured
    assert own.is_comparison
    assert asked == own.pairings


@pytest.mark.usefixtures("without_chapters")
def test_a_pairing_that_happens_to_be_in_two_runs_does_not_lead(several: dict[str, Run]) -> None:
    told = page(several, "four", "others")
    assert told.headline == "A headline. A headline"
    assert "compared below" in told.lead
    assert [section.name for section in told.sections] == ["glance", "conditions"]


@pytest.mark.usefixtures("without_chapters")
def test_a_difference_that_cannot_be_told_is_not_told(several: dict[str, Run]) -> None:
    told = page(several, "ten", "again")
    assert told.headline == "Threshold\u00a010 against gin-only: no difference seen with seed 7 and with seed 9"
    assert "cannot be told from none" in told.lead
    assert told.sections[1].title == "The same players in several runs"


@pytest.mark.usefixtures("without_chapters")
def test_too_few_matches_are_not_drawn(several: dict[str, Run]) -> None:
    section = page(several, "ten", "few").sections[1]
    assert section.figures == []
    assert "fewer than 100 matches" in section.paragraphs[1]


def test_an_unfinished_run_is_named_at_the_top(several: dict[str, Run], monkeypatch: pytest.MonkeyPatch) -> None:
    blank = page_blank()
    monkeypatch.setattr(
        "reports.several.compose", lambda run, called: replace(blank, notice="Unfinished." if run.is_partial else "")
    )
    assert page(several, "few", "partial").notice == "Run 2: Unfinished."


@pytest.mark.usefixtures("without_chapters")
def test_the_page_can_be_made_again(several: dict[str, Run]) -> None:
    commands = [" ".join(words) for words in page(several, "ten", "twenty-five").reproduction.commands]
    assert commands == [
        f"hollywood simulate {B} {A} --pairs 60 --seed 7 --out run1",
        f"hollywood simulate {A} {B} --pairs 60 --seed 7 --set undercut_bonus=25 --out run2",
        "hollywood report run1 run2",
    ]


@pytest.mark.usefixtures("without_chapters")
def test_the_same_runs_give_the_same_bytes(several: dict[str, Run]) -> None:
    first, second = (page(several, "ten", "twenty-five") for _ in range(2))
    assert markdown(first) == markdown(second)
    assert picture(first.sections[1].figures[0]) == picture(second.sections[1].figures[0])


def test_a_run_is_told_by_what_differs(several: dict[str, Run]) -> None:
    def labels(*names: str) -> list[str]:
        return [told.label for told in conditions_of([several[name] for name in names], range(2, 2 + len(names)))]

    assert labels("ten", "twenty-five") == ["undercut pays 10", "undercut pays 25"]
    assert labels("ten", "column") == ["hollywood", "eaai"]
    assert labels("ten", "again") == ["seed 7", "seed 9"]
    assert labels("ten", "ten") == ["run 2", "run 3"]
    assert labels("ten", "again", "twenty-five") == [
        *("undercut pays 10, seed 7", "undercut pays 10, seed 9", "undercut pays 25")
    ]
    three = [several[name] for name in ("column", "four-others", "trio")]
    phrases = [told.phrase for told in conditions_of(three, (1, 2, 3))]
    assert phrases == ["under the eaai rules", "under the hollywood-003 rules", "under the three-handed rules"]


def test_edited_players_and_other_engines_are_said(several: dict[str, Run]) -> None:
    def edited(run: Run, changes: dict[str, Any]) -> Run:
        return replace(run, spec={**run.spec, "strategies": [{**s, **changes} for s in run.spec["strategies"]]})

    one = several["ten"]
    assert differences([one, one]) == "The two runs have the same players, rules and seed, so the same cards."
    assert f"The source of {B} and {A} was edited in between." in differences([one, edited(one, {"sha": "1"})])
    other = replace(one, manifest={**one.manifest, "fingerprint": "other"})
    assert "engines that do not play alike" in differences([one, other])


def test_a_run_named_twice_is_refused_under_whatever_name(several: dict[str, Run], tmp_path: Path) -> None:
    path = several["few"].path
    link = tmp_path / "link"
    link.symlink_to(path)
    with pytest.raises(ReportError, match="few is named twice"):
        page_of([path, several["ten"].path, path])
    with pytest.raises(ReportError, match="are the same run; name each run once"):
        page_of([path, link])


def test_a_report_of_the_same_runs_has_the_same_name(several: dict[str, Run]) -> None:
    paths = [several[name].path for name in ("ten", "few")]
    assert name_of(paths) == name_of(paths) != name_of(paths[::-1])
    assert re.fullmatch(r"report-of-2-runs-[0-9a-f]{6}", name_of(paths))
