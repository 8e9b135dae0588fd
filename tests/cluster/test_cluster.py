"""Played by workers in processes of their own, a run is the one that threads would have played."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from experiments.resume import plan_to_resume, resume
from experiments.simulate import simulate
from sim.batch import cluster as clusters
from sim.batch import cluster_worker
from sim.batch.cluster import Cluster, WorkersKilled
from sim.batch.cluster_worker import ClusterError
from sim.batch.plan import Part
from sim.batch.runner import RunFailed, Stopped, Watch
from sim.batch.store import RunFolder
from strategies.registry import bind
from tests.cli.conftest import Hollywood
from tests.cluster.machines import Machines, kept, killing_bind, machines, plan_of, play, wait_until
from tests.support.strategy_files import write_bad_player, write_player
from tests.support.strategy_runs import Onlooker, files_in, manifest, part_lines, run_into


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machines]:
    """Return a scheduler with two workers, which no test ends."""
    with machines(tmp_path_factory.mktemp("machines"), workers=2) as found:
        with Cluster(found.address) as cluster:
            wait_until(lambda: len(cluster.threads()) == 2)
        yield found


@pytest.fixture
def cluster(two: Machines) -> Iterator[Cluster]:
    """Return an executor on the two workers."""
    with Cluster(two.address) as found:
        yield found


def test_workers_write_the_bytes_that_threads_write(cluster: Cluster, small_parts: int, tmp_path: Path) -> None:
    plan = plan_of("greedy", "simple", "threshold:knock_at=3+on-schneid", pairs=150, detail="deals")
    run_into(tmp_path / "threads", plan)
    watched = play(plan, tmp_path / "cluster", cluster)
    tables, lines = kept(tmp_path / "cluster")
    assert (tables, lines) == kept(tmp_path / "threads")
    assert len(lines) == 15
    assert len(tables) == 30
    assert watched.pairs == 450
    assert watched.deals == sum(line["deals_played"] for line in lines)
    assert files_in(tmp_path / "cluster") == files_in(tmp_path / "threads")
    assert not list((tmp_path / "cluster").glob(".*"))


def test_players_own_file_travels_with_the_plan(cluster: Cluster, small_parts: int, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "helper.py").write_text("LIMIT = 4\n", encoding="utf-8")
    path = write_player(
        tmp_path / "mine", "own", knock="return view.deadwood <= LIMIT", imports="from helper import LIMIT"
    )
    plan = plan_of(str(path), "greedy", pairs=64)
    run_into(tmp_path / "threads", plan)
    for file in (path, path.with_name("helper.py")):
        file.unlink()
    play(plan, tmp_path / "cluster", cluster)
    assert kept(tmp_path / "cluster") == kept(tmp_path / "threads")


def test_illegal_move_on_a_worker_is_told_as_on_a_thread(cluster: Cluster, small_parts: int, tmp_path: Path) -> None:
    path = write_bad_player(tmp_path, "culprit", "throws a number that is no card")
    plan = plan_of(str(path), "greedy", pairs=32)
    with pytest.raises(RunFailed) as on_thread:
        run_into(tmp_path / "threads", plan)
    with pytest.raises(RunFailed) as on_worker:
        play(plan, tmp_path / "cluster", cluster)
    assert str(on_worker.value) == str(on_thread.value)
    assert on_worker.value.place == on_thread.value.place
    assert manifest(tmp_path / "cluster")["status"] == "failed"


def test_no_more_than_two_tasks_a_thread_are_outstanding(cluster: Cluster, small_parts: int, tmp_path: Path) -> None:
    plan, outstanding, most = plan_of("greedy", "simple", pairs=30 * small_parts), 0, 0

    def counted() -> Iterator[Part]:
        nonlocal outstanding, most
        for part in plan.parts():
            outstanding += 1
            most = max(most, outstanding)
            yield part

    folder = RunFolder.create(tmp_path / "run", plan, {})
    for _ in cluster((plan, bind, Watch()), counted(), folder):
        outstanding -= 1
    folder.release()
    assert outstanding == 0
    assert most == 4


def test_stopped_run_goes_on_with_threads(cluster: Cluster, small_parts: int, tmp_path: Path) -> None:
    class StopsSoon(Onlooker):
        def advance(self, pairs: int, deals: int) -> None:
            super().advance(pairs, deals)
            self.stop.set()

    plan, folder = plan_of("greedy", "simple", pairs=30 * small_parts), tmp_path / "cluster"
    with pytest.raises(Stopped):
        simulate(plan, folder, cluster, StopsSoon())
    assert manifest(folder)["status"] == "interrupted"
    assert 0 < len(kept(folder)[1]) < 30
    resume(folder, plan_to_resume(folder), (1, Watch()))
    run_into(tmp_path / "threads", plan)
    assert kept(folder) == kept(tmp_path / "threads")
    assert not list(folder.glob(".cluster-*"))


# --- what needs no workers


def test_clock_starts_when_the_workers_are_ready(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = plan_of("greedy", "simple", pairs=3)
    run_into(tmp_path / "threads", plan)
    (line,) = part_lines(tmp_path / "threads")
    told: list[object] = []
    monkeypatch.setattr(Cluster, "_make_ready", lambda *_: told.append("ready"))
    monkeypatch.setattr(Cluster, "_played", lambda *_: iter([line]))
    folder = RunFolder.create(tmp_path / "run", plan, {})
    watch = Watch(lambda pairs, deals: told.append((pairs, deals)))
    list(object.__new__(Cluster)((plan, bind, watch), plan.parts(), folder))
    folder.release()
    assert told == ["ready", (0, 0), (3, line["deals_played"])]


def test_part_is_put_into_a_run_that_was_fetched_without_its_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster_worker, "_refused", lambda _spot: "")
    plan, session = plan_of("greedy", "simple", pairs=3, detail="deals"), tmp_path / "run" / ".cluster-1"
    session.mkdir(parents=True)
    line = cluster_worker.play_part_here(plan, next(plan.parts()), bind, cluster_worker.Spot(str(session), ("", "")))
    assert isinstance(line, dict)
    assert files_in(tmp_path / "run") == {line[table]["file"] for table in ("matches", "deals")}


def test_run_whose_scheduler_is_lost_ends_with_the_command_to_go_on(
    hollywood: Hollywood, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Lost:
        def __init__(self, _address: str) -> None: ...

        def __enter__(self) -> Lost:
            return self

        def __exit__(self, *_: object) -> None: ...

        def __call__(self, *_: object) -> Iterator[object]:
            time.sleep(0.1)
            raise ClusterError("the connection is lost")

    monkeypatch.setattr(clusters, "Cluster", Lost)
    monkeypatch.setattr("cli.progress.SLOW_START_SECONDS", 0)
    said = hollywood("simulate", "greedy", "simple", "--pairs", "3", "--out", "run", "--scheduler", "tcp://a:1")
    assert (said.code, said.err.splitlines()) == (
        1,
        [
            "  the workers get ready and play their first parts",
            "error: the connection is lost",
            "  the finished parts are kept in run",
            "  go on with: hollywood runs resume run",
        ],
    )


# --- who is refused


def test_worker_with_another_engine_is_refused_by_name(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clusters, "engine_fingerprint", lambda: "0" * 16)
    with pytest.raises(
        ClusterError, match=r"worker w[01] at tcp://\S+ is refused: its engine deals or scores otherwise"
    ):
        play(plan_of("greedy", "simple", pairs=1), tmp_path / "a", cluster)
    monkeypatch.setattr(clusters, "engine_version", lambda: "99.0")
    with pytest.raises(
        ClusterError, match=r"worker w[01] at \S+ is refused: its engine is version .*, here it is 99\.0"
    ):
        play(plan_of("greedy", "simple", pairs=1), tmp_path / "b", cluster)
    assert kept(tmp_path / "a") == kept(tmp_path / "b") == ({}, [])


def test_worker_that_does_not_see_the_run_folder_is_refused_by_name(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    @contextmanager
    def elsewhere(_folder: Path) -> Iterator[Path]:
        yield tmp_path / "only here" / "session"

    monkeypatch.setattr(clusters, "session", elsewhere)
    with pytest.raises(
        ClusterError, match=r"worker w[01] .* does not see the folder .*only here, which must be shared"
    ):
        play(plan_of("greedy", "simple", pairs=1), tmp_path / "run", cluster)


def test_without_the_extra_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ClusterError, match=r"^--scheduler needs Dask: pip install 'hollywood-gin-lab\[cluster\]'$"):
        Cluster("tcp://127.0.0.1:8786")


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "127.0.0.1:1"])
def test_address_without_a_scheduler_is_told(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "CONNECT_SECONDS", 0.2)
    with pytest.raises(ClusterError, match=f'no Dask scheduler answers at "{address}"'):
        Cluster(address)


@pytest.mark.parametrize(
    "address", ["", "foo", "tcp://", "tcp://:8786", "tcp://127.0.0.1", "tcp://127.0.0.1:abc", "nonsense://x:8786"]
)
def test_text_that_is_no_address_is_refused_at_once(
    address: str, hollywood: Hollywood, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)  # who would wait for it is not asked
    said = hollywood("simulate", "greedy", "simple", "--pairs", "3", "--out", "run", "--scheduler", address)
    told = f'error: "{address}" is not the address of a Dask scheduler, such as tcp://host:8786\n'
    assert (said.code, said.out, said.err) == (2, "", told)
    assert list(tmp_path.iterdir()) == []


# --- workers that come and go


@pytest.mark.slow
def test_run_survives_the_death_of_all_workers_when_another_joins_late(small_parts: int, tmp_path: Path) -> None:
    plan = plan_of("greedy", "simple", pairs=40 * small_parts)
    folder = RunFolder.create(tmp_path / "cluster", plan, {})
    with machines(tmp_path / "machines", workers=1) as found, Cluster(found.address) as cluster:
        summaries: Any = cluster((plan, bind, Watch()), plan.parts(), folder)
        next(summaries)
        found.kill("w0")
        found.add("late")
        assert len(list(summaries)) == 39
    folder.release()
    run_into(tmp_path / "threads", plan)
    assert kept(tmp_path / "cluster") == kept(tmp_path / "threads")


def test_player_that_kills_its_workers_is_told_by_name(small_parts: int, tmp_path: Path) -> None:
    plan = plan_of("greedy", "simple", pairs=2 * small_parts)
    folder = RunFolder.create(tmp_path / "run", plan, {})
    told = r"greedy v simple, from pair (0|32) \(seed 20261\): 1 workers died .* the players are \"greedy\" \"simple\""
    with (
        machines(tmp_path / "machines", workers=1, allowed_failures=0) as found,
        Cluster(found.address) as cluster,
        pytest.raises(WorkersKilled, match=told) as caught,
    ):
        list(cluster((plan, killing_bind, Watch()), plan.parts(), folder))
    folder.release()
    assert caught.value.place.sides == ("greedy", "simple")
    assert kept(tmp_path / "run") == ({}, [])


# --- the command line


def test_command_plays_on_the_workers_of_a_scheduler(two: Machines, hollywood: Hollywood, tmp_path: Path) -> None:
    given = ("--pairs", "40", "--seed", "3", "--json")
    there = hollywood("simulate", "greedy", "simple", *given, "--out", "there", "--scheduler", two.address).json()
    here = hollywood("simulate", "greedy", "simple", *given, "--out", "here").json()
    for timed in ("run", "seconds", "deals_per_second"):
        del there[timed], here[timed]
    assert there == here
    longer = hollywood("runs", "extend", "there", "--pairs", "50", "--json", "--scheduler", two.address).json()
    assert longer["pairs"] == 50


def test_comparison_is_not_resumed_on_a_cluster(two: Machines, hollywood: Hollywood) -> None:
    assert hollywood("compare", "greedy", "gin-only", "--pairs", "300", "--seed", "3", "--out", "run").code == 0
    said = hollywood("runs", "resume", "run", "--scheduler", two.address)
    assert said.code == 2
    assert said.err == "error: a comparison plays its pairs in order, on threads here: leave out --scheduler\n"
