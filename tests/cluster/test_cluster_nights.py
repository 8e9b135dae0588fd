"""Nights on a cluster: the client dies, workers die in the middle of a part, a player hangs, a sweep goes on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from experiments.simulate import simulate
from sim.batch import runner
from sim.batch.cluster import Cluster, WorkersKilled
from sim.batch.runner import Watch
from sim.batch.store import RunFolder
from strategies.registry import bind
from tests.cli.conftest import Hollywood
from tests.cluster.machines import kept, machines, plan_of, play, wait_until
from tests.support.strategy_cli import start
from tests.support.strategy_files import write_player
from tests.support.strategy_runs import Onlooker, manifest, run_into

pytestmark = pytest.mark.slow
PARTS = 10
PAIRS = PARTS * 16_384


def test_client_killed_in_the_night_is_resumed_on_the_cluster(tmp_path: Path, hollywood: Hollywood) -> None:
    with machines(tmp_path / "machines", workers=2) as found:
        given = ("simulate", "greedy", "simple", "--pairs", str(PAIRS), "--seed", "20261")
        lines = tmp_path / "run" / "parts.jsonl"
        with start([*given, "--out", "run", "--scheduler", found.address], tmp_path) as client:
            wait_until(lambda: lines.is_file() and len(lines.read_text(encoding="utf-8").splitlines()) >= 2)
            client.kill()
        assert manifest(tmp_path / "run")["status"] == "running"
        assert len(kept(tmp_path / "run")[1]) < PARTS
        assert hollywood("runs", "resume", "run", "--scheduler", found.address).code == 0
    run_into(tmp_path / "threads", plan_of("greedy", "simple", pairs=PAIRS), threads=2)
    assert kept(tmp_path / "run") == kept(tmp_path / "threads")
    assert not list((tmp_path / "run").glob(".cluster-*"))


def test_part_whose_worker_is_killed_in_the_middle_is_played_by_another(tmp_path: Path) -> None:
    plan = plan_of("greedy", "simple", pairs=PAIRS)
    folder = RunFolder.create(tmp_path / "cluster", plan, {})
    with machines(tmp_path / "machines", workers=2) as found, Cluster(found.address) as cluster:
        wait_until(lambda: len(cluster.threads()) == 2)
        summaries: Any = cluster((plan, bind, Watch()), plan.parts(), folder)
        next(summaries)
        next(summaries)
        found.kill("w0")
        assert len(list(summaries)) == PARTS - 2
    folder.release()
    run_into(tmp_path / "threads", plan, threads=2)
    assert kept(tmp_path / "cluster") == kept(tmp_path / "threads")


def test_player_that_never_comes_back_on_a_worker_is_told_by_name(tmp_path: Path) -> None:
    path = write_player(tmp_path, "held", discard="while view.turn >= 0:\n        pass\n    return 0")
    plan = plan_of(str(path), "greedy", pairs=10)
    told = f'strategy "{path}" has not come back from a decision for 2 seconds'
    with machines(tmp_path / "machines", workers=0) as found, Cluster(found.address) as cluster:
        found.add("w0", "--preload", "tests.cluster.impatient")
        with pytest.raises(runner.RunStalled, match=told):
            play(plan, tmp_path / "run", cluster)
    assert manifest(tmp_path / "run")["status"] == "failed"


def test_player_that_kills_every_worker_before_it_plays_is_told_by_name(tmp_path: Path) -> None:
    imports = "import os\nif os.environ.get('A_WORKER'):\n    os._exit(3)\n"
    path = write_player(tmp_path, "deadly", imports=imports)
    plan = plan_of("greedy", str(path), pairs=10)
    with machines(tmp_path / "machines", workers=0) as found, Cluster(found.address) as cluster:
        for name in ("w0", "w1"):
            found.add(name, environment={"A_WORKER": "1"})
        wait_until(lambda: len(cluster.threads()) == 2)
        with pytest.raises(WorkersKilled, match=r"all 2 workers died making the players ready: .*deadly\.py"):
            simulate(plan, tmp_path / "run", cluster, Onlooker())


def test_sweep_and_tournament_find_on_a_cluster_what_they_find_on_threads(tmp_path: Path, hollywood: Hollywood) -> None:
    sweep = ("sweep", "threshold", "--param", "knock_at=0:10:5", "--against", "simple", "--pairs", "40000")
    tournament = ("tournament", "greedy", "simple", "gin-only", "--pairs", "20000")
    with machines(tmp_path / "machines", workers=2) as found:
        for words in (sweep, tournament):
            there = (*words, "--seed", "3", "--json", "--out", f"{words[0]}-there", "--scheduler", found.address)
            here = (*words, "--seed", "3", "--json", "--out", f"{words[0]}-here")
            answers = [hollywood(*there).json(), hollywood(*here).json()]
            for answer in answers:
                for timed in ("run", "seconds", "deals_per_second"):
                    del answer[timed]
            assert answers[0] == answers[1]
            assert kept(tmp_path / f"{words[0]}-there") == kept(tmp_path / f"{words[0]}-here")
