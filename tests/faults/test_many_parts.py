"""A run of very many parts is opened again without reading its data."""

from __future__ import annotations

import json
import time

import pytest

from tests.faults.processes import Hollywood, read_json

PARTS, PAIRS = 10_000, 16_384
ONE_PART = ("simulate", "greedy", "simple", "--pairs", str(PAIRS), "--seed", "8")


@pytest.mark.slow
def test_ten_thousand_parts_are_taken_as_their_lines_say(hollywood: Hollywood) -> None:
    assert hollywood(*ONE_PART, "--out", "run", part_pairs=PAIRS).code == 0
    run = hollywood.folder / "run"
    line = json.loads((run / "parts.jsonl").read_text(encoding="utf-8"))
    sums = line["tally"]
    with (run / "parts.jsonl").open("w", encoding="utf-8") as lines:
        for number in range(PARTS):
            file = f"matches/part-{number:06d}.parquet"
            (run / file).write_bytes(b"?")  # whoever read it would fail
            line |= {"part": number, "first_pair": number * PAIRS}
            line["matches"] |= {"file": file, "bytes": 1}
            lines.write(json.dumps(line) + "\n")
    spec = (run / "spec.toml").read_text(encoding="utf-8")
    (run / "spec.toml").write_text(spec.replace(f"pairs = {PAIRS}", f"pairs = {PARTS * PAIRS}"), encoding="utf-8")
    start = time.perf_counter()
    hollywood.resume(run, part_pairs=PAIRS)
    print(f"\na run of {PARTS:,} parts, all in place, is resumed and concluded in {time.perf_counter() - start:.2f} s")
    summary = read_json(run / "summary.json")
    assert summary["deals"] == PARTS * sums["deals"]
    assert summary["pairs"] == PARTS * PAIRS
    assert (run / "matches/part-000000.parquet").read_bytes() == b"?"
