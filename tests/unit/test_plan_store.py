"""Plans split into parts, and parts become files that hold what was played and say where it came from."""

from __future__ import annotations

import hashlib
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pyarrow.parquet as pq
import pytest

from sim.batch import plan as plans
from sim.batch.fingerprint import engine_fingerprint
from sim.batch.plan import Part, Plan, round_robin
from sim.batch.provenance import engine_version
from sim.batch.runner import play_part
from sim.batch.schema import SCHEMA_VERSION, TABLES, arrow_schema, flat_columns
from sim.decisions import Side
from sim.rows import Ending
from sim.rules import PARTNERSHIP
from strategies.registry import bind
from strategies.sources import sources_sha
from tests.support.strategy_runs import SEED, Onlooker, columns, files_in, part_lines, plan_of, play, run_into

PLAYERS = ("greedy", "simple", "threshold:knock_at=3")
TABLE_NAMES = ["deals", "matches"]


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> int:
    """Make parts of 16 pairs."""
    monkeypatch.setattr(plans, "PART_PAIRS", 16)
    return 16


class Run(NamedTuple):
    """A run folder, its plan and its parts."""

    folder: Path
    plan: Plan
    parts: tuple[Part, ...]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Return a run of three pairings in two parts each, with all deals kept; under rules with dead deals too."""
    plan = plan_of(*PLAYERS, pairs=50, options={"turn_cap": 20})
    folder = tmp_path_factory.mktemp("runs") / "run"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plans, "PART_PAIRS", 32)
        run_into(folder, plan)
        return Run(folder, plan, tuple(plan.parts()))


# --- the plan


@pytest.mark.parametrize("pairs", [1, 15, 16, 17, 100])
@pytest.mark.parametrize("players", [2, 4])
def test_parts_cover_every_pair_of_every_pairing_once(pairs: int, players: int, small_parts: int) -> None:
    plan = plan_of("greedy", "simple", "gin-only", "random", pairs=pairs)
    plan = replace(plan, pairings=round_robin(players))
    parts = list(plan.parts())
    covered = [(*p.names, pair) for p in parts for pair in _pairs(p)]
    texts = [side.text for side in plan.sides]
    assert sorted(covered) == sorted((texts[a], texts[b], pair) for a, b in plan.pairings for pair in range(pairs))
    assert [part.number for part in parts] == list(range(len(parts)))
    assert max(part.pairs for part in parts) <= small_parts
    assert sum(part.pairs for part in parts) == plan.total_pairs() == pairs * len(plan.pairings)


@pytest.mark.parametrize("players", range(2, 6))
def test_round_robin_names_every_pairing_once(players: int) -> None:
    pairings = round_robin(players)
    assert len(set(pairings)) == len(pairings) == players * (players - 1) // 2
    assert all(0 <= a < b < players for a, b in pairings)


def test_extending_keeps_whole_parts_and_lengthens_short_ones(small_parts: int) -> None:
    plan = plan_of(*PLAYERS, pairs=40)
    longer = list(replace(plan, pairs=100).parts())
    for part in plan.parts():
        assert part == replace(longer[part.number], pairs=part.pairs)
        assert part.pairs in (small_parts, 40 % small_parts)


def test_part_plays_the_same_whatever_plan_it_is_in(small_parts: int) -> None:
    plan = plan_of("greedy", "simple", pairs=48)
    rows = play(plan)
    shorter = play(replace(plan, pairs=16))
    assert rows.matches[:32].tobytes() == shorter.matches.tobytes()
    assert rows.matches["pair"].tolist() == sorted(list(range(48)) * 2)


def test_spec_hash_ignores_size_and_sees_everything_else() -> None:
    plan = plan_of("greedy", "threshold:knock_at=3")
    assert plan.spec_hash() == replace(plan, pairs=1).spec_hash()
    a, b = plan.sides
    threshold = b.players[0]
    others = [
        replace(plan, seed=plan.seed + 1),
        replace(plan, detail="matches"),
        replace(plan, rules=plan.rules.with_options({"target": 99})),
        replace(plan, pairings=((1, 0),)),
        replace(plan, rules=replace(plan.rules, form=PARTNERSHIP)),
        replace(plan, sides=(a, Side((replace(threshold, sha="0" * 12),)))),
        replace(plan, sides=(a, Side((replace(threshold, params=(("knock_at", 4),)),)))),
        replace(plan, sides=(a, Side((threshold, *a.players)))),
        replace(plan, sides=(b, a)),
    ]
    hashes = {plan.spec_hash(), *(other.spec_hash() for other in others)}
    assert len(hashes) == 1 + len(others)


# --- the files of a run


def test_run_folder_holds_these_files_and_no_other(run: Run) -> None:
    parts = {f"{table}/part-{n:06d}.parquet" for table in TABLE_NAMES for n in range(6)}
    sources = {f"strategies/{s.sha}/{name}" for s in run.plan.strategies for name, _ in s.sources}
    told = {"spec.toml", "manifest.json", "parts.jsonl", "summary.json", "run.log", "lock"}
    assert files_in(run.folder) == {*told, *parts, *sources}


@pytest.mark.parametrize("table", TABLE_NAMES)
def test_files_have_the_declared_schema_and_metadata(table: str, run: Run) -> None:
    rules = ",".join(f"{name}={value}" for name, value in run.plan.rules.options().items())
    for part in run.parts:
        metadata = {
            "schema_version": str(SCHEMA_VERSION),
            "spec_hash": run.plan.spec_hash(),
            "engine_version": engine_version(),
            "fingerprint": engine_fingerprint(),
            "seed": str(SEED),
            "first_pair": str(part.first_pair),
            "pairs": str(part.pairs),
            "form": "two-handed",
            "rules": rules,
        }
        found = pq.read_schema(run.folder / f"{table}/part-{part.number:06d}.parquet")
        assert found.equals(arrow_schema(table, metadata), check_metadata=True)


@pytest.mark.parametrize("table", TABLE_NAMES)
def test_files_hold_the_rows_that_were_played(table: str, run: Run) -> None:
    for part in run.parts:
        played = getattr(play_part(run.plan, part, bind, Onlooker()), table)
        found = columns(run.folder / f"{table}/part-{part.number:06d}.parquet")
        assert set(found.pop("strategy_a")) == {part.names[0]}
        assert set(found.pop("strategy_b")) == {part.names[1]}
        for column in flat_columns(TABLES[table]):
            values = played[column.field.name][(slice(None), *column.index)].tolist()
            null = column.field.null
            assert found.pop(column.name) == [None if value == null else value for value in values]
        assert not found


def test_rows_are_sorted_and_nulls_stand_where_nobody_scored(run: Run) -> None:
    nulls = [0, 0]
    for part in run.parts:
        deals = columns(run.folder / f"deals/part-{part.number:06d}.parquet")
        places = list(zip(deals["pair"], deals["leg"], deals["deal"], strict=True))
        assert places == sorted(set(places))
        dead = [ending in (Ending.WALL, Ending.TURN_CAP) for ending in deals["ending"]]
        for name in ("scorer", "knocker", "knocker_deadwood", "defender_deadwood_before", "defender_deadwood_after"):
            assert [value is None for value in deals[name]] == dead
        matches = columns(run.folder / f"matches/part-{part.number:06d}.parquet")
        legs = list(zip(matches["pair"], matches["leg"], strict=True))
        assert legs == [(pair, leg) for pair in _pairs(part) for leg in (0, 1)]
        shut_out = [opened is None for opened in matches["column3_opened_a"]]
        assert shut_out == [boxes == 0 for boxes in matches["column3_boxes_a"]]
        nulls = [nulls[0] + sum(dead), nulls[1] + sum(shut_out)]
    assert min(nulls) > 0


def _pairs(part: Part) -> range:
    return range(part.first_pair, part.first_pair + part.pairs)


@pytest.mark.parametrize("table", TABLE_NAMES)
def test_lines_tell_the_rows_and_checksum_of_each_file(table: str, run: Run) -> None:
    for line, part in zip(part_lines(run.folder), run.parts, strict=True):
        file = run.folder / line[table]["file"]
        assert line[table]["sha256"] == hashlib.sha256(file.read_bytes()).hexdigest()
        assert line[table]["rows"] == pq.read_metadata(file).num_rows
        assert (line["part"], line["a"], line["b"]) == (part.number, *part.names)
        assert (line["first_pair"], line["pairs"]) == (part.first_pair, part.pairs)
        assert line["deals_played"] == line["deals"]["rows"] == line["tally"]["deals"]
        assert line["matches"]["rows"] == 2 * part.pairs


def test_spec_and_sources_of_a_run_are_kept(run: Run) -> None:
    folder, plan, _ = run
    spec = tomllib.loads((folder / "spec.toml").read_text(encoding="utf-8"))
    assert (spec["seed"], spec["pairs"], spec["detail"], spec["preset"]) == (SEED, 50, "deals", "hollywood")
    assert spec["spec_hash"] == plan.spec_hash()
    assert spec["rules"] == plan.rules.options()
    assert [s["spec"] for s in spec["strategies"]] == list(PLAYERS)
    assert spec["strategies"][2]["params"] == {"knock_at": 3}
    assert [(p["a"], p["b"]) for p in spec["pairings"]] == [(PLAYERS[a], PLAYERS[b]) for a, b in round_robin(3)]
    for strategy in spec["strategies"]:
        kept = folder / "strategies" / strategy["sha"]
        texts = tuple((name, (kept / name).read_text(encoding="utf-8")) for name in sorted(files_in(kept)))
        assert sources_sha(texts) == strategy["sha"]


def test_without_deals_only_matches_are_written(tmp_path: Path) -> None:
    run_into(tmp_path / "run", plan_of("greedy", "simple", pairs=3, detail="matches"))
    assert not (tmp_path / "run" / "deals").exists()
    assert "deals" not in part_lines(tmp_path / "run")[0]


def test_match_rows_are_the_same_with_and_without_deals(tmp_path: Path) -> None:
    for detail in ("matches", "deals"):
        run_into(tmp_path / detail, plan_of("greedy", "random", pairs=20, detail=detail))
    file = "matches/part-000000.parquet"
    assert columns(tmp_path / "matches" / file) == columns(tmp_path / "deals" / file)


def test_two_runs_of_a_plan_have_the_same_bytes(small_parts: int, tmp_path: Path) -> None:
    plan = plan_of(*PLAYERS, pairs=40)
    folders = [tmp_path / name for name in ("one", "again", "two threads")]
    for folder, threads in zip(folders, (1, 1, 2), strict=True):
        run_into(folder, plan, threads)
    names = [file for file in files_in(folders[0]) if file.endswith(".parquet")]
    assert len(names) == 2 * 3 * 3
    for folder in folders[1:]:
        assert all((folder / name).read_bytes() == (folders[0] / name).read_bytes() for name in names)


def test_deal_row_takes_at_most_nine_bytes_on_disk(tmp_path: Path) -> None:
    run_into(tmp_path / "run", plan_of("greedy", "threshold:knock_at=5", pairs=4_096))
    file = tmp_path / "run" / "deals/part-000000.parquet"
    assert file.stat().st_size <= 9 * pq.read_metadata(file).num_rows


def test_numbers_of_matches_are_packed_and_all_else_is_compressed(tmp_path: Path) -> None:
    run_into(tmp_path / "run", plan_of(*PLAYERS[:2], pairs=40))
    found = {}
    for table in ("matches", "deals"):
        group = pq.read_metadata(tmp_path / "run" / table / "part-000000.parquet").row_group(0)
        for column in map(group.column, range(group.num_columns)):
            found[f"{table} {column.path_in_schema}"] = (column.compression, "DELTA_BINARY_PACKED" in column.encodings)
    packed, delta, dictionary = ("UNCOMPRESSED", True), ("LZ4", True), ("LZ4", False)
    assert set(found.values()) == {packed, delta, dictionary}
    assert {found[f"matches {name}"] for name in ("deals_won_a", "column2_opened_b", "settlement")} == {packed}
    assert {found[name] for name in ("matches pair", "deals pair", "matches match_winner", "deals scorer")} == {delta}
    assert {found[name] for name in ("matches strategy_a", "deals points", "deals turns")} == {dictionary}
