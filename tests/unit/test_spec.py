"""The specification in a run folder gives back exactly the plan that was written, from the folder's own sources."""

from __future__ import annotations

import shutil
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import tomli_w

from experiments.simulate import Request, make_plan
from sim.batch.plan import Plan
from sim.batch.spec import SpecError, read_plan
from sim.batch.store import RunFolder
from strategies.registry import bind
from tests.support.strategy_files import write_player
from tests.support.strategy_runs import plan_of, play

REQUESTS = {
    "two-handed": Request(["greedy", "simple"], 7, seed=1),
    "largest seed and size": Request(["greedy", "simple"], 2**32, seed=2**64 - 1, detail="deals"),
    "parameters": Request(["threshold:knock_at=3", "threshold:knock_at=4", "threshold"], 7, seed=2),
    "self-play": Request(["greedy", "greedy"], 7, seed=3, detail="deals"),
    "round robin": Request(["greedy", "simple", "random", "gin-only"], 7, seed=4),
    "rules": Request(
        ["greedy", "simple"],
        7,
        seed=5,
        rules="oklahoma",
        options={"big_gin": 31, "tie": "knocker", "count_zero_wins": "no", "knock_limit": 4, "target": 250},
    ),
    "partners, one player a side": Request(["greedy", "simple"], 7, seed=6, rules="partnership"),
    "partners, two players a side": Request(
        ["greedy/threshold:knock_at=2", "simple/greedy"], 7, seed=7, rules="partnership", detail="deals"
    ),
    "partners against themselves": Request(["greedy/simple", "greedy/simple"], 7, seed=8, rules="partnership"),
    "partners, round robin": Request(["greedy/simple", "simple/greedy", "random"], 7, seed=9, rules="partnership"),
    "three-handed": Request(["greedy", "simple", "random"], 7, seed=10, rules="three-handed"),
    "three of one": Request(["greedy"] * 3, 7, seed=11, rules="three-handed"),
    "two of three": Request(["simple", "greedy", "simple"], 7, seed=12, rules="three-handed"),
    "three-handed, round robin": Request(
        ["greedy", "simple", "random", "threshold"], 7, seed=13, rules="three-handed", options={"closing": "player"}
    ),
}


def kept(folder: Path, plan: Plan) -> Plan:
    """Write a plan into a new run folder and read it back."""
    RunFolder.create(folder, plan, {})
    return read_plan(folder)


def assert_same(found: Plan, plan: Plan) -> None:
    assert found == plan
    assert repr(found) == repr(plan), "values are of the same kind, too: 1 is not True"
    assert found.spec_hash() == plan.spec_hash()
    assert list(found.parts()) == list(plan.parts())


@pytest.mark.parametrize("request_", REQUESTS.values(), ids=REQUESTS)
def test_plan_is_read_back_exactly(request_: Request, tmp_path: Path) -> None:
    plan = make_plan(request_)
    assert_same(kept(tmp_path / "run", plan), plan)
    spec = tomllib.loads((tmp_path / "run" / "spec.toml").read_text(encoding="utf-8"))
    assert spec["spec_hash"] == plan.spec_hash()


def test_files_with_helpers_are_read_back_from_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two files of the same name, one helper beside and one in a folder, a parameter of each kind."""
    monkeypatch.chdir(tmp_path)
    for limit in (3, 4):
        folder = tmp_path / f"bots{limit}"
        knock = "return view.deadwood <= LIMIT"
        write_player(folder, "kept", imports="from kept_pack.limits import LIMIT", knock=knock)
        (folder / "kept_pack").mkdir()
        (folder / "kept_pack" / "limits.py").write_text("from kept_number import LIMIT\n", encoding="utf-8")
        (folder / "kept_number.py").write_text(f"LIMIT = {limit}  # größer\n", encoding="utf-8")
    plan = plan_of("./bots3/kept.py:bold=yes,slope=-0.25,knob=2", "./bots4/kept.py", "./bots4/kept.py:slope=1", pairs=2)
    assert_same(kept(tmp_path / "run", plan), plan)
    before = play(plan).digest()
    for limit in (3, 4):
        shutil.rmtree(tmp_path / f"bots{limit}")
    bind.cache_clear()
    found = read_plan(tmp_path / "run")
    assert_same(found, plan)
    assert play(found).digest() == before


def test_file_that_imports_a_project_strategy_is_read_back(tmp_path: Path) -> None:
    path = write_player(tmp_path, "heir", imports="from strategies.simple import take_upcard as simple_take")
    plan = plan_of(str(path), "greedy", pairs=2)
    assert_same(kept(tmp_path / "run", plan), plan)


# --- folders that are no run


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Return a run folder with greedy and simple."""
    RunFolder.create(tmp_path / "run", plan_of("greedy", "threshold:knock_at=3"), {})
    return tmp_path / "run"


