"""Whatever is changed in the parts of a run is named by a verification, and a resume restores the very bytes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from experiments import verify
from tests.support.damaged_runs import (
    DEALS,
    FIRST,
    OTHER,
    PART_PAIRS,
    change_line,
    flip_a_byte,
    make_anew,
    resumed,
    rows_of,
    told,
    with_column,
    write_lines,
)
from tests.support.strategy_runs import part_lines


def truncate(run: Path) -> None:
    (run / OTHER).write_bytes((run / OTHER).read_bytes()[:-100])


def delete(run: Path) -> None:
    (run / OTHER).unlink()


def swap(run: Path) -> None:
    first = (run / FIRST).read_bytes()
    (run / FIRST).write_bytes((run / OTHER).read_bytes())
    (run / OTHER).write_bytes(first)


def edit_the_tally(run: Path) -> None:
    change_line(run, 1, lambda line: line["tally"].update(deals_won=line["tally"]["deals_won"] + 1))


def edit_the_blocks(run: Path) -> None:
    change_line(run, 1, lambda line: line["block_scores"][0].reverse() or line["block_scores"][0].append(1))


def edit_the_sides(run: Path) -> None:
    change_line(run, 1, lambda line: line.update(b="simple"))


def edit_the_first_pair(run: Path) -> None:
    change_line(run, 1, lambda line: line.update(first_pair=1))


def edit_the_pairs(run: Path) -> None:
    change_line(run, 1, lambda line: line.update(pairs=PART_PAIRS + 1))


def lose_a_line(run: Path) -> None:
    write_lines(run, part_lines(run)[:3])


DAMAGES: dict[Callable[[Path], None], tuple[list[str], str, list[str]]] = {
    truncate: ([OTHER], "bytes; ", [OTHER]),
    flip_a_byte: ([DEALS], "was changed: sha256 ", [DEALS]),
    delete: ([OTHER], "is missing", []),
    swap: ([FIRST, OTHER], "bytes; ", [FIRST, OTHER]),
    edit_the_tally: (["parts.jsonl"], "the line of part 1 has another tally than the rows come to", [OTHER]),
    edit_the_blocks: (["parts.jsonl"], "the line of part 1 has another block_scores than", [OTHER]),
    edit_the_sides: (["parts.jsonl"], "the line of part 1 is of greedy v simple, the plan's of greedy v thr", [OTHER]),
    edit_the_first_pair: (["parts.jsonl"], "the line of part 1 begins with pair 1, the plan's with 0", [OTHER]),
    edit_the_pairs: (["parts.jsonl"], "the line of part 1 has 9 pairs, the plan's 8", [OTHER]),
    lose_a_line: (["parts.jsonl", "summary.json"], "", []),
}


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_damage_is_named_and_a_resume_restores_the_very_bytes(
    damage: Callable[[Path], None], run: Path, untouched: Path
) -> None:
    files, what, moved = DAMAGES[damage]
    damage(run)
    found = verify.verify(run, 2)
    assert [problem.file for problem in found.problems] == files
    assert all(what in problem.what for problem in found.problems)
    assert {problem.do for problem in found.problems} == {"resume"}
    assert (found.is_sound, found.can_resume, found.set_aside) == (False, True, moved)
    assert all((run / f"{name}.bad").is_file() and not (run / name).exists() for name in moved)
    resumed(run)
    assert rows_of(run) == rows_of(untouched)
    again = verify.verify(run, 2)
    assert again.problems == []
    assert again.notes == [f"{name}.bad does not count: it was set aside; it may be deleted" for name in moved]
    shown = [{**line, "seconds": 0} for line in part_lines(run)]
    assert {line["part"]: line for line in shown} == {
        line["part"]: {**line, "seconds": 0} for line in part_lines(untouched)
    }


# --- files made anew, line and all


def _doubled(table: pa.Table) -> pa.Table:
    return pa.concat_tables([table.slice(0, 2), table.slice(0, len(table) - 2)])


ANEW: dict[str, tuple[str, Callable[[pa.Table], pa.Table], str]] = {
    "other-schema": (
        OTHER,
        lambda table: table.set_column(
            table.schema.get_field_index("walls"), "walls", pc.cast(table["walls"], "int64")
        ),
        "has another schema than declared for matches: column walls is int64",
    ),
    "column-gone": (DEALS, lambda table: table.drop_columns(["turns"]), "has another schema than declared for deals"),
    "other-seed": (
        OTHER,
        lambda table: table.replace_schema_metadata({**table.schema.metadata, b"seed": b"1"}),
        "its metadata have seed 1, the run has 20261",
    ),
    "no-metadata": (DEALS, lambda table: table.replace_schema_metadata({}), "its metadata lack schema_version"),
    "row-gone": (OTHER, lambda table: table.slice(1), "has 15 rows where 16 belong"),
    "pair-twice": (OTHER, _doubled, "has pair 0, leg 0 where pair 1, leg 0 belongs"),
    "deal-gone": (DEALS, lambda table: table.slice(1), "rows where"),
    "deal-out-of-order": (
        DEALS,
        lambda table: with_column(table, "deal", lambda deals: pc.add(deals, 1)),
        "has pair 0, leg 0, deal 1 where pair 0, leg 0, deal 0 belongs",
    ),
    "no-such-winner": (
        OTHER,
        lambda table: with_column(table, "match_winner", lambda winners: pa.array([7] * len(winners), "uint8")),
        "has match_winner 7, where 2 is the most",
    ),
    "other-sides": (
        OTHER,
        lambda table: with_column(table, "strategy_b", lambda names: pa.array(["simple"] * len(names))),
        "has strategy_b simple where threshold:knock_at=3 belongs",
    ),
}


@pytest.mark.parametrize("case", ANEW)
def test_file_made_anew_is_held_against_schema_plan_and_rows(case: str, run: Path, untouched: Path) -> None:
    name, change, what = ANEW[case]
    make_anew(run, name, change)
    found = verify.verify(run, 0)
    ((file, said),) = told(found)
    assert file == name
    assert what in said
    assert found.set_aside == [name]
    resumed(run)
    assert rows_of(run) == rows_of(untouched)


def test_rows_that_were_not_played_are_found_by_playing_pairs_again(run: Path) -> None:
    make_anew(run, DEALS, lambda table: with_column(table, "turns", lambda turns: pc.add(turns, 1)))
    found = verify.verify(run, 24)
    assert {problem.file for problem in found.problems} == {DEALS}
    assert len(found.problems) == PART_PAIRS
    assert "pair 0, leg 0, deal 0: turns is stored as" in found.problems[0].what
    assert "hollywood doctor" in found.problems[0].do
    assert (found.set_aside, found.can_resume, found.replayed) == ([], False, 24)


# --- lines that a resume would stumble over, or believe


@pytest.mark.parametrize(
    "change",
    [
        lambda line: line.pop("matches"),
        lambda line: line["deals"].pop("sha256"),
        lambda line: line.update(matches=None),
        lambda line: line["matches"].update(file=OTHER),
        lambda line: line.update(part=77),
    ],
    ids=["table-gone", "sha-gone", "no-table", "other-file", "no-such-part"],
)
def test_line_that_a_resume_would_believe_is_to_be_deleted(
    change: Callable[[dict[str, Any]], object], run: Path, untouched: Path
) -> None:
    change_line(run, 0, change)
    problem = verify.verify(run, 0).problems[0]
    assert (problem.file, problem.do) == ("parts.jsonl", "delete that line, then resume")
    write_lines(run, part_lines(untouched)[1:])
    resumed(run)
    assert rows_of(run) == rows_of(untouched)
