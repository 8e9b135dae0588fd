"""The tips: the list is whole, verdicts follow from effects, and what was broken off goes on, nothing played twice."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from experiments.recording import CannotResume
from experiments.simulate import RequestError, simulate
from experiments.tips import measures, play
from experiments.tips.by_sheet import Params, should_knock
from experiments.tips.claims import TIPS
from experiments.tips.document import document, intervals
from experiments.tips.measures import SQL, Effect
from experiments.tips.play import Asked, draw_up, meetings_of, play_tips, read_asked, start_folder
from experiments.tips.tip import ADVICE, CASES, CLAIM, LOWEST, MATCHES, MISSES, RATIO, TIMES, Measurement
from experiments.tips.verdicts import BY_RULES, DEPENDS, FAILS, HOLDS, OPEN, best_way, outcome, verdict
from sim.batch.runner import Watch
from sim.batch.store import FolderInUse, StoreError
from sim.view import make_view

# --- the list


def test_every_tip_is_complete_and_has_a_name_of_its_own() -> None:
    assert len({tip.name for tip in TIPS}) == len(TIPS) == 10
    for tip in TIPS:
        assert tip.kind in (CLAIM, ADVICE)
        assert tip.source in ("001", "003")
        assert tip.judged
        for m in tip.measurements:
            assert len(m.meetings) == {RATIO: 2, LOWEST: 2}.get(m.join, 1)
            assert m.true_if[0] <= m.true_if[1]


def test_every_query_is_asked_and_every_question_has_its_query() -> None:
    asked = {m.query for tip in TIPS for m in tip.measurements}
    assert {file.stem for file in SQL.glob("*.sql")} == asked | set(measures.BASES.values())


def test_query_about_deals_is_asked_of_meetings_that_keep_them() -> None:
    for tip in TIPS:
        for m in tip.measurements:
            text = (SQL / f"{m.query}.sql").read_text(encoding="utf-8")
            if m.query in measures.BASES or "FROM deals" in text:
                assert all(meeting.deals for meeting in m.meetings), (tip.name, m.who)


# --- verdicts


@pytest.mark.parametrize(
    ("true_if", "slack", "limits", "expected"),
    [
        ((0.5, math.inf), 0.005, (0.51, 0.53), HOLDS),
        ((0.5, math.inf), 0.005, (0.47, 0.49), FAILS),
        ((0.5, math.inf), 0.005, (0.496, 0.504), FAILS),  # gains less than half a point
        ((0.5, math.inf), 0.005, (0.49, 0.51), OPEN),
        ((0.5, math.inf), 0.005, (1.0, 1.0), HOLDS),
        ((2.0, 4.0), 0.0, (2.1, 3.9), HOLDS),
        ((2.0, 4.0), 0.0, (1.9, 2.1), OPEN),
        ((2.0, 4.0), 0.0, (4.1, 4.3), FAILS),
        ((2.0, 4.0), 0.0, (1.3, 1.4), FAILS),
        ((2.0, 4.0), 0.0, (math.nan, math.nan), OPEN),
    ],
)
def test_outcome_asks_where_the_whole_interval_lies(
    true_if: tuple[float, float], slack: float, limits: tuple[float, float], expected: str
) -> None:
    m = Measurement("a", "matches_won", (), true_if=true_if, slack=slack)
    assert outcome(m, Effect(sum(limits) / 2, *limits, cases=1000, pairs=500)) == expected
    assert outcome(m, Effect(sum(limits) / 2, *limits, cases=99, pairs=50)) == OPEN


def test_one_exception_refutes_a_rule() -> None:
    m = Measurement("every win", "third_win_misses", (), MISSES, true_if=(0, 0))
    assert outcome(m, Effect(0.0, 0.0, 0.01, 1000, 500)) == BY_RULES
    assert outcome(m, Effect(0.001, 0.0, 0.01, 1000, 500)) == FAILS


@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [
        ([HOLDS, HOLDS], HOLDS),
        ([FAILS, FAILS], FAILS),
        ([HOLDS, FAILS, OPEN], DEPENDS),
        ([HOLDS, OPEN], OPEN),
        ([FAILS, OPEN], OPEN),
        ([BY_RULES, BY_RULES], BY_RULES),
        ([BY_RULES, FAILS], DEPENDS),
        ([], OPEN),
    ],
)
def test_verdict_needs_all_measurements_to_agree(outcomes: list[str], expected: str) -> None:
    assert verdict(outcomes) == expected


def test_one_way_that_pays_is_enough_and_only_all_failing_refute() -> None:
    assert best_way([FAILS, HOLDS, OPEN]) == HOLDS
    assert best_way([FAILS, OPEN]) == OPEN
    assert best_way([FAILS, FAILS]) == FAILS


# --- the player made for the tips


@pytest.mark.parametrize(
    ("when", "sheet", "is_situation"),
    [
        (1, {"their_boxes": [2, 1, 0], "my_boxes": [1, 0, 0]}, True),
        (1, {"their_boxes": [2, 1, 0], "my_boxes": [5, 4, 0]}, False),
        (2, {"their_boxes": [2, 1, 0], "their_needs": [0, 0, 0]}, True),
        (2, {"their_boxes": [1, 0, 0], "their_needs": [0, 0, 1]}, False),
        (2, {"their_boxes": [3, 2, 1], "their_needs": [-1, 0, 0]}, True),
        (3, {"my_needs": [-1, 0, 0]}, True),
        (3, {"my_needs": [0, 1, 2], "their_needs": [-1, 0, 0]}, False),
    ],
)
def test_by_sheet_knocks_otherwise_in_its_situation_and_as_the_player_inside_out_of_it(
    when: int, sheet: dict[str, object], is_situation: bool
) -> None:
    for deadwood in (4, 5):
        for answer in (False, True):
            view = make_view(deadwood=deadwood, **sheet)
            expected = deadwood <= 4 if is_situation else answer
            assert bool(should_knock(view, Params(when, 4), answer)) == expected


# --- what is played


def test_each_meeting_is_played_once_however_many_tips_ask_for_it() -> None:
    asked = Asked(4, 7, only=("length", "swings", "early-wins"))
    planned = draw_up(asked)
    assert len({run.folder for run in planned}) == len(planned) == 8
    wanted = {(rules, m) for tip in asked.tips for rules in asked.rules for m in meetings_of(tip)}
    assert {(run.rules, run.meeting) for run in planned} == wanted
    assert all(run.plan.pairs == 2 and run.plan.detail == "deals" for run in planned)


def test_one_tip_alone_has_the_interval_that_it_has_among_all() -> None:
    assert intervals(Asked(4, 7, only=("length",))) == intervals(Asked(4, 7)) == 70
    assert intervals(Asked(4, 7, rules=("hollywood",))) == 36


def test_rules_of_another_game_and_unknown_tips_are_refused() -> None:
    for rules in ("gin", "hollywood-straight", "partnership", "three-handed"):
        with pytest.raises(RequestError, match="two players, three columns, and knocking"):
            draw_up(Asked(4, 7, rules=(rules,)))
    with pytest.raises(RequestError, match="Did you mean"):
        draw_up(Asked(4, 7, only=("lenght",)))


def test_tips_that_were_broken_off_go_on_and_come_to_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Asked(20, 7, ("hollywood",), ("push-early", "length"))
    planned = draw_up(asked)
    whole, broken = (start_folder(asked, tmp_path / name, tmp_path) for name in ("whole", "broken"))
    play_tips(planned, whole, 1, lambda *_: None, lambda _: None)
    begun: list[Path] = []

    def break_off(*arguments: Any) -> None:
        begun.append(arguments[1].folder)
        if len(begun) == 3:
            begun[-1].mkdir()
            (begun[-1] / "spec.toml").touch()  # what a run leaves that died before it became one
            raise KeyboardInterrupt
        simulate(*arguments)

    monkeypatch.setattr(play, "simulate", break_off)
    with pytest.raises(KeyboardInterrupt):
        play_tips(planned, broken, 1, lambda *_: None, lambda _: None)
    assert read_asked(broken)[0] == asked
    advanced: list[int] = []
    play_tips(planned, broken, 1, lambda pairs, _: advanced.append(pairs), lambda _: None)
    assert sum(advanced) == sum(run.plan.total_pairs() for run in planned)
    found = [document(asked, planned, folder, "then")["tips"] for folder in (whole, broken)]
    assert found[0] == found[1]
    assert len(begun) == 3 + len(planned) - 2


@pytest.mark.parametrize("status", ["complete", "interrupted"])
def test_run_of_another_engine_is_not_measured_with_the_others(status: str, tmp_path: Path) -> None:
    asked = Asked(8, 7, ("hollywood",), ("push-early",))
    planned = draw_up(asked)
    folder = start_folder(asked, tmp_path / "tips", tmp_path)
    simulate(planned[-1].plan, folder / planned[-1].folder, 1, Watch())
    file = folder / planned[-1].folder / "manifest.json"
    kept = {**json.loads(file.read_text(encoding="utf-8")), "fingerprint": "0" * 16, "status": status}
    file.write_text(json.dumps(kept), encoding="utf-8")
    with pytest.raises(CannotResume, match="this engine deals or scores otherwise"):
        play_tips(planned, folder, 1, lambda *_: None, lambda _: None)
    assert [path.name for path in folder.iterdir() if path.is_dir()] == [planned[-1].folder]


def test_document_is_json_and_says_which_way_of_following_a_tip_was_best(tmp_path: Path) -> None:
    asked = Asked(60, 7, ("hollywood",), ("recalculate",))
    planned = draw_up(asked)
    folder = start_folder(asked, tmp_path / "tips", tmp_path)
    play_tips(planned, folder, 1, lambda *_: None, lambda _: None)
    told = document(asked, planned, folder, "then")
    json.dumps(told, allow_nan=False)
    (tip,) = told["tips"]
    assert tip["again"] == [
        *("hollywood", "tips", "--only", "recalculate", "--pairs", "60", "--seed", "7", "--rules", "hollywood")
    ]
    rows = tip["measurements"]
    shown = [row for row in rows if row["shown"]]
    assert len(rows) == 5
    assert len(shown) == 1
    alike = [row["value"] for row in rows if row["outcome"] == shown[0]["outcome"]]
    assert shown[0]["value"] == max(alike)
    assert all("/" not in player["spec"] for player in told["players"])
    assert all((folder / name / "manifest.json").is_file() for row in rows for name in row["runs"])


def test_folder_that_holds_something_and_folder_of_something_else_are_refused(tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "note.txt").touch()
    with pytest.raises(FolderInUse, match="--resume"):
        start_folder(Asked(4, 7), tmp_path / "full", tmp_path)
    with pytest.raises(StoreError, match="not the folder of hollywood tips"):
        read_asked(tmp_path / "full")
    (tmp_path / "full" / "tips.json").write_text('{"schema_version": 1}')
    with pytest.raises(StoreError, match="not the state of tips"):
        read_asked(tmp_path / "full")


def test_units_of_the_list_are_known() -> None:
    assert {m.unit for tip in TIPS for m in tip.measurements} == {TIMES, MATCHES, CASES, MISSES}
