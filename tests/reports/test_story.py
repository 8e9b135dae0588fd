"""The sentences: the answer first, undecided said plainly, disagreements named."""

from __future__ import annotations

import dataclasses

import pytest

from analysis import Run
from reports import provenance, story
from reports.material import Material, gather


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