def refused(run: Path) -> str:
    """Return the one line in which a folder is refused."""
    with pytest.raises(SpecError) as caught:
        read_plan(run)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_folder_without_a_specification_is_refused(run: Path, tmp_path: Path) -> None:
    (run / "spec.toml").unlink()
    for folder in (run, tmp_path / "nowhere", tmp_path):
        assert f"{folder / 'spec.toml'}: missing" in refused(folder)


def test_folder_without_the_sources_is_refused_by_the_missing_folder(run: Path) -> None:
    folders = sorted((run / "strategies").iterdir())
    shutil.rmtree(folders[0])
    assert str(folders[0]) in refused(run)
    shutil.rmtree(run / "strategies")
    assert "missing" in refused(run)


@pytest.mark.parametrize("content", [b"", b"seed = \n", b"\xff\xfe", b"seed = 1\nseed = 2\n", b"just text"], ids=repr)
def test_file_that_is_no_specification_is_refused_by_name(content: bytes, run: Path) -> None:
    (run / "spec.toml").write_bytes(content)
    assert refused(run).startswith(f"{run / 'spec.toml'}: not the specification of a run")


KEYS = ("seed", "pairs", "detail", "preset", "form", "rules", "strategies", "sides", "pairings")


@pytest.mark.parametrize("key", KEYS)
def test_missing_entry_is_named(key: str, run: Path) -> None:
    rewrite(run, lambda spec: spec.pop(key))
    told = refused(run)
    assert told.startswith(f"{run / 'spec.toml'}: ")
    assert key in told


BAD_VALUES: dict[str, Callable[[dict[str, Any]], Any]] = {
    "seed is text": lambda spec: spec.update(seed="x"),
    "seed is below 0": lambda spec: spec.update(seed=-1),
    "pairs is text": lambda spec: spec.update(pairs="many"),
    "unknown form": lambda spec: spec.update(form="four-handed"),
    "unknown preset": lambda spec: spec.update(preset="tournament"),
    "preset is a list": lambda spec: spec.update(preset=["gin"]),
    "rules are a number": lambda spec: spec.update(rules=5),
    "rules with an unknown option": lambda spec: spec["rules"].update(bonus=5),
    "rules with a bad value": lambda spec: spec["rules"].update(gin_bonus=-5),
    "strategies are a number": lambda spec: spec.update(strategies=5),
    "strategy without a sha": lambda spec: spec["strategies"][0].pop("sha"),
    "parameters are a list": lambda spec: spec["strategies"][0].update(params=[3]),
    "side of nobody": lambda spec: spec["sides"][0].update(players=["nobody"]),
    "pairing is a list": lambda spec: spec.update(pairings=[["greedy", "simple"]]),
    "pairing with nobody": lambda spec: spec["pairings"][0].update(b="nobody"),
    "pairing is text": lambda spec: spec.update(pairings="greedy"),
}


@pytest.mark.parametrize("change", BAD_VALUES.values(), ids=BAD_VALUES)
def test_entry_of_no_use_is_refused_in_one_line_with_the_file(change: Callable[[Any], Any], run: Path) -> None:
    rewrite(run, change)
    assert refused(run).startswith(f"{run / 'spec.toml'}: ")


def rewrite(run: Path, change: Callable[[dict[str, Any]], Any]) -> None:
    """Change the document of a run folder's specification."""
    file = run / "spec.toml"
    spec = tomllib.loads(file.read_text(encoding="utf-8"))
    change(spec)
    file.write_text(tomli_w.dumps(spec), encoding="utf-8")
