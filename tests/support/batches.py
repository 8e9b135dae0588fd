"""Files of batches for tests: short ones, read from text."""

from __future__ import annotations

from pathlib import Path

from experiments.batch_spec import Batch, read_batch

SEED = 5
DUEL = '[[experiment]]\nname = "duel"\nplayers = ["greedy", "simple"]\n'
THREE = "".join(DUEL.replace("duel", name) for name in ("one", "two", "three"))


def read(folder: Path, text: str, *overrides: str, seed: int = SEED) -> Batch:
    """Return the batch that a file of this text asks for."""
    file = folder / "night.toml"
    file.write_text(text, encoding="utf-8")
    return read_batch(file, overrides, seed)
