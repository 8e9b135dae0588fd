"""The lines of the finished parts of a run as they were written. Loads nothing, so that whoever reads runs may use it.

A run kept on another file system has a file a line, in ``lines/`` (`sim.batch.mirror`), instead of parts.jsonl; so has
a copy of it.
"""

from __future__ import annotations

from pathlib import Path

PARTS, LINES = "parts.jsonl", "lines"


def line_texts(path: Path) -> list[tuple[str, str]]:
    """Return the lines of a run folder as they were written, each after where it stands, for messages.

    What follows the last line end of parts.jsonl was being written when the run died and does not count.
    """
    file = path / PARTS
    if file.is_file():
        lines = file.read_text(encoding="utf-8").split("\n")[:-1]
        return [(f"{file}:{number}", text) for number, text in enumerate(lines, start=1)]
    return [(str(one), one.read_text(encoding="utf-8")) for one in sorted((path / LINES).glob("part-*.json"))]
