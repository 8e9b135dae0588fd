"""What the lines of parts.jsonl say was played, read in full and in short."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sim.batch.part_lines import Extent, LinesError, extents, read_lines


def line(part: int, first_pair: int, pairs: int, **more: Any) -> str:
    return json.dumps({"part": part, "a": "x", "b": "y", "first_pair": first_pair, "pairs": pairs, **more}) + "\n"


LINES = {
    "none": "",
    "one": line(0, 0, 16, tally={"pairs": 99}),
    "in the order they were finished": line(2, 32, 8) + line(0, 0, 16) + line(1, 16, 16),
    "one played again": line(0, 0, 16) + line(1, 16, 16) + line(0, 0, 12),
    "one being written": line(0, 0, 16) + '{"part": 1, "first_p',
    "merged": line(0, 0, 32, merged=[{"part": n, "first_pair": 16 * n, "pairs": 16} for n in (0, 1)]),
    "a long one": line(0, 0, 16, block_scores=[[1, 2, 3, 4, 5]] * 200_000) + line(1, 16, 16),
    "other text": line(0, 0, 16, a="gin «only»", first_pair_of="no"),
}  # fmt: skip


@pytest.mark.parametrize("name", LINES)
def test_what_was_played_is_the_same_read_in_short(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "parts.jsonl").write_text(LINES[name], encoding="utf-8")
    wanted = [Extent(one["first_pair"], one["pairs"]) for one in read_lines(tmp_path)]
    monkeypatch.delattr("sim.batch.part_lines.read_lines")  # it is not what is read here
    assert extents(tmp_path) == wanted


def test_what_was_played_is_read_from_a_file_a_line_too(tmp_path: Path) -> None:
    (tmp_path / "lines").mkdir()
    for part in (1, 0):
        (tmp_path / "lines" / f"part-{part:06d}.json").write_text(line(part, 16 * part, 16).strip(), encoding="utf-8")
    assert extents(tmp_path) == [(0, 16), (16, 16)]


@pytest.mark.parametrize(
    "broken",
    ["nonsense", "{}", "[1]", "7", '{"part": 1, "first_pair": 16}', '{"part": 1, "first_pair": "x", "pairs": 4}'],
)
def test_line_that_is_none_is_named(tmp_path: Path, broken: str) -> None:
    (tmp_path / "parts.jsonl").write_text(line(0, 0, 16) + broken + "\n", encoding="utf-8")
    for read in (read_lines, extents):
        with pytest.raises(LinesError, match=r"parts\.jsonl:2: not the line of a part"):
            read(tmp_path)
