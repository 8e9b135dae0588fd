"""Which runs, and which of their pairings, can be compared pair by pair."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from analysis import Run, load_run
from analysis.run_difference import run_difference
from analysis.run_matching import NotComparable, matched_pairings, refuse_other_cards
from tests.analysis.conftest import Build
from tests.support.synthetic_run import Player, Setup

GREEDY, SIMPLE, KNOCKER = Player("greedy", skill=0.5), Player("simple", skill=0.3), Player("threshold:knock_at=5")
BASE = Setup((GREEDY, SIMPLE), pairs=20)


def meetings(run1: Run, run2: Run) -> list[tuple[Any, ...]]:
    """Return which pairings were matched, and whether their sides are swapped."""
    return [(*meeting.sides, meeting.swapped) for meeting in matched_pairings(run1, run2)]


def test_pairings_are_matched_by_name_and_the_others_left_out(build: Build) -> None:
    all_three = build(replace(BASE, players=(GREEDY, SIMPLE, KNOCKER)))
    two = [("simple", "greedy"), ("threshold:knock_at=5", "threshold:knock_at=5")]
    some = build(replace(BASE, players=(GREEDY, SIMPLE, KNOCKER), pairings=two))
    assert meetings(all_three, some) == [(("greedy", "simple"), ("simple", "greedy"), True)]
    found = run_difference(all_three, some)
    knocker = "threshold:knock_at=5"
    assert found.left_out == ((("greedy", knocker), ("simple", knocker)), ((knocker, knocker),))


def test_runs_of_one_pairing_belong_together_whoever_plays(build: Build) -> None:
    base = build(BASE)
    other = build(replace(BASE, players=(KNOCKER, SIMPLE)))
    crossed = build(replace(BASE, players=(SIMPLE, KNOCKER)))
    strangers = build(replace(BASE, players=(replace(SIMPLE, spec="x"), replace(SIMPLE, spec="y"))))
    assert meetings(base, other) == [(("greedy", "simple"), ("threshold:knock_at=5", "simple"), False)]
    assert meetings(base, crossed) == [(("greedy", "simple"), ("simple", "threshold:knock_at=5"), True)]
    assert meetings(base, strangers) == [(("greedy", "simple"), ("x", "y"), False)]


def test_runs_without_a_pairing_in_common_are_refused_with_the_pairings_of_both(build: Build) -> None:
    several = build(replace(BASE, players=(GREEDY, SIMPLE, KNOCKER)))
    other = build(replace(BASE, players=(GREEDY, replace(SIMPLE, spec="x"))))
    told = r"has greedy v simple, greedy v threshold:knock_at=5, .*; .* has greedy v x$"
    with pytest.raises(NotComparable, match=told):
        run_difference(several, other)


def test_edited_strategy_is_told_and_counts_as_another_player(build: Build) -> None:
    before, after = build(BASE), build(BASE)
    spec = after.path / "spec.toml"
    sha = next(entry["sha"] for entry in after.spec["strategies"] if entry["spec"] == "greedy")
    spec.write_text(spec.read_text().replace(sha, "1" * 64))
    found = run_difference(before, load_run(after.path))
    assert found.edited == ("greedy",)
    assert not found.pairings[0].meeting.same_players


# --- what is refused


def test_other_cards_are_refused_with_both_values(build: Build) -> None:
    base, other = build(BASE), build(replace(BASE, seed=8))
    with pytest.raises(NotComparable, match=rf"the seeds differ: 7 in {base.path}, 8 in {other.path}"):
        refuse_other_cards(base, other)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"options": {"undercut_bonus": 25}}, "undercut_bonus is 10 in .*, 25 in "),
        ({"options": {"spade_doubles": True}}, "spade_doubles is no in .*, yes in "),
        (
            {"preset": "partnership", "players": (Player("greedy/simple"), KNOCKER)},
            "forms differ: two-handed in .*, pa",
        ),
    ],
)
def test_other_rules_are_refused_with_both_values(build: Build, change: dict[str, Any], told: str) -> None:
    with pytest.raises(NotComparable, match=told):
        run_difference(build(BASE), build(replace(BASE, **change)))


def test_other_engine_is_refused_with_both_fingerprints(build: Build) -> None:
    base, other = build(BASE), build(BASE)
    manifest = other.path / "manifest.json"
    manifest.write_text(json.dumps(dict(other.manifest) | {"fingerprint": "abc"}))
    with pytest.raises(NotComparable, match=r"engine fingerprints differ: 0{12} in .*, abc in "):
        run_difference(base, load_run(other.path))


def test_three_handed_runs_are_refused(build: Build) -> None:
    trio = build(Setup((GREEDY, SIMPLE, KNOCKER), pairs=10, preset="three-handed"))
    with pytest.raises(NotComparable, match="are three-handed; only runs between two sides"):
        run_difference(trio, trio)
