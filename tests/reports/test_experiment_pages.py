"""A page of an experiment leads with the experiment's own answer, and says as plainly what it leaves open."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import analysis
from analysis import Run
from experiments.sweep import Asked
from reports import comparison_story, experiment_story, story, sweep_story, tournament_story
from reports.blocks import Section
from reports.charts import settings
from reports.charts.sequential import turned
from reports.material import Material, gather
from reports.page import Page, compose, render
from reports.provenance import reproduction
from reports.sections import course, ratings, setting, who_wins
from tests.reports.test_page import Outline
from tests.support.dice_experiments import dice_comparison, dice_sweep, dice_tournament
from tests.support.drawings import assert_readable, drawings_of
from tests.support.synthetic_run import Player

KNOBS = {f"threshold:knock_at={n}": Player(f"threshold:knock_at={n}", skill=0.05 * n, gin=0.3) for n in range(11)}
CLOSE = (Player("greedy", skill=0.36, gin=0.12), Player("simple", skill=0.4))
FAR = (Player("greedy", skill=0.0), Player("simple", skill=0.6))
FIELD = (*CLOSE, Player("gin-only", skill=0.1, gin=0.8), Player("random", skill=-500.0))
MAKE: dict[str, Callable[[Path], Run]] = {
    "race": lambda at: dice_sweep(at, KNOBS, Asked("threshold", ("knock_at=2,9,10",)), ["simple", "greedy"], 3000),
    "self": lambda at: dice_sweep(at, KNOBS, Asked("threshold", ("knock_at=8:10",)), ["self"], 300),
    "field": lambda at: dice_tournament(at, FIELD, 300),
    "gauntlet": lambda at: dice_tournament(at, FIELD[1:], 300, gauntlet=True),
    "better": lambda at: dice_comparison(at, CLOSE, 3000, name="gain", bounds=(0.5, 0.503)),
    "alike": lambda at: dice_comparison(at, CLOSE, 3000, name="strict", bounds=(0.5, 0.52)),
    "no worse": lambda at: dice_comparison(at, CLOSE, 3000, name="nonreg", bounds=(0.485, 0.488)),
    "undecided": lambda at: dice_comparison(at, CLOSE, 1100, name="equiv"),
    "one look": lambda at: dice_comparison(at, FAR, 3000, name="gain"),
    "few": lambda at: dice_comparison(at, CLOSE, 60, name="gain"),
    "mirror": lambda at: dice_comparison(at, (CLOSE[0], CLOSE[0]), 300, name="gain"),
}
LIKE = {"self": "race", "alike": "better", "one look": "better", "mirror": "better"}
"""Experiments of which only the conclusion matters here: they share the tables of another one, to save time."""
NUMBERS = ["rate", "lo", "hi", "llr_a", "llr_b"]
COMPARISONS = ("better", "alike", "no worse", "undecided", "one look", "few", "mirror")


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Material]:
    """The material of every experiment, by its name in `MAKE`."""
    home = tmp_path_factory.mktemp("runs")
    runs = {name: make(home / name.replace(" ", "-")) for name, make in MAKE.items()}
    gathered = {name: gather(run) for name, run in runs.items() if name not in LIKE}
    return gathered | {name: replace(gathered[other], run=runs[name]) for name, other in LIKE.items()}


def text_of(section: Section | None) -> str:
    assert section is not None
    return " ".join(section.paragraphs)


def concluding(material: Material, change: Callable[[dict[str, Any]], None]) -> Material:
    """Return the material of an experiment that concluded something else."""
    summary = deepcopy(dict(material.run.summary))
    change(summary)
    return replace(material, run=replace(material.run, summary=summary))


@pytest.mark.parametrize(
    ("name", "kind", "title"),
    [
        ("race", "sweep of threshold", "Where to set knock_at"),
        ("field", "tournament", "How strong each is"),
        ("better", "comparison", "How sure, and when"),
    ],
)
def test_an_experiment_tells_its_own_kind_and_section(
    found: dict[str, Material], name: str, kind: str, title: str
) -> None:
    told = experiment_story.tell(found[name])
    assert told.section is not None
    assert (told.kind, told.section.title) == (kind, title)
    page = Page("", told.headline, told.lead, "", [], [told.section], reproduction(found[name]))
    outline = Outline(render(page))
    assert (outline.faults, outline.open) == ([], [])
    text = " ".join(outline.text)
    assert "nan" not in text.replace("finance", "")
    assert "None" not in text


def test_the_answer_of_the_experiment_comes_first(found: dict[str, Material]) -> None:
    page = compose(found["few"].run)
    assert [section.title for section in page.sections[:2]] == ["How sure, and when", "Who wins"]
    assert page.headline == comparison_story.headline(found["few"])
    assert page.lead == comparison_story.lead(found["few"])
    assert page.kicker.split(" · ")[1] == "comparison"


def test_a_sweep_names_the_best_setting_its_share_and_its_opponents(found: dict[str, Material]) -> None:
    own = found["race"]
    top = next(arm for arm in own.run.summary["arms"] if arm["best"])
    won = 100 * top["match_win_rate"]
    assert top["values"] == {"knock_at": "10"}
    assert sweep_story.headline(own) == (
        f"Best is knock_at 10: it wins {won:.0f} of 100 matches against simple and greedy"
    )
    assert f"Threshold with knock_at 10 wins {won:.1f}% ±" in sweep_story.lead(own)
    assert "for all three settings at once" in sweep_story.lead(own)
    dropped = len(own.run.manifest["dropped"])
    assert dropped
    assert "fell clearly behind on the way" in sweep_story.lead(own)
    assert "dropped after 2,048 pairs" in text_of(setting.where_to_set(own))


def test_settings_that_are_as_good_are_named_and_said_to_be_undecided(found: dict[str, Material]) -> None:
    def two(summary: dict[str, Any]) -> None:
        for arm in summary["arms"]:
            arm["plateau"] = arm["values"]["knock_at"] != "8"

    def all_of_them(summary: dict[str, Any]) -> None:
        for arm in summary["arms"]:
            arm["plateau"] = True

    own = concluding(found["self"], two)
    assert sweep_story.headline(own).startswith("As good as the best: knock_at 9 and 10, winning up to ")
    assert "Which of 9 and 10 is best is undecided" in sweep_story.lead(own)
    assert "The best of the others is 8, " in sweep_story.lead(own)
    every = concluding(found["self"], all_of_them)
    assert sweep_story.headline(every) == "Undecided: no knock_at of three is clearly better than another"
    table = setting.settings_told(every)
    assert settings.good_ones(table) == "8 to 10"
    assert settings.title(table) == "No knock_at is clearly better than another"


def test_a_sweep_of_settings_that_met_each_other_says_whom_it_is_about(found: dict[str, Material]) -> None:
    assert "against another player another one may be best" in sweep_story.lead(found["self"])
    assert "against the two others" in sweep_story.lead(found["self"])


def test_the_standings_of_a_sweep_rank_its_settings_alone(found: dict[str, Material]) -> None:
    section = who_wins.who_wins(found["race"])
    (table,) = section.tables
    assert [str(row.head.text).split()[-1] for row in table.rows] == ["10", "9", "2"]
    assert [figure.name for figure in section.figures] == ["pairings"]


def test_a_tournament_names_the_best_or_what_keeps_the_first_from_it(found: dict[str, Material]) -> None:
    own = found["field"]
    first, second, third, last = (standing["player"] for standing in own.run.summary["standings"])

    def clear(summary: dict[str, Any]) -> None:
        summary["standings"][0] |= {"beats": [second, third, last], "undecided_with": []}

    def circle(summary: dict[str, Any]) -> None:
        summary["standings"][0] |= {"beats": [second, last], "undecided_with": []}
        summary["standings"][1] |= {"beats": [third, last], "undecided_with": []}
        summary["standings"][2] |= {"beats": [first, last], "undecided_with": []}

    def open_order(summary: dict[str, Any]) -> None:
        summary["standings"][0] |= {"beats": [last], "undecided_with": [second]}
        summary["standings"][1] |= {"beats": [last], "undecided_with": [first]}
        summary["standings"][2] |= {"beats": [first, last], "undecided_with": []}

    assert tournament_story.headline(concluding(own, clear)).startswith(
        f"{first.capitalize()} is best: it beats all three rivals, winning "
    )
    assert tournament_story.headline(concluding(own, circle)) == (
        f"No one is best: {first} beats {second}, {second} beats {third}, and {third} beats {first}"
    )
    unclear = concluding(own, open_order)
    assert tournament_story.headline(unclear) == (
        f"{first.capitalize()} rates highest, yet loses to {third} and is undecided against {second}"
    )
    assert f"Undecided: {first} against {second}." in tournament_story.lead(unclear)


def test_a_gauntlet_is_about_the_one_who_met_all(found: dict[str, Material]) -> None:
    own = found["gauntlet"]
    runner = next(s for s in own.run.summary["standings"] if s["player"] == "simple")
    assert "random" in runner["beats"]
    assert tournament_story.kind(own) == "gauntlet"
    assert tournament_story.headline(own).startswith("Simple beats ")
    assert "no mix can be told" in text_of(ratings.how_strong(own))


def test_the_first_move_is_not_told_of_where_the_rules_say_whose_it_is(found: dict[str, Material]) -> None:
    own = found["field"]
    assert "first move" in text_of(ratings.how_strong(own))
    spec = {**own.run.spec, "rules": {**own.run.spec["rules"], "first_dealer": "b"}}
    assert "first move" not in text_of(ratings.how_strong(replace(own, run=replace(own.run, spec=spec))))


def test_who_is_nearly_all_of_the_mix_is_not_said_to_be_unbeaten(found: dict[str, Material]) -> None:
    own = found["field"]
    table = analysis.rated(own.run)
    best = table["player"] == table["player"].iloc[0]
    mixed = table.assign(mix=np.where(best, 0.996, 0.004 / (len(table) - 1)))
    alone, beaten = (ratings._mix(mixed.assign(exploitability=np.where(best, by, 0.1)), own) for by in (0.0, 0.01))
    assert alone.startswith("Nobody here wins more than half")
    assert beaten.startswith("A mix that nobody here beats on average is nearly all ")


def test_a_player_who_lost_every_match_gets_no_rating(found: dict[str, Material]) -> None:
    section = ratings.how_strong(found["field"])
    assert section is not None
    assert "Random lost every match: nothing bounds such a rating" in " ".join(section.paragraphs)
    assert "random lost all" in section.figures[0].words.alt
    assert "The easiest to exploit is random, which wins 0.0%" in " ".join(section.paragraphs)


def test_a_decided_comparison_gives_both_estimates_and_the_adjusted_one_leads(found: dict[str, Material]) -> None:
    own, summary = found["better"], found["better"].run.summary
    assert summary["verdict"] == "B"
    raw, fair = 1 - summary["match_win_rate"], 1 - summary["adjusted"]["match_win_rate"]
    assert comparison_story.headline(own) == f"Simple is better than greedy: it wins {100 * fair:.0f} of 100 matches"
    for text in (comparison_story.lead(own), text_of(course.how_sure(own))):
        assert f"{100 * raw:.1f}" in text
        assert f"{100 * fair:.1f} (" in text
        assert "flatters the winner" in text


def test_every_verdict_is_a_sentence(found: dict[str, Material]) -> None:
    told = {name: comparison_story.headline(found[name]) for name in COMPARISONS}
    assert told["alike"] == "Simple and greedy are as good as each other, to within 2 points"
    assert told["no worse"] == "Greedy is no worse than simple, to within 1.5 points"
    assert told["undecided"] == "Simple or greedy: undecided after 1,100 pairs"
    assert told["one look"].startswith("Simple is better than greedy: it wins ")
    assert told["few"].endswith("undecided after 60 pairs")
    single = concluding(found["few"], lambda summary: summary.update(pairs=1))
    assert comparison_story.headline(single).endswith("undecided after 1 pair")
    assert told["mirror"] == "Greedy against itself wins half of the matches, as it must"
    lead = comparison_story.lead(found["undecided"])
    assert "the two may differ by up to" in lead
    assert "would have shown, nine times in ten" in lead


def test_the_course_is_drawn_from_two_looks_on(found: dict[str, Material]) -> None:
    sections = {name: course.how_sure(found[name]) for name in COMPARISONS}
    drawn = {name: len(section.figures) for name, section in sections.items() if section}
    assert drawn == dict.fromkeys(COMPARISONS, 1) | {"one look": 0, "few": 0, "mirror": 0}
    text = {name: " ".join(section.paragraphs) for name, section in sections.items() if section}
    assert "It stopped after one look, at 256 of at most 3,000 pairs" in text["one look"]
    assert "it never looked" in text["few"]
    assert "nothing to test" in text["mirror"]
    assert "All 1,100 pairs were played, with five looks" in text["undecided"]


def test_the_better_player_is_the_first_of_a_question_that_both_are_asked(found: dict[str, Material]) -> None:
    both, alone = course.found_of(found["better"]), course.found_of(found["no worse"])
    assert (both.a, both.verdict, both.behind, both.exchanged) == ("simple", "A", False, True)
    assert both.raw[0] > 0.5
    assert (alone.a, alone.behind, alone.exchanged) == ("greedy", True, False)
    assert both.turned().turned() == both
    rows = course.endpoints_of(found["better"], both).set_index("endpoint")
    kept = found["better"].run.summary["endpoints"]
    for endpoint in kept:
        sign = 1 - endpoint["estimate"] if endpoint["unit"] == "share" else -endpoint["estimate"]
        assert rows["estimate"][endpoint["endpoint"]] == pytest.approx(sign)
        assert rows["lo"][endpoint["endpoint"]] <= sign <= rows["hi"][endpoint["endpoint"]]
    table = analysis.course(found["better"].run)
    assert np.allclose((turned(turned(table))[NUMBERS] - table[NUMBERS]).to_numpy(), 0)
    assert np.array_equal(turned(table)["llr_a"], table["llr_b"])


def test_endpoints_that_favour_the_other_player_are_named_in_the_lead(found: dict[str, Material]) -> None:
    def against(summary: dict[str, Any]) -> None:
        for endpoint in summary["endpoints"]:
            endpoint["favours"] = "B" if endpoint["endpoint"] == "matches" else "neither"
            if endpoint["endpoint"] in ("deals won", "column 1"):
                endpoint |= {"favours": "A", "estimate": 0.52}

    lead = comparison_story.lead(concluding(found["better"], against))
    said = "simple wins more matches, but greedy wins more deals, 52.0% and more of column 1."
    assert f"Not everything points one way: {said}" in lead


def test_an_unfinished_experiment_says_who_won_so_far_and_how_to_go_on(found: dict[str, Material]) -> None:
    manifest = {**found["few"].run.manifest, "status": "interrupted"}
    run = replace(found["few"].run, summary={}, manifest=manifest)
    page = compose(run)
    assert page.headline == story.headline(found["few"])
    assert page.notice.endswith("hollywood runs resume few goes on with it.")
    assert page.sections[0].title == "Who wins"
    assert experiment_story.how_to_resume(replace(run, manifest={**manifest, "status": "running"})) == ""
    assert experiment_story.how_to_resume(found["few"].run) == ""


def test_drawings_of_experiments_keep_to_their_sheets(found: dict[str, Material]) -> None:
    sections = [setting.where_to_set(found["race"]), ratings.how_strong(found["field"])]
    sections += [course.how_sure(found[name]) for name in ("better", "no worse")]
    figures = [figure for section in sections if section for figure in section.figures]
    assert len(figures) == 4
    assert_readable(drawings_of(figures))
