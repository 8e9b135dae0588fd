"""The sentences: the answer first, undecided said plainly, disagreements named."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest

from analysis import Run
from reports import experiment_story, provenance, story
from reports.charts import pairings
from reports.material import Material, gather
from reports.orient import behind
from reports.sections.why import why


@pytest.fixture(scope="module")
def material(runs: dict[str, Run]) -> dict[str, Material]:
    return {name: gather(runs[name]) for name in ("two", "close", "four", "mirror", "walkover")}


def test_a_decided_pairing_is_a_sentence(material: dict[str, Material]) -> None:
    row = material["two"].pairings.iloc[0]
    better, worse = row["a"], row["b"]
    assert story.headline(material["two"]) == (
        f"{better.capitalize()} wins {100 * row['match_win_rate']:.0f} of 100 matches against {worse}"
    )
    assert "duplicate pairs (the same cards played twice with the seats swapped)" in story.lead(material["two"])


def test_undecided_is_said_in_the_headline_with_what_would_have_shown(material: dict[str, Material]) -> None:
    assert material["close"].pairings["undecided"].iloc[0]
    assert "undecided after 160 matches" in story.headline(material["close"])
    lead = story.lead(material["close"])
    assert "may differ by up to" in lead
    assert "would most likely have shown" in lead


def test_endpoints_that_disagree_are_named_in_the_lead(material: dict[str, Material]) -> None:
    """Gin-only scores few deals, and wins more matches than greedy."""
    own = material["two"]
    assert own.pairings.iloc[0]["a"] == "gin-only"
    assert "Not everything points one way: against greedy, gin-only wins only" in story.lead(own)


def test_a_mirror_claims_no_winner(material: dict[str, Material]) -> None:
    assert story.headline(material["mirror"]).startswith("Gin-only against itself takes about")
    assert "by construction" in story.lead(material["mirror"])


@pytest.mark.parametrize(
    ("dealer", "share", "told"),
    [
        ("a", 0.41, "Who deals first wins 41 of 100 matches of gin-only against itself"),
        ("b", 0.41, "Who deals second wins 41 of 100 matches of gin-only against itself"),
        ("a", 0.49, "Gin-only against itself: undecided after 120 matches whether who deals first does better"),
    ],
)
def test_a_player_against_itself_may_do_better_by_dealing_first(
    material: dict[str, Material], dealer: str, share: float, told: str
) -> None:
    own = material["mirror"]
    limits = {"match_win_rate": share, "lo": share - 0.05, "hi": share + 0.05, "se": 0.025}
    table = own.pairings.assign(mirror=False, undecided=share > 0.45, **limits)
    rules = {**own.run.spec["rules"], "first_dealer": dealer}
    run = dataclasses.replace(own.run, spec={**own.run.spec, "rules": rules})
    material_of_it = dataclasses.replace(own, run=run, pairings=table)
    assert story.headline(material_of_it) == told
    assert f"{100 * share:.1f}% ±5.0" in story.lead(material_of_it)
    assert behind(table) == set()


def test_pairings_of_which_none_is_decided_are_all_of_them(material: dict[str, Material]) -> None:
    own, met = material["four"], [("greedy", "simple")] * 6
    assert story.what_is_open(own, met, 6) == "All six pairings are undecided at 95%, taken together."
    assert story.what_is_open(own, met[:3], 6) == "Three of the six pairings are undecided at 95%, taken together."
    assert story.what_is_open(own, met[:1], 2) == "Undecided: greedy against simple."
    assert story.what_is_open(own, [], 2) == "Both pairings are decided at 95%, taken together."
    assert pairings.words(own.pairings.assign(undecided=True)).title == "None of six pairings is decided"


def test_one_pair_is_one_pair() -> None:
    assert story.over_pairs(1) == "1 duplicate pair (the same cards played twice with the seats swapped)"
    assert story.over_pairs(40_000).startswith("40,000 duplicate pairs (")


def test_of_a_side_that_scores_no_deal_no_points_are_told(material: dict[str, Material]) -> None:
    (text,) = why(material["walkover"]).paragraphs
    assert re.search(r"Strong wins 100 of 100 deals and scores 100 of 100 points: [0-9.]+ ±[0-9.]+ points a deal", text)
    assert "weak" not in text
    assert "nan" not in text


def test_more_pairs_of_an_experiment_are_more_pairs_of_that_experiment(runs: dict[str, Run]) -> None:
    again = ["hollywood", "sweep", "./my bot.py", "--param", "k=0:3", "--pairs", "1", "--seed", "7"]
    run = dataclasses.replace(runs["one"], manifest={**runs["one"].manifest, "again": again})
    (words,) = why(gather(run)).commands
    assert " ".join(words) == "hollywood sweep './my bot.py' --param k=0:3 --pairs 20000 --seed 7"


def test_the_unit_of_what_deal_rows_say_is_a_block_of_pairs(material: dict[str, Material]) -> None:
    assert "duplicate pair; where deal rows are counted it is a block" in provenance.pairing_gain(material["two"])
    assert "is the duplicate pair. Playing" in provenance.pairing_gain(material["close"])


def test_a_run_in_a_batch_is_named_with_its_batch(runs: dict[str, Run], tmp_path: Path) -> None:
    run = dataclasses.replace(runs["partial"], path=tmp_path / "night" / "partial")
    run.path.mkdir(parents=True)
    assert experiment_story.how_to_resume(run) == "hollywood runs resume partial goes on with it."
    (run.path.parent / "batch.json").write_text("{}")
    assert experiment_story.how_to_resume(run) == "hollywood runs resume night/partial goes on with it."


def test_many_players_have_a_leader_and_their_undecided_pairings(material: dict[str, Material]) -> None:
    own = material["four"]
    leader = own.standings.iloc[0]["player"]
    assert story.headline(own).lower().startswith(own.names[leader])
    undecided = own.pairings[own.pairings["undecided"]]
    assert len(undecided)
    assert "ndecided" in story.lead(own)


def test_a_circle_has_no_best(material: dict[str, Material]) -> None:
    own = material["four"]
    x, y, z = "gin-only", "greedy", "simple"
    table = own.pairings.iloc[:3].copy()
    table["a"], table["b"], table["match_win_rate"] = [x, y, z], [y, z, x], 0.6
    table["undecided"] = False
    circle = dataclasses.replace(own, pairings=table)
    assert (
        story.headline(circle)
        == "No one is best: gin-only beats greedy, greedy beats simple, and simple beats gin-only"
    )


def test_all_wins_are_not_called_certain(material: dict[str, Material]) -> None:
    assert story.headline(material["walkover"]) == "Strong wins 100 of 100 matches against weak"
    assert "±6.0" in story.lead(material["walkover"])


def test_a_stopped_run_warns_that_its_rate_flatters(material: dict[str, Material]) -> None:
    quality = dataclasses.replace(material["two"].quality, status="stopped")
    section = provenance.data_quality(dataclasses.replace(material["two"], quality=quality), "")
    assert "flatter the winner" in section.paragraphs[0]


def test_files_left_out_are_named(material: dict[str, Material]) -> None:
    quality = dataclasses.replace(material["two"].quality, unlisted=tuple(f"part-{n}" for n in range(6)))
    section = provenance.data_quality(dataclasses.replace(material["two"], quality=quality), "")
    assert any("Left out" in text and "and 2 more" in text for text in section.paragraphs)


def test_changed_rules_are_named(runs: dict[str, Run]) -> None:
    facts = dict(provenance.reproduction(gather(runs["column"])).facts)
    assert facts["Rules"] == "eaai"
    run = dataclasses.replace(
        runs["two"], spec={**runs["two"].spec, "rules": {**runs["two"].spec["rules"], "target": 150}}
    )
    assert dict(provenance.reproduction(gather(run)).facts)["Rules"] == "hollywood, changed: target=150"
