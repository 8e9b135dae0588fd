"""Players that break the rules, raise or never finish stop a run with a reason; its manifest says how it ended."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from experiments.simulate import simulate
from sim.batch import plan as plans
from sim.batch import runner
from sim.batch.executors import run_on_threads
from sim.batch.plan import Plan
from sim.batch.runner import PartSummary, Place, RunFailed, Stopped, play_part
from sim.batch.store import RunFolder
from strategies.registry import bind
from tests.support.strategy_files import BAD_HABITS, write_bad_player
from tests.support.strategy_runs import SEED, Onlooker, files_in, manifest, part_lines, plan_of, play, run_into

PLACE = rf"deal \(seed {SEED}, pair \d+, leg [01], deal \d+\)"
TOLD = {
    "throws a card it does not hold": r"threw [2-9AJQKT][CDHS], which it does not hold",
    "throws a number that is no card": r"threw card number 99, which it does not hold",
    "throws the card it has just taken": r"threw [2-9AJQKT][CDHS], which it had just taken from the pile",
    "knocks over the limit": r"knocked and threw [2-9AJQKT][CDHS], which leaves more than 10 points of deadwood",
}
"""What is said of an illegal move."""


class Interrupted(Onlooker):
    """Presses control-C, once, when so many pairs have been played."""

    after = 40
    pressed = False

    def advance(self, pairs: int, deals: int) -> None:
        """Count, and interrupt when it is enough."""
        super().advance(pairs, deals)
        if self.pairs >= self.after and not self.pressed:
            self.pressed = True
            raise KeyboardInterrupt


class AsksToStop(Onlooker):
    """Asks the run to stop once so many pairs have been played."""

    def advance(self, pairs: int, deals: int) -> None:
        """Count, and ask when it is enough."""
        super().advance(pairs, deals)
        if self.pairs >= Interrupted.after:
            self.stop.set()


@pytest.fixture
def plan(monkeypatch: pytest.MonkeyPatch) -> Plan:
    """Return a plan of ten parts of 16 pairs."""
    monkeypatch.setattr(plans, "PART_PAIRS", 16)
    return plan_of("greedy", "simple", pairs=160)


# --- players


@pytest.mark.parametrize("habit", TOLD)
@pytest.mark.parametrize("side", ["A", "B"])
def test_illegal_move_names_strategy_deal_and_card(habit: str, side: str, tmp_path: Path) -> None:
    path = write_bad_player(tmp_path, "culprit", habit)
    players = (str(path), "greedy") if side == "A" else ("greedy", str(path))
    with pytest.raises(RunFailed) as caught:
        play(plan_of(*players, pairs=3))
    expected = rf'illegal move of strategy "{path}" in {players[0]} v {players[1]}, {PLACE}: it {TOLD[habit]}'
    assert re.fullmatch(expected, str(caught.value))


def test_illegal_move_is_told_with_the_parameters_that_made_it(tmp_path: Path) -> None:
    path = write_bad_player(tmp_path, "culprit", "throws a number that is no card")
    with pytest.raises(RunFailed, match=r'illegal move of strategy ".*culprit\.py:knob=3" in greedy v '):
        play(plan_of("greedy", f"{path}:knob=3", pairs=1))


def test_place_of_an_illegal_move_is_where_it_happens_again(tmp_path: Path) -> None:
    path = write_bad_player(tmp_path, "culprit", "throws the card it has just taken")
    (part,) = plan_of("greedy", str(path), pairs=3).parts()
    messages = set()
    for first_pair in (0, 5, 5):
        late = plans.Part(0, part.sides, first_pair, 2)
        with pytest.raises(RunFailed) as caught:
            play_part(plan_of("greedy", str(path)), late, bind, Onlooker())
        messages.add(str(caught.value))
    assert len(messages) == 2
    assert any("pair 5, leg 0" in message for message in messages)


def test_throwing_back_is_legal_where_the_rules_allow_it(tmp_path: Path) -> None:
    path = write_bad_player(tmp_path, "thrower", "throws the card it has just taken")
    with pytest.raises(RunFailed, match="never finish a match"):
        play(plan_of(str(path), str(path), pairs=1, options={"throw_back": True}))


def test_exception_inside_a_strategy_names_it_the_deal_and_the_reason(tmp_path: Path) -> None:
    path = write_bad_player(tmp_path, "culprit", "raises an exception")
    with pytest.raises(RunFailed) as caught:
        play(plan_of("greedy", str(path), pairs=1))
    assert re.fullmatch(rf"greedy v {path}, {PLACE}: ValueError: what now\?", str(caught.value))


def test_players_who_never_knock_are_given_up(tmp_path: Path) -> None:
    path = write_bad_player(tmp_path, "shy", "never knocks")
    with pytest.raises(RunFailed) as caught:
        play(plan_of(str(path), str(path), pairs=1))
    place = rf"deal \(seed {SEED}, pair 0, leg 0, deal 9999\)"
    told = "no deal scored in 10,000: these players never finish a match"
    assert re.fullmatch(rf"{path} v {path}, {place}: {told}", str(caught.value))
    assert play(plan_of(str(path), "greedy", pairs=2)).matches["match_winner"].tolist() == [1, 1, 1, 1]


@pytest.mark.parametrize("habit", BAD_HABITS)
def test_run_with_a_bad_player_is_marked_failed_and_leaves_no_part(habit: str, tmp_path: Path) -> None:
    path = write_bad_player(tmp_path, "culprit", habit)
    folder = tmp_path / "run"
    with pytest.raises(RunFailed):
        run_into(folder, plan_of(str(path), str(path), pairs=2), threads=2)
    assert manifest(folder)["status"] == "failed"
    assert part_lines(folder) == []
    assert not [name for name in files_in(folder) if "parquet" in name or "summary" in name]


# --- how a run ends


def test_whole_run_is_complete(plan: Plan, tmp_path: Path) -> None:
    run_into(tmp_path / "run", plan, threads=2)
    found = manifest(tmp_path / "run")
    assert found["status"] == "complete"
    assert (found["run_id"], found["spec_hash"]) == ("run", plan.spec_hash())
    assert found["started"] <= found["finished"]
    assert {"schema_version", "engine_version", "fingerprint", "versions", "cpu", "host", "argv"} <= found.keys()
    assert len(part_lines(tmp_path / "run")) == 10


@pytest.mark.parametrize("threads", [1, 2])
def test_interrupted_run_keeps_its_finished_parts_and_says_so(threads: int, plan: Plan, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    with pytest.raises(KeyboardInterrupt):
        simulate(plan, folder, threads, Interrupted())
    assert manifest(folder)["status"] == "interrupted"
    _assert_part_of(folder, plan)


def test_parts_in_work_are_dropped_when_a_run_is_interrupted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plans, "PART_PAIRS", 8_192)
    watch = Interrupted()
    with pytest.raises(KeyboardInterrupt):
        simulate(plan_of("greedy", "simple", pairs=16_384), tmp_path / "run", 2, watch)
    assert watch.pairs < 8_192
    assert part_lines(tmp_path / "run") == []


def test_run_that_was_asked_to_stop_is_not_called_complete(plan: Plan, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    with pytest.raises(Stopped):
        simulate(plan, folder, 1, AsksToStop())
    assert manifest(folder)["status"] == "interrupted"
    _assert_part_of(folder, plan)


def _assert_part_of(folder: Path, plan: Plan) -> None:
    lines = part_lines(folder)
    assert 0 < len(lines) < 10
    listed = {line[table]["file"] for line in lines for table in ("matches", "deals")}
    assert {name for name in files_in(folder) if "parquet" in name} == listed
    assert "summary.json" not in files_in(folder)


def test_failing_part_stops_the_others(plan: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started = []
    play_it = runner.play_part

    def fails_at_two(*args: object) -> runner.Played:
        part = args[1]
        assert isinstance(part, plans.Part)
        started.append(part.number)
        if part.number == 2:
            raise RunFailed("part 2 will not do", Place(("a", "b"), 0, 0, 0))
        return play_it(*args)  # type: ignore[arg-type]  # handed through as they came

    monkeypatch.setattr(runner, "play_part", fails_at_two)
    with pytest.raises(RunFailed, match="part 2 will not do"):
        run_into(tmp_path / "run", plan, threads=2)
    assert max(started) <= 2 + 2 + 1
    assert manifest(tmp_path / "run")["status"] == "failed"


def test_caller_who_stops_listening_stops_the_run(plan: Plan, tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path / "run", plan, {})
    summaries = run_on_threads((plan, bind, Onlooker()), plan.parts(), folder, 1)
    first = next(iter(summaries))
    assert isinstance(first, PartSummary)
    assert first.pairing == ("greedy", "simple")
    summaries.close()  # type: ignore[attr-defined]  # a generator
    assert len(part_lines(folder.path)) < 10
